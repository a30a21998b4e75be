//go:build go1.25

package explore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"

	"github.com/kugiri-db/kugiri/emulator/explore"
)

func putKey(ctx context.Context, db *dynamodb.Client, sku string) error {
	_, err := db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("stock"),
		Item: key(sku)})
	return err
}

func random() string { return strconv.FormatUint(rand.Uint64(), 36) }

// two workers do the same.
func two(work func(ctx context.Context, db *dynamodb.Client, name string) error) func(*explore.X) {
	return func(x *explore.X) {
		for _, name := range []string{"alice", "bob"} {
			x.Go(name, func(ctx context.Context, db *dynamodb.Client) error {
				return work(ctx, db, name)
			})
		}
	}
}

// TestNoClaim: of workers that do not do the same in each run the search does not say that all
// orders were tried, and names one of them with both requests.
func TestNoClaim(t *testing.T) {
	calls := 0
	for _, c := range []struct {
		name string
		work func(ctx context.Context, db *dynamodb.Client, name string) error
		says []string
	}{
		{"a random id", func(ctx context.Context, db *dynamodb.Client, _ string) error {
			return putKey(ctx, db, "sku"+random())
		}, []string{"alice is not the same in each run", "its request 1 is\n  PutItem {", "X.Rand"}},
		{"an extra request by chance", func(ctx context.Context, db *dynamodb.Client,
			_ string) error {
			if rand.IntN(2) == 0 {
				_, _ = left(ctx, db, "sku2")
			}
			return reserve(ctx, db, "sku1")
		}, []string{"GetItem {", "UpdateItem {"}},
		{"one of two requests by chance", func(ctx context.Context, db *dynamodb.Client,
			_ string) error {
			return reserve(ctx, db, []string{"sku1", "sku2"}[rand.IntN(2)])
		}, []string{"sku1", "sku2"}},
		{"a last request by chance", func(ctx context.Context, db *dynamodb.Client,
			_ string) error {
			if err := reserve(ctx, db, "sku1"); err != nil || rand.IntN(2) == 0 {
				return err
			}
			return reserve(ctx, db, "sku2")
		}, []string{"none: it has ended"}},
		{"keys in the order of a map", func(ctx context.Context, db *dynamodb.Client,
			_ string) error {
			for sku := range map[string]bool{"a": true, "b": true, "c": true, "d": true} {
				if err := putKey(ctx, db, sku); err != nil {
					return err
				}
			}
			return nil
		}, []string{"request 1 is"}},
		{"memory of an earlier run", func(ctx context.Context, db *dynamodb.Client,
			name string) error {
			if name == "alice" {
				if calls++; calls > 1 {
					return nil
				}
			}
			return reserve(ctx, db, "sku1")
		}, []string{"alice is not the same", "none: it has ended"}},
		{"memory that workers share", func() func(context.Context, *dynamodb.Client, string) error {
			cache := &sync.Map{}
			return func(ctx context.Context, db *dynamodb.Client, name string) error {
				if err := putKey(ctx, db, name); err != nil {
					return err
				}
				if _, there := cache.LoadOrStore("first", name); there {
					cache.Clear()
					return nil
				}
				_, err := left(ctx, db, "sku1")
				return err
			}
		}(), []string{"none: it has ended"}},
		{"a sleep of 40 days", func(ctx context.Context, db *dynamodb.Client, name string) error {
			if name == "bob" {
				time.Sleep(40 * 24 * time.Hour)
			}
			return reserve(ctx, db, "sku1")
		}, []string{"a worker that sleeps"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			report := explore.Search(t, newShop, two(c.work))
			assert.Empty(t, report.Failures)
			assert.False(t, report.Complete)
			text := report.String()
			assert.Contains(t, text, "not all orders were tried")
			for _, part := range c.says {
				assert.Contains(t, text, part)
			}
		})
	}
}

// TestSameRequests: what the service sees no difference between, and ids of X.Rand, are the same in
// each run.
func TestSameRequests(t *testing.T) {
	for _, c := range []struct {
		name   string
		work   func(ctx context.Context, db *dynamodb.Client, name string) error
		orders string
	}{
		{"an update out of a map", func(ctx context.Context, db *dynamodb.Client, _ string) error {
			in := &dynamodb.UpdateItemInput{TableName: aws.String("stock"), Key: key("sku1"),
				ExpressionAttributeNames:  map[string]string{},
				ExpressionAttributeValues: map[string]types.AttributeValue{}}
			var sets []string
			for name, v := range map[string]string{"a": "1", "b": "2", "c": "3", "d": "4"} {
				i := len(sets)
				in.ExpressionAttributeNames[fmt.Sprint("#n", i)] = name
				in.ExpressionAttributeValues[fmt.Sprint(":v", i)] =
					&types.AttributeValueMemberN{Value: v}
				sets = append(sets, fmt.Sprintf("#n%d = :v%d", i, i))
			}
			in.UpdateExpression = aws.String("SET " + strings.Join(sets, ", "))
			_, err := db.UpdateItem(ctx, in)
			return err
		}, "2"},
		{"a batch and a set out of a map", func(ctx context.Context, db *dynamodb.Client,
			_ string) error {
			var writes []types.WriteRequest
			var set []string
			for sku := range map[string]bool{"a": true, "b": true, "c": true, "d": true} {
				set = append(set, sku)
				writes = append(writes,
					types.WriteRequest{PutRequest: &types.PutRequest{Item: key(sku)}})
			}
			it := key("e")
			it["set"] = &types.AttributeValueMemberSS{Value: set}
			writes = append(writes, types.WriteRequest{PutRequest: &types.PutRequest{Item: it}})
			_, err := db.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{
				RequestItems: map[string][]types.WriteRequest{"stock": writes}})
			return err
		}, "2"},
		{"goroutines of a worker", func(ctx context.Context, db *dynamodb.Client,
			name string) error {
			var all sync.WaitGroup
			for _, sku := range []string{"a", "b"} {
				all.Go(func() { _ = putKey(ctx, db, name+sku) })
			}
			all.Wait()
			return nil
		}, "24"},
		{"a time", func(ctx context.Context, db *dynamodb.Client, _ string) error {
			return putKey(ctx, db, time.Now().String())
		}, "2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			report := explore.Search(t, newShop, two(c.work))
			assert.True(t, report.Complete, "%s", report)
			assert.Equal(t, c.orders, report.Orders.String())
		})
	}
	t.Run("ids of X.Rand", func(t *testing.T) {
		var mu sync.Mutex
		seen := map[string]bool{}
		report := explore.Search(t, newShop, func(x *explore.X) {
			two(func(ctx context.Context, db *dynamodb.Client, name string) error {
				r := x.Rand(name)
				ids := []string{r.UUID(), r.ULID(time.Now()), fmt.Sprint(rand.New(r).Uint64())}
				for _, id := range ids {
					mu.Lock()
					seen[id] = true
					mu.Unlock()
					if err := putKey(ctx, db, id); err != nil {
						return err
					}
				}
				return nil
			})(x)
		})
		assert.True(t, report.Complete, "%s", report)
		assert.Len(t, seen, 6)
	})
}
