package emulator

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/emulator/internal/metering"
	"github.com/kugiri-db/kugiri/storage"
)

const (
	virginia = "us-east-1"
	oregon   = "us-west-2"
	ireland  = "eu-west-1"
)

// globalTest is an emulator with tables that replicate between regions.
type globalTest struct {
	*testing.T
	emulator *Emulator
	clock    *Clock
}

func newGlobalTest(t *testing.T, opts ...Option) *globalTest {
	clock := NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	x := &globalTest{t, New(append([]Option{WithHeldClock(clock)}, opts...)...), clock}
	t.Cleanup(func() { x.emulator.check(t) })
	return x
}

// try sends a request in a region. It returns the answer, or the error's type and message.
func (x *globalTest) try(region, operation, body string) string {
	x.Helper()
	set := scoped("AKID/20260102/" + region)
	if operation == "DescribeStream" || operation == "GetShardIterator" ||
		operation == "GetRecords" || operation == "ListStreams" {
		w := answerOf(x.emulator,
			rawRequest(operation, body,
				header("X-Amz-Target", "DynamoDBStreams_20120810."+operation), set))
		return w.Body.String()
	}
	w := answerOf(x.emulator, rawRequest(operation, body, set))
	if w.Code == 200 {
		return w.Body.String()
	}
	return errorOf(w.Body.String())
}

// errorOf returns the type and the message of an error's body.
func errorOf(body string) string {
	var e struct {
		Type    string `json:"__type"`
		Message string
	}
	if json.Unmarshal([]byte(body), &e) != nil {
		return body
	}
	for i := range e.Type {
		if e.Type[i] == '#' {
			return e.Type[i+1:] + ": " + e.Message
		}
	}
	return body
}

// do sends a request that succeeds.
func (x *globalTest) do(region, operation, body string) string {
	x.Helper()
	answer := x.try(region, operation, body)
	require.True(x, answer[0] == '{', "%s in %s: %s", operation, region, answer)
	return answer
}

// create makes a global table with a first and further regions.
func (x *globalTest) create(table string, regions ...string) {
	x.Helper()
	x.do(regions[0], "CreateTable",
		tableRequest(table, defs("pk"), keySchema("pk"), onDemandBilling))
	for _, region := range regions[1:] {
		x.addReplica(regions[0], table, region)
	}
}

func (x *globalTest) addReplica(from, table, region string) {
	x.Helper()
	x.do(from, "UpdateTable",
		fmt.Sprintf(`{"TableName":%q,"ReplicaUpdates":[{"Create":{"RegionName":%q}}]}`, table,
			region))
}

func (x *globalTest) put(region, pk, v string) {
	x.Helper()
	x.do(region, "PutItem",
		fmt.Sprintf(`{"TableName":"songs","Item":{"pk":{"S":%q},"v":{"S":%q}}}`, pk, v))
}

func (x *globalTest) remove(region, pk string) {
	x.Helper()
	x.do(region, "DeleteItem", fmt.Sprintf(`{"TableName":"songs","Key":{"pk":{"S":%q}}}`, pk))
}

// get returns the attribute v of an item, or "" if there is no item.
func (x *globalTest) get(region, pk string) string {
	x.Helper()
	var out struct {
		Item struct{ V struct{ S string } }
	}
	answer := x.do(region, "GetItem",
		fmt.Sprintf(`{"TableName":"songs","Key":{"pk":{"S":%q}}}`, pk))
	require.NoError(x, json.Unmarshal([]byte(answer), &out))
	return out.Item.V.S
}

// wantEverywhere compares an item in all regions.
func (x *globalTest) wantEverywhere(pk, v string, regions ...string) {
	x.Helper()
	for _, region := range regions {
		assert.Equal(x, v, x.get(region, pk), region)
	}
}

// describe returns a member of the description of a table.
func (x *globalTest) describe(region, member string) string {
	x.Helper()
	var out struct{ Table map[string]json.RawMessage }
	require.NoError(x,
		json.Unmarshal([]byte(x.do(region, "DescribeTable", `{"TableName":"songs"}`)), &out))
	return string(out.Table[member])
}

func TestReplicasGetEachOthersWrites(t *testing.T) {
	x := newGlobalTest(t)
	x.create("songs", virginia)
	x.put(virginia, "before", "1")
	x.addReplica(virginia, "songs", oregon)
	x.addReplica(oregon, "songs", ireland)
	x.wantEverywhere("before", "1", virginia, oregon, ireland)
	x.put(virginia, "a", "1")
	x.wantEverywhere("a", "1", virginia, oregon, ireland)
	x.put(ireland, "a", "2")
	x.wantEverywhere("a", "2", virginia, oregon, ireland)
	x.remove(oregon, "a")
	x.wantEverywhere("a", "", virginia, oregon, ireland)
	x.put(virginia, "a", "3")
	x.wantEverywhere("a", "3", virginia, oregon, ireland)
}

func TestReplicationLag(t *testing.T) {
	x := newGlobalTest(t, WithReplicationLag(time.Second))
	x.create("songs", virginia, oregon)
	x.put(virginia, "a", "1")
	x.clock.Advance(time.Second - 1)
	x.put(virginia, "a", "2")
	x.wantEverywhere("a", "", oregon)
	x.clock.Advance(1)
	x.wantEverywhere("a", "1", oregon)
	x.clock.Advance(time.Second)
	x.wantEverywhere("a", "2", oregon)
}

func TestLastWriterWins(t *testing.T) {
	x := newGlobalTest(t)
	x.create("songs", virginia, oregon, ireland)
	f := x.emulator.AddFault(fault.Fault{Do: fault.PartitionRegion(oregon)})
	x.put(oregon, "a", "oregon")
	x.clock.Advance(1)
	x.put(virginia, "a", "virginia")
	x.wantEverywhere("a", "virginia", virginia, ireland)
	x.wantEverywhere("a", "oregon", oregon)
	x.remove(oregon, "gone")
	x.put(virginia, "gone", "1")
	x.clock.Advance(1)
	x.put(oregon, "gone", "2")
	x.remove(oregon, "gone")
	f.Remove()
	x.wantEverywhere("a", "virginia", virginia, oregon, ireland)
	x.wantEverywhere("gone", "", virginia, oregon, ireland)
}

func TestNewReplicaGetsChangesOnTheWay(t *testing.T) {
	x := newGlobalTest(t)
	x.create("songs", virginia, oregon)
	f := x.emulator.AddFault(fault.Fault{Do: fault.PartitionRegion(oregon)})
	x.put(oregon, "a", "1")
	x.addReplica(virginia, "songs", ireland)
	x.wantEverywhere("a", "", virginia, ireland)
	f.Remove()
	x.wantEverywhere("a", "1", virginia, oregon, ireland)
}

func TestDeleteReplica(t *testing.T) {
	x := newGlobalTest(t)
	x.create("songs", virginia, oregon, ireland)
	x.put(oregon, "a", "1")
	const source = "ValidationException: Replica cannot be deleted because it has acted as a source region for new replica(s) being added to the table in the last 24 hours."
	assert.Equal(t, source, x.try(virginia, "DeleteTable", `{"TableName":"songs"}`))
	x.do(virginia, "UpdateTable",
		`{"TableName":"songs","ReplicaUpdates":[{"Delete":{"RegionName":"us-west-2"}}]}`)
	assert.Contains(t, x.try(oregon, "DescribeTable", `{"TableName":"songs"}`),
		"ResourceNotFoundException")
	x.put(virginia, "a", "2")
	x.wantEverywhere("a", "2", virginia, ireland)
	x.clock.Advance(24 * time.Hour)
	x.do(virginia, "DeleteTable", `{"TableName":"songs"}`)
	x.put(ireland, "a", "3")
	assert.Empty(t, x.describe(ireland, "Replicas"))
	assert.Empty(t, x.describe(ireland, "GlobalTableVersion"))
}

// TestDeleteReplicaWhoseChangesPanic: changes that cannot arrive do not keep a table in its global
// table, as they do not keep a server from running.
func TestDeleteReplicaWhoseChangesPanic(t *testing.T) {
	x := newGlobalTest(t, WithReplicationLag(time.Minute),
		WithLogger(slog.New(slog.DiscardHandler)))
	x.do(virginia, "CreateTable", tableRequest("songs", defs("pk"), keySchema("pk"),
		onDemandBilling, `"OnDemandThroughput":{"MaxWriteRequestUnits":5}`))
	x.addReplica(virginia, "songs", oregon)
	x.clock.Advance(24 * time.Hour)
	x.put(oregon, "a", "1")
	x.emulator.service.Throughput = new(metering.Meter) // it has no room: each change panics
	x.do(virginia, "UpdateTable",
		`{"TableName":"songs","ReplicaUpdates":[{"Delete":{"RegionName":"us-west-2"}}]}`)
	x.emulator.service.Throughput = nil
	assert.Contains(t, x.try(oregon, "DescribeTable", `{"TableName":"songs"}`),
		"ResourceNotFoundException")
	x.put(virginia, "b", "2")
	x.wantEverywhere("b", "2", virginia)
}

func TestDeleteReplicaInMadeUpRegion(t *testing.T) {
	x := newGlobalTest(t)
	x.create("songs", "local", oregon)
	x.clock.Advance(24 * time.Hour)
	x.do(oregon, "UpdateTable",
		`{"TableName":"songs","ReplicaUpdates":[{"Delete":{"RegionName":"local"}}]}`)
	assert.Contains(t, x.try("local", "DescribeTable", `{"TableName":"songs"}`),
		"ResourceNotFoundException")
	assert.Contains(t,
		x.try(oregon, "UpdateTable",
			`{"TableName":"songs","ReplicaUpdates":[{"Create":{"RegionName":"local"}}]}`),
		"Region local is not supported.")
}

func TestForkHasChangesOnTheWay(t *testing.T) {
	x := newGlobalTest(t, WithReplicationLag(time.Minute))
	x.create("songs", virginia, oregon)
	x.put(virginia, "a", "1")
	f := &globalTest{t, x.emulator.Fork(), nil}
	f.clock = f.emulator.Clock()
	x.put(virginia, "a", "2")
	f.clock.Advance(time.Minute)
	f.wantEverywhere("a", "1", oregon)
	x.wantEverywhere("a", "", oregon)
	x.clock.Advance(time.Minute)
	x.wantEverywhere("a", "2", oregon)
}

// TestOpenAgainReplicates: changes on their way to a replica arrive after a restart.
func TestOpenAgainReplicates(t *testing.T) {
	clock := NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	d := newDurableTest(t, WithHeldClock(clock), WithReplicationLag(time.Minute))
	x := &globalTest{t, d.emulator, clock}
	x.create("songs", virginia, oregon)
	x.put(virginia, "a", "1")
	x.put(oregon, "b", "1")
	x.remove(oregon, "b")
	clock.Advance(time.Second)
	x.put(oregon, "a", "2")
	d.reopen()
	x.emulator = d.emulator
	x.wantEverywhere("a", "1", virginia)
	clock.Advance(time.Minute)
	x.wantEverywhere("a", "2", virginia, oregon)
	x.wantEverywhere("b", "", virginia, oregon)
	d.reopen()
	x.emulator = d.emulator
	x.wantEverywhere("a", "2", virginia, oregon)
	assert.Zero(t, x.emulator.Replicate())
	x.put(virginia, "a", "3")
	clock.Advance(time.Minute)
	x.wantEverywhere("a", "3", virginia, oregon)
}

const strongWithWitness = `{"TableName":"songs","MultiRegionConsistency":"STRONG",
	"ReplicaUpdates":[{"Create":{"RegionName":"us-west-2"}}],"GlobalTableWitnessUpdates":[{"Create":{"RegionName":"us-east-2"}}]}`

// createStrong makes a global table with strong consistency, with replicas in Virginia and Oregon.
func (x *globalTest) createStrong() {
	x.Helper()
	x.create("songs", virginia)
	x.do(virginia, "UpdateTable", strongWithWitness)
}

func TestStrongConsistency(t *testing.T) {
	x := newGlobalTest(t, WithReplicationLag(time.Hour))
	x.createStrong()
	assert.Equal(t, `"STRONG"`, x.describe(oregon, "MultiRegionConsistency"))
	assert.Equal(t, `[{"RegionName":"us-east-2","WitnessStatus":"ACTIVE"}]`,
		x.describe(oregon, "GlobalTableWitnesses"))
	x.put(virginia, "a", "1")
	x.wantEverywhere("a", "1", virginia, oregon)
	x.put(oregon, "a", "2")
	x.wantEverywhere("a", "2", virginia, oregon)
	consistent := `{"TableName":"songs","Key":{"pk":{"S":"a"}},"ConsistentRead":true}`
	assert.Equal(t, `{"Item":{"pk":{"S":"a"},"v":{"S":"2"}}}`,
		x.do(virginia, "GetItem", consistent))

	f := x.emulator.AddFault(fault.Fault{Do: fault.PartitionRegion(oregon)})
	const isolated = "InternalServerError: The Region cannot reach the other Regions of the global table."
	assert.Equal(t, isolated, x.try(oregon, "GetItem", consistent))
	assert.Equal(t, isolated,
		x.try(oregon, "DeleteItem", `{"TableName":"songs","Key":{"pk":{"S":"a"}}}`))
	x.put(virginia, "a", "3")
	x.wantEverywhere("a", "2", oregon)
	f.Remove()
	x.wantEverywhere("a", "3", virginia, oregon)
	x.put(oregon, "a", "4")
	x.wantEverywhere("a", "4", virginia, oregon)
}

func TestStrongConsistencyRefuses(t *testing.T) {
	x := newGlobalTest(t)
	x.createStrong()
	for _, test := range []struct{ name, operation, body, want string }{
		{"a transaction", "TransactWriteItems",
			`{"TransactItems":[{"Delete":{"TableName":"songs","Key":{"pk":{"S":"a"}}}}]}`,
			"ValidationException: Transactional operations are not supported for global tables with multi-Region strong consistency"},
		{"TTL", "UpdateTimeToLive",
			`{"TableName":"songs","TimeToLiveSpecification":{"AttributeName":"t","Enabled":true}}`,
			"ValidationException: Time To Live is not supported for global tables with multi-Region strong consistency"},
		{"another replica", "UpdateTable",
			`{"TableName":"songs","ReplicaUpdates":[{"Create":{"RegionName":"eu-west-1"}}]}`,
			"ValidationException: Cannot add replicas to a global table with strong MultiRegionConsistency"},
		{"the end of the replica without the witness", "UpdateTable",
			`{"TableName":"songs","ReplicaUpdates":[{"Delete":{"RegionName":"us-west-2"}}]}`,
			"ValidationException: Update table delete operation does not include all witnesses."},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.want, x.try(virginia, test.operation, test.body))
		})
	}
	x.do(virginia, "UpdateTable",
		`{"TableName":"songs","ReplicaUpdates":[{"Delete":{"RegionName":"us-west-2"}}],"GlobalTableWitnessUpdates":[{"Delete":{"RegionName":"us-east-2"}}]}`)
	assert.Empty(t, x.describe(virginia, "MultiRegionConsistency"))
	x.put(virginia, "a", "1")
}

func TestReplicatedWriteConflict(t *testing.T) {
	x := newGlobalTest(t)
	x.createStrong()
	x.emulator.AddFault(fault.Fault{When: fault.First(1), Do: fault.ReplicatedWriteConflict()})
	const put = `{"TableName":"songs","Item":{"pk":{"S":"a"},"v":{"S":"1"}}}`
	assert.Contains(t, x.try(virginia, "PutItem", put), "ReplicatedWriteConflictException: ")
	x.wantEverywhere("a", "", virginia, oregon)
	x.do(virginia, "PutItem", put)
	x.wantEverywhere("a", "1", virginia, oregon)
}

// createLegacy makes a global table of version 2017.11.29.
func (x *globalTest) createLegacy(regions ...string) {
	x.Helper()
	group := ""
	for i, region := range regions {
		x.do(region, "CreateTable",
			tableRequest("songs", defs("pk"), keySchema("pk"), onDemandBilling,
				`"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}`))
		if i > 0 {
			group += ","
		}
		group += fmt.Sprintf(`{"RegionName":%q}`, region)
	}
	x.do(regions[0], "CreateGlobalTable",
		`{"GlobalTableName":"songs","ReplicationGroup":[`+group+`]}`)
}

func TestLegacyGlobalTable(t *testing.T) {
	x := newGlobalTest(t)
	x.createLegacy(virginia, oregon)
	x.put(virginia, "a", "1")
	const want = `{"Item":{"aws:rep:deleting":{"BOOL":false},"aws:rep:updateregion":{"S":"us-east-1"},"aws:rep:updatetime":{"N":"1767225600.000001"},"pk":{"S":"a"},"v":{"S":"1"}}}`
	for _, region := range []string{virginia, oregon} {
		assert.JSONEq(t, want,
			x.do(region, "GetItem", `{"TableName":"songs","Key":{"pk":{"S":"a"}}}`), region)
	}
	x.remove(oregon, "a")
	x.wantEverywhere("a", "", virginia, oregon)
	assert.Equal(t,
		`{"GlobalTables":[{"GlobalTableName":"songs","ReplicationGroup":[{"RegionName":"us-east-1"},{"RegionName":"us-west-2"}]}]}`, x.do(oregon, "ListGlobalTables", `{}`))
	assert.Equal(t, `{"GlobalTables":[]}`,
		x.do(oregon, "ListGlobalTables", `{"RegionName":"eu-west-1"}`))
	assert.Empty(t, x.describe(virginia, "GlobalTableVersion"))

	x.do(virginia, "UpdateGlobalTable",
		`{"GlobalTableName":"songs","ReplicaUpdates":[{"Delete":{"RegionName":"us-west-2"}}]}`)
	x.put(virginia, "b", "1")
	x.wantEverywhere("b", "", oregon)
	assert.Contains(t, x.try(oregon, "DescribeGlobalTable", `{"GlobalTableName":"songs"}`),
		"GlobalTableNotFoundException: ")
	assert.Contains(t,
		x.try(virginia, "UpdateGlobalTable",
			`{"GlobalTableName":"songs","ReplicaUpdates":[{"Create":{"RegionName":"us-east-1"}}]}`),
		"ReplicaAlreadyExistsException: ")
	assert.Contains(t,
		x.try(virginia, "UpdateGlobalTable",
			`{"GlobalTableName":"songs","ReplicaUpdates":[{"Delete":{"RegionName":"us-west-2"}}]}`),
		"ReplicaNotFoundException: ")
	assert.Contains(t,
		x.try(virginia, "UpdateGlobalTable",
			`{"GlobalTableName":"songs","ReplicaUpdates":[{"Create":{"RegionName":"eu-west-1"}}]}`),
		"TableNotFoundException: ")
}

func TestLegacyGlobalTableSettings(t *testing.T) {
	x := newGlobalTest(t)
	x.createLegacy(virginia, oregon)
	x.do(virginia,
		"UpdateGlobalTableSettings",
		`{"GlobalTableName":"songs","GlobalTableBillingMode":"PROVISIONED","GlobalTableProvisionedWriteCapacityUnits":7,
		"ReplicaSettingsUpdate":[{"RegionName":"us-west-2","ReplicaProvisionedReadCapacityUnits":9,"ReplicaTableClass":"STANDARD_INFREQUENT_ACCESS"},
			{"RegionName":"us-east-1","ReplicaProvisionedReadCapacityUnits":3,"ReplicaProvisionedReadCapacityAutoScalingSettingsUpdate":{"MinimumUnits":5,"MaximumUnits":10}}]}`)
	var out struct {
		ReplicaSettings []struct {
			RegionName                                        string
			ReplicaProvisionedReadCapacityUnits               int
			ReplicaProvisionedWriteCapacityUnits              int
			ReplicaTableClassSummary                          *struct{ TableClass string }
			ReplicaProvisionedReadCapacityAutoScalingSettings *struct{ MinimumUnits int }
		}
	}
	require.NoError(t,
		json.Unmarshal(
			[]byte(x.do(oregon, "DescribeGlobalTableSettings", `{"GlobalTableName":"songs"}`)),
			&out))
	require.Len(t, out.ReplicaSettings, 2)
	there, first := out.ReplicaSettings[0], out.ReplicaSettings[1]
	assert.Equal(t, []any{oregon, 9, 7, "STANDARD_INFREQUENT_ACCESS"},
		[]any{there.RegionName, there.ReplicaProvisionedReadCapacityUnits,
			there.ReplicaProvisionedWriteCapacityUnits, there.ReplicaTableClassSummary.TableClass})
	assert.Equal(t, []any{virginia, 5, 7, 5},
		[]any{first.RegionName, first.ReplicaProvisionedReadCapacityUnits,
			first.ReplicaProvisionedWriteCapacityUnits,
			first.ReplicaProvisionedReadCapacityAutoScalingSettings.MinimumUnits})
	assert.Contains(t,
		x.try(virginia, "UpdateGlobalTableSettings",
			`{"GlobalTableName":"songs","ReplicaSettingsUpdate":[{"RegionName":"eu-west-1"}]}`),
		"ReplicaNotFoundException: ")
	assert.Contains(t,
		x.try(virginia, "UpdateGlobalTableSettings",
			`{"GlobalTableName":"songs","GlobalTableGlobalSecondaryIndexSettingsUpdate":[{"IndexName":"none"}]}`), "IndexNotFoundException: ")
}

func TestReplicaAutoScaling(t *testing.T) {
	x := newGlobalTest(t)
	x.do(virginia, "CreateTable",
		tableRequest("songs", defs("pk"), keySchema("pk"),
			`"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}`))
	const add = `{"TableName":"songs","ReplicaUpdates":[{"Create":{"RegionName":"us-west-2"}}]}`
	assert.Equal(t,
		"ValidationException: Table write capacity should either be Pay-Per-Request or AutoScaled.",
		x.try(virginia, "UpdateTable", add))
	x.do(virginia,
		"UpdateTableReplicaAutoScaling",
		`{"TableName":"songs","ProvisionedWriteCapacityAutoScalingUpdate":{"MinimumUnits":5,"MaximumUnits":10,
		"ScalingPolicyUpdate":{"PolicyName":"p","TargetTrackingScalingPolicyConfiguration":{"TargetValue":70}}}}`)
	x.do(virginia, "UpdateTable", add)
	x.do(oregon,
		"UpdateTableReplicaAutoScaling",
		`{"TableName":"songs","ReplicaUpdates":[{"RegionName":"us-west-2","ReplicaProvisionedReadCapacityAutoScalingUpdate":{"MinimumUnits":20,"MaximumUnits":30,
		"ScalingPolicyUpdate":{"TargetTrackingScalingPolicyConfiguration":{"TargetValue":70}}}}]}`)
	var out struct {
		TableAutoScalingDescription struct {
			Replicas []struct {
				RegionName                                         string
				ReplicaProvisionedReadCapacityAutoScalingSettings  struct{ MinimumUnits int }
				ReplicaProvisionedWriteCapacityAutoScalingSettings struct {
					MinimumUnits, MaximumUnits int
				}
			}
		}
	}
	require.NoError(t,
		json.Unmarshal(
			[]byte(x.do(virginia, "DescribeTableReplicaAutoScaling", `{"TableName":"songs"}`)),
			&out))
	replicas := out.TableAutoScalingDescription.Replicas
	require.Len(t, replicas, 2)
	for _, r := range replicas {
		assert.Equal(t, 5, r.ReplicaProvisionedWriteCapacityAutoScalingSettings.MinimumUnits,
			r.RegionName)
		assert.Equal(t, r.RegionName == oregon,
			r.ReplicaProvisionedReadCapacityAutoScalingSettings.MinimumUnits > 0, r.RegionName)
	}
	assert.Contains(t, x.describe(oregon, "ProvisionedThroughput"),
		`"ReadCapacityUnits":20,"WriteCapacityUnits":5`)
}

func TestSettingsOfReplicas(t *testing.T) {
	x := newGlobalTest(t)
	x.create("songs", virginia, oregon)
	x.do(oregon, "UpdateTable",
		tableRequest("songs", defs("g"),
			updates(creates(index("idx", keySchema("g"), projectAll)))))
	assert.Contains(t, x.describe(virginia, "GlobalSecondaryIndexes"), `"IndexName":"idx"`)
	x.do(virginia, "UpdateTimeToLive",
		`{"TableName":"songs","TimeToLiveSpecification":{"AttributeName":"t","Enabled":true}}`)
	assert.Contains(t, x.do(oregon, "DescribeTimeToLive", `{"TableName":"songs"}`),
		`"AttributeName":"t"`)
	x.do(virginia, "UpdateTable", `{"TableName":"songs","DeletionProtectionEnabled":true}`)
	assert.Equal(t, "false", x.describe(oregon, "DeletionProtectionEnabled"))

	x.do(virginia, "UpdateTable",
		`{"TableName":"songs","ReplicaUpdates":[{"Update":{"RegionName":"us-west-2","TableClassOverride":"STANDARD_INFREQUENT_ACCESS","OnDemandThroughputOverride":{"MaxReadRequestUnits":5}}}]}`)
	assert.Contains(t, x.describe(oregon, "TableClassSummary"), "STANDARD_INFREQUENT_ACCESS")
	assert.Equal(t, `{"MaxReadRequestUnits":5}`, x.describe(oregon, "OnDemandThroughput"))
	assert.Contains(t, x.describe(virginia, "Replicas"),
		`"OnDemandThroughputOverride":{"MaxReadRequestUnits":5}`)
	assert.Empty(t, x.describe(virginia, "OnDemandThroughput"))
}

// TestExpiredItemsOfReplicas: the first region deletes, and only its stream says that the service
// did.
func TestExpiredItemsOfReplicas(t *testing.T) {
	x := newGlobalTest(t)
	x.create("songs", oregon, virginia)
	x.do(oregon, "UpdateTimeToLive",
		`{"TableName":"songs","TimeToLiveSpecification":{"AttributeName":"t","Enabled":true}}`)
	x.do(oregon, "PutItem",
		fmt.Sprintf(`{"TableName":"songs","Item":{"pk":{"S":"a"},"t":{"N":"%d"}}}`,
			x.clock.Now().Unix()))
	x.clock.Advance(time.Minute)
	assert.Equal(t, `{}`, x.do(oregon, "GetItem", `{"TableName":"songs","Key":{"pk":{"S":"a"}}}`))
	for region, want := range map[string][]bool{virginia: {false, true}, oregon: {false, false}} {
		a := x.emulator.service.Namespaces.BorrowOf("AKID", region)
		var expired []bool
		require.NoError(t, a.Store.View(func(tx *storage.Tx) error {
			s := tx.Streams().All()[0]
			tx.Streams().Changes(s, s.Shards()[0], 0, func(c *storage.Change) bool {
				expired = append(expired, c.Expired)
				return true
			})
			return nil
		}))
		a.GiveBack()
		assert.Equal(t, want, expired, region)
	}
}

func TestDisassociate(t *testing.T) {
	x := newGlobalTest(t, WithReplicationLag(time.Minute))
	x.create("songs", virginia, oregon)
	const leave = `{"TableName":"songs","ReplicaUpdates":[{"Disassociate":{"RegionName":"us-west-2","DisassociationMode":"WAIT_FOR_REPLICATION"}}]}`
	assert.Equal(t,
		"ValidationException: Replica cannot be disassociated as it is currently protected against disassociation. Disable disassociation protection first.", x.try(oregon, "UpdateTable", leave))
	x.do(oregon, "UpdateTable", `{"TableName":"songs","DisassociationProtectionEnabled":false}`)
	assert.Equal(t, "false", x.describe(oregon, "DisassociationProtectionEnabled"))
	assert.Equal(t, "true", x.describe(virginia, "DisassociationProtectionEnabled"))
	x.put(virginia, "a", "1")
	x.put(oregon, "b", "1")
	x.do(oregon, "UpdateTable", leave)
	x.wantEverywhere("a", "1", virginia, oregon)
	x.wantEverywhere("b", "1", virginia, oregon)
	assert.Empty(t, x.describe(oregon, "Replicas"))
	assert.Empty(t, x.describe(virginia, "Replicas"))
	x.put(virginia, "a", "2")
	x.clock.Advance(time.Hour)
	x.wantEverywhere("a", "1", oregon)
}
