package isolation_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy/policyfile"
	"github.com/kugiri-db/kugiri/emulator/isolation"
)

const (
	callers = "tenants: {callers: {AK1: tenant001, AK2: tenant002, OPS: ops}, privileged: [ops]}\n"
	data    = "tables:\n  - {name: data, role: data, entities: [{name: order, prefix: ORDER, sort: \"ORDER#{order}\"}]}\n"
	none    = "severities: {%s: %s}\n" + callers + data
)

// carelessPolicy is a policy that lifts more than it seems to.
type carelessPolicy struct {
	name, text string

	refused string // beginning of the error of the file, or ""
	advised string // part of an advice
	leaks   bool   // the brief proof finds a way
}

func lifted(rule, says string, leaks bool) (all []carelessPolicy) {
	for _, s := range []string{"warn", "off"} {
		all = append(all, carelessPolicy{name: rule + " " + s, text: fmt.Sprintf(none, rule, s),
			advised: "line 1: severities." + rule + ": " + rule + ": the rule is " + s +
				", so that it keeps no tenants apart: " + says, leaks: leaks})
	}
	return all
}

func carelessPolicies() []carelessPolicy {
	shop := func(tenants string) string { return "tenants: " + tenants + "\n" + data }
	table := func(t string) string { return callers + "tables:\n  - " + t + "\n" }
	all := append(lifted("tenant-missing", "every tenant writes, reads and deletes all items", true),
		lifted("tenant-in-sort-key", "every tenant reaches all items that have", true)...)
	return append(all, []carelessPolicy{
		{name: "both rules on where the tenant stands", text: "severities: {tenant-missing: off, tenant-in-sort-key: off}\n" +
			callers + data, advised: "line 1: severities.tenant-missing: ", leaks: true},
		{name: "a rule for one table", text: table("{name: data, role: data, severities: {tenant-missing: warn}, entities: [{name: order, prefix: ORDER, sort: \"{order}\"}]}"),
			advised: "line 3: tables[0].severities.tenant-missing: ", leaks: true},
		{name: "a table without entities", text: table("{name: data, role: plain, severities: {tenant-missing: off}}"),
			advised: "line 3: tables[0].severities.tenant-missing: ", leaks: true},
		{name: "crossing that warns", text: fmt.Sprintf(none, "tenant-crossing", "warn"),
			advised: "every tenant reaches the data of all", leaks: true},
		{name: "operations for all", text: fmt.Sprintf(none, "tenant-operation", "off"),
			advised: "every caller creates, changes, exports and deletes tables", leaks: true},
		{name: "a free tenant under common", text: table("{name: invoices, entities: [{name: invoice, prefix: INVOICE, tenant: common, sort: \"{tenant}#{invoice}\", writable: false}]}"),
			refused: "line 3: tables[0].entities[0].sort: the segment {tenant} is any text"},
		{name: "a free tenant of no tenant", text: table("{name: invoices, entities: [{name: invoice, prefix: INVOICE, tenant: none, partition: \"{tenantId}\", sort: \"{invoice}\"}]}"),
			refused: "line 3: tables[0].entities[0].partition: the segment {tenantId} is any text"},
		{name: "a zero-width space", text: shop("{callers: {AK1: tenant001, AK2: \"tenant001\\u200b\"}}"),
			refused: "line 1: tenants.callers.AK2: the tenant "},
		{name: "a space at the end", text: shop("{callers: {AK1: tenant001}, known: [tenant001, \"tenant001 \"]}"),
			refused: "line 1: tenants.known[1]: the tenant "},
		{name: "two forms of a letter", text: shop("{callers: {AK1: \"caf\\u00e9\", AK2: \"cafe\\u0301\"}}"),
			refused: "line 1: tenants.callers.AK2: the tenant "},
		{name: "a soft hyphen", text: shop("{callers: {AK1: tenant001}, privileged: [\"ad\\u00admin\"]}"),
			refused: "line 1: tenants.privileged[0]: the tenant "},
		{name: "the header of the signature", text: shop("{header: authorization}"),
			refused: "line 1: tenants.header: SDKs, proxies and HTTP itself write the header"},
		{name: "the header of the host", text: shop("{header: Host}"),
			refused: "line 1: tenants.header: "},
		{name: "the header of the time", text: shop("{header: X-Amz-Date}"),
			refused: "line 1: tenants.header: "},
		{name: "the header of a proxy", text: shop("{header: x-forwarded-for}"),
			refused: "line 1: tenants.header: "},
		{name: "a version in the key", text: table("{name: data, role: data, version-attribute: sk}"),
			refused: "line 3: tables[0].version-attribute: \"sk\" is an attribute of the key"},
		{name: "a version in the id", text: table("{name: data, role: data, version-attribute: id}"),
			refused: "line 3: tables[0].version-attribute: "},
		{name: "latest in a data table", text: table("{name: documents, role: data, latest: {}}"),
			refused: "line 3: tables[0].latest: in a data table each item counts its own"},
		{name: "common as a known tenant", text: shop("{callers: {AK1: tenant001}, known: [common]}"),
			refused: "line 1: tenants.callers.AK1: \"tenant001\" is none of the known tenants"},
		{name: "common as the only tenant", text: shop("{header: x-tenant, known: [common]}"),
			refused: "line 1: tenants.known[0]: common is no tenant"},
		{name: "everybody privileged", text: shop("{callers: {AK1: tenant001, AK2: tenant002}, privileged: [tenant001, tenant002]}"),
			advised: "every caller is privileged"},
		{name: "commands without an entity", text: table("{name: data, role: data, commands: command, entities: [{name: order, prefix: ORDER, sort: \"{order}\"}, {name: bill, prefix: BILL, sort: \"{bill}\"}]}") +
			"  - {name: command, role: command, entities: [{name: order, prefix: ORDER, sort: \"{order}\"}]}\n",
			advised: "line 3: tables[0].commands: version-command: the command table command has no entity with the keys of bill"},
		{name: "a name that no table can have", text: table("{name: \"my data\"}"),
			refused: "line 3: tables[0].name: "},
		{name: "a key that is too long", text: table("{name: data, entities: [{name: order, prefix: ORDER, sort: \"" + strings.Repeat("x", 2100) + "#{order}\"}]}"),
			refused: "line 3: tables[0].entities[0].sort: a sort key has at most 1024 bytes"},
		{name: "a letter of full width", text: shop("{callers: {AK1: tenant001, AK2: \"\uff54enant001\"}}"),
			refused: "line 1: tenants.callers.AK2: the tenant "},
		{name: "a letter of half width", text: shop("{callers: {AK1: \"\uff71\uff76\uff92\"}}"),
			refused: "line 1: tenants.callers.AK1: the tenant \"\\uff71\\uff76\\uff92\" has a letter of another width or style"},
		{name: "a ligature", text: shop("{callers: {AK1: firm, AK2: \"\ufb01rm\"}}"),
			refused: "line 1: tenants.callers.AK2: the tenant \"\\ufb01rm\" has a letter of another width or style"},
		{name: "a raised digit", text: shop("{callers: {AK1: tenant1, AK2: \"tenant\u00b9\"}}"),
			refused: "line 1: tenants.callers.AK2: the tenant \"tenant\\u00b9\" has a letter of another width or style"},
		{name: "a digit in a circle", text: shop("{header: x-tenant, known: [tenant1, \"tenant\u2460\"]}"),
			refused: "line 1: tenants.known[1]: the tenant \"tenant\\u2460\" has a letter of another width or style"},
		{name: "a mark on a digit", text: shop("{callers: {AK1: tenant1, AK2: \"tenant1\u0301\"}}"),
			refused: "line 1: tenants.callers.AK2: the tenant \"tenant1\\u0301\" has a letter in another form than NFC"},
		{name: "a circle around a letter", text: shop("{callers: {AK1: tenanta, AK2: \"tenanta\u20dd\"}}"),
			refused: "line 1: tenants.callers.AK2: the tenant "},
		{name: "a Cyrillic letter", text: shop("{callers: {AK1: tenant001, AK2: \"ten\u0430nt001\"}}"),
			refused: "line 1: tenants.callers.AK2: the tenant \"ten\\u0430nt001\" has a letter of another script among Latin ones"},
		{name: "a Greek letter", text: shop("{callers: {AK1: tenant001}, privileged: [\"\u03bfps\"]}"),
			refused: "line 1: tenants.privileged[0]: the tenant \"\\u03bfps\" has a letter of another script among Latin ones"},
		{name: "a name of Cyrillic letters", text: shop("{callers: {AK1: cop, AK2: \"\u0441\u043e\u0440\"}}"),
			refused: "line 1: tenants.callers.AK2: the tenant \"\\u0441\\u043e\\u0440\" looks like the tenant \"cop\": give it another name"},
		{name: "names of two scripts that are not alike", text: shop("{callers: {AK1: tenant001, AK2: \"\u043a\u043b\u0438\u0435\u043d\u0442\", AK3: \"site-\u03b2\"}}")},
		{name: "case alone", text: shop("{callers: {AK1: acme, AK2: ACME}}"),
			advised: "line 1: tenants.callers.AK2: tenant-caller: the tenants acme and ACME differ in case alone, and are not the same"},
		{name: "the case of common", text: shop("{callers: {AK1: tenant001, AK2: Common}}"),
			advised: "line 1: tenants.callers.AK2: tenant-caller: the tenants common and Common differ in case alone"},
		{name: "a digit that is a letter", text: shop("{callers: {AK1: tenant001, AK2: tenantO01}}"),
			advised: "line 1: tenants.callers.AK2: tenant-caller: the tenants tenant001 and tenantO01 differ in a digit and a letter that look alike"},
		{name: "a separator in a tenant", text: shop("{callers: {AK1: tenant001, AK2: \"tenant001#2024-01\"}}"),
			refused: "line 1: tenants.callers.AK2: the tenant "},
		{name: "a version in a tenant", text: "tenants: {callers: {AK1: tenant001, AK2: \"tenant001@2\"}}\ntables:\n  - {name: data, entities: [{name: member, prefix: USER_TENANT, tenant: common, sort: \"{tenant:tenant}#{user}\"}]}\n",
			advised: "line 3: tables[0].entities[0].sort: key-at-sign: the segment {tenant:tenant} holds the @ of the tenant tenant001@2", leaks: true},
		{name: "an entity of no tenant", text: table("{name: data, entities: [{name: order, prefix: ORDER, tenant: none, partition: \"{customer:ulid}\", sort: \"{order}\"}]}"),
			refused: "line 3: tables: no table keeps tenants apart"},
		{name: "the tenant behind the month", text: table("{name: data, entities: [{name: log, prefix: LOG, tenant: none, partition: \"{month:month}\", sort: \"{tenant:tenant}#{at:timestamp}\"}]}"),
			advised: "line 3: tables[0].entities[0].sort: tenant-in-sort-key: the tenant is in the sort key only"},
		{name: "an inverted index", text: table("{name: data, entities: [{name: order, prefix: ORDER, sort: \"{order}\"}], indexes: [{name: inverted, key: {partition: sk, sort: pk}, tenant: none}]}"),
			advised: "line 3: tables[0].indexes[0].tenant: tenant-missing: the index inverted has the items of all tenants"},
		{name: "callers of no tenant", text: fmt.Sprintf(none, "tenant-caller", "warn"),
			advised: "callers of no tenant reach the data of all", leaks: true},
		{name: "scans that warn", text: fmt.Sprintf(none, "tenant-scan", "warn"),
			advised: "every tenant reads all items by a scan", leaks: true},
		{name: "what is not declared", text: fmt.Sprintf(none, "tenant-undeclared", "off"),
			advised: "every caller reaches tables, indexes and keys that the policy does not declare", leaks: true},
		{name: "shared data that all change", text: "severities: {tenant-shared: off}\n" + table("{name: data, role: data, entities: [{name: user, prefix: USER, tenant: common, sort: \"{user}\"}]}"),
			advised: "every tenant changes what all tenants share", leaks: true},
		{name: "an index that all place items in", text: table("{name: data, entities: [{name: order, prefix: ORDER, sort: \"{order}\"}], indexes: [{name: by-day, key: {partition: day}, tenant: none}]}"),
			advised: "line 3: tables[0].indexes[0].tenant: tenant-missing: the index by-day has the items of all tenants"},
	}...)
}

// A careless policy is refused with its line, or says what it lifts; where requests get through,
// the proof that a server begins with finds one.
func TestCarelessPolicies(t *testing.T) {
	require.GreaterOrEqual(t, len(carelessPolicies()), 47)
	for _, c := range carelessPolicies() {
		t.Run(c.name, func(t *testing.T) {
			p, err := policyfile.Parse([]byte(c.text))
			if c.refused != "" {
				require.Error(t, err)
				assert.Contains(t, "\n"+err.Error(), "\n"+c.refused)
				return
			}
			require.NoError(t, err)
			file := filepath.Join(t.TempDir(), "policy.yaml")
			require.NoError(t, os.WriteFile(file, []byte(c.text), 0o600))
			advice, err := policyfile.AdviseFile(file)
			require.NoError(t, err)
			texts := []string{}
			for i := range advice {
				texts = append(texts, advice[i].Error())
			}
			assert.Contains(t, strings.Join(texts, "\n"), c.advised)
			proof, err := isolation.Prove(p, isolation.Options{Brief: true})
			require.NoError(t, err)
			assert.Equal(t, c.leaks, !proof.Holds(), "%d leaks", len(proof.Leaks))
		})
	}
}

// A policy may use what names, keys and indexes the service allows, and the proof needs none of it.
func TestProofOfFullTables(t *testing.T) {
	var indexes []string
	for i := range 20 {
		name := fmt.Sprintf("index-%d", i)
		if i == 0 {
			name = "kugiri-proof-by-secret"
		}
		indexes = append(indexes, fmt.Sprintf(
			"{name: %s, key: {partition: gsi%dpk, sort: gsi%dsk}, tenant: required}", name, i, i))
	}
	table := "tables:\n  - name: data\n    entities: [{name: order, prefix: ORDER, sort: \"{order}\"}]\n    indexes: [%s]\n"
	for _, n := range []int{1, 19, 20} {
		p := parse(t, callers+fmt.Sprintf(table, strings.Join(indexes[:n], ", ")))
		for _, o := range []isolation.Options{{Brief: true}, {}} {
			if n == 19 && !o.Brief {
				continue
			}
			proof, err := isolation.Prove(p, o)
			require.NoError(t, err, "%d indexes", n)
			assert.Empty(t, proof.Leaks)
		}
	}
	indexes = append(indexes, "{name: one-more, key: {partition: x}, tenant: required}")
	_, err := policyfile.Parse([]byte(callers + fmt.Sprintf(table, strings.Join(indexes, ", "))))
	require.ErrorContains(t, err, "line 5: tables[0].indexes: a table has at most 20 global")
}

// A tenant that only a header names as privileged is nobody's without a verified signature, so that
// such a policy keeps tenants apart.
func TestProofOfHeaders(t *testing.T) {
	p := parse(t, "tenants: {header: x-tenant, privileged: [admin]}\n"+data)
	for _, o := range []isolation.Options{{Brief: true}, {}} {
		proof, err := isolation.Prove(p, o)
		require.NoError(t, err)
		assert.Empty(t, proof.Leaks)
	}
}

// Tables that are declared alike are proven once, and counted.
func TestProofOfAlikeTables(t *testing.T) {
	proof, err := isolation.Prove(parse(t, policyOf(50)), isolation.Options{Brief: true})
	require.NoError(t, err)
	assert.Empty(t, proof.Leaks)
	assert.Equal(t, []int{len(shapes) + 1, 45}, []int{proof.Tables, proof.Alike})
}

// A pattern that begins with the name of another table is proven under a name of its own.
func TestProofOfPatterns(t *testing.T) {
	p := parse(t, callers+"tables:\n  - {name: any-data, open: true}\n  - {name: \"*-data\", severities: {tenant-crossing: warn}, entities: [{name: order, prefix: ORDER, sort: \"{order}\"}]}\n  - {name: other}\n")
	proof, err := isolation.Prove(p, isolation.Options{Brief: true})
	require.NoError(t, err)
	require.NotEmpty(t, proof.Leaks)
	assert.Contains(t, proof.Leaks[0].Request, "x9-data")
}
