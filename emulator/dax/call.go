package dax

import (
	"bytes"
	"errors"
	"hash/maphash"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/kugiri-db/kugiri/emulator/dax/protocol"
	"github.com/kugiri-db/kugiri/emulator/internal/acceleration"
	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
	"github.com/kugiri-db/kugiri/emulator/internal/metering"
	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
	"github.com/kugiri-db/kugiri/storage/item/raw"
)

// call is a request to an operation, on its way through the caches.
//
// The rules are those of the Developer Guide, "DAX and DynamoDB consistency models". Each is cited
// by its section.
type call struct {
	*conn
	q     *protocol.Request
	scope acceleration.Scope
	now   time.Time
	// the lives in the caches of the caller's cluster
	itemTTL, queryTTL time.Duration
}

// tables tells the keys of the caller's tables.
type tables struct{ caller acceleration.Caller }

// Schema implements protocol.Tables.
func (t tables) Schema(table string) (protocol.Schema, error) {
	key, err := keyOf(t.caller, table)
	if err != nil {
		return nil, err
	}
	s := make(protocol.Schema, len(key))
	for i, k := range key {
		s[i] = protocol.KeyAttribute(k)
	}
	return s, nil
}

// operate answers a call of an operation.
func (c *conn) operate(m protocol.Method) ([]byte, error) {
	q, err := c.decode(m)
	var refused *protocol.Error
	switch {
	case errors.As(err, &refused):
		return c.fail(nil, refused), nil
	case err != nil:
		return c.malformed(err), nil
	}
	x := &call{conn: c, q: q, scope: c.caller.Scope(), now: c.caller.Now()}
	x.itemTTL, x.queryTTL = c.node.cluster.ttls(c.caller.TTLs())
	c.node.catchUp(x.scope.Service, x.now)
	answer, err := x.run()
	switch {
	case errors.As(err, &refused):
		return c.fail(q, refused), nil
	case errors.Is(err, errNoRoom):
		return c.fail(q, protocol.Internal(err.Error())), nil
	}
	return answer, err
}

// decode reads the request of a call. From then on the connection's memory is that of the request
// in place of that of the message.
func (c *conn) decode(m protocol.Method) (*protocol.Request, error) {
	item, body := c.caller.Limits()
	d := protocol.Decoder{Tables: tables{c.caller}, Lists: c.lists,
		Limits: protocol.Limits{ItemBytes: item, BodyBytes: body}}
	q, err := func() (*protocol.Request, error) {
		defer httpd.Turn(len(c.buf))()
		return d.Request(m, c.buf)
	}()
	if err != nil || cap(c.buf) <= keptBytes && q.Memory() <= keptBytes {
		return q, err
	}
	c.buf = nil
	c.giveBack()
	if !c.source.Grant(q.Memory()) {
		return nil, errBusy
	}
	return q, nil
}

// errBusy is the answer when large bodies take all the memory that they may.
var errBusy = protocol.NewError("ServiceUnavailable",
	"The service is busy with large requests. Try again.", 503)

func (x *call) run() ([]byte, error) {
	switch x.q.Method {
	case protocol.GetItem:
		return x.getItem()
	case protocol.BatchGetItem:
		return x.batchGetItem()
	case protocol.Query, protocol.Scan:
		return x.search()
	case protocol.TransactGetItems:
		// "Strongly consistent and transactional reads": they pass by the caches
		return x.pass()
	}
	a, err := x.do(x.q.Body)
	if err != nil {
		// "How DAX processes writes": if the write fails, nothing is cached
		return nil, err
	}
	x.through(a)
	return a.Encode(x.out[:0], x.q, x.lists)
}

// pass has the service answer, and keeps nothing.
func (x *call) pass() ([]byte, error) {
	body := x.q.Body
	if x.q.Method == protocol.BatchGetItem {
		body, _ = x.q.BatchBody(func(int) bool { return true }, false)
	}
	a, err := x.do(body)
	if err != nil {
		return nil, err
	}
	if x.q.Method == protocol.BatchGetItem {
		return a.EncodeBatch(x.out[:0], x.q, nil, x.lists)
	}
	return a.Encode(x.out[:0], x.q, x.lists)
}

// getItem is "DAX item cache behavior", "Consistency of reads". Strongly consistent reads pass by
// ("Strongly consistent and transactional reads").
func (x *call) getItem() ([]byte, error) {
	q := x.q
	if q.Consistent || !q.Cacheable() || x.scope.Restricted() && q.Paths != nil {
		return x.pass()
	}
	k := x.keyOf(&q.Entries[0])
	if it, ok := x.cached(k); ok {
		x.count(q.Table, func(t *TableStats) { t.ItemHits++ })
		x.savedItem(&q.Entries[0], it)
		return protocol.EncodeItem(x.out[:0], q, it, x.lists)
	}
	x.count(q.Table, func(t *TableStats) { t.ItemMisses++ })
	seen := x.stripe(k).seen()
	a, err := x.do(q.Whole)
	if err != nil {
		return nil, err
	}
	it, err := a.Item(q, x.lists)
	if err != nil {
		return nil, err
	}
	x.fill(k, it, seen)
	return a.Encode(x.out[:0], q, x.lists)
}

// cached returns an item of the cache. One whose attribute list is forgotten has gone with it.
func (x *call) cached(k itemKey) (it protocol.Stored, ok bool) {
	it, _, ok = x.node.items.Get(k, x.itemTTL, x.now)
	if id, some := it.List(); ok && some {
		_, ok = x.lists.Names(id)
	}
	return it, ok
}

// knows reports whether attribute lists are still known.
func (x *call) knows(lists []int64) bool {
	for _, id := range lists {
		if _, ok := x.lists.Names(id); !ok {
			return false
		}
	}
	return true
}

// batchGetItem treats each key as a GetItem ("Consistency of reads", the note on BatchGetItem).
func (x *call) batchGetItem() ([]byte, error) {
	q := x.q
	projected := false
	for i := range q.Entries {
		projected = projected || q.Entries[i].Paths != nil
	}
	if !q.Cacheable() || x.scope.Restricted() && projected {
		return x.pass()
	}
	cached, asked, seen := map[int]protocol.Stored{}, map[int]bool{}, make([]uint64, len(q.Entries))
	for i := range q.Entries {
		e := &q.Entries[i]
		k := x.keyOf(e)
		seen[i] = x.stripe(k).seen()
		if !q.Strong(i) {
			if it, ok := x.cached(k); ok {
				x.count(e.Table, func(t *TableStats) { t.ItemHits++ })
				x.savedItem(e, it)
				cached[i] = it
				continue
			}
			x.count(e.Table, func(t *TableStats) { t.ItemMisses++ })
		}
		asked[i] = true
	}
	var a *protocol.Answer
	if len(asked) > 0 {
		body, _ := q.BatchBody(func(i int) bool { return asked[i] }, true)
		var err error
		if a, err = x.do(body); err != nil {
			return nil, err
		}
		err = a.Found(q, func(i int) bool { return asked[i] && !q.Strong(i) }, x.lists,
			func(i int, it protocol.Stored) { x.fill(x.keyOf(&q.Entries[i]), it, seen[i]) })
		if err != nil {
			return nil, err
		}
	}
	return a.EncodeBatch(x.out[:0], q, cached, x.lists)
}

// search is "DAX query cache behavior": the answer is kept by the parameters, and neither do writes
// change it nor does it fill the item cache.
func (x *call) search() ([]byte, error) {
	q := x.q
	if q.Consistent || x.queryTTL == 0 { // "DAX: How it works", "Query cache": 0 turns it off
		return x.pass()
	}
	k := queryKey{x.scope, q.Table, q.Same}
	if kept, _, ok := x.node.queries.Get(k, x.queryTTL, x.now); ok &&
		x.knows(kept.lists) {
		x.count(q.Table, func(t *TableStats) { t.QueryHits++ })
		x.saved(q.Table, kept.units)
		return append(x.out[:0], kept.answer...), nil
	}
	x.count(q.Table, func(t *TableStats) { t.QueryMisses++ })
	a, err := x.do(q.Whole)
	if err != nil {
		return nil, err
	}
	with := noted{x.lists, map[int64]struct{}{}}
	kept, err := a.EncodeUncounted(q, with)
	if err != nil {
		return nil, err
	}
	x.node.keepQuery(k, kept, slices.Collect(maps.Keys(with.ids)), a.Units(), x.now)
	return a.Encode(x.out[:0], q, x.lists)
}

func (x *call) count(table string, f func(*TableStats)) { x.node.stats.of(table, f) }

// saved counts read units that a cache has saved, if somebody observes what requests cost.
func (x *call) saved(table string, units float64) {
	if x.caller.Observed() {
		x.node.cluster.savings.add(saving{x.scope.Service, table}, units)
	}
}

// savedItem is saved for an item, or none, that was not read.
func (x *call) savedItem(e *protocol.Entry, it protocol.Stored) {
	if !x.caller.Observed() {
		return
	}
	size := 0
	if text, err := it.JSON(e.Key, x.lists); err == nil && text != "" {
		s := jsontext.NewScanner(text)
		if whole, err := item.ParseAttributes(&s); err == nil {
			size = whole.Item.Size()
		}
	}
	x.saved(e.Table, metering.ReadUnits(size, false))
}

func (x *call) keyOf(e *protocol.Entry) itemKey { return itemKey{x.scope, e.Table, e.Key} }

// do has the service answer a request. Its error is a *protocol.Error, or one that ends the
// connection.
func (x *call) do(body []byte) (*protocol.Answer, error) {
	x.takeTurns()
	if err := x.flush(); err != nil { // an operation may take long
		return nil, err
	}
	r := &http.Request{
		Method: http.MethodPost, URL: &url.URL{Path: "/"}, Proto: "HTTP/1.1", ProtoMajor: 1,
		ProtoMinor: 1, Host: "localhost", RemoteAddr: x.RemoteAddr().String(),
		Header: http.Header{
			"Content-Type": jsonType,
			"X-Amz-Target": {"DynamoDB_20120810." + x.q.Method.Operation()},
			"User-Agent":   x.agent,
		},
		Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)),
	}
	res, err := x.caller.Do(r)
	if err != nil {
		return nil, err // the connection is lost with the answer
	}
	defer res.Body.Close()
	answer := make([]byte, res.ContentLength) // it is known in the process
	if _, err := io.ReadFull(res.Body, answer); err != nil {
		return nil, err
	}
	text := raw.String(answer)
	if res.StatusCode != http.StatusOK {
		return nil, protocol.ReadError(text, res.StatusCode, res.Header.Get("X-Amzn-Requestid"))
	}
	a, err := protocol.ReadAnswer(x.q, text)
	if err != nil {
		return nil, protocol.Internal(err.Error())
	}
	return a, nil
}

var jsonType = []string{"application/x-amz-json-1.0"}

// stripe orders the reads and writes of some items, so that a read which began before a write never
// leaves its older item in a cache, and of two writes the later one stays.
type stripe struct {
	mu     sync.Mutex
	writes uint64
}

var seed = maphash.MakeSeed()

func (x *call) stripe(k itemKey) *stripe {
	c := x.node.cluster
	return &c.writes[maphash.String(seed, k.key)%uint64(len(c.writes))]
}

func (s *stripe) seen() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.writes
}

// fill keeps an item that was read, unless there was a write meanwhile. There may be no item:
// "Negative caching".
func (x *call) fill(k itemKey, it protocol.Stored, seen uint64) {
	s := x.stripe(k)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.writes == seen {
		x.know(k.scope)
		x.spread(k, it)
	}
}

// spread keeps an item in the node's cache, and has the other nodes hear of it ("Consistency among
// DAX cluster nodes").
func (x *call) spread(k itemKey, it protocol.Stored) {
	x.node.keep(k, it, x.now)
	if k.scope.Restricted() {
		return // nodes only forget after writes by others, which need no order with it
	}
	lag := x.node.cluster.config.ReplicationLag
	for _, other := range x.node.cluster.all() {
		switch {
		case other == x.node:
		case lag == 0:
			other.keep(k, it, x.now)
		default:
			other.hear(replica{key: k, item: it, written: x.now, due: x.now.Add(lag)})
		}
	}
}

// through brings what a request has written to the item cache ("How DAX processes writes"). A large
// request waits for its turn. Nobody waits for a turn who holds a stripe.
func (x *call) through(a *protocol.Answer) {
	defer httpd.Turn(len(x.q.Body))()
	for i := range x.q.Entries {
		e := &x.q.Entries[i]
		if e.Write == protocol.NoWrite ||
			x.q.Method == protocol.BatchWriteItem && a.Unprocessed(e) {
			continue
		}
		k := x.keyOf(e)
		s := x.stripe(k)
		s.mu.Lock()
		s.writes++
		if x.scope.Restricted() {
			x.forget(k)
		} else {
			x.write(k, e)
		}
		s.mu.Unlock()
	}
}

// write keeps an item as it is now. What cannot be kept is forgotten.
func (x *call) write(k itemKey, e *protocol.Entry) {
	in := jsontext.NewScanner("{" + e.Key + "}")
	key, err := item.ParseAttributes(&in)
	if err == nil {
		var now item.Item
		if now, err = x.caller.StoredItem(e.Table, key.Item); err == nil {
			var it protocol.Stored
			if now != "" {
				it, err = protocol.Store(string(now.JSON()), e.Schema, x.lists)
			}
			if err == nil {
				x.spread(k, it)
				return
			}
		}
	}
	x.forget(k)
}

// maxCallers limits the callers of a scope that are known one by one.
const maxCallers = 1024

// know remembers who has items of a restricted scope in the caches.
func (x *call) know(scope acceleration.Scope) {
	if !scope.Restricted() {
		return
	}
	c := x.node.cluster
	c.mu.Lock()
	defer c.mu.Unlock()
	known := c.callers[scope.Shared()]
	if known == nil || len(known) >= maxCallers {
		if known != nil || len(c.callers) >= maxCallers {
			c.Clear()
			c.callers = map[acceleration.Scope]map[string]bool{}
		}
		known = map[string]bool{}
		c.callers[scope.Shared()] = known
	}
	known[scope.Caller] = true
}

// forget drops an item from the caches of all nodes, and of all callers who may read it.
func (x *call) forget(k itemKey) {
	c := x.node.cluster
	c.mu.Lock()
	callers := []string{k.scope.Caller}
	for caller := range c.callers[k.scope.Shared()] {
		callers = append(callers, caller)
	}
	c.mu.Unlock()
	for _, caller := range callers {
		k.scope.Caller = caller
		for _, n := range c.all() {
			n.items.Drop(k)
		}
	}
}
