package serve

import (
	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/emulator/internal/observe"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Target is one thing that a request touches: an item, or a part of a table or index.
type Target struct {
	Table    string // its name, also where the request has its ARN; "" if it is about no table
	Index    string // its name, "" if it is the table itself
	Write    bool   // it may be written; a ConditionCheck or EXISTS only reads
	Eventual bool   // the request does not ask for a consistent read
	// what the request says of the item: its key, all of a put, what a Query wants to be equal; ""
	// if nothing
	Known item.Item
}

// Targets collects what a decoded request touches, in the order of the request:
//
//   - a batch or a transaction has a target for each entry or action: target i is that of action i;
//   - a restore has two, its source and the new table;
//   - any other request has one.
//
// The request may be invalid: a target leaves out what the request does not say or says wrongly.
type Targets struct {
	Call *Call
	// gets the names of tables, and list stays empty; nil: list gets targets
	event *observe.Recording
	list  []Target
}

// NameTables records in the event of a call which tables its request is about. The request may be
// invalid.
func (c *Call) NameTables(in any) {
	c.named = Targets{Call: c, event: c.Event}
	c.Operation.targets(in, &c.named)
	c.Event.SortTables()
}

// Targets returns what a decoded request touches. It parses the request's expressions and
// statements, so only features that are on call it.
func (c *Call) Targets(in any) []Target {
	ts := Targets{Call: c}
	c.Operation.targets(in, &ts)
	return ts.list
}

// FirstTable returns the name of the first table that a request touches, or "" if it touches none.
func (c *Call) FirstTable(in any) string {
	if list := c.Targets(in); len(list) > 0 {
		return list[0].Table
	}
	return ""
}

// Add adds a target, which is written if the operation writes.
func (ts *Targets) Add(t Target) {
	ts.AddAs(t, ts.Call.Operation.Access == catalog.Writes)
}

// AddAs adds a target, and says whether the request writes it.
func (ts *Targets) AddAs(t Target, write bool) {
	if ts.event != nil {
		ts.event.About(t.Table)
		return
	}
	t.Write = write
	ts.list = append(ts.list, t)
}

// NamesOnly reports whether only the names of tables are asked for.
func (ts *Targets) NamesOnly() bool { return ts.event != nil }

// TouchesNothing is the touchFunc of operations that are about no table.
func TouchesNothing[In any](_ *In, ts *Targets) { ts.Add(Target{}) }

// ItemOf returns the item of attributes, or "" without any.
func ItemOf(attributes []item.Attribute) item.Item {
	if len(attributes) == 0 {
		return ""
	}
	return item.New(attributes...)
}
