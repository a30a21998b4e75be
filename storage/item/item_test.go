package item

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

func parse(text string) (Attributes, error) {
	s := jsontext.NewScanner(text)
	a, err := ParseAttributes(&s)
	if err == nil {
		err = s.End()
	}
	return a, err
}

func mustParse(t testing.TB, text string) Item {
	t.Helper()
	a, err := parse(text)
	require.NoError(t, err)
	require.Nil(t, a.Invalid)
	return a.Item
}

func TestParseCanonical(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		size           int
	}{
		{"empty", ` { } `, `{}`, 0},
		{"sorted", `{"b":{"S":"x"},"a":{"N":"1"}}`, `{"a":{"N":"1"},"b":{"S":"x"}}`, 2 + 1 + 2},
		{"white space", "{ \"a\" :\n{ \"S\" : \"x y\" } }", `{"a":{"S":"x y"}}`, 4},
		{"a space behind all punctuation",
			`{"z": {"BOOL": true}, "a": {"S": "x"}, "l": {"L": [{"N": "1"}, {"SS": ["b", "a"]}, {"M": {"n": {"NULL": true}}}]}}`, `{"a":{"S":"x"},"l":{"L":[{"N":"1"},{"SS":["a","b"]},{"M":{"n":{"NULL":true}}}]},"z":{"BOOL":true}}`, 2 + 2 + (1 + 3 + (1 + 2) + (1 + 2) + (1 + 3 + 1 + 1 + 1))},
		{"escapes", `{"a":{"S":"\u0041\/\"\\\u0001\n\uD83D\uDE00"}}`,
			`{"a":{"S":"A/\"\\\u0001\n😀"}}`, 1 + 10},
		{"escaped name", `{"\u0061\"":{"BOOL":true}}`, `{"a\"":{"BOOL":true}}`, 3},
		{"number forms", `{"a":{"NS":["1E+3","-0.50","007","-0"]}}`,
			`{"a":{"NS":["-0.5","0","7","1000"]}}`, 1 + 3 + 1 + 2 + 2},
		{"string set", `{"a":{"SS":["b","a"]}}`, `{"a":{"SS":["a","b"]}}`, 3},
		{"binary", `{"a":{"B":"\/\/8="}}`, `{"a":{"B":"//8="}}`, 3},
		{"binaries of all lengths", `{"a":{"BS":["AAA=","AA==","","AAAA"]}}`,
			`{"a":{"BS":["","AA==","AAA=","AAAA"]}}`, 1 + 1 + 2 + 3},
		{"truth in words",
			`{"a":{"L":[{"BOOL":"yes"},{"BOOL":"0"},{"NULL":"true"}]},"b":{"BOOL":"no"}}`,
			`{"a":{"L":[{"BOOL":true},{"BOOL":false},{"NULL":true}]},"b":{"BOOL":false}}`,
			1 + 3 + 6 + 1 + 1},
		{"number with a point", `{"a":{"NS":["10.50","0.5","-12345.678","100","0.10"]}}`,
			`{"a":{"NS":["-12345.678","0.1","0.5","10.5","100"]}}`, 1 + 7 + 2 + 2 + 3 + 2},
		{"escaped type", `{"a":{"\u0053":"x"}}`, `{"a":{"S":"x"}}`, 2},
		{"UTF-8", `{"é":{"S":"𝄞"}}`, `{"é":{"S":"𝄞"}}`, 6},
		{"map", `{"m":{"M":{"z":{"NULL":true},"a":{"L":[{"M":{}},{"L":[]}]}}}}`,
			`{"m":{"M":{"a":{"L":[{"M":{}},{"L":[]}]},"z":{"NULL":true}}}}`,
			1 + 3 + (1 + 1 + 3 + 1 + 3 + 1 + 3) + (1 + 1 + 1)},
		{"unknown member", `{"a":{"X":[{}],"S":"x"}}`, `{"a":{"S":"x"}}`, 2},
		{"null member", `{"a":{"N":null,"S":"x"}}`, `{"a":{"S":"x"}}`, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			it := mustParse(t, c.in)
			assert.Equal(t, JSON(c.want), it.JSON())
			assert.Equal(t, c.size, it.Size())
			assert.Equal(t, it, mustParse(t, c.want), "the canonical form is its own")
			var attrs []Attribute
			for name, v := range it.All() {
				assert.Equal(t, v, it.Get(name))
				attrs = append(attrs, Attribute{name, v})
			}
			assert.Equal(t, it, New(attrs...))
		})
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     SerializationError
	}{
		{"no JSON", `{"a"`, ErrSyntax},
		{"a list", `[]`,
			"Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>"},
		{"a number for a string", `{"a":{"S":1}}`, "NUMBER_VALUE cannot be converted to String"},
		{"a truth for a number", `{"a":{"N":true}}`, "TRUE_VALUE cannot be converted to String"},
		{"an object for a string", `{"a":{"S":{}}}`, ErrNoObjectHere},
		{"a list for a string", `{"a":{"S":[]}}`,
			"Unrecognized collection type class java.lang.String"},
		{"a string for a value", `{"a":"x"}`, ErrNoValueHere},
		{"a string for a truth", `{"a":{"BOOL":"on"}}`, ErrNoStringHere},
		{"a fraction for a string", `{"a":{"S":1.5}}`,
			"DECIMAL_VALUE cannot be converted to String"},
		{"a falsehood in a set", `{"a":{"SS":["a",false]}}`,
			"FALSE_VALUE cannot be converted to String"},
		{"null in a set", `{"a":{"SS":[null]}}`, ErrNoStringHere},
		{"a number for a truth", `{"a":{"BOOL":1}}`, "NUMBER_VALUE cannot be converted to Boolean"},
		{"an object for a truth", `{"a":{"NULL":{}}}`, ErrNoObjectHere},
		{"a number for a binary", `{"a":{"B":1}}`, ErrNoBase64},
		{"a list for a binary", `{"a":{"B":[1,2]}}`,
			"Unrecognized collection type class java.nio.ByteBuffer"},
		{"a string for a map", `{"a":{"M":"x"}}`, ErrNoScalarHere},
		{"a list for a map", `{"a":{"M":[]}}`,
			"Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>"},
		{"a string for a list", `{"a":{"L":"x"}}`, ErrNoScalarHere},
		{"an object for a list", `{"a":{"L":{}}}`, ErrNoObjectHere},
		{"a string for a set", `{"a":{"SS":"x"}}`, ErrNoScalarHere},
		{"an object for a set", `{"a":{"NS":{}}}`, ErrNoObjectHere},
		{"a list for a value", `{"a":[]}`,
			"Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue"},
		{"a list for a truth", `{"a":{"BOOL":[]}}`, ""},
		{"a list in a set", `{"a":{"NS":[[]]}}`,
			"Unrecognized collection type class java.lang.String"},
		{"a string for all", `"x"`, ErrNoScalarHere},
		{"half a word for all", `nul`, ErrSyntax},
		{"half a word for a value", `{"a":tru}`, ErrSyntax},
		{"nothing for a value", `{"a":}`, ErrSyntax},
		{"trailing comma in a list", `{"a":{"L":[{"S":""},]}}`, ErrSyntax},
		{"trailing comma in a set", `{"a":{"SS":["",]}}`, ErrSyntax},
		{"trailing comma in a value", `{"a":{"S":"",}}`, ErrSyntax},
		{"trailing comma", `{"a":{"S":""},}`, ErrSyntax},
		{"no comma", `{"a":{"S":""}"b":{"S":""}}`, ErrSyntax},
		{"bad text in what is skipped", `{"a":{"X":[tru]}}`, ErrSyntax},
		{"twice the same name", `{"a":{"S":""},"b":{"S":""},"\u0061":{"S":""}}`,
			"Duplicate field 'a'"},
		{"twice the same name below", `{"m":{"M":{"a":{"S":""},"a":{"S":""}}}}`,
			"Duplicate field 'a'"},
		{"twice the same type", `{"a":{"S":"","S":""}}`, "Duplicate field 'S'"},
		{"twice the same type, one null", `{"a":{"S":null,"S":""}}`, "Duplicate field 'S'"},
		{"base64 without padding", `{"a":{"B":"AAA"}}`,
			"Base64 encoded length is expected a multiple of 4 bytes but found: 3"},
		{"base64 of the other alphabet", `{"a":{"B":"_w=="}}`, "Invalid Base64 character: '_'"},
		{"base64 with padding inside", `{"a":{"B":"A==="}}`, "Invalid Base64 character: '='"},
		{"base64 with two ends", `{"a":{"B":"AA==AA=="}}`, "Invalid Base64 character: '='"},
		// service facts 11.3
		{"base64 with padding before stray bits", `{"a":{"B":"=+/="}}`,
			"Invalid last non-pad Base64 character dectected"},
		{"base64 with padding before two and stray bits", `{"a":{"B":"AA=ABx=="}}`,
			"Invalid last non-pad Base64 character dectected"},
		{"base64 with padding and no stray bits", `{"a":{"B":"=+8="}}`,
			"Invalid Base64 character: '='"},
		{"base64 with others before stray bits", `{"a":{"B":"*+/="}}`,
			"Invalid Base64 character: '*'"},
		{"base64 with a line break", `{"a":{"B":"AAA\n"}}`, "Invalid Base64 character: '\n'"},
		{"base64 of padding", `{"a":{"B":"===="}}`, "Invalid Base64 character: '='"},
		{"base64 with stray bits", `{"a":{"B":"AAF="}}`, ErrBase64Bits},
		{"base64 with more stray bits", `{"a":{"BS":["AB=="]}}`, ErrBase64Bits},
		{"a lone surrogate", `{"a":{"S":"\ud800"}}`, ErrSyntax},
		{"bad UTF-8", "{\"a\":{\"S\":\"\xff\"}}", ErrSyntax},
		{"hostile nesting", strings.Repeat(`{"a":{"L":[`, 1_000_000), ErrSyntax},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := parse(c.in)
			assert.Equal(t, c.want, err)
		})
	}
}

func TestParseInvalid(t *testing.T) {
	deep := func(n int) string {
		return `{"a":` + strings.Repeat(`{"L":[{"M":{"m":`, n/2) + strings.Repeat(`{"L":[`, n%2) +
			strings.Repeat(`]}`, n%2) + strings.Repeat(`}}]}`, n/2) + `}`
	}
	deepest := strings.Replace(deep(31), `{"L":[]}`, `{"L":[{"NS":["1"]}]}`, 1)
	assert.Equal(t, 31, mustParse(t, deepest).Get("a").Depth())
	readable, err := parse(strings.Replace(deep(32), `"m":}`, `"m":{"NS":["2","1"]}}`, 1))
	require.NoError(t, err)
	assert.Equal(t, &Invalid{Name: "a", Names: []string{"a"}, Fault: TooDeep, Depth: 32},
		readable.Invalid)
	assert.Equal(t, 32, readable.Item.Get("a").Depth())
	assert.Contains(t, string(readable.Item.Get("a")), `{"NS":["1","2"]}`)
	for n, want := range map[int]*Invalid{
		33: {Name: "a", Fault: TooDeep, Depth: 33},
		70: {Name: "a", Fault: TooDeep, Depth: 70},
		32: {Name: "a", Fault: TooDeep, Depth: 32,
			Also: &Invalid{Name: "b", Fault: BadNumber, Number: "x"}},
	} {
		a, err := parse(
			strings.TrimSuffix(strings.Replace(deep(n), `"m":}`, `"m":{"S":""}}`, 1),
				`}`) + `,"b":{"N":"x"}}`)
		require.NoError(t, err)
		a.Invalid.Names = nil
		assert.Equal(t, want, a.Invalid)
	}
	for _, c := range []struct{ name, in, want string }{
		{"nothing", `{"a":{}}`, faultTexts[NoDatatype]},
		{"null", `{"a":null}`, faultTexts[NoDatatype]},
		{"two types", `{"a":{"S":"","N":"1"}}`, faultTexts[ManyDatatypes]},
		{"two types, one of them no number", `{"a":{"N":"x","S":""}}`,
			"The parameter cannot be converted to a numeric value: x"},
		{"two types, one of them an empty set", `{"a":{"SS":[],"S":""}}`,
			faultTexts[ManyDatatypes]},
		{"null in words", `{"a":{"NULL":"no"}}`, faultTexts[FalseNull]},
		{"null type", `{"a":{"S":null}}`, faultTexts[NoDatatype]},
		{"unknown type", `{"a":{"s":"x"}}`, faultTexts[NoDatatype]},
		{"null in a list", `{"a":{"L":[null]}}`, faultTexts[NoDatatype]},
		{"invalid inside", `{"a":{"L":[{"M":{"x":{"N":""}}}]}}`,
			"The parameter cannot be converted to a numeric value"},
		{"the first of two", `{"a":{"N":"x"},"b":{}}`,
			"The parameter cannot be converted to a numeric value: x"},
		{"no number", `{"a":{"N":"x"}}`, "The parameter cannot be converted to a numeric value: x"},
		{"empty number", `{"a":{"N":""}}`, "The parameter cannot be converted to a numeric value"},
		{"too large", `{"a":{"N":"1E126"}}`, string(errOverflow)},
		{"too small", `{"a":{"N":"1E-131"}}`, string(errUnderflow)},
		{"too precise", `{"a":{"N":"` + strings.Repeat("1", 39) + `"}}`, string(errPrecision)},
		{"false null", `{"a":{"NULL":false}}`, faultTexts[FalseNull]},
		{"empty string set", `{"a":{"SS":[]}}`, emptySetTexts[SS]},
		{"empty number set", `{"a":{"NS":[]}}`, emptySetTexts[NS]},
		{"empty binary set", `{"a":{"BS":[]}}`, emptySetTexts[BS]},
		{"repeated string", `{"a":{"SS":["b","a","b"]}}`,
			"One or more parameter values were invalid: Input collection [b, a, b] contains duplicates."},
		{"repeated number", `{"a":{"NS":["1","1.0"]}}`, "Input collection contains duplicates"},
		{"repeated binary", `{"a":{"BS":["Yg==","Yg=="]}}`,
			"One or more parameter values were invalid: Input collection [Yg==, Yg==]of type BS contains duplicates."},
		{"33 levels", deep(33), faultTexts[TooDeep]},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := parse(c.in)
			require.NoError(t, err)
			require.NotNil(t, a.Invalid)
			assert.Equal(t, "a", a.Invalid.Name)
			assert.Equal(t, c.want, a.Invalid.Error())
		})
	}
}

func TestItemWithChangedAttributes(t *testing.T) {
	it := mustParse(t, `{"a":{"S":"1"},"c":{"S":"3"}}`)
	for _, c := range []struct {
		name    string
		changes []Attribute
		want    string
	}{
		{"nothing", nil, `{"a":{"S":"1"},"c":{"S":"3"}}`},
		{"replace", []Attribute{{"a", String("x")}}, `{"a":{"S":"x"},"c":{"S":"3"}}`},
		{"add", []Attribute{{"b", Null()}, {"d", Null()}},
			`{"a":{"S":"1"},"b":{"NULL":true},"c":{"S":"3"},"d":{"NULL":true}}`},
		{"remove", []Attribute{{"c", ""}, {"x", ""}}, `{"a":{"S":"1"}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, mustParse(t, c.want), it.With(c.changes...))
		})
	}
	assert.Equal(t, mustParse(t, `{"c":{"S":"3"}}`), it.Only("c", "x", "c"))
	assert.Equal(t, `{"a":{"S":"1"},"c":{"S":"3"}}`, string(it.AppendOnlyJSON(nil, "c", "a")))
}
