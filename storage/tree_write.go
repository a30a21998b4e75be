package storage

import (
	"slices"
	"strings"
)

// mutable returns n if only this tree has it, or else a clone for this tree to modify.
func (t *tree) mutable(n *node) *node {
	if n.owner == t.owner {
		return n
	}
	c := *n
	c.owner = t.owner
	if n.children != nil {
		children := *n.children
		c.children = &children
	}
	return &c
}

// mutableChild returns the child at place i of n as mutable does, and has n refer to it. n must be
// mutable.
func (t *tree) mutableChild(n *node, i int) *node {
	child := n.child(i)
	if (*child).owner != t.owner {
		*child = t.mutable(*child)
	}
	return *child
}

func (t *tree) newNode(leaf bool) *node {
	n := &node{owner: t.owner}
	for i := range n.hashes {
		n.hashes[i] = noHash
	}
	if !leaf {
		n.children = new([nodeSlots]*node)
	}
	return n
}

// at returns the cell of the entry with key k. If the tree has no such entry, at adds one, found is
// false, and the caller must fill the empty cell at once. near is the leaf where a lookup of k
// ended, or nil: at starts there, and searches from the root if k need not belong to that leaf any
// more. at keeps no part of k.
func (t *tree) at(k *Key, near *node) (c *cell, found bool) {
	if near != nil {
		if c, found = t.atLeaf(near, k); c != nil {
			return c, found
		}
	}
	if t.root == nil {
		t.root = t.newNode(true)
	}
	t.root = t.mutable(t.root)
	c, found, right := t.locate(t.root, k)
	if right != nil {
		root := t.newNode(false)
		root.adopt(0, t.root)
		root.adopt(1, right)
		t.root = root
		t.height++
	}
	if !found {
		t.count++
	}
	return c, found
}

// atLeaf is at for a key that leaf n of some earlier time may have. It returns nil if this tree may
// not write to n, if n may not be the leaf of k, or if n is full. A leaf that has left the tree
// belongs to another owner or is empty, so no hash lies between its first and its last.
func (t *tree) atLeaf(n *node, k *Key) (c *cell, found bool) {
	if n.owner != t.owner || k.Hash <= n.hashes[0] || k.Hash >= n.hashes[n.n-1] {
		return nil, false
	}
	i, found := n.search(k)
	switch {
	case found:
		return n.cell(i), true
	case n.n == nodeSlots:
		return nil, false
	}
	t.count++
	return n.open(i, k.Hash), false
}

// locate is at for the part of the tree below n, which must be mutable. If it splits n, it returns
// the new node, which is to follow n.
func (t *tree) locate(n *node, k *Key) (c *cell, found bool, right *node) {
	if n.children == nil {
		i, found := n.search(k)
		if found {
			return n.cell(i), true, nil
		}
		half, i, right := t.room(n, i)
		return half.open(i, k.Hash), false, right
	}
	i := n.last(k)
	if i < 0 { // k is less than all keys
		i = 0
		n.hashes[0], n.cell(0).text = k.Hash, strings.Clone(k.Text)
	}
	c, found, split := t.locate(t.mutableChild(n, i), k)
	if split != nil {
		var half *node
		half, i, right = t.room(n, i+1)
		half.adopt(i, split)
	}
	return c, found, right
}

// room prepares an insertion at place at of n. It returns the node and the place for the insertion.
// If n is full, room first moves the upper half of n to a new node, which it returns as right.
func (t *tree) room(n *node, at int) (_ *node, place int, right *node) {
	if n.n < nodeSlots {
		return n, at, nil
	}
	const half = nodeSlots / 2
	right = t.newNode(n.children == nil)
	right.take(n, half)
	if at <= half {
		return n, at, right
	}
	return right, at - half, right
}

// adopt inserts a child at a place. It copies the text of the child's first key, so that the memory
// of that entry can be freed with the entry.
func (n *node) adopt(at int, child *node) {
	n.put(at, child.hashes[0], cell{text: strings.Clone(child.cell(0).text)}, child)
}

// put inserts a cell, and in an inner node a child, at a place of a node that is not full.
func (n *node) put(at int, hash uint64, c cell, child *node) {
	*n.open(at, hash) = c
	if n.children != nil {
		*n.child(at) = child
	}
}

// open inserts a place into a node that is not full and returns its cell, which is empty. It does
// not touch the cell, because that would wait for memory.
func (n *node) open(at int, hash uint64) *cell {
	copy(n.hashes[at+1:n.n+1], n.hashes[at:n.n])
	copy(n.slots[at+1:n.n+1], n.slots[at:n.n])
	n.hashes[at], n.slots[at] = hash, uint8(n.n)
	n.n++
	return n.cell(at)
}

// take moves the content of another node, from a place on, to the end of n.
func (n *node) take(other *node, from int) {
	for i := from; i < other.n; i++ {
		var child *node
		if n.children != nil {
			child = *other.child(i)
		}
		n.put(n.n, other.hashes[i], *other.cell(i), child)
	}
	for other.n > from {
		other.remove(other.n - 1)
	}
}

// remove removes the content of a place. The content of the last slot moves to the slot that
// becomes free, so that the slots in use stay 0 to n-1.
func (n *node) remove(at int) {
	free, last := n.slots[at], uint8(n.n-1)
	n.slots[slices.Index(n.slots[:n.n], last)] = free
	n.cells[free], n.cells[last] = n.cells[last], cell{}
	if n.children != nil {
		n.children[free], n.children[last] = n.children[last], nil
	}
	copy(n.hashes[at:], n.hashes[at+1:n.n])
	copy(n.slots[at:], n.slots[at+1:n.n])
	n.n--
	n.hashes[n.n] = noHash
}

// cells calls f with the cell of each entry, in order. f may replace the item, and the text by an
// equal one.
func (t *tree) cells(f func(*cell)) {
	if t.root != nil {
		t.root = t.mutable(t.root)
		t.cellsOf(t.root, f)
	}
}

func (t *tree) cellsOf(n *node, f func(*cell)) {
	for i := range n.n {
		if n.children == nil {
			f(n.cell(i))
		} else {
			t.cellsOf(t.mutableChild(n, i), f)
		}
	}
}

// Delete removes the entry with the key of e and returns it.
func (t *tree) Delete(e entry) (old entry, ok bool) {
	if old, ok = t.Get(e); !ok {
		return old, false
	}
	t.root = t.mutable(t.root)
	t.delete(t.root, &e.key)
	t.count--
	for t.height > 0 && t.root.n == 1 {
		t.root = *t.root.child(0)
		t.height--
	}
	if t.count == 0 {
		t.root = nil
	}
	return old, true
}

// delete removes a key that is below n. n must be mutable.
func (t *tree) delete(n *node, k *Key) {
	if n.children == nil {
		i, _ := n.search(k)
		n.remove(i)
		return
	}
	i := max(n.last(k), 0)
	child := t.mutableChild(n, i)
	t.delete(child, k)
	switch {
	case child.n == 0:
		n.remove(i)
	case child.n >= nodeSlots/4 || i+1 < n.n && t.merge(n, i):
	case i > 0:
		t.merge(n, i-1)
	}
}

// merge moves the content of child i+1 into child i, and reports whether it did. It does not if the
// two would fill a node to more than three quarters.
func (t *tree) merge(n *node, i int) bool {
	if (*n.child(i)).n+(*n.child(i + 1)).n > nodeSlots*3/4 {
		return false
	}
	t.mutableChild(n, i).take(t.mutableChild(n, i+1), 0)
	n.remove(i + 1)
	return true
}
