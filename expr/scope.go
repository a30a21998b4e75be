package expr

import (
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/storage/item"
)

// Name is one entry of ExpressionAttributeNames.
type Name struct{ Placeholder, Attribute string }

// Scope holds the names and values that a request gives its expressions, and
// remembers which of them were used. It is for one request and one goroutine.
type Scope struct {
	names    []Name
	nameUsed []bool
	values   []scopeValue // sorted by placeholder
	index    map[string]int

	usedBuf  [8]bool
	valueBuf [4]scopeValue
}

type scopeValue struct {
	placeholder string
	value       item.Value
	used        bool
}

// More names than these are looked up in a map.
const namesWithoutIndex = 16

// NewScope checks names and values by themselves (their syntax, that neither is
// empty if given, the limits on their size): nil names or "" values were not given.
func NewScope(names []Name, values item.Item) (*Scope, error) {
	s := &Scope{names: names}
	if err := s.checkNames(); err != nil {
		return nil, err
	}
	if values != "" {
		if err := s.setValues(values); err != nil {
			return nil, err
		}
	}
	size := 0
	if values != "" {
		size = values.Size()
	}
	for i := range names {
		size += len(names[i].Placeholder) + len(names[i].Attribute)
	}
	if size > maxSubstitutionBytes {
		return nil, Error("Expression attribute names and values have exceeded the maximum allowed size;")
	}
	return s, nil
}

func (s *Scope) checkNames() error {
	const param = "ExpressionAttributeNames"
	if s.names == nil {
		return nil
	}
	if len(s.names) == 0 {
		return Error(param + " must not be empty")
	}
	for i := range s.names {
		if err := checkPlaceholder(param, s.names[i].Placeholder, '#'); err != nil {
			return err
		}
		if s.names[i].Attribute == "" {
			return Error(param + " contains invalid value: Empty attribute name for key " + s.names[i].Placeholder)
		}
	}
	if len(s.names) <= len(s.usedBuf) {
		s.nameUsed = s.usedBuf[:len(s.names)]
	} else {
		s.nameUsed = make([]bool, len(s.names))
	}
	if len(s.names) > namesWithoutIndex {
		s.index = make(map[string]int, len(s.names))
		for i := range s.names {
			s.index[s.names[i].Placeholder] = i
		}
	}
	return nil
}

func (s *Scope) setValues(values item.Item) error {
	const param = "ExpressionAttributeValues"
	n := values.Len()
	if n == 0 {
		return Error(param + " must not be empty")
	}
	s.values = s.valueBuf[:0]
	if n > len(s.valueBuf) {
		s.values = make([]scopeValue, 0, n)
	}
	for name, v := range values.All() {
		if err := checkPlaceholder(param, name, ':'); err != nil {
			return err
		}
		s.values = append(s.values, scopeValue{placeholder: name, value: v})
	}
	return nil
}

// checkPlaceholder checks a key of ExpressionAttributeNames or ExpressionAttributeValues.
func checkPlaceholder(param, key string, sigil byte) error {
	if len(key) < 2 || key[0] != sigil || lexWord(key, 1) != len(key) {
		return Error(param + ` contains invalid key: Syntax error; key: "` + key + `"`)
	}
	if len(key) > maxPlaceholderBytes {
		return Error(param + ` contains invalid key: The key has exceeded the maximum allowed size; key: "` + key + `"`)
	}
	return nil
}

// name resolves #placeholder.
func (s *Scope) name(placeholder string) (string, bool) {
	i, ok := s.findName(placeholder)
	if !ok {
		return "", false
	}
	s.nameUsed[i] = true
	return s.names[i].Attribute, true
}

func (s *Scope) findName(placeholder string) (int, bool) {
	if s.index != nil {
		i, ok := s.index[placeholder]
		return i, ok
	}
	for i := range s.names {
		if s.names[i].Placeholder == placeholder {
			return i, true
		}
	}
	return 0, false
}

// value resolves :placeholder.
func (s *Scope) value(placeholder string) (item.Value, bool) {
	i, ok := slices.BinarySearchFunc(s.values, placeholder, func(v scopeValue, p string) int {
		return strings.Compare(v.placeholder, p)
	})
	if !ok {
		return "", false
	}
	s.values[i].used = true
	return s.values[i].value, true
}

// Unused reports, as the service does, a name or value that no expression bound so far has used.
func (s *Scope) Unused() error {
	var unused []string
	for i := range s.names {
		if !s.nameUsed[i] {
			unused = append(unused, s.names[i].Placeholder)
		}
	}
	if unused != nil {
		slices.Sort(unused)
		return errUnused("ExpressionAttributeNames", unused)
	}
	for i := range s.values {
		if !s.values[i].used {
			unused = append(unused, s.values[i].placeholder)
		}
	}
	if unused != nil {
		return errUnused("ExpressionAttributeValues", unused)
	}
	return nil
}

func errUnused(param string, keys []string) error {
	return Error("Value provided in " + param + " unused in expressions: keys: {" + strings.Join(keys, ", ") + "}")
}
