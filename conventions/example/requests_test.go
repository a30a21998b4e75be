package shop

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/conventions/dynamo"
)

// practiceTables are the tables that only the practices use.
var practiceTables = []*dynamodb.CreateTableInput{
	table("memberships", itemKey{"pk", "sk"}, nil),
	table("notes", itemKey{"pk", "sk"}, nil), // the policy does not declare it
	table("blog", itemKey{"PK", "SK_GSI1PK"}, map[string]itemKey{
		"by-post":   {"SK_GSI1PK", "GSI1SK_GSI2SK_GSI3SK"},
		"by-author": {"GSI2PK", "GSI1SK_GSI2SK_GSI3SK"},
		"by-genre":  {"GSI3PK", "GSI1SK_GSI2SK_GSI3SK"}}),
	table("documents-by-date", itemKey{"pk", "sk"}, nil),
}

// request sends one or more requests.
type request func(context.Context, *dynamodb.Client) error

// pairs returns string attributes: name, value, name, value.
func pairs(namesAndValues ...string) attributes {
	all := attributes{}
	for i := 0; i < len(namesAndValues); i += 2 {
		all[namesAndValues[i]] = text(namesAndValues[i+1])
	}
	return all
}

// at returns a key of the guide's tables.
func at(pk, sk string) attributes { return pairs("pk", pk, "sk", sk) }

// item returns a new item of a data table.
func item(pk, sk string, more ...string) attributes { return version(0, pk, sk, more...) }

// version returns a version of an item.
func version(n int, pk, sk string, more ...string) attributes {
	it := pairs(append([]string{"pk", pk, "sk", sk}, more...)...)
	it["version"] = integer(n)
	return it
}

// post is the post of "Designing a DynamoDB table".
var post = pairs("PK", "77fcab6b", "SK_GSI1PK", "post", "GSI1SK_GSI2SK_GSI3SK",
	"Post_2021-12-03T10:06:57.650Z", "GSI2PK", "和田哲也", "GSI3PK", "データベース")

// document returns a version of a document. pointer returns the latest item that names it.
func document(version, content string) attributes {
	return pairs("documentVersion", version, "content", content)
}

func pointer(version, content string) attributes {
	return pairs("documentVersion", "latest", "content", content, "actualVersion", version)
}

func write(table string, it attributes) request {
	return func(ctx context.Context, c *dynamodb.Client) error {
		_, err := c.PutItem(ctx, &dynamodb.PutItemInput{TableName: &table, Item: it})
		return err
	}
}

// activity puts an item into the partition of a user.
func activity(user, time string) request {
	return func(ctx context.Context, c *dynamodb.Client) error {
		it := item("USER_ACTIVITY#"+user, "2024-01-15T"+time+":00Z")
		_, err := c.PutItem(ctx,
			&dynamodb.PutItemInput{TableName: aws.String("shop-data"), Item: it})
		return err
	}
}

func read(table string, key attributes) request {
	return func(ctx context.Context, c *dynamodb.Client) error {
		_, err := c.GetItem(ctx, &dynamodb.GetItemInput{TableName: &table, Key: key})
		return err
	}
}

func remove(table string, key attributes) request {
	return func(ctx context.Context, c *dynamodb.Client) error {
		_, err := c.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: &table, Key: key})
		return err
	}
}

// removeAt deletes with a condition on the version.
func removeAt(version int, table string, key attributes) request {
	return func(ctx context.Context, c *dynamodb.Client) error {
		_, err := c.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: &table, Key: key,
			ConditionExpression:       aws.String("version = :read"),
			ExpressionAttributeValues: attributes{":read": integer(version)}})
		return err
	}
}

// expire enables TTL.
func expire(table string) request {
	return func(ctx context.Context, c *dynamodb.Client) error {
		_, err := c.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{TableName: &table,
			TimeToLiveSpecification: &types.TimeToLiveSpecification{
				AttributeName: aws.String("ttl"), Enabled: aws.Bool(true),
			}})
		return err
	}
}

// update has an expression with the values :a and :one.
func update(table string, key attributes, expression, a string) request {
	return updateUnder("", nil, table, key, expression, a)
}

// updateAt updates with a condition on the version.
func updateAt(version int, table string, key attributes, expression, a string) request {
	return updateUnder("version = :read", attributes{":read": integer(version)}, table, key,
		expression, a)
}

func updateUnder(condition string, values attributes, table string, key attributes, expression,
	a string) request {
	return func(ctx context.Context, c *dynamodb.Client) error {
		in := &dynamodb.UpdateItemInput{
			TableName: &table, Key: key, UpdateExpression: &expression,
			ExpressionAttributeValues: pairs(":a", a),
		}
		if condition != "" {
			in.ConditionExpression = &condition
			maps.Copy(in.ExpressionAttributeValues, values)
		}
		if strings.Contains(expression, ":one") {
			in.ExpressionAttributeValues[":one"] = integer(1)
		}
		_, err := c.UpdateItem(ctx, in)
		return err
	}
}

func deleteTable(table string) request {
	return func(ctx context.Context, c *dynamodb.Client) error {
		_, err := c.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: &table})
		return err
	}
}

func query(q dynamo.Query) request {
	return func(ctx context.Context, c *dynamodb.Client) error {
		in, err := q.Input()
		if err == nil {
			_, err = c.Query(ctx, in)
		}
		return err
	}
}

// scan has a filter with the value :a, or none.
func scan(table, filter, a string) request {
	return func(ctx context.Context, c *dynamodb.Client) error {
		in := &dynamodb.ScanInput{TableName: &table}
		if filter != "" {
			in.FilterExpression, in.ExpressionAttributeValues = &filter, pairs(":a", a)
		}
		_, err := c.Scan(ctx, in)
		return err
	}
}

// publish publishes the first version of a document correctly.
func publish(version, content string) request {
	return func(ctx context.Context, c *dynamodb.Client) error {
		return (&Shop{Client: c}).Publish(ctx, version, content)
	}
}

// publishAs puts a version and a latest item in one transaction. The latest item has the condition,
// unless it is "".
func publishAs(version, latest attributes, condition string) request {
	return func(ctx context.Context, c *dynamodb.Client) error {
		second := &types.Put{TableName: &terms.Name, Item: latest}
		if condition != "" {
			second.ConditionExpression = &condition
		}
		if strings.Contains(condition, ":v1") {
			second.ExpressionAttributeValues = pairs(":v1", "v1")
		}
		_, err := c.TransactWriteItems(
			ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
				{Put: &types.Put{TableName: &terms.Name, Item: version}}, {Put: second}}})
		return err
	}
}

func batch(table string, items ...attributes) request {
	return func(ctx context.Context, c *dynamodb.Client) error {
		var writes []types.WriteRequest
		for _, it := range items {
			writes = append(writes, types.WriteRequest{PutRequest: &types.PutRequest{Item: it}})
		}
		_, err := c.BatchWriteItem(ctx,
			&dynamodb.BatchWriteItemInput{
				RequestItems: map[string][]types.WriteRequest{table: writes},
			})
		return err
	}
}

// hundredIn returns requests that put a hundred documents into one partition: the policy reports a
// single partition only after that many items.
func hundredIn(partition string) (requests []request) {
	for i := range 4 {
		var items []attributes
		for j := range 25 {
			items = append(items, at(partition, fmt.Sprintf("2024-01-14T10:%02d:%02dZ", i, j)))
		}
		requests = append(requests, batch("documents-by-date", items...))
	}
	return requests
}
