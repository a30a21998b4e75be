package main

import (
	"time"

	"github.com/aws/aws-sdk-go/aws"
	"github.com/aws/aws-sdk-go/service/dynamodb"
	"github.com/aws/aws-sdk-go/service/dynamodb/dynamodbattribute"
	"github.com/aws/aws-sdk-go/service/dynamodb/expression"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"example.com/clients/scenario"
)

// build builds an expression.
func build(t *scenario.T, b expression.Builder) expression.Expression {
	built, err := b.Build()
	require.NoError(t, err)
	return built
}

// save writes an order if nobody has written it since it was read: optimistic locking.
func (c client) save(t *scenario.T, o order) error {
	read := expression.Name("version").Equal(expression.Value(o.Version))
	if o.Version == 0 {
		read = expression.Name("version").AttributeNotExists()
	}
	o.Version++
	e := build(t, expression.NewBuilder().WithCondition(read))
	_, err := c.PutItemWithContext(t, &dynamodb.PutItemInput{
		TableName: c.table, Item: marshal(o), ConditionExpression: e.Condition(),
		ExpressionAttributeNames: e.Names(), ExpressionAttributeValues: e.Values(),
		ReturnValuesOnConditionCheckFailure: aws.String(
			dynamodb.ReturnValuesOnConditionCheckFailureAllOld),
	})
	return err
}

func (c client) conditions(t *scenario.T) {
	first := order{Customer: "conditions", At: 1, Status: "new"}
	require.NoError(t, c.save(t, first))
	written := order{Customer: "conditions", At: 1, Status: "new", Version: 1}

	var failed *dynamodb.ConditionalCheckFailedException
	require.ErrorAs(t, c.save(t, order{Customer: "conditions", At: 1, Status: "late"}), &failed)
	require.Equal(t, "The conditional request failed", failed.Message())
	var old order
	require.NoError(t, dynamodbattribute.UnmarshalMap(failed.Item, &old))
	require.Equal(t, written, old)
	require.Equal(t, written, c.get(t, "conditions", 1))

	written.Status = "paid"
	require.NoError(t, c.save(t, written))
	require.Equal(t, order{Customer: "conditions", At: 1, Status: "paid", Version: 2},
		c.get(t, "conditions", 1))
}

// update updates an order and returns what the update returns.
func (c client) update(t *scenario.T, o order, u expression.UpdateBuilder,
	returns string) (found order) {
	e := build(t, expression.NewBuilder().WithUpdate(u))
	out, err := c.UpdateItemWithContext(t, &dynamodb.UpdateItemInput{
		TableName: c.table, Key: o.key(), UpdateExpression: e.Update(),
		ExpressionAttributeNames: e.Names(), ExpressionAttributeValues: e.Values(),
		ReturnValues: &returns,
	})
	require.NoError(t, err)
	require.NoError(t, dynamodbattribute.UnmarshalMap(out.Attributes, &found))
	return found
}

func (c client) updates(t *scenario.T) {
	o := order{Customer: "updates", At: 1, Status: "new", Total: 5, Labels: []string{"a", "b"}}
	c.put(t, o)
	name, value := expression.Name, func(v any) expression.ValueBuilder {
		return expression.Value(v)
	}
	// the SDK writes NULL for an empty slice
	empty := value(&dynamodb.AttributeValue{L: []*dynamodb.AttributeValue{}})
	set := expression.
		Set(name("total"), name("total").Minus(value(2))).
		Set(name("version"), name("version").IfNotExists(value(7))).
		Set(name("notes"),
			expression.ListAppend(name("notes").IfNotExists(empty), value([]string{"first"}))).
		Remove(name("status"))
	require.Equal(t,
		order{Customer: "updates", At: 1, Total: 3, Version: 7, Labels: []string{"a", "b"},
			Notes: []string{"first"}},
		c.update(t, o, set, dynamodb.ReturnValueAllNew))
	old := c.update(t, o,
		expression.Set(name("notes"),
			expression.ListAppend(name("notes"), value([]string{"second"}))),
		dynamodb.ReturnValueUpdatedOld)
	require.Equal(t, order{Notes: []string{"first"}}, old)
	sets := expression.Add(name("total"), value(10)).
		Delete(name("labels"), value(&dynamodb.AttributeValue{SS: aws.StringSlice([]string{"a"})}))
	require.Equal(t, order{Total: 13, Labels: []string{"b"}},
		c.update(t, o, sets, dynamodb.ReturnValueUpdatedNew))

	out, err := c.DeleteItemWithContext(t,
		&dynamodb.DeleteItemInput{
			TableName: c.table, Key: o.key(), ReturnValues: aws.String(dynamodb.ReturnValueAllOld),
		})
	require.NoError(t, err)
	var deleted order
	require.NoError(t, dynamodbattribute.UnmarshalMap(out.Attributes, &deleted))
	require.Equal(t, []string{"first", "second"}, deleted.Notes)
}

// query returns the orders' times that a query finds, page by page.
func (c client) query(t *scenario.T, in dynamodb.QueryInput,
	e expression.Expression) (pages [][]int) {
	in.TableName, in.KeyConditionExpression, in.FilterExpression =
		c.table, e.KeyCondition(), e.Filter()
	in.ExpressionAttributeNames, in.ExpressionAttributeValues = e.Names(), e.Values()
	err := c.QueryPagesWithContext(t, &in, func(page *dynamodb.QueryOutput, _ bool) bool {
		var found []order
		require.NoError(t, dynamodbattribute.UnmarshalListOfMaps(page.Items, &found))
		times := []int{}
		for _, o := range found {
			times = append(times, o.At)
		}
		pages = append(pages, times)
		return true
	})
	require.NoError(t, err)
	return pages
}

func (c client) pages(t *scenario.T) {
	list := orders("pages", "paged", 7)
	list[6].Version = 1
	c.put(t, list...)
	pages := expression.KeyEqual(expression.Key("customer"), expression.Value("pages"))
	mine := build(t, expression.NewBuilder().WithKeyCondition(pages))
	three := aws.Int64(3)
	require.Equal(t, [][]int{{1, 2, 3}, {4, 5, 6}, {7}},
		c.query(t, dynamodb.QueryInput{Limit: three}, mine))
	require.Equal(t, [][]int{{7, 6, 5}, {4, 3, 2}, {1}},
		c.query(t, dynamodb.QueryInput{Limit: three, ScanIndexForward: aws.Bool(false)}, mine))

	paged := expression.NewBuilder().WithKeyCondition(
		expression.KeyEqual(expression.Key("status"), expression.Value("paged")).
			And(expression.KeyBetween(expression.Key("total"), expression.Value(20),
				expression.Value(60))))
	onIndex := dynamodb.QueryInput{IndexName: aws.String("by-status-and-total"), Limit: three}
	require.Equal(t, [][]int{{2, 3, 4}, {5, 6}}, c.query(t, onIndex, build(t, paged)))
	onIndex.ScanIndexForward = aws.Bool(false)
	require.Equal(t, [][]int{{6, 5, 4}, {3, 2}}, c.query(t, onIndex, build(t, paged)))

	changed := build(t,
		expression.NewBuilder().WithKeyCondition(pages).WithFilter(
			expression.Name("version").GreaterThan(expression.Value(0))))
	onLocal := dynamodb.QueryInput{
		IndexName: aws.String("by-total"), Limit: three, ConsistentRead: aws.Bool(true),
	}
	require.Equal(t, [][]int{{}, {}, {7}}, c.query(t, onLocal, changed))

	count, err := c.QueryWithContext(t, &dynamodb.QueryInput{
		TableName: c.table, KeyConditionExpression: mine.KeyCondition(),
		Select:                   aws.String(dynamodb.SelectCount),
		ExpressionAttributeNames: mine.Names(), ExpressionAttributeValues: mine.Values(),
	})
	require.NoError(t, err)
	require.Equal(t, int64(7), *count.Count)
}

func (c client) parallelScan(t *scenario.T) {
	c.put(t, orders("scan", "scanned", 200)...)
	e := build(t,
		expression.NewBuilder().WithFilter(
			expression.Name("status").Equal(expression.Value("scanned"))))
	const segments = 4
	found := make(chan int, 1000)
	group, ctx := errgroup.WithContext(t)
	for segment := range int64(segments) {
		in := &dynamodb.ScanInput{
			TableName: c.table, Segment: &segment, TotalSegments: aws.Int64(segments),
			Limit:            aws.Int64(30),
			FilterExpression: e.Filter(), ExpressionAttributeNames: e.Names(),
			ExpressionAttributeValues: e.Values(),
		}
		group.Go(func() error {
			return c.ScanPagesWithContext(ctx, in, func(page *dynamodb.ScanOutput, _ bool) bool {
				var list []order
				if !assert.NoError(t, dynamodbattribute.UnmarshalListOfMaps(page.Items, &list)) {
					return false
				}
				for _, o := range list {
					found <- o.At
				}
				return true
			})
		})
	}
	require.NoError(t, group.Wait())
	close(found)
	times := map[int]int{}
	for at := range found {
		times[at]++
	}
	require.Len(t, times, 200)
	for at, n := range times {
		assert.Equal(t, 1, n, at)
	}
}

func (c client) batches(t *scenario.T) {
	hit := scenario.Unprocessed(t)
	const written, read = 60, 130
	var puts []*dynamodb.WriteRequest
	for i := range written {
		puts = append(puts, &dynamodb.WriteRequest{PutRequest: &dynamodb.PutRequest{
			Item: marshal(order{Customer: name(i), At: 1, Status: "batched"}),
		}})
	}
	for len(puts) > 0 {
		n := min(25, len(puts))
		out, err := c.BatchWriteItemWithContext(t, &dynamodb.BatchWriteItemInput{
			RequestItems: map[string][]*dynamodb.WriteRequest{*c.table: puts[:n]},
		})
		require.NoError(t, err)
		puts = append(puts[n:], out.UnprocessedItems[*c.table]...)
		if len(out.UnprocessedItems) > 0 {
			time.Sleep(10 * time.Millisecond)
		}
	}

	var keys []map[string]*dynamodb.AttributeValue
	for i := range read {
		keys = append(keys, order{Customer: name(i), At: 1}.key())
	}
	customers := map[string]bool{}
	for part := keys; len(part) > 0; part = part[min(100, len(part)):] {
		in := &dynamodb.BatchGetItemInput{
			RequestItems: map[string]*dynamodb.KeysAndAttributes{
				*c.table: {Keys: part[:min(100, len(part))]},
			},
		}
		// The SDK asks again for the unprocessed keys.
		err := c.BatchGetItemPagesWithContext(t,
			in, func(page *dynamodb.BatchGetItemOutput, _ bool) bool {
				var found []order
				require.NoError(t,
					dynamodbattribute.UnmarshalListOfMaps(page.Responses[*c.table], &found))
				for _, o := range found {
					require.False(t, customers[o.Customer], o.Customer)
					customers[o.Customer] = true
				}
				return true
			})
		require.NoError(t, err)
	}
	require.Len(t, customers, written)
	hit()
}
