package races_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/seed"
	"github.com/kugiri-db/kugiri/emulator/traffic/races"
)

var app = aws.String("app")

func place(pk, sk string) attributes { return attributes{"pk": s(pk), "sk": s(sk)} }

// with returns an item with more attributes.
func with(it attributes, more attributes) attributes {
	out := attributes{}
	for _, list := range [...]attributes{it, more} {
		for name, v := range list {
			out[name] = v
		}
	}
	return out
}

// inApp records what a program sends to a table with a sort key and an index.
func inApp(t *testing.T, run program) *races.Recording {
	t.Helper()
	server := emulatortest.Start(t)
	server.SeedTables(t, seed.Table{
		Name: "app", PartitionKey: seed.Attribute{Name: "pk", Type: "S"},
		SortKey: seed.Attribute{Name: "sk", Type: "S"},
		GlobalIndexes: []seed.Index{
			{Name: "byEmail", PartitionKey: seed.Attribute{Name: "email", Type: "S"}}},
		Items: []seed.Item{
			{"pk": "ORDER", "sk": "1", "state": "open", "left": 10},
			{"pk": "ORDER", "sk": "2", "state": "open", "left": 5},
			{"pk": "INVOICE", "sk": "007", "number": 7},
		},
	})
	var out bytes.Buffer
	r := races.NewRecorder(&out)
	stop := server.Observe(r.Observe)
	require.NoError(t, run(t.Context(), server.Client()))
	stop()
	require.NoError(t, r.End())
	list, err := races.Read(&out)
	require.NoError(t, err)
	return list
}

func putApp(ctx context.Context, db *dynamodb.Client, it attributes, condition string) error {
	in := &dynamodb.PutItemInput{TableName: app, Item: it}
	if condition != "" {
		in.ConditionExpression = &condition
	}
	_, err := db.PutItem(ctx, in)
	return err
}

func getApp(ctx context.Context, db *dynamodb.Client, key attributes) (attributes, error) {
	out, err := db.GetItem(ctx, &dynamodb.GetItemInput{TableName: app, Key: key})
	if err != nil {
		return nil, err
	}
	return out.Item, nil
}

// rewrite scans the table, and puts each item with a new attribute.
func rewrite(condition string) program {
	return func(ctx context.Context, db *dynamodb.Client) error {
		out, err := db.Scan(ctx, &dynamodb.ScanInput{TableName: app})
		if err != nil {
			return err
		}
		for _, it := range out.Items {
			in := &dynamodb.PutItemInput{TableName: app,
				Item: with(it, attributes{"format": n("2")})}
			if state := it["state"]; condition != "" && state != nil {
				in.ConditionExpression = &condition
				in.ExpressionAttributeNames = map[string]string{"#s": "state"}
				in.ExpressionAttributeValues = attributes{":s": state}
			} else if condition != "" {
				continue
			}
			if _, err := db.PutItem(ctx, in); err != nil {
				return err
			}
		}
		return nil
	}
}

// statements counts in PartiQL.
func statements(guard string) program {
	return func(ctx context.Context, db *dynamodb.Client) error {
		key := []types.AttributeValue{s("ORDER"), s("1")}
		out, err := db.ExecuteStatement(ctx, &dynamodb.ExecuteStatementInput{
			Statement:  aws.String(`SELECT * FROM "app" WHERE pk = ? AND sk = ?`),
			Parameters: key})
		if err != nil {
			return err
		}
		read := out.Items[0]["left"]
		left, err := strconv.Atoi(read.(*types.AttributeValueMemberN).Value)
		if err != nil {
			return err
		}
		in := &dynamodb.ExecuteStatementInput{
			Statement:  aws.String(`UPDATE "app" SET "left" = ? WHERE pk = ? AND sk = ?` + guard),
			Parameters: append([]types.AttributeValue{n(strconv.Itoa(left - 1))}, key...)}
		if guard != "" {
			in.Parameters = append(in.Parameters, read)
		}
		_, err = db.ExecuteStatement(ctx, in)
		return err
	}
}

// signUp looks for an email by an index, and puts a user.
func signUp(write func(ctx context.Context, db *dynamodb.Client, user attributes) error) program {
	return func(ctx context.Context, db *dynamodb.Client) error {
		out, err := db.Query(ctx, &dynamodb.QueryInput{TableName: app,
			IndexName:                 aws.String("byEmail"),
			KeyConditionExpression:    aws.String("email = :e"),
			ExpressionAttributeValues: attributes{":e": s("ann@example.com")}})
		if err != nil || out.Count > 0 {
			return err
		}
		return write(ctx, db,
			with(place("USER#1", "profile"), attributes{"email": s("ann@example.com")}))
	}
}

// invoice finds the last invoice, and puts the next one.
func invoice(key func(number int) attributes, condition string) program {
	return func(ctx context.Context, db *dynamodb.Client) error {
		out, err := db.Query(ctx, &dynamodb.QueryInput{TableName: app,
			KeyConditionExpression:    aws.String("pk = :p"),
			ExpressionAttributeValues: attributes{":p": s("INVOICE")},
			ScanIndexForward:          aws.Bool(false), Limit: aws.Int32(1)})
		if err != nil {
			return err
		}
		last, err := strconv.Atoi(out.Items[0]["number"].(*types.AttributeValueMemberN).Value)
		if err != nil {
			return err
		}
		return putApp(ctx, db, with(key(last+1),
			attributes{"number": n(strconv.Itoa(last + 1))}), condition)
	}
}

func byNumber(number int) attributes { return place("INVOICE", fmt.Sprintf("%03d", number)) }

func byID(int) attributes { return place("INVOICE", "f81d4fae") }

// cancelled cancels an order, whatever it was, as often as it is told.
func cancelled(times int) program {
	return func(ctx context.Context, db *dynamodb.Client) error {
		for range times {
			if _, err := getApp(ctx, db, place("ORDER", "1")); err != nil {
				return err
			}
			if _, err := db.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: app,
				Key: place("ORDER", "1"), UpdateExpression: aws.String("SET #s = :s"),
				ExpressionAttributeNames:  map[string]string{"#s": "state"},
				ExpressionAttributeValues: attributes{":s": s("cancelled")}}); err != nil {
				return err
			}
		}
		return nil
	}
}

// deleted reads and deletes an order twice.
func deleted(ctx context.Context, db *dynamodb.Client) error {
	for range 2 {
		if _, err := getApp(ctx, db, place("ORDER", "1")); err != nil {
			return err
		}
		if _, err := db.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: app,
			Key: place("ORDER", "1")}); err != nil {
			return err
		}
	}
	return nil
}

// content puts a text under its digest, unless it is there.
func content(ctx context.Context, db *dynamodb.Client) error {
	sum := sha256.Sum256([]byte("a text"))
	key := place("BLOB#"+hex.EncodeToString(sum[:]), "0")
	it, err := getApp(ctx, db, key)
	if err != nil || it != nil {
		return err
	}
	return putApp(ctx, db, with(key, attributes{"text": s("a text")}), "")
}

// derived puts what comes out of its inputs, twice.
func derived(ctx context.Context, db *dynamodb.Client) error {
	for range 2 {
		if _, err := getApp(ctx, db, place("SETTINGS", "ann")); err != nil {
			return err
		}
		if err := putApp(ctx, db,
			with(place("SETTINGS", "ann"), attributes{"color": s("blue")}), ""); err != nil {
			return err
		}
	}
	return nil
}

// listed puts an event of an id of its own after it has listed all.
func listed(ctx context.Context, db *dynamodb.Client) error {
	_, err := db.Query(ctx, &dynamodb.QueryInput{TableName: app,
		KeyConditionExpression:    aws.String("pk = :p"),
		ExpressionAttributeValues: attributes{":p": s("ORDER")}})
	if err != nil {
		return err
	}
	return putApp(ctx, db, with(place("ORDER", "0c5ae1"), attributes{"left": n("3")}), "")
}

// TestRecordings: programs as they are recorded, broken and mended, and writes that are the same
// however often they are sent.
func TestRecordings(t *testing.T) {
	none := []races.Kind{}
	plain := func(ctx context.Context, db *dynamodb.Client, user attributes) error {
		return putApp(ctx, db, user, "attribute_not_exists(pk)")
	}
	claimed := func(ctx context.Context, db *dynamodb.Client, user attributes) error {
		absent := aws.String("attribute_not_exists(pk)")
		_, err := db.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
			TransactItems: []types.TransactWriteItem{
				{Put: &types.Put{TableName: app, Item: user, ConditionExpression: absent}},
				{Put: &types.Put{TableName: app, Item: place("EMAIL#ann@example.com", "0"),
					ConditionExpression: absent}},
			}})
		return err
	}
	for _, c := range []struct {
		name string
		run  program
		want []races.Kind
	}{
		{"scan and rewrite", rewrite(""), []races.Kind{races.LostUpdate}},
		{"scan and rewrite under a condition", rewrite("#s = :s"), none},
		{"a counter in PartiQL", statements(""), []races.Kind{races.LostUpdate}},
		{"a counter in PartiQL under a condition", statements(` AND "left" = ?`), none},
		{"an email by an index", signUp(plain), []races.Kind{races.CheckThenPut}},
		{"an email with an item of its own", signUp(claimed), none},
		{"an invoice number by a query", invoice(byNumber, ""), []races.Kind{races.CheckThenPut}},
		{"an invoice number in a key under a condition",
			invoice(byNumber, "attribute_not_exists(pk)"), none},
		{"an invoice number beside a key", invoice(byID, "attribute_not_exists(pk)"),
			[]races.Kind{races.CheckThenPut}},
		{"a cancellation", cancelled(1), []races.Kind{races.LostUpdate}},
		{"a cancellation that is sent again", cancelled(2), none},
		{"a delete that is sent again", deleted, none},
		{"a text under its digest", content, none},
		{"what comes out of inputs", derived, none},
		{"an event after a list of them", listed, none},
	} {
		t.Run(c.name, func(t *testing.T) {
			report, err := races.Find(inApp(t, c.run))
			require.NoError(t, err)
			kinds := []races.Kind{}
			for _, f := range report.Findings {
				kinds = append(kinds, f.Kind)
				assert.True(t, f.Confirmed, f.Reason)
			}
			assert.Equal(t, c.want, kinds, report)
		})
	}
}
