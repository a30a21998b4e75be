package main

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
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
	_, err := c.PutItem(t, &dynamodb.PutItemInput{
		TableName: c.table, Item: marshal(o), ConditionExpression: e.Condition(),
		ExpressionAttributeNames: e.Names(), ExpressionAttributeValues: e.Values(),
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	return err
}

func (c client) conditions(t *scenario.T) {
	first := order{Customer: "conditions", At: 1, Status: "new"}
	require.NoError(t, c.save(t, first))
	written := order{Customer: "conditions", At: 1, Status: "new", Version: 1}

	var failed *types.ConditionalCheckFailedException
	require.ErrorAs(t, c.save(t, order{Customer: "conditions", At: 1, Status: "late"}), &failed)
	require.Equal(t, "The conditional request failed", failed.ErrorMessage())
	var old order
	require.NoError(t, attributevalue.UnmarshalMap(failed.Item, &old))
	require.Equal(t, written, old)
	require.Equal(t, written, c.get(t, "conditions", 1))

	written.Status = "paid"
	require.NoError(t, c.save(t, written))
	require.Equal(t, order{Customer: "conditions", At: 1, Status: "paid", Version: 2},
		c.get(t, "conditions", 1))
}

// update updates an order and returns what the update returns.
func (c client) update(t *scenario.T, o order, u expression.UpdateBuilder,
	returns types.ReturnValue) (found order) {
	e := build(t, expression.NewBuilder().WithUpdate(u))
	out, err := c.UpdateItem(t, &dynamodb.UpdateItemInput{
		TableName: c.table, Key: o.key(), UpdateExpression: e.Update(),
		ExpressionAttributeNames: e.Names(), ExpressionAttributeValues: e.Values(),
		ReturnValues: returns,
	})
	require.NoError(t, err)
	require.NoError(t, attributevalue.UnmarshalMap(out.Attributes, &found))
	return found
}

func (c client) updates(t *scenario.T) {
	o := order{Customer: "updates", At: 1, Status: "new", Total: 5, Labels: []string{"a", "b"}}
	c.put(t, o)
	name, value := expression.Name, func(v any) expression.ValueBuilder {
		return expression.Value(v)
	}
	set := expression.
		Set(name("total"), name("total").Minus(value(2))).
		Set(name("version"), name("version").IfNotExists(value(7))).
		Set(name("notes"),
			expression.ListAppend(name("notes").IfNotExists(value([]string{})),
				value([]string{"first"}))).
		Remove(name("status"))
	require.Equal(t,
		order{Customer: "updates", At: 1, Total: 3, Version: 7, Labels: []string{"a", "b"},
			Notes: []string{"first"}},
		c.update(t, o, set, types.ReturnValueAllNew))
	old := c.update(t, o,
		expression.Set(name("notes"),
			expression.ListAppend(name("notes"), value([]string{"second"}))),
		types.ReturnValueUpdatedOld)
	require.Equal(t, order{Notes: []string{"first"}}, old)
	sets := expression.Add(name("total"), value(10)).
		Delete(name("labels"), value(&types.AttributeValueMemberSS{Value: []string{"a"}}))
	require.Equal(t, order{Total: 13, Labels: []string{"b"}},
		c.update(t, o, sets, types.ReturnValueUpdatedNew))

	out, err := c.DeleteItem(t,
		&dynamodb.DeleteItemInput{
			TableName: c.table, Key: o.key(), ReturnValues: types.ReturnValueAllOld,
		})
	require.NoError(t, err)
	var deleted order
	require.NoError(t, attributevalue.UnmarshalMap(out.Attributes, &deleted))
	require.Equal(t, []string{"first", "second"}, deleted.Notes)
}

// query returns the orders' times that a query finds, page by page.
func (c client) query(t *scenario.T, in dynamodb.QueryInput,
	e expression.Expression) (pages [][]int) {
	in.TableName, in.KeyConditionExpression, in.FilterExpression =
		c.table, e.KeyCondition(), e.Filter()
	in.ExpressionAttributeNames, in.ExpressionAttributeValues = e.Names(), e.Values()
	paginator := dynamodb.NewQueryPaginator(c, &in)
	for paginator.HasMorePages() {
		page, err := paginator.NextPage(t)
		require.NoError(t, err)
		var found []order
		require.NoError(t, attributevalue.UnmarshalListOfMaps(page.Items, &found))
		times := []int{}
		for _, o := range found {
			times = append(times, o.At)
		}
		pages = append(pages, times)
	}
	return pages
}

func (c client) pages(t *scenario.T) {
	list := orders("pages", "paged", 7)
	list[6].Version = 1
	c.put(t, list...)
	pages := expression.KeyEqual(expression.Key("customer"), expression.Value("pages"))
	mine := build(t, expression.NewBuilder().WithKeyCondition(pages))
	three := aws.Int32(3)
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

	count, err := c.Query(t, &dynamodb.QueryInput{
		TableName: c.table, KeyConditionExpression: mine.KeyCondition(), Select: types.SelectCount,
		ExpressionAttributeNames: mine.Names(), ExpressionAttributeValues: mine.Values(),
	})
	require.NoError(t, err)
	require.Equal(t, int32(7), count.Count)
}

func (c client) parallelScan(t *scenario.T) {
	c.put(t, orders("scan", "scanned", 200)...)
	e := build(t,
		expression.NewBuilder().WithFilter(
			expression.Name("status").Equal(expression.Value("scanned"))))
	const segments = 4
	found := make(chan int, 1000)
	group, ctx := errgroup.WithContext(t)
	for segment := range int32(segments) {
		pages := dynamodb.NewScanPaginator(c, &dynamodb.ScanInput{
			TableName: c.table, Segment: &segment, TotalSegments: aws.Int32(segments),
			Limit:            aws.Int32(30),
			FilterExpression: e.Filter(), ExpressionAttributeNames: e.Names(),
			ExpressionAttributeValues: e.Values(),
		})
		group.Go(func() error {
			for pages.HasMorePages() {
				page, err := pages.NextPage(ctx)
				if err != nil {
					return err
				}
				for _, item := range page.Items {
					var o order
					if err := attributevalue.UnmarshalMap(item, &o); err != nil {
						return err
					}
					found <- o.At
				}
			}
			return nil
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
	var puts []types.WriteRequest
	for i := range written {
		puts = append(puts, types.WriteRequest{PutRequest: &types.PutRequest{
			Item: marshal(order{Customer: name(i), At: 1, Status: "batched"}),
		}})
	}
	for len(puts) > 0 {
		n := min(25, len(puts))
		out, err := c.BatchWriteItem(t, &dynamodb.BatchWriteItemInput{
			RequestItems: map[string][]types.WriteRequest{*c.table: puts[:n]},
		})
		require.NoError(t, err)
		puts = append(puts[n:], out.UnprocessedItems[*c.table]...)
		if len(out.UnprocessedItems) > 0 {
			time.Sleep(10 * time.Millisecond)
		}
	}

	var keys []map[string]types.AttributeValue
	for i := range read {
		keys = append(keys, order{Customer: name(i), At: 1}.key())
	}
	customers := map[string]bool{}
	for part := keys; len(part) > 0; part = part[min(100, len(part)):] {
		pages := dynamodb.NewBatchGetItemPaginator(c, &dynamodb.BatchGetItemInput{
			RequestItems: map[string]types.KeysAndAttributes{
				*c.table: {Keys: part[:min(100, len(part))]},
			},
		})
		for pages.HasMorePages() { // it asks again for the unprocessed keys
			page, err := pages.NextPage(t)
			require.NoError(t, err)
			var found []order
			require.NoError(t, attributevalue.UnmarshalListOfMaps(page.Responses[*c.table], &found))
			for _, o := range found {
				require.False(t, customers[o.Customer], o.Customer)
				customers[o.Customer] = true
			}
		}
	}
	require.Len(t, customers, written)
	hit()
}
