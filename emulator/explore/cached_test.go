//go:build go1.25

package explore_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/explore"
)

// reads adds what is left of a sku to the result of a worker.
func reads(ctx context.Context, db *dynamodb.Client, sku string) error {
	n, err := soon(ctx, db, sku)
	explore.Result(ctx, n)
	return err
}

// soon reads an item eventually consistently.
func soon(ctx context.Context, db *dynamodb.Client, sku string) (string, error) {
	out, err := db.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("stock"),
		Key: key(sku)})
	if err != nil {
		return "", err
	}
	return number(out.Item), nil
}

func number(it map[string]types.AttributeValue) string {
	if n, ok := it["left"].(*types.AttributeValueMemberN); ok {
		return n.Value
	}
	return "none"
}

// readsBoth reads two items in a batch.
func readsBoth(ctx context.Context, db *dynamodb.Client) error {
	keys := []map[string]types.AttributeValue{key("sku1"), key("sku2")}
	out, err := db.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
		RequestItems: map[string]types.KeysAndAttributes{"stock": {Keys: keys}}})
	if err != nil {
		return err
	}
	both := map[string]string{}
	for _, it := range out.Responses["stock"] {
		both[it["sku"].(*types.AttributeValueMemberS).Value] = number(it)
	}
	explore.Result(ctx, both["sku1"]+" and "+both["sku2"])
	return nil
}

func scans(ctx context.Context, db *dynamodb.Client) error {
	out, err := db.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String("stock"),
		FilterExpression:          aws.String("sku = :sku"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":sku": key("sku1")["sku"]}})
	if err == nil {
		explore.Result(ctx, number(out.Items[0]))
	}
	return err
}

// then does one thing after the other.
func then(all ...explore.Work) explore.Work {
	return func(ctx context.Context, db *dynamodb.Client) error {
		for _, work := range all {
			if err := work(ctx, db); err != nil {
				return err
			}
		}
		return nil
	}
}

func sets(sku, n string) explore.Work {
	return func(ctx context.Context, db *dynamodb.Client) error { return setLeft(ctx, db, sku, n) }
}

func sleeps(d time.Duration) explore.Work {
	return func(context.Context, *dynamodb.Client) error {
		time.Sleep(d)
		return nil
	}
}

// TestCachedReads: what a worker reads through an accelerator after others have written. The
// sections are those of the Developer Guide's "DAX and DynamoDB consistency models".
func TestCachedReads(t *testing.T) {
	read := on(reads, "sku1")
	twice := then(sets("sku1", "1"), sets("sku1", "2"))
	after := func(d time.Duration) explore.Work { return then(twice, sleeps(d)) }
	consistent := func(ctx context.Context, db *dynamodb.Client) error {
		n, err := left(ctx, db, "sku1")
		explore.Result(ctx, n)
		return err
	}
	both := []explore.Option{explore.CachedReads()}
	for _, c := range []struct {
		name           string
		reader, writer explore.Work
		options        []explore.Option // options; nil: the writer writes past the cache
		schedule       string           // the schedule after the writer's two requests
		want           string
	}{
		{"what is there", read, twice, nil, "reader", "2"},
		{"one change ago (Consistency of reads)", read, twice, nil, "reader:cached1", "1"},
		{"two changes ago", read, twice, nil, "reader:cached2", "10"},
		{"longer ago than anything", read, twice, nil, "reader:cached3", "2"},
		{"a strongly consistent read (Strongly consistent and transactional reads)", consistent,
			twice, nil, "reader:cached1", "2"},
		{"before the life of items ends (DAX item cache behavior)", read,
			after(5*time.Minute - 1), nil, "reader:cached1", "1"},
		{"after its end", read, after(5 * time.Minute), nil, "reader:cached1", "2"},
		{"after the end of a life of one's own", read, after(time.Second),
			[]explore.Option{explore.CachedReads("reader"),
				explore.CacheTTLs(time.Second, time.Hour)},
			"reader:cached1", "2"},
		{"items that live for good", read, after(time.Hour),
			[]explore.Option{explore.CachedReads("reader"), explore.CacheTTLs(0, time.Hour)},
			"reader:cached2", "10"},
		{"what was written through it (How DAX processes writes)", read, twice, both,
			"reader:cached1", "2"},
		{"what was read through it", then(read, read), twice, nil,
			"reader:cached1,reader:cached2", "1 2"},
		{"as old as before", then(read, read), twice, nil, "reader:cached1,reader:cached1", "1 1"},
		{"another node (Consistency among DAX cluster nodes)", then(read, read), twice,
			append(both, explore.CacheLag(time.Second)), "reader:cached1,reader:cached2", "1 10"},
		{"another node after the lag", read, after(time.Second),
			append(both, explore.CacheLag(time.Second)), "reader:cached1", "2"},
		{"a query after a write through it (DAX query cache behavior)", scans, twice, both,
			"reader:cached2", "10"},
		{"the same query once more", then(scans, scans), twice, both,
			"reader:cached1,reader:cached2", "1 2"},
		{"a query after its life", scans, after(time.Second),
			append(both, explore.CacheTTLs(time.Hour, time.Second)), "reader:cached1", "2"},
		{"queries that are not cached", scans, twice, append(both, explore.CacheTTLs(time.Hour, 0)),
			"reader:cached1", "2"},
		{"each item of a batch for itself (Consistency of reads)", readsBoth,
			then(sets("sku1", "1"), sets("sku2", "2")), nil, "reader:cached0.1", "1 and 10"},
		{"the other item of a batch", readsBoth, then(sets("sku1", "1"), sets("sku2", "2")), nil,
			"reader:cached1.0", "10 and 2"},
		{"both items of a batch", readsBoth, then(sets("sku1", "1"), sets("sku2", "2")), nil,
			"reader:cached1.1", "10 and 10"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if len(c.options) == 0 {
				c.options = []explore.Option{explore.CachedReads("reader")}
			}
			got := ""
			explore.Run(t, newShop, func(x *explore.X) {
				x.Go("writer", c.writer)
				x.Go("reader", c.reader)
			}, append(c.options, explore.Faults(2, explore.Cached),
				explore.Schedule("writer,writer,"+c.schedule), explore.Serializable(
					func(worker string, r explore.WorkerResult) any {
						if worker == "reader" {
							got = strings.Trim(fmt.Sprint(r.Values), "[]")
						}
						return nil
					}), explore.Ignore("left"))...)
			assert.Equal(t, c.want, got)
		})
	}
}

// TestCachedAges: the search tries every age.
func TestCachedAges(t *testing.T) {
	found := map[string]bool{}
	report := explore.Run(t, newShop, func(x *explore.X) {
		x.Go("writer", then(sets("sku1", "1"), sets("sku1", "2"), sets("sku2", "3")))
		x.Go("reader", func(ctx context.Context, db *dynamodb.Client) error {
			now, err := left(ctx, db, "sku2")
			explore.Result(ctx, now)
			return errors.Join(err, readsBoth(ctx, db))
		})
	}, explore.CachedReads("reader"), explore.Faults(1, explore.Cached), explore.Ignore("left"),
		explore.Serializable(func(worker string, r explore.WorkerResult) any {
			if worker == "reader" && len(r.Values) == 2 && r.Values[0] == 3 {
				found[r.Values[1].(string)] = true
			}
			return nil
		}))
	assert.True(t, report.Complete, "%s", report)
	assert.Equal(t, map[string]bool{"2 and 3": true, "1 and 3": true, "10 and 3": true,
		"2 and 10": true, "1 and 10": true, "10 and 10": true}, found)
}

// TestCachedAgesOfLargeBatches: what is left out is said.
func TestCachedAgesOfLargeBatches(t *testing.T) {
	report := explore.Run(t, newShop, func(x *explore.X) {
		x.Go("writer", func(ctx context.Context, db *dynamodb.Client) error {
			for i := range 9 {
				if err := setLeft(ctx, db, fmt.Sprint(i), "1"); err != nil {
					return err
				}
			}
			return nil
		})
		x.Go("reader", func(ctx context.Context, db *dynamodb.Client) error {
			var keys []map[string]types.AttributeValue
			for i := range 9 {
				keys = append(keys, key(fmt.Sprint(i)))
			}
			_, err := db.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
				RequestItems: map[string]types.KeysAndAttributes{"stock": {Keys: keys}}})
			return err
		})
	}, explore.CachedReads("reader"), explore.Faults(1, explore.Cached))
	assert.False(t, report.Complete)
	assert.Equal(t, 9, report.Faults)
	assert.Contains(t, report.String(),
		"a batch had more than 256 ways in which a cache has its items")
}

// TestCachedSchedule: a failure names how old the answer was, its page shows it, and its schedule
// gives it again.
func TestCachedSchedule(t *testing.T) {
	program := func(x *explore.X) {
		x.Go("alice", func(ctx context.Context, db *dynamodb.Client) error {
			n, err := soon(ctx, db, "sku1")
			if err != nil || n == "none" {
				return err
			}
			return setLeft(ctx, db, "sku1", n+"0")
		})
		x.Go("bob", sets("sku1", "5"))
	}
	opts := []explore.Option{explore.CachedReads("alice"), explore.Faults(1, explore.Cached)}
	report := explore.Search(t, newShop, program, append(opts, explore.All())...)
	at := -1
	for i, f := range report.Failures {
		if f.Schedule == "bob,alice:cached1,alice" {
			at = i
		}
	}
	require.GreaterOrEqual(t, at, 0, "%v", report.Failures)
	f := report.Failures[at]
	assert.Equal(t, explore.LostUpdate, f.Kind)
	for _, text := range []string{
		"what bob has changed and what alice read does not show", "reads left: 10, which is old",
		"there is left: 5", "fault: cached1", "← reads what was there before",
		"the condition left = :read on this PutItem would have refused it (:read was 10)",
	} {
		assert.Contains(t, f.String(), text)
	}
	again := explore.Search(t, newShop, program, append(opts, explore.Schedule(f.Schedule))...)
	require.Len(t, again.Failures, 1)
	assert.Equal(t, f.Page(), again.Failures[0].Page())
	assert.Contains(t, strings.Join(f.Diagram().Steps[1].Lines, "\n"), "which is old")
}
