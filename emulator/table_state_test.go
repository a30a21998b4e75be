package emulator

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage"
)

const (
	notFound = noSuchTable
	inUse    = "ResourceInUseException: Attempt to change a resource which is still in use: "
	getItem1 = `{"TableName":"table","Key":{"pk":{"S":"1"}}}`
)

// slowTableTest is one in which creating takes 10 seconds, updating 20 and deleting 30.
func slowTableTest(t *testing.T) *requestTest {
	return newTableTest(t, WithTableDelays(10*time.Second, 20*time.Second, 30*time.Second))
}

func TestTableStatesOfCreation(t *testing.T) {
	x := slowTableTest(t)
	create := tableRequest("table", defs("pk"), keySchema("pk"), onDemandBilling,
		globals(index("idx", keySchema("pk"), projectAll)))
	x.ok("CreateTable", create)
	x.now = x.now.Add(10*time.Second - 1)
	assert.Equal(t, `"CREATING"`, x.table("table", "TableStatus"))
	assert.Equal(t, `"CREATING"`, x.table("table", "GlobalSecondaryIndexes", 0, "IndexStatus"))
	assert.Empty(t, x.table("table", "GlobalSecondaryIndexes", 0, "Backfilling"))
	x.fails("GetItem", getItem1, notFound)
	x.fails("CreateTable", create, inUse+"Table is being created: table")
	x.fails("DeleteTable", `{"TableName":"table"}`, inUse+"Table is being created: table")
	x.fails("UpdateTable", `{"TableName":"table","DeletionProtectionEnabled":true}`,
		inUse+"Table is being created: table")

	x.now = x.now.Add(1)
	assert.Equal(t, `"ACTIVE"`, x.table("table", "TableStatus"))
	assert.Equal(t, `"ACTIVE"`, x.table("table", "GlobalSecondaryIndexes", 0, "IndexStatus"))
	assert.Equal(t, `{}`, x.ok("GetItem", getItem1))
	x.fails("CreateTable", create, "ResourceInUseException: Table already exists: table")
}

func TestTableStatesOfUpdates(t *testing.T) {
	x := slowTableTest(t)
	x.create("table", defs("pk"), keySchema("pk"), onDemandBilling)
	x.now = x.now.Add(10 * time.Second)
	x.ok("UpdateTable",
		tableRequest("table", defs("a"),
			updates(creates(index("idx", keySchema("a"), projectAll)))))
	status := func() string { return x.table("table", "GlobalSecondaryIndexes", 0, "IndexStatus") }
	const query = `{"TableName":"table","IndexName":"idx","KeyConditionExpression":"a = :a","ExpressionAttributeValues":{":a":{"S":"1"}}}`

	x.now = x.now.Add(20*time.Second - 1)
	assert.Equal(t, `"UPDATING"`, x.table("table", "TableStatus"))
	assert.Equal(t, `"CREATING"`, status())
	assert.Equal(t, `false`, x.table("table", "GlobalSecondaryIndexes", 0, "Backfilling"))
	assert.Equal(t, `{}`, x.ok("GetItem", getItem1), "a table that is being updated is available")
	x.ok("UpdateTable", `{"TableName":"table","DeletionProtectionEnabled":true}`)
	x.ok("UpdateTable", `{"TableName":"table","DeletionProtectionEnabled":false}`)
	x.fails("UpdateTable",
		tableRequest("table",
			updates(changes("idx", `"OnDemandThroughput":{"MaxReadRequestUnits":1}`))),
		inUse+"Index is being created but is not backfilling yet.  Table: table Index: idx")
	x.fails("DeleteTable", `{"TableName":"table"}`,
		inUse+"Cannot delete table while indexes are being created, updated, or deleted.")
	x.fails("Query", query,
		"ValidationException: Cannot read from backfilling global secondary index: idx")

	x.now = x.now.Add(1)
	assert.Equal(t, `"ACTIVE"`, x.table("table", "TableStatus"))
	assert.Equal(t, `"CREATING"`, status())
	assert.Equal(t, `true`, x.table("table", "GlobalSecondaryIndexes", 0, "Backfilling"))
	x.fails("UpdateTable",
		tableRequest("table", defs("b"),
			updates(creates(index("two", keySchema("b"), projectAll)))),
		"LimitExceededException: Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table")
	x.ok("UpdateTable",
		tableRequest("table",
			updates(changes("idx", `"OnDemandThroughput":{"MaxReadRequestUnits":1}`))))
	assert.Equal(t, `"CREATING"`, status())

	x.now = x.now.Add(20 * time.Second)
	assert.Equal(t, `"ACTIVE"`, status())
	assert.Empty(t, x.table("table", "GlobalSecondaryIndexes", 0, "Backfilling"),
		"of an active index")
	x.ok("Query", query)

	x.ok("UpdateTable", tableRequest("table", updates(deletes("idx"))))
	x.now = x.now.Add(20*time.Second - 1)
	assert.Equal(t, `"DELETING"`, status())
	x.fails("Query", query, "ValidationException: The table does not have the specified index: idx")
	x.now = x.now.Add(1)
	assert.Empty(t, x.table("table", "GlobalSecondaryIndexes"))
}

func TestTableStatesOfAnIndexGivenUp(t *testing.T) {
	x := slowTableTest(t)
	x.create("table", defs("pk"), keySchema("pk"), onDemandBilling)
	x.now = x.now.Add(10 * time.Second)
	x.ok("UpdateTable",
		tableRequest("table", defs("a"),
			updates(creates(index("idx", keySchema("a"), projectAll)))))
	x.now = x.now.Add(20 * time.Second)
	x.ok("UpdateTable", tableRequest("table", updates(deletes("idx"))))
	assert.Equal(t, `"DELETING"`, x.table("table", "GlobalSecondaryIndexes", 0, "IndexStatus"))
	x.now = x.now.Add(20 * time.Second)
	assert.Empty(t, x.table("table", "GlobalSecondaryIndexes"))
}

func TestTableStatesOfDeletion(t *testing.T) {
	x := slowTableTest(t)
	create := tableRequest("table", defs("pk"), keySchema("pk"), onDemandBilling)
	x.ok("CreateTable", create)
	x.now = x.now.Add(10 * time.Second)
	id := x.table("table", "TableId")
	x.ok("DeleteTable", `{"TableName":"table"}`)
	x.now = x.now.Add(30*time.Second - 1)
	assert.Equal(t, `"DELETING"`, x.table("table", "TableStatus"))
	assert.Equal(t, id, x.table("table", "TableId"))
	assert.Empty(t, x.table("table", "KeySchema"))
	assert.JSONEq(t, `{"TableNames":["table"]}`, x.ok("ListTables", `{}`))
	x.fails("DeleteTable", `{"TableName":"table"}`, inUse+"Table is being deleted: table")
	x.fails("GetItem", getItem1, notFound)
	x.fails("CreateTable", create, "ResourceInUseException: Table already exists: table")
	x.fails("UpdateTable", `{"TableName":"table","DeletionProtectionEnabled":true}`,
		inUse+"Table is being deleted: table")

	x.now = x.now.Add(1)
	const gone = notFound + ": Table: table not found"
	x.fails("DescribeTable", `{"TableName":"table"}`, gone)
	x.fails("DeleteTable", `{"TableName":"table"}`, gone)
	x.fails("GetItem", getItem1, notFound)
	assert.JSONEq(t, `{"TableNames":[]}`, x.ok("ListTables", `{}`))
	x.ok("CreateTable", create)
	x.now = x.now.Add(10 * time.Second)
	assert.NotEqual(t, id, x.table("table", "TableId"))
}

func TestTableStatesFreeWhatIsGone(t *testing.T) {
	x := slowTableTest(t)
	x.create("gone", defs("pk"), keySchema("pk"), onDemandBilling)
	x.now = x.now.Add(10 * time.Second)
	x.ok("DeleteTable", `{"TableName":"gone"}`)
	x.now = x.now.Add(30 * time.Second)
	x.create("another", defs("pk"), keySchema("pk"), onDemandBilling)
	require.NoError(t, x.account().Store.View(func(tx *storage.Tx) error {
		assert.Equal(t, []string{"another"}, tx.Tables().Names())
		return nil
	}))
}
