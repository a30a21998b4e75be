package traffic_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/traffic"
)

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func key(name string, kind types.KeyType) types.KeySchemaElement {
	return types.KeySchemaElement{AttributeName: &name, KeyType: kind}
}

// orders describes a table with an index by customer that does not project most attributes.
func orders() *dynamodb.CreateTableInput {
	return &dynamodb.CreateTableInput{
		TableName:   aws.String("orders"),
		BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("line"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("customer"), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{key("id", types.KeyTypeHash),
			key("line", types.KeyTypeRange)},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
			IndexName:  aws.String("by-customer"),
			KeySchema:  []types.KeySchemaElement{key("customer", types.KeyTypeHash)},
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly},
		}},
		LocalSecondaryIndexes: []types.LocalSecondaryIndex{{
			IndexName: aws.String("local"),
			KeySchema: []types.KeySchemaElement{key("id", types.KeyTypeHash),
				key("customer", types.KeyTypeRange)},
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly},
		}},
	}
}

// exercise makes traffic: it writes ten lines of an order and reads them.
func exercise(ctx context.Context, t require.TestingT, client *dynamodb.Client) {
	_, err := client.CreateTable(ctx, orders())
	require.NoError(t, err)
	for i := range 10 {
		_, err := client.PutItem(
			ctx, &dynamodb.PutItemInput{TableName: aws.String(
				"orders"), Item: map[string]types.AttributeValue{
				"id": text("o1"), "line": text(fmt.Sprint(i)), "customer": text("c1"),
				"state": text("new"),
			}})
		require.NoError(t, err)
	}
	_, err = client.Query(ctx, &dynamodb.QueryInput{
		TableName: aws.String("orders"), KeyConditionExpression: aws.String("id = :id"),
		FilterExpression:         aws.String("line = :l OR #s = :l"),
		ExpressionAttributeNames: map[string]string{"#s": "state"},
		ExpressionAttributeValues: map[string]types.AttributeValue{":id": text("o1"),
			":l": text("3")},
	})
	require.Error(t, err) // a filter cannot use a key attribute
	for _, in := range []*dynamodb.QueryInput{
		{KeyConditionExpression: aws.String("id = :id"),
			FilterExpression:          aws.String("amount = :id"),
			ExpressionAttributeValues: map[string]types.AttributeValue{":id": text("o1")}},
		{KeyConditionExpression: aws.String("customer = :id"), IndexName: aws.String("by-customer"),
			ExpressionAttributeValues: map[string]types.AttributeValue{":id": text("c1")}},
		{KeyConditionExpression: aws.String("id = :id"), IndexName: aws.String("local"),
			Select:                    types.SelectAllAttributes,
			ExpressionAttributeValues: map[string]types.AttributeValue{":id": text("o1")}},
	} {
		in.TableName = aws.String("orders")
		_, err := client.Query(ctx, in)
		require.NoError(t, err)
	}
	_, err = client.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String("orders")})
	require.NoError(t, err)
	_, err = client.GetItem(ctx,
		&dynamodb.GetItemInput{
			TableName: aws.String("orders"),
			Key:       map[string]types.AttributeValue{"id": text("o2"), "line": text("0")},
		})
	require.NoError(t, err)
}

var declared = []traffic.Pattern{
	{Name: "lines of an order", Table: "orders", Operation: "Query", Key: "id  = ?"},
	{Name: "orders of a customer", Table: "orders", Index: "by-customer"},
	{Name: "a line", Table: "orders", Operation: "GetItem"},
	{Name: "delete a line", Table: "orders", Operation: "DeleteItem"},
}

// TestReport: the report is the text in testdata/report.txt, and equal traffic gives equal reports.
func TestReport(t *testing.T) {
	want, err := os.ReadFile("testdata/report.txt")
	require.NoError(t, err)
	for range 5 {
		s := emulatortest.Start(t)
		r := traffic.NewRecorder(declared...)
		s.Emulator.Observe(r.Observe)
		exercise(t.Context(), t, s.Client())
		report := r.Report()
		require.Equal(t, string(want), report.String())
		assert.Equal(t, []traffic.Pattern{declared[3]}, report.Unused())

		encoded, err := json.Marshal(report)
		require.NoError(t, err)
		var decoded traffic.Report
		require.NoError(t, json.Unmarshal(encoded, &decoded))
		assert.Equal(t, report.String(), decoded.String(), "the JSON says as much")

		assert.NotContains(t, string(encoded), "null")

		r.Reset()
		encoded, err = json.Marshal(traffic.NewRecorder().Report())
		require.NoError(t, err)
		assert.Equal(t,
			`{"requests":0,"readUnits":0,"writeUnits":0,"tables":[],"operations":[],"capacity":[],"reads":[],"keys":[],"writes":[],"partitions":[],"patterns":[],"undeclared":[]}`, string(encoded))
		assert.Equal(t, "0 requests, 0 read units, 0 write units\n",
			strings.Split(r.Report().String(), "\nAccess")[0])
	}
}

// TestEventComesFirst: the event is recorded before the first byte of the answer is sent, even of a
// long answer.
func TestEventComesFirst(t *testing.T) {
	s := emulatortest.Start(t)
	r := traffic.NewRecorder()
	_, err := s.Client().CreateTable(t.Context(), orders())
	require.NoError(t, err)
	_, err = s.Client().PutItem(
		t.Context(), &dynamodb.PutItemInput{TableName: aws.String(
			"orders"), Item: map[string]types.AttributeValue{
			"id": text("o"), "line": text("1"), "long": text(strings.Repeat("x", 100_000)),
		}})
	require.NoError(t, err)
	s.Emulator.Observe(r.Observe)
	for i := range 20 {
		in, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL(),
			strings.NewReader(`{"TableName":"orders"}`))
		require.NoError(t, err)
		in.Header = http.Header{
			"Content-Type": {"application/x-amz-json-1.0"},
			"X-Amz-Target": {"DynamoDB_20120810.Scan"}, "X-Amz-Date": {"20260101T000000Z"},
			"Authorization": {
				"AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=0",
			},
		}
		out, err := http.DefaultClient.Do(in)
		require.NoError(t, err)
		require.Equal(t, 200, out.StatusCode)
		require.EqualValues(t, i+1, r.Report().Requests)
		_, err = io.Copy(io.Discard, out.Body)
		require.NoError(t, err)
		out.Body.Close()
	}
}

func TestRowsAreBounded(t *testing.T) {
	r := traffic.NewRecorder()
	for i := range 3 * traffic.MaxRows {
		table := fmt.Sprint("t", i)
		r.Observe(&emulator.Event{
			Operation: "PutItem", Tables: []string{table}, Error: "SomeException",
			Capacity: []emulator.Capacity{{Table: table, Write: 1}},
			Reads:    []emulator.EventRead{{Table: table, Scan: true, Evaluated: 1, Units: 1}},
		})
	}
	report := r.Report()
	require.Len(t, report.Operations, traffic.MaxRows)
	require.Len(t, report.Capacity, traffic.MaxRows)
	require.Len(t, report.Reads, traffic.MaxRows)
	assert.EqualValues(t, 3*traffic.MaxRows, report.WriteUnits)
	assert.EqualValues(t, 2*traffic.MaxRows+1, report.Reads[0].Pages)
	assert.Equal(t, traffic.Other, report.Reads[0].Table)
}

func TestPatternsThatAreNotValid(t *testing.T) {
	assert.PanicsWithValue(t,
		`traffic: access patterns: "a": "Qeury" is no operation on items`, func() {
			traffic.NewRecorder(traffic.Pattern{Name: "a", Table: "t", Operation: "Qeury"})
		})
}

// TestTablesOfReport: what only failed requests name need not exist.
func TestTablesOfReport(t *testing.T) {
	r := traffic.NewRecorder()
	r.Observe(&emulator.Event{Operation: "GetItem", Tables: []string{"a", "c"}})
	r.Observe(&emulator.Event{
		Operation: "GetItem", Tables: []string{"a", "typo"}, Error: "ResourceNotFoundException",
	})
	report := r.Report()
	report.AddTable("b")
	report.AddTable("c")
	assert.Equal(t, []string{"a", "b", "c"}, report.Tables)
}

func ExampleRecorder() {
	e := emulator.New()
	client := emulatortest.NewClient(e)
	r := traffic.NewRecorder(traffic.Pattern{
		Name: "an order", Table: "orders", Operation: "GetItem",
	})
	stop := e.Observe(r.Observe)
	defer stop()

	ctx := context.Background()
	client.CreateTable(ctx, orders())
	client.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String("orders")})

	report := r.Report()
	fmt.Println(report.Reads[0].Table, report.Reads[0].Why)
	fmt.Println("unused:", report.Unused()[0].Name)
	fmt.Println("undeclared:", report.Undeclared[0].Operation)
	// Output:
	// orders [no partition key is given: all items are read]
	// unused: an order
	// undeclared: Scan
}

// TestKeys checks that reads by key are counted by their condition and the words that begin its
// values.
func TestKeys(t *testing.T) {
	s := emulatortest.Start(t)
	r := traffic.NewRecorder()
	s.Emulator.Observe(r.Observe)
	client := s.Client()
	exercise(t.Context(), t, client)
	for _, id := range []string{"ORDER#1", "ORDER#2", "ORDER#2", "ORDER_LINE#1"} {
		_, err := client.Query(t.Context(), &dynamodb.QueryInput{
			TableName:                 aws.String("orders"),
			KeyConditionExpression:    aws.String("id = :id AND line BETWEEN :id AND :id"),
			ScanIndexForward:          aws.Bool(false),
			ExpressionAttributeValues: map[string]types.AttributeValue{":id": text(id)},
		})
		require.NoError(t, err)
	}
	encoded, err := json.Marshal(r.Report().Keys)
	require.NoError(t, err)
	const order = `"operation":"Query","table":"orders","keyCondition":"id = ? AND line BETWEEN ? AND ?","descending":true,"consistent":false`
	assert.JSONEq(t, `[
		{`+order+`,"requests":3,"returned":0,"examples":[
			{"values":[{"S":"ORDER#1"},{"S":"ORDER#1"},{"S":"ORDER#1"}],"requests":1},
			{"values":[{"S":"ORDER#2"},{"S":"ORDER#2"},{"S":"ORDER#2"}],"requests":2}]},
		{"operation":"GetItem","table":"orders","descending":false,"consistent":false,"requests":1,"returned":0,"examples":[{"values":[{"S":"o2"},{"S":"0"}],"requests":1}]},
		{"operation":"Query","table":"orders","index":"by-customer","keyCondition":"customer = ?","descending":false,"consistent":false,"requests":1,"returned":10,"examples":[{"values":[{"S":"c1"}],"requests":1}]},
		{"operation":"Query","table":"orders","index":"local","keyCondition":"id = ?","descending":false,"consistent":false,"requests":1,"returned":10,"examples":[{"values":[{"S":"o1"}],"requests":1}]},
		{`+order+`,"requests":1,"returned":0,"examples":[{"values":[{"S":"ORDER_LINE#1"},{"S":"ORDER_LINE#1"},{"S":"ORDER_LINE#1"}],"requests":1}]},
		{"operation":"Query","table":"orders","keyCondition":"id = ?","descending":false,"consistent":false,"requests":1,"returned":0,"examples":[{"values":[{"S":"o1"}],"requests":1}]}
	]`, string(encoded))
}

// TestWrites checks that writes are counted by their kind, the attributes that updates write, and
// the words that begin the values of keys.
func TestWrites(t *testing.T) {
	s := emulatortest.Start(t)
	client := s.Client()
	_, err := client.CreateTable(t.Context(), orders())
	require.NoError(t, err)
	r := traffic.NewRecorder()
	s.Emulator.Observe(r.Observe)
	line := func(id string) map[string]types.AttributeValue {
		return map[string]types.AttributeValue{"id": text(id), "line": text("1")}
	}
	values := map[string]types.AttributeValue{":s": text("open")}
	for _, id := range []string{"ORDER#1", "ORDER#1", "ORDER#2"} {
		_, err := client.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
			TableName: aws.String("orders"), Key: line(id),
			UpdateExpression:          aws.String("SET #s = :s, customer = :s REMOVE note"),
			ExpressionAttributeNames:  map[string]string{"#s": "state"},
			ExpressionAttributeValues: values})
		require.NoError(t, err)
	}
	_, err = client.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{
		TransactItems: []types.TransactWriteItem{
			{Put: &types.Put{TableName: aws.String("orders"), Item: line("ORDER#3")}},
			{Delete: &types.Delete{TableName: aws.String("orders"), Key: line("ORDER#2")}},
			{ConditionCheck: &types.ConditionCheck{TableName: aws.String("orders"),
				Key: line("ORDER#1"), ConditionExpression: aws.String("attribute_exists(id)")}},
		}})
	require.NoError(t, err)
	_, err = client.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{ // it fails: no write
		TableName: aws.String("orders"), Key: line("ORDER#3"),
		ConditionExpression: aws.String("attribute_not_exists(id)")})
	require.Error(t, err)
	_, err = client.ExecuteStatement(t.Context(), &dynamodb.ExecuteStatementInput{
		Statement: aws.String(
			`UPDATE orders SET total = 7 WHERE id = 'ORDER#1' AND line = '1'`)})
	require.NoError(t, err)
	encoded, err := json.Marshal(r.Report().Writes)
	require.NoError(t, err)
	assert.JSONEq(t, `[
		{"table":"orders","kind":"Update","changed":["customer","note","state"],"requests":3,"examples":[
			{"key":{"id":{"S":"ORDER#1"},"line":{"S":"1"}},"requests":2},
			{"key":{"id":{"S":"ORDER#2"},"line":{"S":"1"}},"requests":1}]},
		{"table":"orders","kind":"Delete","requests":1,"examples":[{"key":{"id":{"S":"ORDER#2"},"line":{"S":"1"}},"requests":1}]},
		{"table":"orders","kind":"Put","requests":1,"examples":[{"key":{"id":{"S":"ORDER#3"},"line":{"S":"1"}},"requests":1}]},
		{"table":"orders","kind":"Update","changed":["total"],"requests":1,"examples":[{"key":{"id":{"S":"ORDER#1"},"line":{"S":"1"}},"requests":1}]}
	]`, string(encoded))
}

// TestVectorBytes: a report shows the bytes of vector indexes, which have no units.
func TestVectorBytes(t *testing.T) {
	r := traffic.NewRecorder()
	for range 2 {
		r.Observe(&emulator.Event{
			Operation: "PutItem",
			Capacity: []emulator.Capacity{{Table: "docs", Write: 1},
				{Table: "docs", Index: "near", WriteBytes: 1024}},
		})
	}
	r.Observe(&emulator.Event{
		Operation: "SearchVectors",
		Capacity:  []emulator.Capacity{{Table: "docs", Index: "near", ReadBytes: 2048}},
	})
	report := r.Report()
	assert.Equal(t, []traffic.Capacity{
		{Operation: "PutItem", Table: "docs", Write: 2},
		{Operation: "PutItem", Table: "docs", Index: "near", WriteBytes: 2048},
		{Operation: "SearchVectors", Table: "docs", Index: "near", ReadBytes: 2048},
	}, report.Capacity)
	assert.Equal(t, 2.0, report.WriteUnits)
	assert.Contains(t, report.String(), "  SearchVectors  docs/near  2048 bytes  0\n")
}
