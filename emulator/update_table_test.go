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

// updateRefusals collects requests of UpdateTable that fail and change nothing of some tables.
type updateRefusals struct {
	*tableTest
	attempts []attempt
}

func newUpdateRefusals(t *testing.T) *updateRefusals {
	x := newTableTest(t)
	x.create("demand", defs("pk", "a"), keySchema("pk"), onDemandBilling,
		globals(index("idx", keySchema("a"), projectAll), index("two", keySchema("a"), projectAll)))
	x.create("plain", defs("pk"), keySchema("pk"), onDemandBilling)
	x.create("units", defs("pk", "a"), keySchema("pk"), throughput(5, 3),
		globals(index("idx", keySchema("a"), projectAll, fiveUnits)))
	x.create("stream", defs("pk"), keySchema("pk"), onDemandBilling,
		`"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}`)
	x.create("local", defs("pk", "sk", "a"), keySchema("pk", "sk"), onDemandBilling,
		locals(index("idx", keySchema("pk", "a"), projectAll)))
	x.create("full", defs("pk"), keySchema("pk"), onDemandBilling,
		globals(numbered(20, index("idx%d", keySchema("pk"), projectAll))...))
	x.create("secret", defs("pk"), keySchema("pk"), onDemandBilling, secretKey)
	return &updateRefusals{tableTest: x}
}

const secretKey = `"SSESpecification":{"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":"arn:aws:kms:us-east-1:000000000000:key/1a2b"}`

func (x *updateRefusals) bad(name, table, want string, members ...string) {
	x.attempts = append(x.attempts,
		attempt{name, "UpdateTable", tableRequest(table, members...), want})
}

func (x *updateRefusals) check() {
	names := []string{"demand", "plain", "units", "stream", "local", "full", "secret"}
	var before []string
	for _, name := range names {
		before = append(before, x.table(name))
	}
	x.run(x.attempts)
	for i, name := range names {
		assert.Equal(x.t, before[i], x.table(name), "a refused request has changed %s", name)
	}
}

// newIndex creates an index on the attribute n.
var newIndex = creates(index("new", keySchema("n"), projectAll))

func TestUpdateTableRefusesThroughput(t *testing.T) {
	x := newUpdateRefusals(t)
	x.bad("no such table", "missing",
		"ResourceNotFoundException: Requested resource not found: Table: missing not found",
		onDemandBilling)
	x.bad("nothing to do", "plain",
		"ValidationException: At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, "+
			"SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, "+
			"DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required",
		defs("pk"))
	x.bad("the same throughput", "units",
		"ValidationException: The provisioned throughput for the table will not change. "+
			"The requested value equals the current value. Current ReadCapacityUnits provisioned for the table: 5. Requested ReadCapacityUnits: 5. "+
			"Current WriteCapacityUnits provisioned for the table: 3. Requested WriteCapacityUnits: 3. "+
			"Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.", throughput(5, 3))
	x.bad("the same throughput of an index", "units",
		"ValidationException: The provisioned throughput for the index idx will not change. "+
			"The requested value equals the current value. Current ReadCapacityUnits provisioned for index idx: 5. Requested ReadCapacityUnits: 5. "+
			"Current WriteCapacityUnits provisioned for index idx: 5. Requested WriteCapacityUnits: 5. "+
			"Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.", updates(changes("idx", fiveUnits)))
	x.bad("throughput of a PAY_PER_REQUEST table", "plain",
		badParams+"Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST", fiveUnits)
	x.bad("throughput with PAY_PER_REQUEST", "units",
		badParams+"ProvisionedThroughput cannot be specified when BillingMode is PAY_PER_REQUEST",
		onDemandBilling, fiveUnits)
	x.bad("throughput of a PAY_PER_REQUEST table's index", "demand",
		badParams+"The only Updates for index: idx when TableThroughputMode is PAY_PER_REQUEST can be to OnDemandThroughput, WarmThroughput", updates(changes("idx", fiveUnits)))
	x.bad("throughput out of bounds", "units",
		"ValidationException: Given value 1000000000001 for ReadCapacityUnits is out of bounds",
		throughput(1000000000001, 1))
	x.bad("more than a table may have", "units",
		"LimitExceededException: The requested ReadCapacityUnits, 40001, is above the per table maximum for the account in us-east-1. "+
			"Per table maximum: 40000. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.",
		throughput(40001, 1))
	x.bad("PROVISIONED without throughput", "plain",
		badParams+"ProvisionedThroughput must be specified when BillingMode is PROVISIONED",
		`"BillingMode":"PROVISIONED"`)
	x.bad("PROVISIONED again without throughput", "units",
		badParams+"ProvisionedThroughput must be specified when BillingMode is PROVISIONED",
		`"BillingMode":"PROVISIONED"`)
	x.bad("PROVISIONED without throughput of the indexes", "demand",
		badParams+"ProvisionedThroughput must be specified for index: idx,two",
		`"BillingMode":"PROVISIONED"`, fiveUnits)
	x.bad("maximum of a PROVISIONED table", "units",
		badParams+"MaxReadRequestUnits for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED",
		`"OnDemandThroughput":{"MaxReadRequestUnits":1}`)
	x.bad("less warm throughput", "plain",
		badParams+"Requested WriteUnitsPerSecond for WarmThroughput for table is lower than current WarmThroughput, decreasing WarmThroughput is not supported",
		`"WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":3999}`)
	x.check()
}

func TestUpdateTableRefusesFeatures(t *testing.T) {
	x := newUpdateRefusals(t)
	x.bad("table class with something else", "plain",
		badParams+"TableClass modification must be the only operation in the request",
		`"TableClass":"STANDARD"`, onDemandBilling)
	x.bad("deletion protection with something else", "plain",
		badParams+"DeletionProtection modification must be the only operation in the request",
		onDemandBilling, `"DeletionProtectionEnabled":true`)
	x.bad("a class with deletion protection", "plain",
		badParams+"TableClass modification must be the only operation in the request",
		`"TableClass":"STANDARD","DeletionProtectionEnabled":true`)
	x.bad("encryption with something else", "plain",
		badParams+"Server-Side Encryption modification must be the only operation in the request",
		`"SSESpecification":{"Enabled":true},"DeletionProtectionEnabled":true`)
	x.bad("warm throughput with something else", "plain",
		badParams+"WarmThroughput must be the only operation in the request",
		`"WarmThroughput":{"ReadUnitsPerSecond":13000}`, onDemandBilling)
	x.bad("warm throughput with a new index", "plain",
		badParams+"Create global secondary index cannot be specified when updating WarmThroughput",
		`"WarmThroughput":{"ReadUnitsPerSecond":13000}`, defs("n"), updates(newIndex))
	x.bad("maximum throughput with a stream", "plain",
		badParams+"OnDemandThroughput can only be combined with BillingMode in an UpdateTable request",
		`"OnDemandThroughput":{"MaxReadRequestUnits":1},"StreamSpecification":{"StreamEnabled":false}`)
	x.bad("throughput with a new index", "units",
		badParams+"You cannot create or delete index while updating table IOPS",
		throughput(6, 6), defs("n"), updates(newIndex))
	x.bad("stream with a new index", "plain",
		badParams+"You cannot create or delete index while changing stream status",
		`"StreamSpecification":{"StreamEnabled":false}`, defs("n"), updates(newIndex))
	x.bad("stream without a view", "plain",
		badParams+"If stream is being enabled then UpdateViewType is required",
		`"StreamSpecification":{"StreamEnabled":true}`)
	x.bad("stream with throughput", "units",
		badParams+"You cannot modify stream status while updating table IOPS",
		throughput(6, 6), `"StreamSpecification":{"StreamEnabled":false}`)
	x.bad("a second stream", "stream",
		"ValidationException: Table already has an enabled stream: TableName: stream",
		`"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}`)
	x.bad("view of a stream to disable", "stream",
		badParams+"If stream is being disabled, then UpdateViewType must not be specified",
		`"StreamSpecification":{"StreamEnabled":false,"StreamViewType":"KEYS_ONLY"}`)
	x.bad("no stream to disable", "plain",
		"ValidationException: Table has no stream to disable: TableName: plain",
		`"StreamSpecification":{"StreamEnabled":false}`)
	x.bad("encrypted by default already", "plain",
		badParams+"Table is already encrypted by default", `"SSESpecification":{"Enabled":false}`)
	x.bad("encrypted with the key already", "secret",
		badParams+"Table is already encrypted with given KMSMasterKeyId. Use KMSMasterKeyId parameter if you want to change Master Key", secretKey)

	x.check()
}

func TestUpdateTableRefusesIndexUpdates(t *testing.T) {
	x := newUpdateRefusals(t)
	x.bad("index update of no kind", "plain",
		badParams+"One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "+
			"GlobalSecondaryIndexUpdate.Delete must not be null", updates(`{}`))
	x.bad("index update of two kinds", "demand",
		badParams+"Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object", updates(`{"Delete":{"IndexName":"idx"},"Update":{"IndexName":"idx"}}`))
	x.bad("two updates of an index", "demand",
		badParams+"Only one global secondary index update per index is allowed simultaneously. Index: idx",
		updates(deletes("idx"), changes("idx", fiveUnits)))
	x.bad("two indexes deleted", "demand",
		"LimitExceededException: Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table",
		updates(deletes("idx"), deletes("two")))
	x.bad("update of no index", "demand",
		"ResourceNotFoundException: Requested resource not found: Index missing for table demand",
		updates(changes("missing", fiveUnits)))
	x.bad("deletion of no index", "demand",
		"ResourceNotFoundException: Requested resource not found: Index missing for table demand",
		updates(deletes("missing")))
	x.bad("deletion of a local index", "local",
		"ValidationException: Cannot delete an index that is not a GlobalSecondaryIndex: idx",
		updates(deletes("idx")))
	x.bad("nothing to update of an index", "demand",
		badParams+"The only Updates for index: idx when TableThroughputMode is PAY_PER_REQUEST can be to OnDemandThroughput, WarmThroughput",
		updates(`{"Update":{"IndexName":"idx"}}`))
	x.bad("a step after a changed index fails", "units",
		badParams+"MaxReadRequestUnits for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED",
		updates(changes("idx", throughput(9, 9))), `"OnDemandThroughput":{"MaxReadRequestUnits":1}`)
	x.bad("a step after a deleted index fails", "units",
		badParams+"MaxReadRequestUnits for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED",
		updates(deletes("idx")), `"OnDemandThroughput":{"MaxReadRequestUnits":1}`)
	x.bad("a step after a created index fails", "plain",
		badParams+"Requested MaxReadRequestUnits for OnDemandThroughput for table is outside of valid range",
		defs("n"), updates(newIndex), `"OnDemandThroughput":{"MaxReadRequestUnits":0}`)
	x.check()
}

func TestUpdateTableRefusesNewIndexes(t *testing.T) {
	x := newUpdateRefusals(t)
	x.bad("an index that exists", "demand",
		"ValidationException: Attempting to create an index which already exists",
		defs("a"), updates(creates(index("idx", keySchema("a"), projectAll))))
	x.bad("a local index that exists", "local",
		"ValidationException: Attempting to create an index which already exists",
		defs("a"), updates(creates(index("idx", keySchema("a"), projectAll))))
	x.bad("21st index", "full",
		"LimitExceededException: Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of 20", defs("n"), updates(newIndex))
	x.bad("index without definitions", "plain",
		badParams+"AttributeDefinitions is not specified for index: new",
		updates(newIndex))
	x.bad("an attribute that neither the request nor the table defines", "plain", badParams+
		"Some index key attributes are not defined in AttributeDefinitions. Keys: [m], AttributeDefinitions: [n, pk]",
		defs("n"), updates(creates(index("new", keySchema("m"), projectAll))))
	x.bad("another type for an attribute", "plain", badParams+"Attributes cannot be redefined. "+
		"Please check that your attribute has the same type as previously defined. "+
		"Existing schema: Schema:[SchemaElement: key{pk:S:HASH}] New schema: Schema:[SchemaElement: key{n:S:HASH}, SchemaElement: key{pk:N:RANGE}]",
		defs("pk:N", "n"), updates(creates(index("new", keySchema("n", "pk"), projectAll))))
	x.bad("index without throughput", "units",
		badParams+"Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: new", defs("n"),
		updates(newIndex))
	x.bad("index without a projection type", "plain", badParams+"Unknown ProjectionType: null",
		defs("n"), updates(creates(index("new", keySchema("n"), `"Projection":{}`))))
	x.check()
}

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
