package item

import (
	"bytes"
	"strconv"
	"strings"
)

// AppendFloats appends the elements of an L of numbers, each rounded to 32 bits. ok is false if v
// is anything else, or if a number is beyond the range of 32-bit floats.
func (v Value) AppendFloats(dst []float32) (_ []float32, ok bool) {
	list, ok := v.elements()
	if !ok {
		return dst, false
	}
	return appendFloats(dst, list)
}

// appendFloats is AppendFloats for the text between the brackets.
func appendFloats(dst []float32, list string) (_ []float32, ok bool) {
	ok = true
	for ok && list != "" {
		if !strings.HasPrefix(list, beforeNumber) {
			return dst, false
		}
		list = list[len(beforeNumber):]
		f, n, fast := readFloat32(list)
		if !fast {
			n = strings.IndexByte(list, '"')
			f, ok = parseFloat32(list[:n])
		}
		dst, list = append(dst, f), behindNumber(list, n)
	}
	return dst, ok
}

// CountFloats returns how many elements AppendFloats appends, without reading most of them.
func (v Value) CountFloats() (n int, ok bool) {
	list, ok := v.elements()
	for ok && list != "" {
		var number string
		if number, list, ok = cutNumber(list); ok {
			n, ok = n+1, IsFloat(number)
		}
	}
	return n, ok
}

// elements returns the text between the brackets of an L.
func (v Value) elements() (list string, ok bool) {
	if v.Type() != L {
		return "", false
	}
	list = v.body()
	return list[1 : len(list)-1], true
}

// An element of an L of numbers in canonical form is its digits between these texts.
const beforeNumber, afterNumber = `{"N":"`, `"}`

// cutNumber returns the digits of the first element of a list, and the list behind it. ok is false
// if the element is no N.
func cutNumber(list string) (number, rest string, ok bool) {
	if !strings.HasPrefix(list, beforeNumber) {
		return "", list, false
	}
	list = list[len(beforeNumber):]
	end := strings.IndexByte(list, '"')
	return list[:end], behindNumber(list, end), true
}

// behindNumber returns the list behind an element whose n digits the list begins with.
func behindNumber(list string, n int) string {
	list = list[n+len(afterNumber):]
	if list != "" {
		list = list[1:] // the comma
	}
	return list
}

// sureDigits is the number of digits before the point that a 32-bit float certainly has room for.
const sureDigits = 38

// IsFloat reports whether a canonical number is within the range of 32-bit floats.
func IsFloat(number string) bool {
	if len(number) <= sureDigits || strings.IndexByte(number[:sureDigits+1], '.') >= 0 {
		return true
	}
	_, ok := parseFloat32(number)
	return ok
}

// Floats returns the L of numbers that AppendFloats reads back.
func Floats(vector []float32) Value { return floats(vector, "") }

// ShownFloats is Floats as the service returns vectors: whole numbers have a point (service facts
// V.4.7), and the value is therefore not in canonical form.
func ShownFloats(vector []float32) Value { return floats(vector, ".0") }

// floats is Floats with a text behind whole numbers.
func floats(vector []float32, behindWhole string) Value {
	b := []byte(`{"L":[`)
	for i, f := range vector {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"N":"`...)
		if f == 0 {
			f = 0 // a negative zero is 0
		}
		from := len(b)
		if b = strconv.AppendFloat(b, float64(f), 'f', -1, 32); bytes.IndexByte(b[from:], '.') < 0 {
			b = append(b, behindWhole...)
		}
		b = append(b, `"}`...)
	}
	return Value(append(b, `]}`...))
}
