package emulator

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/wire"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
)

// shown is a target as text: table/index item, with "!" if it is written.
func shown(t serve.Target) string {
	s := t.Table
	if t.Index != "" {
		s += "/" + t.Index
	}
	if t.Known != "" {
		s += " " + string(t.Known.JSON())
	}
	if t.Write {
		s += "!"
	}
	return s
}

// targetsIn are the targets of a request.
func targetsIn(t *testing.T, name, body string) (list []string) {
	at := slices.IndexFunc(operations, func(o serve.Operation) bool { return o.Name == name })
	require.GreaterOrEqual(t, at, 0)
	in := reflect.New(operations[at].Input).Interface()
	require.NoError(t, wire.Decode(body, in, nil))
	c := &serve.Call{
		Service: New().service, Owner: arn.Owner{Account: "000000000000", Region: "us-east-1"},
		Operation: &operations[at],
	}
	for _, target := range c.Targets(in) {
		list = append(list, shown(target))
	}
	return list
}

func TestTargets(t *testing.T) {
	const arn = "arn:aws:dynamodb:us-east-1:000000000000:table/users"
	for _, tc := range []struct {
		operation, body string
		want            []string
	}{
		{"GetItem", `{"TableName":"users","Key":{"pk":{"S":"a"}}}`,
			[]string{`users {"pk":{"S":"a"}}`}},
		{"PutItem", `{"TableName":"` + arn + `","Item":{"pk":{"S":"a"},"x":{"N":"1"}}}`,
			[]string{`users {"pk":{"S":"a"},"x":{"N":"1"}}!`}},
		{"UpdateItem", `{"TableName":"users","Key":{"pk":{"S":"a"}}}`,
			[]string{`users {"pk":{"S":"a"}}!`}},
		{"DeleteItem", `{"TableName":"users","Key":{"pk":{"S":"a"}}}`,
			[]string{`users {"pk":{"S":"a"}}!`}},
		{"Query", `{"TableName":"users","IndexName":"i","KeyConditionExpression":"#p = :p AND sk > :s","ExpressionAttributeNames":{"#p":"pk"},
			"ExpressionAttributeValues":{":p":{"S":"a"},":s":{"N":"1"}}}`,
			[]string{`users/i {"pk":{"S":"a"}}`}},
		{"Query", `{"TableName":"users","KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"a"}]}}}`, []string{`users {"pk":{"S":"a"}}`}},
		{"Query", `{"TableName":"users","KeyConditionExpression":"what?"}`, []string{`users`}},
		{"Scan", `{"TableName":"users","IndexName":"i"}`, []string{`users/i`}},
		{"BatchGetItem",
			`{"RequestItems":{"users":{"Keys":[{"pk":{"S":"a"}},{"pk":{"S":"b"}}]},"` + arn +
				`2":{"Keys":[{"pk":{"S":"c"}}]}}}`,
			[]string{`users {"pk":{"S":"a"}}`, `users {"pk":{"S":"b"}}`,
				`users2 {"pk":{"S":"c"}}`}},
		{"BatchWriteItem",
			`{"RequestItems":{"users":[{"PutRequest":{"Item":{"pk":{"S":"a"}}}},{"DeleteRequest":{"Key":{"pk":{"S":"b"}}}},{}]}}`,
			[]string{`users {"pk":{"S":"a"}}!`, `users {"pk":{"S":"b"}}!`, `users!`}},
		{"TransactGetItems",
			`{"TransactItems":[{"Get":{"TableName":"users","Key":{"pk":{"S":"a"}}}}]}`,
			[]string{`users {"pk":{"S":"a"}}`}},
		{"TransactWriteItems",
			`{"TransactItems":[{"Put":{"TableName":"users","Item":{"pk":{"S":"a"}}}},{"Update":{"TableName":"users","Key":{"pk":{"S":"b"}}}},
			{"Delete":{"TableName":"users","Key":{"pk":{"S":"c"}}}},{"ConditionCheck":{"TableName":"users","Key":{"pk":{"S":"d"}}}},{}]}`,
			[]string{`users {"pk":{"S":"a"}}!`, `users {"pk":{"S":"b"}}!`,
				`users {"pk":{"S":"c"}}!`, `users {"pk":{"S":"d"}}`, ``}},
		{"ExecuteStatement",
			`{"Statement":"SELECT * FROM users.i WHERE pk = 'a' AND ? = sk AND x > 1","Parameters":[{"N":"2"}]}`,
			[]string{`users/i {"pk":{"S":"a"},"sk":{"N":"2"}}`}},
		{"ExecuteStatement",
			`{"Statement":"SELECT * FROM users WHERE pk = 'a' AND pk = 'b' OR x = 1"}`,
			[]string{`users`}},
		{"ExecuteStatement", `{"Statement":"what?"}`, []string{``}},
		{"BatchExecuteStatement",
			`{"Statements":[{"Statement":"INSERT INTO users VALUE {'pk': 'a', 'x': 1}"},{"Statement":"DELETE FROM users WHERE pk = 'b'"}]}`,
			[]string{`users {"pk":{"S":"a"},"x":{"N":"1"}}!`, `users {"pk":{"S":"b"}}!`}},
		{"ExecuteTransaction",
			`{"TransactStatements":[{"Statement":"UPDATE users SET x = 1 WHERE pk = 'a'"},{"Statement":"EXISTS(SELECT * FROM users WHERE pk = 'b')"}]}`,
			[]string{`users {"pk":{"S":"a"}}!`, `users {"pk":{"S":"b"}}`}},
		{"CreateTable", `{"TableName":"users"}`, []string{`users!`}},
		{"DescribeTable", `{"TableName":"` + arn + `"}`, []string{`users`}},
		{"TagResource", `{"ResourceArn":"` + arn + `"}`, []string{`users!`}},
		{"GetRecords", `{"ShardIterator":"` + arn + `/stream/2026-01-01T00:00:00.000|1|x"}`,
			[]string{`users`}},
		{"DescribeStream", `{"StreamArn":"` + arn + `/stream/2026-01-01T00:00:00.000"}`,
			[]string{`users`}},
		{"ListTables", `{}`, []string{``}},
	} {
		t.Run(fmt.Sprint(tc.operation, " ", tc.body), func(t *testing.T) {
			assert.Equal(t, tc.want, targetsIn(t, tc.operation, tc.body))
		})
	}
}
