// Command sdkv2 runs the scenario with the AWS SDK for Go v2, its expression builder, its
// conversion of values, its paginators and its waiters.
package main

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/stretchr/testify/require"

	"example.com/clients/scenario"
)

// order is an item of the table.
type order struct {
	Customer string   `dynamodbav:"customer"`
	At       int      `dynamodbav:"at"`
	Status   string   `dynamodbav:"status,omitempty"`
	Total    int      `dynamodbav:"total,omitempty"`
	Version  int      `dynamodbav:"version,omitempty"`
	Labels   []string `dynamodbav:"labels,stringset,omitempty"`
	Notes    []string `dynamodbav:"notes,omitempty"`
	Expires  int64    `dynamodbav:"expires,omitempty"`
}

// key returns the order's key.
func (o order) key() map[string]types.AttributeValue {
	return marshal(struct {
		Customer string `dynamodbav:"customer"`
		At       int    `dynamodbav:"at"`
	}{o.Customer, o.At})
}

// marshal returns a value as an item.
func marshal(value any) map[string]types.AttributeValue {
	item, err := attributevalue.MarshalMap(value)
	if err != nil {
		panic(err)
	}
	return item
}

// client is a client of the table of orders.
type client struct {
	*dynamodb.Client
	streams *dynamodbstreams.Client
	table   *string
}

func main() {
	settings, err := config.LoadDefaultConfig(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	c := client{dynamodb.NewFromConfig(settings), dynamodbstreams.NewFromConfig(settings),
		aws.String("orders")}
	scenario.Main("github.com/aws/aws-sdk-go-v2/service/dynamodb", []scenario.Step{
		{Name: "tables", Run: c.tables},
		{Name: "conditions", Run: c.conditions},
		{Name: "updates", Run: c.updates},
		{Name: "pages", Run: c.pages},
		{Name: "parallel scan", Run: c.parallelScan},
		{Name: "batches", Run: c.batches},
		{Name: "transactions", Run: c.transactions},
		{Name: "PartiQL", Run: c.partiQL},
		{Name: "streams", Run: c.readStream},
		{Name: "numbers", Run: c.numbers},
		{Name: "values", Run: c.values},
		{Name: "expiry", Run: c.expiry},
		{Name: "deletion", Run: c.deletion},
	})
}

// put writes orders one after the other.
func (c client) put(t *scenario.T, orders ...order) {
	for _, o := range orders {
		_, err := c.PutItem(t, &dynamodb.PutItemInput{TableName: c.table, Item: marshal(o)})
		require.NoError(t, err)
	}
}

// get returns the order of that key, or a zero one.
func (c client) get(t *scenario.T, customer string, at int) (found order) {
	out, err := c.GetItem(t, &dynamodb.GetItemInput{
		TableName: c.table, Key: order{Customer: customer, At: at}.key(),
		ConsistentRead: aws.Bool(true),
	})
	require.NoError(t, err)
	require.NoError(t, attributevalue.UnmarshalMap(out.Item, &found))
	return found
}

// wait waits until the table is active.
func (c client) wait(t *scenario.T) *types.TableDescription {
	waiter := dynamodb.NewTableExistsWaiter(c, func(o *dynamodb.TableExistsWaiterOptions) {
		o.MinDelay = 10 * time.Millisecond
	})
	out, err := waiter.WaitForOutput(t, &dynamodb.DescribeTableInput{TableName: c.table},
		20*time.Second)
	require.NoError(t, err)
	return out.Table
}

// attribute and keys describe keys.
func attribute(name string, kind types.ScalarAttributeType) types.AttributeDefinition {
	return types.AttributeDefinition{AttributeName: &name, AttributeType: kind}
}

func keys(partition, sort string) []types.KeySchemaElement {
	return []types.KeySchemaElement{
		{AttributeName: &partition, KeyType: types.KeyTypeHash},
		{AttributeName: &sort, KeyType: types.KeyTypeRange},
	}
}

var all = &types.Projection{ProjectionType: types.ProjectionTypeAll}

func (c client) tables(t *scenario.T) {
	_, err := c.CreateTable(t, &dynamodb.CreateTableInput{
		TableName:   c.table,
		BillingMode: types.BillingModePayPerRequest,
		KeySchema:   keys("customer", "at"),
		AttributeDefinitions: []types.AttributeDefinition{
			attribute("customer", types.ScalarAttributeTypeS),
			attribute("at", types.ScalarAttributeTypeN),
			attribute("status", types.ScalarAttributeTypeS),
			attribute("total", types.ScalarAttributeTypeN),
		},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{
			{IndexName: aws.String("by-status"), KeySchema: keys("status", "at"), Projection: all},
		},
		LocalSecondaryIndexes: []types.LocalSecondaryIndex{
			{IndexName: aws.String("by-total"), KeySchema: keys("customer", "total"),
				Projection: all},
		},
		StreamSpecification: &types.StreamSpecification{
			StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewAndOldImages,
		},
		Tags: []types.Tag{{Key: aws.String("team"), Value: aws.String("sales")}},
	})
	require.NoError(t, err)
	table := c.wait(t)
	require.Equal(t, types.TableStatusActive, table.TableStatus)
	require.Equal(t, "by-total", *table.LocalSecondaryIndexes[0].IndexName)

	tags, err := c.ListTagsOfResource(t,
		&dynamodb.ListTagsOfResourceInput{ResourceArn: table.TableArn})
	require.NoError(t, err)
	require.Equal(t, []types.Tag{{Key: aws.String("team"), Value: aws.String("sales")}}, tags.Tags)

	c.timeToLive(t)
	c.furtherIndex(t)
}

// timeToLive has items of the table expire.
func (c client) timeToLive(t *scenario.T) {
	_, err := c.UpdateTimeToLive(
		t, &dynamodb.UpdateTimeToLiveInput{TableName: c.table,
			TimeToLiveSpecification: &types.TimeToLiveSpecification{
				AttributeName: aws.String("expires"), Enabled: aws.Bool(true),
			}})
	require.NoError(t, err)
	ttl, err := c.DescribeTimeToLive(t, &dynamodb.DescribeTimeToLiveInput{TableName: c.table})
	require.NoError(t, err)
	require.Equal(t, types.TimeToLiveDescription{
		AttributeName: aws.String("expires"), TimeToLiveStatus: types.TimeToLiveStatusEnabled,
	}, *ttl.TimeToLiveDescription)
}

// furtherIndex makes another index of the table. The account has no other table.
func (c client) furtherIndex(t *scenario.T) {
	_, err := c.UpdateTable(t, &dynamodb.UpdateTableInput{
		TableName: c.table,
		AttributeDefinitions: []types.AttributeDefinition{
			attribute("status", types.ScalarAttributeTypeS),
			attribute("total", types.ScalarAttributeTypeN),
		},
		GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{Create: &types.CreateGlobalSecondaryIndexAction{
			IndexName: aws.String("by-status-and-total"), KeySchema: keys("status", "total"),
			Projection: all,
		}}},
	})
	require.NoError(t, err)
	require.Len(t, c.wait(t).GlobalSecondaryIndexes, 2)

	pages := dynamodb.NewListTablesPaginator(c, &dynamodb.ListTablesInput{Limit: aws.Int32(1)})
	var names []string
	for pages.HasMorePages() {
		page, err := pages.NextPage(t)
		require.NoError(t, err)
		names = append(names, page.TableNames...)
	}
	require.Equal(t, []string{*c.table}, names)
}

func (c client) deletion(t *scenario.T) {
	_, err := c.DeleteTable(t, &dynamodb.DeleteTableInput{TableName: c.table})
	require.NoError(t, err)
	waiter := dynamodb.NewTableNotExistsWaiter(c,
		func(o *dynamodb.TableNotExistsWaiterOptions) { o.MinDelay = 10 * time.Millisecond })
	require.NoError(t,
		waiter.Wait(t, &dynamodb.DescribeTableInput{TableName: c.table}, 20*time.Second))
	var missing *types.ResourceNotFoundException
	_, err = c.GetItem(t,
		&dynamodb.GetItemInput{TableName: c.table, Key: order{Customer: "x", At: 1}.key()})
	require.ErrorAs(t, err, &missing)
}

// orders returns n orders of a customer, whose totals are 10, 20 and so on.
func orders(customer, status string, n int) (list []order) {
	for i := range n {
		list = append(list,
			order{Customer: customer, At: i + 1, Status: status, Total: 10 * (i + 1)})
	}
	return list
}

// name returns the customer of that number.
func name(i int) string { return fmt.Sprintf("customer-%03d", i) }
