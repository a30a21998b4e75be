package storage

import (
	"maps"
	"slices"

	"github.com/kugiri-db/kugiri/storage/item"
)

// model is a store made of maps. It sorts and counts for each question.
type model map[string]*modelTable

type modelTable struct {
	key      KeySchema
	settings Settings
	items    map[string]item.Item // the items by the JSON of their key attributes
	indexes  []IndexSchema
	vectors  []VectorSchema
	expired  map[string]bool // the items that the current Tx wrote last by Expire
}

func (m model) clone() model {
	c := model{}
	for name, t := range m {
		c[name] = &modelTable{
			key: t.key, settings: t.settings, items: maps.Clone(t.items),
			indexes: slices.Clone(t.indexes), vectors: slices.Clone(t.vectors),
			expired: map[string]bool{},
		}
	}
	return c
}

// remove takes an item away, if there is one.
func (t *modelTable) remove(key string, expired bool) {
	if _, ok := t.items[key]; ok {
		delete(t.items, key)
		t.expired[key] = expired
	}
}

func (t *modelTable) keyOf(it item.Item) string {
	return string(it.Only(t.key.names(nil)...).JSON())
}

// sources returns the table itself, named "", and its indexes.
func (t *modelTable) sources() []string {
	names := []string{""}
	for _, ix := range t.indexes {
		names = append(names, ix.Name)
	}
	return names
}

func (t *modelTable) index(name string) IndexSchema {
	return t.indexes[slices.IndexFunc(t.indexes,
		func(ix IndexSchema) bool { return ix.Name == name })]
}

// values returns the attributes that order an item in a source: the hash attributes and the others.
func (t *modelTable) values(source string, it item.Item) (hash, rest []item.Value) {
	own := t.key
	if source != "" {
		own = t.index(source).Key
	}
	for _, a := range own.Hash {
		hash = append(hash, it.Get(a.Name))
	}
	for _, a := range own.Range {
		rest = append(rest, it.Get(a.Name))
	}
	if source != "" {
		for _, name := range t.key.names(nil) {
			rest = append(rest, it.Get(name))
		}
	}
	return hash, rest
}

// compare orders two items of a source, by the hash of their partitions and then by their values.
func (t *modelTable) compare(source string, a, b item.Item) int {
	hashA, restA := t.values(source, a)
	hashB, restB := t.values(source, b)
	if x, y := modelHash(hashA), modelHash(hashB); x != y {
		if x < y {
			return -1
		}
		return 1
	}
	return slices.CompareFunc(append(hashA, restA...), append(hashB, restB...), item.Compare)
}

func modelHash(values []item.Value) uint64 {
	var encoded []byte
	for _, v := range values {
		encoded = item.AppendKey(encoded, v)
	}
	return item.HashKey(string(encoded))
}

// holds reports whether an item is in a source.
func (t *modelTable) holds(source string, it item.Item) bool {
	if source == "" {
		return true
	}
	key := t.index(source).Key
	for _, a := range slices.Concat(key.Hash, key.Range) {
		if v := it.Get(a.Name); v.Type() != a.Type || v.Size() == 0 {
			return false
		}
	}
	return true
}

// entry returns an item as a source holds it, or "".
func (t *modelTable) entry(source string, it item.Item) item.Item {
	if it == "" || !t.holds(source, it) {
		return ""
	}
	if source == "" || t.index(source).Projection.Type == "ALL" {
		return it
	}
	ix := t.index(source)
	return it.Only(slices.Concat(t.key.names(nil), ix.Key.names(nil), ix.Projection.NonKey)...)
}

// entries returns the entries of a source in order.
func (t *modelTable) entries(source string) []item.Item {
	var entries []item.Item
	for _, it := range t.items {
		if e := t.entry(source, it); e != "" {
			entries = append(entries, e)
		}
	}
	slices.SortFunc(entries, func(a, b item.Item) int { return t.compare(source, a, b) })
	return entries
}

func (t *modelTable) stats(source string) Stats {
	var s Stats
	for _, e := range t.entries(source) {
		s.Items++
		s.Bytes += int64(e.Size())
	}
	return s
}

// collectionBytes measures the item collection of an item.
func (t *modelTable) collectionBytes(keyed item.Item) int64 {
	var bytes int64
	partition := t.key.Hash[0].Name
	measures := false
	for _, source := range t.sources() {
		local := source != "" && t.index(source).Local
		measures = measures || local
		if source != "" && !local {
			continue
		}
		for _, e := range t.entries(source) {
			if e.Get(partition) == keyed.Get(partition) {
				bytes += int64(e.Size())
			}
		}
	}
	if !measures {
		return 0
	}
	return bytes
}

// effects returns the effects of a write on the indexes, by name.
func (t *modelTable) effects(old, new item.Item) map[string]Effect {
	effects := map[string]Effect{}
	for _, ix := range t.indexes {
		from, to := t.entry(ix.Name, old), t.entry(ix.Name, new)
		if from == to {
			continue
		}
		e := Effect{Old: from.Size(), New: to.Size()}
		e.Moved = from != "" && to != "" && t.compare(ix.Name, from, to) != 0
		effects[ix.Name] = e
	}
	return effects
}

// page returns the entries from lo up to hi, which is not included (nil is no bound), within the
// limits.
func (t *modelTable) page(source string, lo, hi item.Item, reverse bool, limit, maxBytes int) Page {
	entries := t.entries(source)
	if reverse {
		slices.Reverse(entries)
	}
	var p Page
	for _, e := range entries {
		if lo != "" && t.compare(source, e, lo) < 0 || hi != "" && t.compare(source, e, hi) >= 0 {
			continue
		}
		p.Items = append(p.Items, e)
		p.Bytes += e.Size()
		if len(p.Items) == limit || maxBytes > 0 && p.Bytes > maxBytes {
			p.More = true
			break
		}
	}
	return p
}
