package emulatortest_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/emulatortest"
)

// seeded is an emulator with a table "events" of seedItems items, ten for each partition key, with
// a global index and a stream.
var seeded = sync.OnceValue(func() *emulator.Emulator { return newSeed(seedItems, "") })

const seedItems = 100_000

// newSeed fills a table without the SDK, because the table is large. attributes are JSON members
// that each item has in addition.
func newSeed(items int, attributes string) *emulator.Emulator {
	e := emulator.New()
	client := e.HTTPClient("test", "us-east-1")
	send := func(operation, body string) {
		r, _ := http.NewRequest(http.MethodPost, "http://kugiri/", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/x-amz-json-1.0")
		r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
		res, err := client.Do(r)
		if err != nil {
			panic(err)
		}
		if res.StatusCode != http.StatusOK {
			text, _ := io.ReadAll(res.Body)
			panic(string(text))
		}
	}
	send("CreateTable",
		`{"TableName":"events","BillingMode":"PAY_PER_REQUEST","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"},
		"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"},{"AttributeName":"kind","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
		"GlobalSecondaryIndexes":[{"IndexName":"kinds","KeySchema":[{"AttributeName":"kind","KeyType":"HASH"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}]}`)
	for i := 0; i < items; i += 25 {
		var puts []string
		for j := i; j < min(i+25, items); j++ {
			puts = append(puts,
				fmt.Sprintf(
					`{"PutRequest":{"Item":{"pk":{"S":"user#%d"},"sk":{"N":"%d"},"kind":{"S":"%d"}%s}}}`, j/10, j%10, j%1000, attributes))
		}
		send("BatchWriteItem", `{"RequestItems":{"events":[`+strings.Join(puts, ",")+`]}}`)
	}
	return e
}

// count returns the number of items that a query finds.
func count(t testing.TB, client *dynamodb.Client, index *string, key, value string) int {
	t.Helper()
	out, err := client.Query(
		t.Context(), &dynamodb.QueryInput{TableName: aws.String("events"), IndexName: index,
			Select:                    types.SelectCount,
			KeyConditionExpression:    aws.String(key + " = :v"),
			ExpressionAttributeValues: attributes{":v": text(value)}})
	require.NoError(t, err)
	return int(out.Count)
}

// TestParallelForks runs 200 tests at a time. Each of them changes the same large table in its own
// way.
func TestParallelForks(t *testing.T) {
	for i := range 200 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			client := emulatortest.Fork(t, seeded()).Client()
			mine := fmt.Sprintf("user#%d", i%5*100)
			for n := range 10 {
				_, err := client.PutItem(
					t.Context(), &dynamodb.PutItemInput{TableName: aws.String("events"),
						Item: attributes{"pk": text(mine), "sk": number(fmt.Sprint(100*i + 10 + n)),
							"kind": text(fmt.Sprintf("kind of %d", i))}})
				require.NoError(t, err)
			}
			_, err := client.DeleteItem(t.Context(),
				&dynamodb.DeleteItemInput{
					TableName: aws.String("events"),
					Key:       attributes{"pk": text(mine), "sk": number("3")},
				})
			require.NoError(t, err)
			assert.Equal(t, 10+10-1, count(t, client, nil, "pk", mine))
			assert.Equal(t, 10,
				count(t, client, aws.String("kinds"), "kind", fmt.Sprintf("kind of %d", i)))
			assert.Equal(t, seedItems/1000, count(t, client, aws.String("kinds"), "kind", "999"))
			_, err = client.DeleteTable(t.Context(),
				&dynamodb.DeleteTableInput{TableName: aws.String("events")})
			require.NoError(t, err)
		})
	}
}
