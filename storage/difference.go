package storage

import (
	"iter"

	"github.com/kugiri-db/kugiri/storage/item"
)

// Difference is an item that one of two tables has, or that both have with different contents.
type Difference struct {
	Key           Key
	Before, After item.Item // "" for no item
}

// Differences calls f with the differences of two tables, in the order of their keys from one on,
// until f returns false. A nil table has no items. The tables may belong to different stores, and
// the caller is in a View of each.
func Differences(before, after *Table, from Key, f func(Difference) bool) {
	nextBefore, stopBefore := iter.Pull(before.entries(from))
	defer stopBefore()
	nextAfter, stopAfter := iter.Pull(after.entries(from))
	defer stopAfter()
	b, had := nextBefore()
	a, has := nextAfter()
	for had || has {
		var d Difference
		switch {
		case !has || had && b.key.less(a.key):
			d = Difference{b.key, b.item, ""}
			b, had = nextBefore()
		case !had || a.key.less(b.key):
			d = Difference{a.key, "", a.item}
			a, has = nextAfter()
		default:
			d = Difference{b.key, b.item, a.item}
			b, had = nextBefore()
			a, has = nextAfter()
		}
		if d.Before != d.After && !f(d) {
			return
		}
	}
}

// entries returns the entries of a table from a key on. A nil table has none.
func (t *Table) entries(from Key) iter.Seq[entry] {
	return func(yield func(entry) bool) {
		if t != nil {
			t.tree.Ascend(entry{key: from}, yield)
		}
	}
}
