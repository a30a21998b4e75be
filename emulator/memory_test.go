package emulator

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// memoryInUse returns how many bytes of objects are in use.
func memoryInUse() int64 {
	runtime.GC()
	runtime.GC() // what pools held
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// What TestDeletedTablesGiveBackMemory makes, and how many bytes may be in use after all was
// deleted: half a table. Streams and the recovery of a table take as much as its items or more.
const (
	deletedItemBytes = 50_000
	deletedItems     = 60
	deletedTables    = 2
	mostAfterDelete  = deletedItemBytes * deletedItems / 2
)

// deletedTable is a table that is filled, used and deleted.
type deletedTable struct {
	name    string
	members []string
	then    []string // requests when the items are there, with @ for the name of the table
	fork    bool     // a fork sees the table, and writes to it
	opts    []Option
}

const (
	deletedStream = `"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}`
	deletedIndex  = `"GlobalSecondaryIndexes":[{"IndexName":"all","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}]`

	deletedRecovery = `UpdateContinuousBackups {"TableName":"@","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}`
	deletedBackup   = `CreateBackup {"TableName":"@","BackupName":"backup"}`
	deletedChange   = `UpdateItem {"TableName":"@","Key":{"pk":{"S":"1"}},"UpdateExpression":"SET n = :n","ExpressionAttributeValues":{":n":{"N":"1"}}}`
	deletedTransfer = `TransactWriteItems {"ClientRequestToken":"@","TransactItems":[{"Put":{"TableName":"@","Item":{"pk":{"S":"t"}}}},{"Delete":{"TableName":"@","Key":{"pk":{"S":"2"}}}}]}`
)

// TestDeletedTablesGiveBackMemory: nothing holds what tables held that were deleted, when their
// backups are deleted, the forks have ended, and streams and recovery have run out. A journal has
// buffers of its own, with bounds of their own.
func TestDeletedTablesGiveBackMemory(t *testing.T) {
	for _, c := range []deletedTable{
		{name: "a table"},
		{name: "with an index", members: []string{deletedIndex}},
		{name: "with a stream", members: []string{deletedStream}},
		{name: "with a stream that was disabled", members: []string{deletedStream}, then: []string{
			`UpdateTable {"TableName":"@","StreamSpecification":{"StreamEnabled":false}}`}},
		{name: "with point-in-time recovery", then: []string{deletedRecovery, deletedChange}},
		{name: "that was read", then: []string{`Scan {"TableName":"@"}`,
			`ExecuteStatement {"Statement":"SELECT * FROM \"@\" WHERE pk = '1'"}`}},
		{name: "written by transactions", then: []string{deletedTransfer}},
		{name: "with insights", then: []string{
			`UpdateContributorInsights {"TableName":"@","ContributorInsightsAction":"ENABLE"}`,
			`GetItem {"TableName":"@","Key":{"pk":{"S":"1"}}}`}},
		{name: "with replicas", members: []string{deletedStream}, then: []string{
			`UpdateTable {"TableName":"@","ReplicaUpdates":[{"Create":{"RegionName":"us-west-2"}}]}`,
			deletedChange,
			`UpdateTable {"TableName":"@","ReplicaUpdates":[{"Delete":{"RegionName":"us-west-2"}}]}`}},
		{name: "whose deletion takes a minute",
			opts: []Option{WithTableDelays(0, 0, time.Minute)}},
		{name: "with a backup", then: []string{deletedBackup}},
		{name: "with a fork", fork: true},
		{name: "with everything", members: []string{deletedIndex, deletedStream}, fork: true,
			then: []string{deletedRecovery, deletedBackup, deletedChange, deletedTransfer}},
	} {
		t.Run(c.name, func(t *testing.T) {
			clock := NewClock(testTime)
			x := &requestTest{T: t, emulator: New(append(c.opts, WithHeldClock(clock))...)}
			round := func(n, itemBytes int) {
				c.use(x, fmt.Sprint("table", n), itemBytes)
				clock.Advance(40 * 24 * time.Hour) // nobody asks for anything after that
			}
			round(0, 100) // fills pools
			before := memoryInUse()
			for n := range deletedTables {
				round(n+1, deletedItemBytes)
			}
			assert.Less(t, memoryInUse()-before, int64(mostAfterDelete), "bytes")
			runtime.KeepAlive(x)
		})
	}
}

// use makes the table, fills, uses and deletes it, with its backups and forks.
func (c *deletedTable) use(x *requestTest, name string, itemBytes int) {
	succeed := func(operation, body string) string {
		answer := x.do(operation, strings.ReplaceAll(body, "@", name))
		require.True(x, strings.HasPrefix(answer, "{"), "%s: %s", operation, answer)
		return answer
	}
	attributes := []string{"pk"}
	if strings.Contains(strings.Join(c.members, ""), "IndexName") {
		attributes = append(attributes, "g")
	}
	succeed("CreateTable", tableRequest(name,
		append([]string{defs(attributes...), keySchema("pk"), onDemandBilling}, c.members...)...))
	for i := range deletedItems {
		succeed("PutItem", fmt.Sprintf(
			`{"TableName":%q,"Item":{"pk":{"S":"%d"},"g":{"S":"g"},"fill":{"S":%q}}}`, name, i,
			strings.Repeat("x", itemBytes)))
	}
	if c.fork {

		x.emulator.Delegate("FORK", x.emulator.ForkAs("AKIDEXAMPLE", "FORK"))
	}
	for _, r := range c.then {
		operation, body, _ := strings.Cut(r, " ")
		succeed(operation, body)
	}
	if c.fork {
		w := answerOf(x.emulator, rawRequest("DeleteItem",
			fmt.Sprintf(`{"TableName":%q,"Key":{"pk":{"S":"3"}}}`, name),
			scoped("FORK/20260102/us-east-1")))
		require.Equal(x, 200, w.Code, "%s", w.Body)
	}
	succeed("DeleteTable", `{"TableName":"@"}`)
	if c.fork {
		x.emulator.Delegate("FORK", nil)
	}
	var list struct {
		BackupSummaries []struct{ BackupArn string }
	}
	text := succeed("ListBackups", `{"BackupType":"USER"}`)
	require.NoError(x, json.Unmarshal([]byte(text), &list))
	for _, b := range list.BackupSummaries {
		succeed("DeleteBackup", fmt.Sprintf(`{"BackupArn":%q}`, b.BackupArn))
	}
}
