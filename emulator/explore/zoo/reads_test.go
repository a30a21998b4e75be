//go:build go1.25

package zoo

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/emulator/explore"
)

// Ways to learn what an item has, other than GetItem, and to replace it, other than PutItem.
var otherReads = []specimen{
	{
		name: "a statement reads the counter", kind: explore.LostUpdate, switches: 2,
		broken: twice(func(ctx context.Context, db client) error {
			n, err := selectVisits(ctx, db)
			if err != nil {
				return err
			}
			return put(ctx, db, visits.with(item{"n": n + 1}))
		}),
		mended: twice(addVisit),
	},
	{
		name: "an update returns the counter", kind: explore.LostUpdate, switches: 2,
		broken: twice(func(ctx context.Context, db client) error {
			it, err := update(ctx, db, visits, "ADD seen :one", item{":one": 1})
			if err != nil {
				return err
			}
			_, err = update(ctx, db, visits, "SET n = :n", item{":n": it.number("seen")})
			return err
		}),
		mended: twice(addVisit),
	},
	{
		name: "a condition that fails shows the counter", kind: explore.LostUpdate, switches: 2,
		broken: twice(func(ctx context.Context, db client) error {
			n, err := visitsOfFailure(ctx, db)
			if err != nil {
				return err
			}
			return put(ctx, db, visits.with(item{"n": n + 1}))
		}),
		mended: twice(addVisit),
	},
	{
		name: "a delete and a put replace the counter", kind: explore.LostUpdate, switches: 2,
		broken: twice(func(ctx context.Context, db client) error {
			it, err := get(ctx, db, visits)
			if err != nil || it == nil {
				return err
			}
			if err := remove(ctx, db, visits); err != nil {
				return err
			}
			return put(ctx, db, visits.with(item{"n": it.number("n") + 1}))
		}),
		mended: twice(addVisit),
	},
}

// twice has two workers do the same.
func twice(work explore.Work) func(*explore.X) {
	return func(x *explore.X) {
		x.Go("alice", work)
		x.Go("bob", work)
	}
}

func addVisit(ctx context.Context, db client) error {
	_, err := update(ctx, db, visits, "ADD n :one", item{":one": 1})
	return err
}

func selectVisits(ctx context.Context, db client) (int, error) {
	out, err := db.ExecuteStatement(ctx, &dynamodb.ExecuteStatementInput{
		Statement:      aws.String(`SELECT * FROM "app" WHERE pk = 'COUNTER' AND sk = 'visits'`),
		ConsistentRead: aws.Bool(true)})
	if err != nil || len(out.Items) == 0 {
		return 0, err
	}
	return itemOf(out.Items[0]).number("n"), nil
}

// visitsOfFailure asks for a condition that never holds, and takes the item out of the error.
func visitsOfFailure(ctx context.Context, db client) (int, error) {
	_, err := db.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: aws.String(table),
		Key: visits.values(), UpdateExpression: aws.String("SET n = :n"),
		ConditionExpression:                 aws.String("n = :n"),
		ExpressionAttributeValues:           item{":n": -1}.values(),
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld})
	var failed *types.ConditionalCheckFailedException
	if !errors.As(err, &failed) {
		return 0, err
	}
	return itemOf(failed.Item).number("n"), nil
}
