package emulator

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/catalog"
)

// eventText is an event as text: its error, capacity, items, pages and partitions.
func eventText(e *Event) string {
	var b strings.Builder
	fmt.Fprint(&b, e.Tables, e.Error)
	for _, c := range e.Capacity {
		fmt.Fprintf(&b, " %s/%s:%gr%gw", c.Table, c.Index, c.Read, c.Write)
	}
	fmt.Fprintf(&b, " %d>%d+%d", e.Evaluated, e.Returned, e.Written)
	for i := range e.Reads {
		r := &e.Reads[i]
		fmt.Fprintf(&b, " {%s/%s %s scan=%t %d>%d %g %v}", r.Table, r.Index, r.KeyCondition(),
			r.Scan, r.Evaluated, r.Returned, r.Units, r.FilterAttributes())
	}
	for _, p := range e.Partitions() {
		fmt.Fprintf(&b, " (%s/%s %s %t %g)", p.Table, p.Index, p.Key, p.Write, p.Units)
	}
	return b.String()
}

// consumed returns the capacity that an answer reports, as Event.Capacity would: by table and
// index.
func consumed(t *testing.T, answer string) map[string]float64 {
	type units struct{ CapacityUnits float64 }
	type report struct {
		TableName              string
		Table                  units
		GlobalSecondaryIndexes map[string]units
		LocalSecondaryIndexes  map[string]units
	}
	var one struct{ ConsumedCapacity *report }
	var many struct{ ConsumedCapacity []report }
	if json.Unmarshal([]byte(answer), &many) != nil {
		require.NoError(t, json.Unmarshal([]byte(answer), &one))
		many.ConsumedCapacity = append(many.ConsumedCapacity, *one.ConsumedCapacity)
	}
	sums := map[string]float64{}
	for _, r := range many.ConsumedCapacity {
		sums[r.TableName+"/"] += r.Table.CapacityUnits
		for _, indexes := range []map[string]units{r.GlobalSecondaryIndexes,
			r.LocalSecondaryIndexes} {
			for name, u := range indexes {
				sums[r.TableName+"/"+name] += u.CapacityUnits
			}
		}
	}
	return nonZero(sums)
}

func nonZero(sums map[string]float64) map[string]float64 {
	for k, v := range sums {
		if v == 0 {
			delete(sums, k)
		}
	}
	return sums
}

const askUsage = `"ReturnConsumedCapacity":"INDEXES"`

// eventCases are run one after the other.
var eventCases = []struct{ operation, body, want string }{
	{"PutItem",
		`{"TableName":"indexed","Item":{"pk":{"S":"a"},"sk":{"S":"1"},"gh":{"S":"g"},"gr":{"N":"1"}},` + askUsage + `}`,
		`[indexed] indexed/:0r1w indexed/gsi1:0r1w indexed/gsi2:0r1w 0>0+1 (indexed/ "a" true 1) (indexed/gsi1 "g" true 1) (indexed/gsi2 1 true 1)`},
	{"UpdateItem",
		`{"TableName":"indexed","Key":{"pk":{"S":"a"},"sk":{"S":"1"}},"UpdateExpression":"SET gr = :n","ExpressionAttributeValues":{":n":{"N":"2"}},` + askUsage + `}`,
		`[indexed] indexed/:0r1w indexed/gsi1:0r2w indexed/gsi2:0r2w 0>0+1 (indexed/ "a" true 1) (indexed/gsi1 "g" true 1) (indexed/gsi1 "g" true 1) (indexed/gsi2 2 true 1) (indexed/gsi2 1 true 1)`},
	{"BatchWriteItem",
		`{"RequestItems":{"ranged":[{"PutRequest":{"Item":{"pk":{"S":"a"},"sk":{"N":"1"},"x":{"N":"1"}}}},{"PutRequest":{"Item":{"pk":{"S":"a"},"sk":{"N":"2"}}}}],"plain":[{"DeleteRequest":{"Key":{"pk":{"S":"none"}}}}]},` + askUsage + `}`,
		`[plain ranged] ranged/:0r2w plain/:0r1w 0>0+2 (ranged/ "a" true 1) (ranged/ "a" true 1) (plain/ "none" true 1)`},
	{"GetItem",
		`{"TableName":"ranged","Key":{"pk":{"S":"a"},"sk":{"N":"1"}},"ConsistentRead":true,` +
			askUsage + `}`,
		`[ranged] ranged/:1r0w 1>1+0 (ranged/ "a" false 1)`},
	{"GetItem", `{"TableName":"ranged","Key":{"pk":{"S":"none"},"sk":{"N":"1"}},` + askUsage + `}`,
		`[ranged] ranged/:0.5r0w 0>0+0 (ranged/ "none" false 0.5)`},
	{"BatchGetItem",
		`{"RequestItems":{"ranged":{"Keys":[{"pk":{"S":"a"},"sk":{"N":"1"}},{"pk":{"S":"b"},"sk":{"N":"1"}}]}},` + askUsage + `}`,
		`[ranged] ranged/:1r0w 1>1+0 (ranged/ "a" false 0.5) (ranged/ "b" false 0.5)`},
	{"Query", `{"TableName":"ranged","KeyConditionExpression":"sk > :n AND pk = :p","FilterExpression":"x = :n","ExpressionAttributeValues":{":n":{"N":"0"},":p":{"S":"a"}},` + askUsage + `}`,
		`[ranged] ranged/:0.5r0w 2>0+0 {ranged/ pk = ? AND sk > ? scan=false 2>0 0.5 [x]} (ranged/ "a" false 0.5)`},
	{"Query", `{"TableName":"indexed","IndexName":"gsi1","KeyConditions":{"gh":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"g"}]},"gr":{"ComparisonOperator":"BETWEEN","AttributeValueList":[{"N":"1"},{"N":"2"}]}},` + askUsage + `}`,
		`[indexed] indexed/gsi1:0.5r0w 1>1+0 {indexed/gsi1 gh = ? AND gr BETWEEN ? AND ? scan=false 1>1 0.5 []} (indexed/gsi1 "g" false 0.5)`},
	{"Scan", `{"TableName":"indexed","IndexName":"gsi2",` + askUsage + `}`,
		`[indexed] indexed/gsi2:0.5r0w 1>1+0 {indexed/gsi2  scan=true 1>1 0.5 []}`},
	{"ExecuteStatement",
		`{"Statement":"SELECT * FROM ranged WHERE pk='a' AND x=1",` + askUsage + `}`,
		`[ranged] ranged/:0.5r0w 2>1+0 {ranged/ pk = ? scan=false 2>1 0.5 [pk x]} (ranged/ "a" false 0.5)`},
	{"ExecuteStatement",
		`{"Statement":"SELECT * FROM ranged WHERE pk='a' OR pk='b'",` + askUsage + `}`,
		`[ranged] ranged/:1r0w 2>2+0 {ranged/ pk = ? AND in several partitions scan=false 2>2 1 [pk]}`},
	{"ExecuteStatement", `{"Statement":"SELECT * FROM ranged WHERE x=1",` + askUsage + `}`,
		`[ranged] ranged/:2r0w 2>1+0 {ranged/  scan=true 2>1 2 [x]}`},
	{"BatchExecuteStatement",
		`{"Statements":[{"Statement":"SELECT * FROM ranged WHERE pk='a' AND sk=1"},{"Statement":"SELECT * FROM ranged WHERE pk='a' AND sk=2"}],` + askUsage + `}`,
		`[ranged] ranged/:1r0w 2>2+0 {ranged/ pk = ? AND sk = ? scan=false 1>1 0.5 [pk sk]} {ranged/ pk = ? AND sk = ? scan=false 1>1 0.5 [pk sk]} (ranged/ "a" false 0.5) (ranged/ "a" false 0.5)`},
	{"ExecuteStatement", `{"Statement":"INSERT INTO plain VALUE {'pk':'s'}",` + askUsage + `}`,
		`[plain] plain/:0r1w 0>0+1 (plain/ "s" true 1)`},
	{"ExecuteStatement", `{"Statement":"DELETE FROM plain WHERE pk='none'",` + askUsage + `}`,
		`[plain] plain/:0r1w 0>0+0 (plain/ "none" true 1)`},
	{"TransactWriteItems",
		`{"ClientRequestToken":"t","TransactItems":[{"Put":{"TableName":"plain","Item":{"pk":{"S":"a"}}}},{"ConditionCheck":{"TableName":"ranged","Key":{"pk":{"S":"a"},"sk":{"N":"1"}},"ConditionExpression":"attribute_exists(pk)"}}],` + askUsage + `}`,
		`[plain ranged] plain/:0r2w ranged/:0r2w 0>0+1 (plain/ "a" true 2) (ranged/ "a" true 2)`},
	{"TransactWriteItems",
		`{"ClientRequestToken":"t","TransactItems":[{"Put":{"TableName":"plain","Item":{"pk":{"S":"a"}}}},{"ConditionCheck":{"TableName":"ranged","Key":{"pk":{"S":"a"},"sk":{"N":"1"}},"ConditionExpression":"attribute_exists(pk)"}}],` + askUsage + `}`,
		`[plain ranged] plain/:2r0w ranged/:2r0w 2>2+0 (plain/ "a" false 2) (ranged/ "a" false 2)`},
	{"TransactGetItems",
		`{"TransactItems":[{"Get":{"TableName":"plain","Key":{"pk":{"S":"a"}}}},{"Get":{"TableName":"plain","Key":{"pk":{"S":"none"}}}}],` + askUsage + `}`,
		`[plain] plain/:4r0w 1>1+0 (plain/ "a" false 2) (plain/ "none" false 2)`},
	{"ExecuteTransaction",
		`{"TransactStatements":[{"Statement":"SELECT * FROM plain WHERE pk='a'"}],` +
			askUsage + `}`,
		`[plain] plain/:2r0w 1>1+0 (plain/ "a" false 2)`},
	{"DeleteItem", `{"TableName":"plain","Key":{"pk":{"S":"a"}},` + askUsage + `}`,
		`[plain] plain/:0r1w 0>0+1 (plain/ "a" true 1)`},
}

func TestEventsOfOperations(t *testing.T) {
	x := newItemTest(t)
	var got []*Event
	x.emulator.Observe(func(e *Event) { got = append(got, e.Clone()) })
	for i, c := range eventCases {
		x.T = t
		name := fmt.Sprint(i, c.operation)
		answer := x.do(c.operation, c.body)
		if !assert.Len(t, got, i+1) {
			return
		}
		assert.Equal(t, c.want, eventText(got[i]), name)
		sums := map[string]float64{}
		for _, u := range got[i].Capacity {
			sums[u.Table+"/"+u.Index] += u.Read + u.Write
		}
		assert.Equal(t, consumed(t, answer), sums, "%s: what the answer says: %s", name, answer)
	}
	for i, c := range eventCases { // what nobody asks for is counted as well, and not answered
		if c.operation == "ExecuteStatement" || strings.HasPrefix(c.operation, "Transact") {
			continue // the request would fail, or be another one
		}
		answer := x.do(c.operation, strings.Replace(c.body, `,`+askUsage, "", 1))
		assert.NotContains(t, answer, "ConsumedCapacity")
		assert.NotEmpty(t, got[len(got)-1].Capacity, "%d %s", i, c.operation)
	}
}

func TestEventsOfFailures(t *testing.T) {
	x := newItemTest(t)
	var got []*Event
	x.emulator.Observe(func(e *Event) { got = append(got, e.Clone()) })
	x.do("PutItem",
		`{"TableName":"plain","Item":{"pk":{"S":"big"},"x":{"S":"`+strings.Repeat("x", 3000)+`"}}}`)
	got = got[:0]
	for _, c := range []struct{ operation, body, want string }{
		{"PutItem",
			`{"TableName":"plain","Item":{"pk":{"S":"big"}},"ConditionExpression":"attribute_not_exists(pk)"}`,
			`[plain]ConditionalCheckFailedException plain/:0r3w 0>0+0 (plain/ "big" true 3)`},
		{"DeleteItem",
			`{"TableName":"plain","Key":{"pk":{"S":"b"}},"ConditionExpression":"attribute_exists(pk)"}`,
			`[plain]ConditionalCheckFailedException plain/:0r1w 0>0+0 (plain/ "b" true 1)`},
		{"ExecuteStatement", `{"Statement":"INSERT INTO plain VALUE {'pk':'big'}"}`,
			`[plain]DuplicateItemException plain/:0r3w 0>0+0 (plain/ "big" true 3)`},
		{"BatchExecuteStatement",
			`{"Statements":[{"Statement":"UPDATE plain SET a = 1 WHERE pk = 'big' AND a = 1"},{"Statement":"UPDATE plain SET a = 1 WHERE pk = 'none'"}]}`, `[plain] plain/:0r4w 0>0+0 (plain/ "big" true 3)`},
		{"GetItem", `{"TableName":"none","Key":{"pk":{"S":"b"}}}`,
			`[none]ResourceNotFoundException 0>0+0`},
		{"GetItem", `{"TableName":"plain","Key":{}}`, `[plain]ValidationException 0>0+0`},
	} {
		got = got[:0]
		x.do(c.operation, c.body)
		if assert.Len(t, got, 1) {
			assert.Equal(t, c.want, eventText(got[0]), c.body)
		}
	}
}

// TestEventsOfNonsense: that a request is not valid is no reason to fail at telling of it.
func TestEventsOfNonsense(t *testing.T) {
	x := newItemTest(t)
	n := 0
	x.emulator.Observe(func(e *Event) {
		n++
		assert.NotEqual(t, 500, e.Status, e.Operation)
	})
	for _, o := range operations {
		for _, body := range []string{`{}`, `{"RequestItems":{"a":{}}}`,
			`{"RequestItems":{"a":[{}]}}`,
			`{"TransactItems":[{},{"Put":{}},{"Get":{}},{"Update":{}}]}`,
			`{"Statements":[{}]}`, `{"TransactStatements":[{"Statement":"SELECT"}]}`,
			`{"Statement":"SELECT * FROM a WHERE b=?","Parameters":[{}]}`,
			`{"TableName":"arn:aws:dynamodb:::"}`} {
			before := n
			if o.Service == catalog.DynamoDB {
				x.do(o.Name, body)
				assert.Equal(t, before+1, n, "%s %s", o.Name, body)
			}
		}
	}
}

func TestObserversComeAndGo(t *testing.T) {
	var told []string
	note := func(name string) func(*Event) {
		return func(e *Event) { told = append(told, name+" "+e.Operation) }
	}
	e := New(WithObserver(note("option")))
	stop := e.Observe(note("first"))
	stopSecond := e.Observe(note("second"))
	x := &requestTest{T: t, emulator: e}
	list := func() []string {
		told = nil
		x.do("ListTables", `{}`)
		return slices.Clone(told)
	}
	assert.Equal(t, []string{"option ListTables", "first ListTables", "second ListTables"}, list())
	stop()
	stop()
	assert.Equal(t, []string{"option ListTables", "second ListTables"}, list())
	x.emulator = e.Fork()
	assert.Equal(t, []string{"option ListTables"}, list())
	x.emulator = New()
	stop = x.emulator.Observe(note("only"))
	stop()
	assert.Empty(t, list())
	stopSecond()
}
