package serve

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// Member is a member of a request that a strict reader takes: its name, and what it must be.
type Member struct {
	Name     string
	Is       MemberKind
	Required bool // it must be there, and is not null
	Values   bool // it holds attribute values
}

// MemberKind says what a member must be.
type MemberKind string

const (
	IsString   MemberKind = "a string"
	IsInteger  MemberKind = "i32"
	IsSequence MemberKind = "a sequence"
	IsMap      MemberKind = "a map"
	isBoolean  MemberKind = "a boolean"
)

// ReadBy returns the operation with a strict reader, which the service has for requests of its
// newest operation only: it names the first member that has another type, or is missing, and where
// in the text it stands then (service facts V.4.1).
func (o Operation) ReadBy(members []Member) Operation {
	serve := o.Serve
	o.Serve = func(c *Call, body string, dst []byte) ([]byte, error) {
		err := readStrictly(body, members)
		if err == nil {
			dst, err = serve(c, body, dst)
		}
		if malformed, ok := err.(item.SerializationError); ok {
			err = &apierr.Error{Type: apierr.StrictSerialization, Message: string(malformed)}
		}
		return dst, err
	}
	return o
}

// readStrictly returns the error of the first member that is not what it must be. Text that is no
// object is left to the reader of all operations.
func readStrictly(body string, members []Member) error {
	s := jsontext.NewScanner(body)
	if !s.Next('{') {
		return nil
	}
	found := make(map[string]bool, len(members))
	for s.Peek() == '"' {
		name, _, err := s.String()
		if err != nil || !s.Next(':') {
			return nil
		}
		for i := range members {
			if members[i].Name == name {
				found[name] = true
				if err := members[i].check(s); err != nil {
					return err
				}
				if members[i].Values {
					if err := checkValues(s); err != nil {
						return err
					}
				}
			}
		}
		if s.Skip(deepest) != nil || !s.Next(',') {
			break
		}
	}
	if !s.Next('}') {
		return nil
	}
	for i := range members {
		if members[i].Required && !found[members[i].Name] {
			return apierr.Invalid("missing field `%s` at %s", members[i].Name, place(&s))
		}
	}
	return nil
}

// deepest is a depth that no request reaches that the next reader accepts.
const deepest = 1000

// check returns an error if the next value is not what the member must be. The scanner is a copy:
// the caller skips the value.
func (m *Member) check(s jsontext.Scanner) error {
	kind := s.Peek()
	from := s.Pos()
	if kind != '{' && kind != '[' && s.Skip(0) != nil {
		return nil
	}
	text := s.Text(from)
	switch {
	case kind == 'n' && !m.Required,
		kind == '"' && m.Is == IsString,
		kind == '[' && m.Is == IsSequence,
		kind == '{' && m.Is == IsMap,
		(kind == 't' || kind == 'f') && m.Is == isBoolean,
		kind == '0' && m.Is == IsInteger && isInt32(text):
		return nil
	}
	fault := "type"
	if kind == '0' && m.Is == IsInteger && isInteger(text) {
		fault = "value"
	}
	return item.SerializationError(fmt.Sprintf("invalid %s: %s, expected %s at %s",
		fault, unexpected(kind, text), m.Is, place(&s)))
}

// isInteger reports whether the text of a number has no fraction and no exponent.
func isInteger(text string) bool { return !strings.ContainsAny(text, ".eE") }

func isInt32(text string) bool {
	_, err := strconv.ParseInt(text, 10, 32)
	return err == nil
}

// unexpected describes a value that has another type.
func unexpected(kind jsontext.Kind, text string) string {
	switch kind {
	case '{':
		return "map"
	case '[':
		return "sequence"
	case '"':
		return "string " + text
	case 't', 'f':
		return "boolean `" + text + "`"
	case 'n':
		return "null"
	}
	if !isInteger(text) {
		return "floating point `" + text + "`"
	}
	return "integer `" + text + "`"
}

// place says how far the scanner has read.
func place(s *jsontext.Scanner) string {
	read := s.Text(0)
	line := 1 + strings.Count(read, "\n")
	column := len(read) - 1 - strings.LastIndexByte(read, '\n')
	return fmt.Sprintf("line %d column %d", line, column)
}
