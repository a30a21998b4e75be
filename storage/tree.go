package storage

import (
	"github.com/tidwall/btree"

	"github.com/kugiri-db/kugiri/storage/item"
)

// entry is what the trees of tables and indexes hold.
type entry struct {
	key  Key
	item item.Item
}

// tree is ordered by key. Copying it writes to it: only under the write lock.
type tree = btree.BTreeG[entry]

// treeDegree: degrees from 32 to 128 get and put equally fast among a million
// entries; the smallest copies the least at the first write after a fork.
const treeDegree = 32

func newTree() *tree {
	return btree.NewBTreeGOptions(func(a, b entry) bool { return a.key.less(b.key) },
		btree.Options{Degree: treeDegree, NoLocks: true})
}
