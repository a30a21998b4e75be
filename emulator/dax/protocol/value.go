package protocol

import (
	"encoding/base64"
	"math"

	"github.com/kugiri-db/kugiri/emulator/dax/cbor"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// Tags of the protocol's own.
const (
	tagStringSet = 3321
	tagNumberSet = 3322
	tagBinarySet = 3323
	tagOrdinal   = 3324 // an index of a list in a path
)

func appendNumberValue(dst []byte, number string) []byte {
	dst = append(dst, `{"N":`...)
	return append(jsontext.AppendQuoted(dst, number), '}')
}

func appendBinaryValue(dst, data []byte) []byte {
	dst = append(dst, `{"B":"`...)
	return append(base64.StdEncoding.AppendEncode(dst, data), `"}`...)
}

// Overheads of the service's sizes: of a document, and of each element or member (Developer Guide,
// "DynamoDB item sizes and formats").
const (
	documentBytes = 3
	elementBytes  = 1
)

// appendValue appends the JSON of the attribute value that r reads. It takes the value's size from
// m before it appends anything. A nil m has no end.
func appendValue(dst []byte, r *cbor.Reader, m *room) ([]byte, error) {
	switch r.Major() {
	case cbor.Text:
		text, err := r.Text()
		if err == nil {
			err = m.take(len(text))
		}
		if err != nil {
			return dst, err
		}
		return appendKeyString(dst, "S", text)
	case cbor.Bytes:
		data, err := r.Bytes()
		if err == nil {
			err = m.take(len(data))
		}
		if err != nil {
			return dst, err
		}
		return appendBinaryValue(dst, data), nil
	case cbor.Array, cbor.Map:
		return appendDocument(dst, r, m)
	case cbor.Tag:
		return appendTagged(dst, r, m)
	}
	if err := m.take(1); err != nil {
		return dst, err
	}
	switch {
	case r.Is(cbor.Null) || r.Is(cbor.Undef):
		return append(dst, `{"NULL":true}`...), nil
	case r.Is(cbor.True):
		return append(dst, `{"BOOL":true}`...), nil
	case r.Is(cbor.False):
		return append(dst, `{"BOOL":false}`...), nil
	}
	number, err := r.Number()
	return appendNumberValue(dst, number), err
}

// appendDocument appends a list or a map.
func appendDocument(dst []byte, r *cbor.Reader, m *room) ([]byte, error) {
	err := m.take(documentBytes)
	if err != nil {
		return dst, err
	}
	if r.Major() == cbor.Array {
		dst = append(dst, `{"L":[`...)
		err = r.Each(func(i, _ int) (err error) {
			if err = m.take(elementBytes); err == nil {
				dst, err = appendValue(comma(dst, i), r, m)
			}
			return err
		})
		return append(dst, "]}"...), err
	}
	dst = append(dst, `{"M":{`...)
	err = r.Pairs(func(i, _ int) error {
		name, err := r.Text()
		if err == nil {
			err = m.take(elementBytes + len(name))
		}
		if err == nil {
			dst, err = appendValue(appendName(comma(dst, i), string(name)), r, m)
		}
		return err
	})
	return append(dst, "}}"...), err
}

// appendTagged appends a set or a number.
func appendTagged(dst []byte, r *cbor.Reader, m *room) ([]byte, error) {
	tag, err := r.Tag()
	if err != nil {
		return dst, err
	}
	var kind string
	var element func() error
	switch tag {
	case tagStringSet:
		kind = "SS"
		element = func() error {
			text, err := r.Text()
			if err == nil {
				err = m.take(max(1, len(text)))
			}
			if err == nil {
				dst = jsontext.AppendQuoted(dst, string(text))
			}
			return err
		}
	case tagNumberSet:
		kind = "NS"
		element = func() error {
			if err := m.take(1); err != nil {
				return err
			}
			number, err := r.Number()
			dst = jsontext.AppendQuoted(dst, number)
			return err
		}
	case tagBinarySet:
		kind = "BS"
		element = func() error {
			data, err := r.Bytes()
			if err == nil {
				err = m.take(max(1, len(data)))
			}
			if err == nil {
				dst = base64.StdEncoding.AppendEncode(append(dst, '"'), data)
				dst = append(dst, '"')
			}
			return err
		}
	default:
		if err := m.take(1); err != nil {
			return dst, err
		}
		number, err := r.Tagged(tag)
		return appendNumberValue(dst, number), err
	}
	dst = append(append(append(dst, `{"`...), kind...), `":[`...)
	err = r.Each(func(i, _ int) error {
		dst = comma(dst, i)
		return element()
	})
	return append(dst, "]}"...), err
}

func comma(dst []byte, i int) []byte {
	if i > 0 {
		return append(dst, ',')
	}
	return dst
}

// errAnswer is the error of an answer of the service that has another form than all.
const errAnswer = formError("an answer of the service that is none")

type formError string

func (e formError) Error() string { return string(e) }

// openValue consumes {"S": of an attribute value and returns the type's name.
func openValue(s *jsontext.Scanner) (kind string, err error) {
	if !s.Next('{') {
		return "", errAnswer
	}
	return readName(s)
}

// readName consumes a name and the colon.
func readName(s *jsontext.Scanner) (string, error) {
	name, err := readString(s)
	if err != nil || !s.Next(':') {
		return "", errAnswer
	}
	return name, nil
}

func readString(s *jsontext.Scanner) (string, error) {
	s.Space()
	raw, escaped, err := s.String()
	if err != nil {
		return "", errAnswer
	}
	if escaped {
		return jsontext.Unquote(raw), nil
	}
	return raw, nil
}

// encodeValue appends the attribute value that s reads, as a data item.
func encodeValue(dst []byte, s *jsontext.Scanner) ([]byte, error) {
	kind, err := openValue(s)
	if err != nil {
		return dst, err
	}
	switch kind {
	case "S", "N", "B":
		dst, err = encodeScalar(dst, kind, s)
	case "SS", "NS", "BS":
		dst = cbor.AppendHead(dst, cbor.Tag, map[string]uint64{
			"SS": tagStringSet, "NS": tagNumberSet, "BS": tagBinarySet,
		}[kind])
		at, n := len(dst), 0
		err = elements(s, func() (err error) {
			n++
			dst, err = encodeScalar(dst, kind[:1], s)
			return err
		})
		dst = cbor.InsertHead(dst, at, cbor.Array, n)
	case "L":
		at, n := len(dst), 0
		err = elements(s, func() (err error) {
			n++
			dst, err = encodeValue(dst, s)
			return err
		})
		dst = cbor.InsertHead(dst, at, cbor.Array, n)
	case "M":
		at, n := len(dst), 0
		err = members(s, func(name string) (err error) {
			n++
			dst, err = encodeValue(cbor.AppendText(dst, name), s)
			return err
		})
		dst = cbor.InsertHead(dst, at, cbor.Map, n)
	case "NULL", "BOOL":
		var truth bool
		truth, err = readBool(s)
		switch {
		case kind == "NULL":
			dst = append(dst, cbor.Null)
		case truth:
			dst = append(dst, cbor.True)
		default:
			dst = append(dst, cbor.False)
		}
	default:
		err = errAnswer
	}
	if err != nil || !s.Next('}') {
		return dst, errAnswer
	}
	return dst, nil
}

func encodeScalar(dst []byte, kind string, s *jsontext.Scanner) ([]byte, error) {
	text, err := readString(s)
	if err != nil {
		return dst, err
	}
	switch kind {
	case "S":
		return cbor.AppendText(dst, text), nil
	case "N":
		return cbor.AppendNumber(dst, text), nil
	}
	at := len(dst)
	dst, err = base64.StdEncoding.AppendDecode(dst, []byte(text))
	return cbor.InsertHead(dst, at, cbor.Bytes, len(dst)-at), err
}

func readBool(s *jsontext.Scanner) (bool, error) {
	switch {
	case s.Next('t'):
		return true, nil
	case s.Next('f'):
		return false, nil
	}
	return false, errAnswer
}

// elements reads an array, and calls f before each element, which f reads.
func elements(s *jsontext.Scanner, f func() error) error {
	if !s.Next('[') {
		return errAnswer
	}
	if s.Next(']') {
		return nil
	}
	for {
		if err := f(); err != nil {
			return err
		}
		if s.Next(']') {
			return nil
		}
		if !s.Next(',') {
			return errAnswer
		}
	}
}

// members reads an object, and calls f with the name of each member, whose value f reads.
func members(s *jsontext.Scanner, f func(name string) error) error {
	if !s.Next('{') {
		return errAnswer
	}
	if s.Next('}') {
		return nil
	}
	for {
		name, err := readName(s)
		if err != nil {
			return err
		}
		if err := f(name); err != nil {
			return err
		}
		if s.Next('}') {
			return nil
		}
		if !s.Next(',') {
			return errAnswer
		}
	}
}

// rawValue consumes a value of JSON and returns its text.
func rawValue(s *jsontext.Scanner) (string, error) {
	s.Space()
	from := s.Pos()
	if err := s.Skip(math.MaxInt16); err != nil {
		return "", errAnswer
	}
	return s.Slice(from, s.Pos()), nil
}
