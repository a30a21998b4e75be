package emulator

import (
	"strings"
	"testing"
)

// TestItemRefusals has refusals of requests on items that no source confirms, and which package
// conformance therefore does not have.
func TestItemRefusals(t *testing.T) {
	x := newReadTest(t)
	x.put("indexed", `{"pk":{"S":"a"},"sk":{"S":"a"},"long":{"S":"`+strings.Repeat("x", 2049)+`"}}`)
	x.refused([]attempt{
		{"a batch's names without expressions", "BatchGetItem",
			`{"RequestItems":{"nosuch":{"Keys":[{"pk":{"S":"a"}}],"ExpressionAttributeNames":{"#a":"a"}}}}`,
			namesWithoutExpression},
		{"an update to an index key that is too long", "UpdateItem",
			`{"TableName":"indexed","Key":{"pk":{"S":"a"},"sk":{"S":"a"}},"UpdateExpression":"SET gh = #l","ExpressionAttributeNames":{"#l":"long"}}`,
			"ValidationException: The update expression attempted to update the secondary index key beyond allowed size limits"},
		{"a query's names without expressions", "Query",
			legacyKeyed("reads", `,"ExpressionAttributeNames":{"#a":"a"}`, `pk EQ {"S":"p"}`),
			namesWithoutExpression},
		{"a query's long partition key", "Query",
			keyed("reads", "", "pk = :p", `":p":{"S":"`+strings.Repeat("p", 2049)+`"}`, ""),
			invalidValues + "Size of hashkey has exceeded the maximum size limit of2048 bytes"},
		{"a query's long sort key", "Query",
			keyed("reads", "lkeys", "pk = :p AND ls = :s",
				`":p":{"S":"p"},":s":{"S":"`+strings.Repeat("p", 1025)+`"}`, ""),
			invalidValues +
				"Size limit exceeded for Index Key ls Actual Size: 1025 bytes Max Size: 1024 bytes IndexName: lkeys"},
		{"a query's long upper bound", "Query",
			keyed("reads", "lkeys", "pk = :p AND ls BETWEEN :p AND :s",
				`":p":{"S":"p"},":s":{"S":"`+strings.Repeat("q", 1025)+`"}`, ""),
			invalidValues +
				"Size limit exceeded for Index Key ls Actual Size: 1025 bytes Max Size: 1024 bytes IndexName: lkeys"},
		{"a filter on the index's sort key", "Query",
			keyed("reads", "lkeys", "pk = :p", `":p":{"S":"p"}`,
				`,"FilterExpression":"attribute_exists(ls)"`),
			"ValidationException: Filter Expression can only contain non-primary key attributes: Primary key attribute: ls"},
		{"AttributesToGet beside ALL_PROJECTED_ATTRIBUTES", "Query",
			legacyKeyed("reads", `,"Select":"ALL_PROJECTED_ATTRIBUTES","IndexName":"lkeys","AttributesToGet":["a"]`,
				`pk EQ {"S":"p"}`),
			"ValidationException: 1 validation error detected: Cannot specify the AttributesToGet when choosing to get ALL_PROJECTED_ATTRIBUTES"},
		{"a legacy filter's empty value", "Query",
			legacyKeyed("reads",
				`,"QueryFilter":{"a":{"ComparisonOperator":"EQ","AttributeValueList":[{}]}}`, `pk EQ {"S":"p"}`),
			"ValidationException: Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
		{"a scan's start key with an empty value", "Scan",
			`{"TableName":"reads","ExclusiveStartKey":{"pk":{"S":""},"sk":{"N":"1"}}}`,
			startWrong + ": " + strings.TrimPrefix(emptyKey, "ValidationException: ") + "pk"},
	})
}

// TestTableRefusals is TestItemRefusals for tables.
func TestTableRefusals(t *testing.T) {
	x := newTableTest(t)
	x.create("plain", oneKey, onDemandBilling)
	x.create("demand", defs("pk", "a"), keySchema("pk"), onDemandBilling,
		globals(index("idx", keySchema("a"), projectAll), index("two", keySchema("a"), projectAll)))
	x.create("units", defs("pk", "a"), keySchema("pk"), throughput(5, 3),
		globals(index("idx", keySchema("a"), projectAll, fiveUnits)))
	x.refused([]attempt{
		newTable("read units out of bounds",
			"ValidationException: Given value 1000000000001 for ReadCapacityUnits is out of bounds",
			oneKey, throughput(1000000000001, 1)),
		newTable("write units out of bounds of an index",
			"ValidationException: Given value 1000000000001 for WriteCapacityUnits is out of bounds for index idx",
			oneKey, fiveUnits,
			globals(index("idx", keySchema("pk"), projectAll, throughput(1, 1000000000001)))),
		newTable("more units than an index may have",
			"LimitExceededException: The requested WriteCapacityUnits for index idx, 40001, is above the per index maximum for the account in us-east-1. "+
				"Per table maximum: 40000. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.",
			oneKey, throughput(1, 40000),
			globals(index("idx", keySchema("pk"), projectAll, throughput(1, 40001)))),
		newTable("maximum throughput of 0",
			invalidValues+"Requested MaxWriteRequestUnits for OnDemandThroughput for table is outside of valid range",
			oneKey, onDemandBilling,
			`"OnDemandThroughput":{"MaxReadRequestUnits":5,"MaxWriteRequestUnits":0}`),
		newTable("warm throughput below what is provisioned",
			invalidValues+"Requested WriteUnitsPerSecond for WarmThroughput for table is lower than WriteCapacityUnits of ProvisionedThroughput",
			oneKey, fiveUnits, `"WarmThroughput":{"ReadUnitsPerSecond":5,"WriteUnitsPerSecond":4}`),
		newTable("tag twice",
			"ValidationException: Duplicate Tag Keys provided as input: Duplicate Tag Key found x",
			oneKey, onDemandBilling, `"Tags":[{"Key":"x","Value":"1"},{"Key":"x","Value":"2"}]`),
		newTable("51 tags",
			"ValidationException: Number of Tags exceed the current limit for the provided ResourceArn",
			oneKey, onDemandBilling,
			`"Tags":[`+strings.Join(numbered(51, `{"Key":"k%d","Value":"v"}`), ",")+`]`),
		newTable("source of another account without accounts",
			invalidValues+"GlobalTableSourceArn without accounts (--iam) is not supported",
			`"GlobalTableSourceArn":"arn:aws:dynamodb:us-west-2:111122223333:table/table"`,
			`"GlobalTableSettingsReplicationMode":"ENABLED"`),
		newTable("no vector indexes", invalidValues+"List of VectorIndexes is empty",
			oneKey, onDemandBilling, `"VectorIndexes":[]`),
		change("throughput out of bounds", "units",
			"ValidationException: Given value 1000000000001 for ReadCapacityUnits is out of bounds",
			throughput(1000000000001, 1)),
		change("PROVISIONED without throughput of the indexes", "demand",
			invalidValues+"ProvisionedThroughput must be specified for index: idx,two",
			`"BillingMode":"PROVISIONED"`, fiveUnits),
		change("an attribute that neither the request nor the table defines", "plain", invalidValues+
			"Some index key attributes are not defined in AttributeDefinitions. Keys: [m], AttributeDefinitions: [n, pk]",
			defs("n"), updates(creates(index("new", keySchema("m"), projectAll)))),
		change("index without a projection type", "plain",
			invalidValues+"Unknown ProjectionType: null",
			defs("n"), updates(creates(index("new", keySchema("n"), `"Projection":{}`)))),
		{"tags of an index", "TagResource",
			`{"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/plain/index/idx","Tags":[{"Key":"a","Value":"1"}]}`,
			invalidValues +
				"Invalid resource arn provided, only table or stream is accepted. Provided resource arn: arn:aws:dynamodb:us-east-1:000000000000:table/plain/index/idx"},
	})
}

// TestUpdateTableChangesAllOrNothing: a request whose last step is refused has changed nothing.
func TestUpdateTableChangesAllOrNothing(t *testing.T) {
	x := newTableTest(t)
	x.create("plain", oneKey, onDemandBilling)
	x.create("units", defs("pk", "a"), keySchema("pk"), throughput(5, 3),
		globals(index("idx", keySchema("a"), projectAll, fiveUnits)))
	const provisioned = invalidValues + "MaxReadRequestUnits for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED"
	x.refused([]attempt{
		change("a step after a changed index fails", "units", provisioned,
			updates(changes("idx", throughput(9, 9))),
			`"OnDemandThroughput":{"MaxReadRequestUnits":1}`),
		change("a step after a deleted index fails", "units", provisioned,
			updates(deletes("idx")), `"OnDemandThroughput":{"MaxReadRequestUnits":1}`),
		change("a step after a created index fails", "plain",
			invalidValues+"Requested MaxReadRequestUnits for OnDemandThroughput for table is outside of valid range",
			defs("n"), updates(newIndex), `"OnDemandThroughput":{"MaxReadRequestUnits":0}`),
	})
}

// newTable is a CreateTable that fails.
func newTable(name, want string, members ...string) attempt {
	return attempt{name, "CreateTable", tableRequest("table", members...), want}
}

// change is an UpdateTable that fails.
func change(name, table, want string, members ...string) attempt {
	return attempt{name, "UpdateTable", tableRequest(table, members...), want}
}
