package storage

import "slices"

// mutable returns n, or a copy of it if another tree may see it.
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

// mutableChild is mutable of a child of a node that may be modified.
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

// Set adds an entry, or puts it in the place of the one with its key, which it returns.
func (t *tree) Set(e entry) (old entry, replaced bool) {
	if t.root == nil {
		t.root = t.newNode(true)
	}
	t.root = t.mutable(t.root)
	old, replaced, right := t.set(t.root, &e)
	if right != nil {
		root := t.newNode(false)
		root.put(0, t.root.key(0), cell{text: t.root.cell(0).text}, t.root)
		root.put(1, right.key(0), cell{text: right.cell(0).text}, right)
		t.root = root
		t.height++
	}
	if !replaced {
		t.count++
	}
	return old, replaced
}

// set sets an entry below n, which may be modified. right, if not nil, is a new
// node that is to follow n.
func (t *tree) set(n *node, e *entry) (old entry, replaced bool, right *node) {
	if n.children == nil {
		i, found := n.search(&e.key)
		if found {
			old = n.entry(i)
			*n.cell(i) = cell{e.key.Text, e.item}
			return old, true, nil
		}
		return entry{}, false, t.insert(n, i, e.key, cell{e.key.Text, e.item}, nil)
	}
	i := n.last(&e.key)
	if i < 0 { // less than all
		i = 0
		n.hashes[0], n.cell(0).text = e.key.Hash, e.key.Text
	}
	old, replaced, split := t.set(t.mutableChild(n, i), e)
	if split != nil {
		right = t.insert(n, i+1, split.key(0), cell{text: split.cell(0).text}, split)
	}
	return old, replaced, right
}

// insert adds an entry or child. If n is full it gives its upper half to a new node, which it returns.
func (t *tree) insert(n *node, at int, k Key, c cell, child *node) (right *node) {
	if n.n < nodeSlots {
		n.put(at, k, c, child)
		return nil
	}
	const half = nodeSlots / 2
	right = t.newNode(n.children == nil)
	right.take(n, half)
	if at <= half {
		n.put(at, k, c, child)
	} else {
		right.put(at-half, k, c, child)
	}
	return right
}

// put adds something at a place of a node that is not full.
func (n *node) put(at int, k Key, c cell, child *node) {
	copy(n.hashes[at+1:n.n+1], n.hashes[at:n.n])
	copy(n.slots[at+1:n.n+1], n.slots[at:n.n])
	n.hashes[at], n.slots[at] = k.Hash, uint8(n.n)
	*n.cell(at) = c
	if n.children != nil {
		*n.child(at) = child
	}
	n.n++
}

// take moves what another node has from one place on to the end of n.
func (n *node) take(other *node, from int) {
	for i := from; i < other.n; i++ {
		var child *node
		if n.children != nil {
			child = *other.child(i)
		}
		n.put(n.n, other.key(i), *other.cell(i), child)
	}
	for other.n > from {
		other.remove(other.n - 1)
	}
}

// remove removes what is at a place. What is in the last slot moves to the one that becomes free.
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

// Delete removes the entry with the key of e, and returns it.
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

// delete removes a key that is below n, which may be modified.
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

// merge moves all of child i+1 to child i, if that leaves some room, and reports whether it did.
func (t *tree) merge(n *node, i int) bool {
	if (*n.child(i)).n+(*n.child(i + 1)).n > nodeSlots*3/4 {
		return false
	}
	t.mutableChild(n, i).take(t.mutableChild(n, i+1), 0)
	n.remove(i + 1)
	return true
}
