package fault

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// node is a JSON value: a list of members for an object, a []node for an array, or a string,
// json.Number, bool or nil.
type node struct{ value any }

type memberList []member

type member struct {
	name  string
	value node
}

// Limits of the text that Parse accepts.
const (
	maxText     = 1 << 20 // bytes
	maxTextDeep = 4 * maxDepth
)

// parseJSON reads one JSON value. A name may occur only once in an object.
func parseJSON(text []byte) (node, error) {
	switch {
	case len(text) > maxText:
		return node{}, fmt.Errorf("the text is longer than %d bytes", maxText)
	case !json.Valid(text) || jsontext.CheckUnicode(string(text)) != nil:
		return node{}, errors.New("the text is no JSON")
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	n, err := readNode(d, 0)
	if err != nil {
		return n, err
	}
	if _, err := d.Token(); err != io.EOF {
		return n, errors.New("there is more than one JSON value")
	}
	return n, nil
}

func readNode(d *json.Decoder, depth int) (node, error) {
	if depth > maxTextDeep {
		return node{}, errors.New("the JSON is nested too deep")
	}
	t, err := d.Token()
	if err != nil {
		return node{}, err
	}
	switch t {
	case json.Delim('['):
		list := []node{}
		for d.More() {
			n, err := readNode(d, depth+1)
			if err != nil {
				return n, err
			}
			list = append(list, n)
		}
		_, err = d.Token()
		return node{list}, err
	case json.Delim('{'):
		return readObject(d, depth)
	}
	return node{t}, nil
}

func readObject(d *json.Decoder, depth int) (node, error) {
	list, seen := memberList{}, map[string]bool{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return node{}, err
		}
		name, _ := t.(string)
		if seen[name] {
			return node{}, fmt.Errorf("the member %q is there twice", name)
		}
		seen[name] = true
		n, err := readNode(d, depth+1)
		if err != nil {
			return n, err
		}
		list = append(list, member{name, n})
	}
	_, err := d.Token()
	return node{list}, err
}

// members calls the function in known for each member of an object. Errors name the member.
func (n node) members(known map[string]func(node) error) error {
	list, ok := n.value.(memberList)
	if !ok {
		return errors.New("must be an object")
	}
	for _, m := range list {
		f := known[m.name]
		if f == nil {
			return fmt.Errorf("there is no member %q", m.name)
		}
		if err := f(m.value); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	return nil
}

func (n node) text() (string, error) {
	s, ok := n.value.(string)
	if !ok {
		return "", errors.New("must be a string")
	}
	return s, nil
}

func (n node) boolean() (bool, error) {
	b, ok := n.value.(bool)
	if !ok {
		return false, errors.New("must be true or false")
	}
	return b, nil
}

func (n node) number() (json.Number, error) {
	number, ok := n.value.(json.Number)
	if !ok {
		return "", errors.New("must be a number")
	}
	return number, nil
}

func (n node) integer() (int, error) {
	number, err := n.number()
	if err != nil {
		return 0, err
	}
	i, err := strconv.ParseInt(string(number), 10, 32)
	if err != nil {
		return 0, fmt.Errorf("%s is no integer of 32 bits", number)
	}
	return int(i), nil
}

func (n node) seed() (uint64, error) {
	number, err := n.number()
	if err != nil {
		return 0, err
	}
	i, err := strconv.ParseUint(string(number), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s is no integer from 0 on of 64 bits", number)
	}
	return i, nil
}

func (n node) float() (float64, error) {
	number, err := n.number()
	if err != nil {
		return 0, err
	}
	f, err := strconv.ParseFloat(string(number), 64)
	if err != nil {
		return 0, fmt.Errorf("%s is out of range", number)
	}
	return f, nil
}

// array returns the elements of an array.
func (n node) array() ([]node, error) {
	list, ok := n.value.([]node)
	if !ok {
		return nil, errors.New("must be an array")
	}
	return list, nil
}
