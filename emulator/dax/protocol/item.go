package protocol

import (
	"github.com/kugiri-db/kugiri/emulator/dax/cbor"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// attributes are those of an item: their names, and their values as data items.
type attributes struct {
	names  []string
	values [][]byte
}

func (a *attributes) get(name string) []byte {
	for i := range a.names {
		if a.names[i] == name {
			return a.values[i]
		}
	}
	return nil
}

// readAttributes reads an item in JSON.
func readAttributes(s *jsontext.Scanner) (a attributes, err error) {
	var data []byte
	var ends []int
	err = members(s, func(name string) (err error) {
		a.names = append(a.names, name)
		data, err = encodeValue(data, s)
		ends = append(ends, len(data))
		return err
	})
	from := 0
	for _, end := range ends {
		a.values = append(a.values, data[from:end:end])
		from = end
	}
	return a, err
}

// readKey reads the members of a key in JSON, without braces.
func readKey(key string) (attributes, error) {
	s := jsontext.NewScanner("{" + key + "}")
	return readAttributes(&s)
}

// A Stored item has the parts of an item besides its key, as clients get them: the number of its
// attribute list, and behind it the values. "" stands for no item.
type Stored string

// store makes an item Stored.
func store(a *attributes, s Schema, lists Lists) (Stored, error) {
	var names []string
	size := 0
	for i, name := range a.names {
		if !s.has(name) {
			names = append(names, name)
			size += len(a.values[i])
		}
	}
	id, err := lists.ID(names)
	if err != nil {
		return "", err
	}
	data := cbor.AppendInt(make([]byte, 0, size+9), id)
	for i, name := range a.names {
		if !s.has(name) {
			data = append(data, a.values[i]...)
		}
	}
	return Stored(data), nil
}

// listBytes is how many bytes the number of an attribute list has at most.
const listBytes = 9

// List returns the number of the item's attribute list. ok is false for no item.
func (it Stored) List() (id int64, ok bool) {
	if it == "" {
		return 0, false
	}
	id, err := cbor.NewReader([]byte(it[:min(len(it), listBytes)])).Int()
	return id, err == nil
}

// attributes returns the attributes of the item and those of its key. key has the members of the
// key in JSON, without braces.
func (it Stored) attributes(key string, lists Lists) (attributes, error) {
	a, err := readKey(key)
	if err != nil {
		return a, err
	}
	r := cbor.NewReader([]byte(it))
	id, err := r.Int()
	if err != nil {
		return a, err
	}
	names, ok := lists.Names(id)
	if !ok {
		return a, ErrUnknownList
	}
	for _, name := range names {
		value, err := r.Item()
		if err != nil {
			return a, err
		}
		a.names, a.values = append(a.names, name), append(a.values, value)
	}
	return a, nil
}

// JSON returns the item as DynamoDB's JSON, or "" for no item. key has the members of its key,
// without braces.
func (it Stored) JSON(key string, lists Lists) (string, error) {
	if it == "" {
		return "", nil
	}
	r := cbor.NewReader([]byte(it))
	id, err := r.Int()
	if err != nil {
		return "", err
	}
	names, ok := lists.Names(id)
	if !ok {
		return "", ErrUnknownList
	}
	dst := append([]byte{'{'}, key...)
	for _, name := range names {
		if dst, err = appendValue(appendName(append(dst, ','), name), r, nil); err != nil {
			return "", err
		}
	}
	return string(append(dst, '}')), nil
}

// appendProjection appends what paths find, by their ordinals.
func appendProjection(dst []byte, a *attributes, paths []Path) []byte {
	at, n := len(dst), 0
	for i, p := range paths {
		if found := walk(a.get(p[0].name), p[1:]); found != nil {
			dst = append(cbor.AppendInt(dst, int64(i)), found...)
			n++
		}
	}
	return cbor.InsertHead(dst, at, cbor.Map, n)
}

// walk returns what a path finds in a value, or nil.
func walk(value []byte, p Path) []byte {
	for ; len(p) > 0 && value != nil; p = p[1:] {
		var found []byte
		r := cbor.NewReader(value)
		e := p[0]
		switch {
		case e.name == "" && r.Major() == cbor.Array:
			r.Each(func(i, _ int) error {
				element, err := r.Item()
				if int64(i) == e.index {
					found = element
				}
				return err
			})
		case e.name != "" && r.Major() == cbor.Map:
			r.Pairs(func(int, int) error {
				name, err := r.Text()
				if err != nil {
					return err
				}
				member, err := r.Item()
				if string(name) == e.name {
					found = member
				}
				return err
			})
		}
		value = found
	}
	return value
}
