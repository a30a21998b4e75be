package serve

import (
	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// contents has the kind of value that the strict reader wants for each member of an attribute
// value. The service knows types that its public model does not have (service facts F.71, F.73).
var contents = map[string]MemberKind{
	"S": IsString, "N": IsString, "B": IsString, "BOOL": isBoolean, "NULL": isBoolean,
	"SS": IsSequence, "NS": IsSequence, "BS": IsSequence, "L": IsSequence, "M": IsMap,
	"INT": IsString, "DECIMAL": IsString, "DOUBLE": IsString,
	"INTSET": IsSequence, "DECIMALSET": IsSequence, "DOUBLESET": IsSequence,
}

// checkValues reads a list or a map of attribute values. The scanner is a copy: the caller skips
// the value. Text that is not JSON is left to the reader of all operations.
func checkValues(s jsontext.Scanner) error { return readValues(&s, 0) }

// readValues is checkValues with the caller's scanner. depth is the number of values around.
func readValues(s *jsontext.Scanner, depth int) error {
	shut := jsontext.Kind(']')
	object := s.Peek() == '{'
	if object {
		shut = '}'
	}
	if depth > deepest || !s.Next(s.Peek()) || s.Next(shut) {
		return nil
	}
	for {
		if object {
			if _, _, err := s.String(); err != nil || !s.Next(':') {
				return nil
			}
		}
		if err := readStrictValue(s, depth); err != nil || !s.Next(',') {
			s.Next(shut)
			return err
		}
	}
}

// readStrictValue reads one attribute value, which has exactly one member.
func readStrictValue(s *jsontext.Scanner, depth int) error {
	if !s.Next('{') {
		if s.Skip(deepest) != nil {
			return nil
		}
		return item.ErrSyntax
	}
	raw, _, err := s.String()
	if err != nil || !s.Next(':') {
		return item.ErrSyntax
	}
	wanted, known := contents[jsontext.Unquote(raw)]
	if !known {
		return item.ErrSyntax
	}
	content := Member{Is: wanted, Required: true}
	if err := content.check(*s); err != nil {
		return err
	}
	switch jsontext.Unquote(raw) {
	case "L", "M":
		if err := readValues(s, depth+1); err != nil {
			return err
		}
	default:
		if err := readScalars(s); err != nil {
			return err
		}
	}
	if !s.Next('}') {
		return item.ErrSyntax
	}
	return nil
}

// readScalars reads a scalar, or a list of strings.
func readScalars(s *jsontext.Scanner) error {
	element := Member{Is: IsString, Required: true}
	if s.Peek() == '[' {
		s.Next('[')
		for more := s.Peek() != ']'; more; more = s.Next(',') {
			if err := element.check(*s); err != nil {
				return err
			}
			if s.Skip(deepest) != nil {
				return nil
			}
		}
		s.Next(']')
		return nil
	}
	if s.Skip(deepest) != nil {
		return item.ErrSyntax
	}
	return nil
}
