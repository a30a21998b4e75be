package bucket

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// ionFrames passes Ion on, and refuses binary values at the top level that claim to be longer than
// any record. The library allocates what such a value claims before it reads it, so that a few bytes
// could end the process; it checks the lengths of inner values against their container by itself.
// (Amazon Ion 1.0 binary encoding, "Typed value formats".)
type ionFrames struct {
	in     *bufio.Reader
	text   bool
	begun  bool
	inside uint64 // bytes left of the present value
}

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
		return f.in.Read(p)
	}
	if f.inside == 0 {
		var err error
		if f.inside, err = f.frame(); err != nil {
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

// longFrame is frame for a value whose length follows as a VarUInt.
func (f *ionFrames) longFrame() (uint64, error) {
	const mostDigits = 10 // of 7 bits
	head, _ := f.in.Peek(1 + mostDigits)
	length := uint64(0)
	for i, digit := range head[1:] {
		length = length<<7 | uint64(digit&0x7F)
		if length > maxRecord {
			return 0, fmt.Errorf("a value claims to have %d bytes or more: %w", length, errLongRecord)
		}
		if digit&0x80 != 0 {
			return uint64(i) + 2 + length, nil
		}
	}
	return 1, nil
}
