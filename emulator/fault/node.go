package fault

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/kugiri-db/kugiri/storage/item/jsontext"
	"github.com/kugiri-db/kugiri/storage/jsontree"
)

// node is a JSON value.
type node jsontree.Node

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
	n, err := jsontree.Read(text, maxTextDeep)
	if err != nil {
		return node{}, err
	}
	if m := n.Twice(); m != nil {
		return node{}, fmt.Errorf("the member %q %w", m.Name, jsontree.ErrTwice)
	}
	return node(n), nil
}

// members calls the function in known for each member of an object. Errors name the member.
func (n node) members(known map[string]func(node) error) error {
	list, ok := n.Value.(jsontree.Object)
	if !ok {
		return errors.New("must be an object")
	}
	for _, m := range list {
		f := known[m.Name]
		if f == nil {
			return fmt.Errorf("there is no member %q", m.Name)
		}
		if err := f(node(m.Value)); err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
	}
	return nil
}

func (n node) text() (string, error) {
	s, ok := n.Value.(string)
	if !ok {
		return "", errors.New("must be a string")
	}
	return s, nil
}

func (n node) boolean() (bool, error) {
	b, ok := n.Value.(bool)
	if !ok {
		return false, errors.New("must be true or false")
	}
	return b, nil
}

func (n node) number() (json.Number, error) {
	number, ok := n.Value.(json.Number)
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
	list, ok := n.Value.([]jsontree.Node)
	if !ok {
		return nil, errors.New("must be an array")
	}
	nodes := make([]node, len(list))
	for i := range list {
		nodes[i] = node(list[i])
	}
	return nodes, nil
}
