package protocol

import (
	"slices"
	"strconv"

	"github.com/kugiri-db/kugiri/emulator/dax/cbor"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// Tables tells the primary keys of tables.
type Tables interface {
	// Schema returns the key of a table. Its error is of a table that does not exist.
	Schema(table string) (Schema, error)
}

// Lists are the attribute lists that clients and servers know by numbers. They are safe for
// concurrent use.
type Lists interface {
	// Names returns a list, which must not be modified.
	Names(id int64) (names []string, ok bool)
	// ID returns the number of a list. It keeps no part of names. The error is that there is no
	// room.
	ID(names []string) (int64, error)
}

// An Entry holds what a request says of one item: which one it is, and what is done with it.
type Entry struct {
	Table  string
	Schema Schema
	Key    string // the members of the key in JSON, without braces
	Item   string // the item to put, in JSON; only while a transaction is decoded
	Write  Write
	Paths  []Path // the paths of a get; nil for the whole item
}

// Write says what a request does to an item.
type Write byte

// The kinds of writes. A condition check writes nothing.
const (
	NoWrite Write = iota
	Put
	Update
	Delete
)

// Request is a call of an operation.
type Request struct {
	Method     Method
	Body       []byte // the request in JSON; see BatchBody for BatchGetItem
	Consistent bool   // reads strongly
	Capacity   string // ReturnConsumedCapacity, "" if it is not asked for
	Entries    []Entry
	// the source and the form of a Query or Scan
	Table   string
	Schema  Schema
	Indexed bool
	Paths   []Path // nil for whole items
	Count   bool   // Select is COUNT
	Same    string // equal for requests whose answers differ in the capacity alone

	// Whole is the Body of a GetItem without its projection, and that of a Query or a Scan with the
	// wish for its capacity.
	Whole []byte

	partial bool // ReturnValues is UPDATED_OLD or UPDATED_NEW
	tables  []batchTable
}

// batchTable is a table of a BatchGetItem.
type batchTable struct {
	name       string
	consistent bool
	paths      []Path
	entries    []int
}

// Decoder reads one request of a connection.
type Decoder struct {
	Tables Tables
	Lists  Lists
	Limits Limits
	keyed  int // bytes of the keys in JSON
}

// Request reads the arguments of a method that calls an operation. It keeps no part of them. Its
// errors are those of package cbor, of Tables, ErrUnknownList, ErrBody and ErrItem.
func (d *Decoder) Request(m Method, arguments []byte) (*Request, error) {
	q := &Request{Method: m}
	r := cbor.NewReader(arguments)
	var err error
	switch m {
	case GetItem, PutItem, UpdateItem, DeleteItem:
		err = d.single(q, r)
	case Query, Scan:
		err = d.search(q, r)
	case BatchGetItem:
		err = d.batchGet(q, r)
	case BatchWriteItem:
		err = d.batchWrite(q, r)
	case TransactGetItems:
		err = d.transactGet(q, r)
	case TransactWriteItems:
		err = d.transactWrite(q, r)
	default:
		err = cbor.ErrMalformed
	}
	if err == nil && !r.Done() {
		err = cbor.ErrMalformed
	}
	if err == nil {
		err = d.body(q.Body)
	}
	if err != nil {
		return nil, err
	}
	return q, nil
}

// Memory returns how many bytes the request holds.
func (q *Request) Memory() int {
	n := cap(q.Body) + len(q.Same)
	if q.Whole != nil {
		n += cap(q.Whole)
	}
	return n + len(q.Entries)*entryBytes
}

// entryBytes is the memory that an Entry takes, with a short key.
const entryBytes = 256

// table reads the name of a table and looks its key up.
func (d *Decoder) table(r *cbor.Reader) (string, Schema, error) {
	name, err := r.Name()
	if err != nil {
		return "", nil, err
	}
	s, err := d.Tables.Schema(name)
	return name, s, err
}

// entry reads the key of an item.
func (d *Decoder) entry(r *cbor.Reader, table string, s Schema) (Entry, error) {
	data, err := r.Bytes()
	if err != nil {
		return Entry{}, err
	}
	if len(data) > d.Limits.ItemBytes+maxText {
		return Entry{}, ErrBody
	}
	key, err := s.appendKey(nil, data)
	if d.keyed += len(key); err == nil && d.keyed > d.Limits.BodyBytes {
		err = ErrBody
	}
	return Entry{Table: table, Schema: s, Key: string(key)}, err
}

// roomFor returns memory for the JSON of writes: texts, the bulk of large requests, are about as
// long as in the message. Memory that grows would be copied several times.
func roomFor(r *cbor.Reader) []byte { return make([]byte, 0, r.Len()+r.Len()/16+256) }

// put reads the attributes of an entry's item that are not of its key: the number of their list,
// and behind it their values. It appends the item's JSON.
func (d *Decoder) put(dst []byte, e *Entry, r *cbor.Reader) ([]byte, error) {
	data, err := r.Bytes()
	if err != nil {
		return dst, err
	}
	in := cbor.NewReader(data)
	id, err := in.Int()
	if err != nil {
		return dst, err
	}
	names, ok := d.Lists.Names(id)
	if !ok {
		return dst, ErrUnknownList
	}
	m := &room{d.Limits.ItemBytes, ErrItem}
	dst = append(append(dst, '{'), e.Key...)
	for _, name := range names {
		if err := m.take(len(name)); err != nil {
			return dst, err
		}
		if dst, err = appendValue(appendName(append(dst, ','), name), in, m); err != nil {
			return dst, err
		}
	}
	if !in.Done() {
		return dst, cbor.ErrMalformed
	}
	e.Write = Put
	dst = append(dst, '}')
	return dst, d.body(dst)
}

// single reads GetItem, PutItem, UpdateItem and DeleteItem.
func (d *Decoder) single(q *Request, r *cbor.Reader) error {
	table, s, err := d.table(r)
	if err != nil {
		return err
	}
	e, err := d.entry(r, table, s)
	if err != nil {
		return err
	}
	body := jsontext.AppendQuoted([]byte(`{"TableName":`), table)
	if q.Method == PutItem {
		if body, err = d.put(append(body, `,"Item":`...), &e, r); err != nil {
			return err
		}
	} else {
		body = append(append(append(body, `,"Key":{`...), e.Key...), '}')
	}
	switch q.Method {
	case UpdateItem:
		e.Write = Update
	case DeleteItem:
		e.Write = Delete
	}
	o, err := readOptions(r)
	if err != nil {
		return err
	}
	if q.Method == GetItem {
		q.Whole = o.end(slices.Clone(body))
	}
	if body, err = o.appendTo(body, s); err != nil {
		return err
	}
	o.tell(q)
	e.Paths = q.Paths
	q.Table, q.Schema, q.Entries = table, s, []Entry{e}
	q.Body = o.end(body)
	return nil
}

// search reads Query and Scan.
func (d *Decoder) search(q *Request, r *cbor.Reader) error {
	table, s, err := d.table(r)
	if err != nil {
		return err
	}
	var keyCondition []byte
	if q.Method == Query && !r.Is(cbor.Null) {
		if keyCondition, err = r.Bytes(); err != nil {
			return err
		}
	}
	o, err := readOptions(r)
	if err != nil {
		return err
	}
	if keyCondition != nil {
		o.expressions[optKeyCondition] = keyCondition
	}
	body := jsontext.AppendQuoted([]byte(`{"TableName":`), table)
	if body, err = o.appendTo(body, s); err != nil {
		return err
	}
	o.tell(q)
	q.Table, q.Schema = table, s
	q.Same = q.Method.Operation() + string(body) + "}"
	counted := o
	if q.Capacity == "" {
		counted.capacity = "TOTAL"
	}
	q.Whole = counted.end(slices.Clone(body))
	q.Body = o.end(body)
	return nil
}

// batchGet reads {table: [consistent, projection, [key, ...]], ...}.
func (d *Decoder) batchGet(q *Request, r *cbor.Reader) error {
	err := r.Pairs(func(int, int) error {
		table, s, err := d.table(r)
		if err != nil {
			return err
		}
		if len(q.tables) == maxTables {
			return ErrBody
		}
		t := batchTable{name: table}
		parts := 0
		err = r.Each(func(i, _ int) (err error) {
			parts++
			switch i {
			case 0:
				t.consistent, err = r.Bool()
			case 1:
				t.paths, err = optionalProjection(r)
			case 2:
				err = r.Each(func(int, int) error {
					if len(q.Entries) == maxEntries {
						return errTooManyKeys
					}
					e, err := d.entry(r, table, s)
					e.Paths = t.paths
					t.entries = append(t.entries, len(q.Entries))
					q.Entries = append(q.Entries, e)
					return err
				})
			default:
				err = cbor.ErrMalformed
			}
			return err
		})
		if err != nil || parts != 3 {
			return malformed(err)
		}
		q.tables = append(q.tables, t)
		return nil
	})
	if err != nil {
		return err
	}
	o, err := readOptions(r)
	o.tell(q)
	return err
}

// The errors of batches with more than maxEntries items, as the service has them.
var (
	errTooManyKeys = NewError("ValidationException",
		"Too many items requested for the BatchGetItem call", 400)
	errTooManyWrites = NewError("ValidationException",
		"Too many items requested for the BatchWriteItem call", 400)
)

func optionalProjection(r *cbor.Reader) ([]Path, error) {
	if r.Is(cbor.Null) {
		return nil, nil
	}
	data, err := r.Bytes()
	if err != nil {
		return nil, err
	}
	return readProjection(data)
}

// Strong reports whether an entry of a BatchGetItem is read strongly.
func (q *Request) Strong(entry int) bool {
	for i := range q.tables {
		for _, e := range q.tables[i].entries {
			if e == entry {
				return q.tables[i].consistent
			}
		}
	}
	return q.Consistent
}

// BatchBody returns the JSON of a BatchGetItem for the entries that want says, and whether there
// are any. With whole it reads whole items, whatever the projections say.
func (q *Request) BatchBody(want func(entry int) bool, whole bool) (body []byte, any bool) {
	body = append(body, `{"RequestItems":{`...)
	tables := 0
	for i := range q.tables {
		t := &q.tables[i]
		n := 0
		for _, e := range t.entries {
			if !want(e) {
				continue
			}
			if n == 0 {
				body = append(appendName(comma(body, tables), t.name), `{"Keys":[`...)
				tables++
			}
			body = append(append(append(comma(body, n), '{'), q.Entries[e].Key...), '}')
			n++
		}
		if n == 0 && len(t.entries) > 0 {
			continue
		}
		if n == 0 { // a table without keys is for the service to refuse
			body = append(appendName(comma(body, tables), t.name), `{"Keys":[`...)
			tables++
		}
		body = append(body, ']')
		if t.consistent {
			body = append(body, `,"ConsistentRead":true`...)
		}
		if t.paths != nil && !whole {
			var p scope
			body = append(body, `,"ProjectionExpression":`...)
			body = jsontext.AppendQuoted(body, p.project(t.paths))
			body = p.appendTo(body)
		}
		body = append(body, '}')
	}
	body = append(body, '}')
	if q.Capacity != "" {
		body = append(body, `,"ReturnConsumedCapacity":"`+q.Capacity+`"`...)
	}
	return append(body, '}'), tables > 0 || len(q.tables) == 0
}

// batchWrite reads {table: [key, item or null, ...], ...}.
func (d *Decoder) batchWrite(q *Request, r *cbor.Reader) error {
	body := append(roomFor(r), `{"RequestItems":{`...)
	err := r.Pairs(func(i, _ int) error {
		if i == maxTables {
			return ErrBody
		}
		table, s, err := d.table(r)
		if err != nil {
			return err
		}
		body = append(appendName(comma(body, i), table), '[')
		parts := 0
		err = r.Each(func(i, _ int) error {
			parts++
			if i%2 == 0 {
				if len(q.Entries) == maxEntries {
					return errTooManyWrites
				}
				e, err := d.entry(r, table, s)
				e.Write = Delete
				q.Entries = append(q.Entries, e)
				return err
			}
			e := &q.Entries[len(q.Entries)-1]
			body = comma(body, i-1)
			if r.Is(cbor.Null) {
				body = append(append(body, `{"DeleteRequest":{"Key":{`...), e.Key...)
				body = append(body, "}}}"...)
				return nil
			}
			body, err = d.put(append(body, `{"PutRequest":{"Item":`...), e, r)
			body = append(body, "}}"...)
			return err
		})
		if err == nil && parts%2 == 1 {
			err = cbor.ErrMalformed
		}
		body = append(body, ']')
		return err
	})
	if err != nil {
		return err
	}
	o, err := readOptions(r)
	if err != nil {
		return err
	}
	if body, err = o.appendTo(append(body, '}'), nil); err != nil {
		return err
	}
	o.tell(q)
	q.Body = o.end(body)
	return nil
}

// number reads a whole number from 0 to 2^31-1.
func number(r *cbor.Reader) (int, error) {
	n, err := r.Int()
	if err != nil || n != int64(int32(n)) {
		return 0, cbor.ErrMalformed
	}
	return int(n), nil
}

// oneOf reads the number of a value.
func oneOf(r *cbor.Reader, values []string) (string, error) {
	n, err := number(r)
	if err != nil || n < 0 || n >= len(values) || values[n] == "" {
		return "", cbor.ErrMalformed
	}
	return values[n], nil
}

func appendInt(dst []byte, name string, n int) []byte {
	return strconv.AppendInt(append(append(append(dst, `,"`...), name...), `":`...), int64(n), 10)
}
