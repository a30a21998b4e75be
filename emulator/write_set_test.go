package emulator

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestOpenTransactionHoldsItems: each kind of write does with an item of an open transaction what
// it does when a write fails.
func TestOpenTransactionHoldsItems(t *testing.T) {
	const (
		item     = `{"pk":{"S":"a"},"sk":{"S":"a"}}`
		other    = `{"pk":{"S":"b"},"sk":{"S":"b"}}`
		conflict = "TransactionConflictException: Transaction is ongoing for the item"
		put      = `{"PutRequest":{"Item":%s}}`
	)
	x := newItemTest(t)
	calls := 0
	x = x.of(x.emulator.Fork(WithTransactionHook(func(string) {
		if calls++; calls > 1 { // transactions in this one
			return
		}
		x.want(conflict, "PutItem", `{"TableName":"indexed","Item":`+item+`}`)
		x.want(conflict, "DeleteItem", `{"TableName":"indexed","Key":`+item+`}`)
		x.want(fmt.Sprintf(`{"UnprocessedItems":{"indexed":[`+put+`]},
			"ConsumedCapacity":[{"TableName":"indexed","CapacityUnits":1}],
			"ItemCollectionMetrics":{"indexed":[{"ItemCollectionKey":{"pk":{"S":"b"}},"SizeEstimateRangeGB":[0,1]}]}}`, item),
			"BatchWriteItem", fmt.Sprintf(`{"RequestItems":{"indexed":[`+put+`,`+put+`]},
				"ReturnConsumedCapacity":"TOTAL","ReturnItemCollectionMetrics":"SIZE"}`, item,
				other))
		assert.Contains(t, x.do("TransactWriteItems", fmt.Sprintf(`{"TransactItems":[
			{"Put":{"TableName":"indexed","Item":{"pk":{"S":"c"},"sk":{"S":"c"}}}},
			{"Delete":{"TableName":"indexed","Key":%s}}]}`, item)),
			"specific reasons [None, TransactionConflict]")
	})))
	x.want(`{}`, "TransactWriteItems",
		`{"TransactItems":[{"Put":{"TableName":"indexed","Item":`+item+`}}]}`)
	assert.Equal(t, 1, calls)
	x.wantItem(item, "indexed", item)
	x.wantItem(other, "indexed", other)
	x.wantItem("", "indexed", `{"pk":{"S":"c"},"sk":{"S":"c"}}`)
}

// TestExpiryLeavesOpenTransactions: an item that has expired stays while a transaction holds it.
func TestExpiryLeavesOpenTransactions(t *testing.T) {
	c := NewClock(time.Unix(1000, 0))
	x := &requestTest{T: t}
	x.emulator = New(WithHeldClock(c), WithTransactionHook(func(string) {
		c.Set(time.Unix(3000, 0))
		x.wantItem(`{"pk":{"S":"a"},"ttl":{"N":"2000"}}`, "sessions", `{"pk":{"S":"a"}}`)
		x.wantItem("", "sessions", `{"pk":{"S":"b"}}`)
	}))
	x.do("CreateTable", ttlTable)
	x.do("UpdateTimeToLive",
		`{"TableName":"sessions","TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}}`)
	x.put("sessions", `{"pk":{"S":"a"},"ttl":{"N":"2000"}}`)
	x.put("sessions", `{"pk":{"S":"b"},"ttl":{"N":"2000"}}`)
	x.want(`{}`,
		"TransactWriteItems",
		`{"TransactItems":[{"ConditionCheck":{"TableName":"sessions","Key":{"pk":{"S":"a"}},
		"ConditionExpression":"attribute_exists(pk)"}}]}`)
	assert.Equal(t, 1, x.emulator.ExpireItems())
}

// TestExpiryIsFree: expired items are deleted without write throughput (Developer Guide, "Using
// time to live (TTL) in DynamoDB").
func TestExpiryIsFree(t *testing.T) {
	c := NewClock(time.Unix(1000, 0))
	x := &requestTest{T: t, emulator: New(WithHeldClock(c), WithThroughput(Throughput{Burst: -1}))}
	x.do("CreateTable",
		`{"TableName":"sessions","BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":10,"WriteCapacityUnits":1},
		"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}`)
	x.do("UpdateTimeToLive",
		`{"TableName":"sessions","TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}}`)
	for _, pk := range []string{"a", "b", "c"} {
		x.put("sessions", `{"pk":{"S":"`+pk+`"},"ttl":{"N":"2000"}}`)
		c.Advance(time.Second)
	}
	c.Set(time.Unix(3000, 0))
	x.want(`{"Items":[],"Count":0,"ScannedCount":0}`, "Scan", `{"TableName":"sessions"}`)
	x.want(`{}`, "PutItem", `{"TableName":"sessions","Item":{"pk":{"S":"d"}}}`)
}
