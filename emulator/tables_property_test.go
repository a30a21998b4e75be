package emulator

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/emulator/internal/tables"
)

// TestTablesProperty changes tables at random, with time passing, and checks
// after each step that descriptions hang together, and in the end that all comes to rest.
func TestTablesProperty(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		x := newTableTest(t, WithTableDelays(10*time.Second, 20*time.Second, 30*time.Second))
		name := rapid.SampledFrom([]string{"one", "two"})
		attribute := rapid.SampledFrom([]string{"pk", "a", "b", "c"})
		idx := rapid.SampledFrom([]string{"idx0", "idx1", "idx2"})
		update := func(rt *rapid.T, members ...string) {
			x.answer("UpdateTable", tableRequest(name.Draw(rt, "table"), members...))
		}
		rt.Repeat(map[string]func(*rapid.T){
			"create": func(rt *rapid.T) {
				x.answer("CreateTable", randomTable(rt, name.Draw(rt, "table")))
			},
			"delete": func(rt *rapid.T) {
				x.answer("DeleteTable", tableRequest(name.Draw(rt, "table"), `"x":0`))
			},
			"put": func(rt *rapid.T) {
				a := attribute.Draw(rt, "attribute")
				x.answer("PutItem",
					tableRequest(name.Draw(rt, "table"),
						`"Item":{"pk":{"S":"1"},"`+a+`":{"S":"v"}}`))
			},
			"createIndex": func(rt *rapid.T) {
				a := attribute.Draw(rt, "attribute")
				update(rt, defs(a),
					updates(creates(index(idx.Draw(rt, "index"), keySchema(a), projectAll))))
			},
			"deleteIndex": func(rt *rapid.T) {
				update(rt, updates(deletes(idx.Draw(rt, "index"))))
			},
			"onDemand": func(rt *rapid.T) { update(rt, onDemandBilling) },
			"provisioned": func(rt *rapid.T) {
				update(rt, `"BillingMode":"PROVISIONED"`, fiveUnits)
			},
			"stream": func(rt *rapid.T) {
				update(rt,
					fmt.Sprintf(`"StreamSpecification":{"StreamEnabled":%v}`,
						rapid.Bool().Draw(rt, "enabled")))
			},
			"wait": func(rt *rapid.T) {
				x.now = x.now.Add(
					time.Duration(rapid.IntRange(1, 40).Draw(rt, "seconds")) * time.Second)
			},
			"": func(rt *rapid.T) { checkTables(rt, x, false) },
		})
		x.now = x.now.Add(time.Hour)
		checkTables(rt, x, true)
	})
}

// randomTable is a request that creates a table with an index or without.
func randomTable(rt *rapid.T, name string) string {
	if rapid.Bool().Draw(rt, "indexed") {
		return tableRequest(name, defs("pk", "a"), keySchema("pk"), onDemandBilling,
			globals(index("idx0", keySchema("a"), projectAll)))
	}
	return tableRequest(name, defs("pk"), keySchema("pk"), onDemandBilling)
}

// checkTables checks all tables there are; at rest they are ACTIVE.
func checkTables(rt *rapid.T, x *requestTest, rest bool) {
	var list struct{ TableNames []string }
	require.NoError(rt, json.Unmarshal([]byte(x.ok("ListTables", `{}`)), &list))
	for _, name := range list.TableNames {
		var d struct {
			Table struct {
				TableStatus            string
				AttributeDefinitions   []struct{ AttributeName string }
				GlobalSecondaryIndexes []struct {
					IndexName, IndexStatus string
					KeySchema              []struct{ AttributeName string }
				}
			}
		}
		require.NoError(rt,
			json.Unmarshal([]byte(x.ok("DescribeTable", `{"TableName":"`+name+`"}`)), &d))
		if d.Table.TableStatus == tables.Deleting {
			require.False(rt, rest)
			continue
		}
		want := []string{"pk"}
		for _, ix := range d.Table.GlobalSecondaryIndexes {
			if rest {
				require.Equal(rt, tables.Active, ix.IndexStatus)
			}
			if a := ix.KeySchema[0].AttributeName; ix.IndexStatus != tables.Deleting &&
				!slices.Contains(want, a) {
				want = append(want, a)
			}
		}
		var defined []string
		for _, a := range d.Table.AttributeDefinitions {
			defined = append(defined, a.AttributeName)
		}
		slices.Sort(want)
		slices.Sort(defined)
		require.Equal(rt, strings.Join(want, " "), strings.Join(defined, " "), "%s", name)
		if rest {
			require.Equal(rt, tables.Active, d.Table.TableStatus)
		}
	}
}
