package support

import (
	"math/big"
	"reflect"
	"strconv"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// makesWrite makes a write with a token.
type makesWrite = func(token string) (*Write, error)

// writeCase is a write of samples. undo makes room for it. The writes of taken have a value that
// another item has, and those of stale are of a state that is over.
type writeCase struct {
	name                   string
	undo, do, taken, stale []makesWrite
	tallies                []tally
}

// tally says how much a write adds to a counter of an item. after says that it does so by an ADD
// of its own.
type tally struct {
	key, counter, by string
	after            bool
}

// added returns what has been added to a counter.
func (n tally) added(t *testing.T, before, after map[string]item) *big.Rat {
	t.Helper()
	value := func(items map[string]item) *big.Rat {
		is := new(big.Rat)
		if v, ok := items[n.key][n.counter].(*types.AttributeValueMemberN); ok {
			if _, ok := is.SetString(v.Value); !ok {
				t.Fatalf("%s of %s is %s", n.counter, n.key, v.Value)
			}
		}
		return is
	}
	return new(big.Rat).Sub(value(after), value(before))
}

// check compares what has been added after so many tries.
func (n tally) check(t *testing.T, what string, before, after map[string]item, tries int64) {
	t.Helper()
	want, _ := new(big.Rat).SetString(n.by)
	if n.after {
		want.Mul(want, big.NewRat(tries, 1))
	}
	if is := n.added(t, before, after); is.Cmp(want) != 0 {
		t.Fatalf("%s: %s of %s is %s more, want %s", what, n.counter, n.key, is.RatString(),
			want.RatString())
	}
}

// pick returns sample number n of a model.
func pick[T any](t *testing.T, items map[string]item, model string, n int,
	of func(item) (T, error)) T {
	t.Helper()
	for _, r := range rows {
		if r.model != model {
			continue
		}
		if n--; n < 0 {
			v, err := of(items[r.key])
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
	}
	t.Fatalf("%s has too few samples", model)
	panic("not reached")
}

// gone deletes an item that no guard reserves values for and no counter counts.
func gone(v storable, token string) (*Write, error) {
	w := newWriter()
	w.remove(nil, v)
	return w.done(true, token)
}

// rewound gives a counter the last number from before a sample, which can be put again then.
func rewound(key attributes, name, last string) (*Write, error) {
	e := &valueExpressions{}
	update := e.Update(nil, attributes{name: numeric(Number(last))}, nil)
	w := &writer{items: []types.TransactWriteItem{{Update: &types.Update{TableName: &TableName,
		Key: key, UpdateExpression: &update, ExpressionAttributeNames: e.Names,
		ExpressionAttributeValues: e.Values}}}}
	return w.done(true, "")
}

// writeTrial tries a write in a table.
type writeTrial struct {
	*testing.T
	client *dynamodb.Client
}

// send sends writes, each with a token of its own. It returns whether a token would not help one of
// them, and how many were refused.
func (t writeTrial) send(token string, writes []makesWrite) (single bool, refused int) {
	t.Helper()
	for i, write := range writes {
		w, err := write(token + strconv.Itoa(i))
		if err != nil {
			t.Fatal(err)
		}
		if w.Send(t.Context(), t.client) != nil {
			refused++
		}
		single = single || w.alone || w.After != nil
	}
	return single, refused
}

// must sends writes, and checks how many of them are refused.
func (t writeTrial) must(what, token string, writes []makesWrite, refusals int) (single bool) {
	t.Helper()
	single, refused := t.send(token, writes)
	if refused != refusals {
		t.Fatal(what)
	}
	return single
}

// same checks that the table has the items that it had.
func (t writeTrial) same(what string, want map[string]item) {
	t.Helper()
	if got := itemsOf(t.T, t.client); !reflect.DeepEqual(got, want) {
		t.Fatalf("%s: the table has %v, want %v", what, got, want)
	}
}

// again sends the requests once more that come after those of a transaction.
func (t writeTrial) again(writes []makesWrite) {
	t.Helper()
	for _, write := range writes {
		w, err := write("")
		if err != nil {
			t.Fatal(err)
		}
		for _, change := range w.After {
			if _, err := t.client.UpdateItem(t.Context(), change); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// run tries a write.
func (c writeCase) run(t writeTrial) {
	t.must("there is no room for it", "undo", c.undo, 0)
	before := itemsOf(t.T, t.client)
	t.must("a value is taken twice", "taken", c.taken, len(c.taken))
	t.same("a value that is taken", before)
	t.must("a state that is over is taken for what there is", "stale", c.stale, len(c.stale))
	t.same("a state that is over", before)
	single := t.must("it is refused", "first", c.do, 0)
	after := itemsOf(t.T, t.client)
	if reflect.DeepEqual(before, after) {
		t.Fatal("it writes nothing")
	}
	for _, n := range c.tallies {
		n.check(t.T, "once", before, after, 1)
	}
	if !single {
		t.must("it is refused when it is sent again", "first", c.do, 0)
		t.same("the same token", after)
	}
	t.must("it is done twice", "second", c.do, len(c.do))
	t.same("a second time", after)
	t.again(c.do)
	// ADD has this error: it counts again when it is sent again after a lost answer.
	for _, n := range c.tallies {
		n.check(t.T, "an ADD that is sent again", before, itemsOf(t.T, t.client), 2)
	}
}

// TestWrites: a write is done once, however often it is sent with its token, and is refused as a
// whole after that, if a value is taken, or if something is not as the writer has read it.
// Counters are as the design says: exact in the transaction of the write, and by ADD except for one
// that is sent again.
func TestWrites(t *testing.T) {
	for n, name := range writeNames {
		t.Run(name, func(t *testing.T) {
			client := newTable(t).Client()
			writeCases(t, itemsOf(t, client))[n].run(writeTrial{t, client})
		})
	}
}
