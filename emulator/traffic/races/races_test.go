package races_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/emulator/seed"
	"github.com/kugiri-db/kugiri/emulator/traffic/races"
)

// program makes the requests that a test records. Its client does not retry by itself.
type program func(ctx context.Context, db *dynamodb.Client) error

type attributes = map[string]types.AttributeValue

func s(text string) types.AttributeValue   { return &types.AttributeValueMemberS{Value: text} }
func n(number string) types.AttributeValue { return &types.AttributeValueMemberN{Value: number} }

func keyOf(id string) attributes { return attributes{"id": s(id)} }

// recorded returns what a program sends to a server with some items.
func recorded(t *testing.T, faults []fault.Fault, run program) *races.Recording {
	t.Helper()
	server := emulatortest.Start(t)
	server.SeedTables(t, seed.Table{
		Name: "stock", PartitionKey: seed.Attribute{Name: "id", Type: "S"},
		Items: []seed.Item{
			{"id": "sku1", "left": 10, "version": 1, "state": "open", "log": []any{"made"}},
		},
	})
	if faults != nil {
		server.SetFaults(t, faults...)
	}
	var out bytes.Buffer
	r := races.NewRecorder(&out)
	stop := server.Observe(r.Observe)
	db := dynamodb.NewFromConfig(server.Config(), func(o *dynamodb.Options) {
		o.Retryer = aws.NopRetryer{}
	})
	require.NoError(t, run(t.Context(), db))
	stop()
	require.NoError(t, r.End())
	list, err := races.Read(&out)
	require.NoError(t, err)
	return list
}

func get(ctx context.Context, db *dynamodb.Client, id string) error {
	_, err := db.GetItem(ctx,
		&dynamodb.GetItemInput{TableName: aws.String("stock"), Key: keyOf(id)})
	return err
}

// update changes an item, with a condition unless that is "".
func update(ctx context.Context, db *dynamodb.Client, id, change, condition string,
	values attributes) error {
	in := &dynamodb.UpdateItemInput{
		TableName: aws.String("stock"), Key: keyOf(id), UpdateExpression: &change,
		ExpressionAttributeValues: values,
	}
	if strings.Contains(change, "#") || strings.Contains(condition, "#") {
		in.ExpressionAttributeNames = map[string]string{"#l": "left"}
	}
	if condition != "" {
		in.ConditionExpression = &condition
	}
	_, err := db.UpdateItem(ctx, in)
	return err
}

func put(ctx context.Context, db *dynamodb.Client, item attributes, condition string) error {
	in := &dynamodb.PutItemInput{TableName: aws.String("stock"), Item: item}
	if condition != "" {
		in.ConditionExpression = &condition
	}
	_, err := db.PutItem(ctx, in)
	return err
}

// readThen reads an item and changes it.
func readThen(change, condition string, values attributes) program {
	return func(ctx context.Context, db *dynamodb.Client) error {
		return errors.Join(get(ctx, db, "sku1"),
			update(ctx, db, "sku1", change, condition, values))
	}
}

// twice changes an item again after the answer was lost.
func twice(change, condition string, values attributes) program {
	return func(ctx context.Context, db *dynamodb.Client) error {
		first := update(ctx, db, "sku1", change, condition, values)
		second := update(ctx, db, "sku1", change, condition, values)
		if first == nil || condition == "" && second != nil {
			return errors.Join(errors.New("the answer was not lost"), second)
		}
		return nil
	}
}

func lost(operation string) []fault.Fault {
	return []fault.Fault{{
		When: fault.And(fault.Operation(operation), fault.First(1)), Do: fault.LoseResponse(),
	}}
}

// transfer takes 2 from an item that was not read, and gives another one some.
func transfer(gives string) program {
	return func(ctx context.Context, db *dynamodb.Client) error {
		return errors.Join(
			update(ctx, db, "sku1", "SET #l = #l - :n", "#l >= :n", attributes{":n": n("2")}),
			update(ctx, db, "sku2", "ADD #l :n", "", attributes{":n": n(gives)}))
	}
}

// child puts an item and changes its parent.
func child(change string, values attributes) program {
	return func(ctx context.Context, db *dynamodb.Client) error {
		return errors.Join(put(ctx, db, keyOf("sku1-child"), "attribute_not_exists(id)"),
			update(ctx, db, "sku1", change, "", values))
	}
}

// counted is child in a transaction.
func counted(ctx context.Context, db *dynamodb.Client) error {
	_, err := db.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
		TransactItems: []types.TransactWriteItem{
			{Put: &types.Put{TableName: aws.String("stock"), Item: keyOf("sku1-child")}},
			{Update: &types.Update{TableName: aws.String("stock"), Key: keyOf("sku1"),
				UpdateExpression:          aws.String("ADD children :n"),
				ExpressionAttributeValues: attributes{":n": n("1")}}},
		}})
	return err
}

func putAbsent(condition string) program {
	return func(ctx context.Context, db *dynamodb.Client) error {
		return errors.Join(get(ctx, db, "sku2"),
			put(ctx, db, attributes{"id": s("sku2"), "left": n("1")}, condition))
	}
}

// addAgain adds in a transaction, and again after the answer was lost.
func addAgain(first, second string) program {
	return func(ctx context.Context, db *dynamodb.Client) error {
		for i, token := range []string{first, second} {
			_, err := db.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
				ClientRequestToken: &token,
				TransactItems: []types.TransactWriteItem{{Update: &types.Update{
					TableName: aws.String("stock"), Key: keyOf("sku1"),
					UpdateExpression:          aws.String("ADD #l :n"),
					ExpressionAttributeNames:  map[string]string{"#l": "left"},
					ExpressionAttributeValues: attributes{":n": n("1")},
				}}},
			})
			if (err == nil) != (i == 1) {
				return errors.Join(errors.New("the first answer is lost, and only that"), err)
			}
		}
		return nil
	}
}

// transact changes an item in a transaction.
func transact(condition string) program {
	return func(ctx context.Context, db *dynamodb.Client) error {
		w := &types.Update{
			TableName: aws.String("stock"), Key: keyOf("sku1"),
			UpdateExpression:          aws.String("SET #l = :n, version = :w"),
			ExpressionAttributeNames:  map[string]string{"#l": "left"},
			ExpressionAttributeValues: attributes{":n": n("9"), ":w": n("2")},
		}
		if condition != "" {
			w.ConditionExpression = &condition
			w.ExpressionAttributeValues[":v"] = n("1")
		}
		_, err := db.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
			TransactItems: []types.TransactWriteItem{{Update: w}},
		})
		return err
	}
}

// readTransact reads before transact.
func readTransact(condition string) program {
	return func(ctx context.Context, db *dynamodb.Client) error {
		return errors.Join(get(ctx, db, "sku1"), transact(condition)(ctx, db))
	}
}

// reserve puts a reservation and then an outbox entry, twice for the same id.
func reserve(goOn bool) program {
	return func(ctx context.Context, db *dynamodb.Client) error {
		for range 2 {
			err := put(ctx, db, attributes{"id": s("order#77")}, "attribute_not_exists(id)")
			if err != nil && !goOn {
				continue
			}
			err = put(ctx, db, attributes{"id": s("mail/77"), "of": s("order#77")}, "")
			if err != nil {
				return err
			}
		}
		return nil
	}
}

// batch writes two items, and sends what is unprocessed again if it is careful.
func batch(careful bool) program {
	return func(ctx context.Context, db *dynamodb.Client) error {
		in := map[string][]types.WriteRequest{"stock": {
			{PutRequest: &types.PutRequest{Item: keyOf("a")}},
			{PutRequest: &types.PutRequest{Item: keyOf("b")}},
		}}
		for len(in) > 0 {
			out, err := db.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: in})
			if err != nil {
				return err
			}
			if in = out.UnprocessedItems; !careful {
				break
			}
		}
		return get(ctx, db, "sku1")
	}
}

// kindsOf returns the kinds of what is found.
func kindsOf(t *testing.T, list *races.Recording) []races.Kind {
	t.Helper()
	report, err := races.Find(list)
	require.NoError(t, err)
	kinds := []races.Kind{}
	for _, f := range report.Findings {
		kinds = append(kinds, f.Kind)
	}
	return kinds
}

// TestFind: a broken form of each kind is found, and its mended forms are not.
func TestFind(t *testing.T) {
	none := []races.Kind{}
	unprocessed := []fault.Fault{{
		When: fault.And(fault.Operation("BatchWriteItem"), fault.Key("id", "b"), fault.First(1)),
		Do:   fault.Unprocessed(1),
	}}
	left, version := attributes{":n": n("9")}, attributes{":n": n("9"), ":v": n("1"), ":w": n("2")}
	one := attributes{":n": n("1")}
	for _, c := range []struct {
		name   string
		faults []fault.Fault
		run    program
		want   []races.Kind
	}{
		{"a number computed from what was read", nil, readThen("SET #l = :n", "", left),
			[]races.Kind{races.LostUpdate}},
		{"a condition that says nothing of it", nil,
			readThen("SET #l = :n", "attribute_exists(id)", left), []races.Kind{races.LostUpdate}},
		{"a version", nil, readThen("SET #l = :n, version = :w", "version = :v", version), none},
		{"the value itself", nil,
			readThen("SET #l = :n", "#l = :v", attributes{":n": n("9"), ":v": n("10")}), none},
		{"a change in place", nil, readThen("SET #l = #l - :n", "#l >= :n", one), none},
		{"ADD", nil, readThen("ADD #l :n", "", one), none},
		{"the time of a visit", nil,
			readThen("SET seen = :n", "", attributes{":n": s("2026-11-25T04:00:00Z")}), none},
		{"a transaction without a condition", nil, readTransact(""),
			[]races.Kind{races.LostUpdate}},
		{"a transaction with a version", nil, readTransact("version = :v"), none},
		{"a transaction without a read", nil, transact(""), none},
		{"a put of what is not there", nil, putAbsent(""), []races.Kind{races.CheckThenPut}},
		{"a put with attribute_not_exists", nil, putAbsent("attribute_not_exists(id)"), none},
		{"a failure that is ignored", nil, reserve(true), []races.Kind{races.IgnoredFailure}},
		{"a failure that is heeded", nil, reserve(false), none},
		{"ADD sent again", lost("UpdateItem"), twice("ADD #l :n", "", one),
			[]races.Kind{races.UnsafeRetry}},
		{"SET a = a + :n sent again", lost("UpdateItem"), twice("SET #l = #l + :n", "", one),
			[]races.Kind{races.UnsafeRetry}},
		{"SET sent again", lost("UpdateItem"), twice("SET #l = :n", "", left), none},
		{"ADD with a version sent again", lost("UpdateItem"),
			twice("SET #l = #l + :n, version = :w", "version = :v", version), none},
		{"a transaction sent again with another token", lost("TransactWriteItems"),
			addAgain("a", "b"), []races.Kind{races.UnsafeRetry}},
		{"a transaction sent again with its token", lost("TransactWriteItems"),
			addAgain("a", "a"), none},
		{"unprocessed items left", unprocessed, batch(false), []races.Kind{races.Unprocessed}},
		{"unprocessed items sent again", unprocessed, batch(true), none},
		{"an amount that moves in two requests", nil, transfer("2"),
			[]races.Kind{races.SplitChange}},
		{"two changes of different amounts", nil, transfer("3"), none},
		{"an item that another one counts", nil, child("ADD children :n", one),
			[]races.Kind{races.SplitChange}},
		{"an item, and a number that is no count", nil,
			child("SET children = :n", attributes{":n": n("7")}), none},
		{"an item that is counted in a transaction", nil, counted, none},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, kindsOf(t, recorded(t, c.faults, c.run)))
		})
	}
}

// TestFindConfirms: a finding says what was sent, and that the replay did the harm.
func TestFindConfirms(t *testing.T) {
	report, err := races.Find(recorded(t, nil,
		readThen("SET #l = :n", "", attributes{":n": n("9")})))
	require.NoError(t, err)
	require.Len(t, report.Findings, 1)
	f := report.Findings[0]
	assert.True(t, f.Confirmed, f.Reason)
	assert.Equal(t, []races.Step{
		{Request: 1, Operation: "GetItem", Table: "stock", Key: `{"id":{"S":"sku1"}}`},
		{Request: 2, Operation: "UpdateItem", Table: "stock", Key: `{"id":{"S":"sku1"}}`},
	}, f.Requests)
	assert.Contains(t, f.Why, "of left,")
	assert.Contains(t, report.String(), "worker B: request 2 is accepted too")
}

// TestFindCounts: places of one shape are one finding, whatever their keys.
func TestFindCounts(t *testing.T) {
	report, err := races.Find(recorded(t, nil,
		func(ctx context.Context, db *dynamodb.Client) error {
			for _, id := range []string{"a", "b", "c"} {
				err := errors.Join(get(ctx, db, id), put(ctx, db, keyOf(id), ""))
				if err != nil {
					return err
				}
			}
			return nil
		}))
	require.NoError(t, err)
	require.Len(t, report.Findings, 1)
	assert.Equal(t, 3, report.Findings[0].Count)
}

// TestRead: a recording may end in the middle of a line, and is not anything else. If it may not
// have all requests, it says so.
func TestRead(t *testing.T) {
	const line = `{"operation":"GetItem","request":{}}`
	for _, c := range []struct {
		name, text    string
		requests      int
		partial, says string
	}{
		{"nothing", "", 0, "it has no end", ""},
		{"two requests", line + "\n" + line, 2, "it has no end", ""},
		{"a cut", line + "\n" + line[:20], 1, "its last request is cut off", ""},
		{"an end", line + "\n" + `{"end":{"requests":1}}`, 1, "", ""},
		{"another number", line + "\n" + `{"end":{"requests":2}}`, 1,
			"it ended with 2 requests, and has 1", ""},
		{"losses", line + "\n" + `{"end":{"requests":1,"lost":3}}`, 1,
			"3 requests could not be written", ""},
		{"no JSON", "tea", 0, "", "request 1: invalid"},
		{"other JSON", line + "\n{}", 0, "", "request 2 has no operation"},
		{"a request without a body", line + `{"operation":"GetItem"}`, 0, "",
			"request 2 has no body"},
		{"an item without a key",
			line + `{"operation":"GetItem","request":{},"items":[{"table":"t"}]}`, 0, "",
			"request 2: an item has no table or no key"},
	} {
		t.Run(c.name, func(t *testing.T) {
			recording, err := races.Read(strings.NewReader(c.text))
			if c.says != "" {
				require.ErrorContains(t, err, c.says)
				return
			}
			require.NoError(t, err)
			assert.Len(t, recording.Exchanges, c.requests)
			report, err := races.Find(recording)
			require.NoError(t, err)
			if c.partial == "" {
				assert.Empty(t, report.Partial)
				return
			}
			assert.Contains(t, report.String(), "may not have all requests: "+c.partial)
		})
	}
}

// TestRecordGoesOn: a delete that finds no item is recorded like others, and what comes after it as
// well.
func TestRecordGoesOn(t *testing.T) {
	table := aws.String("stock")
	for name, missing := range map[string]program{
		"DeleteItem": func(ctx context.Context, db *dynamodb.Client) error {
			_, err := db.DeleteItem(ctx,
				&dynamodb.DeleteItemInput{TableName: table, Key: keyOf("none")})
			return err
		},
		"BatchWriteItem": func(ctx context.Context, db *dynamodb.Client) error {
			_, err := db.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{
				RequestItems: map[string][]types.WriteRequest{"stock": {
					{DeleteRequest: &types.DeleteRequest{Key: keyOf("none")}}}}})
			return err
		},
		"TransactWriteItems": func(ctx context.Context, db *dynamodb.Client) error {
			_, err := db.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
				TransactItems: []types.TransactWriteItem{
					{Delete: &types.Delete{TableName: table, Key: keyOf("none")}}}})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			recording := recorded(t, nil, func(ctx context.Context, db *dynamodb.Client) error {
				return errors.Join(missing(ctx, db), get(ctx, db, "sku1"))
			})
			require.Len(t, recording.Exchanges, 2)
			assert.Empty(t, recording.Partial)
			assert.Equal(t, []races.Touched{{Table: "stock", Key: []byte(`{"id":{"S":"none"}}`)}},
				recording.Exchanges[0].Items)
		})
	}
}

// full takes a number of bytes.
type full int

func (f *full) Write(p []byte) (int, error) {
	if *f -= full(len(p)); *f < 0 {
		return 0, errors.New("the disk is full")
	}
	return len(p), nil
}

// TestRecordFails: an error of the writer is said at once, and again at the end.
func TestRecordFails(t *testing.T) {
	server := emulatortest.Start(t)
	server.SeedTables(t, seed.Table{Name: "stock",
		PartitionKey: seed.Attribute{Name: "id", Type: "S"}})
	room := full(600)
	r := races.NewRecorder(&room)
	var said []error
	r.OnError(func(err error) { said = append(said, err) })
	defer server.Observe(r.Observe)()
	for range 9 {
		require.NoError(t, get(t.Context(), server.Client(), "sku1"))
	}
	require.Len(t, said, 1)
	assert.ErrorContains(t, said[0], "the disk is full")
	assert.Equal(t, said[0], r.End())
}
