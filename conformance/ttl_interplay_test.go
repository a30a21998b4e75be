package conformance

import (
	"fmt"
	"testing"

	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

// TestTimeToLiveOfOpenTransactions: the items of an open transaction, including those that it only
// checks, conflict with other writes, and TTL's deletion is one: Developer Guide, "Amazon DynamoDB
// Transactions: How it works", "Transaction conflict handling".
func TestTimeToLiveOfOpenTransactions(t *testing.T) {
	t.Parallel()
	var x *streamTest
	during := func() {}
	x = newStreamTest(t, emulator.WithTransactionHook(func(string) { during() }))
	arn := x.table("table", "KEYS_ONLY")
	expired := fmt.Sprintf(`"at":{"N":"%d"}`, x.seconds.Load()-10)
	for _, pk := range []string{"written", "checked", "free"} {
		x.do("PutItem", `{"TableName":"table","Item":{"pk":{"S":"`+pk+`"},`+expired+`}}`)
	}
	there := func(pk string) bool {
		return x.do("GetItem", `{"TableName":"table","Key":{"pk":{"S":"`+pk+`"}}}`)["Item"] != nil
	}
	held := map[string]bool{}
	during = func() {
		x.do("UpdateTimeToLive", ttl(true, "at"))
		x.emulator.ExpireItems()
		for _, pk := range []string{"written", "checked", "free"} {
			held[pk] = there(pk)
		}
	}
	x.do("TransactWriteItems", `{"TransactItems":[
		{"Update":{"TableName":"table","Key":{"pk":{"S":"written"}},"UpdateExpression":"SET n = :n","ConditionExpression":"attribute_exists(pk)","ExpressionAttributeValues":{":n":{"N":"1"}}}},
		{"ConditionCheck":{"TableName":"table","Key":{"pk":{"S":"checked"}},"ConditionExpression":"attribute_exists(pk)"}}]}`)
	assert.Equal(t, map[string]bool{"written": true, "checked": true, "free": false}, held,
		"while the transaction was open")
	x.emulator.ExpireItems()
	assert.False(t, there("written"))
	assert.False(t, there("checked"))

	var log []string
	for _, r := range x.from(arn, "TRIM_HORIZON", nil).Records {
		log = append(log,
			string(r.EventName)+" "+
				r.Dynamodb.Keys["pk"].(*streamtypes.AttributeValueMemberS).Value)
	}
	assert.ElementsMatch(t, []string{"REMOVE written", "REMOVE checked"}, log[5:])
	assert.Equal(t,
		[]string{"INSERT written", "INSERT checked", "INSERT free", "REMOVE free",
			"MODIFY written"}, log[:5])
}

// TestTimeToLiveOfIndexes: an expired item leaves the table and its indexes, and the stream has a
// record of the deletion by the service: Developer Guide, "Using time to live (TTL) in DynamoDB",
// "DynamoDB Streams and Time to Live".
func TestTimeToLiveOfIndexes(t *testing.T) {
	t.Parallel()
	x := newStreamTest(t)
	created := x.do(
		"CreateTable", `{"TableName":"table",`+keys("pk:S", "sk:S", "lk:S", "gp:S", "at:N")+`,
		"LocalSecondaryIndexes":[`+index("local", "KEYS_ONLY", "pk", "lk")+`],
		"GlobalSecondaryIndexes":[`+index("global", "INCLUDE v", "gp", "at")+`],
		"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}}`)
	arn := at(t, created, "TableDescription", "LatestStreamArn").(string)
	x.do("UpdateTimeToLive", ttl(true, "at"))
	now := x.seconds.Load()
	put := func(sk, more string) {
		x.do("PutItem",
			`{"TableName":"table","Item":{"pk":{"S":"p"},"sk":{"S":"`+
				sk+`"},"v":{"S":"v"}`+more+`}}`)
	}
	put("everywhere", fmt.Sprintf(`,"lk":{"S":"l"},"gp":{"S":"g"},"at":{"N":"%d"}`, now+10))
	put("in no index", fmt.Sprintf(`,"at":{"N":"%d"}`, now+10))
	put("later", fmt.Sprintf(`,"lk":{"S":"m"},"gp":{"S":"g"},"at":{"N":"%d"}`, now+11))
	x.seconds.Add(11)
	x.emulator.ExpireItems()

	count := func(request string, want int) {
		t.Helper()
		assertHas(t, fmt.Sprintf(`{"Count":%d}`, want),
			x.do("Query", `{"TableName":"table",`+request+`}`))
	}
	const p = `"KeyConditionExpression":"pk = :v","ExpressionAttributeValues":{":v":{"S":"p"}}`
	count(p, 1)
	count(`"IndexName":"local",`+p, 1)
	count(`"IndexName":"global","KeyConditionExpression":"gp = :v","ExpressionAttributeValues":{":v":{"S":"g"}}`, 1)
	assertHas(t, `{"Count":1}`, x.do("Scan", `{"TableName":"table","IndexName":"global"}`))

	records := x.from(arn, "TRIM_HORIZON", nil).Records
	require.Len(t, records, 5)
	for _, r := range records[3:] {
		assert.Equal(t, streamtypes.OperationTypeRemove, r.EventName)
		require.NotNil(t, r.UserIdentity)
		assert.Nil(t, r.Dynamodb.NewImage)
		assert.Equal(t, &streamtypes.AttributeValueMemberS{Value: "v"}, r.Dynamodb.OldImage["v"],
			"the whole item, not an index entry")
		assert.Len(t, r.Dynamodb.Keys, 2)
	}

	x.do("UpdateTimeToLive", ttl(false, "at"))
	x.seconds.Add(60)
	x.emulator.ExpireItems()
	count(p, 1)
}
