package proof

import (
	"context"
	"runtime"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/emulator/explore/search"
	"github.com/kugiri-db/kugiri/emulator/trigger"
)

// consumer is the reader of the table's stream in a run: what writes leave to it, it does.
type consumer struct {
	*host

	worker *search.Worker
	run    *search.Run
	err    error // why a record failed when the last batch came
}

// consumerTries is how often a batch comes again that fails. One lost answer lets it fail once.
const consumerTries = 5

// newConsumer returns a consumer, which gets the records as a Lambda function does.
func newConsumer(t *host) (*consumer, error) {
	c := &consumer{host: t}
	mapping := trigger.NewMapping(t.plan.Design.Table)
	mapping.ReportBatchItemFailures, mapping.MaxRetries = true, consumerTries
	tr, err := trigger.New(mapping, "consumer",
		func(ctx context.Context, event []byte) ([]byte, error) {
			search.Next(ctx)
			response, err := t.does.Handle(ctx, c.client(), c.run.Fork().Now, event)
			c.err = err
			return response, nil
		})
	c.worker = &search.Worker{Name: "consumer", Trigger: tr}
	return c, err
}

// client returns the client for a batch. Its requests wait for the search. It tries none again by
// itself: after a lost answer the batch fails in its middle, and goes on with the same record.
func (c *consumer) client() *unlucky {
	sender := c.run.Client(c.worker)
	sender.Next = c.run.Fork().HTTPClient(accessKey, region)
	return &unlucky{Client: dynamodb.New(dynamodb.Options{HTTPClient: sender, Region: region,
		BaseEndpoint: aws.String("http://localhost/"), Credentials: aws.AnonymousCredentials{},
		Retryer: aws.NopRetryer{}, DisableValidateResponseChecksum: true})}
}

// unlucky is a client whose updates conflict with a transaction at each first try, and whose
// batches are left unprocessed in part. The service may do that, so the consumer sends them again.
type unlucky struct {
	*dynamodb.Client

	conflicted bool
}

// conflict returns an error for the first try of a request, and none for the second.
func (u *unlucky) conflict(err error) error {
	if u.conflicted = !u.conflicted; u.conflicted {
		return err
	}
	return nil
}

// UpdateItem conflicts with a transaction at its first try.
func (u *unlucky) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput,
	o ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	if err := u.conflict(&types.TransactionConflictException{}); err != nil {
		return nil, err
	}
	return u.Client.UpdateItem(ctx, in, o...)
}

// TransactWriteItems conflicts with another transaction at its first try.
func (u *unlucky) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput,
	o ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	reasons := slices.Repeat([]types.CancellationReason{{Code: aws.String("None")}},
		len(in.TransactItems))
	reasons[len(reasons)-1].Code = aws.String("TransactionConflict")
	if err := u.conflict(&types.TransactionCanceledException{
		CancellationReasons: reasons}); err != nil {
		return nil, err
	}
	return u.Client.TransactWriteItems(ctx, in, o...)
}

// BatchWriteItem leaves all but the first item of a batch unprocessed.
func (u *unlucky) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput,
	o ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	first, left := map[string][]types.WriteRequest{}, map[string][]types.WriteRequest{}
	for table, requests := range in.RequestItems {
		if first[table] = requests[:1]; len(requests) > 1 {
			left[table] = requests[1:]
		}
	}
	out, err := u.Client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: first},
		o...)
	if err == nil {
		out.UnprocessedItems = left
	}
	return out, err
}

// Deliver starts a goroutine that carries a batch to the consumer.
func (t *host) Deliver(_ *search.Run, d *search.Delivery) {
	d.Client.Exit = runtime.Goexit
	go d.Carry()
}
