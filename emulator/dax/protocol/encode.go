package protocol

import (
	"slices"
	"strconv"

	"github.com/kugiri-db/kugiri/emulator/dax/cbor"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// Encode appends an answer as the client of the request reads it.
func (a *Answer) Encode(dst []byte, q *Request, lists Lists) ([]byte, error) {
	dst = append(dst, success)
	switch q.Method {
	case GetItem, PutItem, UpdateItem, DeleteItem:
		return a.encodeSingle(dst, q, lists)
	case Query, Scan:
		return a.encodeSearch(dst, q, lists, true)
	case BatchWriteItem:
		return a.encodeBatchWrite(dst, q, lists)
	case TransactGetItems:
		return a.encodeTransactGet(dst, q, lists)
	case TransactWriteItems:
		dst = cbor.AppendHead(dst, cbor.Array, 3)
		dst = append(dst, cbor.Array) // writes have no answers: the list is empty
		dst = a.appendCapacities(dst, (*capacity).appendExtended)
		return a.appendMetrics(dst), nil
	}
	return dst, errAnswer
}

// EncodeUncounted is Encode of a Query or a Scan without the capacity, for a cache to keep.
func (a *Answer) EncodeUncounted(q *Request, lists Lists) ([]byte, error) {
	return a.encodeSearch(Success(), q, lists, false)
}

// appendItem appends an item without its key.
func appendItem(dst []byte, it *attributes, s Schema, lists Lists) ([]byte, error) {
	stored, err := store(it, s, lists)
	return cbor.AppendBytes(dst, stored), err
}

func (a *Answer) encodeSingle(dst []byte, q *Request, lists Lists) (_ []byte, err error) {
	dst = append(dst, cbor.MapStream)
	switch {
	case a.single == nil:
	case q.Method == GetItem && q.Paths != nil:
		dst = appendProjection(cbor.AppendInt(dst, ansItem), a.single, q.Paths)
	case q.Method == GetItem:
		dst, err = appendItem(cbor.AppendInt(dst, ansItem), a.single, q.Schema, lists)
	case q.partial:
		dst, err = appendPartial(cbor.AppendInt(dst, ansAttrs), a.single, lists)
	default:
		dst, err = appendItem(cbor.AppendInt(dst, ansAttrs), a.single, q.Schema, lists)
	}
	if err != nil {
		return dst, err
	}
	if len(a.capacities) > 0 {
		dst = a.capacities[0].append(cbor.AppendInt(dst, ansCapacity))
	}
	if a.metrics != nil {
		dst = append(cbor.AppendInt(dst, ansMetrics), a.metrics...)
	}
	return append(dst, cbor.Break), nil
}

// appendPartial appends some attributes of an item: the number of their list, and values by their
// place in it.
func appendPartial(dst []byte, it *attributes, lists Lists) ([]byte, error) {
	id, err := lists.ID(slices.Clone(it.names))
	if err != nil {
		return dst, err
	}
	at := len(dst)
	dst = cbor.AppendInt(dst, id)
	dst = append(dst, cbor.MapStream) // Java's client insists
	for i, v := range it.values {
		dst = append(cbor.AppendInt(dst, int64(i)), v...)
	}
	dst = append(dst, cbor.Break)
	return cbor.InsertHead(dst, at, cbor.Bytes, len(dst)-at), nil
}

// EncodeItem appends the answer to a GetItem out of a cache.
func EncodeItem(dst []byte, q *Request, it Stored, lists Lists) ([]byte, error) {
	dst = append(dst, success, cbor.MapStream)
	switch {
	case it == "":
	case q.Paths == nil:
		dst = cbor.AppendBytes(cbor.AppendInt(dst, ansItem), it)
	default:
		a, err := it.attributes(q.Entries[0].Key, lists)
		if err != nil {
			return dst, err
		}
		dst = appendProjection(cbor.AppendInt(dst, ansItem), &a, q.Paths)
	}
	return append(dst, cbor.Break), nil
}

// Item returns the item of an answer to a GetItem, or "".
func (a *Answer) Item(q *Request, lists Lists) (Stored, error) {
	if a.single == nil {
		return "", nil
	}
	return store(a.single, q.Schema, lists)
}

// Store makes an item Stored. text is its JSON, with the attributes of its key.
func Store(text string, s Schema, lists Lists) (Stored, error) {
	sc := jsontext.NewScanner(text)
	a, err := readAttributes(&sc)
	if err != nil {
		return "", err
	}
	return store(&a, s, lists)
}

func (a *Answer) encodeSearch(dst []byte, q *Request, lists Lists,
	counted bool) (_ []byte, err error) {
	dst = append(dst, cbor.MapStream)
	if a.hasItems {
		dst = cbor.AppendInt(dst, ansItems)
		dst = cbor.AppendHead(dst, cbor.Array, uint64(len(a.items)))
		for _, it := range a.items {
			if q.Paths != nil {
				dst = appendProjection(dst, it, q.Paths)
				continue
			}
			dst = cbor.AppendHead(dst, cbor.Array, 2)
			dst = appendKeyOf(dst, it, q.Schema)
			if dst, err = appendItem(dst, it, q.Schema, lists); err != nil {
				return dst, err
			}
		}
	}
	for i, text := range a.numbers {
		if text != "" {
			n, _ := strconv.ParseInt(text, 10, 64)
			dst = cbor.AppendInt(cbor.AppendInt(dst, []int64{ansCount, ansScanned}[i]), n)
		}
	}
	if a.last != nil {
		dst = cbor.AppendInt(dst, ansLastKey)
		if q.Indexed {
			dst = appendNamedKey(dst, a.last)
		} else {
			dst = appendKeyOf(dst, a.last, q.Schema)
		}
	}
	if counted && q.Capacity != "" && len(a.capacities) > 0 {
		dst = a.capacities[0].append(cbor.AppendInt(dst, ansCapacity))
	}
	return append(dst, cbor.Break), nil
}

// appendKeyOf appends the key of an item.
func appendKeyOf(dst []byte, it *attributes, s Schema) []byte {
	return s.encodeKey(dst, it.get)
}

// appendNamedKey appends a key with the names of its attributes, as pages of an index end with.
func appendNamedKey(dst []byte, key *attributes) []byte {
	at := len(dst)
	dst = append(dst, cbor.MapStream)
	for i, name := range key.names {
		dst = append(cbor.AppendText(dst, name), key.values[i]...)
	}
	dst = append(dst, cbor.Break)
	return cbor.InsertHead(dst, at, cbor.Bytes, len(dst)-at)
}

func (a *Answer) appendCapacities(dst []byte, form func(*capacity, []byte) []byte) []byte {
	dst = cbor.AppendHead(dst, cbor.Array, uint64(len(a.capacities)))
	for i := range a.capacities {
		dst = form(&a.capacities[i], dst)
	}
	return dst
}

// appendMetrics appends the metrics of a batch or a transaction.
func (a *Answer) appendMetrics(dst []byte) []byte {
	if a.metrics == nil {
		return append(dst, cbor.Map)
	}
	return append(dst, a.metrics...)
}

func (a *Answer) encodeBatchWrite(dst []byte, q *Request, lists Lists) (_ []byte, err error) {
	dst = cbor.AppendHead(dst, cbor.Map, uint64(len(a.unprocessed)))
	for _, t := range a.unprocessed {
		s := q.schemaOf(t.table)
		dst = cbor.AppendText(dst, t.table)
		dst = cbor.AppendHead(dst, cbor.Array, uint64(2*len(t.items)))
		for i, it := range t.items {
			dst = appendKeyOf(dst, it, s)
			if !t.puts[i] {
				dst = append(dst, cbor.Null)
				continue
			}
			if dst, err = appendItem(dst, it, s, lists); err != nil {
				return dst, err
			}
		}
	}
	dst = a.appendCapacities(dst, (*capacity).append)
	return a.appendMetrics(dst), nil
}

// schemaOf returns the key of one of the tables of a request.
func (q *Request) schemaOf(table string) Schema {
	for i := range q.Entries {
		if q.Entries[i].Table == table {
			return q.Entries[i].Schema
		}
	}
	return nil
}

func (a *Answer) encodeTransactGet(dst []byte, q *Request, lists Lists) (_ []byte, err error) {
	if len(a.items) != len(q.Entries) {
		return dst, errAnswer
	}
	dst = cbor.AppendHead(dst, cbor.Array, 2)
	dst = cbor.AppendHead(dst, cbor.Array, uint64(len(a.items)))
	for i, it := range a.items {
		e := &q.Entries[i]
		switch {
		case it == nil:
			dst = append(dst, cbor.Null)
		case e.Paths != nil:
			dst = appendProjection(dst, it, e.Paths)
		default:
			if dst, err = appendItem(dst, it, e.Schema, lists); err != nil {
				return dst, err
			}
		}
	}
	return a.appendCapacities(dst, (*capacity).appendExtended), nil
}
