package storage

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/kugiri-db/kugiri/storage/item"
)

// Check verifies that everything that the store keeps twice agrees: keys with items; indexes,
// statistics and collection sizes with the tables. It reads the whole store. Tests end with it.
func (s *Store) Check() error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for name, t := range s.tables {
		if t.Name != name || t.store != s {
			return fmt.Errorf("table %s: is in the wrong place", name)
		}
		if err := t.check(); err != nil {
			return fmt.Errorf("table %s: %w", name, err)
		}
	}
	for _, b := range s.backups {
		if err := b.table.check(); err != nil {
			return fmt.Errorf("backup %s: %w", b.ID, err)
		}
	}
	return nil
}

func (t *Table) check() error {
	entries := t.tree.Items()
	for _, e := range entries {
		if k, ok := t.Key.Encode(e.item); !ok || k != e.key {
			return fmt.Errorf("%s is at %x, not %x", e.item.JSON(), e.key, k)
		}
	}
	if err := checkTree(t.tree, t.bytes); err != nil {
		return err
	}
	for _, ix := range t.indexes {
		if err := ix.check(entries); err != nil {
			return fmt.Errorf("index %s: %w", ix.Name, err)
		}
	}
	for _, ix := range t.vectors {
		if err := ix.check(entries); err != nil {
			return fmt.Errorf("vector index %s: %w", ix.Name, err)
		}
	}
	if err := t.checkExpiry(entries); err != nil {
		return err
	}
	if err := t.replica.check(t); err != nil {
		return err
	}
	return t.checkCollections(entries)
}

// check compares the versions of a replica with the items, and counts what waits for its peers.
func (r *replica) check(t *Table) (err error) {
	if r == nil {
		return nil
	}
	deleted := 0
	r.versions.Scan(func(v versioned) bool {
		e, _ := t.tree.Get(entry{key: v.key})
		if v.deleted {
			deleted++
		}
		if v.deleted != (e.item == "") {
			err = fmt.Errorf("the version of the item at %x is wrong", v.key)
		}
		return err == nil
	})
	if err == nil && deleted != r.deleted {
		err = fmt.Errorf("%d versions are of removed items, not %d", deleted, r.deleted)
	}
	for _, o := range r.backlogs {
		bytes := int64(0)
		o.log.Scan(func(out *Outgoing) bool {
			bytes += out.size()
			return true
		})
		if err == nil && bytes != o.bytes {
			err = fmt.Errorf("the changes for %s take %d bytes, not %d", o.peer, bytes, o.bytes)
		}
	}
	return err
}

// checkExpiry computes the expiry order from the entries of the table and compares it.
func (t *Table) checkExpiry(entries []entry) error {
	if t.expiry == nil {
		return nil
	}
	want := newExpiry(t.expiry.attribute)
	for _, e := range entries {
		want.replace(e.key, "", e.item)
	}
	if got, want := t.expiry.tree.Items(), want.tree.Items(); !slices.Equal(got, want) {
		return fmt.Errorf("expires %v, not %v", got, want)
	}
	return nil
}

// checkTree verifies the order of a tree, the number of its entries and their bytes.
func checkTree(tr *tree, bytes int64) error {
	entries := tr.Items()
	if len(entries) != tr.Len() {
		return fmt.Errorf("has %d entries, not %d", len(entries), tr.Len())
	}
	var sum int64
	for i, e := range entries {
		if i > 0 && !entries[i-1].key.less(e.key) {
			return fmt.Errorf("%x comes before %x", entries[i-1].key, e.key)
		}
		sum += int64(e.item.Size())
	}
	if sum != bytes {
		return fmt.Errorf("has %d bytes, not %d", sum, bytes)
	}
	return nil
}

// check computes the index from the entries of its table and compares it.
func (ix *Index) check(table []entry) error {
	if err := checkTree(ix.tree, ix.bytes); err != nil {
		return err
	}
	var want []entry
	for _, e := range table {
		if k, ok := ix.EntryKey(e.item); ok {
			want = append(want, entry{k, ix.project(e.item)})
		}
	}
	slices.SortFunc(want, func(a, b entry) int {
		if a.key.less(b.key) {
			return -1
		}
		return 1
	})
	got := ix.tree.Items()
	if !slices.Equal(got, want) {
		return fmt.Errorf("holds %v, not %v", got, want)
	}
	for i := range got {
		if ix.names == nil && !sameMemory(got[i].item, want[i].item) {
			return fmt.Errorf("has a copy of %s", got[i].item.JSON())
		}
	}
	return nil
}

func sameMemory(a, b item.Item) bool {
	return unsafe.StringData(string(a)) == unsafe.StringData(string(b))
}

// checkCollections measures the item collections and compares them.
func (t *Table) checkCollections(entries []entry) error {
	local := slices.ContainsFunc(t.indexes, func(ix *Index) bool { return ix.Local })
	if local != (t.collections != nil) {
		return fmt.Errorf("measures collections: %t, has local indexes: %t", !local, local)
	}
	if !local {
		return nil
	}
	want := map[Key]int64{}
	for _, e := range entries {
		partition := t.collectionKey(e.key, "", e.item)
		want[partition] += int64(e.item.Size())
		for _, ix := range t.indexes {
			if ix.Local {
				want[partition] += int64(ix.project(e.item).Size() * entriesOf(ix, e.item))
			}
		}
	}
	got := t.collections.tree.Items()
	for _, c := range got {
		if want[c.key] != c.bytes {
			return fmt.Errorf("the collection %x has %d bytes, not %d", c.key, c.bytes, want[c.key])
		}
	}
	if len(got) != len(want) {
		return fmt.Errorf("has %d collections, not %d", len(got), len(want))
	}
	return nil
}

// entriesOf returns how many entries an item has in an index: 0 or 1.
func entriesOf(ix *Index, it item.Item) int {
	if _, ok := ix.EntryKey(it); ok {
		return 1
	}
	return 0
}
