// Package running runs the code of a generated consumer for the stream of any plan's table: the
// files that package render copies beside what it generates. A proof explores its requests.
package running

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/render/internal/support"
)

// Consumer is the consumer of a table's stream.
type Consumer struct{ planned *support.Planned }

// Client has the operations of a client of DynamoDB that a consumer calls.
type Client interface {
	dynamodb.QueryAPIClient
	GetItem(context.Context, *dynamodb.GetItemInput,
		...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error)
	PutItem(context.Context, *dynamodb.PutItemInput,
		...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error)
	UpdateItem(context.Context, *dynamodb.UpdateItemInput,
		...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error)
	DeleteItem(context.Context, *dynamodb.DeleteItemInput,
		...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error)
	BatchWriteItem(context.Context, *dynamodb.BatchWriteItemInput,
		...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error)
	TransactWriteItems(context.Context, *dynamodb.TransactWriteItemsInput,
		...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error)
}

// New returns the consumer of a plan's stream. The error says that no consumer can tell the items
// of two models from each other.
func New(plan *design.Plan) (*Consumer, error) {
	planned, err := support.PlannedOf(plan)
	return &Consumer{planned}, err
}

// Handle is the handler of a Lambda function: it gets a batch of records, and answers where to go
// on, as an event source mapping with ReportBatchItemFailures expects it. The error says why a
// record failed; without a response, that the event is no batch. It does not wait before it sends a
// request again.
func (c *Consumer) Handle(ctx context.Context, client Client, now func() time.Time,
	event []byte) (response []byte, err error) {
	return c.planned.Handle(ctx, client, now, event)
}
