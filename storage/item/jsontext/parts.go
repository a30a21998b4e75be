package jsontext

import "iter"

// Members yields the names of the members of the object that comes next, as Unquote returns them.
// At each name the scanner stands before the value, and skips it, with at most depth levels, unless
// the loop reads it. The loop ends behind the object, or where the text is not JSON. Another value
// has no members, and remains unread.
func (s *Scanner) Members(depth int) iter.Seq[string] {
	return func(yield func(name string) bool) {
		for more := s.Next('{') && !s.Next('}'); more; more = s.more('}') {
			name, _, err := s.String()
			if err != nil || !s.Next(':') {
				return
			}
			s.Space()
			if at := s.pos; !yield(Unquote(name)) || s.pos == at && s.Skip(depth) != nil {
				return
			}
		}
	}
}

// Elements yields the places, from 0, of the elements of the list that comes next, as Members
// yields the names of an object.
func (s *Scanner) Elements(depth int) iter.Seq[int] {
	return func(yield func(place int) bool) {
		place := 0
		for more := s.Next('[') && !s.Next(']'); more; more = s.more(']') {
			s.Space()
			if at := s.pos; !yield(place) || s.pos == at && s.Skip(depth) != nil {
				return
			}
			place++
		}
	}
}

// more consumes the delimiter behind a member or an element, and reports whether another one comes.
func (s *Scanner) more(closing Kind) bool { return !s.Next(closing) && s.Next(',') }

// Value consumes one value, with at most depth levels, and returns its text.
func (s *Scanner) Value(depth int) (string, error) {
	s.Space()
	from := s.pos
	err := s.Skip(depth)
	return s.src[from:s.pos], err
}
