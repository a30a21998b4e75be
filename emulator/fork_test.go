package emulator

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/feature/items"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// of returns the same test with another emulator.
func (x *requestTest) of(e *Emulator) *requestTest { return &requestTest{T: x.T, emulator: e} }

// check makes all stores check themselves.
func (e *Emulator) check(t require.TestingT) {
	for _, h := range e.service.Namespaces.All() {
		require.NoError(t, h.Store.Check())
	}
}

func TestForkIsIndependent(t *testing.T) {
	x := newItemTest(t)
	x.put("indexed",
		`{"pk":{"S":"a"},"sk":{"S":"1"},"gh":{"S":"g"},"gr":{"N":"1"},"lr":{"B":"AA=="}}`)
	before := x.stored()
	f := x.of(x.emulator.Fork())
	assert.Equal(t, before, f.stored())

	f.put("indexed",
		`{"pk":{"S":"a"},"sk":{"S":"1"},"gh":{"S":"h"},"gr":{"N":"1"},"lr":{"B":"AA=="}}`)
	f.do("DeleteTable", `{"TableName":"plain"}`)
	assert.Equal(t, before, x.stored())
	changed := f.do("Scan", `{"TableName":"indexed"}`)
	x.do("DeleteItem", `{"TableName":"indexed","Key":{"pk":{"S":"a"},"sk":{"S":"1"}}}`)
	assert.Equal(t, changed, f.do("Scan", `{"TableName":"indexed"}`))
	f.want(`{"Count":1,"ScannedCount":1}`, "Query",
		`{"TableName":"indexed","IndexName":"gsi1","Select":"COUNT","KeyConditionExpression":"gh = :h","ExpressionAttributeValues":{":h":{"S":"h"}}}`)
	x.want(`{"Count":0,"ScannedCount":0}`, "Query",
		`{"TableName":"indexed","IndexName":"gsi1","Select":"COUNT","KeyConditionExpression":"gh = :h","ExpressionAttributeValues":{":h":{"S":"h"}}}`)
	x.emulator.check(t)
	f.emulator.check(t)
}

// scoped makes a request signed with a credential.
func scoped(scope string) func(*http.Request) {
	return header("Authorization",
		"AWS4-HMAC-SHA256 Credential="+scope+
			"/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=00")
}

func TestForkHasAllNamespaces(t *testing.T) {
	e := New()
	for _, who := range []string{"A/20260102/us-east-1", "B/20260102/us-east-1",
		"A/20260102/eu-west-1"} {
		w := answerOf(e,
			rawRequest("CreateTable",
				strings.Replace(itemTables[0], "plain", "table-of-"+who[:1]+who[len(who)-6:], 1),
				scoped(who)))
		require.Equal(t, 200, w.Code, w.Body.String())
	}
	f := e.Fork(WithAccountID("123456789012"))
	for _, who := range []string{"A/20260102/us-east-1", "B/20260102/us-east-1",
		"A/20260102/eu-west-1"} {
		assert.JSONEq(t, `{"TableNames":["table-of-`+who[:1]+who[len(who)-6:]+`"]}`,
			answerOf(f, rawRequest("ListTables", `{}`, scoped(who))).Body.String())
	}
	assert.Contains(t,
		answerOf(f,
			rawRequest("DescribeTable", `{"TableName":"table-of-Aeast-1"}`,
				scoped("A/20260102/us-east-1"))).Body.String(), ":123456789012:")
	assert.PanicsWithValue(t,
		"emulator: a fork shows the same tables to all access keys and regions only if its original does: WithSharedData",
		func() { e.Fork(WithSharedData()) })
}

func TestForkMakesTheSameIDs(t *testing.T) {
	seed := func(b byte) Option { return WithRandom(bytes.NewReader(bytes.Repeat([]byte{b}, 32))) }
	e := New(seed(1))
	id := func(e *Emulator) string {
		return answerOf(e, rawRequest("ListTables", `{}`)).Header().Get("x-amzn-RequestId")
	}
	id(e)
	f, g, other := e.Fork(), e.Fork(), e.Fork(seed(2))
	first := id(e)
	assert.Equal(t, first, id(f))
	assert.Equal(t, first, id(g))
	assert.NotEqual(t, first, id(other))
	assert.Equal(t, id(e), id(f.Fork()), "after as many")
}

func TestForkKeepsTokens(t *testing.T) {
	const write = `{"ClientRequestToken":"%s","TransactItems":[{"Put":{"TableName":"plain","Item":{"pk":{"S":"%s"}}}}]}`
	const mismatch = "IdempotentParameterMismatchException: "
	c := NewClock(clockStart)
	x := newItemTest(t)
	x = x.of(x.emulator.Fork(WithHeldClock(c)))
	x.do("TransactWriteItems", fmt.Sprintf(write, "before", "a"))
	f := x.of(x.emulator.Fork())
	x.do("TransactWriteItems", fmt.Sprintf(write, "after", "a"))
	assert.Contains(t, f.do("TransactWriteItems", fmt.Sprintf(write, "before", "b")), mismatch)
	f.want(`{}`, "TransactWriteItems", fmt.Sprintf(write, "after", "b"))
	assert.Contains(t, x.do("TransactWriteItems", fmt.Sprintf(write, "after", "b")), mismatch)
	f.emulator.Clock().Advance(items.TokenLifetime)
	f.want(`{}`, "TransactWriteItems", fmt.Sprintf(write, "before", "b"))
	assert.Contains(t, x.do("TransactWriteItems", fmt.Sprintf(write, "before", "b")), mismatch,
		"the clock of the original stands still")
}

// TestForkOfOpenTransaction: a fork has neither the items nor the token of an open transaction.
func TestForkOfOpenTransaction(t *testing.T) {
	const write = `{"ClientRequestToken":"token","TransactItems":[{"Put":{"TableName":"plain","Item":{"pk":{"S":"a"}}}}]}`
	x := newItemTest(t)
	var f *requestTest
	x = x.of(x.emulator.Fork(WithTransactionHook(func(string) {
		if f == nil {
			f = x.of(x.emulator.Fork(WithTransactionHook(nil)))
		}
	})))
	x.want(`{}`, "TransactWriteItems", write)
	f.wantItem("", "plain", `{"pk":{"S":"a"}}`)
	f.put("plain", `{"pk":{"S":"a"},"v":{"N":"1"}}`)
	f.want(`{}`, "TransactWriteItems", write)
	f.wantItem(`{"pk":{"S":"a"}}`, "plain", `{"pk":{"S":"a"}}`)
}

func TestSnapshotRestore(t *testing.T) {
	c := NewClock(clockStart)
	x := newItemTest(t)
	x = x.of(x.emulator.Fork(WithHeldClock(c)))
	x.put("plain", `{"pk":{"S":"a"}}`)
	s, before := x.emulator.Snapshot(), x.stored()
	assert.Equal(t, clockStart, s.Time())
	for range 2 {
		x.put("plain", `{"pk":{"S":"b"}}`)
		x.do("DeleteTable", `{"TableName":"binary"}`)
		c.Advance(time.Hour)
		x.emulator.Restore(s)
		assert.Equal(t, before, x.stored())
		assert.Equal(t, clockStart, c.Now())
	}
	f := x.of(x.emulator.Fork())
	f.emulator.Reset()
	f.want(`{"TableNames":[]}`, "ListTables", `{}`)
	f.emulator.Restore(s)
	assert.Equal(t, before, f.stored())
	assert.Panics(t, func() { New(WithSharedData()).Restore(s) })
	x.emulator.check(t)
}

// TestRestoreIsAtOnce: a concurrent read sees only old data or only new data.
func TestRestoreIsAtOnce(t *testing.T) {
	x := newItemTest(t)
	empty := x.emulator.Snapshot()
	x.put("plain", `{"pk":{"S":"a"}}`)
	x.put("plain", `{"pk":{"S":"b"}}`)
	full := x.emulator.Snapshot()
	var all sync.WaitGroup
	done := make(chan struct{})
	for range 4 {
		all.Add(1)
		go func() {
			defer all.Done()
			for {
				select {
				case <-done:
					return
				default:
					answer := answerOf(x.emulator,
						rawRequest("Scan", `{"TableName":"plain","Select":"COUNT"}`,
							scoped("AKIDEXAMPLE/20260102/us-east-1"))).Body.String()
					assert.Contains(t,
						[]string{`{"Count":0,"ScannedCount":0}`, `{"Count":2,"ScannedCount":2}`},
						answer)
					x.emulator.Fork().check(t)
				}
			}
		}()
	}
	for range 100 {
		x.emulator.Restore(empty)
		x.emulator.Restore(full)
	}
	close(done)
	all.Wait()
}

// TestForkProperty: after any writes to any forks, each fork has the same items as a simple copy.
func TestForkProperty(t *testing.T) {
	type world struct {
		x     *requestTest
		items map[string]string
	}
	base := newItemTest(t)
	rapid.Check(t, func(rt *rapid.T) {
		worlds := []world{{base.of(base.emulator.Fork()), map[string]string{}}}
		var snapshot *Snapshot
		var saved map[string]string
		pick := func() *world { return &worlds[rapid.IntRange(0, len(worlds)-1).Draw(rt, "world")] }
		rt.Repeat(map[string]func(*rapid.T){
			"put": func(*rapid.T) {
				w, key := pick(), fmt.Sprint(rapid.IntRange(0, 40).Draw(rt, "key"))
				it := fmt.Sprintf(`{"gh":{"S":"%d"},"gr":{"N":"1"},"pk":{"S":"%s"},"sk":{"S":"s"}}`,
					rapid.IntRange(0, 3).Draw(rt, "gh"), key)
				w.x.put("indexed", it)
				w.items[key] = it
			},
			"delete": func(*rapid.T) {
				w, key := pick(), fmt.Sprint(rapid.IntRange(0, 40).Draw(rt, "key"))
				w.x.want(`{}`, "DeleteItem",
					`{"TableName":"indexed","Key":{"pk":{"S":"`+key+`"},"sk":{"S":"s"}}}`)
				delete(w.items, key)
			},
			"fork": func(*rapid.T) {
				w := pick()
				f := world{base.of(w.x.emulator.Fork()), maps.Clone(w.items)}
				if len(worlds) == 4 {
					worlds = worlds[1:]
				}
				worlds = append(worlds, f)
			},
			"snapshot": func(*rapid.T) {
				w := pick()
				snapshot, saved = w.x.emulator.Snapshot(), maps.Clone(w.items)
			},
			"restore": func(*rapid.T) {
				if snapshot != nil {
					w := pick()
					w.x.emulator.Restore(snapshot)
					w.items = maps.Clone(saved)
				}
			},
			"": func(*rapid.T) {
				for _, w := range worlds {
					w.x.emulator.check(rt)
					for _, h := range w.x.emulator.service.Namespaces.All() {
						h.Store.View(func(tx *storage.Tx) error {
							page := tx.Page(tx.Table("indexed"),
								storage.PageSpec{Range: storage.Range{HiOpen: true}})
							if len(page.Items) != len(w.items) {
								rt.Fatalf("%d items, not %d", len(page.Items), len(w.items))
							}
							for _, it := range page.Items {
								if want := w.items[it.Get("pk").Str()]; string(it.JSON()) != want {
									rt.Fatalf("%s, not %s", it.JSON(), want)
								}
							}
							return nil
						})
					}
				}
			},
		})
	})
}
