package storage

import "github.com/kugiri-db/kugiri/storage/item"

// vectorReader reads vectors. It keeps the last one, because a vector is read twice: when a write
// is checked and when it is made. A nil vectorReader keeps none.
type vectorReader struct {
	text   []byte // a copy of the last value
	vector []float32

	from, to []byte // memory for the keys of the partitions that an entry leaves and enters
}

// keptVector is the size of the longest value that a vectorReader keeps.
const keptVector = 128 << 10

// read returns a vector, valid until the next call. ok is false if v is no vector of so many
// dimensions. memory is where v is, or nil.
func (r *vectorReader) read(memory *item.Scratch, v item.Value, dimensions int) (vector []float32,
	ok bool) {
	if r == nil || len(v) > keptVector {
		vector, ok = v.AppendFloats(nil)
		return vector, ok && len(vector) == dimensions
	}
	if string(r.text) != string(v) {
		r.text = r.text[:0]
		if r.vector, ok = memory.AppendFloats(r.vector[:0], v); !ok {
			return nil, false
		}
		r.text = append(r.text, v...)
	}
	return r.vector, v != "" && len(r.vector) == dimensions
}
