// Command sdkv1 runs the scenario with the AWS SDK for Go v1, its expression builder, its
// conversion of values, its pages and its waiters.
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/aws/aws-sdk-go/aws"
	"github.com/aws/aws-sdk-go/aws/request"
	"github.com/aws/aws-sdk-go/aws/session"
	"github.com/aws/aws-sdk-go/service/dynamodb"
	"github.com/aws/aws-sdk-go/service/dynamodb/dynamodbattribute"
	"github.com/aws/aws-sdk-go/service/dynamodbstreams"
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
func (o order) key() map[string]*dynamodb.AttributeValue {
	return marshal(struct {
		Customer string `dynamodbav:"customer"`
		At       int    `dynamodbav:"at"`
	}{o.Customer, o.At})
}

// marshal returns a value as an item. Empty values stay empty ones; the SDK would write NULL.
func marshal(value any) map[string]*dynamodb.AttributeValue {
	item, err := dynamodbattribute.NewEncoder(func(e *dynamodbattribute.Encoder) {
		e.NullEmptyString, e.NullEmptyByteSlice, e.EnableEmptyCollections = false, false, true
	}).Encode(value)
	if err != nil {
		panic(err)
	}
	return item.M
}

// client is a client of the table of orders.
type client struct {
	*dynamodb.DynamoDB
	streams *dynamodbstreams.DynamoDBStreams
	table   *string
}

func main() {
	endpoint := os.Getenv("DYNAMODB_ENDPOINT")
	if found := dynamodb.New(session.Must(session.NewSession())).Endpoint; found == endpoint {
		panic("it reads AWS_ENDPOINT_URL_DYNAMODB")
	}
	settings := session.Must(session.NewSession(aws.NewConfig().WithEndpoint(endpoint)))
	c := client{dynamodb.New(settings), dynamodbstreams.New(settings), aws.String("orders")}
	scenario.Main("github.com/aws/aws-sdk-go", []scenario.Step{
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
		_, err := c.PutItemWithContext(t,
			&dynamodb.PutItemInput{TableName: c.table, Item: marshal(o)})
		require.NoError(t, err)
	}
}

// get returns the order of that key, or a zero one.
func (c client) get(t *scenario.T, customer string, at int) (found order) {
	out, err := c.GetItemWithContext(t, &dynamodb.GetItemInput{
		TableName: c.table, Key: order{Customer: customer, At: at}.key(),
		ConsistentRead: aws.Bool(true),
	})
	require.NoError(t, err)
	require.NoError(t, dynamodbattribute.UnmarshalMap(out.Item, &found))
	return found
}

// soon makes a waiter ask soon again.
var soon = request.WithWaiterDelay(request.ConstantWaiterDelay(10 * time.Millisecond))

// wait waits until the table is active.
func (c client) wait(t *scenario.T) *dynamodb.TableDescription {
	in := &dynamodb.DescribeTableInput{TableName: c.table}
	require.NoError(t, c.WaitUntilTableExistsWithContext(t, in, soon))
	out, err := c.DescribeTableWithContext(t, in)
	require.NoError(t, err)
	return out.Table
}

// attribute and keys describe keys.
func attribute(name, kind string) *dynamodb.AttributeDefinition {
	return &dynamodb.AttributeDefinition{AttributeName: &name, AttributeType: &kind}
}

func keys(partition, sort string) []*dynamodb.KeySchemaElement {
	return []*dynamodb.KeySchemaElement{
		{AttributeName: &partition, KeyType: aws.String(dynamodb.KeyTypeHash)},
		{AttributeName: &sort, KeyType: aws.String(dynamodb.KeyTypeRange)},
	}
}

var all = &dynamodb.Projection{ProjectionType: aws.String(dynamodb.ProjectionTypeAll)}

func (c client) tables(t *scenario.T) {
	_, err := c.CreateTableWithContext(t, &dynamodb.CreateTableInput{
		TableName:   c.table,
		BillingMode: aws.String(dynamodb.BillingModePayPerRequest),
		KeySchema:   keys("customer", "at"),
		AttributeDefinitions: []*dynamodb.AttributeDefinition{
			attribute("customer", dynamodb.ScalarAttributeTypeS),
			attribute("at", dynamodb.ScalarAttributeTypeN),
			attribute("status", dynamodb.ScalarAttributeTypeS),
			attribute("total", dynamodb.ScalarAttributeTypeN),
		},
		GlobalSecondaryIndexes: []*dynamodb.GlobalSecondaryIndex{
			{IndexName: aws.String("by-status"), KeySchema: keys("status", "at"), Projection: all},
		},
		LocalSecondaryIndexes: []*dynamodb.LocalSecondaryIndex{
			{IndexName: aws.String("by-total"), KeySchema: keys("customer", "total"),
				Projection: all},
		},
		StreamSpecification: &dynamodb.StreamSpecification{
			StreamEnabled:  aws.Bool(true),
			StreamViewType: aws.String(dynamodb.StreamViewTypeNewAndOldImages),
		},
		Tags: []*dynamodb.Tag{{Key: aws.String("team"), Value: aws.String("sales")}},
	})
	require.NoError(t, err)
	table := c.wait(t)
	require.Equal(t, dynamodb.TableStatusActive, *table.TableStatus)
	require.Equal(t, "by-total", *table.LocalSecondaryIndexes[0].IndexName)

	tags, err := c.ListTagsOfResourceWithContext(t,
		&dynamodb.ListTagsOfResourceInput{ResourceArn: table.TableArn})
	require.NoError(t, err)
	require.Equal(t, []*dynamodb.Tag{{Key: aws.String("team"), Value: aws.String("sales")}},
		tags.Tags)

	c.timeToLive(t)
	c.furtherIndex(t)
}

// timeToLive has items of the table expire.
func (c client) timeToLive(t *scenario.T) {
	_, err := c.UpdateTimeToLiveWithContext(t, &dynamodb.UpdateTimeToLiveInput{
		TableName: c.table, TimeToLiveSpecification: &dynamodb.TimeToLiveSpecification{
			AttributeName: aws.String("expires"), Enabled: aws.Bool(true),
		},
	})
	require.NoError(t, err)
	ttl, err := c.DescribeTimeToLiveWithContext(t,
		&dynamodb.DescribeTimeToLiveInput{TableName: c.table})
	require.NoError(t, err)
	require.Equal(t, &dynamodb.TimeToLiveDescription{
		AttributeName:    aws.String("expires"),
		TimeToLiveStatus: aws.String(dynamodb.TimeToLiveStatusEnabled),
	}, ttl.TimeToLiveDescription)
}

// furtherIndex makes another index of the table. The account has no other table.
func (c client) furtherIndex(t *scenario.T) {
	_, err := c.UpdateTableWithContext(t, &dynamodb.UpdateTableInput{
		TableName: c.table,
		AttributeDefinitions: []*dynamodb.AttributeDefinition{
			attribute("status", dynamodb.ScalarAttributeTypeS),
			attribute("total", dynamodb.ScalarAttributeTypeN),
		},
		GlobalSecondaryIndexUpdates: []*dynamodb.GlobalSecondaryIndexUpdate{{Create: &dynamodb.CreateGlobalSecondaryIndexAction{
			IndexName: aws.String("by-status-and-total"), KeySchema: keys("status", "total"),
			Projection: all,
		}}},
	})
	require.NoError(t, err)
	require.Len(t, c.wait(t).GlobalSecondaryIndexes, 2)

	var names []string
	list := &dynamodb.ListTablesInput{Limit: aws.Int64(1)}
	require.NoError(
		t, c.ListTablesPagesWithContext(t,
			list, func(page *dynamodb.ListTablesOutput, _ bool) bool {
				names = append(names, aws.StringValueSlice(page.TableNames)...)
				return true
			}))
	require.Equal(t, []string{*c.table}, names)
}

func (c client) deletion(t *scenario.T) {
	_, err := c.DeleteTableWithContext(t, &dynamodb.DeleteTableInput{TableName: c.table})
	require.NoError(t, err)
	require.NoError(t,
		c.WaitUntilTableNotExistsWithContext(t, &dynamodb.DescribeTableInput{TableName: c.table},
			soon))
	var missing *dynamodb.ResourceNotFoundException
	_, err = c.GetItemWithContext(t,
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
