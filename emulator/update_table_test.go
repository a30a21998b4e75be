package emulator

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// creates, deletes and changes return elements of GlobalSecondaryIndexUpdates.
func creates(index string) string { return `{"Create":` + index + `}` }
func deletes(name string) string  { return `{"Delete":{"IndexName":"` + name + `"}}` }
func changes(name string, members ...string) string {
	return `{"Update":{"IndexName":"` + name + `",` + strings.Join(members, ",") + `}}`
}

// newIndex creates an index on the attribute n.
var newIndex = creates(index("new", keySchema("n"), projectAll))

func TestUpdateTableThroughput(t *testing.T) {
	x := newTableTest(t)
	x.create("table", defs("pk"), keySchema("pk"), fiveUnits,
		globals(index("idx", keySchema("pk"), projectAll, fiveUnits)))
	provisioned := func() string { return x.table("table", "ProvisionedThroughput") }

	answer := x.member("UpdateTable", tableRequest("table", throughput(10, 5)), "TableDescription")
	assert.Contains(t, answer, `"TableStatus":"UPDATING"`)
	assert.Contains(t, answer,
		`{"LastIncreaseDateTime":1767394800,"NumberOfDecreasesToday":0,"ReadCapacityUnits":5,"WriteCapacityUnits":5}`, "the units that there still are")
	assert.JSONEq(t,
		`{"LastIncreaseDateTime":1767394800,"NumberOfDecreasesToday":0,"ReadCapacityUnits":10,"WriteCapacityUnits":5}`, provisioned())
	assert.Equal(t, `"ACTIVE"`, x.table("table", "TableStatus"))

	for range 4 {
		x.now = x.now.Add(time.Minute)
		read := 9 - (x.now.Minute() - 1)
		x.ok("UpdateTable", tableRequest("table", throughput(int64(read), 5)))
	}
	assert.JSONEq(t,
		`{"LastIncreaseDateTime":1767394800,"LastDecreaseDateTime":1767395040,"NumberOfDecreasesToday":4,"ReadCapacityUnits":6,"WriteCapacityUnits":5}`,
		provisioned())
	x.fails("UpdateTable", tableRequest("table", throughput(5, 5)),
		"LimitExceededException: Subscriber limit exceeded: "+
			"Provisioned throughput decreases are limited within a given UTC day. "+
			"After the first 4 decreases, each subsequent decrease in the same UTC day can be performed at most once every 3600 seconds. "+
			"Number of decreases today: 4. Last decrease at Friday, January 2, 2026 at 11:04:00 PM Coordinated Universal Time. "+
			"Next decrease can be made at Saturday, January 3, 2026 at 12:00:00 AM Coordinated Universal Time")
	assert.Equal(t, `10`, x.table("table", "WarmThroughput", "ReadUnitsPerSecond"),
		"as much as there ever was")
	x.now = time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC)
	x.ok("UpdateTable", tableRequest("table", throughput(5, 5)))
	assert.Equal(t, `1`, x.table("table", "ProvisionedThroughput", "NumberOfDecreasesToday"),
		"on the next day")

	x.ok("UpdateTable", tableRequest("table", updates(changes("idx", throughput(6, 5)))))
	assert.Equal(t, `6`,
		x.table("table", "GlobalSecondaryIndexes", 0, "ProvisionedThroughput", "ReadCapacityUnits"))
}

func TestUpdateTableBillingMode(t *testing.T) {
	x := newTableTest(t)
	x.create("table", defs("pk"), keySchema("pk"), fiveUnits,
		globals(index("idx", keySchema("pk"), projectAll, fiveUnits)))
	assert.Empty(t, x.table("table", "BillingModeSummary"),
		"a table that was never PAY_PER_REQUEST")

	x.ok("UpdateTable", tableRequest("table", onDemandBilling))
	const zero = `{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0}`
	assert.JSONEq(t,
		`{"BillingMode":"PAY_PER_REQUEST","LastUpdateToPayPerRequestDateTime":1767394800}`,
		x.table("table", "BillingModeSummary"))
	assert.JSONEq(t, zero, x.table("table", "ProvisionedThroughput"))
	assert.JSONEq(t, `{"LastDecreaseDateTime":1767394800,"NumberOfDecreasesToday":1,"ReadCapacityUnits":0,"WriteCapacityUnits":0}`,
		x.table("table", "GlobalSecondaryIndexes", 0, "ProvisionedThroughput"),
		"ack-api-quirks, DDB-TABLE-153")

	x.ok("UpdateTable", tableRequest("table", `"OnDemandThroughput":{"MaxReadRequestUnits":7}`))
	x.ok("UpdateTable", tableRequest("table", `"OnDemandThroughput":{"MaxWriteRequestUnits":8}`))
	assert.JSONEq(t, `{"MaxReadRequestUnits":7,"MaxWriteRequestUnits":8}`,
		x.table("table", "OnDemandThroughput"))
	x.ok("UpdateTable", tableRequest("table", `"OnDemandThroughput":{"MaxReadRequestUnits":-1}`))
	assert.JSONEq(t, `{"MaxWriteRequestUnits":8}`, x.table("table", "OnDemandThroughput"))

	x.now = x.now.Add(time.Hour)
	x.ok("UpdateTable", tableRequest("table", onDemandBilling))
	x.ok("UpdateTable",
		tableRequest("table", `"BillingMode":"PROVISIONED"`, throughput(3, 2),
			updates(changes("idx", throughput(2, 1)))))
	assert.JSONEq(t, `{"BillingMode":"PROVISIONED","LastUpdateToPayPerRequestDateTime":1767394800}`,
		x.table("table", "BillingModeSummary"))
	assert.Empty(t, x.table("table", "OnDemandThroughput"))
	assert.Equal(t, `3`, x.table("table", "ProvisionedThroughput", "ReadCapacityUnits"))
	assert.Equal(t, `1`,
		x.table("table", "GlobalSecondaryIndexes", 0, "ProvisionedThroughput",
			"WriteCapacityUnits"))
}

func TestUpdateTableWarmThroughput(t *testing.T) {
	x := newTableTest(t)
	x.create("table", defs("pk"), keySchema("pk"), onDemandBilling,
		globals(index("idx", keySchema("pk"), projectAll)))
	answer := x.member("UpdateTable",
		tableRequest("table", `"WarmThroughput":{"ReadUnitsPerSecond":13000}`), "TableDescription")
	assert.Contains(t, answer, `"TableStatus":"ACTIVE"`)
	assert.Contains(t, answer,
		`"WarmThroughput":{"ReadUnitsPerSecond":12000,"Status":"UPDATING","WriteUnitsPerSecond":4000}}`, "what there still is")
	assert.JSONEq(t, `{"ReadUnitsPerSecond":13000,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"}`,
		x.table("table", "WarmThroughput"))
	x.fails("UpdateTable", tableRequest("table", `"WarmThroughput":{"ReadUnitsPerSecond":12999}`),
		"ValidationException: One or more parameter values were invalid: Requested ReadUnitsPerSecond for WarmThroughput for table is lower than current WarmThroughput, decreasing WarmThroughput is not supported")

	answer = x.member("UpdateTable",
		tableRequest("table",
			updates(changes("idx", `"WarmThroughput":{"WriteUnitsPerSecond":5000}`))),
		"TableDescription")
	assert.Contains(t, answer, `"TableStatus":"ACTIVE"`)
	assert.Contains(t, answer, `"IndexStatus":"ACTIVE"`)
	assert.Contains(t, answer,
		`"WarmThroughput":{"ReadUnitsPerSecond":12000,"Status":"UPDATING","WriteUnitsPerSecond":4000}}]`)
	assert.JSONEq(t, `{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":5000,"Status":"ACTIVE"}`,
		x.table("table", "GlobalSecondaryIndexes", 0, "WarmThroughput"))
}

func TestUpdateTableFeatures(t *testing.T) {
	x := newTableTest(t)
	x.create("table", defs("pk"), keySchema("pk"), onDemandBilling)
	const label = "2026-01-02T23:00:00.000"

	x.ok("UpdateTable",
		tableRequest("table",
			`"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"OLD_IMAGE"}`))
	assert.JSONEq(t, `{"StreamEnabled":true,"StreamViewType":"OLD_IMAGE"}`,
		x.table("table", "StreamSpecification"))
	assert.Equal(t, `"`+label+`"`, x.table("table", "LatestStreamLabel"))
	x.ok("UpdateTable", tableRequest("table", `"StreamSpecification":{"StreamEnabled":false}`))
	assert.Empty(t, x.table("table", "StreamSpecification"))
	assert.Equal(t, `"arn:aws:dynamodb:us-east-1:000000000000:table/table/stream/`+label+`"`,
		x.table("table", "LatestStreamArn"), "of the disabled stream")

	assert.Empty(t, x.table("table", "TableClassSummary"))
	x.ok("UpdateTable", tableRequest("table", `"TableClass":"STANDARD"`))
	assert.Empty(t, x.table("table", "TableClassSummary"), "no change")
	x.ok("UpdateTable", tableRequest("table", `"TableClass":"STANDARD_INFREQUENT_ACCESS"`))
	assert.JSONEq(t, `{"TableClass":"STANDARD_INFREQUENT_ACCESS","LastUpdateDateTime":1767394800}`,
		x.table("table", "TableClassSummary"))

	answer := x.member("UpdateTable",
		tableRequest("table",
			`"SSESpecification":{"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":"alias/mine"}`),
		"TableDescription")
	assert.Contains(t, answer, `"SSEDescription":{"Status":"UPDATING"}`,
		"without the key that is to be")
	assert.Contains(t, answer, `"TableStatus":"ACTIVE"`)
	mine := x.table("table", "SSEDescription", "KMSMasterKeyArn")
	assert.Regexp(t, `^"arn:aws:kms:us-east-1:000000000000:key/[0-9a-f-]{36}"$`, mine)
	answer = x.member("UpdateTable", tableRequest("table", `"SSESpecification":{"Enabled":true}`),
		"TableDescription")
	assert.Contains(t, answer, mine, "the key that there still is")
	assert.NotEqual(t, mine, x.table("table", "SSEDescription", "KMSMasterKeyArn"))
	assert.Equal(t, `"ENABLED"`, x.table("table", "SSEDescription", "Status"))
	x.ok("UpdateTable", tableRequest("table", `"SSESpecification":{"Enabled":false}`))
	assert.Empty(t, x.table("table", "SSEDescription"))

	x.ok("UpdateTable", tableRequest("table", `"DeletionProtectionEnabled":true`))
	assert.Equal(t, `true`, x.table("table", "DeletionProtectionEnabled"))
}

func TestUpdateTableIndexes(t *testing.T) {
	x := newTableTest(t)
	x.create("table", defs("pk", "a"), keySchema("pk"), onDemandBilling,
		globals(index("one", keySchema("a"), projectAll)))
	for i := range 3 {
		x.ok("PutItem",
			fmt.Sprintf(`{"TableName":"table","Item":{"pk":{"S":"%d"},"n":{"N":"%[1]d"}}}`, i))
	}
	x.ok("PutItem", `{"TableName":"table","Item":{"pk":{"S":"none"}}}`)

	answer := x.member("UpdateTable",
		tableRequest("table", defs("pk", "n:N"),
			updates(creates(index("two", keySchema("n", "pk"), projectAll)))), "TableDescription")
	assert.Contains(t, answer, `"IndexStatus":"CREATING"`)
	assert.Contains(t, answer, `"Backfilling":false`)
	assert.Contains(t, answer, `"TableStatus":"UPDATING"`)
	assert.Equal(t, `3`, x.table("table", "GlobalSecondaryIndexes", 1, "ItemCount"),
		"the index is filled")
	assert.Equal(t, `"ACTIVE"`, x.table("table", "GlobalSecondaryIndexes", 1, "IndexStatus"))
	assert.Empty(t, x.table("table", "GlobalSecondaryIndexes", 1, "Backfilling"))
	assert.JSONEq(t,
		`[{"AttributeName":"a","AttributeType":"S"},{"AttributeName":"n","AttributeType":"N"},{"AttributeName":"pk","AttributeType":"S"}]`,
		x.table("table", "AttributeDefinitions"))

	answer = x.member("UpdateTable", tableRequest("table", updates(deletes("one"))),
		"TableDescription", "GlobalSecondaryIndexes")
	assert.Contains(t, answer, `"IndexStatus":"DELETING"`)
	assert.Equal(t, `"two"`, x.table("table", "GlobalSecondaryIndexes", 0, "IndexName"))
	assert.JSONEq(t,
		`[{"AttributeName":"n","AttributeType":"N"},{"AttributeName":"pk","AttributeType":"S"}]`,
		x.table("table", "AttributeDefinitions"))
	x.ok("UpdateTable", tableRequest("table", updates(deletes("two"))))
	assert.Empty(t, x.table("table", "GlobalSecondaryIndexes"))
}
