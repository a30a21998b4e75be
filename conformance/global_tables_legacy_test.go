package conformance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

// in returns the test with clients of another region.
func (x *streamTest) in(region string) *streamTest {
	return &streamTest{T: x.T, emulator: x.emulator,
		data: dynamodb.New(x.data.Options(), func(o *dynamodb.Options) { o.Region = region }),
		streams: dynamodbstreams.New(x.streams.Options(),
			func(o *dynamodbstreams.Options) { o.Region = region })}
}

// legacyReplicas makes a global table "legacy" of version 2017.11.29 with replicas in two regions.
func legacyReplicas(t *testing.T, capacity string, options ...emulator.Option) (source,
	destination *streamTest) {
	source = newStreamTest(t, options...)
	destination = source.in("eu-west-1")
	for _, x := range []*streamTest{source, destination} {
		x.do("CreateTable",
			`{"TableName":"legacy","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
			`+capacity+
				`,"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}}`)
	}
	source.do("CreateGlobalTable",
		`{"GlobalTableName":"legacy","ReplicationGroup":[{"RegionName":"eu-west-3"},{"RegionName":"eu-west-1"}]}`)
	return source, destination
}

// record shows a record of a stream: its event and both images without their keys.
// aws:rep:updatetime is shown as time.
func (x *streamTest) record(r *streamtypes.Record) string {
	image := func(attributes map[string]streamtypes.AttributeValue) string {
		var all []string
		for name, v := range attributes {
			switch v := v.(type) {
			case *streamtypes.AttributeValueMemberBOOL:
				all = append(all, fmt.Sprint(strings.TrimPrefix(name, "aws:rep:"), "=", v.Value))
			case *streamtypes.AttributeValueMemberN:
				all = append(all, "time")
			case *streamtypes.AttributeValueMemberS:
				if name != "pk" {
					all = append(all, strings.TrimPrefix(name, "aws:rep:")+"="+v.Value)
				}
			}
		}
		slices.Sort(all)
		return "{" + strings.Join(all, " ") + "}"
	}
	return fmt.Sprint(r.EventName, " ", image(r.Dynamodb.OldImage), " ", image(r.Dynamodb.NewImage))
}

// all returns the records of the stream of a table.
func (x *streamTest) all(table string) (records []string) {
	x.Helper()
	arn := at(x, x.do("DescribeTable", `{"TableName":"`+table+`"}`), "Table",
		"LatestStreamArn").(string)
	iterator, err := x.iterator(arn, *x.describe(arn).Shards[0].ShardId, "TRIM_HORIZON", nil)
	require.NoError(x, err)
	out, err := x.streams.GetRecords(context.Background(),
		&dynamodbstreams.GetRecordsInput{ShardIterator: iterator})
	require.NoError(x, err)
	for i := range out.Records {
		records = append(records, x.record(&out.Records[i]))
	}
	return records
}

// TestLegacyStreams: Developer Guide, "DynamoDB global tables versions", "DynamoDB Streams behavior
// before, during, and after upgrade": behavior before the upgrade.
func TestLegacyStreams(t *testing.T) {
	t.Parallel()
	source, destination := legacyReplicas(t, `"BillingMode":"PAY_PER_REQUEST"`)
	source.put("legacy", "a", "1")
	source.do("UpdateItem",
		`{"TableName":"legacy","Key":{"pk":{"S":"a"}},"UpdateExpression":"SET v = :v","ExpressionAttributeValues":{":v":{"S":"2"}}}`)
	source.put("legacy", "a", "3")
	source.do("DeleteItem", `{"TableName":"legacy","Key":{"pk":{"S":"a"}}}`)
	const rep = "deleting=false time updateregion=eu-west-3 v="
	assert.Equal(t, []string{
		"INSERT {} {v=1}",
		"MODIFY {v=1} {" + rep + "1}",
		"MODIFY {" + rep + "1} {" + rep + "2}",
		"MODIFY {" + rep + "2} {" + rep + "2}",
		"MODIFY {" + rep + "2} {v=3}",
		"MODIFY {v=3} {" + rep + "3}",
		"REMOVE {" + rep + "3} {}",
	}, source.all("legacy"))
	assert.Equal(t, []string{
		"INSERT {} {" + rep + "1}",
		"MODIFY {" + rep + "1} {" + rep + "2}",
		"MODIFY {" + rep + "2} {" + rep + "3}",
		"MODIFY {" + rep + "3} {" + strings.Replace(rep, "false", "true", 1) + "3}",
		"REMOVE {" + strings.Replace(rep, "false", "true", 1) + "3} {}",
	}, destination.all("legacy"))
}

// TestLegacyBatches: each write of a batch and of a transaction has two records.
func TestLegacyBatches(t *testing.T) {
	t.Parallel()
	source, destination := legacyReplicas(t, `"BillingMode":"PAY_PER_REQUEST"`)
	put := func(pk string) string { return `{"Item":{"pk":{"S":"` + pk + `"},"v":{"S":"1"}}}` }
	source.do("BatchWriteItem",
		`{"RequestItems":{"legacy":[{"PutRequest":`+put("a")+`},{"PutRequest":`+put("b")+`}]}}`)
	source.do("TransactWriteItems",
		`{"TransactItems":[{"Put":`+
			strings.Replace(put("c"), `{`, `{"TableName":"legacy",`, 1)+`}]}`)
	const rep = "{deleting=false time updateregion=eu-west-3 v=1}"
	assert.ElementsMatch(t,
		[]string{"INSERT {} {v=1}", "INSERT {} {v=1}", "INSERT {} {v=1}", "MODIFY {v=1} " + rep,
			"MODIFY {v=1} " + rep, "MODIFY {v=1} " + rep}, source.all("legacy"))
	assert.Equal(t, []string{"INSERT {} " + rep, "INSERT {} " + rep, "INSERT {} " + rep},
		destination.all("legacy"))
}

// TestLegacyTimeToLive: version 2017.11.29 "does not replicate TTL deletes to other replicas"
// (Developer Guide, "DynamoDB global tables versions").
func TestLegacyTimeToLive(t *testing.T) {
	t.Parallel()
	source, destination := legacyReplicas(t, `"BillingMode":"PAY_PER_REQUEST"`)
	source.do("UpdateTimeToLive",
		`{"TableName":"legacy","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"t"}}`)
	assertHas(t, `{"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}}`,
		destination.do("DescribeTimeToLive", `{"TableName":"legacy"}`))
	source.do("PutItem", `{"TableName":"legacy","Item":{"pk":{"S":"a"},"t":{"N":"1767225601"}}}`)
	source.advance(time.Minute)
	source.emulator.ExpireItems()
	assertHas(t, `{"Item":null}`,
		source.do("GetItem", `{"TableName":"legacy","Key":{"pk":{"S":"a"}}}`))
	assertHas(t, `{"Item":{"pk":{"S":"a"}}}`,
		destination.do("GetItem", `{"TableName":"legacy","Key":{"pk":{"S":"a"}}}`))
}

// TestWriteCapacityOfReplicas: Developer Guide, "DynamoDB global tables versions", "Differences in
// behavior between Legacy and Current versions".
func TestWriteCapacityOfReplicas(t *testing.T) {
	t.Parallel()
	const units = 6
	const put, put2 = `{"TableName":"legacy","Item":{"pk":{"S":"a"}}}`, `{"TableName":"legacy","Item":{"pk":{"S":"old"},"v":{"S":"2"}}}`
	const update = `{"TableName":"legacy","Key":{"pk":{"S":"old"}},"UpdateExpression":"SET v = :v","ExpressionAttributeValues":{":v":{"S":"2"}}}`
	const remove = `{"TableName":"legacy","Key":{"pk":{"S":"old"}}}`
	capacity := fmt.Sprintf(
		`"ProvisionedThroughput":{"ReadCapacityUnits":10,"WriteCapacityUnits":%d}`, units)
	left := func(x *streamTest) (n int) { // writes of a unit that change nothing
		for {
			_, err := x.data.DeleteItem(
				context.Background(), &dynamodb.DeleteItemInput{TableName: aws.String("legacy"),
					Key: map[string]types.AttributeValue{
						"pk": &types.AttributeValueMemberS{Value: "none"},
					}})
			var exceeded *types.ProvisionedThroughputExceededException
			if errors.As(err, &exceeded) {
				return n
			}
			require.NoError(x, err)
			n++
		}
	}
	for _, c := range []struct {
		name, op, body      string
		source, destination int
	}{
		{"a new item", "PutItem", put, 2, 2},
		{"an item that is there", "PutItem", put2, 2, 1},
		{"an update", "UpdateItem", update, 2, 1},
		{"a deletion", "DeleteItem", remove, 1, 2},
		{"no change", "DeleteItem", strings.Replace(remove, "old", "none", 1), 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			source, destination := legacyReplicas(t, capacity,
				emulator.WithThroughput(emulator.Throughput{Burst: -1}))
			source.put("legacy", "old", "1")
			source.advance(time.Minute)
			consumed := source.do(c.op,
				strings.Replace(c.body, `{`, `{"ReturnConsumedCapacity":"TOTAL",`, 1))
			assertHas(t, `{"ConsumedCapacity":{"CapacityUnits":1}}`, consumed)
			assert.Equal(t, c.source, units-left(source), "in the source Region")
			assert.Equal(t, c.destination, units-left(destination), "in the destination Region")
		})
	}
}

// TestLegacyGlobalTableToProvisioned: API Reference, UpdateGlobalTableSettings, and the units that
// UpdateTable needs for the mode PROVISIONED.
func TestLegacyGlobalTableToProvisioned(t *testing.T) {
	t.Parallel()
	const here, there = "us-east-1", "us-west-2"
	send := regional(t)
	table := `{"TableName":"legacy","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"},` + keys("pk:S") + `}`
	toProvisioned := func(replicas string) string {
		return `{"GlobalTableName":"legacy","GlobalTableBillingMode":"PROVISIONED","GlobalTableProvisionedWriteCapacityUnits":10,"ReplicaSettingsUpdate":[` + replicas + `]}`
	}
	const readsHere, readsThere = `{"RegionName":"us-east-1","ReplicaProvisionedReadCapacityUnits":3}`, `{"RegionName":"us-west-2","ReplicaProvisionedReadCapacityUnits":7}`
	followIn(t, send, []regionalStep{
		{here, step{name: "create", op: "CreateTable", body: table}},
		{there, step{name: "create there", op: "CreateTable", body: table}},
		{here, step{name: "join", op: "CreateGlobalTable",
			body: `{"GlobalTableName":"legacy","ReplicationGroup":[{"RegionName":"us-east-1"},{"RegionName":"us-west-2"}]}`}},
		{here, step{name: "without the reads of a replica", op: "UpdateGlobalTableSettings",
			body: toProvisioned(readsThere), err: "ValidationException: *"}},
		{there, step{name: "nothing has changed", op: "DescribeTable",
			body: `{"TableName":"legacy"}`,
			has:  `{"Table":{"BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"}}}`}},
		{here, step{name: "with all units", op: "UpdateGlobalTableSettings",
			body: toProvisioned(readsHere + "," + readsThere)}},
		{there, step{name: "the units", op: "DescribeTable", body: `{"TableName":"legacy"}`,
			has: `{"Table":{"ProvisionedThroughput":{"ReadCapacityUnits":7,"WriteCapacityUnits":10}}}`}},
	})
}
