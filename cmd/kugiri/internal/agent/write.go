package agent

import (
	"context"
	"encoding/json"
)

type condition struct {
	Condition string            `json:"condition,omitempty" jsonschema:"ConditionExpression: the write fails unless it holds"`
	Names     map[string]string `json:"names,omitempty" jsonschema:"ExpressionAttributeNames"`
	Values    map[string]any    `json:"values,omitempty" jsonschema:"ExpressionAttributeValues in DynamoDB's JSON"`
}

type putIn struct {
	ofTable
	condition
	Item map[string]any `json:"item" jsonschema:"the item in DynamoDB's JSON"`
}

type updateIn struct {
	ofItem
	condition
	Update string `json:"update" jsonschema:"UpdateExpression, such as SET #s = :s"`
}

type deleteIn struct {
	ofItem
	condition
}

type statementIn struct {
	inFork
	Statement  string `json:"statement" jsonschema:"an INSERT, UPDATE or DELETE in PartiQL"`
	Parameters []any  `json:"parameters,omitempty" jsonschema:"values of the question marks in DynamoDB's JSON"`
}

type createIn struct {
	inFork
	Request map[string]any `json:"request" jsonschema:"the input of CreateTable: TableName, AttributeDefinitions, KeySchema, BillingMode, ..."`
}

func (c *condition) into(request map[string]any) map[string]any {
	request["ConditionExpression"], request["ExpressionAttributeNames"],
		request["ExpressionAttributeValues"] = c.Condition, c.Names, c.Values
	return request
}

func (t *tools) addWrites() {
	add(t, "put_item", "Writes an item, in place of one with the same key",
		destroys, func(ctx context.Context, in *putIn) ([]byte, error) {
			return t.write(ctx, "PutItem",
				in.into(map[string]any{
					"TableName": in.Table, "Item": in.Item, "ReturnValues": "ALL_OLD",
				}), in.Fork)
		})
	add(t, "update_item", "Changes attributes of an item, or makes it",
		destroys, func(ctx context.Context, in *updateIn) ([]byte, error) {
			return t.write(ctx, "UpdateItem",
				in.into(map[string]any{
					"TableName": in.Table, "Key": in.Key, "UpdateExpression": in.Update,
					"ReturnValues": "ALL_NEW",
				}), in.Fork)
		})
	add(t, "delete_item", "Deletes an item",
		destroys, func(ctx context.Context, in *deleteIn) ([]byte, error) {
			return t.write(ctx, "DeleteItem",
				in.into(map[string]any{
					"TableName": in.Table, "Key": in.Key, "ReturnValues": "ALL_OLD",
				}), in.Fork)
		})
	add(t, "execute_statement", "Writes by a PartiQL statement",
		destroys, func(ctx context.Context, in *statementIn) ([]byte, error) {
			return t.write(ctx, "ExecuteStatement",
				map[string]any{"Statement": in.Statement, "Parameters": in.Parameters}, in.Fork)
		})
	add(t, "create_table", "Creates a table",
		writes, func(ctx context.Context, in *createIn) ([]byte, error) {
			return t.write(ctx, "CreateTable", in.Request, in.Fork)
		})
	add(t, "delete_table", "Deletes a table with all its items",
		destroys, func(ctx context.Context, in *ofTable) ([]byte, error) {
			return t.write(ctx, "DeleteTable", map[string]any{"TableName": in.Table}, in.Fork)
		})
}

// write sends a request that writes. The answer tells what it consumed.
func (t *tools) write(ctx context.Context, operation string, request map[string]any,
	fork string) ([]byte, error) {
	if err := t.writer(ctx, fork); err != nil {
		return nil, err
	}
	if operation != "CreateTable" && operation != "DeleteTable" {
		request["ReturnConsumedCapacity"] = "TOTAL"
	}
	answer, err := t.send(ctx, operation, request, fork)
	if err != nil {
		return nil, err
	}
	return json.Marshal(answer)
}
