package design

import (
	"math"
	"slices"
	"strings"
)

// The key of row n of a model is unique because it is n, written with one digit an attribute: an
// attribute with few values has a digit of so many. The last attribute without a bound, the
// counter, has all of what is left of n, and those before it have any value, but for the first one:
// it differs in groups of rows, which have the same value of the counter. If there is no counter,
// the rows end when the digits do.

// groupSize is how many rows have the same value of the counter of a key.
const groupSize = 3

// fit notes which timestamps are in keys, and lowers the rows of models to those that their keys
// can tell apart. Keys of other models may have their values.
func (s *Samples) fit() {
	for _, m := range s.design.Elsewhere {
		for _, name := range m.Key {
			s.inKeys[m.Name+"."+name] = true
		}
	}
	for i := range s.design.Models {
		m := &s.design.Models[i]
		for _, name := range m.Key {
			of, a := s.root(m, m.Attribute(name))
			s.inKeys[of.Name+"."+a.Name] = true
		}
		for _, unique := range m.Unique {
			s.inKeys[m.Name+"."+unique[len(unique)-1]] = true
		}
	}
	for fits := false; !fits; {
		fits = true
		for i := range s.design.Models {
			name := s.design.Models[i].Name
			if most := s.Most(name); most < s.scale[name] {
				s.scale[name], fits = most, false
			}
		}
	}
}

// Most returns how many rows of a model there can be, because its key has so many values.
func (s *Samples) Most(model string) int64 {
	m := s.design.Model(model)
	if m.Reserves != nil {
		return s.Most(m.Reserves.Of)
	}
	if len(m.Key) == 0 || s.counter(m) >= 0 {
		return math.MaxInt64
	}
	most := int64(1)
	for i := range m.Key {
		most *= min(s.digits(m, i), math.MaxInt64/most)
	}
	return most
}

// root follows Of from an attribute of a model to the one whose values they are.
func (s *Samples) root(m *Model, a *Attribute) (*Model, *Attribute) {
	model, name, _ := strings.Cut(rootOf(s.design.Models, m.Name, a), ".")
	m = s.design.anyModel(model)
	return m, m.Attribute(name)
}

// counter returns the place of the counter in a model's key, or -1: an attribute with values of its
// own, as many as rows are wanted.
func (s *Samples) counter(m *Model) int {
	for i, name := range slices.Backward(m.Key) {
		a := m.Attribute(name)
		if a.Of == "" && a.Constant == "" && (a.Values == 0 || a.Values >= s.wanted[m.Name]) {
			return i
		}
	}
	return -1
}

// keyNumber returns the number of the value that an attribute has in row n. ok is false for an
// attribute that may have any value.
func (s *Samples) keyNumber(m *Model, a *Attribute, n int64) (number int64, ok bool) {
	at, counter, group := slices.Index(m.Key, a.Name), s.counter(m), s.group(m)
	switch {
	case at == 0 && group > 1:
		return s.drawn(m, a, s.distinct(m, a)/group)*group + n%group, true
	case at < counter || at < 0:
		return 0, false
	}
	n /= group
	for i := len(m.Key) - 1; i > at; i-- {
		n /= s.digits(m, i)
	}
	if at == counter {
		return n, true
	}
	digits := s.digits(m, at)
	return (n + n/digits) % digits, true // rows with one value here differ in the digit before
}

// group returns how many rows have the same value of the counter: 1 if no attribute is before it
// that tells them apart.
func (s *Samples) group(m *Model) int64 {
	if s.counter(m) > 0 && s.distinct(m, m.Attribute(m.Key[0])) >= groupSize {
		return groupSize
	}
	return 1
}

// digits returns how many values a key attribute has that is not the counter. Beside a counter
// these are few, so that the counter has several values as well.
func (s *Samples) digits(m *Model, at int) int64 {
	n := s.distinct(m, m.Attribute(m.Key[at]))
	if s.counter(m) >= 0 {
		n = min(n, max(s.scale[m.Name]/10, 3))
	}
	return n
}

// distinct returns how many values an attribute has in the rows.
func (s *Samples) distinct(m *Model, a *Attribute) int64 {
	m, a = s.root(m, a)
	if m.isUnique(a.Name) {
		return max(s.scale[m.Name], 1)
	}
	switch at := s.counter(m); {
	case a.Constant != "":
		return 1
	case at >= 0 && m.Key[at] == a.Name:
		group := s.group(m)
		n := (s.scale[m.Name] + group - 1) / group
		for i := at + 1; i < len(m.Key); i++ {
			d := s.digits(m, i)
			n = (n + d - 1) / d
		}
		return max(n, 1)
	}
	return max(min(s.values(m, a), s.scale[m.Name]), 1)
}
