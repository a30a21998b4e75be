package protocol

import (
	"errors"

	"github.com/kugiri-db/kugiri/emulator/dax/cbor"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// ErrUnknownList is the error of an attribute list that nobody has defined.
var ErrUnknownList = errors.New("an attribute list that is not defined")

// The parts of a transaction come one by one: first all tables, then all keys, and so on.

// open makes an entry for each table of a transaction.
func (d *Decoder) open(q *Request, r *cbor.Reader) error {
	return r.Each(func(int, int) error {
		if len(q.Entries) == maxEntries {
			return ErrBody
		}
		table, s, err := d.table(r)
		q.Entries = append(q.Entries, Entry{Table: table, Schema: s})
		return err
	})
}

// column reads an element for each entry. null stands for null everywhere.
func (q *Request) column(r *cbor.Reader, f func(i int, e *Entry) error) error {
	if r.Is(cbor.Null) {
		return nil
	}
	n := 0
	err := r.Each(func(i, _ int) error {
		if n++; n > len(q.Entries) {
			return cbor.ErrMalformed
		}
		if r.Is(cbor.Null) {
			return nil
		}
		return f(i, &q.Entries[i])
	})
	if err == nil && n != len(q.Entries) {
		err = cbor.ErrMalformed
	}
	return err
}

// keys reads the keys of the entries. Each has one.
func (d *Decoder) keys(q *Request, r *cbor.Reader) error {
	if r.Major() != cbor.Array {
		return cbor.ErrMalformed
	}
	err := q.column(r, func(_ int, e *Entry) (err error) {
		*e, err = d.entry(r, e.Table, e.Schema)
		return err
	})
	for i := range q.Entries {
		if err == nil && q.Entries[i].Key == "" {
			err = cbor.ErrMalformed
		}
	}
	return err
}

// transactGet reads tables, keys and projections.
func (d *Decoder) transactGet(q *Request, r *cbor.Reader) error {
	if err := d.open(q, r); err != nil {
		return err
	}
	if err := d.keys(q, r); err != nil {
		return err
	}
	err := q.column(r, func(_ int, e *Entry) (err error) {
		e.Paths, err = optionalProjection(r)
		return err
	})
	if err != nil {
		return err
	}
	o, err := readOptions(r)
	if err != nil {
		return err
	}
	body := []byte(`{"TransactItems":[`)
	for i := range q.Entries {
		e := &q.Entries[i]
		body = jsontext.AppendQuoted(append(comma(body, i), `{"Get":{"TableName":`...), e.Table)
		body = append(append(append(body, `,"Key":{`...), e.Key...), '}')
		if e.Paths != nil {
			var p scope
			body = append(body, `,"ProjectionExpression":`...)
			body = jsontext.AppendQuoted(body, p.project(e.Paths))
			body = p.appendTo(body)
		}
		body = append(body, "}}"...)
		if err := d.body(body); err != nil {
			return err
		}
	}
	if body, err = o.appendTo(append(body, ']'), nil); err != nil {
		return err
	}
	o.tell(q)
	q.Body = o.end(body)
	return nil
}

// writing holds what the columns of a TransactWriteItems say of an entry.
type writing struct {
	kind              int
	failed            string // ReturnValuesOnConditionCheckFailure
	condition, update []byte
}

// transactWrite reads kinds, tables, keys, items, values to return, values to return on failure,
// conditions and updates.
func (d *Decoder) transactWrite(q *Request, r *cbor.Reader) error {
	var all []writing
	err := r.Each(func(int, int) error {
		if len(all) == maxEntries {
			return ErrBody
		}
		kind, err := number(r)
		all = append(all, writing{kind: kind})
		return err
	})
	if err != nil {
		return err
	}
	if err := d.open(q, r); err != nil {
		return err
	}
	if len(all) != len(q.Entries) {
		return cbor.ErrMalformed
	}
	if err := d.keys(q, r); err != nil {
		return err
	}
	if err := d.writings(q, all, r); err != nil {
		return err
	}
	o, err := readOptions(r)
	if err != nil {
		return err
	}
	body := []byte(`{"TransactItems":[`)
	for i := range q.Entries {
		if body, err = appendWriting(comma(body, i), &q.Entries[i], &all[i]); err != nil {
			return err
		}
		if err := d.body(body); err != nil {
			return err
		}
		q.Entries[i].Item = ""
	}
	if body, err = o.appendTo(append(body, ']'), nil); err != nil {
		return err
	}
	o.tell(q)
	q.Body = o.end(body)
	return nil
}

// writings reads the columns behind the keys.
func (d *Decoder) writings(q *Request, all []writing, r *cbor.Reader) error {
	made := 0 // bytes of JSON
	for _, f := range [...]func(i int, e *Entry) error{
		func(_ int, e *Entry) error {
			item, err := d.put(nil, e, r)
			e.Item = string(item)
			if made += len(item); err == nil && made > d.Limits.BodyBytes {
				err = ErrBody
			}
			return err
		},
		func(int, *Entry) error {
			_, err := oneOf(r, returnValues) // the answer has no values to return
			return err
		},
		func(i int, _ *Entry) (err error) {
			all[i].failed, err = oneOf(r, returnValues[:3])
			return err
		},
		func(i int, _ *Entry) (err error) {
			all[i].condition, err = r.Bytes()
			return err
		},
		func(i int, _ *Entry) (err error) {
			all[i].update, err = r.Bytes()
			return err
		},
	} {
		if err := q.column(r, f); err != nil {
			return err
		}
	}
	return nil
}

// appendWriting appends an element of TransactItems.
func appendWriting(dst []byte, e *Entry, w *writing) ([]byte, error) {
	var member string
	switch {
	case w.kind == opPut && e.Write == Put:
		member = "Put"
	case w.kind == opDelete && e.Write == NoWrite:
		member, e.Write = "Delete", Delete
	case w.kind == opUpdate && e.Write == NoWrite:
		member, e.Write = "Update", Update
	case w.kind == opCheck && e.Write == NoWrite:
		member = "ConditionCheck"
	default:
		return dst, cbor.ErrMalformed
	}
	dst = append(append(append(dst, `{"`...), member...), `":{"TableName":`...)
	dst = jsontext.AppendQuoted(dst, e.Table)
	if member == "Put" {
		dst = append(append(dst, `,"Item":`...), e.Item...)
	} else {
		dst = append(append(append(dst, `,"Key":{`...), e.Key...), '}')
	}
	if w.failed != "" {
		dst = append(dst, `,"ReturnValuesOnConditionCheckFailure":"`+w.failed+`"`...)
	}
	o := options{expressions: map[int][]byte{}}
	if w.condition != nil {
		o.expressions[optCondition] = w.condition
	}
	if w.update != nil {
		o.expressions[optUpdate] = w.update
	}
	dst, err := o.appendExpressions(dst)
	return append(dst, "}}"...), err
}
