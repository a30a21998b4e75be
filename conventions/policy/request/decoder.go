package request

import (
	"errors"
	"fmt"

	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

var errTwice = errors.New("is there twice")

// decoder reads parameters from the JSON of a request.
type decoder struct{ s *jsontext.Scanner }

// object reads an object, member by member, or null.
func (d *decoder) object(member func(name string) error) error {
	if d.s.Next('n') {
		return nil
	}
	if !d.s.Next('{') {
		return errors.New("an object is missing")
	}
	if d.s.Next('}') {
		return nil
	}
	seen := make(map[string]bool, 8)
	for {
		name, err := d.text()
		switch {
		case err != nil:
			return err
		case seen[name]:
			return fmt.Errorf("%.100q %w", name, errTwice)
		case !d.s.Next(':'):
			return jsontext.ErrSyntax
		}
		seen[name] = true
		if err := member(name); err != nil {
			return err
		}
		if d.s.Next('}') {
			return nil
		}
		if !d.s.Next(',') {
			return jsontext.ErrSyntax
		}
	}
}

// list reads a list, element by element, or null.
func (d *decoder) list(element func() error) error {
	if d.s.Next('n') {
		return nil
	}
	if !d.s.Next('[') {
		return errors.New("a list is missing")
	}
	if d.s.Next(']') {
		return nil
	}
	for {
		if err := element(); err != nil {
			return err
		}
		if d.s.Next(']') {
			return nil
		}
		if !d.s.Next(',') {
			return jsontext.ErrSyntax
		}
	}
}

// text reads a string.
func (d *decoder) text() (string, error) {
	raw, escaped, err := d.s.String()
	if escaped {
		raw = jsontext.Unquote(raw)
	}
	return raw, err
}

// optionalText reads a string, or null into "".
func (d *decoder) optionalText(into *string) error {
	if d.s.Next('n') {
		return nil
	}
	text, err := d.text()
	*into = text
	return err
}

func (d *decoder) attributes(into *item.Item) error {
	a, err := item.ParseAttributes(d.s)
	if err == nil && a.Invalid != nil {
		err = a.Invalid
	}
	*into = a.Item
	return err
}

func (d *decoder) value(into *item.Value) error {
	v, invalid, err := item.ParseValue(d.s)
	if err == nil && invalid != nil {
		err = invalid
	}
	*into = v
	return err
}

func (d *decoder) values(into *[]item.Value) error {
	return d.list(func() error {
		*into = append(*into, "")
		return d.value(&(*into)[len(*into)-1])
	})
}
