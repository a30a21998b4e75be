package storage

import (
	"math/bits"

	"github.com/kugiri-db/kugiri/storage/item"
)

// entry is a key with its item. The trees of tables and indexes hold entries.
type entry struct {
	key  Key
	item item.Item
}

// tree is an ordered map of entries: a B+ tree with copy on write. Copies share their nodes until
// one of them writes to a node, and that one first clones it.
//
// A lookup in a large table mostly waits for memory. So the hashes of a node lie next to each
// other, and a search of them reads a few cache lines that do not depend on each other: a node
// costs one wait. getAll overlaps the waits for many keys. A get of a hundred keys among a million
// takes a third of the time that tidwall/btree takes (BenchmarkTree).
//
// Copy modifies the tree that it copies, so it needs the write lock. Two copies need no common
// lock: one may be read while another is written.
type tree struct {
	root   *node // nil if the tree is empty
	height int   // levels above the leaves
	count  int
	owner  *owner
}

// owner identifies the tree that may modify a node. It is not of size zero, because all pointers to
// values of size zero may be equal.
type owner struct{ _ byte }

// nodeSlots is the most entries or children of a node. The first write to a node after a fork
// clones it, which copies 2.6 KB.
const nodeSlots = 64

// noHash fills the unused places of a node. No hash is greater.
const noHash = ^uint64(0)

// node is a leaf or an inner node. The key of a child is at most the smallest key below that child,
// and greater than all keys below the children before it.
//
// A place is a position in key order, and a slot is a position in memory. hashes and slots are
// indexed by place, cells and children by slot:
//
//	place     0    1    2        in the order of the keys
//	hashes   10   20   30
//	slots     2    0    1        place 0 has slot 2
//	cells   [20] [30] [10]       slot 0 has the cell with hash 20
//
// An insertion moves hashes and slots, which have no pointers, and leaves cells and children where
// they are. The garbage collector has to be told of every pointer that moves while it works, and
// that took 7 % of the time of a batch of writes. Slots 0 to n-1 are in use.
type node struct {
	owner    *owner
	children *[nodeSlots]*node // the children by slot; nil in a leaf
	n        int
	hashes   [nodeSlots]uint64 // the hashes by place
	slots    [nodeSlots]uint8  // the slots by place
	cells    [nodeSlots]cell   // the cells by slot
}

// cell is an entry without its hash. Only the cells of leaves have items.
type cell struct {
	text string
	item item.Item
}

func newTree() *tree { return &tree{owner: new(owner)} }

// Copy returns an independent tree with the same entries, in constant time.
func (t *tree) Copy() *tree {
	c := *t
	c.owner, t.owner = new(owner), new(owner)
	return &c
}

// Len returns the number of entries.
func (t *tree) Len() int { return t.count }

// Get returns the entry with the key of e.
func (t *tree) Get(e entry) (found entry, ok bool) {
	n := t.root
	if n == nil {
		return entry{}, false
	}
	for range t.height {
		n = n.childFor(&e.key)
	}
	i, ok := n.search(&e.key)
	if !ok {
		return entry{}, false
	}
	return n.entry(i), true
}

// candidate returns the cell of the only entry in a leaf that may have key k, or nil. The entry has
// the hash of k, and possibly another text.
func (n *node) candidate(k *Key) *cell {
	at := n.below(k.Hash)
	if at >= n.n || n.hashes[at] != k.Hash {
		return nil
	}
	if at+1 < n.n && n.hashes[at+1] == k.Hash {
		var found bool
		if at, found = n.search(k); !found {
			return nil
		}
	}
	return n.cell(at)
}

// mayBeEqual reports whether two texts have the same length and end. Only a look at all bytes tells
// whether they are equal.
func mayBeEqual(a, b string) bool {
	return len(a) == len(b) && (a == "" || a[len(a)-1] == b[len(b)-1])
}

// cell, child, key and entry return what is at place i. The mask tells the compiler that no slot is
// out of range.
func (n *node) cell(i int) *cell   { return &n.cells[n.slots[i]%nodeSlots] }
func (n *node) child(i int) **node { return &n.children[n.slots[i]%nodeSlots] }
func (n *node) key(i int) Key      { return Key{n.hashes[i], n.cell(i).text} }
func (n *node) entry(i int) entry  { return entry{n.key(i), n.cell(i).item} }

// below returns how many hashes are less than h. It compares the last hash of each group of eight,
// and then the hashes of one group, without branches that depend on them.
func (n *node) below(h uint64) int {
	const group = 8
	less := uint64(0)
	for i := group - 1; i < nodeSlots; i += group {
		_, b := bits.Sub64(n.hashes[i], h, 0)
		less += b
	}
	if less == nodeSlots/group {
		return nodeSlots
	}
	at := less * group
	for _, other := range n.hashes[at : at+group] {
		_, b := bits.Sub64(other, h, 0)
		at += b
	}
	return int(at)
}

// search returns the place of key k or, if found is false, the place where to insert it.
func (n *node) search(k *Key) (at int, found bool) {
	low := n.below(k.Hash)
	if low >= n.n || n.hashes[low] != k.Hash {
		return min(low, n.n), false
	}
	high := n.n
	if k.Hash != noHash {
		high = n.below(k.Hash + 1)
	}
	end := high
	for low < high {
		mid := int(uint(low+high) / 2)
		if n.cell(mid).text < k.Text {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low, low < end && n.cell(low).text == k.Text
}

// last returns the last place whose key is not greater than k, or -1.
func (n *node) last(k *Key) int {
	i, found := n.search(k)
	if found {
		return i
	}
	return i - 1
}

// childFor returns the child that has key k below it, if any child has.
func (n *node) childFor(k *Key) *node { return *n.child(max(n.last(k), 0)) }
