package protocol

import (
	"unicode/utf8"

	"github.com/kugiri-db/kugiri/emulator/dax/cbor"
	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// KeyAttribute is an attribute of a primary key. Type is "S", "N" or "B".
type KeyAttribute struct{ Name, Type string }

// Schema is a primary key: its partition key, and its sort key if it has one.
type Schema []KeyAttribute

// has reports whether an attribute belongs to the key.
func (s Schema) has(name string) bool {
	for i := range s {
		if s[i].Name == name {
			return true
		}
	}
	return false
}

// appendKey appends the members of a key to an object of JSON, without braces. data is the key as
// clients write it: of a partition key alone the bytes of the string, or the number; with a sort
// key the data item of the partition key, and behind it the bytes of the sort key.
func (s Schema) appendKey(dst, data []byte) ([]byte, error) {
	if len(s) == 1 {
		if s[0].Type == "N" {
			return s.appendHashed(dst, data, nil)
		}
		return appendKeyString(appendName(dst, s[0].Name), s[0].Type, data)
	}
	if len(s) != 2 {
		return dst, cbor.ErrMalformed
	}
	r := cbor.NewReader(data)
	hash, err := r.Item()
	if err != nil {
		return dst, err
	}
	return s.appendHashed(dst, hash, r.Rest())
}

// appendHashed appends a key whose partition key is a data item.
func (s Schema) appendHashed(dst, hash, sort []byte) ([]byte, error) {
	r := cbor.NewReader(hash)
	dst = appendName(dst, s[0].Name)
	var err error
	var text []byte
	switch s[0].Type {
	case "S":
		if text, err = r.Text(); err == nil {
			dst, err = appendKeyString(dst, "S", text)
		}
	case "N":
		var number string
		if number, err = r.Number(); err == nil {
			dst = appendKeyNumber(dst, number)
		}
	default:
		if text, err = r.Bytes(); err == nil {
			dst, err = appendKeyString(dst, "B", text)
		}
	}
	switch {
	case err != nil:
		return dst, err
	case !r.Done():
		return dst, cbor.ErrMalformed
	case len(s) == 1:
		return dst, nil
	}
	dst = appendName(append(dst, ','), s[1].Name)
	if s[1].Type == "N" {
		number, err := readLex(sort)
		if err != nil {
			return dst, err
		}
		return appendKeyNumber(dst, number), nil
	}
	return appendKeyString(dst, s[1].Type, sort)
}

func appendName(dst []byte, name string) []byte {
	return append(jsontext.AppendQuoted(dst, name), ':')
}

// appendKeyString appends an S or a B.
func appendKeyString(dst []byte, kind string, data []byte) ([]byte, error) {
	if kind == "B" {
		return appendBinaryValue(dst, data), nil
	}
	if !utf8.Valid(data) {
		return dst, cbor.ErrMalformed
	}
	dst = append(dst, `{"S":`...)
	return append(jsontext.AppendQuoted(dst, string(data)), '}'), nil
}

// appendKeyNumber appends an N in the form that the service answers it in, so that equal keys are
// equal texts. What is no number of the service is for it to refuse.
func appendKeyNumber(dst []byte, number string) []byte {
	if d, err := item.ParseDecimal(number); err == nil {
		number = d.String()
	}
	return appendNumberValue(dst, number)
}

// encodeKey appends the key of an item as clients read it, in a byte string. get returns the data
// item of an attribute.
func (s Schema) encodeKey(dst []byte, get func(name string) []byte) []byte {
	at := len(dst)
	if len(s) == 1 && s[0].Type != "N" {
		dst = append(dst, contents(get(s[0].Name))...)
	} else {
		dst = append(dst, get(s[0].Name)...)
	}
	if len(s) == 2 {
		sort := get(s[1].Name)
		if s[1].Type == "N" {
			number, _ := cbor.NewReader(sort).Number()
			dst = appendLex(dst, number)
		} else {
			dst = append(dst, contents(sort)...)
		}
	}
	return cbor.InsertHead(dst, at, cbor.Bytes, len(dst)-at)
}

// contents returns the bytes of a string.
func contents(value []byte) []byte {
	r := cbor.NewReader(value)
	if r.Major() == cbor.Text {
		text, _ := r.Text()
		return text
	}
	data, _ := r.Bytes()
	return data
}
