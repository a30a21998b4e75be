package policy

import (
	"slices"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
)

// DefaultBookkeeping are the attributes that @mbc-cqrs-serverless/core 0.1.48-beta.0, the guide's
// framework, changes in a command or in history once it is written: CommandService.updateStatus
// sets status and updatedAt at each step, updateTtl and HistoryService.publish put the item again
// with another ttl.
var DefaultBookkeeping = []string{"status", "ttl", "updatedAt"}

// compileBookkeeping checks which attributes of a command or history table may change.
func (c *compiler) compileBookkeeping(field string, in *Table, t *table) {
	keeps := in.Role == Command || in.Role == History
	if in.Bookkeeping != nil && !keeps {
		c.fail(field, "items of a %s table may change: only command and history tables have bookkeeping", in.Role)
	}
	if t.bookkeeping = slices.Clone(in.Bookkeeping); in.Bookkeeping == nil && keeps {
		t.bookkeeping = DefaultBookkeeping
	}
	for _, name := range t.bookkeeping {
		if name == t.primary.key.Partition || name == t.primary.key.Sort || name == t.version {
			c.fail(field, "%.100q is of the key or the version, which never change", name)
		}
	}
}

// checkUpdateOfVersion checks an update of an item of a command or history table. The item has to
// exist, and only its bookkeeping may change.
func (c *checker) checkUpdateOfVersion(r *request.Request, w *request.Write, k checkedKey) {
	if w.Update == nil {
		c.report(RuleHistory, k, "an update of an item of a %s table says nothing of what it changes", c.table.role)
		return
	}
	for _, name := range w.Update.Attributes() {
		if !slices.Contains(c.table.bookkeeping, name) {
			f := c.report(RuleHistory, k, "an update changes %s of an item of a %s table", name, c.table.role)
			f.Remedy += "; what keeps track of it only, declare as bookkeeping"
			return
		}
	}
	if !r.Images && w.MayCreate() && (!r.Amends || w.Fixed) {
		f := c.report(RuleHistory, k, "the update would make an item of a %s table where there is none", c.table.role)
		f.Remedy = "make the update conditional on attribute_exists(" + c.table.primary.key.Partition + ")"
	}
}

// isKept reports whether two images of an item differ only in bookkeeping.
func (t *table) isKept(before, after item.Item) bool {
	return before == after || t.holds(before, after) && t.holds(after, before)
}

// holds reports whether an item has all attributes of another, but for bookkeeping.
func (t *table) holds(it, other item.Item) bool {
	for name, v := range other.All() {
		if it.Get(name) != v && !slices.Contains(t.bookkeeping, name) {
			return false
		}
	}
	return true
}
