package policy_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/policytest"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

const (
	foreignKey = `{"pk":{"S":"PRODUCT#tenant002"},"sk":{"S":"01HX7MBJK3V9WQBZ7XNDK5ZT2M"}}`
	ownKey     = `{"pk":{"S":"PRODUCT#tenant001"},"sk":{"S":"01HX7MBJK3V9WQBZ7XNDK5ZT2M"}}`
	ownItem    = `{"pk":{"S":"PRODUCT#tenant001"},"sk":{"S":"01HX7MBJK3V9WQBZ7XNDK5ZT2M"},"version":{"N":"1"}}`
)

// Every operation of the data plane is read: what it does to another tenant's key, or what it
// scans, is found.
func TestFromJSON(t *testing.T) {
	e := compile(t, policytest.Shop())
	crossing, scan, deleted :=
		policy.RuleTenantCrossing, policy.RuleTenantScan, policy.RuleVersionDeleted
	for _, c := range []struct {
		name, operation, body string
		reads, writes         int
		rules                 []*policy.Rule
	}{
		{"GetItem", "GetItem", `{"TableName":"data","Key":` + foreignKey + `}`, 1, 0,
			[]*policy.Rule{crossing}},
		{"GetItem, its own", "GetItem",
			`{"TableName":"data","Key":` + ownKey + `,"ConsistentRead":true}`, 1, 0, nil},
		{"GetItem by ARN", "GetItem",
			`{"TableName":"arn:aws:dynamodb:us-east-1:000000000000:table/data","Key":` +
				foreignKey + `}`, 1, 0, []*policy.Rule{crossing}},
		{"PutItem", "PutItem", `{"TableName":"data","Item":` + ownItem + `}`, 0, 1, nil},
		{"PutItem, escaped", "PutItem",
			`{"\u0054ableName":"data","Item":` +
				strings.ReplaceAll(ownItem, "tenant001", `\u0074enant002`) + `}`, 0, 1,
			[]*policy.Rule{crossing}},
		{"PutItem under a condition", "PutItem",
			`{"TableName":"data","Item":` + strings.ReplaceAll(ownItem, `"1"`, `"4"`) +
				`,"ConditionExpression":"#v = :v","ExpressionAttributeNames":{"#v":"version"},"ExpressionAttributeValues":{":v":{"N":"3"}}}`, 0, 1, nil},
		{"PutItem under Expected", "PutItem",
			`{"TableName":"data","Item":` + strings.ReplaceAll(ownItem, `"1"`, `"4"`) +
				`,"Expected":{"version":{"Value":{"N":"3"}}}}`, 0, 1, nil},
		{"PutItem under Expected, of another", "PutItem",
			`{"TableName":"data","Item":` + strings.ReplaceAll(ownItem, `"1"`, `"4"`) +
				`,"Expected":{"version":{"Exists":false}}}`, 0, 1,
			[]*policy.Rule{policy.RuleVersionFirst}},
		{"UpdateItem", "UpdateItem",
			`{"TableName":"data","Key":` + ownKey +
				`,"UpdateExpression":"ADD version :v","ExpressionAttributeValues":{":v":{"N":"1"}}}`, 0, 1, nil},
		{"UpdateItem by AttributeUpdates", "UpdateItem",
			`{"TableName":"data","Key":` + ownKey +
				`,"AttributeUpdates":{"version":{"Action":"ADD","Value":{"N":"1"}}}}`, 0, 1, nil},
		{"UpdateItem by AttributeUpdates, version left", "UpdateItem",
			`{"TableName":"data","Key":` + ownKey +
				`,"AttributeUpdates":{"a":{"Action":"DELETE"}}}`, 0, 1,
			[]*policy.Rule{policy.RuleVersionNotRaised}},
		{"DeleteItem", "DeleteItem", `{"TableName":"data","Key":` + foreignKey + `}`, 0, 1,
			[]*policy.Rule{crossing, deleted}},
		{"DeleteItem of a version", "DeleteItem",
			`{"TableName":"data","Key":` + ownKey +
				`,"Expected":{"version":{"Value":{"N":"3.0"}}}}`, 0, 1, nil},
		{"Query", "Query",
			`{"TableName":"data","KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"PRODUCT#tenant002"}}}`, 1, 0, []*policy.Rule{crossing}},
		{"Query by KeyConditions", "Query",
			`{"TableName":"data","KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"PRODUCT#tenant002"}]}}}`, 1, 0,
			[]*policy.Rule{crossing}},
		{"Query of an index", "Query",
			`{"TableName":"data","IndexName":"by-category","KeyConditionExpression":"gsi1pk = :p",` +
				`"ExpressionAttributeValues":{":p":{"S":"CATEGORY#tenant002#books"}}}`, 1, 0,
			[]*policy.Rule{crossing}},
		{"Scan", "Scan", `{"TableName":"data"}`, 1, 0, []*policy.Rule{scan}},
		{"Scan of an index", "Scan",
			`{"TableName":"data","IndexName":"by-category","FilterExpression":"a = :a"}`, 1, 0,
			[]*policy.Rule{scan}},
		{"SearchVectors", "SearchVectors",
			`{"TableName":"data","IndexName":"by-category","TopK":1,"SearchVector":[{"N":"1"}],"SearchConditionExpression":"gsi1pk = :p AND lang = :l",` +
				`"ExpressionAttributeValues":{":p":{"S":"CATEGORY#tenant002#books"},":l":{"S":"en"}}}`,
			1, 0, []*policy.Rule{crossing}},
		{"SearchVectors, its own", "SearchVectors",
			`{"TableName":"data","IndexName":"by-category","SearchConditionExpression":"gsi1pk = :p",` +
				`"ExpressionAttributeValues":{":p":{"S":"CATEGORY#tenant001#books"}}}`, 1, 0, nil},
		{"SearchVectors of all tenants", "SearchVectors",
			`{"TableName":"data","IndexName":"by-category"}`, 1, 0, []*policy.Rule{scan}},
		{"SearchVectors by an inline filter alone", "SearchVectors",
			`{"TableName":"data","IndexName":"by-category","SearchConditionExpression":"lang = :l",` +
				`"ExpressionAttributeValues":{":l":{"S":"en"}}}`, 1, 0,
			[]*policy.Rule{policy.RuleTenantUndeclared}},
		{"BatchGetItem", "BatchGetItem",
			`{"RequestItems":{"data":{"Keys":[` + ownKey + `,` + foreignKey + `]}}}`, 2, 0,
			[]*policy.Rule{crossing}},
		{"BatchWriteItem", "BatchWriteItem",
			`{"RequestItems":{"data":[{"PutRequest":{"Item":` + ownItem +
				`}},{"DeleteRequest":{"Key":` + foreignKey + `}}]}}`, 0, 2,
			[]*policy.Rule{policy.RuleVersionSequence, crossing, deleted}},
		{"TransactGetItems", "TransactGetItems",
			`{"TransactItems":[{"Get":{"TableName":"data","Key":` + ownKey +
				`}},{"Get":{"TableName":"data","Key":` + foreignKey + `}}]}`, 2, 0,
			[]*policy.Rule{crossing}},
		{"TransactWriteItems", "TransactWriteItems",
			`{"TransactItems":[{"Put":{"TableName":"data","Item":` + ownItem +
				`}},{"Delete":{"TableName":"data","Key":` + foreignKey + `}},` +
				`{"ConditionCheck":{"TableName":"data","Key":` + foreignKey +
				`,"ConditionExpression":"attribute_exists(pk)"}}]}`, 0, 3,
			[]*policy.Rule{crossing, deleted, crossing}},
		{"SELECT", "ExecuteStatement",
			`{"Statement":"SELECT * FROM data WHERE pk = 'PRODUCT#tenant002'"}`, 1, 0,
			[]*policy.Rule{crossing}},
		{"SELECT by a parameter", "ExecuteStatement",
			`{"Statement":"SELECT * FROM \"data\" WHERE ? = pk","Parameters":[{"S":"PRODUCT#tenant002"}]}`, 1, 0, []*policy.Rule{crossing}},
		{"SELECT IN", "ExecuteStatement",
			`{"Statement":"SELECT * FROM data WHERE pk IN ['PRODUCT#tenant001', 'PRODUCT#tenant002']"}`, 1, 0, []*policy.Rule{crossing}},
		{"SELECT OR", "ExecuteStatement",
			`{"Statement":"SELECT * FROM data WHERE pk = 'PRODUCT#tenant001' OR pk = 'PRODUCT#tenant002'"}`, 1, 0, []*policy.Rule{crossing}},
		{"SELECT OR something else", "ExecuteStatement",
			`{"Statement":"SELECT * FROM data WHERE pk = 'PRODUCT#tenant001' OR a = 'b'"}`, 1, 0,
			[]*policy.Rule{scan}},
		{"SELECT something else first", "ExecuteStatement",
			`{"Statement":"SELECT * FROM data WHERE a = 'b' OR pk = 'PRODUCT#tenant001'"}`, 1, 0,
			[]*policy.Rule{scan}},
		{"SELECT OR, all its own", "ExecuteStatement",
			`{"Statement":"SELECT * FROM data WHERE (pk = 'PRODUCT#tenant001' AND a = 'b') OR (a = 'c' AND pk = 'MASTER#tenant001')"}`, 1, 0, nil},
		{"SELECT of several entities", "ExecuteStatement",
			`{"Statement":"SELECT * FROM data WHERE pk = 'ORDER#tenant001'"}`, 1, 0,
			[]*policy.Rule{policy.RuleMixedRead}},
		{"SELECT of a range", "ExecuteStatement",
			`{"Statement":"SELECT * FROM data WHERE pk = 'ORDER#tenant001' AND sk BETWEEN 'ORDER#' AND 'ORDER#9'"}`, 1, 0, nil},
		{"SELECT up to something, the other way round", "ExecuteStatement",
			`{"Statement":"SELECT * FROM data WHERE pk = 'ORDER#tenant001' AND 'ORDER_' > sk"}`, 1,
			0, nil},
		{"SELECT from something on", "ExecuteStatement",
			`{"Statement":"SELECT * FROM data WHERE pk = 'ORDER#tenant001' AND sk > 'ORDER_'"}`, 1,
			0, nil},
		{"SELECT NOT", "ExecuteStatement",
			`{"Statement":"SELECT * FROM data WHERE NOT pk = 'PRODUCT#tenant001'"}`, 1, 0,
			[]*policy.Rule{scan}},
		{"SELECT of what begins with nothing", "ExecuteStatement",
			`{"Statement":"SELECT * FROM data WHERE begins_with(pk) OR begins_with()"}`, 1, 0,
			[]*policy.Rule{scan}},
		{"SELECT of everything", "ExecuteStatement", `{"Statement":"SELECT * FROM data"}`, 1, 0,
			[]*policy.Rule{scan}},
		{"SELECT of an index", "ExecuteStatement",
			`{"Statement":"SELECT * FROM data.\"by-category\" WHERE gsi1pk = 'CATEGORY#tenant002#books'"}`, 1, 0, []*policy.Rule{crossing}},
		{"SELECT of what begins so", "ExecuteStatement",
			`{"Statement":"SELECT * FROM data WHERE begins_with(pk, 'PRODUCT#tenant001')"}`, 1, 0,
			[]*policy.Rule{scan}},
		{"SELECT of an undeclared index", "ExecuteStatement",
			`{"Statement":"SELECT * FROM data.other WHERE x = 'books' AND y = 'SHOP#tenant001'"}`,
			1, 0, []*policy.Rule{policy.RuleTenantUndeclared}},
		{"SELECT of an undeclared index, its own", "ExecuteStatement",
			`{"Statement":"SELECT * FROM data.other WHERE x = 'books' AND pk = 'PRODUCT#tenant001'"}`, 1, 0, nil},
		{"INSERT", "ExecuteStatement",
			`{"Statement":"INSERT INTO data VALUE {'pk':'PRODUCT#tenant002','sk':?,'version':1}","Parameters":[{"S":"` + ulid1 + `"}]}`, 0, 1, []*policy.Rule{crossing}},
		{"UPDATE", "ExecuteStatement",
			`{"Statement":"UPDATE data SET version = version + 1 WHERE pk = 'PRODUCT#tenant001' AND sk = '` + ulid1 + `'"}`, 0, 1, nil},
		{"UPDATE under a condition that leaves the version", "ExecuteStatement",
			`{"Statement":"UPDATE data SET a = 1 WHERE pk = 'PRODUCT#tenant001' AND sk = '` +
				ulid1 + `' AND version = 3"}`, 0, 1, []*policy.Rule{policy.RuleVersionNotRaised}},
		{"an update that begins with FROM", "ExecuteStatement",
			`{"Statement":"FROM data WHERE pk = 'PRODUCT#tenant002' AND sk = '` + ulid1 +
				`' SET version = version + 1"}`, 0, 1, []*policy.Rule{crossing}},
		{"more parameters than the statement has", "ExecuteStatement",
			`{"Statement":"SELECT * FROM data WHERE pk = ?","Parameters":[{"S":"PRODUCT#tenant001"},{"S":"x"}]}`, 1, 0, nil},
		{"UPDATE of a set", "ExecuteStatement",
			`{"Statement":"UPDATE data SET a = set_add(a, <<'x'>>) SET version = 4 WHERE pk = 'PRODUCT#tenant001' AND sk = '` + ulid1 + `' AND version = 3"}`, 0, 1, nil},
		{"DELETE", "ExecuteStatement",
			`{"Statement":"DELETE FROM data WHERE pk = 'PRODUCT#tenant002' AND sk = '` +
				ulid1 + `'"}`, 0, 1, []*policy.Rule{crossing, deleted}},
		{"DELETE of a version", "ExecuteStatement",
			`{"Statement":"DELETE FROM data WHERE pk = 'PRODUCT#tenant001' AND sk = '` + ulid1 +
				`' AND version = 3"}`, 0, 1, nil},
		{"BatchExecuteStatement", "BatchExecuteStatement",
			`{"Statements":[{"Statement":"SELECT * FROM data WHERE pk = 'PRODUCT#tenant002' AND sk = '` + ulid1 + `'"}]}`, 1, 0, []*policy.Rule{crossing}},
		{"ExecuteTransaction", "ExecuteTransaction",
			`{"TransactStatements":[{"Statement":"EXISTS(SELECT * FROM data WHERE pk = 'PRODUCT#tenant002' AND sk = '` + ulid1 + `')"},` +
				`{"Statement":"DELETE FROM data WHERE pk = 'PRODUCT#tenant001' AND sk = '` +
				ulid1 + `'"}]}`, 1, 1, []*policy.Rule{crossing, deleted}},
		{"another operation", "DescribeTable", `{"TableName":"data"}`, 0, 0, nil},
		{"another operation, of a table that is not declared", "DescribeTable",
			`{"TableName":"arn:aws:dynamodb:eu-west-1:1:table/other"}`, 0, 0,
			[]*policy.Rule{policy.RuleTenantUndeclared}},
		{"an operation on tables", "DeleteTable", `{`, 0, 0,
			[]*policy.Rule{policy.RuleTenantOperation}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := request.FromJSON(c.operation, []byte(c.body))
			require.NoError(t, err)
			assert.Equal(t, c.operation, r.Operation)
			assert.Len(t, r.Reads, c.reads)
			assert.Len(t, r.Writes, c.writes)
			r.Caller, r.Amends = tenant1, true
			want := []string{}
			for _, rule := range c.rules {
				want = append(want, rule.ID)
			}
			found := e.CheckRequest(r, nil)
			assert.Equal(t, want, ids(found), "%v", found)
		})
	}
}

func TestFromJSONErrors(t *testing.T) {
	for _, c := range []struct{ name, operation, body, text string }{
		{"no JSON", "GetItem", `{`, "GetItem"},
		{"no object", "GetItem", `[]`, "an object is missing"},
		{"more than an object", "GetItem", `{"TableName":"data","Key":` + ownKey + `}{}`,
			"GetItem"},
		{"a member twice", "GetItem", `{"TableName":"a","TableName":"b","Key":` + ownKey + `}`,
			"is there twice"},
		{"a member twice, once escaped", "GetItem",
			`{"TableName":"a","\u0054ableName":"b","Key":` + ownKey + `}`, "is there twice"},
		{"a member in other case is another", "GetItem",
			`{"tablename":"data","Key":` + ownKey + `}`, "TableName is missing"},
		{"no table", "Scan", `{}`, "TableName is missing"},
		{"no key", "DeleteItem", `{"TableName":"data","Item":` + ownItem + `}`, "Key is missing"},
		{"no item", "PutItem", `{"TableName":"data"}`, "Item is missing"},
		{"no key condition", "Query", `{"TableName":"data"}`, "KeyConditionExpression is missing"},
		{"a search of no index", "SearchVectors", `{"TableName":"data"}`, "IndexName is missing"},
		{"a search by comparison", "SearchVectors",
			`{"TableName":"data","IndexName":"x","SearchConditionExpression":"a < :a","ExpressionAttributeValues":{":a":{"S":"a"}}}`, "Invalid comparator"},
		{"an invalid value", "PutItem", `{"TableName":"data","Item":{"pk":{"N":"x"}}}`, "Item"},
		{"an invalid expression", "UpdateItem",
			`{"TableName":"data","Key":` + ownKey + `,"UpdateExpression":"SET"}`,
			"UpdateExpression"},
		{"legacy and new", "PutItem",
			`{"TableName":"data","Item":` + ownItem +
				`,"ConditionExpression":"attribute_exists(pk)","Expected":{"a":{"Exists":false}}}`,
			"cannot be mixed"},
		{"no parts", "TransactWriteItems", `{"TransactItems":[]}`, "0 parts"},
		{"a part of two", "TransactWriteItems",
			`{"TransactItems":[{"Put":{"TableName":"data","Item":` + ownItem +
				`},"Delete":{"TableName":"data","Key":` + ownKey + `}}]}`, "one thing exactly"},
		{"too many parts", "TransactGetItems",
			`{"TransactItems":[` +
				strings.Repeat(`{"Get":{"TableName":"data","Key":`+ownKey+`}},`, 100) +
				`{"Get":{"TableName":"data","Key":` + ownKey + `}}]}`, "101 parts"},
		{"no statement", "ExecuteStatement", `{}`, "ExecuteStatement"},
		{"a statement that is refused", "ExecuteStatement",
			`{"Statement":"SELECT COUNT(*) FROM data"}`, "Unexpected path component at 1:8:5"},
		{"an operation that nobody knows", "ReadEverything", `{}`, "the policy knows"},
		{"rubbish of another operation", "DescribeTable", `{`, "DescribeTable"},
		{"parameters are missing", "ExecuteStatement",
			`{"Statement":"SELECT * FROM data WHERE pk = ?"}`,
			"0 parameters for a statement with 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := request.FromJSON(c.operation, []byte(c.body))
			assert.Nil(t, r)
			assert.ErrorContains(t, err, c.text)
		})
	}
}

// TestFromJSONReadsAllOperationsOnItems: what the policy did not read would not be checked.
func TestFromJSONReadsAllOperationsOnItems(t *testing.T) {
	for o := range catalog.All() {
		t.Run(o.Name, func(t *testing.T) {
			_, err := request.FromJSON(o.Name, []byte(`{`))
			read := []string{"UpdateTimeToLive", "CreateTable", "UpdateTable", "ImportTable"}
			switch {
			case o.Subject != catalog.Items && o.Subject != catalog.Setup &&
				!slices.Contains(read, o.Name):
				assert.NoError(t, err, "the body is of no concern to the policy")
			default:
				assert.ErrorIs(t, err, jsontext.ErrSyntax)
			}
		})
	}
}

// FuzzFromJSON: no body breaks the reading or the checking of a request, and the same body gives
// the same findings.
func FuzzFromJSON(f *testing.F) {
	e := compile(f, policytest.Shop())
	for _, seed := range [][2]string{
		{"GetItem", `{"TableName":"data","Key":` + foreignKey + `}`},
		{"PutItem",
			`{"TableName":"documents","Item":{"documentVersion":{"S":"latest"},"actualVersion":{"S":"v1"}},"Expected":{"a":{"Exists":false}}}`},
		{"UpdateItem",
			`{"TableName":"data","Key":` + ownKey +
				`,"UpdateExpression":"SET a = a + :v ADD version :v","ExpressionAttributeValues":{":v":{"N":"1"}}}`},
		{"UpdateItem",
			`{"TableName":"data","Key":` + ownKey +
				`,"AttributeUpdates":{"version":{"Action":"ADD","Value":{"N":"1"}}}}`},
		{"Query", `{"TableName":"data","KeyConditionExpression":"pk = :p AND begins_with(sk, :s)","ExpressionAttributeValues":{":p":{"S":"ORDER#tenant001"},":s":{"S":"ORDER"}}}`},
		{"Query", `{"TableName":"data","KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"PRODUCT#tenant002"}]}}}`},
		{"BatchGetItem", `{"RequestItems":{"data":{"Keys":[` + ownKey + `]}}}`},
		{"BatchWriteItem", `{"RequestItems":{"data":[{"PutRequest":{"Item":` + ownItem + `}}]}}`},
		{"TransactWriteItems",
			`{"TransactItems":[{"Put":{"TableName":"command-a","Item":` + ownItem + `}}]}`},
		{"ExecuteStatement",
			`{"Statement":"SELECT * FROM data WHERE pk IN [?, 'a'] OR pk = 'b'","Parameters":[{"S":"a"}]}`},
		{"ExecuteStatement",
			`{"Statement":"UPDATE data SET a = set_add(a, <<'x'>>) REMOVE b WHERE pk = 'a' AND sk = 'b' AND version = 3"}`},
		{"ExecuteStatement", `{"Statement":"INSERT INTO data VALUE {'pk':'a'}"}`},
		{"ExecuteTransaction",
			`{"TransactStatements":[{"Statement":"DELETE FROM data WHERE pk = 'a'"}]}`},
		{"CreateTable", `{"TableName":"data","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"N"}],"GlobalSecondaryIndexes":[{"IndexName":"by-a","KeySchema":[{"AttributeName":"a","KeyType":"HASH"},{"AttributeName":"b","KeyType":"RANGE"}]}]}`},
		{"UpdateTable", `{"TableName":"data","GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"by-a","KeySchema":[{"AttributeName":"a","KeyType":"HASH"}]}}]}`},
		{"ImportTable", `{"TableCreationParameters":{"TableName":"data","KeySchema":[]}}`},
	} {
		f.Add(seed[0], []byte(seed[1]))
	}
	f.Fuzz(func(t *testing.T, operation string, body []byte) {
		r, err := request.FromJSON(operation, body)
		if err != nil {
			return
		}
		r.Caller = tenant1
		state := e.NewState()
		found := e.CheckRequest(r, state)
		assert.Equal(t, ids(found), ids(e.CheckRequest(r, state)))
		for i := range found {
			assert.NotEmpty(t, found[i].Error())
		}
		e.RecordRequest(state, r)
		e.Amendments(r)
	})
}
