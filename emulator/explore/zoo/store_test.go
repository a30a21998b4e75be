//go:build go1.25

package zoo

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/conventions/dynamo"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

// The programs have one table, and this small layer above the SDK. Texts, whole numbers, lists of
// texts (as sets), lists and maps are attribute values.

const table = "app"

var newTable = emulatortest.Template(func(t testing.TB, server *emulatortest.Server) {
	server.SeedTables(t, seed.Table{
		Name:         table,
		PartitionKey: seed.Attribute{Name: "pk", Type: "S"},
		SortKey:      seed.Attribute{Name: "sk", Type: "S"},
		StreamView:   "NEW_AND_OLD_IMAGES",
		TTL:          "until",
		GlobalIndexes: []seed.Index{{
			Name: "by-email", PartitionKey: seed.Attribute{Name: "email", Type: "S"},
		}},
		Items: []seed.Item{
			{"pk": "COUNTER", "sk": "visits", "n": 0},
			{"pk": "ACCOUNT#a", "sk": "balance", "cents": 100},
			{"pk": "ACCOUNT#b", "sk": "balance", "cents": 100},
			{"pk": "DOC#1", "sk": "latest", "rev": 1, "body": "one"},
			{"pk": "DOC#1", "sk": "v1", "body": "one"},
			{"pk": "STOCK", "sk": "sku1", "units": 1},
			{"pk": "POST", "sk": "1", "likes": 0, "tags": []any{}},
			{"pk": "DOCTORS", "sk": "ann", "duty": "yes"},
			{"pk": "DOCTORS", "sk": "ben", "duty": "yes"},
			{"pk": "JOB", "sk": "1", "phase": "pending"},
			{"pk": "USER#1", "sk": "profile",
				"settings": map[string]any{"color": "red", "width": 1}},
			{"pk": "CART#guest", "sk": "cart", "rev": 1, "pens": 1, "cups": 0},
			{"pk": "CART#member", "sk": "cart", "rev": 1, "pens": 0, "cups": 1},
			{"pk": "COUPON", "sk": "SALE", "uses": 0},
			{"pk": "FOLDER", "sk": "inbox", "children": 0},
			{"pk": "SESSION", "sk": "s1", "seen": 1},
			{"pk": "SCORE", "sk": "game", "best": 10},
			{"pk": "PERSON", "sk": "1", "surname": "Ann"},
			{"pk": "TICKET", "sk": "1"},
		},
	}, seed.Table{
		Name:         documentTable.Name,
		PartitionKey: seed.Attribute{Name: dynamo.LatestKeyAttribute, Type: "S"},
		Items: []seed.Item{
			{"documentVersion": "v1", "by": "ann"},
			{"documentVersion": "latest", "by": "ann", "actualVersion": "v1"},
		},
	})
}, emulatortest.WithEmulator(emulator.WithStreamShards(4, 4*time.Hour)))

type item map[string]any

type client = *dynamodb.Client

func key(pk, sk string) item { return item{"pk": pk, "sk": sk} }

// with is a copy of an item with more attributes.
func (it item) with(more item) item {
	all := maps.Clone(it)
	maps.Copy(all, more)
	return all
}

func (it item) number(name string) int {
	n, _ := it[name].(int)
	return n
}

func value(v any) types.AttributeValue {
	switch v := v.(type) {
	case string:
		return &types.AttributeValueMemberS{Value: v}
	case int:
		return &types.AttributeValueMemberN{Value: strconv.Itoa(v)}
	case []string:
		return &types.AttributeValueMemberSS{Value: v}
	case []any:
		list := &types.AttributeValueMemberL{}
		for _, element := range v {
			list.Value = append(list.Value, value(element))
		}
		return list
	case item:
		return &types.AttributeValueMemberM{Value: v.values()}
	}
	panic(fmt.Sprintf("a value of type %T", v))
}

func (it item) values() map[string]types.AttributeValue {
	if it == nil {
		return nil
	}
	all := map[string]types.AttributeValue{}
	for name, v := range it {
		all[name] = value(v)
	}
	return all
}

func plain(v types.AttributeValue) any {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return v.Value
	case *types.AttributeValueMemberN:
		n, _ := strconv.Atoi(v.Value)
		return n
	case *types.AttributeValueMemberSS:
		return v.Value
	case *types.AttributeValueMemberL:
		list := []any{}
		for _, element := range v.Value {
			list = append(list, plain(element))
		}
		return list
	case *types.AttributeValueMemberM:
		return itemOf(v.Value)
	}
	return nil
}

// itemOf returns the item of an answer, or nil.
func itemOf(values map[string]types.AttributeValue) item {
	if values == nil {
		return nil
	}
	it := item{}
	for name, v := range values {
		it[name] = plain(v)
	}
	return it
}

// get reads an item. A missing one is nil.
func get(ctx context.Context, db client, k item) (item, error) {
	out, err := db.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String(table),
		Key: k.values(), ConsistentRead: aws.Bool(true)})
	if err != nil {
		return nil, err
	}
	return itemOf(out.Item), nil
}

// getSoon reads an item as it is or was a moment ago.
func getSoon(ctx context.Context, db client, k item) (item, error) {
	out, err := db.GetItem(ctx,
		&dynamodb.GetItemInput{TableName: aws.String(table), Key: k.values()})
	if err != nil {
		return nil, err
	}
	return itemOf(out.Item), nil
}

// text is a pointer to an expression, nil if it is empty.
func text(expression string) *string {
	if expression == "" {
		return nil
	}
	return &expression
}

func put(ctx context.Context, db client, it item) error {
	return putIf(ctx, db, it, "", nil)
}

func putIf(ctx context.Context, db client, it item, condition string, values item) error {
	_, err := db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String(table),
		Item: it.values(), ConditionExpression: text(condition),
		ExpressionAttributeValues: values.values()})
	return err
}

// update changes an item, and returns it as it is then.
func update(ctx context.Context, db client, k item, change string, values item) (item, error) {
	return updateIf(ctx, db, k, change, "", values)
}

func updateIf(ctx context.Context, db client, k item, change, condition string,
	values item) (item, error) {
	out, err := db.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: aws.String(table),
		Key: k.values(), UpdateExpression: text(change), ConditionExpression: text(condition),
		ExpressionAttributeValues: values.values(), ReturnValues: types.ReturnValueAllNew})
	if err != nil {
		return nil, err
	}
	return itemOf(out.Attributes), nil
}

func remove(ctx context.Context, db client, k item) error {
	return removeIf(ctx, db, k, "", nil)
}

func removeIf(ctx context.Context, db client, k item, condition string, values item) error {
	_, err := db.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String(table),
		Key: k.values(), ConditionExpression: text(condition),
		ExpressionAttributeValues: values.values()})
	return err
}

// list reads an item collection.
func list(ctx context.Context, db client, pk string) (all []item, err error) {
	out, err := db.Query(ctx, &dynamodb.QueryInput{TableName: aws.String(table),
		KeyConditionExpression:    aws.String("pk = :pk"),
		ExpressionAttributeValues: item{":pk": pk}.values(), ConsistentRead: aws.Bool(true)})
	if err != nil {
		return nil, err
	}
	for _, values := range out.Items {
		all = append(all, itemOf(values))
	}
	return all, nil
}

// byEmail reads the index.
func byEmail(ctx context.Context, db client, email string) (all []item, err error) {
	out, err := db.Query(ctx, &dynamodb.QueryInput{TableName: aws.String(table),
		IndexName: aws.String("by-email"), KeyConditionExpression: aws.String("email = :email"),
		ExpressionAttributeValues: item{":email": email}.values()})
	if err != nil {
		return nil, err
	}
	for _, values := range out.Items {
		all = append(all, itemOf(values))
	}
	return all, nil
}

type write = types.TransactWriteItem

func puts(it item, condition string, values item) write {
	return write{Put: &types.Put{TableName: aws.String(table), Item: it.values(),
		ConditionExpression: text(condition), ExpressionAttributeValues: values.values()}}
}

func updates(k item, change, condition string, values item) write {
	return write{Update: &types.Update{TableName: aws.String(table), Key: k.values(),
		UpdateExpression: text(change), ConditionExpression: text(condition),
		ExpressionAttributeValues: values.values()}}
}

func removes(k item, condition string, values item) write {
	return write{Delete: &types.Delete{TableName: aws.String(table), Key: k.values(),
		ConditionExpression: text(condition), ExpressionAttributeValues: values.values()}}
}

func checks(k item, condition string, values item) write {
	return write{ConditionCheck: &types.ConditionCheck{TableName: aws.String(table),
		Key: k.values(), ConditionExpression: text(condition),
		ExpressionAttributeValues: values.values()}}
}

func transact(ctx context.Context, db client, writes ...write) error {
	_, err := db.TransactWriteItems(ctx,
		&dynamodb.TransactWriteItemsInput{TransactItems: writes})
	return err
}

const absent, present = "attribute_not_exists(pk)", "attribute_exists(pk)"

// refused reports whether a condition does not hold.
func refused(err error) bool {
	var failed *types.ConditionalCheckFailedException
	var canceled *types.TransactionCanceledException
	return errors.As(err, &failed) || errors.As(err, &canceled)
}

// untilAccepted tries something again as long as its conditions do not hold.
func untilAccepted(try func() error) error {
	for {
		if err := try(); !refused(err) {
			return err
		}
	}
}
