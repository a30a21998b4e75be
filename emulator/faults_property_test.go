package emulator_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/fault"
)

// moment holds the name of user "a" from a commit on.
type moment struct {
	name  string
	since time.Time
}

// With stale reads, an eventually consistent read answers what the item was within
// the bound, and a consistent one what it is.
func TestStaleReadsAreOfThePast(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		clock := emulator.NewClock(time.Unix(1000, 0))
		bound := fault.Bound{
			Writes: rapid.IntRange(0, 4).Draw(rt, "writes"),
			Time:   time.Duration(rapid.IntRange(0, 4).Draw(rt, "seconds")) * time.Second,
		}
		if bound == (fault.Bound{}) {
			bound.Writes = 1
		}
		e := emulator.New(emulator.WithHeldClock(clock),
			emulator.WithFaults(fault.Fault{
				Do: fault.StaleReads(bound), Seed: rapid.Uint64().Draw(rt, "seed"),
			}))
		client := impatientClient(e)
		ctx := t.Context()
		_, err := client.CreateTable(ctx, usersTable())
		require.NoError(rt, err)
		history := []moment{{"", clock.Now()}}
		for n := range rapid.IntRange(1, 40).Draw(rt, "steps") {
			switch rapid.IntRange(0, 3).Draw(rt, "step") {
			case 0:
				name := strconv.Itoa(n)
				_, err := client.PutItem(ctx,
					&dynamodb.PutItemInput{TableName: aws.String("users"), Item: named("a", name)})
				require.NoError(rt, err)
				history = append(history, moment{name, clock.Now()})
			case 1: // another item: a commit that leaves a as it was
				_, err := client.PutItem(ctx,
					&dynamodb.PutItemInput{
						TableName: aws.String("users"), Item: named("b", strconv.Itoa(n)),
					})
				require.NoError(rt, err)
				history = append(history, moment{history[len(history)-1].name, clock.Now()})
			case 2:
				clock.Advance(time.Second)
			default:
				consistent := rapid.Bool().Draw(rt, "consistent")
				out, err := client.GetItem(ctx,
					&dynamodb.GetItemInput{
						TableName: aws.String("users"), Key: user("a"), ConsistentRead: &consistent,
					})
				require.NoError(rt, err)
				got := ""
				if v, ok := out.Item["name"].(*types.AttributeValueMemberS); ok {
					got = v.Value
				}
				require.Contains(rt, possible(history, consistent, bound, clock.Now()), got)
			}
		}
	})
}

// possible are the names that a read may see.
func possible(history []moment, consistent bool, b fault.Bound, now time.Time) []string {
	last := len(history) - 1
	names := []string{history[last].name}
	for i := last - 1; i >= 0 && !consistent; i-- {
		if b.Writes > 0 && last-i > b.Writes || b.Time > 0 && now.Sub(history[i+1].since) > b.Time {
			break
		}
		names = append(names, history[i].name)
	}
	return names
}

// impatientClient is a client of e without a network, which retries at once.
func impatientClient(e *emulator.Emulator) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		HTTPClient:   throttlingReasons{e.HTTPClient("any", "us-east-1")},
		Credentials:  aws.AnonymousCredentials{},
		BaseEndpoint: aws.String("http://kugiri"), Region: "us-east-1", Retryer: impatient(),
	})
}
