package protocol

import (
	"github.com/kugiri-db/kugiri/emulator/dax/cbor"
)

// Limits of the service within which a cache may answer in its place. What is beyond them is for
// the service to refuse.
const (
	mostKeys       = 100 // keys of a BatchGetItem
	longestText    = 4096
	mostPathLevels = 32
)

// Cacheable reports whether a cache may answer a GetItem or a BatchGetItem with what it has:
// whether the service would certainly accept the request if the items are there.
func (q *Request) Cacheable() bool {
	if q.Method == BatchGetItem {
		if len(q.Entries) == 0 || len(q.Entries) > mostKeys {
			return false
		}
		seen := map[[2]string]bool{}
		for i := range q.Entries {
			k := [2]string{q.Entries[i].Table, q.Entries[i].Key}
			if seen[k] {
				return false
			}
			seen[k] = true
		}
		for i := range q.tables {
			if !plain(q.tables[i].paths) || len(q.tables[i].entries) == 0 {
				return false
			}
		}
		return true
	}
	return plain(q.Paths)
}

// plain reports whether a projection breaks no rule of the service.
func plain(paths []Path) bool {
	length := 0
	for _, p := range paths {
		if len(p) > mostPathLevels {
			return false
		}
		for _, e := range p {
			length += len(e.name) + len("[2147483647].")
		}
	}
	return length <= longestText && !overlap(paths)
}

// EncodeBatch appends the answer to a BatchGetItem: that of the service, nil if it was not asked,
// with the items that a cache had.
func (a *Answer) EncodeBatch(dst []byte, q *Request, cached map[int]Stored,
	lists Lists) (_ []byte, err error) {
	if a == nil {
		a = new(Answer)
	}
	dst = append(dst, success)
	// three parts follow, and the head counts two: the cluster does so, and clients know
	dst = cbor.AppendHead(dst, cbor.Array, 2)
	dst = cbor.AppendHead(dst, cbor.Map, uint64(len(q.tables)))
	for i := range q.tables {
		if dst, err = a.encodeTable(dst, q, &q.tables[i], cached, lists); err != nil {
			return dst, err
		}
	}
	dst = cbor.AppendHead(dst, cbor.Map, uint64(len(a.unprocessed)))
	for _, t := range a.unprocessed {
		dst = cbor.AppendText(dst, t.table)
		dst = cbor.AppendHead(dst, cbor.Array, uint64(len(t.items)))
		for _, key := range t.items {
			dst = appendKeyOf(dst, key, q.schemaOf(t.table))
		}
	}
	return a.appendCapacities(dst, (*capacity).append), nil
}

// encodeTable appends a table's name and its items.
func (a *Answer) encodeTable(dst []byte, q *Request, t *batchTable, cached map[int]Stored,
	lists Lists) (_ []byte, err error) {
	dst = cbor.AppendText(dst, t.name)
	at, n := len(dst), 0
	s := q.schemaOf(t.name)
	for _, it := range a.itemsOf(t.name) {
		if n++; t.paths != nil {
			dst = appendProjection(dst, it, t.paths)
			continue
		}
		n++
		if dst, err = appendItem(appendKeyOf(dst, it, s), it, s, lists); err != nil {
			return dst, err
		}
	}
	for _, i := range t.entries {
		it := cached[i]
		if it == "" {
			continue
		}
		if n++; t.paths != nil {
			found, err := it.attributes(q.Entries[i].Key, lists)
			if err != nil {
				return dst, err
			}
			dst = appendProjection(dst, &found, t.paths)
			continue
		}
		n++
		key, err := readKey(q.Entries[i].Key)
		if err != nil {
			return dst, err
		}
		dst = cbor.AppendBytes(appendKeyOf(dst, &key, s), it)
	}
	return cbor.InsertHead(dst, at, cbor.Array, n), nil
}

func (a *Answer) itemsOf(table string) []*attributes {
	for i := range a.responses {
		if a.responses[i].table == table {
			return a.responses[i].items
		}
	}
	return nil
}

// Found calls f for each entry of a BatchGetItem that the service was asked for and has answered:
// with its item, or "" for a missing one. The answer has whole items.
func (a *Answer) Found(q *Request, asked func(entry int) bool, lists Lists,
	f func(entry int, it Stored)) error {
	type place struct{ table, key string }
	items := map[place]*attributes{}
	collect := func(tables []tableItems, unprocessed bool) {
		for _, t := range tables {
			s := q.schemaOf(t.table)
			for _, it := range t.items {
				k := place{t.table, string(appendKeyOf(nil, it, s))}
				if items[k] = it; unprocessed {
					items[k] = nil
				}
			}
		}
	}
	collect(a.responses, false)
	collect(a.unprocessed, true)
	for i := range q.Entries {
		if !asked(i) {
			continue
		}
		e := &q.Entries[i]
		key, err := readKey(e.Key)
		if err != nil {
			return err
		}
		it, answered := items[place{e.Table, string(appendKeyOf(nil, &key, e.Schema))}]
		switch {
		case !answered:
			f(i, "")
		case it != nil:
			stored, err := store(it, e.Schema, lists)
			if err != nil {
				return err
			}
			f(i, stored)
		}
	}
	return nil
}

// Unprocessed reports whether the service has left a write of a BatchWriteItem undone.
func (a *Answer) Unprocessed(e *Entry) bool {
	key, err := readKey(e.Key)
	if err != nil {
		return true
	}
	want := string(appendKeyOf(nil, &key, e.Schema))
	for _, t := range a.unprocessed {
		if t.table != e.Table {
			continue
		}
		for _, it := range t.items {
			if string(appendKeyOf(nil, it, e.Schema)) == want {
				return true
			}
		}
	}
	return false
}
