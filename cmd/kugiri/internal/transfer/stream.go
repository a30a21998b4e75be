package transfer

import (
	"fmt"
	"io"
)

// stream reads a stream of JSON value by value. It finds only where a value ends: whoever decodes
// the value finds out whether it is JSON.
type stream struct {
	in  io.Reader
	buf []byte
	at  int   // buf[at:] is unread
	err error // what has ended in

	dropped int // how many bytes were in buf before
}

func newStream(in io.Reader) *stream { return &stream{in: in, buf: make([]byte, 0, 64<<10)} }

// fill reads more. It reports false if nothing more comes.
func (s *stream) fill() bool {
	if s.at > 0 && len(s.buf) == cap(s.buf) {
		s.dropped += s.at
		s.buf, s.at = s.buf[:copy(s.buf, s.buf[s.at:])], 0
	}
	if len(s.buf) == cap(s.buf) {
		s.buf = append(make([]byte, 0, 2*cap(s.buf)), s.buf...)
	}
	for s.err == nil {
		n, err := s.in.Read(s.buf[len(s.buf):cap(s.buf)])
		s.buf, s.err = s.buf[:len(s.buf)+n], err
		if n > 0 {
			return true
		}
	}
	return false
}

// peek returns the first byte of the next token.
func (s *stream) peek() (byte, error) {
	for blank := 0; ; {
		begin := s.at
		for ; s.at < len(s.buf); s.at++ {
			switch c := s.buf[s.at]; c {
			case ' ', '\t', '\r', '\n':
			default:
				return c, nil
			}
		}
		if blank += s.at - begin; blank > maxBlank {
			return 0, errBlank
		}
		if !s.fill() {
			return 0, s.err
		}
	}
}

// pos returns how many bytes were consumed.
func (s *stream) pos() int { return s.dropped + s.at }

// idle returns an error if too many bytes were consumed since a position, and none of them is of an
// item.
func (s *stream) idle(since int) error {
	if s.pos()-since > maxBlank {
		return errIdle
	}
	return nil
}

// take consumes the byte that peek has returned.
func (s *stream) take() { s.at++ }

// next consumes a delimiter, which must follow.
func (s *stream) next(delimiter byte) error {
	c, err := s.peek()
	if err != nil {
		return err
	}
	if c != delimiter {
		return fmt.Errorf("%q where %q should be", c, delimiter)
	}
	s.take()
	return nil
}

// value consumes the next value and returns its text, which is valid until the next call. A longer
// value than most bytes is an error.
func (s *stream) value(most int) ([]byte, error) {
	if _, err := s.peek(); err != nil {
		return nil, err
	}
	var v valueEnd
	for n := 0; ; {
		for ; s.at+n < len(s.buf); n++ {
			if n == most {
				return nil, fmt.Errorf("one value is longer than %d bytes", most)
			}
			if v.before(s.buf[s.at+n]) {
				s.at += n
				return s.buf[s.at-n : s.at], nil
			}
		}
		if !s.fill() {
			if v.complete() && s.err == io.EOF {
				s.at += n
				return s.buf[s.at-n : s.at], nil
			}
			return nil, s.err
		}
	}
}

// valueEnd finds the end of a value: of an object, a list or a string its last byte, of anything
// else what no longer belongs to it.
type valueEnd struct {
	depth         int
	text, escaped bool // it is within a string, and the next character is escaped
	over          bool
}

// before reports whether the value has ended before the next byte.
func (v *valueEnd) before(c byte) bool {
	switch {
	case v.over:
		return true
	case v.escaped:
		v.escaped = false
	case v.text:
		v.escaped, v.text = c == '\\', c != '"'
		v.over = !v.text && v.depth == 0
	default:
		return v.beforeToken(c)
	}
	return false
}

// beforeToken is before outside of strings.
func (v *valueEnd) beforeToken(c byte) bool {
	switch c {
	case '"':
		v.text = true
	case '{', '[':
		v.depth++
	case '}', ']':
		v.depth--
		v.over = v.depth == 0
		return v.depth < 0
	case ',', ':', ' ', '\t', '\r', '\n':
		return v.depth == 0
	}
	return false
}

// complete reports whether the value may end here.
func (v *valueEnd) complete() bool { return !v.text && v.depth == 0 }
