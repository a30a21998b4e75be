package policyfile

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const productTable = `tables:
  - {name: products, entities: [{name: product, prefix: PRODUCT, sort: "{product:ulid}"}]}
`

// A policy that lifts the isolation of its tenants is wrong, unless it says so.
func TestNoIsolation(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"no caller has a tenant",
			"tenants:\n  callers: {}\n  privileged: [operations]\n" + productTable,
			"line 2: tenants.callers: no caller has a tenant"},
		{"tenants are known and nobody is of one",
			"tenants:\n  known: [tenant001]\n" + productTable,
			"tenants.callers: no caller has a tenant"},
		{"other tenants' data is reached",
			"tenants:\n  callers: {AK1: tenant001}\nseverities:\n  tenant-crossing: off\n" +
				productTable,
			"line 4: severities.tenant-crossing: without this rule every tenant reaches the data of all"},
		{"scans are let through",
			"tenants:\n  callers: {AK1: tenant001}\nseverities:\n  tenant-scan: off\n" +
				productTable, "line 4: severities.tenant-scan: "},
		{"callers without a tenant are let through",
			"tenants:\n  callers: {AK1: tenant001}\nseverities:\n  tenant-caller: off\n" +
				productTable, "line 4: severities.tenant-caller: "},
		{"every table is open",
			"tenants:\n  callers: {AK1: tenant001}\ntables:\n  - {name: \"*\", open: true}\n",
			"line 4: tables: every table is open"},
		{"an open pattern swallows the only other table",
			"tenants:\n  callers: {AK1: tenant001}\ntables:\n  - {name: \"*\", open: true}\n  - {name: prod-*}\n", "line 4: tables: every table is open"},
		{"the only table lets tenants cross",
			"tenants:\n  callers: {AK1: tenant001}\ntables:\n  - {name: products, severities: {tenant-crossing: off}}\n",
			"line 4: tables: no table keeps tenants apart"},
		{"the only table lets tenants scan",
			"tenants:\n  callers: {AK1: tenant001}\ntables:\n  - {name: products, severities: {tenant-scan: off}}\n  - {name: scratch, open: true}\n",
			"line 4: tables: no table keeps tenants apart"},
		{"no key names a tenant",
			"tenants:\n  callers: {AK1: tenant001}\ntables:\n  - {name: events, role: plain, tenant: none}\n  - {name: logs, entities: [{name: log, prefix: LOG, tenant: none, partition: \"{id}\", sort: \"{n}\"}]}\n",
			"line 4: tables: no table keeps tenants apart"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Compile([]byte(c.text))
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, err, "or say isolation: none of tenants")
			_, err = Compile(
				[]byte(strings.Replace(c.text, "tenants:\n", "tenants:\n  isolation: none\n", 1)))
			require.NoError(t, err)
			_, err = Compile(
				[]byte(strings.Replace(c.text, "tenants:\n", "tenants:\n  isolation: full\n", 1)))
			require.Error(t, err)
		})
	}
}

// What guards less than it seems to is worth an advice.
func TestAdviceOnIsolation(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string // beginnings
	}{
		{"a guarded policy",
			"tenants:\n  callers: {AK1: tenant001, ADMIN: admin}\n  privileged: [admin]\n" +
				productTable, nil},
		{"an open pattern before a table that it swallows",
			"tenants:\n  callers: {AK1: tenant001}\ntables:\n  - {name: \"prod-*\", open: true}\n  - {name: \"prod-orders-?\"}\n  - {name: products}\n",
			[]string{"line 5: tables[1].name: tenant-undeclared: no table is declared by prod-orders-?: the earlier pattern prod-* matches all of them"}},
		{"a pattern before a table that it swallows",
			"tables:\n  - {name: \"prod-*\"}\n  - {name: \"prod-a-*\"}\n",
			[]string{"line 3: tables[1].name: key-undeclared-prefix: no table is declared by prod-a-*"}},
		{"a pattern before a table of an exact name",
			"tables:\n  - {name: \"prod-*\"}\n  - {name: prod-a}\n", nil},
		{"an open pattern that meets a later one",
			"tenants:\n  callers: {AK1: tenant001}\ntables:\n  - {name: \"prod-*\", open: true}\n  - {name: \"*-orders\"}\n",
			[]string{"line 5: tables[1].name: tenant-undeclared: the tables that the earlier pattern prod-* matches as well are open"}},
		{"an open pattern that meets none",
			"tenants:\n  callers: {AK1: tenant001}\ntables:\n  - {name: \"prod-*-x\", open: true}\n  - {name: \"*-orders\"}\n  - {name: \"pro?x-*\"}\n",
			nil},
		{"patterns that meet",
			"tables:\n  - {name: \"*-a\"}\n  - {name: \"b-*\"}\n  - {name: \"?-?\"}\n", nil},
		{"a privileged tenant that nobody is of",
			"tenants:\n  callers: {AK1: tenant001, ADMIN: admin}\n  privileged: [admin, operatoins]\n" + productTable,
			[]string{"line 3: tenants.privileged[1]: tenant-operation: no caller is of the tenant operatoins"}},
		{"a privileged tenant that only a header names",
			"tenants:\n  header: x-tenant\n  privileged: [admin]\n" + productTable,
			[]string{"line 3: tenants.privileged[0]: tenant-operation: the tenant admin is named by a header only"}},
		{"a rule that warns",
			"tenants:\n  callers: {AK1: tenant001}\nseverities: {tenant-crossing: warn, tenant-operation: off}\n" + productTable,
			[]string{"line 3: severities.tenant-crossing: tenant-crossing: the rule is warn",
				"line 3: severities.tenant-operation: tenant-operation: the rule is off"}},
		{"a rule that is off for one table",
			"tenants:\n  callers: {AK1: tenant001}\ntables:\n  - name: products\n    severities: {tenant-crossing: off}\n  - {name: other}\n",
			[]string{"line 5: tables[0].severities.tenant-crossing: tenant-crossing: the rule is off"}},
		{"a table without tenants",
			"tenants:\n  callers: {AK1: tenant001}\ntables:\n  - {name: events, role: plain, tenant: none}\n  - {name: other}\n",
			[]string{"line 4: tables[0].tenant: tenant-missing: every tenant reads and writes all of events"}},
		{"a table without tenants where it is meant",
			"tenants:\n  isolation: none\n  callers: {AK1: tenant001}\ntables:\n  - {name: events, role: plain, tenant: none}\n", nil},
		{"a table without tenants where there are none",
			"tables:\n  - {name: events, role: plain, tenant: none}\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			advice, err := advise([]byte(c.text))
			require.NoError(t, err)
			require.Len(t, advice, len(c.want), "%v", advice)
			for i := range advice {
				assert.True(t, strings.HasPrefix(advice[i].Error(), c.want[i]), "%s",
					advice[i].Error())
			}
		})
	}
}
