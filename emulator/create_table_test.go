package emulator

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
)

// oneKey is the schema of a table.
var oneKey = defs("pk") + "," + keySchema("pk")

func TestCreateTableDescribes(t *testing.T) {
	const core = `"TableName":"table","TableArn":"arn:aws:dynamodb:us-east-1:000000000000:table/table","TableId":"ID",
		"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
		"CreationDateTime":1767394800,"TableSizeBytes":0,"ItemCount":0`
	const zero = `"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0}`
	for _, k := range []struct{ name, members, answer, described string }{
		{
			name:    "PAY_PER_REQUEST",
			members: onDemandBilling,
			answer: core + `,` + zero +
				`,"TableStatus":"CREATING","BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"},"DeletionProtectionEnabled":false`,
			described: core + `,` + zero +
				`,"TableStatus":"ACTIVE","DeletionProtectionEnabled":false,
				"BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST","LastUpdateToPayPerRequestDateTime":1767394800},
				"WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"}`,
		},
		{
			name: "everything",
			members: `"BillingMode":"PROVISIONED",` + throughput(7,
				3) + `,"TableClass":"STANDARD_INFREQUENT_ACCESS","DeletionProtectionEnabled":true,
				"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"},"Tags":[{"Key":"k","Value":"v"}],
				"SSESpecification":{"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":"1234abcd"},"WarmThroughput":{"ReadUnitsPerSecond":70}`,
			answer: core + `,"TableStatus":"CREATING","DeletionProtectionEnabled":true,
				"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":7,"WriteCapacityUnits":3},
				"TableClassSummary":{"TableClass":"STANDARD_INFREQUENT_ACCESS"},
				"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"},
				"LatestStreamLabel":"2026-01-02T23:00:00.000",
				"LatestStreamArn":"arn:aws:dynamodb:us-east-1:000000000000:table/table/stream/2026-01-02T23:00:00.000",
				"SSEDescription":{"Status":"ENABLED","SSEType":"KMS","KMSMasterKeyArn":"arn:aws:kms:us-east-1:000000000000:key/1234abcd"},
				"WarmThroughput":{"ReadUnitsPerSecond":70,"WriteUnitsPerSecond":3,"Status":"UPDATING"}`,
		},
		{
			name: "maximum throughput, stream disabled, encryption by default",
			members: onDemandBilling +
				`,"OnDemandThroughput":{"MaxReadRequestUnits":9},"StreamSpecification":{"StreamEnabled":false},"SSESpecification":{"Enabled":false}`,
			answer: core + `,` + zero +
				`,"TableStatus":"CREATING","BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"},"DeletionProtectionEnabled":false,
				"OnDemandThroughput":{"MaxReadRequestUnits":9}`,
			described: core + `,` + zero +
				`,"TableStatus":"ACTIVE","DeletionProtectionEnabled":false,
				"BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST","LastUpdateToPayPerRequestDateTime":1767394800},
				"OnDemandThroughput":{"MaxReadRequestUnits":9},
				"WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"}`,
		},
	} {
		t.Run(k.name, func(t *testing.T) {
			x := newTableTest(t)
			answer := x.ok("CreateTable",
				tableRequest("table", defs("pk"), keySchema("pk"), k.members))
			id := x.table("table", "TableId")
			assert.Regexp(t,
				`^"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"$`, id)
			fill := func(s string) string { return strings.Replace(s, `"ID"`, id, 1) }
			assert.JSONEq(t, fill(`{"TableDescription":{`+k.answer+`}}`), answer)
			if k.described == "" {
				k.described = strings.NewReplacer("CREATING", "ACTIVE", "UPDATING", "ACTIVE",
					`"BillingMode":"PAY_PER_REQUEST"`,
					`"BillingMode":"PAY_PER_REQUEST","LastUpdateToPayPerRequestDateTime":1767394800`).Replace(k.answer)
			}
			assert.JSONEq(t, fill(`{"Table":{`+k.described+`}}`),
				x.ok("DescribeTable", `{"TableName":"table"}`))
		})
	}
}

func TestCreateTableDescribesIndexes(t *testing.T) {
	x := newTableTest(t)
	x.create("table", defs("pk", "sk", "a:N", "b:B"), keySchema("pk", "sk"), fiveUnits,
		locals(index("local", keySchema("pk", "a"),
			`"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["y","x"]}`)),
		globals(
			index("global", keySchema("a", "b:HASH", "pk", "sk"), projectAll, throughput(2, 1)),
			index("keys", keySchema("b"), `"Projection":{"ProjectionType":"KEYS_ONLY"}`,
				throughput(1, 1))))
	assert.JSONEq(
		t, `[{"IndexName":"local","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"a","KeyType":"RANGE"}],
		"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["y","x"]},"IndexSizeBytes":0,"ItemCount":0,
		"IndexArn":"arn:aws:dynamodb:us-east-1:000000000000:table/table/index/local"}]`,
		x.table("table", "LocalSecondaryIndexes"))
	assert.JSONEq(t, `{"IndexName":"global","IndexStatus":"ACTIVE",
		"KeySchema":[{"AttributeName":"a","KeyType":"HASH"},{"AttributeName":"b","KeyType":"HASH"},{"AttributeName":"pk","KeyType":"RANGE"},{"AttributeName":"sk","KeyType":"RANGE"}],
		"Projection":{"ProjectionType":"ALL"},"IndexSizeBytes":0,"ItemCount":0,
		"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":2,"WriteCapacityUnits":1},
		"WarmThroughput":{"ReadUnitsPerSecond":2,"WriteUnitsPerSecond":1,"Status":"ACTIVE"},
		"IndexArn":"arn:aws:dynamodb:us-east-1:000000000000:table/table/index/global"}`,
		x.table("table", "GlobalSecondaryIndexes", 0))
	assert.Equal(t, `"keys"`, x.table("table", "GlobalSecondaryIndexes", 1, "IndexName"))
}

func TestCreateTableKeepsNothingOfTheRequest(t *testing.T) {
	x := newTableTest(t)
	body := []byte(tableRequest("table", defs("pk", "a"), keySchema("pk"), onDemandBilling,
		`"Tags":[{"Key":"k","Value":"v"}]`,
		globals(index("idx", keySchema("a"),
			`"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["n"]}`))))
	x.ok("CreateTable", unsafe.String(&body[0], len(body)))
	before := x.ok("DescribeTable", `{"TableName":"table"}`)
	for i := range body {
		body[i] = '#'
	}
	assert.Equal(t, before, x.ok("DescribeTable", `{"TableName":"table"}`))
	assert.JSONEq(t, `{"Tags":[{"Key":"k","Value":"v"}]}`,
		x.ok("ListTagsOfResource",
			`{"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/table"}`))
}
