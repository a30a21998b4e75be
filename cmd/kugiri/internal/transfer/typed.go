package transfer

import (
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// UnmarshalItem reads an item from DynamoDB JSON. The text must have nothing else.
func UnmarshalItem(text []byte) (Item, error) {
	item, err := typedItem(string(text))
	return item, explained(string(text), err)
}

// typedItem reads an item from DynamoDB JSON. Whoever shows its error to somebody calls explained.
func typedItem(text string) (Item, error) {
	s := itemScanner{Scanner: jsontext.NewScanner(text)}
	if s.Peek() != '{' {
		return nil, errNoItem
	}
	item, err := scanAttributes(&s, 0)
	if err == nil {
		err = s.End()
	}
	return item, err
}

// explained returns the error of a text that no item could be read from. That it is no JSON comes
// before all else.
func explained(text string, err error) error {
	if err == nil {
		return nil
	}
	s := jsontext.NewScanner(text)
	if s.Skip(maxTree) != nil || s.End() != nil {
		return syntaxError([]byte(text))
	}
	return err
}

// The errors of JSON in another form.
var (
	errNoItem  = errors.New(`an item is an object, such as {"pk":{"S":"a"}}`)
	errNoValue = errors.New(`a value is an object with its type, such as {"S":"a"} ` +
		`(for JSON without types use --format plain)`)
	errDepth = fmt.Errorf("nested deeper than %d levels", maxNesting)
)

// within is an error in an attribute, or in an element of a list. Its text is made when it is asked
// for, because most errors only say that a text has another form.
type within struct {
	place any // the name of an attribute, or the place of an element
	err   error
}

func (w *within) Error() string {
	if i, ok := w.place.(int); ok {
		return fmt.Sprintf("[%d]: %v", i, w.err)
	}
	return fmt.Sprintf("attribute %q: %v", w.place, w.err)
}

func (w *within) Unwrap() error { return w.err }

// maxValues is the most values that an item may have: each takes at least one of its 400 KB.
const maxValues = 400 << 10

// itemScanner reads one item, and counts its values.
type itemScanner struct {
	jsontext.Scanner
	values int
}

// count counts a value.
func (s *itemScanner) count() error {
	if s.values++; s.values > maxValues {
		return fmt.Errorf("more than %d values, more than any item has", maxValues)
	}
	return nil
}

// scanAttributes reads an item, or the content of a map.
func scanAttributes(s *itemScanner, depth int) (Item, error) {
	return scanItem(s, func() (types.AttributeValue, error) { return scanValue(s, depth+1) })
}

// scanItem reads an object whose members one reads.
func scanItem(s *itemScanner, one func() (types.AttributeValue, error)) (Item, error) {
	var item Item // made for its first member: most texts that are no item end before it
	s.Next('{')
	for first := true; !s.Next('}'); first = false {
		if !first && !s.Next(',') {
			return nil, jsontext.ErrSyntax
		}
		name, err := scanText(&s.Scanner)
		if err != nil {
			return nil, err
		}
		if item[name] != nil {
			return nil, twice(name)
		}
		if !s.Next(':') {
			return nil, jsontext.ErrSyntax
		}
		v, err := one()
		if err == nil {
			err = s.count()
		}
		if err != nil {
			return nil, &within{name, err}
		}
		if item == nil {
			item = Item{}
		}
		item[name] = v
	}
	if item == nil {
		return Item{}, nil
	}
	return item, nil
}

// scanElements reads a list whose elements one reads.
func scanElements[V any](s *itemScanner, one func() (V, error)) ([]V, error) {
	list := []V{}
	s.Next('[')
	for !s.Next(']') {
		if len(list) > 0 && !s.Next(',') {
			return nil, jsontext.ErrSyntax
		}
		v, err := one()
		if err == nil {
			err = s.count()
		}
		if err != nil {
			return nil, &within{len(list), err}
		}
		list = append(list, v)
	}
	return list, nil
}

// scanValue reads a value such as {"S":"a"}.
func scanValue(s *itemScanner, depth int) (types.AttributeValue, error) {
	if !s.Next('{') || s.Peek() != '"' {
		return nil, errNoValue
	}
	if depth > maxNesting {
		return nil, errDepth
	}
	kind, err := scanText(&s.Scanner)
	if err != nil {
		return nil, err
	}
	if !s.Next(':') {
		return nil, jsontext.ErrSyntax
	}
	v, err := scanTyped(s, kind, depth)
	if err == nil && !s.Next('}') {
		err = furtherType(s, kind)
	}
	return v, err
}

// furtherType returns the error of a value that has a member after its type.
func furtherType(s *itemScanner, kind string) error {
	if s.Next(',') {
		if name, err := scanText(&s.Scanner); err == nil && name == kind {
			return twice(name)
		}
	}
	return errNoValue
}

func twice(name string) error { return fmt.Errorf("the name %q occurs twice in an object", name) }

// scanTyped reads what a value of a type has.
func scanTyped(s *itemScanner, kind string, depth int) (types.AttributeValue, error) {
	text := func() (string, error) { return scanTextOf(s, kind) }
	binary := func() ([]byte, error) { return scanBinary(s, kind) }
	switch kind {
	case "S":
		v, err := text()
		return &types.AttributeValueMemberS{Value: v}, err
	case "N":
		v, err := text()
		return &types.AttributeValueMemberN{Value: v}, err
	case "B":
		v, err := binary()
		return &types.AttributeValueMemberB{Value: v}, err
	case "BOOL":
		v, err := scanBool(s, kind)
		return &types.AttributeValueMemberBOOL{Value: v}, err
	case "NULL":
		v, err := scanBool(s, kind)
		return &types.AttributeValueMemberNULL{Value: v}, err
	case "SS", "NS", "BS", "L":
		if s.Peek() != '[' {
			return nil, fmt.Errorf("%s takes a list", kind)
		}
	case "M":
		if s.Peek() != '{' {
			return nil, errors.New("M is an object")
		}
	}
	switch kind {
	case "SS":
		list, err := scanElements(s, text)
		return &types.AttributeValueMemberSS{Value: list}, err
	case "NS":
		list, err := scanElements(s, text)
		return &types.AttributeValueMemberNS{Value: list}, err
	case "BS":
		list, err := scanElements(s, binary)
		return &types.AttributeValueMemberBS{Value: list}, err
	case "L":
		list, err := scanElements(s,
			func() (types.AttributeValue, error) { return scanValue(s, depth+1) })
		return &types.AttributeValueMemberL{Value: list}, err
	case "M":
		m, err := scanAttributes(s, depth)
		return &types.AttributeValueMemberM{Value: m}, err
	}
	return nil, otherType(s, kind)
}

// otherType returns the error of an object that does not begin with a type. With several members it
// is no value at all.
func otherType(s *itemScanner, kind string) error {
	if s.Skip(maxTree) != nil || !s.Next('}') {
		return errNoValue
	}
	return fmt.Errorf("%q is not a type: use S, N, B, BOOL, NULL, SS, NS, BS, L or M", kind)
}

func scanTextOf(s *itemScanner, kind string) (string, error) {
	if s.Peek() != '"' {
		return "", fmt.Errorf("%s takes a string", kind)
	}
	return scanText(&s.Scanner)
}

func scanBinary(s *itemScanner, kind string) ([]byte, error) {
	text, err := scanTextOf(s, kind)
	if err != nil {
		return nil, err
	}
	return binaryOf(kind, text)
}

func binaryOf(kind, text string) ([]byte, error) {
	b, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("%s takes base64: %w", kind, err)
	}
	return b, nil
}

func scanBool(s *itemScanner, kind string) (bool, error) {
	switch {
	case s.Next('t'):
		return true, nil
	case s.Next('f'):
		return false, nil
	}
	return false, fmt.Errorf("%s takes true or false", kind)
}
