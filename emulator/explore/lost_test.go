package explore_test

import (
	"context"
	"strconv"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/explore"
)

// set writes an attribute, with a condition or none.
func set(ctx context.Context, db *dynamodb.Client, sku, attribute, n, condition string) error {
	in := &dynamodb.UpdateItemInput{TableName: aws.String("stock"), Key: key(sku),
		UpdateExpression:         aws.String("SET #a = :n"),
		ExpressionAttributeNames: map[string]string{"#a": attribute},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":n": &types.AttributeValueMemberN{Value: n}}}
	if condition != "" {
		in.ConditionExpression = aws.String(condition)
	}
	_, err := db.UpdateItem(ctx, in)
	return err
}

// readAnd reads what is left and calls f with it.
func readAnd(f func(ctx context.Context, db *dynamodb.Client, n int) error) explore.Work {
	return func(ctx context.Context, db *dynamodb.Client) error {
		n, err := left(ctx, db, "sku1")
		if err != nil {
			return err
		}
		return f(ctx, db, n)
	}
}

func queryAnd(f func(ctx context.Context, db *dynamodb.Client, n int) error) explore.Work {
	return func(ctx context.Context, db *dynamodb.Client) error {
		out, err := db.Query(ctx, &dynamodb.QueryInput{TableName: aws.String("stock"),
			KeyConditionExpression: aws.String("sku = :sku"),
			ExpressionAttributeValues: map[string]types.AttributeValue{
				":sku": key("sku1")["sku"]}})
		if err != nil {
			return err
		}
		n, _ := strconv.Atoi(out.Items[0]["left"].(*types.AttributeValueMemberN).Value)
		return f(ctx, db, n)
	}
}

// createIfMissing looks before it puts.
func createIfMissing(n string) explore.Work {
	return func(ctx context.Context, db *dynamodb.Client) error {
		out, err := db.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("stock"),
			Key: key("sku9"), ConsistentRead: aws.Bool(true)})
		if err != nil || out.Item != nil {
			return err
		}
		return setLeft(ctx, db, "sku9", n)
	}
}

func deleteIfLast(ctx context.Context, db *dynamodb.Client, n int) error {
	if n != 10 {
		return nil
	}
	_, err := db.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String("stock"),
		Key: key("sku1")})
	return err
}

// deleteIfThere looks before it deletes.
func deleteIfThere(ctx context.Context, db *dynamodb.Client) error {
	out, err := db.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("stock"),
		Key: key("sku1"), ConsistentRead: aws.Bool(true)})
	if err != nil || out.Item == nil {
		return err
	}
	_, err = db.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String("stock"),
		Key: key("sku1")})
	return err
}

// cancel takes all that is left, if there is any.
func cancel(ctx context.Context, db *dynamodb.Client, n int) error {
	if n == 0 {
		return nil
	}
	return set(ctx, db, "sku1", "left", "0", "")
}

// cancelIfLast takes all, if nobody has taken any.
func cancelIfLast(ctx context.Context, db *dynamodb.Client, n int) error {
	if n != 10 {
		return nil
	}
	return set(ctx, db, "sku1", "left", "0", "")
}

// TestLostUpdate: a lost update is found without any option, and what looks like one is not.
func TestLostUpdate(t *testing.T) {
	minus := func(ctx context.Context, db *dynamodb.Client, n int) error {
		return set(ctx, db, "sku1", "left", strconv.Itoa(n-1), "")
	}
	for _, c := range []struct {
		name     string
		one, two explore.Work
		remedy   string // "": nothing is lost
	}{
		{"an attribute that was read", readAnd(minus), readAnd(minus),
			"the condition left = :read on this UpdateItem"},
		{"an attribute that a query read", queryAnd(minus), queryAnd(minus),
			"the condition left = :read on this UpdateItem"},
		{"an update by one who did not read", readAnd(minus), on(reserve, "sku1"),
			"the condition left = :read on this UpdateItem"},
		{"an item that was missing", createIfMissing("1"), createIfMissing("2"),
			"the condition attribute_not_exists(sku) on this PutItem"},
		{"a delete of what is in use again", readAnd(deleteIfLast), on(reserve, "sku1"),
			"the condition left = :read on this DeleteItem"},
		{"a condition that does not notice", readAnd(func(ctx context.Context, db *dynamodb.Client,
			n int) error {
			return set(ctx, db, "sku1", "left", strconv.Itoa(n-1), "attribute_exists(sku)")
		}), on(reserve, "sku1"), "the condition left = :read on this UpdateItem"},
		{"a value that does not depend on the read", readAnd(func(ctx context.Context,
			db *dynamodb.Client, _ int) error {
			return set(ctx, db, "sku1", "left", "3", "")
		}), on(reserve, "sku1"), ""},
		{"another attribute", readAnd(func(ctx context.Context, db *dynamodb.Client, n int) error {
			return set(ctx, db, "sku1", "seen", strconv.Itoa(n), "")
		}), on(reserve, "sku1"), ""},
		{"a count", readAnd(func(ctx context.Context, db *dynamodb.Client, _ int) error {
			return reserve(ctx, db, "sku1")
		}), on(reserve, "sku1"), ""},
		{"the same item that was missing", createIfMissing("1"), createIfMissing("1"), ""},
		{"a cancellation of what is cancelled", readAnd(cancel), readAnd(cancel), ""},
		{"a delete of what is deleted", deleteIfThere, deleteIfThere, ""},
		{"a cancellation of what was taken", readAnd(cancelIfLast), on(reserve, "sku1"),
			"the condition left = :read on this UpdateItem"},
		{"a condition", on(swap, "sku1"), on(swap, "sku1"), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			report := explore.Search(t, newShop, pairOf(c.one, c.two))
			if c.remedy == "" {
				assert.Empty(t, report.Failures)
				assert.True(t, report.Complete)
				return
			}
			require.Len(t, report.Failures, 1)
			f := report.Failures[0]
			assert.Equal(t, explore.LostUpdate, f.Kind)
			assert.Contains(t, f.Text, c.remedy)
			assert.Contains(t, f.String(), "← overwrites the change")
			assert.LessOrEqual(t, f.Switches, 2)
		})
	}
}
