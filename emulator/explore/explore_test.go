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

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/explore"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

var newShop = emulatortest.Template(func(t testing.TB, server *emulatortest.Server) {
	server.SeedTables(t, seed.Table{
		Name:         "stock",
		PartitionKey: seed.Attribute{Name: "sku", Type: "S"},
		Items:        []seed.Item{{"sku": "sku1", "left": 10}, {"sku": "sku2", "left": 10}},
	})
})

func key(sku string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"sku": &types.AttributeValueMemberS{Value: sku}}
}

func left(ctx context.Context, db *dynamodb.Client, sku string) (int, error) {
	out, err := db.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("stock"),
		Key: key(sku), ConsistentRead: aws.Bool(true)})
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(out.Item["left"].(*types.AttributeValueMemberN).Value)
}

// reserveBroken reads, and writes what it computed.
func reserveBroken(ctx context.Context, db *dynamodb.Client, sku string) error {
	n, err := left(ctx, db, sku)
	if err != nil {
		return err
	}
	item := key(sku)
	item["left"] = &types.AttributeValueMemberN{Value: strconv.Itoa(n - 1)}
	_, err = db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("stock"), Item: item})
	return err
}

// reserve has the service count.
func reserve(ctx context.Context, db *dynamodb.Client, sku string) error {
	_, err := db.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: aws.String("stock"),
		Key: key(sku), UpdateExpression: aws.String("ADD #left :minus"),
		ExpressionAttributeNames: map[string]string{"#left": "left"},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":minus": &types.AttributeValueMemberN{Value: "-1"}}})
	return err
}

type reserver func(ctx context.Context, db *dynamodb.Client, sku string) error

func twoReserve(f reserver) func(x *explore.X) {
	return func(x *explore.X) {
		for _, name := range []string{"alice", "bob"} {
			x.Go(name, func(ctx context.Context, db *dynamodb.Client) error {
				return f(ctx, db, "sku1")
			})
		}
		x.Check(func(ctx context.Context, db *dynamodb.Client) error {
			n, err := left(ctx, db, "sku1")
			if n != 8 {
				return errors.Join(err, fmt.Errorf("%d are left, not 8", n))
			}
			return err
		})
	}
}

func TestCheck(t *testing.T) {
	report := explore.Search(t, newShop, twoReserve(reserveBroken))
	if assert.Len(t, report.Failures, 1) {
		t.Log(report.Failures[0])
		assert.Equal(t, explore.LostUpdate, report.Failures[0].Kind)
	}
	report = explore.Run(t, newShop, twoReserve(reserve))
	assert.True(t, report.Complete)
	assert.Equal(t, 2, report.Runs)
}
