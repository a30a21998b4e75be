package shop

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/conventions/dynamo"
)

// usersTable has data that all tenants share. Items with the attribute ttl expire.
const usersTable = "users"

var (
	products = conventions.Simple{Prefix: "PRODUCT"}
	users    = conventions.Variant{
		Prefix: "USER", Variants: []string{"local", "sso", "oauth", "temp", "profile"},
	}
)

// Number returns the next number of a sequence of the tenant (guide, "Built-in key generators",
// seqPk). The number is the version of the sequence's item.
func (s *Shop) Number(ctx context.Context, sequence string) (int, error) {
	pk, err := conventions.SequenceKey(s.Tenant)
	if err != nil {
		return 0, err
	}
	out, err := s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: aws.String(dataTable), Key: attributes{"pk": text(pk), "sk": text(sequence)},
		UpdateExpression:          aws.String("ADD version :one"),
		ExpressionAttributeValues: attributes{":one": integer(1)},
		ReturnValues:              types.ReturnValueUpdatedNew,
	})
	if err != nil {
		return 0, err
	}
	return versionOf(out.Attributes), nil
}

// Retain sets for how many days the items of a table are kept (guide, "Built-in key generators",
// ttlSk).
func (s *Shop) Retain(ctx context.Context, table string, days int) error {
	pk, err := conventions.MasterKey(s.Tenant)
	if err != nil {
		return err
	}
	sk, err := conventions.TTLSortKey(table)
	if err != nil {
		return err
	}
	_, err = s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: aws.String(dataTable), Key: attributes{"pk": text(pk), "sk": text(sk)},
		UpdateExpression: aws.String("SET attributes = :days ADD version :one"),
		ExpressionAttributeValues: attributes{":one": integer(1),
			":days": &types.AttributeValueMemberM{Value: attributes{"days": integer(days)}}},
	})
	return err
}

// OpenSession makes a temporary session (guide, pattern 3, temp#). DynamoDB deletes it after until.
func (s *Shop) OpenSession(ctx context.Context, session string, until time.Time) error {
	keys, err := users.Build(conventions.TenantCommon, "temp", session)
	if err != nil {
		return err
	}
	_, err = s.Client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: aws.String(usersTable),
		Item: attributes{"pk": text(keys.PK), "sk": text(keys.SK),
			"version": integer(conventions.VersionFirst), "ttl": integer(int(until.Unix()))},
		ConditionExpression: aws.String("attribute_not_exists(pk)"),
	})
	return err
}

// Offer requests a new product: it writes only the command. Sync copies the command to the data
// table.
func (s *Shop) Offer(ctx context.Context, title string) (id string, err error) {
	if id, err = s.ULIDs.Next(); err != nil {
		return "", err
	}
	keys, err := products.Build(s.Tenant, id)
	if err != nil {
		return "", err
	}
	of := attributes{"title": text(title)}
	actions, err := created(keys, of)
	if err != nil {
		return "", err
	}
	command := actions[0].Put
	_, err = s.Client.PutItem(ctx,
		&dynamodb.PutItemInput{
			TableName: command.TableName, Item: command.Item,
			ConditionExpression: aws.String("attribute_not_exists(pk)"),
		})
	return id, err
}

// Sync copies a command to the data table (guide, "Version management": the data sync handler).
// command is a new image of the command table's stream, which may deliver an image more than once.
func Sync(ctx context.Context, client *dynamodb.Client, command attributes) error {
	table := dynamo.DataTable{Name: dataTable}
	in, err := table.Sync(command)
	if err != nil {
		return err
	}
	if _, err = client.PutItem(ctx, in); table.Synced(command, err) {
		return nil
	}
	return err
}
