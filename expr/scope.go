package expr

import (
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/storage/item"
)

// Name is one entry of ExpressionAttributeNames.
type Name struct{ Placeholder, Attribute string }

// Scope holds the names and values that a request gives to its expressions, and notes which of them
// were used. It is for one request and one goroutine. None of its parts refers to another one, so a
// Scope can lie on the stack. The zero Scope has neither names nor values.
type Scope struct {
	names     entries
	nameIndex map[string]int // nil if there are few names
	values    entries        // sorted by placeholder
}

// entries holds names or values.
type entries struct {
	n    int
	few  [4]entry
	many []entry // takes the place of few, unless it is nil
}

type entry struct {
	placeholder string
	text        string // the attribute, or the item.Value
	used        bool
}

// room returns memory for n entries, which replace all others.
func (e *entries) room(n int) []entry {
	e.n = n
	if n > len(e.few) {
		e.many = make([]entry, n)
	}
	return e.all()
}

func (e *entries) all() []entry {
	if e.many != nil {
		return e.many
	}
	return e.few[:e.n]
}

// unused returns the placeholders that no expression has used.
func (e *entries) unused() (list []string) {
	all := e.all()
	for i := range all {
		if !all[i].used {
			list = append(list, all[i].placeholder)
		}
	}
	return list
}

// namesWithoutIndex is the most names that are looked up without a map.
const namesWithoutIndex = 16

// NewScope returns a Scope on which Open has succeeded.
func NewScope(names []Name, values item.Item) (*Scope, error) {
	s := new(Scope)
	if err := s.Open(names, values); err != nil {
		return nil, err
	}
	return s, nil
}

// Open gives names and values to the zero Scope. It checks their syntax, that neither map is empty,
// and their size. nil names or "" values mean that the request has none.
func (s *Scope) Open(names []Name, values item.Item) error {
	if names != nil {
		if err := s.setNames(names); err != nil {
			return err
		}
	}
	size := 0
	if values != "" {
		if err := s.setValues(values); err != nil {
			return err
		}
		size = values.Size()
	}
	for i := range names { // the keys of both were checked first (service facts B.6)
		n := &names[i]
		if n.Attribute == "" {
			return Error(namesParam + " contains invalid value: Empty attribute name for key " +
				n.Placeholder)
		}
		size += len(n.Placeholder) + len(n.Attribute)
	}
	if size > maxSubstitutionBytes {
		return Error(
			"Expression attribute names and values have exceeded the maximum allowed size;")
	}
	return nil
}

// CheckPlaceholders checks the keys of names and values as Open does. It is for requests with an
// invalid value, which cannot be passed to Open (service facts B.6).
func CheckPlaceholders(names []Name, values []string) error {
	for i := range names {
		if err := checkPlaceholder(namesParam, names[i].Placeholder, '#'); err != nil {
			return err
		}
	}
	for _, key := range values {
		if err := checkPlaceholder(valuesParam, key, ':'); err != nil {
			return err
		}
	}
	return nil
}

const (
	namesParam  = "ExpressionAttributeNames"
	valuesParam = "ExpressionAttributeValues"
)

func (s *Scope) setNames(names []Name) error {
	if len(names) == 0 {
		return Error(namesParam + " must not be empty")
	}
	all := s.names.room(len(names))
	for i := range names {
		n := &names[i]
		if err := checkPlaceholder(namesParam, n.Placeholder, '#'); err != nil {
			return err
		}
		all[i] = entry{placeholder: n.Placeholder, text: n.Attribute}
	}
	if len(names) > namesWithoutIndex {
		s.nameIndex = make(map[string]int, len(names))
		for i := range names {
			s.nameIndex[names[i].Placeholder] = i
		}
	}
	return nil
}

func (s *Scope) setValues(values item.Item) error {
	n := values.Len()
	if n == 0 {
		return Error(valuesParam + " must not be empty")
	}
	all, i := s.values.room(n), 0
	for placeholder, v := range values.All() {
		if err := checkPlaceholder(valuesParam, placeholder, ':'); err != nil {
			return err
		}
		all[i] = entry{placeholder: placeholder, text: string(v)}
		i++
	}
	return nil
}

// checkPlaceholder checks a key of ExpressionAttributeNames or ExpressionAttributeValues.
func checkPlaceholder(param, key string, sigil byte) error {
	if len(key) < 2 || key[0] != sigil || lexWord(key, 1) != len(key) {
		return Error(param + ` contains invalid key: Syntax error; key: "` + key + `"`)
	}
	if len(key) > maxPlaceholderBytes {
		return Error(param +
			` contains invalid key: The key has exceeded the maximum allowed size; key: "` +
			key + `"`)
	}
	return nil
}

// name resolves #placeholder.
func (s *Scope) name(placeholder string) (attribute string, ok bool) {
	all := s.names.all()
	if s.nameIndex != nil {
		i, ok := s.nameIndex[placeholder]
		if !ok {
			return "", false
		}
		return all[i].use(), true
	}
	for i := range all {
		if all[i].placeholder == placeholder {
			return all[i].use(), true
		}
	}
	return "", false
}

// value resolves :placeholder.
func (s *Scope) value(placeholder string) (value string, ok bool) {
	all := s.values.all()
	i, ok := slices.BinarySearchFunc(all, placeholder, func(e entry, p string) int {
		return strings.Compare(e.placeholder, p)
	})
	if !ok {
		return "", false
	}
	return all[i].use(), true
}

func (e *entry) use() string {
	e.used = true
	return e.text
}

// Unused returns the service's error for names or values that no expression has used so far.
func (s *Scope) Unused() error {
	if unused := s.names.unused(); unused != nil {
		slices.Sort(unused)
		return errUnused(namesParam, unused)
	}
	if unused := s.values.unused(); unused != nil {
		return errUnused(valuesParam, unused)
	}
	return nil
}

func errUnused(param string, keys []string) error {
	return Error("Value provided in " + param + " unused in expressions: keys: {" +
		strings.Join(keys, ", ") + "}")
}
