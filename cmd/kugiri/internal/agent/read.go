package agent

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/kugiri-db/kugiri/expr/partiql"
)

type inFork struct {
	Fork string `json:"fork,omitempty" jsonschema:"name of a fork to work in"`
}

type ofTable struct {
	Table string `json:"table" jsonschema:"name of the table"`
	inFork
}

type ofItem struct {
	ofTable
	Key map[string]any `json:"key" jsonschema:"the key in DynamoDB's JSON, such as {\"id\": {\"S\": \"1\"}}"`
}

type readIn struct {
	ofTable
	Index      string            `json:"index,omitempty" jsonschema:"name of an index to read"`
	Filter     string            `json:"filter,omitempty" jsonschema:"FilterExpression"`
	Projection string            `json:"projection,omitempty" jsonschema:"ProjectionExpression: the attributes to return"`
	Names      map[string]string `json:"names,omitempty" jsonschema:"ExpressionAttributeNames, such as {\"#s\": \"status\"}"`
	Values     map[string]any    `json:"values,omitempty" jsonschema:"ExpressionAttributeValues, such as {\":id\": {\"S\": \"1\"}}"`
	Limit      int               `json:"limit,omitempty" jsonschema:"how many items to read, 25 by default and 100 at most"`
	Start      map[string]any    `json:"start,omitempty" jsonschema:"the member next of the page before"`
}

type queryIn struct {
	readIn
	KeyCondition string `json:"keyCondition" jsonschema:"KeyConditionExpression, such as id = :id"`
	Descending   bool   `json:"descending,omitempty"`
}

type selectIn struct {
	inFork
	Statement  string `json:"statement" jsonschema:"a SELECT in PartiQL"`
	Parameters []any  `json:"parameters,omitempty" jsonschema:"values of the question marks in DynamoDB's JSON"`
	Limit      int    `json:"limit,omitempty" jsonschema:"how many items to read, 25 by default and 100 at most"`
	Next       string `json:"next,omitempty" jsonschema:"the member next of the page before"`
}

// The limits of a page.
const (
	usualItems = 25
	mostItems  = 100
)

func limited(n int) int {
	if n <= 0 {
		return usualItems
	}
	return min(n, mostItems)
}

func (t *tools) addReads() {
	add(t, "list_tables", "Lists the tables with their keys, items, bytes and indexes", reads,
		t.listTables)
	add(t, "describe_table", "Describes a table as DescribeTable does",
		reads, func(ctx context.Context, in *ofTable) ([]byte, error) {
			answer, err := t.send(ctx, "DescribeTable", map[string]any{"TableName": in.Table},
				in.Fork)
			if err != nil {
				return nil, err
			}
			return json.Marshal(answer["Table"])
		})
	add(t, "get_item", "Reads an item by its key",
		reads, func(ctx context.Context, in *ofItem) ([]byte, error) {
			answer, err := t.send(ctx, "GetItem",
				map[string]any{
					"TableName": in.Table, "Key": in.Key, "ReturnConsumedCapacity": "TOTAL",
				}, in.Fork)
			if err != nil {
				return nil, err
			}
			return json.Marshal(map[string]any{"item": answer["Item"], "units": unitsIn(answer)})
		})
	add(t, "query", "Reads items of one partition, in the order of the sort key",
		reads, func(ctx context.Context, in *queryIn) ([]byte, error) {
			request := in.request()
			request["KeyConditionExpression"] = in.KeyCondition
			if in.Descending {
				request["ScanIndexForward"] = any(json.RawMessage("false"))
			}
			return t.page(ctx, "Query", request, in.Fork)
		})
	add(t, "scan", "Reads items of the whole table or index, which costs their size: prefer query",
		reads, func(ctx context.Context, in *readIn) ([]byte, error) {
			return t.page(ctx, "Scan", in.request(), in.Fork)
		})
	add(t, "select", "Reads items by a PartiQL statement", reads, t.selectItems)
}

func (in *readIn) request() map[string]any {
	return map[string]any{"TableName": in.Table, "IndexName": in.Index,
		"FilterExpression": in.Filter, "ProjectionExpression": in.Projection,
		"ExpressionAttributeNames": in.Names, "ExpressionAttributeValues": in.Values,
		"Limit": limited(in.Limit), "ExclusiveStartKey": in.Start,
		"ReturnConsumedCapacity": "TOTAL"}
}

// page sends a Query or a Scan.
func (t *tools) page(ctx context.Context, operation string, request map[string]any,
	as string) ([]byte, error) {
	answer, err := t.send(ctx, operation, request, as)
	if err != nil {
		return nil, err
	}
	return json.Marshal(filled(map[string]any{
		"items": answer["Items"], "read": answer["ScannedCount"], "units": unitsIn(answer),
		"next": object(answer["LastEvaluatedKey"]),
	}))
}

// unitsIn returns the capacity units that an answer tells.
func unitsIn(answer map[string]any) any {
	capacity, _ := answer["ConsumedCapacity"].(map[string]any)
	return capacity["CapacityUnits"]
}

// object returns a value that is an object, or a nil one.
func object(v any) map[string]any {
	o, _ := v.(map[string]any)
	return o
}

func (t *tools) selectItems(ctx context.Context, in *selectIn) ([]byte, error) {
	s, err := partiql.Parse(in.Statement)
	if err != nil {
		return nil, err
	}
	if s.Kind != partiql.Select {
		return nil, errors.New("select reads only: want a SELECT")
	}
	answer, err := t.send(ctx,
		"ExecuteStatement", map[string]any{"Statement": in.Statement, "Parameters": in.Parameters,
			"Limit": limited(in.Limit), "NextToken": in.Next, "ReturnConsumedCapacity": "TOTAL"},
		in.Fork)
	if err != nil {
		return nil, err
	}
	next, _ := answer["NextToken"].(string)
	return json.Marshal(
		filled(map[string]any{"items": answer["Items"], "units": unitsIn(answer), "next": next}))
}

// tableLine describes a table in short.
type tableLine struct {
	Name    string   `json:"name"`
	Status  string   `json:"status"`
	Key     []string `json:"key"`
	Items   any      `json:"items"`
	Bytes   any      `json:"bytes"`
	Indexes []string `json:"indexes,omitempty"`
}

type listIn struct {
	inFork
	After string `json:"after,omitempty" jsonschema:"the member next of the page before"`
}

func (t *tools) listTables(ctx context.Context, in *listIn) ([]byte, error) {
	names, err := t.send(ctx, "ListTables",
		map[string]any{"Limit": mostItems, "ExclusiveStartTableName": in.After}, in.Fork)
	if err != nil {
		return nil, err
	}
	lines := []tableLine{}
	list, _ := names["TableNames"].([]any)
	for _, name := range list {
		answer, err := t.send(ctx, "DescribeTable", map[string]any{"TableName": name}, in.Fork)
		if err != nil {
			return nil, err
		}
		text, err := json.Marshal(answer["Table"])
		if err != nil {
			return nil, err
		}
		l, err := lineOf(text)
		if err != nil {
			return nil, err
		}
		lines = append(lines, l)
	}
	next, _ := names["LastEvaluatedTableName"].(string)
	return json.Marshal(filled(map[string]any{"tables": lines, "next": next}))
}

func lineOf(description []byte) (tableLine, error) {
	var d struct {
		TableName, TableStatus    string
		ItemCount, TableSizeBytes json.Number
		KeySchema                 []struct{ AttributeName string }
		GlobalSecondaryIndexes    []struct{ IndexName string }
		LocalSecondaryIndexes     []struct{ IndexName string }
		VectorIndexes             []struct{ IndexName string }
	}
	if err := json.Unmarshal(description, &d); err != nil {
		return tableLine{}, err
	}
	l := tableLine{
		Name: d.TableName, Status: d.TableStatus, Items: d.ItemCount, Bytes: d.TableSizeBytes,
	}
	for _, k := range d.KeySchema {
		l.Key = append(l.Key, k.AttributeName)
	}
	for _, list := range [...][]struct {
		IndexName string
	}{d.GlobalSecondaryIndexes, d.LocalSecondaryIndexes, d.VectorIndexes} {
		for _, ix := range list {
			l.Indexes = append(l.Indexes, ix.IndexName)
		}
	}
	return l, nil
}
