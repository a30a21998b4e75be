package support

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Write has the requests of a write: one, and then one for each counter that is kept by ADD.
type Write struct {
	// Items are the actions of a transaction; one that stands alone is a single write.
	Items []types.TransactWriteItem
	After []*dynamodb.UpdateItemInput
	// Token is the ClientRequestToken of the transaction. A write that is sent again with its token
	// changes nothing a second time for ten minutes: keep it for all tries of a write. Without it
	// the SDK makes one for its own tries.
	Token string

	alone bool // it is one item, which needs no transaction
}

// WriteAPIClient is a client of DynamoDB.
type WriteAPIClient interface {
	PutItem(context.Context, *dynamodb.PutItemInput,
		...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error)
	UpdateItem(context.Context, *dynamodb.UpdateItemInput,
		...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error)
	DeleteItem(context.Context, *dynamodb.DeleteItemInput,
		...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error)
	TransactWriteItems(context.Context, *dynamodb.TransactWriteItemsInput,
		...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error)
}

// Send sends the requests. A condition that does not hold is a ConditionalCheckFailedException, or
// a TransactionCanceledException with this reason: then nothing was written. A write of one item
// has no token: after a lost answer, the SDK's own second try finds what the first one wrote, and
// is refused.
func (w *Write) Send(ctx context.Context, client WriteAPIClient) (err error) {
	if w.alone {
		err = w.single(ctx, client)
	} else {
		in := &dynamodb.TransactWriteItemsInput{TransactItems: w.Items}
		if w.Token != "" {
			in.ClientRequestToken = &w.Token
		}
		_, err = client.TransactWriteItems(ctx, in)
	}
	for i := 0; err == nil && i < len(w.After); i++ {
		_, err = client.UpdateItem(ctx, w.After[i])
	}
	return err
}

// single sends the one item as a request of its own.
func (w *Write) single(ctx context.Context, client WriteAPIClient) (err error) {
	switch i := w.Items[0]; {
	case i.Put != nil:
		_, err = client.PutItem(ctx, &dynamodb.PutItemInput{TableName: i.Put.TableName,
			Item: i.Put.Item, ConditionExpression: i.Put.ConditionExpression,
			ExpressionAttributeNames:  i.Put.ExpressionAttributeNames,
			ExpressionAttributeValues: i.Put.ExpressionAttributeValues})
	case i.Delete != nil:
		_, err = client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: i.Delete.TableName,
			Key: i.Delete.Key, ConditionExpression: i.Delete.ConditionExpression,
			ExpressionAttributeNames:  i.Delete.ExpressionAttributeNames,
			ExpressionAttributeValues: i.Delete.ExpressionAttributeValues})
	case i.Update != nil:
		_, err = client.UpdateItem(ctx, updateInput(i.Update))
	default:
		err = errors.New("the item has no change")
	}
	return err
}

func updateInput(u *types.Update) *dynamodb.UpdateItemInput {
	return &dynamodb.UpdateItemInput{TableName: u.TableName, Key: u.Key,
		UpdateExpression: u.UpdateExpression, ConditionExpression: u.ConditionExpression,
		ExpressionAttributeNames:  u.ExpressionAttributeNames,
		ExpressionAttributeValues: u.ExpressionAttributeValues}
}

// writer collects the items of a write, and remembers the first error.
type writer struct {
	table

	items []types.TransactWriteItem
	adds  []*adding // one for each item with counters
	last  *adding   // the last one that got a number
	// counters that stay as they are are left alone: shift adds to them
	shifts bool
	err    error
}

func newWriter() *writer { return &writer{table: own()} }

func (w *writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// valueExpressions are expressions of the SDK's values.
type valueExpressions = expressions[types.AttributeValue]

// there returns the condition that an item is there, and has some attributes as they were.
func (t table) there(e *valueExpressions, was attributes, same []string) *string {
	return aws.String(e.There(t.keys[0], was, same))
}

func sameValue(a, b types.AttributeValue) bool { return reflect.DeepEqual(a, b) }

// put puts an item, unless the table has one with its key.
func (w *writer) put(item attributes, err error) {
	if err != nil {
		w.fail(err)
		return
	}
	e := &valueExpressions{}
	w.items = append(w.items, types.TransactWriteItem{Put: &types.Put{TableName: &w.name,
		Item: item, ConditionExpression: aws.String(e.Missing(w.keys[0])),
		ExpressionAttributeNames: e.Names}})
}

// remove deletes an item that is there, with some attributes as they were.
func (w *writer) remove(same []string, v storable) {
	item, err := v.Item()
	if err != nil {
		w.fail(err)
		return
	}
	e := &valueExpressions{}
	condition := w.there(e, item, same)
	w.items = append(w.items, types.TransactWriteItem{Delete: &types.Delete{TableName: &w.name,
		Key: w.key(item), ConditionExpression: condition, ExpressionAttributeNames: e.Names,
		ExpressionAttributeValues: e.Values}})
}

// release deletes a guard: the item that reserves the values of another one.
func (w *writer) release(item attributes, err error) {
	if err != nil {
		w.fail(err)
		return
	}
	w.items = append(w.items,
		types.TransactWriteItem{Delete: &types.Delete{TableName: &w.name, Key: w.key(item)}})
}

// move replaces a guard by another one, unless both have the same key.
func (w *writer) move(before, after storable) {
	was, err := before.Item()
	if err != nil {
		w.fail(err)
		return
	}
	is, err := after.Item()
	if err == nil && w.sameKey(was, is) {
		return
	}
	w.release(was, nil)
	w.put(is, err)
}

// change updates what differs between two states of an item, which has some attributes as they
// were.
func (w *writer) change(same []string, before, after storable) {
	was, err := before.Item()
	if err != nil {
		w.fail(err)
		return
	}
	is, err := after.Item()
	if err == nil && !w.sameKey(was, is) {
		err = errors.New("a change leaves the primary key of an item as it is")
	}
	if err != nil {
		w.fail(err)
		return
	}
	e := &valueExpressions{}
	condition := w.there(e, was, same)
	update := e.Update(was, is, sameValue)
	if update == "" {
		w.items = append(w.items, types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
			TableName: &w.name, Key: w.key(is), ConditionExpression: condition,
			ExpressionAttributeNames: e.Names, ExpressionAttributeValues: e.Values}})
		return
	}
	w.items = append(w.items, types.TransactWriteItem{Update: &types.Update{TableName: &w.name,
		Key: w.key(is), UpdateExpression: &update, ConditionExpression: condition,
		ExpressionAttributeNames:  e.Names,
		ExpressionAttributeValues: e.Values}})
}

// take lessens numbers of an item by as much as v has of each, if the item has as much. With give
// it adds to them.
func (w *writer) take(give bool, names []string, v storable) {
	item, err := v.Item()
	if err != nil {
		w.fail(err)
		return
	}
	e, sign := &valueExpressions{}, "-"
	if give {
		sign = "+"
	}
	var sets []string
	conditions := []string{*w.there(e, nil, nil)}
	for _, name := range names {
		n, ok := new(big.Rat), false
		if number, is := item[name].(*types.AttributeValueMemberN); is {
			_, ok = n.SetString(number.Value)
		}
		if !ok || n.Sign() <= 0 {
			w.fail(fmt.Errorf("say how much %s changes by: a number above 0", name))
			return
		}
		assignment, enough := e.Amount(name, sign, item[name])
		if sets = append(sets, assignment); !give {
			conditions = append(conditions, enough)
		}
	}
	w.items = append(w.items, types.TransactWriteItem{Update: &types.Update{TableName: &w.name,
		Key: w.key(item), UpdateExpression: aws.String("SET " + strings.Join(sets, ", ")),
		ConditionExpression:       aws.String(strings.Join(conditions, " AND ")),
		ExpressionAttributeNames:  e.Names,
		ExpressionAttributeValues: e.Values}})
}

// adding holds the sums that are added to the counters of an item, which must have some values.
type adding struct {
	in        table
	key, sets attributes
	same      []attributes
	next      []lastNumber
	names     []string // the names of the counters
	sums      []*big.Rat
	after     bool // whether ADD adds them after the write
}

// add adds numbers to counters of the item with a key; minus subtracts them. An item that only
// counts is made by the first number: then it has the attributes of sets.
func (w *writer) add(k *keys, after, minus bool, key, sets attributes, names []string,
	numbers ...Number) {
	for _, v := range key {
		k.need(v)
	}
	if k.err != nil {
		w.fail(k.err)
		return
	}
	at := slices.IndexFunc(w.adds, func(a *adding) bool {
		return a.after == after && reflect.DeepEqual(a.key, key) && slices.Equal(a.names, names)
	})
	if at < 0 {
		at = len(w.adds)
		w.adds = append(w.adds, &adding{in: w.table, key: key, sets: sets, names: names,
			sums: make([]*big.Rat, len(names)), after: after})
	}
	w.last = w.adds[at]
	for i, number := range numbers {
		n, ok := new(big.Rat).SetString(string(number))
		if !ok {
			w.fail(fmt.Errorf("%q is no number to add", number))
			return
		}
		if minus {
			n.Neg(n)
		}
		if sum := w.adds[at].sums[i]; sum != nil {
			n.Add(n, sum)
		}
		w.adds[at].sums[i] = n
	}
}

// same has the item of the last addition need some values: those of a copy, which is not put if it
// is out of date. nil is that there must be none.
func (w *writer) same(values attributes) {
	if w.last != nil {
		w.last.same = append(w.last.same, values)
	}
}

// lastNumber is a counter with the last number that it gave.
type lastNumber struct {
	name string
	last *big.Int
}

// next has the item of the last addition need the number before one that it gives: an item whose
// number somebody else has got, or that would leave out a number, is not put.
func (w *writer) next(name string, number Number) {
	n, ok := new(big.Rat).SetString(string(number))
	if !ok || !n.IsInt() || n.Sign() <= 0 {
		w.fail(fmt.Errorf("%q is no number to give: want 1 or a whole number above it", number))
		return
	}
	if w.last != nil {
		last := new(big.Int).Sub(n.Num(), big.NewInt(1))
		w.last.next = append(w.last.next, lastNumber{name, last})
	}
}

// shift changes counters of the item with a key from what an item added to them before a change to
// what it adds after that.
func (w *writer) shift(k *keys, key, sets attributes, names []string, was, is []Number) {
	w.shifts = true
	w.add(k, false, true, key, sets, names, was...)
	w.add(k, false, false, key, sets, names, is...)
}

// countedIf returns a number where a condition holds, or else 0.
func countedIf(holds bool, n Number) Number {
	if holds {
		return n
	}
	return "0"
}

// none reports whether an addition adds nothing.
func (a *adding) none() bool {
	return !slices.ContainsFunc(a.sums, func(n *big.Rat) bool { return n.Sign() != 0 })
}

// update returns the request of an addition.
func (a *adding) update() *types.Update {
	e := &valueExpressions{}
	u := &types.Update{TableName: &a.in.name, Key: a.key}
	sums := make([]types.AttributeValue, len(a.sums))
	for i, sum := range a.sums {
		digits, _ := sum.FloatPrec()
		sums[i] = numeric(Number(sum.FloatString(digits)))
	}
	u.UpdateExpression = aws.String(e.Add(filled(a.sets), a.names, sums))
	var conditions []string
	if a.sets == nil {
		conditions = append(conditions, *a.in.there(e, nil, nil))
		for _, values := range a.same {
			has := filled(values)
			for _, name := range slices.Sorted(maps.Keys(values)) {
				conditions = append(conditions, e.Same(has, name))
			}
		}
	}
	for _, n := range a.next {
		last := numeric(Number(n.last.String()))
		conditions = append(conditions, e.Last(n.name, last, n.last.Sign() == 0))
	}
	if conditions != nil {
		u.ConditionExpression = aws.String(strings.Join(conditions, " AND "))
	}
	u.ExpressionAttributeNames, u.ExpressionAttributeValues = e.Names, e.Values
	return u
}

// filled returns the attributes that have a value.
func filled(values attributes) attributes {
	values = maps.Clone(values)
	maps.DeleteFunc(values, func(_ string, v types.AttributeValue) bool { return v == nil })
	return values
}

// done returns the write. alone says that it is one item.
func (w *writer) done(alone bool, token string) (*Write, error) {
	all := &Write{Items: w.items, Token: token, alone: alone}
	for _, a := range w.adds {
		if w.shifts && a.none() {
			continue
		}
		if a.after {
			all.After = append(all.After, updateInput(a.update()))
		} else {
			all.Items = append(all.Items, types.TransactWriteItem{Update: a.update()})
		}
	}
	if w.err == nil && len(all.Items) == 0 {
		w.fail(errors.New("there is nothing to write"))
	}
	return all, w.err
}
