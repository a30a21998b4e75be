package emulator

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// attack is a request that the policy of ALICE forbids.
type attack struct{ name, operation, body string }

// attacked runs requests of ALICE with a policy, which are all denied.
func attacked(t *testing.T, policy []string, attacks []attack) {
	t.Helper()
	x := newIAMTest(t, policy...)
	x.as("ROOT", "CreateTable", numbersTable)
	for _, put := range []string{
		`{"TableName":"plain","Item":{"pk":{"S":"alice"},"secret":{"S":"SECRET-A"}}}`,
		`{"TableName":"plain","Item":{"pk":{"S":"bob"},"secret":{"S":"SECRET-B"},"m":{"M":{"secret":{"S":"x"}}}}}`,
		`{"TableName":"ranged","Item":{"pk":{"S":"bob"},"sk":{"N":"1"},"secret":{"S":"SECRET-B"}}}`,
		`{"TableName":"numbers","Item":{"pk":{"N":"10"},"secret":{"S":"SECRET-B"}}}`,
		`{"TableName":"indexed","Item":{"pk":{"S":"bob"},"sk":{"S":"1"},"gh":{"S":"bob"},"gr":{"N":"10"},"secret":{"S":"SECRET-B"}}}`,
	} {
		require.Equal(t, `{}`, x.as("ROOT", "PutItem", put))
	}
	before := x.as("ROOT", "Scan", `{"TableName":"plain"}`)
	for _, a := range attacks {
		t.Run(a.name, func(t *testing.T) {
			answer := x.as("ALICE", a.operation, a.body)
			assert.Contains(t, answer, "AccessDenied")
			assert.NotContains(t, answer, "SECRET")
			assert.Equal(t, before, x.as("ROOT", "Scan", `{"TableName":"plain"}`),
				"what is denied changes nothing")
		})
	}
}

const numbersTable = `{"TableName":"numbers","BillingMode":"PAY_PER_REQUEST",
	"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"N"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}`

// statementAttacks returns attacks of PartiQL, each by itself, in a batch and in a transaction.
func statementAttacks(texts ...string) (all []attack) {
	for _, text := range texts {
		quoted := `"Statement":"` + strings.ReplaceAll(text, `"`, `\"`) + `"`
		all = append(all,
			attack{text, "ExecuteStatement", `{` + quoted + `}`},
			attack{text + " in a batch", "BatchExecuteStatement",
				`{"Statements":[{` + quoted + `}]}`},
			attack{text + " in a transaction", "ExecuteTransaction",
				`{"TransactStatements":[{` + quoted + `}]}`})
	}
	return all
}

// TestAttacksOnPartitions: the policy of the Developer Guide for items of one's own, which also
// asks that there is a partition key ("Using IAM policy conditions for fine-grained access
// control").
func TestAttacksOnPartitions(t *testing.T) {
	own := []string{allow("dynamodb:*", "*",
		`"Condition":{"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":["alice","1","MQ=="]},"Null":{"dynamodb:LeadingKeys":"false"}}`)}
	attacked(t, own, append(statementAttacks(
		`SELECT * FROM plain`,
		`SELECT * FROM plain WHERE secret = 'SECRET-B'`,
		`SELECT * FROM plain WHERE pk = 'bob'`,
		`SELECT * FROM plain WHERE 'bob' = pk`,
		`SELECT * FROM plain WHERE pk = 'alice' OR pk = 'bob'`,
		`SELECT * FROM plain WHERE pk = 'alice' OR secret = 'SECRET-B'`,
		`SELECT * FROM plain WHERE pk IN ['alice','bob']`,
		`SELECT * FROM plain WHERE NOT pk = 'alice'`,
		`SELECT * FROM plain WHERE NOT (pk <> 'bob')`,
		`SELECT * FROM plain WHERE pk <> 'alice'`,
		`SELECT * FROM plain WHERE pk BETWEEN 'alice' AND 'bob'`,
		`SELECT * FROM plain WHERE pk BETWEEN 'bob' AND 'bob'`,
		`SELECT * FROM plain WHERE pk >= 'alice'`,
		`SELECT * FROM plain WHERE begins_with(pk, 'b')`,
		`SELECT * FROM plain WHERE pk IS NOT MISSING`,
		`SELECT * FROM plain WHERE (pk = 'alice' AND secret = 'x') OR (pk = 'bob' AND secret = 'SECRET-B')`,
		`SELECT * FROM plain WHERE NOT (pk <> 'alice' AND pk <> 'bob')`,
		`SELECT * FROM "plain" WHERE "pk" = 'bob'`,
		`SELECT * FROM "`+tableA("plain")+`" WHERE pk = 'bob'`,
		`SELECT * FROM indexed.gsi1 WHERE gh = 'bob'`,
		`SELECT * FROM "indexed"."gsi1" WHERE gh = 'bob' AND gr = 10`,
		`SELECT * FROM "indexed"."gsi1" WHERE pk = 'alice'`,
		`SELECT * FROM numbers WHERE pk = 10`,
		`INSERT INTO plain VALUE {'pk':'carol'}`,
		`UPDATE plain SET secret = 'y' WHERE pk = 'bob'`,
		`UPDATE plain SET secret = 'y' WHERE pk = 'bob' RETURNING ALL OLD *`,
		`DELETE FROM plain WHERE pk = 'bob'`,
		`DELETE FROM plain WHERE pk = 'bob' RETURNING ALL OLD *`,
		`EXISTS(SELECT * FROM plain WHERE pk = 'bob')`,
	), []attack{
		{"a scan", "Scan", `{"TableName":"plain"}`},
		{"a scan with a filter", "Scan", `{"TableName":"plain","FilterExpression":"pk = :a","ExpressionAttributeValues":{":a":{"S":"alice"}}}`},
		{"a scan from an own key", "Scan", `{"TableName":"plain","ExclusiveStartKey":{"pk":{"S":"alice"}}}`},
		{"a scan of an index", "Scan", `{"TableName":"indexed","IndexName":"gsi1"}`},
		{"another's item", "GetItem", `{"TableName":"plain","Key":{"pk":{"S":"bob"}}}`},
		{"another's item by the ARN", "GetItem",
			`{"TableName":"` + tableA("plain") + `","Key":{"pk":{"S":"bob"}}}`},
		{"a placeholder for the key", "Query", `{"TableName":"plain","KeyConditionExpression":"#p = :a","ExpressionAttributeNames":{"#p":"pk"},"ExpressionAttributeValues":{":a":{"S":"bob"}}}`},
		{"brackets around the key", "Query", `{"TableName":"plain","KeyConditionExpression":"((pk) = :a)","ExpressionAttributeValues":{":a":{"S":"bob"}}}`},
		{"operands the other way", "Query", `{"TableName":"plain","KeyConditionExpression":":a = pk","ExpressionAttributeValues":{":a":{"S":"bob"}}}`},
		{"conditions of old", "Query", `{"TableName":"plain","KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"bob"}]}}}`},
		{"own key of the table, another's of the index", "Query", `{"TableName":"indexed","IndexName":"gsi1","KeyConditionExpression":"gh = :b","FilterExpression":"pk = :a","ExpressionAttributeValues":{":a":{"S":"alice"},":b":{"S":"bob"}}}`},
		{"two keys, of which one is another's", "BatchGetItem", `{"RequestItems":{"plain":{"Keys":[{"pk":{"S":"alice"}},{"pk":{"S":"bob"}}]}}}`},
		{"two tables, of which one has another's", "BatchGetItem", `{"RequestItems":{"plain":{"Keys":[{"pk":{"S":"alice"}}]},"ranged":{"Keys":[{"pk":{"S":"bob"},"sk":{"N":"1"}}]}}}`},
		{"a table by its name and its ARN", "BatchGetItem", `{"RequestItems":{"plain":{"Keys":[{"pk":{"S":"alice"}}]},"` + tableA("plain") + `":{"Keys":[{"pk":{"S":"bob"}}]}}}`},
		{"a batch that deletes", "BatchWriteItem", `{"RequestItems":{"plain":[{"PutRequest":{"Item":{"pk":{"S":"alice"}}}},{"DeleteRequest":{"Key":{"pk":{"S":"bob"}}}}]}}`},
		{"a put", "PutItem", `{"TableName":"plain","Item":{"pk":{"S":"bob"}},"ReturnValues":"ALL_OLD"}`},
		{"an update that changes nothing", "UpdateItem", `{"TableName":"plain","Key":{"pk":{"S":"bob"}},"ReturnValues":"ALL_NEW"}`},
		{"a failed condition that shows the item", "DeleteItem", `{"TableName":"plain","Key":{"pk":{"S":"bob"}},"ConditionExpression":"attribute_not_exists(pk)","ReturnValuesOnConditionCheckFailure":"ALL_OLD"}`},
		{"a get of a transaction", "TransactGetItems", `{"TransactItems":[{"Get":{"TableName":"plain","Key":{"pk":{"S":"alice"}}}},{"Get":{"TableName":"plain","Key":{"pk":{"S":"bob"}}}}]}`},
		{"a condition of a transaction", "TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"plain","Item":{"pk":{"S":"alice"}}}},{"ConditionCheck":{"TableName":"plain","Key":{"pk":{"S":"bob"}},"ConditionExpression":"secret = :a","ExpressionAttributeValues":{":a":{"S":"SECRET-B"}}}}]}`},
		{"a number written otherwise", "GetItem", `{"TableName":"numbers","Key":{"pk":{"N":"10.0"}}}`},
		{"the table itself", "DescribeTable", `{"TableName":"plain"}`},
		{"a deletion of the table", "DeleteTable", `{"TableName":"plain"}`},
	}...))
}

// TestAttacksOnDeniedPartitions: a Deny of one partition holds however its key is written.
func TestAttacksOnDeniedPartitions(t *testing.T) {
	attacked(t, []string{allow("dynamodb:*", "*"),
		deny("dynamodb:*", "*", `"Condition":{"ForAnyValue:StringEquals":{"dynamodb:LeadingKeys":["bob","10","YQ=="]}}`)},
		append(statementAttacks(
			`SELECT * FROM plain WHERE pk = 'bob'`,
			`SELECT * FROM plain WHERE pk IN ['alice','bob']`,
			`SELECT * FROM numbers WHERE pk = 10.0`,
			`SELECT * FROM numbers WHERE pk = 1e1`,
			`SELECT * FROM numbers WHERE pk IN [1, 10.00]`,
			`INSERT INTO numbers VALUE {'pk':1e1}`,
			`UPDATE numbers SET a = 1 WHERE pk = 10.0`,
		), []attack{
			{"with a fraction", "GetItem", `{"TableName":"numbers","Key":{"pk":{"N":"10.0"}}}`},
			{"with an exponent", "GetItem", `{"TableName":"numbers","Key":{"pk":{"N":"1E1"}}}`},
			{"with noughts before", "GetItem", `{"TableName":"numbers","Key":{"pk":{"N":"0010"}}}`},
			{"with a sign", "GetItem", `{"TableName":"numbers","Key":{"pk":{"N":"+10"}}}`},
			{"in an index", "Query", `{"TableName":"indexed","IndexName":"gsi2","KeyConditionExpression":"gr = :a","ExpressionAttributeValues":{":a":{"N":"1e1"}}}`},
			{"a batch", "BatchGetItem", `{"RequestItems":{"numbers":{"Keys":[{"pk":{"N":"1"}},{"pk":{"N":"10.0"}}]}}}`},
			{"a write of a batch", "BatchWriteItem", `{"RequestItems":{"plain":[{"DeleteRequest":{"Key":{"pk":{"S":"bob"}}}}]}}`},
			{"a transaction", "TransactWriteItems", `{"TransactItems":[{"Delete":{"TableName":"plain","Key":{"pk":{"S":"bob"}}}}]}`},
			{"bytes", "GetItem", `{"TableName":"binary","Key":{"pk":{"B":"YQ=="},"sk":{"B":"YQ=="}}}`},
		}...))
}

// TestAttacksOnAttributes: a Deny of an attribute holds wherever a request names it.
func TestAttacksOnAttributes(t *testing.T) {
	const key = `"Key":{"pk":{"S":"alice"}}`
	attacked(t, []string{allow("dynamodb:*", "*"),
		deny("dynamodb:*", "*", `"Condition":{"ForAnyValue:StringEquals":{"dynamodb:Attributes":["secret"]}}`)},
		append(statementAttacks(
			`SELECT secret FROM plain WHERE pk = 'alice'`,
			`SELECT "secret" FROM plain WHERE pk = 'alice'`,
			`SELECT pk, secret.a FROM plain WHERE pk = 'alice'`,
			`SELECT pk, secret[0] FROM plain WHERE pk = 'alice'`,
			`SELECT pk FROM plain WHERE pk = 'alice' AND secret = 'SECRET-A'`,
			`SELECT pk FROM plain WHERE pk = 'alice' AND NOT (secret.a IS MISSING)`,
			`SELECT pk FROM plain WHERE pk = 'alice' AND size(secret) > 1`,
			`SELECT pk FROM plain WHERE pk = 'alice' AND begins_with("secret", 'S')`,
			`SELECT pk FROM plain WHERE pk = 'alice' AND 'SECRET-A' IN [secret]`,
			`SELECT pk FROM plain WHERE pk = 'alice' AND pk BETWEEN secret AND 'z'`,
			`UPDATE plain SET secret = 'y' WHERE pk = 'alice'`,
			`UPDATE plain SET a = secret WHERE pk = 'alice'`,
			`UPDATE plain SET a = list_append(secret, [1]) WHERE pk = 'alice'`,
			`UPDATE plain REMOVE secret WHERE pk = 'alice'`,
			`UPDATE plain REMOVE secret.a WHERE pk = 'alice'`,
			`UPDATE plain SET a = 1 WHERE pk = 'alice' AND secret = 'SECRET-A'`,
			`DELETE FROM plain WHERE pk = 'alice' AND secret = 'SECRET-A'`,
			`INSERT INTO plain VALUE {'pk':'c','secret':'y'}`,
			`EXISTS(SELECT * FROM plain WHERE pk = 'alice' AND secret = 'SECRET-A')`,
		), []attack{
			{"a projection", "GetItem", `{"TableName":"plain",` + key + `,"ProjectionExpression":"secret"}`},
			{"a placeholder", "GetItem", `{"TableName":"plain",` + key + `,"ProjectionExpression":"#s","ExpressionAttributeNames":{"#s":"secret"}}`},
			{"an element", "GetItem", `{"TableName":"plain",` + key + `,"ProjectionExpression":"pk,secret[0].a"}`},
			{"a member behind blanks", "GetItem", `{"TableName":"plain",` + key + `,"ProjectionExpression":"pk ,\tsecret . a"}`},
			{"attributes of old", "GetItem", `{"TableName":"plain",` + key + `,"AttributesToGet":["secret"]}`},
			{"a batch", "BatchGetItem", `{"RequestItems":{"plain":{"Keys":[{"pk":{"S":"alice"}}],"ProjectionExpression":"secret"}}}`},
			{"a batch of old", "BatchGetItem", `{"RequestItems":{"plain":{"Keys":[{"pk":{"S":"alice"}}],"AttributesToGet":["secret"]}}}`},
			{"a get of a transaction", "TransactGetItems", `{"TransactItems":[{"Get":{"TableName":"plain",` + key + `,"ProjectionExpression":"#s","ExpressionAttributeNames":{"#s":"secret"}}}]}`},
			{"a filter", "Scan", `{"TableName":"plain","ProjectionExpression":"pk","FilterExpression":"secret > :a","ExpressionAttributeValues":{":a":{"S":"S"}}}`},
			{"the size in a filter", "Scan", `{"TableName":"plain","ProjectionExpression":"pk","FilterExpression":"size(secret) > :a","ExpressionAttributeValues":{":a":{"N":"1"}}}`},
			{"the size with blanks", "Scan", `{"TableName":"plain","ProjectionExpression":"pk","FilterExpression":"NOT\n(size\t( secret ) > :a)","ExpressionAttributeValues":{":a":{"N":"1"}}}`},
			{"an operand of IN", "Scan", `{"TableName":"plain","ProjectionExpression":"pk","FilterExpression":":a IN (pk,secret)","ExpressionAttributeValues":{":a":{"S":"S"}}}`},
			{"a bound of BETWEEN", "Scan", `{"TableName":"plain","ProjectionExpression":"pk","FilterExpression":":a BETWEEN secret AND secret","ExpressionAttributeValues":{":a":{"S":"S"}}}`},
			{"a filter of old", "Scan", `{"TableName":"plain","AttributesToGet":["pk"],"ScanFilter":{"secret":{"ComparisonOperator":"NOT_NULL"}}}`},
			{"a filter of a query of old", "Query", `{"TableName":"plain","KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"alice"}]}},"QueryFilter":{"secret":{"ComparisonOperator":"NOT_NULL"}}}`},
			{"a put", "PutItem", `{"TableName":"plain","Item":{"pk":{"S":"c"},"secret":{"S":"y"}}}`},
			{"a put of a batch", "BatchWriteItem", `{"RequestItems":{"plain":[{"PutRequest":{"Item":{"pk":{"S":"c"},"secret":{"S":"y"}}}}]}}`},
			{"a put of a transaction", "TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"plain","Item":{"pk":{"S":"c"},"secret":{"S":"y"}}}}]}`},
			{"a condition", "DeleteItem", `{"TableName":"plain",` + key + `,"ConditionExpression":"contains(secret, :a)","ExpressionAttributeValues":{":a":{"S":"S"}}}`},
			{"an expectation of old", "DeleteItem", `{"TableName":"plain",` + key + `,"Expected":{"secret":{"ComparisonOperator":"NOT_NULL"}}}`},
			{"a condition of a transaction", "TransactWriteItems", `{"TransactItems":[{"ConditionCheck":{"TableName":"plain",` + key + `,"ConditionExpression":"attribute_exists(#s)","ExpressionAttributeNames":{"#s":"secret"}}}]}`},
			{"an assignment", "UpdateItem", `{"TableName":"plain",` + key + `,"UpdateExpression":"SET secret=:a","ExpressionAttributeValues":{":a":{"S":"S"}}}`},
			{"an operand of an assignment", "UpdateItem", `{"TableName":"plain",` + key + `,"UpdateExpression":"SET a=secret"}`},
			{"an operand of a function", "UpdateItem", `{"TableName":"plain",` + key + `,"UpdateExpression":"SET a=if_not_exists(secret,:a)","ExpressionAttributeValues":{":a":{"S":"S"}}}`},
			{"a removal", "UpdateItem", `{"TableName":"plain",` + key + `,"UpdateExpression":"REMOVE a,secret.b"}`},
			{"an addition", "UpdateItem", `{"TableName":"plain",` + key + `,"UpdateExpression":"ADD secret :a","ExpressionAttributeValues":{":a":{"N":"1"}}}`},
			{"a deletion of elements", "UpdateItem", `{"TableName":"plain",` + key + `,"UpdateExpression":"DELETE secret :a","ExpressionAttributeValues":{":a":{"SS":["1"]}}}`},
			{"an update of old", "UpdateItem", `{"TableName":"plain",` + key + `,"AttributeUpdates":{"secret":{"Action":"DELETE"}}}`},
		}...))
}

// TestAttacksOnWhatIsDenied: a Deny holds before every Allow, whatever the case of its action.
func TestAttacksOnWhatIsDenied(t *testing.T) {
	get := attack{"get", "GetItem", `{"TableName":"plain","Key":{"pk":{"S":"bob"}}}`}
	byARN := attack{"get by the ARN", "GetItem",
		`{"TableName":"` + tableA("plain") + `","Key":{"pk":{"S":"bob"}}}`}
	inTransaction := attack{"get in a transaction", "TransactGetItems", `{"TransactItems":[{"Get":{"TableName":"plain","Key":{"pk":{"S":"bob"}}}}]}`}
	gets := []attack{get, byARN, inTransaction}
	scan := attack{"scan", "Scan", `{"TableName":"plain"}`}
	query := attack{"query", "Query", `{"TableName":"plain","KeyConditionExpression":"pk = :a","ExpressionAttributeValues":{":a":{"S":"bob"}}}`}
	ofIndex := []attack{
		{"query of the index", "Query", `{"TableName":"indexed","IndexName":"gsi1","KeyConditionExpression":"gh = :a","ExpressionAttributeValues":{":a":{"S":"bob"}}}`},
		{"scan of the index by the ARN", "Scan",
			`{"TableName":"` + tableA("indexed") + `","IndexName":"gsi1"}`},
	}
	condition := func(text string) string { return `"Condition":` + text }
	for _, c := range []struct {
		name    string
		denied  string
		attacks []attack
	}{
		{"small letters", deny("dynamodb:getitem", "*"), gets},
		{"large letters", deny("DYNAMODB:GETITEM", "*"), gets},
		{"wildcards of the action", deny("dynamodb:?et*", "*"), gets},
		{"the star", deny("*", "*"), append(gets, scan, query)},
		{"wildcards of the resource", deny("dynamodb:*", "arn:aws:dynamodb:*:*:table/pl?in"), append(gets, scan)},
		{"a beginning of the resource", deny("dynamodb:*", tableA("p*")), append(gets, scan)},
		{"an index", deny("dynamodb:*", tableA("indexed/index/gsi1")),
			append(statementAttacks(`SELECT * FROM indexed.gsi1`, `SELECT * FROM "indexed"."gsi1" WHERE gh = 'bob'`,
				`SELECT * FROM "`+tableA("indexed")+`"."gsi1" WHERE gh = 'bob'`), ofIndex...)},
		{"all indexes", deny("dynamodb:*", tableA("*/index/*")), ofIndex},
		{"all but an action", `{"Effect":"Deny","NotAction":"dynamodb:DescribeTable","Resource":"*"}`,
			append(gets, scan, query, attack{"limits", "DescribeLimits", `{}`},
				attack{"tables", "ListTables", `{}`})},
		{"all but a table", `{"Effect":"Deny","Action":"dynamodb:*","NotResource":"` + tableA("indexed") + `"}`, append(gets, append(ofIndex, scan)...)},
		{"all but actions in small letters", `{"Effect":"Deny","NotAction":"dynamodb:describetable","Resource":"*"}`, gets},
		{"what has no partition", deny("dynamodb:*", "*", condition(`{"Null":{"dynamodb:LeadingKeys":"true"}}`)), []attack{scan}},
		{"what has a partition", deny("dynamodb:*", "*", condition(`{"Null":{"DynamoDB:LeadingKeys":"false"}}`)), append(gets, query)},
		{"without TLS", deny("dynamodb:*", "*", condition(`{"Bool":{"aws:SecureTransport":"false"}}`)), gets},
		{"without TLS, if it is said", deny("dynamodb:*", "*", condition(`{"BoolIfExists":{"AWS:SecureTransport":"FALSE"}}`)), gets},
		{"without a second factor", deny("dynamodb:*", "*", condition(`{"BoolIfExists":{"aws:MultiFactorAuthPresent":"false"}}`)), gets},
		{"another organization", deny("dynamodb:*", "*", condition(`{"StringNotEquals":{"aws:PrincipalOrgID":"o-1"}}`)), gets},
		{"another organization in other letters", deny("dynamodb:*", "*", condition(`{"StringNotEqualsIgnoreCase":{"aws:PrincipalOrgID":"o-1"}}`)), gets},
		{"another ARN", deny("dynamodb:*", "*", condition(`{"ArnNotLike":{"aws:PrincipalArn":"arn:aws:iam::*:user/bob"}}`)), gets},
		{"another address", deny("dynamodb:*", "*", condition(`{"NotIpAddress":{"aws:SourceIp":["203.0.113.0/24"]}}`)), gets},
		{"not only own keys", deny("dynamodb:*", "*", condition(`{"ForAnyValue:StringNotEquals":{"dynamodb:LeadingKeys":["alice"]}}`)), append(gets, query)},
		{"other than own keys, of which there are none", deny("dynamodb:*", "*", condition(`{"ForAllValues:StringNotEquals":{"dynamodb:LeadingKeys":["alice"]}}`)), append(gets, scan)},
		{"whole items", deny("dynamodb:*", "*", condition(`{"StringEquals":{"dynamodb:Select":"ALL_ATTRIBUTES"}}`)), append(gets, scan, query)},
		{"all but parts", deny("dynamodb:*", "*", condition(`{"StringNotEquals":{"dynamodb:Select":"SPECIFIC_ATTRIBUTES"}}`)),
			append(gets, scan, query, attack{"a count", "Scan", `{"TableName":"plain","Select":"COUNT"}`})},
		{"projected attributes", deny("dynamodb:*", "*", condition(`{"StringEquals":{"dynamodb:Select":"ALL_PROJECTED_ATTRIBUTES"}}`)), ofIndex},
		{"values that a write returns", deny("dynamodb:*", "*", condition(`{"StringLike":{"dynamodb:ReturnValues":"ALL_*"}}`)), append(statementAttacks(
			`DELETE FROM plain WHERE pk = 'bob' RETURNING ALL OLD *`), []attack{
			{"put", "PutItem", `{"TableName":"plain","Item":{"pk":{"S":"bob"}},"ReturnValues":"ALL_OLD"}`},
			{"update", "UpdateItem", `{"TableName":"plain","Key":{"pk":{"S":"bob"}},"ReturnValues":"ALL_NEW"}`},
			{"delete", "DeleteItem", `{"TableName":"plain","Key":{"pk":{"S":"bob"}},"ReturnValues":"ALL_OLD"}`}}...)},
		{"writes outside of transactions", deny("dynamodb:PutItem", "*", condition(`{"StringNotEquals":{"dynamodb:EnclosingOperation":"TransactWriteItems"}}`)), []attack{
			{"put", "PutItem", `{"TableName":"plain","Item":{"pk":{"S":"bob"}}}`}}},
		{"a tag of the principal that there is not", deny("dynamodb:*", "*", condition(`{"StringNotEquals":{"aws:PrincipalAccount":"${aws:PrincipalTag/none}"}}`)), gets},
		{"a pattern of a tag that there is not", deny("dynamodb:*", "*", condition(`{"StringNotLike":{"aws:username":"${aws:PrincipalTag/none}*"}}`)), gets},
		{"keys of a tag that there is not", deny("dynamodb:*", "*", condition(`{"ForAnyValue:StringNotEquals":{"dynamodb:LeadingKeys":"${aws:PrincipalTag/none}"}}`)), append(gets, query)},
		{"a tag in the resource", deny("dynamodb:*", tableA("${aws:PrincipalTag/none, 'plain'}")), gets},
		{"an account", deny("dynamodb:*", "*", condition(`{"StringEquals":{"aws:ResourceAccount":"`+accountA+`"}}`)), gets},
		{"full scans", deny("dynamodb:PartiQLSelect", "*", condition(`{"Bool":{"dynamodb:FullTableScan":["true"]}}`)), statementAttacks(
			`SELECT * FROM plain`, `SELECT * FROM plain WHERE secret = 'a'`, `SELECT * FROM plain WHERE pk > 'a'`,
			`SELECT * FROM plain WHERE pk = 'a' OR secret = 'b'`, `SELECT * FROM indexed.gsi1 WHERE pk = 'bob' AND sk = '1'`)},
	} {
		t.Run(c.name, func(t *testing.T) {
			attacked(t, []string{allow("*", "*"), c.denied, allow("dynamodb:*", "*")}, c.attacks)
		})
	}
}
