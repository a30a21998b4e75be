package emulator

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
)

const (
	badParams = "ValidationException: One or more parameter values were invalid: "
	badSchema = "ValidationException: Invalid KeySchema: "
)

// oneKey and twoKeys are the schemas of tables.
var (
	oneKey  = defs("pk") + "," + keySchema("pk")
	twoKeys = defs("pk", "sk") + "," + keySchema("pk", "sk")
)

// refusals collects requests of an operation that fail.
type refusals struct {
	op, table string
	attempts  []attempt
}

func (r *refusals) bad(name, want string, members ...string) {
	r.attempts = append(r.attempts, attempt{name, r.op, tableRequest(r.table, members...), want})
}

func TestCreateTableRefusesNames(t *testing.T) {
	x := newTableTest(t)
	x.create("taken", oneKey, onDemandBilling)
	x.run([]attempt{
		{"a table that exists", "CreateTable", tableRequest("taken", oneKey, onDemandBilling),
			"ResourceInUseException: Table already exists: taken"},
		{"a short name", "CreateTable", tableRequest("ab", oneKey, onDemandBilling),
			badName("ab", nameTooShort)},
		{"a bad character in the name", "CreateTable",
			tableRequest("a/bc", oneKey, onDemandBilling), badName("a/bc", namePattern)},
		{"an ARN", "CreateTable",
			tableRequest("arn:aws:dynamodb:us-east-1:000000000000:table/new", oneKey,
				onDemandBilling),
			badName("arn:aws:dynamodb:us-east-1:000000000000:table/new", namePattern)},
	})
}

func TestCreateTableRefusesThroughput(t *testing.T) {
	r := refusals{op: "CreateTable", table: "table"}
	r.bad("no throughput",
		badParams+"ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED", oneKey)
	r.bad("PROVISIONED without throughput",
		badParams+"ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED",
		oneKey, `"BillingMode":"PROVISIONED"`)
	r.bad("PAY_PER_REQUEST with throughput",
		badParams+"Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST",
		oneKey, onDemandBilling, fiveUnits)
	r.bad("read units out of bounds",
		"ValidationException: Given value 1000000000001 for ReadCapacityUnits is out of bounds",
		oneKey, throughput(1000000000001, 1))
	r.bad("write units out of bounds of an index",
		"ValidationException: Given value 1000000000001 for WriteCapacityUnits is out of bounds for index idx",
		oneKey, fiveUnits,
		globals(index("idx", keySchema("pk"), projectAll, throughput(1, 1000000000001))))
	r.bad("more units than a table may have",
		"LimitExceededException: The requested ReadCapacityUnits, 40001, is above the per table maximum for the account in us-east-1. "+
			"Per table maximum: 40000. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.",
		oneKey, throughput(40001, 1))
	r.bad("more units than an index may have",
		"LimitExceededException: The requested WriteCapacityUnits for index idx, 40001, is above the per index maximum for the account in us-east-1. "+
			"Per table maximum: 40000. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.",
		oneKey, throughput(1, 40000),
		globals(index("idx", keySchema("pk"), projectAll, throughput(1, 40001))))
	r.bad("index without throughput",
		badParams+"ProvisionedThroughput is not specified for index: idx",
		oneKey, fiveUnits, globals(index("idx", keySchema("pk"), projectAll)))
	r.bad("index with throughput in a PAY_PER_REQUEST table",
		badParams+"ProvisionedThroughput should not be specified for index: idx when BillingMode is PAY_PER_REQUEST",
		oneKey, onDemandBilling, globals(index("idx", keySchema("pk"), projectAll, fiveUnits)))
	r.bad("maximum throughput of a PROVISIONED table",
		badParams+"MaxReadRequestUnits for OnDemandThroughput cannot be specified when table BillingMode is PROVISIONED.",
		oneKey, fiveUnits, `"OnDemandThroughput":{"MaxReadRequestUnits":5}`)
	r.bad("maximum throughput of 0",
		badParams+"Requested MaxWriteRequestUnits for OnDemandThroughput for table is outside of valid range",
		oneKey, onDemandBilling,
		`"OnDemandThroughput":{"MaxReadRequestUnits":5,"MaxWriteRequestUnits":0}`)
	r.bad("maximum throughput of -1, which no table has yet",
		badParams+"Requested MaxReadRequestUnits for OnDemandThroughput for table is outside of valid range",
		oneKey, onDemandBilling, `"OnDemandThroughput":{"MaxReadRequestUnits":-1}`)
	r.bad("warm throughput below what there is",
		badParams+"Requested ReadUnitsPerSecond for WarmThroughput for table is lower than initial throughput for OnDemand. See: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial",
		oneKey, onDemandBilling, `"WarmThroughput":{"ReadUnitsPerSecond":11999}`)
	r.bad("warm throughput below what is provisioned",
		badParams+"Requested WriteUnitsPerSecond for WarmThroughput for table is lower than WriteCapacityUnits of ProvisionedThroughput",
		oneKey, fiveUnits, `"WarmThroughput":{"ReadUnitsPerSecond":5,"WriteUnitsPerSecond":4}`)
	newTableTest(t).run(r.attempts)
}

func TestCreateTableRefusesKeys(t *testing.T) {
	r := refusals{op: "CreateTable", table: "table"}
	r.bad("no key schema",
		"ValidationException: 1 validation error detected: Value null at 'keySchema' failed to satisfy constraint: Member must not be null",
		defs("pk"), onDemandBilling)
	r.bad("neither key schema nor definitions",
		"ValidationException: 2 validation errors detected: "+
			"Value null at 'attributeDefinitions' failed to satisfy constraint: Member must not be null; "+
			"Value null at 'keySchema' failed to satisfy constraint: Member must not be null",
		onDemandBilling)
	r.bad("an attribute defined twice", "ValidationException: Attribute Name is duplicated: pk",
		defs("pk", "pk:N"), keySchema("pk"), onDemandBilling)
	r.bad("the first key is RANGE", badSchema+"The first KeySchemaElement is not a HASH key type",
		defs("pk", "sk"), keySchema("pk:RANGE", "sk:HASH"), onDemandBilling)
	r.bad("the second key is HASH", badSchema+"The second KeySchemaElement is not a RANGE key type",
		defs("pk", "sk"), keySchema("pk", "sk:HASH"), onDemandBilling)
	r.bad("two sort keys of the table",
		"ValidationException: 1 validation error detected: Value '["+
			"com.amazonaws.dynamodb.v20120810.KeySchemaElement@e0d16944, com.amazonaws.dynamodb.v20120810.KeySchemaElement@a2bf999f, "+
			"com.amazonaws.dynamodb.v20120810.KeySchemaElement@f812acba]' at 'keySchema' failed to satisfy constraint: Member must have length less than or equal to 2",
		defs("pk", "a", "b"), keySchema("pk", "a", "b"), onDemandBilling)
	r.bad("the same attribute twice in the key",
		"ValidationException: Both the Hash Key and the Range Key element in the KeySchema have the same name",
		defs("pk", "sk"), keySchema("pk", "pk"), onDemandBilling)
	r.bad("partition key not defined",
		badParams+"Some index key attributes are not defined in AttributeDefinitions. Keys: [pk], AttributeDefinitions: [id]",
		defs("id"), keySchema("pk"), onDemandBilling)
	r.bad("sort key not defined", badSchema+"Some index key attribute have no definition",
		defs("pk"), keySchema("pk", "sk"), onDemandBilling)
	r.bad("more definitions than keys",
		badParams+"Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions",
		defs("pk", "sk"), keySchema("pk"), onDemandBilling)
	r.bad("more definitions than keys of table and index",
		badParams+"Some AttributeDefinitions are not used. AttributeDefinitions: [a, b, pk], keys used: [a, pk]",
		defs("pk", "a", "b"), keySchema("pk"), onDemandBilling,
		globals(index("idx", keySchema("a"), projectAll)))
	newTableTest(t).run(r.attempts)
}

func TestCreateTableRefusesIndexes(t *testing.T) {
	r := refusals{op: "CreateTable", table: "table"}
	r.bad("local index without a sort key of the table",
		badParams+"Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex",
		oneKey, onDemandBilling, locals(index("idx", keySchema("pk"), projectAll)))
	r.bad("no local indexes", badParams+"List of LocalSecondaryIndexes is empty", twoKeys,
		onDemandBilling, locals())
	r.bad("no global indexes", badParams+"List of GlobalSecondaryIndexes is empty", twoKeys,
		onDemandBilling, globals())
	r.bad("six local indexes",
		badParams+"Number of LocalSecondaryIndexes exceeds per-table limit of 5",
		twoKeys, onDemandBilling,
		locals(numbered(6, index("idx%d", keySchema("pk", "sk"), projectAll))...))
	r.bad("21 global indexes",
		badParams+"GlobalSecondaryIndex count exceeds the per-table limit of 20",
		twoKeys, onDemandBilling,
		globals(numbered(21, index("idx%d", keySchema("pk", "sk"), projectAll))...))
	r.bad("local index without a sort key",
		badParams+"Index KeySchema does not have a range key for index: idx",
		twoKeys, onDemandBilling, locals(index("idx", keySchema("pk"), projectAll)))
	r.bad("local index with another partition key",
		badParams+"Index KeySchema does not have the same leading hash key as table KeySchema for index: idx. index hash key: sk, table hash key: pk",
		twoKeys, onDemandBilling, locals(index("idx", keySchema("sk", "pk"), projectAll)))
	r.bad("local index with two sort keys",
		"ValidationException: 1 validation error detected: Value '["+
			"com.amazonaws.dynamodb.v20120810.KeySchemaElement@e0d16944, com.amazonaws.dynamodb.v20120810.KeySchemaElement@3ce25c80, "+
			"com.amazonaws.dynamodb.v20120810.KeySchemaElement@a2bf999f]' at 'localSecondaryIndexes.1.member.keySchema' "+
			"failed to satisfy constraint: Member must have length less than or equal to 2",
		defs("pk", "sk", "a"), keySchema("pk", "sk"), onDemandBilling,
		locals(index("idx", keySchema("pk", "sk", "a"), projectAll)))
	r.bad("global index with its first key RANGE",
		badSchema+"The first KeySchemaElement is not a HASH key type",
		oneKey, onDemandBilling, globals(index("idx", keySchema("pk:RANGE"), projectAll)))
	r.bad("global index with HASH after RANGE",
		badParams+"All HASH key attributes must precede RANGE key attributes in the KeySchema",
		defs("pk", "a", "b"), keySchema("pk"), onDemandBilling,
		globals(index("idx", keySchema("pk", "a", "b:HASH"), projectAll)))
	r.bad("global index with five HASH attributes",
		badParams+"The KeySchema exceeds the maximum allowed number of HASH key attributes",
		defs("pk", "a", "b", "c", "d"), keySchema("pk"), onDemandBilling,
		globals(index("idx", keySchema("pk", "a:HASH", "b:HASH", "c:HASH", "d:HASH"), projectAll)))
	r.bad("global index with five RANGE attributes",
		badParams+"The KeySchema exceeds the maximum allowed number of RANGE key attributes",
		defs("pk", "a", "b", "c", "d", "e"), keySchema("pk"), onDemandBilling,
		globals(index("idx", keySchema("pk", "a", "b", "c", "d", "e"), projectAll)))
	r.bad("global index with a key not defined",
		badParams+"Some index key attributes are not defined in AttributeDefinitions. Keys: [a], AttributeDefinitions: [pk]",
		oneKey, onDemandBilling, globals(index("idx", keySchema("a"), projectAll)))
	// service facts F.32
	r.bad("global index with more keys than there are definitions",
		"ValidationException: Invalid KeySchema: Some index key attribute have no definition",
		oneKey, onDemandBilling, globals(index("idx", keySchema("a", "b"), projectAll)))
	r.bad("two indexes of one name", badParams+"Duplicate index name: idx",
		twoKeys, onDemandBilling, locals(index("idx", keySchema("pk", "sk"), projectAll)),
		globals(index("idx", keySchema("pk"), projectAll)))
	newTableTest(t).run(r.attempts)
}

func TestCreateTableRefusesProjections(t *testing.T) {
	r := refusals{op: "CreateTable", table: "table"}
	r.bad("no projection type", badParams+"Unknown ProjectionType: null", oneKey, onDemandBilling,
		globals(index("idx", keySchema("pk"), `"Projection":{}`)))
	r.bad("ALL with attributes",
		badParams+"ProjectionType is ALL, but NonKeyAttributes is specified",
		oneKey, onDemandBilling,
		globals(index("idx", keySchema("pk"),
			`"Projection":{"ProjectionType":"ALL","NonKeyAttributes":["a"]}`)))
	r.bad("KEYS_ONLY with attributes",
		badParams+"ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified",
		twoKeys, onDemandBilling,
		locals(index("idx", keySchema("pk", "sk"),
			`"Projection":{"ProjectionType":"KEYS_ONLY","NonKeyAttributes":["a"]}`)))
	r.bad("INCLUDE without attributes",
		badParams+"ProjectionType is INCLUDE, but NonKeyAttributes is not specified",
		oneKey, onDemandBilling,
		globals(index("idx", keySchema("pk"), `"Projection":{"ProjectionType":"INCLUDE"}`)))
	included := `"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["` +
		strings.Join(numbered(17, "a%d"), `","`) + `"]}`
	r.bad("102 projected attributes",
		badParams+"NonKeyAttributes count exceeds the per-table limit of 100",
		oneKey, onDemandBilling, globals(numbered(6, index("idx%d", keySchema("pk"), included))...))
	newTableTest(t).run(r.attempts)
}

func TestCreateTableRefusesFeatures(t *testing.T) {
	r := refusals{op: "CreateTable", table: "table"}
	r.bad("stream without a view",
		badParams+"Table is being created with a stream enabled, UpdateViewType is required",
		oneKey, onDemandBilling, `"StreamSpecification":{"StreamEnabled":true}`)
	r.bad("view of a disabled stream",
		badParams+"Table is being created with a stream disabled, UpdateViewType should not be specified",
		oneKey, onDemandBilling,
		`"StreamSpecification":{"StreamEnabled":false,"StreamViewType":"NEW_IMAGE"}`)
	r.bad("encryption without KMS", badParams+"SSEType AES256 is not supported", oneKey,
		onDemandBilling, `"SSESpecification":{"Enabled":true,"SSEType":"AES256"}`)
	r.bad("key without type", badParams+"SSEType KMS is required if KMSMasterKeyId is specified",
		oneKey, onDemandBilling,
		`"SSESpecification":{"Enabled":true,"KMSMasterKeyId":"alias/mine"}`)
	r.bad("empty key",
		"ValidationException: 1 validation error detected: Value '' at 'sSESpecification.kMSMasterKeyId' failed to satisfy constraint: "+
			"Member must have length greater than or equal to 1", oneKey, onDemandBilling,
		`"SSESpecification":{"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":""}`)
	r.bad("type without encryption", badParams+"SSEType can not be specified if Enabled is false",
		oneKey, onDemandBilling, `"SSESpecification":{"Enabled":false,"SSEType":"KMS"}`)
	r.bad("reserved tag", "ValidationException: Tag Key cannot be prefixed with aws:, Key: aws:x",
		oneKey, onDemandBilling, `"Tags":[{"Key":"aws:x","Value":"y"}]`)
	r.bad("tag twice",
		"ValidationException: Duplicate Tag Keys provided as input: Duplicate Tag Key found x",
		oneKey, onDemandBilling, `"Tags":[{"Key":"x","Value":"1"},{"Key":"x","Value":"2"}]`)
	r.bad("51 tags",
		"ValidationException: Number of Tags exceed the current limit for the provided ResourceArn",
		oneKey, onDemandBilling,
		`"Tags":[`+strings.Join(numbered(51, `{"Key":"k%d","Value":"v"}`), ",")+`]`)

	r.bad("resource policy", badParams+"Invalid policy document: Syntax error at position (1,3)",
		oneKey, onDemandBilling, `"ResourcePolicy":"{}"`)
	r.bad("source of another account without accounts",
		badParams+"GlobalTableSourceArn without accounts (--iam) is not supported",
		`"GlobalTableSourceArn":"arn:aws:dynamodb:us-west-2:111122223333:table/table"`,
		`"GlobalTableSettingsReplicationMode":"ENABLED"`)
	r.bad("no vector indexes", badParams+"List of VectorIndexes is empty", oneKey, onDemandBilling,
		`"VectorIndexes":[]`)
	newTableTest(t).run(r.attempts)
}

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
