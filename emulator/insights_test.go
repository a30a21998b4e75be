package emulator

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/insights"
)

// newInsightsTest has the tables of newItemTest, with insights of the table indexed and its index
// gsi1.
func newInsightsTest(t *testing.T, opts ...Option) (*requestTest, *Clock) {
	clock := NewClock(testTime)
	x := &requestTest{T: t, emulator: New(append(opts, WithHeldClock(clock))...)}
	for _, table := range itemTables {
		x.do("CreateTable", table)
	}
	x.insights("indexed", "")
	x.insights("indexed", `,"IndexName":"gsi1"`)
	return x, clock
}

func (x *requestTest) insights(table, more string) {
	x.Helper()
	answer := x.do("UpdateContributorInsights",
		`{"TableName":"`+table+`","ContributorInsightsAction":"ENABLE"`+more+`}`)
	require.True(x, strings.HasPrefix(answer, "{"), answer)
}

// contributors returns what the rules have found, as "kind index: keys=value, ...; ..." with a part
// for each minute.
func (x *requestTest) contributors() (list []string) {
	for _, r := range x.emulator.Inspect().ContributorInsights() {
		var minutes []string
		for _, m := range r.Minutes {
			var keys []string
			for _, c := range m.Contributors {
				keys = append(keys, fmt.Sprint(strings.Join(c.Keys, "/"), "=", c.Value))
			}
			minutes = append(minutes, strings.Join(keys, ", "))
		}
		list = append(list, strings.TrimSpace(r.Kind+" "+r.Index)+": "+strings.Join(minutes, "; "))
	}
	return list
}

const insightsItem = `{"pk":{"S":"%s"},"sk":{"S":"%s"},"gh":{"S":"g"},"gr":{"N":"1"},"lr":{"B":"AQ=="}}`

// TestInsightsOfAccess: Developer Guide, "CloudWatch contributor insights for DynamoDB: How it
// works".
func TestInsightsOfAccess(t *testing.T) {
	x, clock := newInsightsTest(t)
	x.put("plain", `{"pk":{"S":"other"}}`)
	x.put("indexed", fmt.Sprintf(insightsItem, "a", "1"))
	const key = `{"TableName":"indexed","Key":{"pk":{"S":"a"},"sk":{"S":"1"}}`
	x.do("GetItem", key+`,"ConsistentRead":true}`)
	x.do("GetItem", `{"TableName":"indexed","Key":{"pk":{"S":"b"},"sk":{"S":"1"}}}`)
	x.do("Query",
		`{"TableName":"indexed","KeyConditionExpression":"pk = :v","ExpressionAttributeValues":{":v":{"S":"a"}}}`)
	x.do("Query",
		`{"TableName":"indexed","IndexName":"lsi1","KeyConditionExpression":"pk = :v","ExpressionAttributeValues":{":v":{"S":"c"}}}`)
	x.do("Query",
		`{"TableName":"indexed","IndexName":"gsi1","KeyConditionExpression":"gh = :v","ExpressionAttributeValues":{":v":{"S":"g"}}}`)
	x.do("Scan", `{"TableName":"indexed"}`)
	x.do("ExecuteStatement", `{"Statement":"SELECT * FROM indexed WHERE pk = 'a' AND sk = '1'"}`)
	// A put: 3 for the item and 3 for the entry in lsi1, which is a part of the table.
	want := []string{
		`PKC: "a"=7.5, "b"=0.5, "c"=0.5`, `SKC: "a"/"1"=7, "b"/"1"=0.5`, `PKT: `, `SKT: `,
		`PKC gsi1: "g"=3.5`, `SKC gsi1: "g"/1=3`, `PKT gsi1: `, `SKT gsi1: `,
	}
	assert.Equal(t, want, x.contributors())

	clock.Advance(time.Minute)
	x.do("TransactWriteItems", `{"TransactItems":[{"Delete":`+key+`}}]}`)
	x.want(conditionFailed, "DeleteItem",
		key+`,"ConditionExpression":"attribute_exists(pk)"}`)
	got := x.contributors()
	assert.Equal(t, `PKC: "a"=12; "a"=7.5, "b"=0.5, "c"=0.5`, got[0])
	minutes := x.emulator.Inspect().ContributorInsights()[0].Minutes
	assert.Equal(t,
		[]time.Time{testTime.Add(time.Minute).Truncate(time.Minute),
			testTime.Truncate(time.Minute)}, []time.Time{minutes[0].Start, minutes[1].Start})
	assert.Equal(t, 8.5, minutes[1].Sum)

	fork := &requestTest{T: t, emulator: x.emulator.Fork()}
	assert.Equal(t, got, fork.contributors(), "a fork has a copy")
	fork.do("GetItem", key+`}`)
	assert.NotEqual(t, got, fork.contributors())
	assert.Equal(t, got, x.contributors())

	x.do("UpdateContributorInsights",
		`{"TableName":"indexed","ContributorInsightsAction":"DISABLE"}`)
	x.do("GetItem", key+`}`)
	assert.Equal(t, got[4:], x.contributors())
	x.insights("indexed", "")
	assert.Equal(t, []string{"PKC: ", "SKC: ", "PKT: ", "SKT: "}, x.contributors()[:4],
		"new rules have found nothing")
}

// TestInsightsOfThrottling: single requests, entries of batches, and actions of transactions.
func TestInsightsOfThrottling(t *testing.T) {
	x, _ := newInsightsTest(t)
	x.insights("indexed", `,"ContributorInsightsMode":"THROTTLED_KEYS"`)
	at := func(pk string) string { return `{"pk":{"S":"` + pk + `"},"sk":{"S":"1"}}` }
	hot := fault.And(fault.Table("indexed"), fault.Key("pk", "hot"))
	x.emulator.SetFaults(fault.Fault{When: hot, Do: fault.Throttle("")})
	x.do("GetItem", `{"TableName":"indexed","Key":`+at("hot")+`}`)
	x.do("GetItem", `{"TableName":"indexed","Key":`+at("cold")+`}`)
	x.do("PutItem", `{"TableName":"indexed","Item":`+fmt.Sprintf(insightsItem, "hot", "1")+`}`)
	x.do("BatchGetItem", `{"RequestItems":{"indexed":{"Keys":[`+at("cold")+`,`+at("hot")+`]}}}`)
	x.do("BatchWriteItem",
		`{"RequestItems":{"indexed":[{"DeleteRequest":{"Key":`+at("cold")+
			`}},{"PutRequest":{"Item":`+fmt.Sprintf(insightsItem, "hot", "2")+`}}]}}`)
	x.do("TransactGetItems",
		`{"TransactItems":[{"Get":{"TableName":"indexed","Key":`+at("cold")+
			`}},{"Get":{"TableName":"indexed","Key":`+at("hot")+`}}]}`)
	x.emulator.SetFaults(fault.Fault{When: hot, Do: fault.ThrottleIndex("", "gsi1")})
	x.do("PutItem", `{"TableName":"indexed","Item":`+fmt.Sprintf(insightsItem, "hot", "1")+`}`)
	x.emulator.SetFaults(fault.Fault{Do: fault.Throttle("")})
	x.do("Query",
		`{"TableName":"indexed","IndexName":"gsi1","KeyConditionExpression":"gh = :v","ExpressionAttributeValues":{":v":{"S":"g"}}}`)
	assert.Equal(t,
		[]string{`PKT: "hot"=5`, `SKT: "hot"/"1"=4, "hot"/"2"=1`, `PKC gsi1: `, `SKC gsi1: `,
			`PKT gsi1: "g"=1`, `SKT gsi1: `}, x.contributors())
}

// TestInsightsOfThroughput: limits of throughput count like faults.
func TestInsightsOfThroughput(t *testing.T) {
	x, _ := newInsightsTest(t, WithThroughput(Throughput{PartitionWrites: 1}))
	for range 3 {
		x.do("PutItem", `{"TableName":"indexed","Item":{"pk":{"S":"hot"},"sk":{"S":"1"}}}`)
	}
	assert.Equal(t, `PKT: "hot"=2`, x.contributors()[2])
}

// TestInsightsAreBounded: of each minute ten keys are kept, sixty minutes, and the beginning of
// long keys.
func TestInsightsAreBounded(t *testing.T) {
	x, clock := newInsightsTest(t)
	long := strings.Repeat("x", 1000)
	for range 70 {
		for _, key := range []string{long + "1", long + "2"} {
			x.do("GetItem", `{"TableName":"indexed","Key":{"pk":{"S":"`+key+`"},"sk":{"S":"1"}}}`)
		}
		clock.Advance(time.Minute)
	}
	for i := range 600 {
		x.do("GetItem",
			fmt.Sprintf(`{"TableName":"indexed","Key":{"pk":{"S":"%d"},"sk":{"S":"1"}}}`, i))
		x.do("GetItem", `{"TableName":"indexed","Key":{"pk":{"S":"hot"},"sk":{"S":"1"}}}`)
	}
	rule := x.emulator.Inspect().ContributorInsights()[0]
	require.Len(t, rule.Minutes, insights.InsightsMinutes)
	now := rule.Minutes[0]
	require.Len(t, now.Contributors, insights.InsightsContributors)
	assert.Equal(t, []string{`"hot"`}, now.Contributors[0].Keys)
	assert.Equal(t, 300.0, now.Contributors[0].Value)
	assert.Equal(t, 600.0, now.Sum)
	assert.Positive(t, now.Contributors[1].Inherited)
	before := rule.Minutes[1].Contributors
	require.Len(t, before, 2, "keys that begin alike are different")
	assert.Less(t, len(before[0].Keys[0]), 200)
}

// TestInsightsSurviveOpen: the rules are the same, and begin to count anew.
func TestInsightsSurviveOpen(t *testing.T) {
	x := newDurableTest(t)
	x.mustDo("CreateTable", itemTables[0])
	x.insights("plain", "")
	x.putKey("a")
	require.Equal(t, []string{`PKC: "a"=3`, `PKT: `}, x.contributors())
	x.reopen(`DescribeContributorInsights {"TableName":"plain"}`, `ListContributorInsights {}`)
	assert.Equal(t, []string{`PKC: `, `PKT: `}, x.contributors())
	x.putKey("a")
	assert.Equal(t, []string{`PKC: "a"=3`, `PKT: `}, x.contributors())
	s := x.emulator.Snapshot()
	x.putKey("b")
	x.emulator.Restore(s)
	assert.Equal(t, []string{`PKC: "a"=3`, `PKT: `}, x.contributors())
}

// TestInsightsAndObservers: an observer sees what it saw without them.
func TestInsightsAndObservers(t *testing.T) {
	x, _ := newInsightsTest(t)
	units := 0.0
	defer x.emulator.Observe(func(e *Event) {
		for _, c := range e.Capacity {
			units += c.Read + c.Write
		}
	})()
	x.put("indexed", `{"pk":{"S":"a"},"sk":{"S":"1"}}`)
	assert.Equal(t, 1.0, units)
	assert.Equal(t, `PKC: "a"=3`, x.contributors()[0])
}
