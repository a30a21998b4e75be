package seed

import "iter"

// write is one write. Data may have a great many, so that it keeps none of their text.
type write struct {
	in     *source
	table  string
	at     int    // the offset of its text in the source
	length uint32 // the length of its text; a file has at most maxFile bytes
	index  int32  // the same as in place
	kind   writeKind
}

// writeKind says what the text of a write holds.
type writeKind uint8

const (
	put     writeKind = iota // an item
	remove                   // a key
	request                  // a whole PutItem request
)

// newWrite returns the write whose text a node has.
func newWrite(n node, table string, kind writeKind) write {
	return write{n.in, table, n.at, uint32(len(n.raw)), int32(n.index), kind}
}

func (w *write) text() []byte { return w.in.text[w.at:][:w.length] }

func (w *write) place() place { return place{in: w.in, at: w.at, index: int(w.index)} }

// writes is a list of writes that grows without being copied.
type writes struct {
	chunks [][]write
	count  int
}

// chunkSize is how many writes are together in memory: some batches of them.
const chunkSize = 40 * batchSize

func (l *writes) add(w write) {
	if l.count%chunkSize == 0 {
		l.chunks = append(l.chunks, make([]write, 0, min(chunkSize, max(l.count, batchSize))))
	}
	last := &l.chunks[len(l.chunks)-1]
	*last = append(*last, w)
	l.count++
}

// batches returns the writes in their order. Each batch has as many as a BatchWriteItem request may
// have, or a single one that needs a request of its own.
func (l *writes) batches() iter.Seq[[]write] {
	return func(yield func([]write) bool) {
		for _, rest := range l.chunks {
			for len(rest) > 0 {
				n := 0
				for n < len(rest) && n < batchSize && rest[n].kind != request {
					n++
				}
				if !yield(rest[:max(n, 1)]) {
					return
				}
				rest = rest[max(n, 1):]
			}
		}
	}
}
