//go:build go1.25

package explore_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streams "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/explore"
	"github.com/kugiri-db/kugiri/emulator/seed"
	"github.com/kugiri-db/kugiri/emulator/trigger"
)

// newFeed has a table with a stream, and one for what consumers write.
var newFeed = emulatortest.Template(func(t testing.TB, server *emulatortest.Server) {
	feed(t, server)
})

// newFeeds has several shards.
var newFeeds = emulatortest.Template(feed,
	emulatortest.WithEmulator(emulator.WithStreamShards(4, time.Hour)))

func feed(t testing.TB, server *emulatortest.Server) {
	server.SeedTables(t,
		seed.Table{Name: "feed", PartitionKey: seed.Attribute{Name: "id", Type: "S"},
			StreamView: "NEW_AND_OLD_IMAGES", Items: []seed.Item{{"id": "old"}}},
		seed.Table{Name: "seen", PartitionKey: seed.Attribute{Name: "id", Type: "S"}})
}

func idOf(id string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: id}}
}

// writes puts items, one after the other.
func writes(ids ...string) explore.Work {
	return func(ctx context.Context, db *dynamodb.Client) error {
		for _, id := range ids {
			if _, err := db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("feed"),
				Item: idOf(id)}); err != nil {
				return err
			}
		}
		return nil
	}
}

// event is the event that a handler gets.
type event struct {
	Records []struct {
		EventName string
		Dynamodb  struct {
			Keys struct{ ID struct{ S string } }
		}
	}
}

// ids lists the items of an event.
func ids(t *testing.T, text []byte) (list []string) {
	var e event
	require.NoError(t, json.Unmarshal(text, &e))
	for _, r := range e.Records {
		list = append(list, r.Dynamodb.Keys.ID.S)
	}
	return list
}

// count adds one to what was seen of an item.
func count(ctx context.Context, db *dynamodb.Client, id string) error {
	_, err := db.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: aws.String("seen"),
		Key: idOf(id), UpdateExpression: aws.String("ADD n :one"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":one": &types.AttributeValueMemberN{Value: "1"}}})
	return err
}

// wasSeen checks how often an item was seen.
func wasSeen(id, want string) explore.Check {
	return func(ctx context.Context, db *dynamodb.Client) error {
		out, err := db.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("seen"),
			Key: idOf(id)})
		if err != nil {
			return err
		}
		if n, _ := out.Item["n"].(*types.AttributeValueMemberN); n == nil || n.Value != want {
			return fmt.Errorf("%s was seen %v times, not %s", id, out.Item["n"], want)
		}
		return nil
	}
}

// TestConsumeBatches: a consumer gets the records of a run, in every division into batches that the
// mapping allows, and none from before.
func TestConsumeBatches(t *testing.T) {
	for _, c := range []struct {
		name string
		size int
		want map[string]bool
	}{
		{"any number", 0, map[string]bool{"[[a] [b]]": true, "[[a b]]": true}},
		{"one at a time", 1, map[string]bool{"[[a] [b]]": true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := map[string]bool{}
			report := explore.Run(t, newFeed, func(x *explore.X) {
				var batches [][]string
				m := trigger.NewMapping("feed")
				m.BatchSize = c.size
				x.Go("writer", writes("a", "b"))
				x.Consume("consumer", m, func(_ context.Context, _ *dynamodb.Client,
					text []byte) ([]byte, error) {
					batches = append(batches, ids(t, text))
					return nil, nil
				})
				x.Check(func(context.Context, *dynamodb.Client) error {
					found[fmt.Sprint(batches)] = true
					return nil
				})
			})
			assert.True(t, report.Complete)
			assert.Equal(t, c.want, found)
		})
	}
}

// TestConsumeOrders: a consumer sees the writes of two workers in both orders, though these are to
// different items; with several shards, also those of one worker.
func TestConsumeOrders(t *testing.T) {
	for _, c := range []struct {
		name   string
		feed   func(testing.TB, ...emulatortest.Option) *emulatortest.Server
		define func(*explore.X)
	}{
		{"two workers", newFeed, func(x *explore.X) {
			x.Go("alice", writes("a"))
			x.Go("bob", writes("b"))
		}},
		{"two shards", newFeeds, func(x *explore.X) { x.Go("alice", writes("a", "b")) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := map[string]bool{}
			report := explore.Run(t, c.feed, func(x *explore.X) {
				var all []string
				c.define(x)
				x.Consume("consumer", trigger.NewMapping("feed"), func(_ context.Context,
					_ *dynamodb.Client, text []byte) ([]byte, error) {
					all = append(all, ids(t, text)...)
					return nil, nil
				})
				x.Check(func(context.Context, *dynamodb.Client) error {
					found[fmt.Sprint(all)] = true
					return nil
				})
			})
			assert.True(t, report.Complete)
			assert.Equal(t, map[string]bool{"[a b]": true, "[b a]": true}, found)
		})
	}
}

// TestConsumeFailures: what a consumer does twice, and why.
func TestConsumeFailures(t *testing.T) {
	for _, c := range []struct {
		name, page string
		fault      []explore.Fault
		handle     func() explore.Handler
	}{
		{"the batch is delivered again", "once more", []explore.Fault{explore.Redelivered},
			func() explore.Handler {
				return func(ctx context.Context, db *dynamodb.Client, _ []byte) ([]byte, error) {
					return nil, count(ctx, db, "x")
				}
			}},
		{"the handler dies", "fault: dies-after", []explore.Fault{explore.DiesAfter},
			func() explore.Handler {
				return func(ctx context.Context, db *dynamodb.Client, _ []byte) ([]byte, error) {
					return nil, count(ctx, db, "x")
				}
			}},
		{"the handler fails", "once more", []explore.Fault{explore.Throttled},
			func() explore.Handler {
				calls := 0
				return func(ctx context.Context, db *dynamodb.Client, _ []byte) ([]byte, error) {
					if calls++; calls == 1 {
						return nil, errors.Join(count(ctx, db, "x"), errors.New("out of memory"))
					}
					return nil, count(ctx, db, "x")
				}
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			report := explore.Search(t, newFeed, func(x *explore.X) {
				x.Go("writer", writes("a"))
				x.Consume("consumer", trigger.NewMapping("feed"), c.handle())
				x.Check(wasSeen("x", "1"))
			}, explore.Faults(1, c.fault...))
			require.Len(t, report.Failures, 1)
			f := report.Failures[0]
			assert.Equal(t, explore.Checked, f.Kind)
			assert.Contains(t, f.String(), c.page)
			assert.Contains(t, f.Page(), `INSERT {"id":{"S":"a"}}`)

			again := explore.Search(t, newFeed, func(x *explore.X) {
				x.Go("writer", writes("a"))
				x.Consume("consumer", trigger.NewMapping("feed"), c.handle())
				x.Check(wasSeen("x", "1"))
			}, explore.Schedule(f.Schedule))
			require.Len(t, again.Failures, 1)
			assert.Equal(t, f.Page(), again.Failures[0].Page())
		})
	}
}

// TestConsumerEnds: however a handler ends, the search goes on and says how.
func TestConsumerEnds(t *testing.T) {
	for _, c := range []struct {
		name   string
		handle explore.Handler
		want   string
	}{
		{"a panic", func(context.Context, *dynamodb.Client, []byte) ([]byte, error) {
			panic("at the disco")
		}, "consumer: panic: at the disco"},
		{"an error for ever", func(context.Context, *dynamodb.Client, []byte) ([]byte, error) {
			return nil, errors.New("it does not fit")
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			report := explore.Search(t, newFeed, func(x *explore.X) {
				x.Go("writer", writes("a"))
				x.Consume("consumer", trigger.NewMapping("feed"), c.handle)
			}, explore.Longest(10))
			if c.want == "" {
				assert.Empty(t, report.Failures)
				assert.Equal(t, report.Runs, report.Cut)
				return
			}
			require.Len(t, report.Failures, 1)
			assert.Equal(t, explore.Broken, report.Failures[0].Kind)
			assert.Contains(t, report.Failures[0].Text, c.want)
		})
	}
}

// TestConsumeNeedsStream: a test whose consumer could never get a record fails, and says why, in a
// process of its own.
func TestConsumeNeedsStream(t *testing.T) {
	cases := []struct{ name, table, want string }{
		{"no table", "fed", `the consumer "consumer": there is no table "fed" in us-east-1`},
		{"no stream", "seen", `the consumer "consumer": the table "seen" has no stream`},
		{"another region", "arn:aws:dynamodb:eu-west-1:000000000000:table/feed",
			`there is no table "arn:aws:dynamodb:eu-west-1:000000000000:table/feed" in us-east-1`},
	}
	if os.Getenv("EXPLORE_CONSUMES") != "" {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				explore.Run(t, newFeed, func(x *explore.X) {
					x.Go("writer", writes("a"))
					x.Consume("consumer", trigger.NewMapping(c.table), nil)
				})
			})
		}
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestConsumeNeedsStream$")
	cmd.Env = append(os.Environ(), "EXPLORE_CONSUMES=1")
	out, err := cmd.CombinedOutput()
	assert.Error(t, err)
	for _, c := range cases {
		assert.Contains(t, string(out), c.want)
	}
}

// TestConsumerIsSerial: a consumer that counts is serializable with what it counts.
func TestConsumerIsSerial(t *testing.T) {
	report := explore.Run(t, newFeed, func(x *explore.X) {
		x.Go("alice", writes("a"))
		x.Go("bob", writes("b"))
		x.Consume("consumer", trigger.NewMapping("feed"), func(ctx context.Context,
			db *dynamodb.Client, text []byte) ([]byte, error) {
			for _, id := range ids(t, text) {
				if err := count(ctx, db, id); err != nil {
					return nil, err
				}
			}
			return nil, nil
		})
		x.Check(wasSeen("a", "1"))
		x.Check(wasSeen("b", "1"))
	}, explore.Serializable())
	assert.True(t, report.Complete)
}

// TestStreams: a worker reads a stream by requests, which may be behind.
func TestStreams(t *testing.T) {
	for _, c := range []struct {
		name    string
		writers []string
		own     []string // what the reader writes before
		opts    []explore.Option
		want    map[string]bool
	}{
		{"in all orders", []string{"a", "b"}, nil, nil, map[string]bool{"[]": true, "[a]": true,
			"[b]": true, "[a b]": true, "[b a]": true}},
		{"own writes", nil, []string{"a"}, nil, map[string]bool{"[a]": true}},
		{"behind", nil, []string{"a"}, []explore.Option{explore.Faults(1, explore.Stale1)},
			map[string]bool{"[a]": true, "[]": true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := map[string]bool{}
			report := explore.Run(t, newFeed, func(x *explore.X) {
				client := x.Streams()
				for _, id := range c.writers {
					x.Go(id, writes(id))
				}
				var all []string
				x.Go("reader", func(ctx context.Context, db *dynamodb.Client) error {
					err := writes(c.own...)(ctx, db)
					if err != nil {
						return err
					}
					all, err = readStream(ctx, client)
					return err
				})
				x.Check(func(context.Context, *dynamodb.Client) error {
					found[fmt.Sprint(all)] = true
					return nil
				})
			}, c.opts...)
			assert.True(t, report.Complete)
			assert.Equal(t, c.want, found)
		})
	}
}

// readStream reads what is in the stream besides the item of the seed.
func readStream(ctx context.Context, c *dynamodbstreams.Client) (list []string, err error) {
	found, err := c.ListStreams(ctx, &dynamodbstreams.ListStreamsInput{})
	if err != nil {
		return nil, err
	}
	arn := found.Streams[0].StreamArn
	out, err := c.DescribeStream(ctx, &dynamodbstreams.DescribeStreamInput{StreamArn: arn})
	if err != nil {
		return nil, err
	}
	at, err := c.GetShardIterator(ctx, &dynamodbstreams.GetShardIteratorInput{StreamArn: arn,
		ShardId:           out.StreamDescription.Shards[0].ShardId,
		ShardIteratorType: streams.ShardIteratorTypeTrimHorizon})
	if err != nil {
		return nil, err
	}
	got, err := c.GetRecords(ctx,
		&dynamodbstreams.GetRecordsInput{ShardIterator: at.ShardIterator})
	if err != nil {
		return nil, err
	}
	for _, r := range got.Records {
		if id := r.Dynamodb.Keys["id"].(*streams.AttributeValueMemberS).Value; id != "old" {
			list = append(list, id)
		}
	}
	return list, nil
}
