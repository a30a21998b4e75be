package journal

import (
	"encoding/binary"
	"errors"
)

// The kinds of operations in an encoded batch.
const (
	opPut    = 'p'
	opDelete = 'd'
	opDrop   = 'x'
)

// Batch is a list of operations in the encoding that journals write to files. An operation is one
// byte for its kind and then its bucket, key and value, as far as the kind has them. Each of these
// follows its length, a varint. The zero Batch is empty.
type Batch struct {
	buf []byte
}

// keptBatch is the most bytes of memory that Reset keeps for the next operations.
const keptBatch = 1 << 20

// Put sets the value of a key in a bucket. It creates the bucket if necessary.
func (b *Batch) Put(bucket, key, value string) {
	b.buf = append(b.buf, opPut)
	b.add(bucket)
	b.add(key)
	b.add(value)
}

// Delete removes a key from a bucket, if it is there.
func (b *Batch) Delete(bucket, key string) {
	b.buf = append(b.buf, opDelete)
	b.add(bucket)
	b.add(key)
}

// Drop removes a bucket with all of its keys, if it is there.
func (b *Batch) Drop(bucket string) {
	b.buf = append(b.buf, opDrop)
	b.add(bucket)
}

func (b *Batch) add(s string) {
	b.buf = binary.AppendUvarint(b.buf, uint64(len(s)))
	b.buf = append(b.buf, s...)
}

// Append adds the operations of another batch.
func (b *Batch) Append(other *Batch) { b.buf = append(b.buf, other.buf...) }

// Bytes returns the encoded operations. The slice is valid until the batch changes.
func (b *Batch) Bytes() []byte { return b.buf }

// Empty reports whether there are no operations.
func (b *Batch) Empty() bool { return len(b.buf) == 0 }

// Reset empties the batch.
func (b *Batch) Reset() {
	b.buf = b.buf[:0]
	if cap(b.buf) > keptBatch {
		b.buf = nil
	}
}

// Target receives decoded operations. The slices are parts of the encoded batch.
type Target interface {
	Put(bucket, key, value []byte)
	Delete(bucket, key []byte)
	Drop(bucket []byte)
}

// errBatch is the error of bytes that are not an encoded batch.
var errBatch = errors.New("not an encoded batch")

// Decode applies the operations of encoded batches to a target, in order. If it fails, it may have
// applied some of them.
func Decode(encoded []byte, to Target) error {
	d := decoder{rest: encoded}
	for len(d.rest) > 0 && !d.bad {
		kind := d.rest[0]
		d.rest = d.rest[1:]
		bucket := d.field()
		switch kind {
		case opPut:
			key := d.field()
			if value := d.field(); !d.bad {
				to.Put(bucket, key, value)
			}
		case opDelete:
			if key := d.field(); !d.bad {
				to.Delete(bucket, key)
			}
		case opDrop:
			if !d.bad {
				to.Drop(bucket)
			}
		default:
			d.bad = true
		}
	}
	if d.bad {
		return errBatch
	}
	return nil
}

// decoder reads fields. bad is set once a field is malformed.
type decoder struct {
	rest []byte
	bad  bool
}

func (d *decoder) field() []byte {
	n, used := binary.Uvarint(d.rest)
	if used <= 0 || n > uint64(len(d.rest)-used) {
		d.bad, d.rest = true, nil
		return nil
	}
	field := d.rest[used : used+int(n)]
	d.rest = d.rest[used+int(n):]
	return field
}
