package explore_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/explore"
)

var errNotEnough = errors.New("not enough")

// takeIfBoth takes from a sku if both together have 20. Two of them that overlap skew each other's
// reads: no item is written twice.
func takeIfBoth(sku string) explore.Work {
	return func(ctx context.Context, db *dynamodb.Client) error {
		one, err := left(ctx, db, "sku1")
		if err != nil {
			return err
		}
		two, err := left(ctx, db, "sku2")
		if err != nil {
			return err
		}
		if one+two < 20 {
			return errNotEnough
		}
		return reserve(ctx, db, sku)
	}
}

// swap decrements with a condition, once.
func swap(ctx context.Context, db *dynamodb.Client, sku string) error {
	n, err := left(ctx, db, sku)
	if err != nil {
		return err
	}
	_, err = db.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: aws.String("stock"),
		Key: key(sku), UpdateExpression: aws.String("SET #left = :new"),
		ConditionExpression:      aws.String("#left = :old"),
		ExpressionAttributeNames: map[string]string{"#left": "left"},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":old": &types.AttributeValueMemberN{Value: strconv.Itoa(n)},
			":new": &types.AttributeValueMemberN{Value: strconv.Itoa(n - 1)}}})
	return err
}

func isConflict(err error) bool {
	var refused *types.ConditionalCheckFailedException
	return errors.As(err, &refused)
}

func pairOf(one, two explore.Work) func(x *explore.X) {
	return func(x *explore.X) {
		x.Go("alice", one)
		x.Go("bob", two)
	}
}

func on(f reserver, sku string) explore.Work {
	return func(ctx context.Context, db *dynamodb.Client) error { return f(ctx, db, sku) }
}

// TestSerializable: what ends as no serial order does is a failure.
func TestSerializable(t *testing.T) {
	for _, c := range []struct {
		name    string
		program func(x *explore.X)
		options []explore.Option
		want    string // "": no failure
	}{
		{"write skew", pairOf(takeIfBoth("sku1"), takeIfBoth("sku2")), nil,
			"no serial order has this final state"},
		{"counters", pairOf(on(reserve, "sku1"), on(reserve, "sku1")), nil, ""},
		{"an error that no serial order has", pairOf(on(swap, "sku1"), on(swap, "sku1")), nil,
			"in no serial order alice returns operation error DynamoDB: UpdateItem"},
		{"an error after which nothing is done", pairOf(on(swap, "sku1"), on(swap, "sku1")),
			[]explore.Option{explore.Aborts(isConflict)}, ""},
		{"results that do not count", pairOf(on(swap, "sku1"), on(swap, "sku1")),
			[]explore.Option{explore.Serializable(
				func(string, explore.WorkerResult) any { return nil })},
			"no serial order has this final state"},
		{"attributes that do not count", pairOf(on(swap, "sku1"), on(swap, "sku1")),
			[]explore.Option{explore.Ignore("left"), explore.Aborts(isConflict)}, ""},
		{"a read between two writes", pairOf(
			func(ctx context.Context, db *dynamodb.Client) error {
				return errors.Join(reserve(ctx, db, "sku1"), reserve(ctx, db, "sku1"))
			}, func(ctx context.Context, db *dynamodb.Client) error {
				n, err := left(ctx, db, "sku1")
				explore.Result(ctx, n)
				return err
			}), nil, "in no serial order bob returns \n9"},
	} {
		t.Run(c.name, func(t *testing.T) {
			report := explore.Search(t, newShop, c.program,
				append([]explore.Option{explore.Serializable()}, c.options...)...)
			if c.want == "" {
				assert.Empty(t, report.Failures)
				assert.True(t, report.Complete)
				return
			}
			require.Len(t, report.Failures, 1)
			assert.Equal(t, explore.NotSerial, report.Failures[0].Kind)
			assert.Contains(t, report.Failures[0].Text, c.want)
		})
	}
}

// TestTooManySerialOrders: a report says that there were too many to compare with.
func TestTooManySerialOrders(t *testing.T) {
	for _, c := range []struct {
		name    string
		workers int
		left    string
	}{
		{"few", 3, ""},
		{"more than half of the budget", 4, "; no run was compared with serial orders: these are 24, more than half of the " +
			"budget (Budget)"},
		{"more than a machine counts", 25, "these are 15511210043330985984000000,"},
	} {
		t.Run(c.name, func(t *testing.T) {
			report := explore.Run(t, newShop, func(x *explore.X) {
				for i := range c.workers {
					x.Go(fmt.Sprint("w", i), func(ctx context.Context, db *dynamodb.Client) error {
						_, err := left(ctx, db, "sku1")
						return err
					})
				}
			}, explore.Serializable(), explore.Budget(40))
			assert.Equal(t, c.left == "", report.Complete)
			assert.Contains(t, report.String(), c.left)
		})
	}
}
