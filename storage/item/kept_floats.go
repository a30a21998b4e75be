package item

import "strings"

// keptFloats has the floats of lists of numbers that a parser read, so that AppendFloats need not
// read them again. A list is known by its text, as far as it was read in one run.
type keptFloats struct {
	on     bool // the request before this one wanted floats
	wanted bool // this one does
	runs   []floatRun
	floats []float32
}

// floatRun is the text of the first elements of a list, with their floats, floats[from:to].
type floatRun struct {
	text     string
	from, to int
}

// maxKeptFloats bounds the memory: lists that begin behind so many floats are read again, and a
// Reset keeps no more.
const maxKeptFloats = 1 << 16

// reset forgets the lists.
func (k *keptFloats) reset() {
	if !k.on && !k.wanted {
		return
	}
	clear(k.runs)
	k.runs, k.floats = k.runs[:0], k.floats[:0]
	if cap(k.floats) > maxKeptFloats {
		k.runs, k.floats = nil, nil
	}
	k.on, k.wanted = k.wanted, false
}

// end keeps the floats behind from as those of a text.
func (k *keptFloats) end(text string, from int) {
	if len(k.floats) > from {
		k.runs = append(k.runs, floatRun{text, from, len(k.floats)})
	}
}

// cut appends the floats at the start of a list that are kept, and returns the rest of the list.
func (k *keptFloats) cut(dst []float32, list string) (_ []float32, rest string) {
	for _, r := range k.runs {
		if rest, ok := strings.CutPrefix(list, r.text); ok {
			return append(dst, k.floats[r.from:r.to]...), strings.TrimPrefix(rest, ",")
		}
	}
	return dst, list
}

// AppendFloats is v.AppendFloats, and faster for values in the Scratch. From the next Reset on,
// until a Reset without a call before it, parsing keeps the floats for it.
func (m *Scratch) AppendFloats(dst []float32, v Value) (_ []float32, ok bool) {
	if m == nil {
		return v.AppendFloats(dst)
	}
	m.floats.wanted = true
	list, ok := v.elements()
	if !ok {
		return dst, false
	}
	dst, list = m.floats.cut(dst, list)
	return appendFloats(dst, list)
}
