package conformance

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

const provisioned = `"ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":5},"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]`

// change sends an UpdateTable that must succeed, and waits until it has finished.
func change(t *testing.T, name, members string) map[string]any {
	t.Helper()
	call(t, "UpdateTable", `{"TableName":"`+name+`",`+members+`}`)
	waitActive(t, name)
	waitIndexes(t, name)
	waitEncryption(t, name)
	return describe(t, name)
}

// waitIndexes waits until all global indexes are active. The SDK has no waiter for that.
func waitIndexes(t *testing.T, name string) {
	t.Helper()
	ready := func() bool {
		indexes, _ := describe(t, name)["GlobalSecondaryIndexes"].([]any)
		for _, index := range indexes {
			if at(t, index, "IndexStatus") != "ACTIVE" {
				return false
			}
		}
		return true
	}
	if !ready() {
		require.Eventually(t, ready, 15*time.Minute, 2*time.Second, "indexes of %s", name)
	}
}

// waitEncryption waits until the table has the given encryption. The table stays ACTIVE meanwhile.
func waitEncryption(t *testing.T, name string) {
	t.Helper()
	ready := func() bool {
		encryption, _ := describe(t, name)["SSEDescription"].(map[string]any)
		return encryption["Status"] != "UPDATING"
	}
	if !ready() {
		require.Eventually(t, ready, 15*time.Minute, 2*time.Second, "encryption of %s", name)
	}
}

func TestUpdateTable(t *testing.T) { // API Reference, UpdateTable
	t.Parallel()
	t.Run("throughput", func(t *testing.T) {
		t.Parallel()
		created := newTable(t, provisioned)
		before := describe(t, created.name)["ProvisionedThroughput"].(map[string]any)
		answer := call(t, "UpdateTable",
			`{"TableName":"`+created.name+
				`","ProvisionedThroughput":{"ReadCapacityUnits":7,"WriteCapacityUnits":5}}`)
		assert.Equal(t, "UPDATING", at(t, answer, "TableDescription", "TableStatus"))
		assert.Equal(t, before["ReadCapacityUnits"],
			at(t, answer, "TableDescription", "ProvisionedThroughput", "ReadCapacityUnits"),
			"AWS CLI Command Reference, update-table")
		waitActive(t, created.name)
		got := describe(t, created.name)
		assertHas(t,
			`{"ProvisionedThroughput":{"ReadCapacityUnits":7,"WriteCapacityUnits":5,"NumberOfDecreasesToday":0}}`, got)
		assert.Contains(t, got["ProvisionedThroughput"], "LastIncreaseDateTime")
		got = change(t, created.arn,
			`"ProvisionedThroughput":{"ReadCapacityUnits":6,"WriteCapacityUnits":5}`)
		assertHas(t,
			`{"ProvisionedThroughput":{"ReadCapacityUnits":6,"WriteCapacityUnits":5,"NumberOfDecreasesToday":1}}`, got)
		assert.Contains(t, got["ProvisionedThroughput"], "LastDecreaseDateTime")
		refuse(t, "UpdateTable",
			`{"TableName":"`+created.name+
				`","ProvisionedThroughput":{"ReadCapacityUnits":6,"WriteCapacityUnits":5}}`,
			"ValidationException: The provisioned throughput for the table will not change. The requested value equals the current value. Current ReadCapacityUnits provisioned for the table: 6. Requested ReadCapacityUnits: 6. Current WriteCapacityUnits provisioned for the table: 5. Requested WriteCapacityUnits: 5. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.")
	})
	t.Run("billing mode", func(t *testing.T) {
		t.Parallel()
		created := newTable(t, provisioned)
		got := change(t, created.name, onDemand[1:])
		assertHas(t,
			`{"BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"},"ProvisionedThroughput":{"ReadCapacityUnits":0,"WriteCapacityUnits":0}}`, got)
		assert.Contains(t, got["BillingModeSummary"], "LastUpdateToPayPerRequestDateTime")
		refuse(t, "UpdateTable", `{"TableName":"`+created.name+`","BillingMode":"PROVISIONED"}`,
			"ValidationException: One or more parameter values were invalid: ProvisionedThroughput must be specified when BillingMode is PROVISIONED || ValidationException: One or more parameter values were invalid: ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED")
		refuse(t, "UpdateTable",
			`{"TableName":"`+created.name+
				`","ProvisionedThroughput":{"ReadCapacityUnits":6,"WriteCapacityUnits":5}}`,
			"ValidationException: One or more parameter values were invalid: Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST")
		got = change(t, created.name,
			`"BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":2,"WriteCapacityUnits":3}`)
		assertHas(t,
			`{"BillingModeSummary":{"BillingMode":"PROVISIONED"},"ProvisionedThroughput":{"ReadCapacityUnits":2,"WriteCapacityUnits":3}}`, got)
	})
	t.Run("stream", func(t *testing.T) {
		t.Parallel()
		created := newTable(t, keys("pk:S"))
		got := change(t, created.name,
			`"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}`)
		assertHas(t, `{"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}}`,
			got)
		assert.Contains(t, got, "LatestStreamArn")
		refuse(t, "UpdateTable",
			`{"TableName":"`+created.name+
				`","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}}`,
			"ValidationException: Table already has an enabled stream: TableName: "+created.name)
		refuse(t, "UpdateTable",
			`{"TableName":"`+created.name+
				`","StreamSpecification":{"StreamEnabled":false,"StreamViewType":"NEW_IMAGE"}}`,
			"ValidationException: One or more parameter values were invalid: If stream is being disabled, then UpdateViewType must not be specified")
		got = change(t, created.name, `"StreamSpecification":{"StreamEnabled":false}`)
		assert.NotContains(t, got, "StreamSpecification")
		assert.Contains(t, got, "LatestStreamArn", "the stream stays readable for 24 hours")
		refuse(t, "UpdateTable",
			`{"TableName":"`+created.name+`","StreamSpecification":{"StreamEnabled":false}}`,
			"ValidationException: *")
	})
	t.Run("encryption", func(t *testing.T) { // Developer Guide, Encryption at rest
		t.Parallel()
		created := newTable(t, keys("pk:S"))
		answer := call(t, "UpdateTable",
			`{"TableName":"`+created.name+`","SSESpecification":{"Enabled":true,"SSEType":"KMS"}}`)
		assert.Equal(t, "ACTIVE", at(t, answer, "TableDescription", "TableStatus"),
			"AWS CLI Command Reference, update-table")
		assert.Equal(t, map[string]any{"Status": "UPDATING"},
			at(t, answer, "TableDescription", "SSEDescription"),
			"AWS CLI Command Reference, update-table")
		waitEncryption(t, created.name)
		assertHas(t, `{"SSEDescription":{"Status":"ENABLED","SSEType":"KMS"}}`,
			describe(t, created.name))
		// encrypted again: ack-api-quirks, DDB-TABLE-082
		call(t, "UpdateTable",
			`{"TableName":"`+created.name+`","SSESpecification":{"Enabled":true}}`)
		waitEncryption(t, created.name)
		assert.NotContains(t, change(t, created.name, `"SSESpecification":{"Enabled":false}`),
			"SSEDescription")
	})
	// API Reference, OnDemandThroughput and WarmThroughput
	t.Run("on-demand and warm throughput", func(t *testing.T) {
		t.Parallel()
		created := newTable(t, keys("pk:S"))
		assertHas(t, `{"OnDemandThroughput":{"MaxReadRequestUnits":10,"MaxWriteRequestUnits":5}}`,
			change(t, created.name,
				`"OnDemandThroughput":{"MaxReadRequestUnits":10,"MaxWriteRequestUnits":5}`))
		refuse(t, "UpdateTable",
			`{"TableName":"`+created.name+`","OnDemandThroughput":{"MaxReadRequestUnits":0}}`,
			"ValidationException: *")
		refuse(t, "UpdateTable",
			`{"TableName":"`+created.name+`","WarmThroughput":{"ReadUnitsPerSecond":1}}`,
			"ValidationException: *")
		if !target.aws { // it costs money on AWS
			assertHas(t,
				`{"WarmThroughput":{"ReadUnitsPerSecond":13000,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"}}`, change(t, created.name, `"WarmThroughput":{"ReadUnitsPerSecond":13000}`))
		}
	})
	t.Run("deletion protection and class", func(t *testing.T) {
		t.Parallel()
		created := newTable(t, keys("pk:S"))
		assertHas(t, `{"DeletionProtectionEnabled":true}`,
			change(t, created.name, `"DeletionProtectionEnabled":true`))
		assertHas(t, `{"DeletionProtectionEnabled":false}`,
			change(t, created.name, `"DeletionProtectionEnabled":false`))
		assertHas(t, `{"TableClassSummary":{"TableClass":"STANDARD_INFREQUENT_ACCESS"}}`,
			change(t, created.name, `"TableClass":"STANDARD_INFREQUENT_ACCESS"`))
	})
	run(t, defaults{src: "API Reference, UpdateTable", op: "UpdateTable", table: "hash"}, []kase{
		{name: "nothing", in: `{}`,
			err: "ValidationException: At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required"},
		{name: "throughput of zero",
			in:  `{"ProvisionedThroughput":{"ReadCapacityUnits":0,"WriteCapacityUnits":1}}`,
			err: "ValidationException: 1 validation error detected: Value '0' at 'provisionedThroughput.readCapacityUnits' failed to satisfy constraint: Member must have value greater than or equal to 1"},
		{name: "unknown billing mode", in: `{"BillingMode":"FREE"}`,
			err: "ValidationException: 1 validation error detected: Value 'FREE' at 'billingMode' failed to satisfy constraint: Member must satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]"},
	})
}

// TestGlobalIndexUpdates: Developer Guide, Managing Global Secondary Indexes.
func TestGlobalIndexUpdates(t *testing.T) {
	t.Parallel()
	created := newTable(t, keys("pk:S"))
	table := created.name
	for i := range 30 {
		call(t, "PutItem",
			fmt.Sprintf(
				`{"TableName":"%s","Item":{"pk":{"S":"%d"},"g":{"S":"%s"},"n":{"N":"%d"},"x":{"S":"x"}}}`, table, i, "group", i))
	}
	call(t, "PutItem", `{"TableName":"`+table+`","Item":{"pk":{"S":"without"},"n":{"N":"1"}}}`)
	call(t, "PutItem",
		`{"TableName":"`+table+`","Item":{"pk":{"S":"long"},"g":{"S":"`+strings.Repeat("g", 2049)+
			`"},"n":{"N":"1"}}}`)
	call(t, "PutItem",
		`{"TableName":"`+table+`","Item":{"pk":{"S":"empty"},"g":{"S":""},"n":{"N":"1"}}}`)
	call(t, "PutItem",
		`{"TableName":"`+table+`","Item":{"pk":{"S":"other type"},"g":{"N":"1"},"n":{"N":"1"}}}`)
	byG := strings.TrimSuffix(index("byg", "INCLUDE x", "g", "n"), "}") + `}`
	definitions :=
		`"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"},{"AttributeName":"n","AttributeType":"N"}]`
	update := func(members string) string { return `{"TableName":"` + table + `",` + members + `}` }

	refuse(t, "UpdateTable", update(`"GlobalSecondaryIndexUpdates":[{"Create":`+byG+`}]`),
		"ValidationException: One or more parameter values were invalid: AttributeDefinitions is not specified for index: byg")
	refuse(t, "UpdateTable",
		update(`"GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"byg"}}]`),
		"ResourceNotFoundException: Requested resource not found*")
	refuse(t, "UpdateTable",
		update(definitions+`,"GlobalSecondaryIndexUpdates":[{"Create":`+
			byG+`},{"Create":`+index("two", "ALL", "g")+`}]`),
		"LimitExceededException: Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table")
	refuse(t, "UpdateTable", update(`"GlobalSecondaryIndexUpdates":[{}]`), "ValidationException: *")

	got := change(t, table, definitions+`,"GlobalSecondaryIndexUpdates":[{"Create":`+byG+`}]`)
	assertHas(t,
		`{"GlobalSecondaryIndexes":[{"IndexName":"byg","IndexStatus":"ACTIVE","Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["x"]}}]}`, got)
	assert.Len(t, got["AttributeDefinitions"], 3)
	query := `{"TableName":"` + table +
		`","IndexName":"byg","KeyConditionExpression":"g = :g AND n >= :n","ExpressionAttributeValues":{":g":{"S":"group"},":n":{"N":"28"}}}`
	eventually(t, "Query", func(t2 assert.TestingT) {
		assert.Equal(t2,
			normal(parseJSON(
				answerOf(`{"pk":{"S":"28"},"g":{"S":"group"},"n":{"N":"28"},"x":{"S":"x"}}`,
					`{"pk":{"S":"29"},"g":{"S":"group"},"n":{"N":"29"},"x":{"S":"x"}}`))),
			normal(call(t, "Query", query)), "the backfill")
	})
	eventually(t, "Scan", func(t2 assert.TestingT) {
		answer := call(t, "Scan", `{"TableName":"`+table+`","IndexName":"byg","Select":"COUNT"}`)
		assert.Equal(t2, "30", encode(answer["Count"]),
			"items without the key, or with one of another type, too long or empty, are not in the index")
	})
	refuse(t, "PutItem", `{"TableName":"`+table+`","Item":{"pk":{"S":"late"},"g":{"N":"1"}}}`,
		"ValidationException: One or more parameter values were invalid: Type mismatch for Index Key g Expected: S Actual: N IndexName: byg")
	// Detecting and correcting index key violations: all writes to items that violate the key
	// schema are rejected.
	refuse(t, "UpdateItem",
		`{"TableName":"`+table+`","Key":{"pk":{"S":"other type"}},"UpdateExpression":"SET x = n"}`,
		"ValidationException: *")
	call(t, "UpdateItem",
		`{"TableName":"`+table+`","Key":{"pk":{"S":"other type"}},"UpdateExpression":"REMOVE g"}`)
	refuse(t, "UpdateTable",
		update(definitions+`,"GlobalSecondaryIndexUpdates":[{"Create":`+byG+`}]`),
		"ValidationException: Attempting to create an index which already exists || ResourceInUseException: *")
	refuse(t, "UpdateTable",
		update(`"GlobalSecondaryIndexUpdates":[{"Update":{"IndexName":"byg","ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}}}]`), "ValidationException: *")

	got = change(t, table, `"GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"byg"}}]`)
	assert.NotContains(t, got, "GlobalSecondaryIndexes")
	refuse(t, "Query", query,
		"ValidationException: The table does not have the specified index: byg")
	call(t, "PutItem", `{"TableName":"`+table+`","Item":{"pk":{"S":"late"},"g":{"N":"1"}}}`)
}

// TestProvisionedIndexUpdates: API Reference, UpdateTable, GlobalSecondaryIndexUpdates, Update.
func TestProvisionedIndexUpdates(t *testing.T) {
	t.Parallel()
	throughput := func(n int) string {
		return fmt.Sprintf(
			`"ProvisionedThroughput":{"ReadCapacityUnits":%d,"WriteCapacityUnits":%d}`, n, n)
	}
	created := newTable(
		t, throughput(
			5)+`,"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
		"GlobalSecondaryIndexes":[{"IndexName":"byg","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"},`+throughput(2)+`}]`)
	got := change(t, created.name,
		`"GlobalSecondaryIndexUpdates":[{"Update":{"IndexName":"byg",`+throughput(4)+`}}]`)
	assertHas(t, `{`+throughput(5)+`,"GlobalSecondaryIndexes":[{`+throughput(4)+`}]}`, got)
	refuse(t, "UpdateTable",
		`{"TableName":"`+created.name+
			`","GlobalSecondaryIndexUpdates":[{"Update":{"IndexName":"byg",`+throughput(4)+`}}]}`,
		"ValidationException: The provisioned throughput for the index byg will not change*")
	refuse(t, "UpdateTable",
		`{"TableName":"`+created.name+
			`","GlobalSecondaryIndexUpdates":[{"Update":{"IndexName":"nope",`+throughput(4)+`}}]}`,
		"ResourceNotFoundException: Requested resource not found*")
}

// TestUpdateOfWhatIsBeingUpdated: API Reference, UpdateTable, ResourceInUseException. The text for
// throughput is on record in MitocGroup/deep-framework, issue 311, and
// channl/dynamodb-lambda-autoscale, issue 45.
func TestUpdateOfWhatIsBeingUpdated(t *testing.T) {
	t.Parallel()
	x := newStreamTest(t, emulator.WithTableDelays(0, time.Minute, 0))
	send := func(_, op, body string) (map[string]any, error) {
		return invoke(context.Background(), x.data, op, body)
	}
	throughput := func(n int) string {
		return fmt.Sprintf(
			`{"TableName":"table","ProvisionedThroughput":{"ReadCapacityUnits":%d,"WriteCapacityUnits":%[1]d}}`, n)
	}
	const stream = `{"TableName":"table","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}}`
	const inUse = "ResourceInUseException: Attempt to change a resource which is still in use: "
	follow(t, send, []step{
		{name: "create", op: "CreateTable", body: `{"TableName":"table",` + provisioned + `}`},
		{name: "throughput", op: "UpdateTable", body: throughput(6),
			has: `{"TableDescription":{"TableStatus":"UPDATING"}}`},
		{name: "throughput again", op: "UpdateTable", body: throughput(7),
			err: inUse + "Table IOPS are currently being updated. Table: table"},
		// service facts S.1
		{name: "stream while throughput changes", op: "UpdateTable", body: stream,
			err: inUse +
				"Can't enable or disable stream while table IOPS are being updated. Table: table"},
	})
	x.advance(time.Minute)
	follow(t, send, []step{
		{name: "stream", op: "UpdateTable", body: stream,
			has: `{"TableDescription":{"TableStatus":"UPDATING"}}`},
		// service facts S.2
		{name: "throughput while the stream changes", op: "UpdateTable", body: throughput(8),
			err: inUse +
				"Can't change table IOPS when stream status is being updated. Table: table Stream: *"},
	})
}
