package emulator

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A claim is a request of ALICE that her policy may not have meant, with the verdict.
type claim struct {
	name       string
	statements []string // statements of her policy
	operation  string
	body       string // the request, with @ for the ARN of table plain
	want       string // a part of the answer
}

const (
	// hidden is a text in the items that ALICE may not see.
	hidden = "s3cret"
	// got is the answer to a claim that the policy allows.
	got = hidden
	// done is the same for a request that answers no item.
	done = `{}`
	// noTable is the answer to an ARN of no table that ALICE may name.
	noTable = "Invalid TableArn"
)

// of returns how a denied answer begins to say what is denied.
func of(action, resource string) string {
	return "is not authorized to perform: dynamodb:" + action + " on resource: " + resource + " "
}

// run sends the request. What is not allowed shows nothing and changes nothing.
func (a *claim) run(t *testing.T) {
	x := newIAMTestOf(t, `{"user":"alice","account":"`+accountA+
		`","tags":{"team":"red","star":"*"},"policies":[`+policyOf(a.statements...)+`]}`,
		WithHeldClock(NewClock(time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC))))
	for _, put := range []string{
		`"plain","Item":{"pk":{"S":"alice"},"a":{"M":{"secret":{"S":"s3cret"}}}}`,
		`"plain","Item":{"pk":{"S":"bob"},"secret":{"S":"s3cret"}}`,
		`"ranged","Item":{"pk":{"S":"bob"},"sk":{"N":"1"},"secret":{"S":"s3cret"}}`,
		`"indexed","Item":{"pk":{"S":"bob"},"sk":{"S":"1"},"gh":{"S":"bob"},"gr":{"N":"1"},"secret":{"S":"s3cret"}}`,
	} {
		require.Equal(t, `{}`, x.as("ROOT", "PutItem", `{"TableName":`+put+`}`))
	}
	body := strings.ReplaceAll(a.body, "@", tableA("plain"))
	before := x.everything()
	answer := x.as("ALICE", a.operation, body)
	assert.Contains(t, answer, a.want)
	if a.want == got || a.want == done {
		return
	}
	assert.NotContains(t, answer, hidden)
	assert.Equal(t, before, x.everything(), "a refused request changes nothing")
}

// everything returns all data of the account.
func (x *iamTest) everything() (all []string) {
	for _, table := range []string{"plain", "ranged", "indexed"} {
		all = append(all, x.as("ROOT", "Scan", `{"TableName":"`+table+`"}`),
			x.as("ROOT", "DescribeTable", `{"TableName":"`+table+`"}`),
			x.as("ROOT", "ListTagsOfResource", `{"ResourceArn":"`+tableA(table)+`"}`))
	}
	return append(all, x.as("ROOT", "ListTables", `{}`))
}

var (
	anything = allow("dynamodb:*", "*")
	notPlain = deny("dynamodb:*", tableA("plain"))
)

// when is the member Condition of a statement.
func when(operator, key, values string) string {
	return `"Condition":{"` + operator + `":{"` + key + `":[` + values + `]}}`
}

// only allows everything under a condition.
func only(operator, key, values string) []string {
	return []string{allow("dynamodb:*", "*", when(operator, key, values))}
}

// unless denies everything under a condition, and allows the rest.
func unless(operator, key, values string) []string {
	return []string{anything, deny("dynamodb:*", "*", when(operator, key, values))}
}

// with returns a statement with the members given.
func with(effect, members string) string { return `{"Effect":"` + effect + `",` + members + `}` }

// TestClaimsByName: a resource has one name for policies, whatever a request calls it.
func TestClaimsByName(t *testing.T) {
	const key = `"Key":{"pk":{"S":"bob"}}`
	get := func(table string) string { return `{"TableName":"` + table + `",` + key + `}` }
	named := func(of string, with string) string {
		return get(strings.Replace(tableA("plain"), of, with, 1))
	}
	denied := []string{anything, notPlain}
	plain := of("GetItem", tableA("plain"))
	for _, a := range []claim{
		{"its name", denied, "GetItem", get("plain"), plain},
		{"its ARN", denied, "GetItem", get("@"), plain},
		{"a name in another case", denied, "GetItem", get("PLAIN"), "ResourceNotFoundException"},
		{"a name with spaces", denied, "GetItem", get(" plain"), "ValidationException"},
		{"a name that is escaped", denied, "GetItem", get(`pl\u0061in`), plain},
		{"a path", denied, "GetItem", get("./plain"), "ValidationException"},
		{"the scheme in another case", denied, "GetItem", named("arn:", "ARN:"),
			"ValidationException"},
		{"another partition", denied, "GetItem", named("arn:aws:", "arn:aws-cn:"), noTable},
		{"another service", denied, "GetItem", named(":dynamodb:", ":dax:"), noTable},
		{"another region", denied, "GetItem", named("us-east-1", "us-west-2"),
			"Invalid AWS region in"},
		{"no region", denied, "GetItem", named("us-east-1", ""), "ValidationException"},
		{"no account", denied, "GetItem", named(accountA, ""), noTable},
		{"a wildcard for the account", denied, "GetItem", named(accountA, "*"),
			"ValidationException"},
		{"an account with a zero", denied, "GetItem", named(accountA, "0"+accountA), noTable},
		{"another account", denied, "GetItem", named(accountA, accountB),
			"no resource-based policy allows"},
		{"a wildcard for the table", denied, "GetItem", get("*"), "ValidationException"},
		{"an index of the table", denied, "GetItem", get("@/index/gsi1"), noTable},
		{"an index of the table in a query", denied, "Query",
			`{"TableName":"@/index/x","KeyConditionExpression":"pk = :a","ExpressionAttributeValues":{":a":{"S":"bob"}}}`,
			noTable},
		{"a stream of the table", denied, "GetItem", get("@/stream/2026-01-01T00:00:00.000"),
			noTable},
		{"a slash after the table", denied, "GetItem", get("@/"), noTable},
		{"a colon after the table", denied, "GetItem", get("@:1"), noTable},
		{"a table twice in a batch", denied, "BatchGetItem",
			`{"RequestItems":{"ranged":{"Keys":[{"pk":{"S":"bob"},"sk":{"N":"1"}}]},"@":{"Keys":[{"pk":{"S":"bob"}}]}}}`,
			of("BatchGetItem", tableA("plain"))},
		{"a batch with one denied table", denied, "BatchWriteItem",
			`{"RequestItems":{"ranged":[{"PutRequest":{"Item":{"pk":{"S":"new"},"sk":{"N":"1"}}}}],"plain":[{"DeleteRequest":{` + key + `}}]}}`,
			of("BatchWriteItem", tableA("plain"))},
		{"a statement in lower case", denied, "ExecuteStatement",
			`{"Statement":"select * from \"plain\" where pk='bob'"}`,
			of("PartiQLSelect", tableA("plain"))},
		{"a statement with an index", denied, "ExecuteStatement",
			`{"Statement":"SELECT * FROM \"plain\".\"x\" WHERE pk='bob'"}`,
			"ValidationException"},
		{"a statement with an ARN", denied, "ExecuteStatement",
			`{"Statement":"SELECT * FROM \"@\" WHERE pk='bob'"}`,
			of("PartiQLSelect", tableA("plain"))},
		{"a second statement of a transaction", denied, "ExecuteTransaction",
			`{"TransactStatements":[{"Statement":"INSERT INTO ranged VALUE {'pk':'new','sk':1}"},{"Statement":"DELETE FROM plain WHERE pk='bob'"}]}`,
			of("PartiQLDelete", tableA("plain"))},
		{"EXISTS in a transaction", denied, "ExecuteTransaction",
			`{"TransactStatements":[{"Statement":"INSERT INTO ranged VALUE {'pk':'new','sk':1}"},{"Statement":"EXISTS(SELECT * FROM plain WHERE pk='bob' AND secret='s3cret')"}]}`,
			of("PartiQLSelect", tableA("plain"))},
		{"an index, but not its table", []string{allow("dynamodb:*", tableA("indexed/index/*"))},
			"Scan", `{"TableName":"indexed"}`, of("Scan", tableA("indexed"))},
		{"an index, and that index", []string{allow("dynamodb:*", tableA("indexed/index/*"))},
			"Scan", `{"TableName":"indexed","IndexName":"gsi1"}`, got},
		{"the table, but not its index", []string{allow("dynamodb:*", tableA("indexed"))},
			"Scan", `{"TableName":"indexed","IndexName":"gsi1"}`,
			of("Scan", tableA("indexed/index/gsi1"))},
		{"an index in a statement", []string{allow("dynamodb:*", tableA("indexed"))},
			"ExecuteStatement", `{"Statement":"SELECT * FROM \"indexed\".\"gsi1\""}`,
			of("PartiQLSelect", tableA("indexed/index/gsi1"))},
		{"an index with a path", []string{allow("dynamodb:*", tableA("indexed/index/*"))},
			"Scan", `{"TableName":"indexed","IndexName":"../indexed"}`, "ValidationException"},
		{"a restore to a denied table",
			[]string{anything, deny("dynamodb:PutItem", tableA("new"))},
			"RestoreTableToPointInTime",
			`{"SourceTableName":"plain","TargetTableName":"new","UseLatestRestorableTime":true}`,
			of("PutItem", tableA("new"))},
		{"a restore from a denied table", denied, "RestoreTableToPointInTime",
			`{"SourceTableArn":"@","TargetTableName":"new","UseLatestRestorableTime":true}`,
			of("RestoreTableToPointInTime", tableA("plain"))},
		{"a restore by ARN, with the name of another table", denied, "RestoreTableToPointInTime",
			`{"SourceTableArn":"@","SourceTableName":"ranged","TargetTableName":"new","UseLatestRestorableTime":true}`,
			of("RestoreTableToPointInTime", tableA("plain"))},
		{"a backup of a denied table", denied, "CreateBackup",
			`{"TableName":"plain","BackupName":"new"}`, of("CreateBackup", tableA("plain"))},
		{"an import to a denied table", []string{anything, deny("dynamodb:*", tableA("new"))},
			"ImportTable",
			`{"S3BucketSource":{"S3Bucket":"bucket"},"InputFormat":"CSV","TableCreationParameters":{"TableName":"new","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}}`,
			of("ImportTable", tableA("new"))},
		{"an export of a denied table", denied, "ExportTableToPointInTime",
			`{"TableArn":"@","S3Bucket":"bucket"}`,
			of("ExportTableToPointInTime", tableA("plain"))},
		{"a replica in a denied region", []string{anything,
			deny("dynamodb:CreateTableReplica",
				strings.Replace(tableA("plain"), "us-east-1", "eu-west-1", 1))},
			"UpdateTable",
			`{"TableName":"plain","ReplicaUpdates":[{"Create":{"RegionName":"eu-west-1"}}]}`,
			of("CreateTableReplica",
				strings.Replace(tableA("plain"), "us-east-1", "eu-west-1", 1))},
		{"tags by the ARN of an index", denied, "TagResource",
			`{"ResourceArn":"@/index/x","Tags":[{"Key":"team","Value":"red"}]}`, "Exception"},
		{"tags by the ARN of a stream", denied, "TagResource",
			`{"ResourceArn":"@/stream/2026-01-01T00:00:00.000","Tags":[{"Key":"team","Value":"red"}]}`,
			"Exception"},
		{"a resource policy for oneself", denied, "PutResourcePolicy",
			`{"ResourceArn":"@","Policy":"{}"}`, of("PutResourcePolicy", tableA("plain"))},
		{"a resource policy by the ARN of an index", denied, "PutResourcePolicy",
			`{"ResourceArn":"@/index/x","Policy":"{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Allow\",\"Principal\":\"*\",\"Action\":\"dynamodb:*\",\"Resource\":\"@\"}]}"}`,
			"Exception"},
		{"tags in a CreateTable",
			[]string{allow("dynamodb:CreateTable", "*")}, "CreateTable",
			strings.Replace(strings.Replace(itemTables[0], "plain", "new", 1), "{",
				`{"Tags":[{"Key":"team","Value":"red"}],`, 1), of("TagResource", tableA("new"))},
	} {
		t.Run(a.name, func(t *testing.T) { a.run(t) })
	}
}

// TestClaimsByPattern: what patterns, negations and missing values of a policy cover.
func TestClaimsByPattern(t *testing.T) {
	const bob = `{"TableName":"plain","Key":{"pk":{"S":"bob"}}}`
	const scan = `{"TableName":"plain"}`
	plain := tableA("plain")
	get, scanned := of("GetItem", plain), of("Scan", plain)
	for _, a := range []claim{
		{"an action in another case", []string{anything, deny("DYNAMODB:getITEM", "*")}, "GetItem",
			bob, get},
		{"a resource in another case", []string{anything, deny("dynamodb:*", tableA("Plain"))},
			"GetItem", bob, got},
		{"an action that others begin with", []string{allow("dynamodb:Get", "*")}, "GetItem", bob,
			get},
		{"reading by a batch", []string{allow("dynamodb:GetItem", "*")}, "BatchGetItem",
			`{"RequestItems":{"plain":{"Keys":[{"pk":{"S":"bob"}}]}}}`, of("BatchGetItem", plain)},
		{"reading by a statement", []string{allow("dynamodb:GetItem", "*")}, "ExecuteStatement",
			`{"Statement":"SELECT * FROM plain WHERE pk='bob'"}`, of("PartiQLSelect", plain)},
		{"reading by a transaction", []string{allow("dynamodb:TransactGetItems", "*")},
			"TransactGetItems",
			`{"TransactItems":[{"Get":{"TableName":"plain","Key":{"pk":{"S":"bob"}}}}]}`, get},
		{"reading by a condition", []string{allow("dynamodb:PutItem", "*")}, "TransactWriteItems",
			`{"TransactItems":[{"ConditionCheck":{"TableName":"plain","Key":{"pk":{"S":"bob"}},"ConditionExpression":"secret = :a","ExpressionAttributeValues":{":a":{"S":"a"}},"ReturnValuesOnConditionCheckFailure":"ALL_OLD"}}]}`,
			of("ConditionCheckItem", plain)},
		{"a wildcard over parts",
			[]string{allow("dynamodb:*", "arn:aws:dynamodb:*e/plain")}, "GetItem", bob, get},
		{"a wildcard in a part",
			[]string{allow("dynamodb:*", "arn:aws:dynamodb:*:*:table/pl?in")}, "GetItem", bob, got},
		{"a ? for nothing", []string{allow("dynamodb:*", tableA("plain?"))}, "GetItem", bob, get},
		{"a wildcard that is literal", []string{allow("dynamodb:*", tableA("${*}"))}, "GetItem",
			bob, get},
		{"a variable whose value is a wildcard",
			[]string{allow("dynamodb:*", tableA("${aws:PrincipalTag/star}"))}, "GetItem", bob, get},
		{"a variable whose value is a wildcard, in a condition",
			only("StringLike", "aws:PrincipalTag/team", `"${aws:PrincipalTag/star}"`), "GetItem",
			bob, get},
		{"a variable without a value", []string{allow("dynamodb:*",
			tableA("${aws:PrincipalTag/none}*"))}, "GetItem", bob, get},
		{"NotAction that names it", []string{with("Allow",
			`"NotAction":"dynamodb:get*","Resource":"*"`)}, "GetItem", bob, get},
		{"NotAction that names others", []string{with("Allow",
			`"NotAction":"dynamodb:Put*","Resource":"*"`)}, "GetItem", bob, got},
		{"NotAction in a deny", []string{anything, with("Deny",
			`"NotAction":"dynamodb:Query","Resource":"*"`)}, "GetItem", bob, get},
		{"NotResource that names it", []string{with("Allow",
			`"Action":"*","NotResource":"`+plain+`"`)}, "GetItem", bob, get},
		{"NotResource that names the indexes", []string{with("Allow",
			`"Action":"*","NotResource":"`+tableA("plain/*")+`"`)}, "GetItem", bob, got},
		{"NotResource in a deny", []string{anything, with("Deny",
			`"Action":"*","NotResource":"`+tableA("ranged")+`"`)}, "GetItem", bob, get},
		{"a negated operator without a value", only("StringNotEquals", "aws:PrincipalTag/none",
			`"red"`), "GetItem", bob, got},
		{"a negated operator in a deny without a value", unless("StringNotEquals",
			"aws:PrincipalTag/none", `"red"`), "GetItem", bob, get},
		{"an operator without a value", only("StringEquals", "aws:PrincipalTag/none",
			`"red"`), "GetItem", bob, get},
		{"a negated operator with several values", only("StringNotEquals", "aws:PrincipalTag/team",
			`"blue","red"`), "GetItem", bob, get},
		{"a value in another case", only("StringEquals", "aws:PrincipalTag/team", `"RED"`),
			"GetItem", bob, get},
		{"a pattern for an operator without", only("StringEquals", "aws:PrincipalTag/team", `"r*"`),
			"GetItem", bob, get},
		{"any of the values of a scan", only("ForAnyValue:StringEquals", "dynamodb:LeadingKeys",
			`"alice"`), "Scan", scan, scanned},
		{"all of the values of a scan, which has none", only("ForAllValues:StringEquals",
			"dynamodb:LeadingKeys", `"alice"`), "Scan", scan, got},
		{"all of the values of a scan, in a deny", unless("ForAllValues:StringNotEquals",
			"dynamodb:LeadingKeys", `"alice"`), "Scan", scan, scanned},
		{"a key that there must be", only("Null", "dynamodb:LeadingKeys", `"false"`), "Scan", scan,
			scanned},
		{"any of the keys of a batch, in a deny", unless("ForAnyValue:StringNotEquals",
			"dynamodb:LeadingKeys", `"alice"`), "BatchGetItem",
			`{"RequestItems":{"plain":{"Keys":[{"pk":{"S":"alice"}},{"pk":{"S":"bob"}}]}}}`,
			of("BatchGetItem", plain)},
		{"all of the keys of a batch, in a deny", unless("ForAllValues:StringNotEquals",
			"dynamodb:LeadingKeys", `"alice"`), "BatchGetItem",
			`{"RequestItems":{"plain":{"Keys":[{"pk":{"S":"alice"}},{"pk":{"S":"bob"}}]}}}`, got},
	} {
		t.Run(a.name, func(t *testing.T) { a.run(t) })
	}
}

// TestClaimsByContents: conditions on keys and attributes hold for all that a request reads or
// writes.
func TestClaimsByContents(t *testing.T) {
	const a = `"TableName":"plain","Key":{"pk":{"S":"alice"}}`
	keys := only("ForAllValues:StringEquals", "dynamodb:LeadingKeys", `"${aws:username}"`)
	names := only("ForAllValues:StringEquals", "dynamodb:Attributes", `"pk","a"`)
	nothing := only("StringEqualsIfExists", "dynamodb:ReturnValues", `"NONE","UPDATED_NEW"`)
	plain := tableA("plain")
	for _, c := range []claim{
		{"another's key in the other case", keys, "GetItem",
			`{"TableName":"plain","Key":{"pk":{"S":"Alice"}}}`, of("GetItem", plain)},
		{"another's key in an update by legacy parameters", keys, "UpdateItem",
			`{"TableName":"plain","Key":{"pk":{"S":"bob"}},"AttributeUpdates":{"secret":{"Action":"DELETE"}}}`,
			of("UpdateItem", plain)},

		{"an attribute behind an alias", names, "GetItem",
			`{` + a + `,"ProjectionExpression":"pk,#a","ExpressionAttributeNames":{"#a":"secret"}}`,
			of("GetItem", plain)},
		{"a part of an attribute", names, "GetItem",
			`{` + a + `,"ProjectionExpression":"pk,secret.a[0]"}`, of("GetItem", plain)},
		{"an allowed name within another", names, "GetItem",
			`{` + a + `,"ProjectionExpression":"secret.pk"}`, of("GetItem", plain)},
		{"another name within an allowed one", names, "GetItem",
			`{` + a + `,"ProjectionExpression":"a.secret"}`, got},
		{"an alias with a dot", names, "GetItem",
			`{` + a + `,"ProjectionExpression":"#a","ExpressionAttributeNames":{"#a":"a.secret"}}`,
			of("GetItem", plain)},
		{"an attribute in another case", names, "GetItem",
			`{` + a + `,"ProjectionExpression":"A"}`, of("GetItem", plain)},
		{"an attribute of a condition", names, "DeleteItem",
			`{` + a + `,"ConditionExpression":"NOT(attribute_exists(secret))"}`,
			of("DeleteItem", plain)},
		{"an attribute that an update reads", names, "UpdateItem",
			`{` + a + `,"UpdateExpression":"SET a=if_not_exists(a,secret)","ReturnValues":"UPDATED_NEW"}`,
			of("UpdateItem", plain)},
		{"an attribute that an update removes", names, "UpdateItem",
			`{` + a + `,"UpdateExpression":"REMOVE a,\tsecret"}`, of("UpdateItem", plain)},
		{"an attribute in a batch of reads", names, "BatchGetItem",
			`{"RequestItems":{"plain":{"Keys":[{"pk":{"S":"bob"}}],"ProjectionExpression":"secret"}}}`,
			of("BatchGetItem", plain)},
		{"an attribute in a transaction", names, "TransactGetItems",
			`{"TransactItems":[{"Get":{` + a + `,"ProjectionExpression":"pk"}},{"Get":{"TableName":"plain","Key":{"pk":{"S":"bob"}},"ProjectionExpression":"secret"}}]}`,
			of("GetItem", plain)},
		{"an attribute of a statement's function", names, "ExecuteStatement",
			`{"Statement":"SELECT pk FROM plain WHERE pk='bob' AND begins_with(secret,'s')"}`,
			of("PartiQLSelect", plain)},
		{"an attribute of a statement's update", names, "ExecuteStatement",
			`{"Statement":"UPDATE plain SET a=secret WHERE pk='bob' RETURNING MODIFIED NEW *"}`,
			of("PartiQLUpdate", plain)},

		{"values that an update returns", nothing, "UpdateItem",
			`{` + a + `,"UpdateExpression":"SET b=:b","ExpressionAttributeValues":{":b":{"S":"b"}},"ReturnValues":"ALL_NEW"}`,
			of("UpdateItem", plain)},
		{"values that a statement returns", nothing, "ExecuteStatement",
			`{"Statement":"DELETE FROM plain WHERE pk='bob' RETURNING ALL OLD *"}`,
			of("PartiQLDelete", plain)},
		{"values that are allowed", nothing, "UpdateItem",
			`{` + a + `,"UpdateExpression":"REMOVE b","ReturnValues":"UPDATED_NEW"}`, done},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t) })
	}
}

// stream sends ALICE's request to the service of streams.
func (x *iamTest) stream(accessKey, operation, body string) string {
	return answerOf(x.emulator, rawRequest(operation, body, scoped(accessKey+"/20260102/us-east-1"),
		header("X-Amz-Target", "DynamoDBStreams_20120810."+operation))).Body.String()
}

// TestClaimsOnStreams: a denied stream is read by no ARN, and by no iterator of another caller.
func TestClaimsOnStreams(t *testing.T) {
	x := newIAMTest(t, anything, deny("dynamodb:*", tableA("plain/stream/*")))
	var made struct {
		TableDescription struct{ LatestStreamArn string }
		ShardIterator    string
	}
	read := func(answer string) {
		require.NoError(t, json.Unmarshal([]byte(answer), &made), answer)
	}
	read(x.as("ROOT", "UpdateTable",
		`{"TableName":"plain","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}}`))
	require.Equal(t, `{}`, x.as("ROOT", "PutItem",
		`{"TableName":"plain","Item":{"pk":{"S":"bob"},"secret":{"S":"s3cret"}}}`))
	arn := made.TableDescription.LatestStreamArn
	shard := shardOf(t, x.stream("ROOT", "DescribeStream", `{"StreamArn":"`+arn+`"}`))
	iterator := func(arn string) string {
		return `{"StreamArn":"` + arn + `","ShardId":"` + shard +
			`","ShardIteratorType":"TRIM_HORIZON"}`
	}
	read(x.stream("ROOT", "GetShardIterator", iterator(arn)))
	records := func(iterator string) string { return `{"ShardIterator":"` + iterator + `"}` }
	require.Contains(t, x.stream("ROOT", "GetRecords", records(made.ShardIterator)), hidden)
	instead := func(text, of, with string) string { return strings.Replace(text, of, with, 1) }
	for _, c := range []struct{ name, operation, body, want string }{
		{"the description", "DescribeStream", `{"StreamArn":"` + arn + `"}`,
			of("DescribeStream", arn)},
		{"an iterator", "GetShardIterator", iterator(arn), of("GetShardIterator", arn)},
		{"another's iterator", "GetRecords", records(made.ShardIterator), of("GetRecords", arn)},
		{"an iterator with another table", "GetRecords",
			records(instead(made.ShardIterator, "table/plain", "table/ranged")), "Exception"},
		{"an iterator with two ARNs", "GetRecords",
			records(tableA("ranged") + "|1|" + made.ShardIterator), "Exception"},
		{"another region", "GetShardIterator", iterator(instead(arn, "us-east-1", "us-west-2")),
			"Exception"},
		{"another account", "GetShardIterator", iterator(instead(arn, accountA, accountB)),
			"Exception"},
		{"another partition", "GetShardIterator", iterator(instead(arn, "arn:aws:", "arn:aws-cn:")),
			"Exception"},
		{"another case", "GetShardIterator", iterator(instead(arn, "table/plain", "table/Plain")),
			"Exception"},
		{"a path", "GetShardIterator",
			iterator(instead(arn, "table/plain", "table/ranged/../plain")), "Exception"},
		{"all streams", "ListStreams", `{}`, arn}, // the policy does not deny it
		{"the streams of the table", "ListStreams", `{"TableName":"plain"}`,
			of("ListStreams", tableA("plain/stream/*"))},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer := x.stream("ALICE", c.operation, c.body)
			assert.Contains(t, answer, c.want)
			assert.NotContains(t, answer, hidden)
			assert.NotContains(t, answer, `"ShardIterator"`)
		})
	}
	assert.Equal(t, unknownClient, x.stream("MALLORY", "GetRecords", records(made.ShardIterator)),
		"a key that there is not")
	assert.Contains(t, x.stream("BOB", "GetRecords", records(made.ShardIterator)),
		"no resource-based policy allows", "a key of another account")
}

// shardOf returns the first shard of a DescribeStream.
func shardOf(t *testing.T, answer string) string {
	var d struct {
		StreamDescription struct{ Shards []struct{ ShardId string } }
	}
	require.NoError(t, json.Unmarshal([]byte(answer), &d), answer)
	require.NotEmpty(t, d.StreamDescription.Shards, answer)
	return d.StreamDescription.Shards[0].ShardId
}
