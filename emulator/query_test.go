package emulator

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// newReadTest is newItemTest with the table "reads", which has all kinds of index.
func newReadTest(t *testing.T) *requestTest {
	t.Helper()
	x := newItemTest(t)
	x.ok("CreateTable", readTable)
	return x
}

// queried is a Query of the partition "p" of a table, with more members.
func queried(table, more string) string {
	return `{"TableName":"` + table +
		`","KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"p"}}` +
		more + `}`
}

// keyed is a Query with a key condition.
func keyed(table, index, condition, values, more string) string {
	if index != "" {
		more += `,"IndexName":"` + index + `"`
	}
	return `{"TableName":"` + table + `","KeyConditionExpression":"` + condition +
		`","ExpressionAttributeValues":{` + values + `}` + more + `}`
}

// legacyKeyed is a Query with KeyConditions, each "name OP values".
func legacyKeyed(table, more string, conditions ...string) string {
	entries := make([]string, len(conditions))
	for i, c := range conditions {
		part := strings.SplitN(c, " ", 3)
		entries[i] = fmt.Sprintf(`%q:{"ComparisonOperator":%q,"AttributeValueList":[%s]}`, part[0],
			part[1], part[2])
	}
	return `{"TableName":"` + table + `","KeyConditions":{` +
		strings.Join(entries, ",") + `}` + more + `}`
}

func TestQueryLastKey(t *testing.T) {
	x := newReadTest(t)
	for _, sk := range []string{"1", "2", "3"} {
		x.put("reads", `{"pk":{"S":"p"},"sk":{"N":"`+sk+`"},"ls":{"S":"same"},"gr":{"N":"5"}}`)
	}
	limited := func(n int, index, condition, more string) string {
		values := `":p":{"S":"p"}`
		for placeholder, value := range map[string]string{
			":s": `{"N":"3"}`, ":l": `{"S":"same"}`, ":t": `{"N":"1"}`,
		} {
			if strings.Contains(condition, placeholder) {
				values += `,"` + placeholder + `":` + value
			}
		}
		return keyed("reads", index, condition, values,
			fmt.Sprintf(`,"Select":"COUNT","Limit":%d`, n)+more)
	}
	answer := func(n int, last string) string {
		if last != "" {
			last = `,"LastEvaluatedKey":` + last
		}
		return fmt.Sprintf(`{"Count":%d,"ScannedCount":%d%s}`, n, n, last)
	}
	last := func(sk, more string) string {
		return `{"pk":{"S":"p"},"sk":{"N":"` + sk + `"}` + more + `}`
	}
	for name, tc := range map[string]struct{ want, request string }{
		"within": {answer(2, last("2", "")),
			limited(2, "", "pk = :p", "")},
		"at the end of the partition": {answer(3, last("3", "")),
			limited(3, "", "pk = :p", "")},
		"not at the limit": {answer(3, ""), limited(4, "", "pk = :p", "")},
		"nothing can follow": {answer(1, ""),
			limited(1, "", "pk = :p AND sk = :s", "")},
		"nothing can follow a bound": {answer(3, ""),
			limited(3, "", "pk = :p AND sk <= :s", "")},
		"nothing can follow a bound backwards": {answer(3, ""),
			limited(3, "", "pk = :p AND sk >= :t", `,"ScanIndexForward":false`)},
		"before a bound": {answer(2, last("2", "")),
			limited(2, "", "pk = :p AND sk <= :s", "")},
		"an equal sort key can follow": {answer(3, last("3", `,"ls":{"S":"same"}`)),
			limited(3, "lkeys", "pk = :p AND ls = :l", "")},
		"index keys that are projected": {answer(1, last("1", `,"gr":{"N":"5"}`)),
			limited(1, "linc", "pk = :p", "")},
	} {
		t.Run(name,
			func(t *testing.T) {
				x.within(t).want(tc.want, "Query", tc.request)
			})
	}
}

func TestQueryBytes(t *testing.T) {
	x := newReadTest(t)
	x.emulator.service.Limits.PageBytes = 300
	for _, sk := range []string{"1", "2", "3", "4"} { // 100 bytes each
		x.put("reads",
			`{"pk":{"S":"p"},"sk":{"N":"`+sk+`"},"v":{"S":"`+strings.Repeat("v", 92)+`"}}`)
	}
	want := func(n int, last string) string {
		return fmt.Sprintf(`{"Count":%d,"ScannedCount":%d%s}`, n, n, last)
	}
	at := func(sk string) string {
		return `,"LastEvaluatedKey":{"pk":{"S":"p"},"sk":{"N":"` + sk + `"}}`
	}
	x.want(want(4, at("4")), "Query", queried("reads", `,"Select":"COUNT"`)) // three make just 300
	x.emulator.service.Limits.PageBytes = 299
	x.want(want(3, at("3")), "Query", queried("reads", `,"Select":"COUNT"`))
	x.want(want(2, at("2")), "Query", queried("reads", `,"Select":"COUNT","Limit":2`))
	x.want(want(3, at("2")), "Query",
		queried("reads", `,"Select":"COUNT","ScanIndexForward":false`))
	x.want(`{"Count":0,"ScannedCount":3`+at("3")+`}`, "Query",
		queried("reads", `,"Select":"COUNT","FilterExpression":"attribute_exists(n)"`))
	x.emulator.service.Limits.PageBytes = 1
	x.want(want(1, at("1")), "Query", queried("reads", `,"Select":"COUNT"`))
	x.want(want(1, at("2")), "Query",
		queried("reads", `,"Select":"COUNT","ExclusiveStartKey":{"pk":{"S":"p"},"sk":{"N":"1"}}`))
}

// TestQueryBackfilling: an index cannot be read before it is ACTIVE, its table can.
func TestQueryBackfilling(t *testing.T) {
	x := newTableTest(t, WithTableDelays(0, time.Minute, 0))
	x.create("reads", onDemandBilling, defs("pk"), keySchema("pk"))
	x.ok("UpdateTable",
		tableRequest("reads", defs("pk", "gh"),
			updates(`{"Create":`+index("late", keySchema("gh"), projectAll)+`}`)))
	global := keyed("reads", "late", "gh = :g", `":g":{"S":"g"}`, "")
	const backfilling = "ValidationException: Cannot read from backfilling global secondary index: late"
	x.fails("Query", global, backfilling)
	x.fails("Scan", scanned("reads", `,"IndexName":"late"`), backfilling)
	x.ok("Query", queried("reads", ""))
	x.now = x.now.Add(time.Hour)
	x.ok("Query", global)
}
