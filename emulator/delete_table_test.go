package emulator

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDeleteTable(t *testing.T) {
	x := newTableTest(t)
	x.create("table", defs("pk"), keySchema("pk"), fiveUnits, `"DeletionProtectionEnabled":true`)
	x.ok("PutItem", `{"TableName":"table","Item":{"pk":{"S":"1"}}}`)
	x.fails("DeleteTable", `{"TableName":"table"}`,
		"ValidationException: Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.")
	id := x.table("table", "TableId")
	x.ok("UpdateTable", `{"TableName":"table","DeletionProtectionEnabled":false}`)
	const arn = "arn:aws:dynamodb:us-east-1:000000000000:table/table"
	assert.JSONEq(
		t, `{"TableDescription":{"TableName":"table","TableStatus":"DELETING","TableId":`+
			id+`,"TableArn":"`+arn+`",
		"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":5,"WriteCapacityUnits":5},
		"ItemCount":1,"TableSizeBytes":3,"DeletionProtectionEnabled":false}}`,
		x.ok("DeleteTable", `{"TableName":"`+arn+`"}`))
	x.fails("DescribeTable", `{"TableName":"table"}`,
		"ResourceNotFoundException: Requested resource not found: Table: table not found")
	x.fails("DeleteTable", `{"TableName":"table"}`,
		"ResourceNotFoundException: Requested resource not found: Table: table not found")
}
