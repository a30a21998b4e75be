package emulator

import (
	"slices"

	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/emulator/internal/observe"
	"github.com/kugiri-db/kugiri/storage/item"
)

// target is one thing that a request touches: an item, or a part of a table or index.
type target struct {
	table    string    // its name, also where the request has its ARN; "" if it is about no table
	index    string    // its name, "" if it is the table itself
	write    bool      // it may be written; a ConditionCheck or EXISTS only reads
	eventual bool      // the request does not ask for a consistent read
	known    item.Item // what the request says of the item: its key, all of a put, what a Query wants to be equal; "" if nothing
}

// targets collects what a decoded request touches, in its order: of a batch or a transaction one
// target per entry or action, so that target i is of action i, of a restore its source and its
// table, and of all others one. Nothing is checked: what is not there or makes no sense is left out
// of its target.
type targets struct {
	call  *call
	event *observe.Recording // it asks for the names of the tables, and nothing else; nil: all is asked for
	list  []target
}

// nameTables tells the event of a call which tables its request is about. The request may be
// invalid.
func (c *call) nameTables(in any) {
	ts, _ := c.event.Scratch.(*targets)
	if ts == nil {
		ts = new(targets)
		c.event.Scratch = ts
	}
	*ts = targets{call: c, event: c.event}
	c.operation.targets(in, ts)
	*ts = targets{}
	slices.Sort(c.event.Tables)
}

// targets are what a decoded request touches. It costs a list, and the parsing of what is in
// expressions and statements: it is for those who need to know, and not for every request.
func (c *call) targets(in any) []target {
	ts := targets{call: c}
	c.operation.targets(in, &ts)
	return ts.list
}

// firstTable returns the name of the first table that a request touches, "" if there is none.
func (c *call) firstTable(in any) string {
	if list := c.targets(in); len(list) > 0 {
		return list[0].table
	}
	return ""
}

// add adds a target, which is written if the operation writes.
func (ts *targets) add(t target) {
	ts.addAs(t, ts.call.operation.Access == catalog.Writes)
}

// addAs adds a target that is written or not, whatever the operation does to others.
func (ts *targets) addAs(t target, write bool) {
	if ts.event != nil {
		ts.event.About(t.table)
		return
	}
	t.write = write
	ts.list = append(ts.list, t)
}

// namesOnly reports whether only the names of tables are asked for.
func (ts *targets) namesOnly() bool { return ts.event != nil }

// touchesNothing is the touchFunc of operations that are about no table.
func touchesNothing[In any](_ *In, ts *targets) { ts.add(target{}) }

// itemOf is the item of attributes, "" if there are none.
func itemOf(attributes []item.Attribute) item.Item {
	if len(attributes) == 0 {
		return ""
	}
	return item.New(attributes...)
}
