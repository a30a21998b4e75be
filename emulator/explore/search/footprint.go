package search

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage/item"
)

// footprint holds what a request has touched: what its answer and its effect depend on.
type footprint struct {
	items  []touch
	ranges []reach
	token  string // the token of a transaction
	reads  bool   // everything
	writes bool   // everything

	// ordered says that the order of changes to a table makes a difference, even of different
	// items: to reads that are behind, and to a policy that counts.
	ordered bool

	// watched says that somebody looks at the tables after each change, so that their order makes a
	// difference.
	watched bool

	through bool   // a cache whose entries count: see touch.cached and query
	query   string // the query whose answer the cache may have; "" for none
}

// touch is an item that was read, or changed.
type touch struct {
	table    string
	key      item.Item // the attributes of the key alone
	old, new item.Item // the item before and after the request; "" for a missing one
	logged   bool      // somebody reads the stream of the table
	cached   bool      // it is read or written through a cache whose entries count
	shows    *past     // what a read of the item by its key shows, if that is old
	seen     item.Item // the item that a read shows, if that is old
}

// past is the data before a step.
type past struct {
	fork  *emulator.Emulator
	index int       // the number of the step
	until time.Time // the moment at which the step went
}

func (t *touch) changed() bool { return t.old != t.new }

// reach is a part of a table or of an index that was read: all items that the terms hold for.
type reach struct {
	table string
	terms []expr.KeyTerm
}

// dependent reports whether the order of two requests can make a difference.
func dependent(a, b *footprint) bool {
	switch {
	case a.token != "" && a.token == b.token:
		return true
	case a.writes || b.writes:
		return true
	case a.reads && b.changes() || b.reads && a.changes():
		return true
	case a.ordered && b.ordered && a.changesTableOf(b) && b.changesTableOf(a):
		return true
	case a.watched && b.watched && a.changes() && b.changes():
		return true
	case a.logsBeside(b), a.sharesEntry(b):
		return true
	}
	return a.disturbs(b) || b.disturbs(a)
}

func (f *footprint) changes() bool {
	return f.writes || slices.ContainsFunc(f.items, func(t touch) bool { return t.changed() })
}

// logsBeside reports whether f and other both change a table whose stream is read: the stream shows
// in which order.
func (f *footprint) logsBeside(other *footprint) bool {
	for i := range f.items {
		t := &f.items[i]
		if t.logged && t.changed() && slices.ContainsFunc(other.items,
			func(o touch) bool { return o.table == t.table && o.changed() }) {
			return true
		}
	}
	return false
}

// sharesEntry reports whether f and other read or write the same entry of a cache: what the one
// has left there, the other finds.
func (f *footprint) sharesEntry(other *footprint) bool {
	if !f.through || !other.through {
		return false
	}
	if f.query != "" && f.query == other.query {
		return true
	}
	for i := range f.items {
		if t := &f.items[i]; t.cached {
			if x := other.touchOf(t.table, t.key); x != nil && x.cached {
				return true
			}
		}
	}
	return false
}

// touchOf returns the touch of an item, or nil.
func (f *footprint) touchOf(table string, key item.Item) *touch {
	for i := range f.items {
		if f.items[i].table == table && f.items[i].key == key {
			return &f.items[i]
		}
	}
	return nil
}

// disturbs reports whether f changes what other touches.
func (f *footprint) disturbs(other *footprint) bool {
	for i := range f.items {
		t := &f.items[i]
		if !t.changed() {
			continue
		}
		for j := range other.items {
			if o := &other.items[j]; t.table == o.table && t.key == o.key {
				return true
			}
		}
		for j := range other.ranges {
			if r := &other.ranges[j]; t.table == r.table && (r.has(t.old) || r.has(t.new)) {
				return true
			}
		}
	}
	return false
}

// has reports whether an item is in a range. In an index it is if it has the attributes.
func (r *reach) has(it item.Item) bool {
	if it == "" {
		return false
	}
	for i := range r.terms {
		if !r.terms[i].Holds(it.Get(r.terms[i].Name)) {
			return false
		}
	}
	return true
}

// keyOf returns the attributes of the key among those of an item, in the order of the schema, or ""
// if one is missing.
func keyOf(schema request.KeySchema, it item.Item) item.Item {
	var attributes []item.Attribute
	for _, name := range [...]string{schema.Partition, schema.Sort} {
		if name == "" {
			continue
		}
		v := it.Get(name)
		if v == "" {
			return ""
		}
		attributes = append(attributes, item.Attribute{Name: name, Value: v})
	}
	return item.New(attributes...)
}

// touched returns the footprint of a request before it is sent, without the images of its items.
// For a request that it cannot read, it is everything.
func touched(schemas map[string]request.KeySchema, operation string,
	body []byte) (*footprint, *request.Request) {
	everything := &footprint{reads: true, writes: true}
	if f := streamFootprint(operation, body); f != nil {
		return f, nil
	}
	r, err := request.FromJSON(operation, body)
	if err != nil {
		return everything, nil
	}
	if len(r.Reads)+len(r.Writes) == 0 {
		if readsOnly(operation) {
			return &footprint{reads: true}, r
		}
		return everything, r
	}
	const sizes = "ReturnItemCollectionMetrics"
	f := &footprint{reads: membersOf(body, sizes).ReturnItemCollectionMetrics == "SIZE"}
	if r.Transaction {
		f.token = tokenOf(body)
	}
	for i := range r.Reads {
		if !f.addRead(schemas, &r.Reads[i]) {
			return everything, r
		}
	}
	for i := range r.Writes {
		w := &r.Writes[i]
		schema, known := schemas[w.Table]
		key := keyOf(schema, w.Attributes())
		if !known || key == "" {
			return everything, r
		}
		f.items = append(f.items, touch{table: w.Table, key: key})
	}
	return f, r
}

// addRead adds a read, and reports whether it could.
func (f *footprint) addRead(schemas map[string]request.KeySchema, r *request.Read) bool {
	schema, known := schemas[r.Table]
	if !known {
		return false
	}
	if r.Key != "" {
		key := keyOf(schema, r.Key)
		if key != "" {
			f.items = append(f.items, touch{table: r.Table, key: key})
		}
		return key != ""
	}
	f.ranges = append(f.ranges, reach{r.Table, r.Terms})
	return true
}

// changesTableOf reports whether f changes an item of a table that the other touches.
func (f *footprint) changesTableOf(read *footprint) bool {
	return slices.ContainsFunc(f.items, func(t touch) bool {
		return t.changed() && (slices.ContainsFunc(read.items,
			func(o touch) bool { return o.table == t.table }) ||
			slices.ContainsFunc(read.ranges, func(r reach) bool { return r.table == t.table }))
	})
}

// readOperation reports whether an operation changes nothing.
func readOperation(operation string) bool {
	switch operation {
	case "Query", "Scan", "BatchGetItem", "TransactGetItems", "SearchVectors":
		return true
	}
	return readsOnly(operation)
}

// readsOnly reports whether an operation on tables or streams changes nothing.
func readsOnly(operation string) bool {
	return strings.HasPrefix(operation, "Describe") || strings.HasPrefix(operation, "List") ||
		strings.HasPrefix(operation, "Get")
}

// members are some of those of a request.
type members struct {
	ConsistentRead              bool
	ReturnItemCollectionMetrics string
	RequestItems                map[string]json.RawMessage
}

// membersOf reads a request in which a name is, or else nothing: most have none.
func membersOf(body []byte, name string) (m members) {
	if !bytes.Contains(body, []byte(name)) || json.Unmarshal(body, &m) != nil {
		return members{}
	}
	return m
}

// consistent reports whether a read is strongly consistent, that of a table of a batch at least.
func (m members) consistent() bool {
	for _, table := range m.RequestItems {
		var of struct{ ConsistentRead bool }
		if json.Unmarshal(table, &of) == nil && of.ConsistentRead {
			return true
		}
	}
	return m.ConsistentRead
}

func tokenOf(body []byte) string {
	var in struct{ ClientRequestToken string }
	if json.Unmarshal(body, &in) != nil {
		return ""
	}
	return in.ClientRequestToken
}
