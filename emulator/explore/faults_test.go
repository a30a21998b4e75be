package explore_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/explore"
)

// leaves checks what is left.
func leaves(want ...int) explore.Check {
	return func(ctx context.Context, db *dynamodb.Client) error {
		n, err := left(ctx, db, "sku1")
		for _, w := range want {
			if n == w {
				return err
			}
		}
		return errors.Join(err, fmt.Errorf("%d are left", n))
	}
}

func setLeft(ctx context.Context, db *dynamodb.Client, sku, n string) error {
	item := key(sku)
	item["left"] = &types.AttributeValueMemberN{Value: n}
	_, err := db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("stock"), Item: item})
	return err
}

// move takes one from a sku and adds it to the other, in two requests.
func move(ctx context.Context, db *dynamodb.Client) error {
	if err := reserve(ctx, db, "sku1"); err != nil {
		return err
	}
	return setLeft(ctx, db, "sku2", "11")
}

func eventually(ctx context.Context, db *dynamodb.Client) error {
	if err := setLeft(ctx, db, "sku1", "5"); err != nil {
		return err
	}
	out, err := db.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("stock"),
		Key: key("sku1")})
	if err == nil {
		explore.Result(ctx, out.Item["left"].(*types.AttributeValueMemberN).Value)
	}
	return err
}

// twice puts two items in a batch, and ignores what was left unprocessed.
func twice(ctx context.Context, db *dynamodb.Client) error {
	put := func(sku string) types.WriteRequest {
		item := key(sku)
		item["left"] = &types.AttributeValueMemberN{Value: "0"}
		return types.WriteRequest{PutRequest: &types.PutRequest{Item: item}}
	}
	_, err := db.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{
		RequestItems: map[string][]types.WriteRequest{"stock": {put("sku1"), put("sku2")}}})
	return err
}

func sumIs(want int) explore.Check {
	return func(ctx context.Context, db *dynamodb.Client) error {
		one, err := left(ctx, db, "sku1")
		two, other := left(ctx, db, "sku2")
		if one+two != want {
			return errors.Join(err, other, fmt.Errorf("%d and %d are left", one, two))
		}
		return errors.Join(err, other)
	}
}

// TestFaults: the search finds the one request that a fault must hit.
func TestFaults(t *testing.T) {
	alone := func(work explore.Work, check explore.Check) func(x *explore.X) {
		return func(x *explore.X) {
			x.Go("alice", work)
			if check != nil {
				x.Check(check)
			}
		}
	}
	mortal := func(again explore.Work) func(x *explore.X) {
		return func(x *explore.X) {
			x.Go("alice", move)
			x.Restart("alice", again)
			x.Check(sumIs(20))
		}
	}
	for _, c := range []struct {
		name     string
		program  func(x *explore.X)
		fault    explore.Fault
		schedule string // "": no failure
	}{
		{"a retry counts twice", alone(on(reserve, "sku1"), leaves(9)), explore.LostAnswer,
			"alice:lost,alice"},
		{"a retry of a put", alone(eventually, leaves(5)), explore.LostAnswer, ""},
		{"an error before the request, which is tried again", alone(on(reserve, "sku1"), leaves(9)),
			explore.ServerError, ""},
		{"a throttled request, which is tried again", alone(on(reserve, "sku1"), leaves(9)),
			explore.Throttled, ""},
		{"a read that is behind", alone(eventually, nil), explore.Stale1, "alice,alice:stale1"},
		{"a batch that is not finished", alone(twice, sumIs(0)), explore.Unprocessed,
			"alice:unprocessed"},
		{"a death between two requests", mortal(nil), explore.DiesBefore,
			"alice,alice:dies-before"},
		{"a death after a request", mortal(nil), explore.DiesAfter, "alice:dies-after"},
		{"a death after which another begins anew", mortal(move), explore.DiesAfter,
			"alice:dies-after,alice,alice"},
		{"a conflict", alone(on(reserve, "sku1"), leaves(9)), explore.Conflict, "alice:conflict"},
	} {
		t.Run(c.name, func(t *testing.T) {
			report := explore.Search(t, newShop, c.program, explore.Faults(1, c.fault),
				explore.Serializable())
			if c.schedule == "" {
				assert.Empty(t, report.Failures)
				assert.True(t, report.Complete)
				assert.Positive(t, report.Faults)
				return
			}
			require.Len(t, report.Failures, 1)
			f := report.Failures[0]
			assert.Equal(t, c.schedule, f.Schedule)
			assert.Equal(t, 1, f.Faults)
			again := explore.Search(t, newShop, c.program, explore.Serializable(),
				explore.Schedule(f.Schedule))
			require.Len(t, again.Failures, 1, "the schedule fails again")
			assert.Equal(t, f.Text, again.Failures[0].Text)
		})
	}
}
