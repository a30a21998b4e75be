package emulator

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/iam"
)

// iamTest has an emulator with the tables of newItemTest, which belong to the account of ROOT and
// ALICE. OTHER is the root user of another account.
type iamTest struct{ *requestTest }

const (
	accountA = "111122223333"
	accountB = "444455556666"
)

// newIAMTest gives ALICE statements as her only policy.
func newIAMTest(t *testing.T, statements ...string) *iamTest {
	return newIAMTestOf(t,
		`{"user":"alice","account":"`+accountA+`","tags":{"team":"red"},"policies":[`+
			policyOf(statements...)+`]}`)
}

// newIAMTestOf makes ALICE a principal.
func newIAMTestOf(t *testing.T, alice string, opts ...Option) *iamTest {
	d, err := iam.Parse(
		[]byte(`{"accessKeys":{"ALICE":` + alice + `,"ROOT":{"account":"` + accountA +
			`"},"OTHER":{"account":"` + accountB + `"},
		"BOB":{"account":"` + accountB + `","user":"bob","policies":[` +
			policyOf(allow(`dynamodb:*`, `*`)) + `]}}}`))
	require.NoError(t, err)
	x := &iamTest{&requestTest{T: t, emulator: New(append(opts, WithIAM(d))...)}}
	for _, table := range itemTables {
		require.Contains(t, x.as("ROOT", "CreateTable", table), "TableDescription")
	}
	return x
}

func policyOf(statements ...string) string {
	return `{"Version":"2012-10-17","Statement":[` + strings.Join(statements, ",") + `]}`
}

// statementOf returns a statement. more are further members.
func statementOf(effect, action, resource string, more ...string) string {
	s := fmt.Sprintf(`{"Effect":"%s","Action":"%s","Resource":"%s"`, effect, action, resource)
	for _, m := range more {
		s += "," + m
	}
	return s + "}"
}

func allow(action, resource string, more ...string) string {
	return statementOf("Allow", action, resource, more...)
}

func deny(action, resource string, more ...string) string {
	return statementOf("Deny", action, resource, more...)
}

func tableA(resource string) string {
	return "arn:aws:dynamodb:us-east-1:" + accountA + ":table/" + resource
}

// denied returns the answer for a permission that ALICE lacks.
func denied(action, resource, reason string) string {
	return `{"__type":"com.amazon.coral.service#AccessDeniedException","Message":"User: arn:aws:iam::` + accountA + `:user/alice is not authorized to perform: dynamodb:` +
		action + ` on resource: ` + resource + ` ` + reason + `"}`
}

func implicitly(action string) string {
	return "because no identity-based policy allows the dynamodb:" + action + " action"
}

const explicitly = "with an explicit deny in an identity-based policy"

// TestPermissionsOfOperations: which permissions a request needs.
func TestPermissionsOfOperations(t *testing.T) {
	const key = `"Key":{"pk":{"S":"a"}}`
	inWest := strings.Replace(tableA("plain"), "us-east-1", "us-west-2", 1)
	for _, c := range []struct{ operation, body, action, resource string }{
		{"GetItem", `{"TableName":"plain",` + key + `}`, "GetItem", tableA("plain")},
		{"GetItem", `{"TableName":"` + tableA("plain") + `",` + key + `}`, "GetItem",
			tableA("plain")},
		{"GetItem", `{"TableName":"missing",` + key + `}`, "GetItem", tableA("missing")},
		{"PutItem", `{"TableName":"plain","Item":{"pk":{"S":"a"}}}`, "PutItem", tableA("plain")},
		{"BatchGetItem", `{"RequestItems":{"plain":{"Keys":[{"pk":{"S":"a"}}]}}}`, "BatchGetItem",
			tableA("plain")},
		{"BatchWriteItem", `{"RequestItems":{"plain":[{"PutRequest":{"Item":{"pk":{"S":"a"}}}}]}}`,
			"BatchWriteItem", tableA("plain")},
		{"Query", `{"TableName":"plain","KeyConditionExpression":"pk = :a","ExpressionAttributeValues":{":a":{"S":"a"}}}`, "Query", tableA("plain")},
		{"Query", `{"TableName":"indexed","IndexName":"gsi1","KeyConditionExpression":"gh = :a","ExpressionAttributeValues":{":a":{"S":"a"}}}`, "Query", tableA("indexed/index/gsi1")},
		{"Scan", `{"TableName":"indexed","IndexName":"lsi1"}`, "Scan",
			tableA("indexed/index/lsi1")},
		{"TransactGetItems", `{"TransactItems":[{"Get":{"TableName":"plain",` + key + `}}]}`,
			"GetItem", tableA("plain")},
		{"TransactWriteItems",
			`{"TransactItems":[{"ConditionCheck":{"TableName":"plain",` + key +
				`,"ConditionExpression":"attribute_exists(pk)"}}]}`, "ConditionCheckItem",
			tableA("plain")},
		{"TransactWriteItems",
			`{"TransactItems":[{"Update":{"TableName":"plain",` + key +
				`,"UpdateExpression":"SET a = pk"}}]}`, "UpdateItem", tableA("plain")},
		{"ExecuteStatement", `{"Statement":"SELECT * FROM indexed.gsi1"}`, "PartiQLSelect",
			tableA("indexed/index/gsi1")},
		{"ExecuteStatement", `{"Statement":"INSERT INTO plain VALUE {'pk':'a'}"}`, "PartiQLInsert",
			tableA("plain")},
		{"ExecuteTransaction",
			`{"TransactStatements":[{"Statement":"DELETE FROM plain WHERE pk='a'"}]}`,
			"PartiQLDelete", tableA("plain")},
		{"ListTables", `{}`, "ListTables", tableA("*")},
		{"DescribeLimits", `{}`, "DescribeLimits", "*"},
		{"DescribeTable", `{"TableName":"plain"}`, "DescribeTable", tableA("plain")},
		{"ListTagsOfResource", `{"ResourceArn":"` + tableA("plain") + `"}`, "ListTagsOfResource",
			tableA("plain")},
		{"DescribeBackup", `{"BackupArn":"` + tableA("plain/backup/01234567890123-abcdefab") + `"}`,
			"DescribeBackup", tableA("plain/backup/01234567890123-abcdefab")},
		{"RestoreTableFromBackup",
			`{"BackupArn":"` + tableA("plain/backup/01234567890123-abcdefab") +
				`","TargetTableName":"new"}`,
			"RestoreTableFromBackup", tableA("plain/backup/01234567890123-abcdefab")},
		{"RestoreTableToPointInTime",
			`{"SourceTableName":"plain","TargetTableName":"new","UseLatestRestorableTime":true}`,
			"RestoreTableToPointInTime", tableA("plain")},
		{"RestoreTableToPointInTime",
			`{"SourceTableArn":"` + inWest +
				`","TargetTableName":"new","UseLatestRestorableTime":true}`,
			"RestoreTableToPointInTime", inWest},
	} {
		t.Run(c.operation+" "+c.action, func(t *testing.T) {
			x := newIAMTest(t, allow("dynamodb:*", "*"), deny("dynamodb:"+c.action, c.resource))
			assert.Equal(t, denied(c.action, c.resource, explicitly),
				x.as("ALICE", c.operation, c.body))
			x = newIAMTest(t, allow("dynamodb:Other", "*"))
			assert.Equal(t, denied(c.action, c.resource, implicitly(c.action)),
				x.as("ALICE", c.operation, c.body))
			x = newIAMTest(t, allow("dynamodb:*", "*"))
			assert.NotContains(t, x.as("ALICE", c.operation, c.body), "AccessDenied")
		})
	}
}

// TestEveryOperationNeedsPermission: no operation answers a caller without any policy.
func TestEveryOperationNeedsPermission(t *testing.T) {
	x := newIAMTest(t, deny("s3:*", "*"))
	for i := range operations {
		o := &operations[i]
		body := validRequest(t, o)
		r := rawRequest(o.Name, body, header("X-Amz-Target", o.Target()),
			scoped("ALICE/20260102/us-east-1"))
		assert.Contains(t, answerOf(x.emulator, r).Body.String(),
			"is not authorized to perform: dynamodb:", "%s %s", o.Name, body)
	}
}

// TestTwoPermissions: a request needs the permissions on all that it touches.
func TestTwoPermissions(t *testing.T) {
	for _, c := range []struct{ name, operation, body, action, resource string }{
		{"a second table of a batch", "BatchGetItem",
			`{"RequestItems":{"plain":{"Keys":[{"pk":{"S":"a"}}]},"ranged":{"Keys":[{"pk":{"S":"a"},"sk":{"N":"1"}}]}}}`,
			"BatchGetItem", tableA("ranged")},
		{"a second action of a transaction",
			"TransactWriteItems",
			`{"TransactItems":[{"Put":{"TableName":"plain","Item":{"pk":{"S":"a"}}}},
			{"Delete":{"TableName":"ranged","Key":{"pk":{"S":"a"},"sk":{"N":"1"}}}}]}`,
			"DeleteItem", tableA("ranged")},
		{"tags of a new table",
			"CreateTable",
			`{"TableName":"new","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
			"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"Tags":[{"Key":"a","Value":"b"}]}`, "TagResource", tableA("new")},
		{"the table of a restore", "RestoreTableToPointInTime",
			`{"SourceTableName":"plain","TargetTableName":"new","UseLatestRestorableTime":true}`,
			"PutItem", tableA("new")},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := newIAMTest(t, allow("dynamodb:*", "*"), deny("dynamodb:"+c.action, c.resource))
			assert.Equal(t, denied(c.action, c.resource, explicitly),
				x.as("ALICE", c.operation, c.body))
			assert.Contains(t, x.as("ALICE", "Scan", `{"TableName":"plain"}`), `"Count":0`,
				"a refused request changes nothing")
		})
	}
}

// TestConditionKeys: the context keys of requests.
func TestConditionKeys(t *testing.T) {
	const get = `{"TableName":"plain","Key":{"pk":{"S":"alice"}}}`
	condition := func(operator, key string, values ...string) string {
		return fmt.Sprintf(`"Condition":{"%s":{"%s":["%s"]}}`, operator, key,
			strings.Join(values, `","`))
	}
	own := condition("ForAllValues:StringEquals", "dynamodb:LeadingKeys", "${aws:username}")
	for _, c := range []struct {
		name, condition, operation, body string
		allowed                          bool
	}{
		{"own item", own, "GetItem", get, true},
		{"another's item", own, "GetItem", strings.Replace(get, "alice", "bob", 1), false},
		{"own partition", own, "Query",
			`{"TableName":"plain","KeyConditionExpression":"pk = :a","ExpressionAttributeValues":{":a":{"S":"alice"}}}`, true},
		{"another's partition", own, "Query",
			`{"TableName":"plain","KeyConditionExpression":"pk = :a","ExpressionAttributeValues":{":a":{"S":"bob"}}}`, false},
		{"partition in legacy parameters", own, "Query",
			`{"TableName":"plain","KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"bob"}]}}}`, false},
		{"partition of an index", own, "Query",
			`{"TableName":"indexed","IndexName":"gsi1","KeyConditionExpression":"gh = :a","ExpressionAttributeValues":{":a":{"S":"bob"}}}`, false},
		{"a batch with another's item", own, "BatchGetItem",
			`{"RequestItems":{"plain":{"Keys":[{"pk":{"S":"alice"}},{"pk":{"S":"bob"}}]}}}`, false},
		{"a batch of writes", own, "BatchWriteItem",
			`{"RequestItems":{"plain":[{"PutRequest":{"Item":{"pk":{"S":"alice"}}}},{"DeleteRequest":{"Key":{"pk":{"S":"bob"}}}}]}}`, false},
		{"a statement for another's item", own, "ExecuteStatement",
			`{"Statement":"SELECT * FROM plain WHERE pk='bob'"}`, false},
		{"a statement for one's own or another's", own, "ExecuteStatement",
			`{"Statement":"SELECT * FROM plain WHERE pk IN ['alice','bob']"}`, false},
		{"a statement with parameters", own, "ExecuteStatement",
			`{"Statement":"UPDATE plain SET a=1 WHERE pk=?","Parameters":[{"S":"bob"}]}`, false},
		{"a statement that inserts", own, "ExecuteStatement",
			`{"Statement":"INSERT INTO plain VALUE {'pk':'bob'}"}`, false},
		{"a statement for one's own", own, "ExecuteStatement",
			`{"Statement":"INSERT INTO plain VALUE {'pk':'alice'}"}`, true},
		{"a full scan", condition("Bool", "dynamodb:FullTableScan", "false"), "ExecuteStatement",
			`{"Statement":"SELECT * FROM plain WHERE a=1"}`, false},
		{"no full scan", condition("Bool", "dynamodb:FullTableScan", "false"), "ExecuteStatement",
			`{"Statement":"SELECT * FROM plain WHERE pk='a'"}`, true},
		{"allowed attributes",
			condition("ForAllValues:StringEquals", "dynamodb:Attributes", "pk", "a"), "GetItem",
			`{"TableName":"plain","Key":{"pk":{"S":"a"}},"ProjectionExpression":"pk, #n.b","ExpressionAttributeNames":{"#n":"a"}}`, true},
		{"another attribute",
			condition("ForAllValues:StringEquals", "dynamodb:Attributes", "pk", "a"), "GetItem",
			`{"TableName":"plain","Key":{"pk":{"S":"a"}},"ProjectionExpression":"pk, c.a"}`, false},
		{"another attribute of an update",
			condition("ForAllValues:StringEquals", "dynamodb:Attributes", "pk", "a"), "UpdateItem",
			`{"TableName":"plain","Key":{"pk":{"S":"a"}},"UpdateExpression":"SET a = if_not_exists(secret, :v)","ExpressionAttributeValues":{":v":{"S":"x"}}}`, false},
		{"another attribute of an item",
			condition("ForAllValues:StringEquals", "dynamodb:Attributes", "pk", "a"), "PutItem",
			`{"TableName":"plain","Item":{"pk":{"S":"a"},"b":{"S":"c"}}}`, false},
		{"an attribute of a statement",
			condition("ForAllValues:StringEquals", "dynamodb:Attributes", "pk", "a"),
			"ExecuteStatement", `{"Statement":"SELECT pk FROM plain WHERE pk='a' AND secret='b'"}`,
			false},
		{"whole items", condition("StringEquals", "dynamodb:Select", "SPECIFIC_ATTRIBUTES"),
			"GetItem", get, false},
		{"parts of items", condition("StringEquals", "dynamodb:Select", "SPECIFIC_ATTRIBUTES"),
			"Scan", `{"TableName":"plain","ProjectionExpression":"pk"}`, true},
		{"count", condition("StringEquals", "dynamodb:Select", "COUNT"), "Scan",
			`{"TableName":"plain","Select":"COUNT"}`, true},
		{"items of an index",
			condition("StringEquals", "dynamodb:Select", "ALL_PROJECTED_ATTRIBUTES"), "Scan",
			`{"TableName":"indexed","IndexName":"gsi1"}`, true},
		{"return values", condition("StringEqualsIfExists", "dynamodb:ReturnValues", "NONE"),
			"PutItem", `{"TableName":"plain","Item":{"pk":{"S":"a"}},"ReturnValues":"ALL_OLD"}`,
			false},
		{"no return values", condition("StringEqualsIfExists", "dynamodb:ReturnValues", "NONE"),
			"PutItem", `{"TableName":"plain","Item":{"pk":{"S":"a"}}}`, true},
		{"an item that a failed condition shows",
			condition("StringEqualsIfExists", "dynamodb:ReturnValues", "NONE"), "PutItem",
			`{"TableName":"plain","Item":{"pk":{"S":"a"}},"ConditionExpression":"attribute_not_exists(pk)","ReturnValuesOnConditionCheckFailure":"ALL_OLD"}`, true},
		{"an item that a failed transaction shows",
			condition("StringEqualsIfExists", "dynamodb:ReturnValues", "NONE"),
			"TransactWriteItems",
			`{"TransactItems":[{"Put":{"TableName":"plain","Item":{"pk":{"S":"a"}},"ReturnValuesOnConditionCheckFailure":"ALL_OLD"}}]}`, false},
		{"consumed capacity", condition("StringEquals", "dynamodb:ReturnConsumedCapacity", "TOTAL"),
			"Scan", `{"TableName":"plain","ReturnConsumedCapacity":"TOTAL"}`, true},
		{"in a transaction",
			condition("ForAnyValue:StringEquals", "dynamodb:EnclosingOperation",
				"TransactWriteItems"), "TransactWriteItems",
			`{"TransactItems":[{"Put":{"TableName":"plain","Item":{"pk":{"S":"a"}}}}]}`, true},
		{"outside of transactions",
			condition("ForAnyValue:StringEquals", "dynamodb:EnclosingOperation",
				"TransactWriteItems"), "PutItem", `{"TableName":"plain","Item":{"pk":{"S":"a"}}}`,
			false},
		{"in a transaction of statements",
			condition("StringEquals", "dynamodb:EnclosingOperation", "ExecuteTransaction"),
			"ExecuteTransaction",
			`{"TransactStatements":[{"Statement":"INSERT INTO plain VALUE {'pk':'a'}"}]}`, true},
		{"the network", condition("IpAddress", "aws:SourceIp", "192.0.2.0/24"), "GetItem", get,
			true},
		{"another network", condition("NotIpAddress", "aws:SourceIp", "192.0.2.0/24"), "GetItem",
			get, false},
		{"TLS", condition("Bool", "aws:SecureTransport", "true"), "GetItem", get, false},
		{"the client", condition("StringLike", "aws:UserAgent", "aws-cli/*"), "GetItem", get, true},
		{"before a date", condition("DateLessThan", "aws:CurrentTime", "2026-01-02T00:00:00Z"),
			"GetItem", get, true},
		{"after a date", condition("DateGreaterThan", "aws:EpochTime", "2026-01-02T00:00:00Z"),
			"GetItem", get, false},
		{"the region", condition("StringEquals", "aws:RequestedRegion", "us-east-1"), "GetItem",
			get, true},
		{"the account of the resource", condition("StringEquals", "aws:ResourceAccount", accountA),
			"GetItem", get, true},
		{"the principal's ARN", condition("ArnLike", "aws:PrincipalArn", "arn:aws:iam::*:user/al*"),
			"GetItem", get, true},
		{"the principal's tag", condition("StringEquals", "aws:PrincipalTag/Team", "red"),
			"GetItem", get, true},
		{"a tag of the table",
			condition("StringEquals", "aws:ResourceTag/owner", "${aws:PrincipalTag/team}"),
			"GetItem", strings.Replace(get, "plain", "tagged", 1), true},
		{"no tag of the table",
			condition("StringEquals", "aws:ResourceTag/owner", "${aws:PrincipalTag/team}"),
			"GetItem", get, false},
		{"tags of the request", condition("StringEquals", "aws:RequestTag/a", "b"), "TagResource",
			`{"ResourceArn":"` + tableA("plain") + `","Tags":[{"Key":"a","Value":"b"}]}`, true},
		{"keys of tags", condition("ForAllValues:StringEquals", "aws:TagKeys", "a"),
			"UntagResource", `{"ResourceArn":"` + tableA("plain") + `","TagKeys":["a","b"]}`,
			false},
		{"a key that there is not", condition("Null", "aws:MultiFactorAuthPresent", "true"),
			"GetItem", get, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := newIAMTestOf(t,
				`{"user":"alice","account":"`+accountA+`","tags":{"team":"red"},"policies":[`+
					policyOf(allow("dynamodb:*", "*", c.condition))+`]}`,
				WithHeldClock(NewClock(time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC))))
			require.Contains(t,
				x.as("ROOT", "CreateTable",
					strings.Replace(strings.Replace(itemTables[0], "plain", "tagged", 1), "{",
						`{"Tags":[{"Key":"owner","Value":"red"}],`, 1)), "Description")
			r := rawRequest(c.operation, c.body, scoped("ALICE/20260102/us-east-1"),
				header("User-Agent", "aws-cli/2"),
				func(r *http.Request) { r.RemoteAddr = "192.0.2.7:1234" })
			answer := answerOf(x.emulator, r).Body.String()
			assert.Equal(t, c.allowed, !strings.Contains(answer, "AccessDenied"), answer)
		})
	}
}

// TestDeniedStatementOfBatch: in a batch only the statement fails that the caller may not execute.
func TestDeniedStatementOfBatch(t *testing.T) {
	x := newIAMTest(t, allow("dynamodb:PartiQLInsert", tableA("plain")))
	assert.Equal(t,
		`{"Responses":[{"Error":{"Code":"AccessDenied","Message":"User: arn:aws:iam::111122223333:user/alice is not authorized to perform: `+
			`dynamodb:PartiQLInsert on resource: `+tableA("ranged")+
			` because no identity-based policy allows the dynamodb:PartiQLInsert action"}},{"TableName":"plain"}]}`,
		x.as("ALICE", "BatchExecuteStatement",
			`{"Statements":[{"Statement":"INSERT INTO ranged VALUE {'pk':'a','sk':1}"},{"Statement":"INSERT INTO plain VALUE {'pk':'a'}"}]}`))
}

// TestOtherAccounts: without a resource-based policy nobody reaches the tables of another account.
func TestOtherAccounts(t *testing.T) {
	x := newIAMTest(t, allow("dynamodb:*", "*"))
	const get = `{"TableName":"arn:aws:dynamodb:us-east-1:111122223333:table/plain","Key":{"pk":{"S":"a"}}}`
	assert.Contains(t, x.as("OTHER", "GetItem", get),
		"User: arn:aws:iam::444455556666:root is not authorized to perform: dynamodb:GetItem on resource: "+
			tableA("plain")+" because no resource-based policy allows the dynamodb:GetItem action")
	assert.Contains(t, x.as("BOB", "GetItem", get), "because no resource-based policy")
	assert.Contains(t, x.as("BOB", "GetItem", strings.Replace(get, accountA, "999999999999", 1)),
		"because no resource-based policy")
	assert.Contains(t,
		x.as("BOB", "BatchGetItem",
			`{"RequestItems":{"plain":{"Keys":[{"pk":{"S":"a"}}]},"`+tableA("plain")+
				`":{"Keys":[{"pk":{"S":"a"}}]}}}`), "same account")
	assert.Contains(t, x.as("ALICE", "GetItem", strings.Replace(get, "us-east-1", "eu-west-1", 1)),
		"Invalid AWS region in", "another region")
	assert.Len(t, x.emulator.service.Namespaces.Stores, 2,
		"accounts that there are not leave nothing")
}

// TestAccessInEvents: observers learn of the decisions.
func TestAccessInEvents(t *testing.T) {
	x := newIAMTestOf(t,
		`{"user":"alice","account":"`+accountA+
			`","policies":[{"Version":"2012-10-17","Statement":[{"Sid":"Read","Effect":"Allow","Action":"dynamodb:GetItem","Resource":"*"}]}]}`)
	var events []*Event
	stop := x.emulator.Observe(func(e *Event) { events = append(events, e.Clone()) })
	x.as("ALICE", "GetItem", `{"TableName":"plain","Key":{"pk":{"S":"a"}}}`)
	x.as("ALICE", "Scan", `{"TableName":"plain"}`)
	stop()
	require.Len(t, events, 2)
	assert.Equal(t,
		[]EventAccess{
			{Action: "dynamodb:GetItem", Resource: tableA("plain"),
				Decision: iam.Decision{Allowed: true, Kind: iam.Identity, Explicit: true,
					Policy: "policies[0]", Sid: "Read"}},
		}, events[0].Access)
	assert.Equal(t,
		[]EventAccess{
			{Action: "dynamodb:Scan", Resource: tableA("plain"),
				Decision: iam.Decision{Kind: iam.Identity}},
		}, events[1].Access)
}
