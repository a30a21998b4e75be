package item

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/storage/item/jsontext"
	_ "github.com/kugiri-db/kugiri/storage/rapidseed" // fixes the seed
)

// TestParseAgainstConstructors writes values in all forms that JSON and DynamoDB allow, and
// compares the parsed values with those of the constructors.
func TestParseAgainstConstructors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := loose{t, rapid.SampledFrom([]int{0, 3, 30}).Draw(t, "odd")}
		fields, text := w.fields(0)
		a, err := parse(w.space() + text)
		require.NoError(t, err, text)
		require.Nil(t, a.Invalid, text)
		assert.Equal(t, New(fields...), a.Item, text)
		s := jsontext.NewScanner(`[{"M":` + text + `}`)
		assert.True(t, s.Next('['))
		v, invalid, err := ParseValue(&s)
		require.NoError(t, err, text)
		require.Nil(t, invalid, text)
		assert.Equal(t, Map(fields...), v, text)
		assert.NoError(t, s.End())
	})
}

// loose draws values and writes them in a form that is not canonical to some percent.
type loose struct {
	t   *rapid.T
	odd int
}

func (w loose) isOdd() bool { return w.odd > 0 && rapid.IntRange(0, 99).Draw(w.t, "odd") < w.odd }

func (w loose) space() string {
	if !w.isOdd() {
		return ""
	}
	return rapid.SampledFrom([]string{" ", "\n  ", "\t\r\n"}).Draw(w.t, "space")
}

// group writes elements between delimiters, in the given order.
func (w loose) group(opening string, elems []string, closing string) string {
	for i, elem := range elems {
		elems[i] = w.space() + elem + w.space()
	}
	return opening + w.space() + strings.Join(elems, ",") + closing
}

func (w loose) member(name, value string) string {
	return w.quoted(name) + w.space() + ":" + w.space() + value
}

func (w loose) quoted(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case !w.isOdd():
			b.Write(jsontext.AppendEscaped(nil, string(r)))
		case r == '/':
			b.WriteString(`\/`)
		case r >= 0x10000:
			fmt.Fprintf(&b, `\u%04x\u%04X`, 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff)
		default:
			fmt.Fprintf(&b, rapid.SampledFrom([]string{`\u%04x`, `\u%04X`}).Draw(w.t, "hex"), r)
		}
	}
	return `"` + b.String() + `"`
}

// someText has runes with a short escape, a long one or none, and long names with a common
// beginning.
var someText = rapid.OneOf(
	rapid.StringOfN(rapid.RuneFrom([]rune("aaab! /\"\\\n\x00\x1f\x7fé𝄞")), 0, 20, -1),
	rapid.Map(rapid.StringOfN(rapid.RuneFrom([]rune("ab!\"é")), 0, 3, -1),
		func(s string) string { return "1234567" + s }),
)

// fields draws the attributes of a map and writes it. Their names are not empty.
func (w loose) fields(depth int) ([]Attribute, string) {
	names := rapid.SliceOfNDistinct(someText, 0, 30>>(2*depth), rapid.ID).Draw(w.t, "names")
	var fields []Attribute
	var members []string
	for _, name := range names {
		name += "x"
		v, text := w.value(depth + 1)
		fields = append(fields, Attribute{name, v})
		members = append(members, w.member(name, text))
	}
	return fields, w.group("{", members, "}")
}

func (w loose) value(depth int) (Value, string) {
	types := []Type{S, N, B, SS, NS, BS, NULL, BOOL, S, N, M, L}
	if depth > 2 {
		types = types[:len(types)-2]
	}
	t := rapid.SampledFrom(types).Draw(w.t, "type")
	v, text := w.content(t, depth)
	members := []string{w.member(t.String(), text)}
	if w.isOdd() {
		members = append(members,
			rapid.SampledFrom([]string{`"X":[{"a":1}]`, `"s" : "x"`, `"":null`}).Draw(w.t,
				"unknown"))
	}
	if w.isOdd() {
		members = append([]string{w.member((t%BOOL + 1).String(), "null")}, members...)
	}
	return v, w.group("{", members, "}")
}

func (w loose) content(t Type, depth int) (Value, string) {
	switch t {
	case SS, NS, BS:
		return w.set(t)
	case NULL:
		return Null(), "true"
	case BOOL:
		b := rapid.Bool().Draw(w.t, "bool")
		return Boolean(b), strconv.FormatBool(b)
	case M:
		fields, text := w.fields(depth)
		return Map(fields...), text
	case L:
		var elems []Value
		var texts []string
		for range rapid.IntRange(0, 3).Draw(w.t, "elements") {
			v, text := w.value(depth + 1)
			elems, texts = append(elems, v), append(texts, text)
		}
		return List(elems...), w.group("[", texts, "]")
	}
	v := w.scalar(t)
	return v, w.quoted(w.plain(v))
}

func (w loose) scalar(t Type) Value {
	switch t {
	case S:
		return String(someText.Draw(w.t, "text"))
	case B:
		return Binary(someText.Draw(w.t, "bytes"))
	}
	d, err := ParseDecimal(strconv.Itoa(rapid.IntRange(-2000, 2000).Draw(w.t, "number")) + "e-2")
	require.NoError(w.t, err)
	return Number(d)
}

// plain returns the text of a scalar. A number may be in another form.
func (w loose) plain(v Value) string {
	switch v.Type() {
	case S:
		return v.Str()
	case B:
		return v.quoted()
	}
	text := v.Num()
	if !w.isOdd() {
		return text
	}
	sign, digits := text[:len(text)-len(strings.TrimLeft(text, "-"))], strings.TrimLeft(text, "-")
	if !strings.Contains(digits, ".") {
		digits += "."
	}
	return sign + "00" + digits + "0" + rapid.SampledFrom([]string{"", "e0", "E+00"}).Draw(w.t,
		"exponent")
}

func (w loose) set(t Type) (Value, string) {
	var set Value
	var texts []string
	for range rapid.IntRange(1, 10).Draw(w.t, "elements") {
		v := w.scalar(t.element())
		one := setOf(t, []string{v.quoted()})
		switch {
		case set == "":
			set = one
		case Contains(set, v):
			continue
		default:
			set = Union(set, one)
		}
		texts = append(texts, w.quoted(w.plain(v)))
	}
	return set, w.group("[", texts, "]")
}
