package transfer

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// maxTree is the largest depth of JSON: each level of a value has two objects, as in {"M":{"a":…}}.
const maxTree = 3 * maxNesting

// decodeTree reads one JSON value as encoding/json does, but keeps numbers as text. It refuses
// objects with a name that occurs twice, and strings that are not Unicode, as DynamoDB does.
func decodeTree(text []byte) (any, error) {
	s := jsontext.NewScanner(string(text))
	tree, err := scanTree(&s, maxTree)
	if err == nil {
		err = s.End()
	}
	if errors.Is(err, jsontext.ErrSyntax) {
		return nil, syntaxError(text)
	}
	return tree, err
}

// syntaxError returns the error in a text that a Scanner refuses.
func syntaxError(text []byte) error {
	var any json.RawMessage
	if err := json.Unmarshal(text, &any); err != nil {
		return fmt.Errorf("not JSON: %w", err)
	}
	if err := jsontext.CheckUnicode(string(text)); err != nil {
		return err
	}
	return fmt.Errorf("nested deeper than %d levels", maxNesting)
}

// scanTree reads a value that is nested at most depth levels.
func scanTree(s *jsontext.Scanner, depth int) (any, error) {
	switch k := s.Peek(); k {
	case '"':
		return scanText(s)
	case '0':
		raw, err := s.Number()
		return json.Number(raw), err
	case '{', '[':
		if depth == 0 {
			return nil, jsontext.ErrSyntax
		}
		s.Next(k)
		if k == '{' {
			return scanObject(s, depth-1)
		}
		return scanList(s, depth-1)
	case 't', 'f':
		if s.Next(k) {
			return k == 't', nil
		}
	case 'n':
		if s.Next(k) {
			return nil, nil
		}
	}
	return nil, jsontext.ErrSyntax
}

func scanText(s *jsontext.Scanner) (string, error) {
	raw, escaped, err := s.String()
	if escaped {
		raw = jsontext.Unquote(raw)
	}
	return raw, err
}

// scanObject reads what follows a {.
func scanObject(s *jsontext.Scanner, depth int) (map[string]any, error) {
	members := map[string]any{}
	for !s.Next('}') {
		if len(members) > 0 && !s.Next(',') {
			return nil, jsontext.ErrSyntax
		}
		name, err := scanText(s)
		if err != nil {
			return nil, err
		}
		if _, twice := members[name]; twice {
			return nil, fmt.Errorf("the name %q occurs twice in an object", name)
		}
		if !s.Next(':') {
			return nil, jsontext.ErrSyntax
		}
		if members[name], err = scanTree(s, depth); err != nil {
			return nil, err
		}
	}
	return members, nil
}

// scanList reads what follows a [.
func scanList(s *jsontext.Scanner, depth int) ([]any, error) {
	list := []any{}
	for !s.Next(']') {
		if len(list) > 0 && !s.Next(',') {
			return nil, jsontext.ErrSyntax
		}
		v, err := scanTree(s, depth)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}
