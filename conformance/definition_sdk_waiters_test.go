package conformance

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

// pollingClient moves a clock by the two seconds that a tool sleeps before it asks again.
type pollingClient struct {
	clock *emulator.Clock
	asked int
}

func (c *pollingClient) Do(r *http.Request) (*http.Response, error) {
	if strings.Contains(r.Header.Get("X-Amz-Target"), ".Describe") {
		c.asked++
		c.clock.Advance(2 * time.Second)
	}
	return http.DefaultClient.Do(r)
}

// TestWaitersOfTheSDK runs those of the SDK for Go that wait for states of tables. Those for
// exports and imports run in cmd/kugiri, TestServeBucketsOfADirectory, and those of other SDKs for
// tables in conformance/clients.
func TestWaitersOfTheSDK(t *testing.T) {
	t.Parallel()
	polling := &pollingClient{
		clock: emulator.NewClock(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)),
	}
	server, err := emulator.New(emulator.WithHeldClock(polling.clock),
		emulator.WithKinesis(streamsOfTest{}),
		emulator.WithTableDelays(10*time.Second, 10*time.Second, 10*time.Second),
	).Start("127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, server.Close()) })
	db := clientAt(server.URL, func(o *dynamodb.Options) { o.HTTPClient = polling })
	for _, c := range waitersOfTheSDK {
		t.Run(c.name, func(t *testing.T) {
			require.NoError(t, c.change(t, db))
			polling.asked = 0
			require.NoError(t, c.wait(t, db))
			assert.Greater(t, polling.asked, 2, "there is a state to wait for")
		})
	}
}

// The waiters ask at once, and give up after a minute.
const (
	atOnce   = time.Millisecond
	patience = time.Minute
)

var ordersTable = aws.String("orders")

// waitersOfTheSDK are in an order in which a table can change.
var waitersOfTheSDK = []struct {
	name         string
	change, wait func(*testing.T, *dynamodb.Client) error
}{
	{"TableExists", func(t *testing.T, db *dynamodb.Client) error {
		_, err := db.CreateTable(t.Context(), &dynamodb.CreateTableInput{TableName: ordersTable,
			BillingMode: types.BillingModePayPerRequest,
			AttributeDefinitions: []types.AttributeDefinition{{
				AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS}},
			KeySchema: []types.KeySchemaElement{{
				AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash}}})
		return err
	}, func(t *testing.T, db *dynamodb.Client) error {
		return dynamodb.NewTableExistsWaiter(db, func(o *dynamodb.TableExistsWaiterOptions) {
			o.MinDelay, o.MaxDelay = atOnce, atOnce
		}).Wait(t.Context(), &dynamodb.DescribeTableInput{TableName: ordersTable}, patience)
	}},
	{"ContributorInsightsEnabled", func(t *testing.T, db *dynamodb.Client) error {
		_, err := db.UpdateContributorInsights(t.Context(),
			&dynamodb.UpdateContributorInsightsInput{TableName: ordersTable,
				ContributorInsightsAction: types.ContributorInsightsActionEnable})
		return err
	}, func(t *testing.T, db *dynamodb.Client) error {
		return dynamodb.NewContributorInsightsEnabledWaiter(db,
			func(o *dynamodb.ContributorInsightsEnabledWaiterOptions) {
				o.MinDelay, o.MaxDelay = atOnce, atOnce
			}).Wait(t.Context(),
			&dynamodb.DescribeContributorInsightsInput{TableName: ordersTable}, patience)
	}},
	{"KinesisStreamingDestinationActive", func(t *testing.T, db *dynamodb.Client) error {
		_, err := db.EnableKinesisStreamingDestination(t.Context(),
			&dynamodb.EnableKinesisStreamingDestinationInput{TableName: ordersTable,
				StreamArn: aws.String(kinesisStream)})
		return err
	}, func(t *testing.T, db *dynamodb.Client) error {
		return dynamodb.NewKinesisStreamingDestinationActiveWaiter(db,
			func(o *dynamodb.KinesisStreamingDestinationActiveWaiterOptions) {
				o.MinDelay, o.MaxDelay = atOnce, atOnce
			}).Wait(t.Context(),
			&dynamodb.DescribeKinesisStreamingDestinationInput{TableName: ordersTable}, patience)
	}},
	{"TableNotExists", func(t *testing.T, db *dynamodb.Client) error {
		_, err := db.DeleteTable(t.Context(), &dynamodb.DeleteTableInput{TableName: ordersTable})
		return err
	}, func(t *testing.T, db *dynamodb.Client) error {
		return dynamodb.NewTableNotExistsWaiter(db, func(o *dynamodb.TableNotExistsWaiterOptions) {
			o.MinDelay, o.MaxDelay = atOnce, atOnce
		}).Wait(t.Context(), &dynamodb.DescribeTableInput{TableName: ordersTable}, patience)
	}},
}
