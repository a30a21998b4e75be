package bucket

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// ionFrames passes Ion on, and refuses binary values at the top level that claim to be longer than
// any record. The library allocates what such a value claims before it reads it, so that a few
// bytes could end the process; it checks the lengths of inner values against their container by
// itself. (Amazon Ion 1.0 binary encoding, "Typed value formats".)
type ionFrames struct {
	in     *bufio.Reader
	text   bool
	begun  bool
	inside uint64 // bytes left of the present value
	check  ionText
	tables symbolCost
	known  uint64 // the bytes of the symbol tables since the last version marker
}

// importsSymbol is in each table that imports the symbols before it: $ion_symbol_table's number.
const importsSymbol = 3

var ionVersionMarker = []byte{0xE0, 0x01, 0x00, 0xEA}

func newIonFrames(in io.Reader) *ionFrames { return &ionFrames{in: bufio.NewReader(in)} }

func (f *ionFrames) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if !f.begun {
		f.begun = true
		begin, _ := f.in.Peek(len(ionVersionMarker)) // the read below gives the error
		f.text = !bytes.Equal(begin, ionVersionMarker)
	}
	if f.text {
		n, err := f.in.Read(p)
		if bad := f.check.check(p[:n]); bad != nil {
			return 0, bad
		}
		return n, err
	}
	if f.inside == 0 {
		var err error
		if f.inside, err = f.frame(); err != nil {
			return 0, err
		}
		if err := f.countTable(); err != nil {
			return 0, err
		}
	}
	n, err := f.in.Read(p[:min(uint64(len(p)), f.inside)])
	f.inside -= uint64(n)
	return n, err
}

// frame returns how many bytes the next value takes, with its type descriptor and length. A value
// that the end of the file cuts off takes one byte: the library names that fault.
func (f *ionFrames) frame() (uint64, error) {
	first, err := f.in.Peek(1)
	if err != nil {
		return 0, err
	}
	kind, length := first[0]>>4, first[0]&0x0F
	switch {
	case kind == 0xE && length == 0:
		return uint64(len(ionVersionMarker)), nil
	case kind == 0xF, kind == 0x1, length == 0xF: // reserved, a boolean, null
		return 1, nil
	case length == 0xE, kind == 0xD && length == 1:
		return f.longFrame()
	}
	return 1 + uint64(length), nil
}

// countTable counts the next value if it is annotated, as symbol tables are. The library copies all
// symbols since the last marker for a table that imports them.
func (f *ionFrames) countTable() error {
	f.tables.total += f.inside
	first, _ := f.in.Peek(1)
	switch {
	case len(first) == 0 || first[0]>>4 != 0xE:
		return nil
	case first[0] == ionVersionMarker[0]:
		f.known = 0
		return nil
	}
	const head = 2 // what is in front of the annotation
	whole, _ := f.in.Peek(int(min(f.inside, uint64(f.in.Size()))))
	inner := whole[min(head, len(whole)):]
	if f.inside <= uint64(len(whole)) && bytes.IndexByte(inner, importsSymbol) < 0 {
		f.known = 0 // it imports nothing: the symbols before it are gone
	}
	f.known += f.inside
	return f.tables.add(f.known)
}

// longFrame is frame for a value whose length follows as a VarUInt.
func (f *ionFrames) longFrame() (uint64, error) {
	const mostDigits = 10 // digits have 7 bits
	head, _ := f.in.Peek(1 + mostDigits)
	length := uint64(0)
	for i, digit := range head[1:] {
		length = length<<7 | uint64(digit&0x7F)
		if length > maxRecord {
			return 0, fmt.Errorf("a value claims to have %d bytes or more: %w", length,
				errLongRecord)
		}
		if digit&0x80 != 0 {
			return uint64(i) + 2 + length, nil
		}
	}
	return 1, nil
}
