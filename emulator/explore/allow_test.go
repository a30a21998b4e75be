//go:build go1.25

package explore_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/explore"
)

// TestAllow: a lost update that is allowed is counted, and is no failure.
func TestAllow(t *testing.T) {
	takes := readAnd(func(ctx context.Context, db *dynamodb.Client, n int) error {
		return set(ctx, db, "sku1", "left", string(rune('0'+n%10)), "")
	})
	program := func(x *explore.X) {
		x.Go("alice", func(ctx context.Context, db *dynamodb.Client) error {
			return reserve(ctx, db, "sku1")
		})
		x.Go("bob", takes)
	}
	require.Len(t, explore.Search(t, newShop, program).Failures, 1)
	report := explore.Search(t, newShop, program,
		explore.Allow(explore.LostUpdate, "stock", "the last one wins"))
	assert.Empty(t, report.Failures)
	assert.True(t, report.Complete)
	assert.Positive(t, report.Allowed["stock"])
	assert.Contains(t, report.String(), "in stock allowed: the last one wins")
	report = explore.Search(t, newShop, program,
		explore.Allow(explore.LostUpdate, "other", "there is none"))
	assert.Len(t, report.Failures, 1, "the allowance is for another table")
}

// TestAllFailures: failures are told apart by what went wrong.
func TestAllFailures(t *testing.T) {
	report := explore.Search(t, newShop, func(x *explore.X) {
		for _, name := range []string{"alice", "bob"} {
			x.Go(name, func(ctx context.Context, db *dynamodb.Client) error {
				for _, attribute := range []string{"left", "sold"} {
					n, err := left(ctx, db, "sku1")
					if err != nil {
						return err
					}
					value := string(rune('0' + n%10))
					if name == "bob" {
						value = "7"
					}
					if err := set(ctx, db, "sku1", attribute, value, ""); err != nil {
						return err
					}
				}
				return nil
			})
		}
		x.Check(func(context.Context, *dynamodb.Client) error { return errors.New("never right") })
	}, explore.All())
	texts := map[string]bool{}
	for _, f := range report.Failures {
		assert.False(t, texts[f.Text], "twice: %s", f.Text)
		texts[f.Text] = true
	}
	assert.True(t, texts["never right"], "a lost update hides no other failure: %v", texts)
	assert.Greater(t, len(texts), 2)
}

// TestPolling: a worker that asks again and again lets others go, and the report says so.
func TestPolling(t *testing.T) {
	lock := map[string]types.AttributeValue{"sku": &types.AttributeValueMemberS{Value: "lock"}}
	report := explore.Search(t, newShop, func(x *explore.X) {
		for _, name := range []string{"alice", "bob"} {
			x.Go(name, func(ctx context.Context, db *dynamodb.Client) error {
				for pause := time.Second; ; pause *= 2 { // there is no greatest pause
					_, err := db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("stock"),
						Item: lock, ConditionExpression: aws.String("attribute_not_exists(sku)")})
					if err == nil {
						break
					}
					time.Sleep(pause)
				}
				err := reserve(ctx, db, "sku1")
				_, end := db.DeleteItem(ctx,
					&dynamodb.DeleteItemInput{TableName: aws.String("stock"), Key: lock})
				return errors.Join(err, end)
			})
		}
	}, explore.Budget(40))
	assert.Empty(t, report.Failures)
	assert.False(t, report.Complete)
	assert.Zero(t, report.Cut)
	assert.Contains(t, report.String(), "a worker got the same answer to the same request 10 times")
}

// TestWithin: no run begins after the time.
func TestWithin(t *testing.T) {
	report := explore.Search(t, newShop, reserves, explore.Within(time.Nanosecond))
	assert.False(t, report.Complete)
	assert.Contains(t, report.String(), "the time was spent (Within)")
}
