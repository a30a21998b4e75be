package storage

// Scan calls f with all entries in order, until f returns false.
func (t *tree) Scan(f func(entry) bool) {
	if t.root != nil {
		t.root.ascend(nil, f)
	}
}

// Reverse is Scan in descending order.
func (t *tree) Reverse(f func(entry) bool) {
	if t.root != nil {
		t.root.descend(nil, f)
	}
}

// Ascend is Scan from the first entry whose key is at least that of from.
func (t *tree) Ascend(from entry, f func(entry) bool) {
	if t.root != nil {
		t.root.ascend(&from.key, f)
	}
}

// Descend is Reverse from the last entry whose key is at most that of from.
func (t *tree) Descend(from entry, f func(entry) bool) {
	if t.root != nil {
		t.root.descend(&from.key, f)
	}
}

// Items returns all entries in order.
func (t *tree) Items() []entry {
	all := make([]entry, 0, t.count)
	t.Scan(func(e entry) bool {
		all = append(all, e)
		return true
	})
	return all
}

// ascend calls f with the entries below n, in order, from a key on. A nil key means from the first
// entry. It reports whether f wants more.
func (n *node) ascend(from *Key, f func(entry) bool) bool {
	if n.children == nil {
		i := 0
		if from != nil {
			i, _ = n.search(from)
		}
		for ; i < n.n; i++ {
			if !f(n.entry(i)) {
				return false
			}
		}
		return true
	}
	i := 0
	if from != nil {
		i = max(n.last(from), 0)
	}
	for ; i < n.n; i++ {
		if !(*n.child(i)).ascend(from, f) {
			return false
		}
		from = nil
	}
	return true
}

// descend is ascend in descending order.
func (n *node) descend(from *Key, f func(entry) bool) bool {
	i := n.n - 1
	if from != nil {
		i = n.last(from)
		if n.children != nil {
			i = max(i, 0)
		}
	}
	for ; i >= 0; i-- {
		if n.children == nil {
			if !f(n.entry(i)) {
				return false
			}
			continue
		}
		if !(*n.child(i)).descend(from, f) {
			return false
		}
		from = nil
	}
	return true
}
