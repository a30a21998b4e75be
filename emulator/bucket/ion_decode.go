package bucket

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/amazon-ion/ion-go/ion"

	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// ionRecords reads records in Amazon Ion, text or binary.
type ionRecords struct {
	in     ion.Reader // nil: nothing was read yet
	source *limitedReader
	text   []byte
}

func newIonRecords(in *limitedReader) *ionRecords {
	return &ionRecords{source: in}
}

// next returns the next record. The library panics on some damaged files.
func (r *ionRecords) next() (_ string, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("the Ion data is damaged: %v", fault)
		}
	}()
	r.source.reset()
	if r.in == nil {
		r.in = ion.NewReader(newIonFrames(r.source))
	}
	for marker := true; marker; {
		if !r.in.Next() {
			if err := r.in.Err(); err != nil {
				return "", r.source.because(err)
			}
			return "", io.EOF
		}
		if marker, err = r.isMarker(); err != nil {
			return "", err
		}
	}
	if r.text, err = r.record(r.text[:0]); err != nil {
		return "", r.source.because(err)
	}
	return string(r.text), nil
}

// isMarker reports whether the present value is a version marker, which the library shows as a
// symbol.
func (r *ionRecords) isMarker() (bool, error) {
	if r.in.Type() != ion.SymbolType || r.in.IsNull() {
		return false, nil
	}
	symbol, err := r.in.SymbolValue()
	return err == nil && symbol.Text != nil && *symbol.Text == "$ion_1_0", err
}

// record converts the present value to JSON: attribute maps get the types of DynamoDB JSON, and
// everything else stays as it is.
func (r *ionRecords) record(dst []byte) ([]byte, error) {
	return r.object(dst, func(dst []byte, name string) ([]byte, error) {
		switch name {
		case "Item", "ExpressionAttributeValues":
			return r.attributes(dst, 0)
		case "ExpressionAttributeNames":
			return r.object(dst, func(dst []byte, _ string) ([]byte, error) { return r.plain(dst) })
		}
		return r.plain(dst)
	})
}

// object converts a struct, each member with a function.
func (r *ionRecords) object(dst []byte,
	member func(dst []byte, name string) ([]byte, error)) ([]byte, error) {
	if r.in.Type() != ion.StructType || r.in.IsNull() {
		return nil, fmt.Errorf("a struct was expected instead of %s", r.in.Type())
	}
	return r.inside(append(dst, '{'), func(dst []byte) ([]byte, error) {
		name, err := r.in.FieldName()
		if err != nil {
			return nil, err
		}
		if name == nil || name.Text == nil {
			return nil, errors.New("a field has no name")
		}
		dst = append(jsontext.AppendQuoted(dst, *name.Text), ':')
		return member(dst, *name.Text)
	}, '}')
}

// inside converts the values in the present one, with commas between them.
func (r *ionRecords) inside(dst []byte, each func(dst []byte) ([]byte, error), end byte) ([]byte,
	error) {
	if err := r.in.StepIn(); err != nil {
		return nil, err
	}
	for first := true; r.in.Next(); first = false {
		if !first {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = each(dst); err != nil {
			return nil, err
		}
	}
	if err := r.in.Err(); err != nil {
		return nil, err
	}
	return append(dst, end), r.in.StepOut()
}

// plain converts a text.
func (r *ionRecords) plain(dst []byte) ([]byte, error) {
	if r.in.Type() != ion.StringType || r.in.IsNull() {
		return nil, fmt.Errorf("a string was expected instead of %s", r.in.Type())
	}
	text, err := r.in.StringValue()
	if err != nil {
		return nil, err
	}
	return jsontext.AppendQuoted(dst, *text), nil
}

func (r *ionRecords) attributes(dst []byte, depth int) ([]byte, error) {
	return r.object(dst, func(dst []byte, _ string) ([]byte, error) { return r.value(dst, depth) })
}

// value converts an attribute value (Developer Guide, "Amazon S3 import formats for DynamoDB",
// "Amazon Ion").
func (r *ionRecords) value(dst []byte, depth int) (_ []byte, err error) {
	if depth > item.MaxRead {
		return nil, errors.New("the value is nested too deep")
	}
	if r.in.IsNull() {
		return append(dst, `{"NULL":true}`...), nil
	}
	switch r.in.Type() {
	case ion.StructType:
		dst, err = r.attributes(append(dst, `{"M":`...), depth+1)
	case ion.ListType:
		return r.list(dst, depth)
	default:
		dst, err = r.scalar(dst)
	}
	return append(dst, '}'), err
}

// scalar converts a scalar, without the closing brace.
func (r *ionRecords) scalar(dst []byte) ([]byte, error) {
	switch r.in.Type() {
	case ion.StringType:
		return r.plain(append(dst, `{"S":`...))
	case ion.BoolType:
		b, err := r.in.BoolValue()
		if err != nil {
			return nil, err
		}
		return strconv.AppendBool(append(dst, `{"BOOL":`...), *b), nil
	case ion.DecimalType, ion.IntType:
		return r.number(append(dst, `{"N":"`...))
	case ion.BlobType:
		b, err := r.in.ByteValue()
		dst = base64.StdEncoding.AppendEncode(append(dst, `{"B":"`...), b)
		return append(dst, '"'), err
	}
	return nil, fmt.Errorf("there is no DynamoDB type for %s", r.in.Type())
}

func (r *ionRecords) number(dst []byte) ([]byte, error) {
	if r.in.Type() == ion.IntType {
		n, err := r.in.BigIntValue()
		if err != nil {
			return nil, err
		}
		if n.BitLen() > maxNumberBits {
			return nil, errLongNumber
		}
		return append(n.Append(dst, 10), '"'), nil
	}
	d, err := r.in.DecimalValue()
	if err != nil {
		return nil, err
	}
	n, exponent := d.CoEx()
	if n.BitLen() > maxNumberBits {
		return nil, errLongNumber
	}
	dst = append(n.Append(dst, 10), 'E')
	return append(strconv.AppendInt(dst, int64(exponent), 10), '"'), nil
}

// list converts a list or, if it is annotated, a set.
func (r *ionRecords) list(dst []byte, depth int) ([]byte, error) {
	kind, err := r.setType()
	if err != nil {
		return nil, err
	}
	if kind == "" {
		dst, err = r.inside(append(dst, `{"L":[`...),
			func(dst []byte) ([]byte, error) { return r.value(dst, depth+1) }, ']')
		return append(dst, '}'), err
	}
	want := `{"` + kind[:1] + `":`
	dst, err = r.inside(append(dst, `{"`+kind+`":[`...), func(dst []byte) ([]byte, error) {
		elem, err := r.value(nil, depth)
		if err != nil || len(elem) < len(want) || string(elem[:len(want)]) != want {
			return nil, errors.Join(err,
				fmt.Errorf("an element of a set of type %s has another type", kind))
		}
		return append(dst, elem[len(want):len(elem)-1]...), nil
	}, ']')
	return append(dst, '}'), err
}

// setType returns the type of the set that a list stands for, or "".
func (r *ionRecords) setType() (string, error) {
	tokens, err := r.in.Annotations()
	for _, t := range tokens {
		for kind, annotation := range annotations {
			if t.Text != nil && *t.Text == annotation {
				return kind.String(), nil
			}
		}
	}
	return "", err
}
