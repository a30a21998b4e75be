package storage

import (
	"math/bits"

	"github.com/kugiri-db/kugiri/storage/item"
)

// entry is what the trees of tables and indexes hold.
type entry struct {
	key  Key
	item item.Item
}

// tree is an ordered map of entries by key: a B+ tree whose copies share nodes until one of them writes.
//
// It is made for what a lookup in a large table costs, which is waiting for
// memory. The hashes of a node stand together, and searching them reads a few
// cache lines that do not depend on each other, so that a node costs one wait;
// getAll has the waits of many keys overlap as well. Among a million entries
// tidwall/btree, whose entries of 40 bytes are searched by halves, takes 1.6
// times as long to replace one and 3.2 times as long to get a hundred at once
// (BenchmarkTree). With a thousand items to a partition, where texts decide, a
// put takes 0.55 of the time (BenchmarkPut), and 0.46 with an index.
//
// Copying a tree writes to it: only under the write lock. Readers of a copy and
// the writer of another need no common lock.
type tree struct {
	root   *node // nil if the tree is empty
	height int   // levels above the leaves
	count  int
	owner  *owner
}

// owner is the identity of the tree that may modify a node. It has a size, so that two of them differ.
type owner struct{ _ byte }

// nodeSlots is how many entries or children a node has at most: a node that is cloned after a fork has 2.6 KB.
const nodeSlots = 64

// noHash fills the unused places of a node: no hash is greater.
const noHash = ^uint64(0)

// node is a leaf, or has children: the key of one is not greater than any key
// below it, and greater than all below those before it.
//
// Places are in the order of the keys, slots are not: what has pointers stays
// where it is when something is put before it, because the collector has to be
// told of every pointer that moves while it works (that was 7 % of a batch of
// writes). Slots 0 to n-1 are in use.
type node struct {
	owner    *owner
	children *[nodeSlots]*node // by slot; nil in a leaf
	n        int
	hashes   [nodeSlots]uint64 // by place
	slots    [nodeSlots]uint8  // by place
	cells    [nodeSlots]cell   // by slot
}

// cell is an entry but for its hash; only those of leaves have items.
type cell struct {
	text string
	item item.Item
}

func newTree() *tree { return &tree{owner: new(owner)} }

// Copy returns an independent tree with the same entries at once.
func (t *tree) Copy() *tree {
	c := *t
	c.owner, t.owner = new(owner), new(owner)
	return &c
}

// Len is the number of entries.
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

// getAll is Get for many. What one waits for in memory, it waits for together with
// the others: all keys go down one level before any goes down the next, and the
// texts and items that were found are all looked at before any is compared.
func getAll(lookups []Lookup) {
	var space [128]*node
	nodes := space[:0]
	for i := range lookups {
		nodes = append(nodes, lookups[i].Table.tree.root)
	}
	for further := true; further; {
		further = false
		for i, n := range nodes {
			if n != nil && n.children != nil {
				nodes[i], further = n.childFor(&lookups[i].Key), true
			}
		}
	}
	var cellSpace [128]*cell
	cells := append(cellSpace[:0], make([]*cell, len(lookups))...)
	for i, n := range nodes {
		lookups[i].Item, lookups[i].Size, lookups[i].leaf = "", 0, n
		if n != nil {
			cells[i] = n.candidate(&lookups[i].Key)
		}
	}
	for i, c := range cells {
		if c != nil && mayBeEqual(c.text, lookups[i].Key.Text) {
			lookups[i].Item, lookups[i].Size = c.item, c.item.Size()
		}
	}
	for i, c := range cells {
		if lookups[i].Item != "" && c.text != lookups[i].Key.Text {
			lookups[i].Item, lookups[i].Size = "", 0
		}
	}
}

// candidate returns what has a key in a leaf if anything has: it may have
// another one, of the same hash.
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

// alike reports whether two texts may be the same.
func mayBeEqual(a, b string) bool {
	return len(a) == len(b) && (a == "" || a[len(a)-1] == b[len(b)-1])
}

// What is at place i. (The mask tells the compiler that no slot is out of range.)
func (n *node) cell(i int) *cell   { return &n.cells[n.slots[i]%nodeSlots] }
func (n *node) child(i int) **node { return &n.children[n.slots[i]%nodeSlots] }
func (n *node) key(i int) Key      { return Key{n.hashes[i], n.cell(i).text} }
func (n *node) entry(i int) entry  { return entry{n.key(i), n.cell(i).item} }

// below is the number of places with a hash less than h. It looks at the last of
// each eight, then at eight, and does not branch on what it sees.
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

// search returns the place of a key, or the one where it would stand.
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

// last returns the last place whose key is not greater, or -1.
func (n *node) last(k *Key) int {
	i, found := n.search(k)
	if found {
		return i
	}
	return i - 1
}

// toward returns the child below which a key is, if anywhere.
func (n *node) childFor(k *Key) *node { return *n.child(max(n.last(k), 0)) }
