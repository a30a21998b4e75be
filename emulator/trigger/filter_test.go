package trigger

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFilters checks the comparisons of the Lambda Developer Guide, "Filter rule syntax" and
// "Using event filtering with a DynamoDB event source".
func TestFilters(t *testing.T) {
	const record = `{"eventName":"MODIFY","n":5,"list":["a","b"],"objects":[{"S":"a","x":"y"},{"S":"b"}],"none":[],"null":null,"empty":"","yes":true,
		"dynamodb":{"Keys":{"id":{"S":"order#1"}},"NewImage":{"n":{"N":"5"},"city":{"S":"Berlin"}}}}`
	for _, c := range []struct {
		name, pattern string
		want          bool
	}{
		{"an empty pattern", `{}`, true},
		{"equal", `{"eventName":["MODIFY"]}`, true},
		{"one of several", `{"eventName":["INSERT","MODIFY"]}`, true},
		{"another", `{"eventName":["INSERT"]}`, false},
		{"another case", `{"eventName":["modify"]}`, false},
		{"equal without case", `{"eventName":[{"equals-ignore-case":"modify"}]}`, true},
		{"nested", `{"dynamodb":{"NewImage":{"city":{"S":["Berlin"]}}}}`, true},
		{"all members", `{"eventName":["MODIFY"],"dynamodb":{"NewImage":{"city":{"S":["Paris"]}}}}`,
			false},
		{"a number that is a string", `{"dynamodb":{"NewImage":{"n":{"N":["5"]}}}}`, true},
		{"a string is no number", `{"dynamodb":{"NewImage":{"n":{"N":[5]}}}}`, false},
		{"numeric of a string", `{"dynamodb":{"NewImage":{"n":{"N":[{"numeric":["=",5]}]}}}}`,
			false},
		{"a number", `{"n":[5]}`, true},
		{"a number in another form", `{"n":[5.0]}`, true},
		{"numeric between", `{"n":[{"numeric":[">",1,"<=",5]}]}`, true},
		{"numeric outside", `{"n":[{"numeric":[">",1,"<",5]}]}`, false},
		{"numeric at both bounds", `{"n":[{"numeric":[">=",5,"<=",6]}]}`, true},
		{"numeric below", `{"n":[{"numeric":["<",5]}]}`, false},
		{"numeric in another form", `{"n":[{"numeric":["=",5.0e0]}]}`, true},
		{"numeric of a text", `{"eventName":[{"numeric":[">",0]}]}`, false},
		{"two ranges", `{"n":[{"numeric":["<",3]},{"numeric":[">",4]}]}`, true},
		{"numeric at least", `{"n":[{"numeric":[">=",5]}]}`, true},
		{"numeric equal", `{"n":[{"numeric":["=",5]}]}`, true},
		{"prefix", `{"dynamodb":{"Keys":{"id":{"S":[{"prefix":"order#"}]}}}}`, true},
		{"not the prefix", `{"dynamodb":{"Keys":{"id":{"S":[{"prefix":"user#"}]}}}}`, false},
		{"a prefix in any case",
			`{"eventName":[{"prefix":{"equals-ignore-case":"mod"}}]}`, true},
		{"no prefix in any case",
			`{"eventName":[{"prefix":{"equals-ignore-case":"ins"}}]}`, false},
		{"a suffix in any case",
			`{"eventName":[{"suffix":{"equals-ignore-case":"Fy"}}]}`, true},
		{"in any case", `{"eventName":[{"equals-ignore-case":"modify"}]}`, true},
		{"a prefix of a number", `{"n":[{"prefix":"5"}]}`, false},
		{"suffix", `{"dynamodb":{"Keys":{"id":{"S":[{"suffix":"#1"}]}}}}`, true},
		{"exists", `{"dynamodb":{"NewImage":{"city":{"S":[{"exists":true}]}}}}`, true},
		{"does not exist", `{"dynamodb":{"NewImage":{"street":{"S":[{"exists":false}]}}}}`, true},
		{"exists where it does not", `{"dynamodb":{"OldImage":{"city":{"S":[{"exists":true}]}}}}`,
			false},
		{"exists of a node", `{"dynamodb":{"NewImage":{"city":[{"exists":true}]}}}`, false},
		{"a node does not exist", `{"dynamodb":{"NewImage":{"city":[{"exists":false}]}}}`, true},
		{"the image does not exist", `{"dynamodb":{"NewImage":[{"exists":false}]}}`, true},
		{"a pattern into a list", `{"objects":{"S":["b"]}}`, true},
		{"a pattern into no element", `{"objects":{"S":["c"]}}`, false},
		{"two members of one element", `{"objects":{"S":["a"],"x":["y"]}}`, true},
		{"two members of two elements", `{"objects":{"S":["b"],"x":["y"]}}`, false},
		{"a member that no element has", `{"objects":{"z":[{"exists":false}]}}`, true},
		{"anything but", `{"eventName":[{"anything-but":["REMOVE"]}]}`, true},
		{"anything but it", `{"eventName":[{"anything-but":["REMOVE","MODIFY"]}]}`, false},
		{"anything but one value", `{"eventName":[{"anything-but":"MODIFY"}]}`, false},
		{"anything but a prefix", `{"eventName":[{"anything-but":{"prefix":"MOD"}}]}`, false},
		{"anything but some prefixes",
			`{"eventName":[{"anything-but":{"prefix":["INS","MOD"]}}]}`, false},
		{"anything but other prefixes",
			`{"eventName":[{"anything-but":{"prefix":["INS","REM"]}}]}`, true},
		{"anything but a suffix", `{"eventName":[{"anything-but":{"suffix":"IFY"}}]}`, false},
		{"anything but it in any case",
			`{"eventName":[{"anything-but":{"equals-ignore-case":["insert","modify"]}}]}`, false},
		{"anything but some numbers", `{"n":[{"anything-but":[1,2]}]}`, true},
		{"anything but the number", `{"n":[{"anything-but":[5.0,2]}]}`, false},
		{"anything but a text, of a number", `{"n":[{"anything-but":"5"}]}`, true},
		{"anything but null's text", `{"null":[{"anything-but":"null"}]}`, true},
		{"anything but one element", `{"list":[{"anything-but":"b"}]}`, true},
		{"anything but, where nothing is", `{"other":[{"anything-but":["a"]}]}`, false},
		{"null", `{"null":[null]}`, true},
		{"null where nothing is", `{"other":[null]}`, false},
		{"null or a text", `{"eventName":[null,"MODIFY"]}`, true},
		{"null of an empty text", `{"empty":[null]}`, false},
		{"empty", `{"empty":[""]}`, true},
		{"empty where nothing is", `{"other":[""]}`, false},
		{"empty of null", `{"null":[""]}`, false},
		{"existing null", `{"null":[{"exists":true}]}`, true},
		{"existing list", `{"list":[{"exists":true}]}`, true},
		{"an empty list does not exist", `{"none":[{"exists":false}]}`, true},
		{"exists or a value", `{"other":[{"exists":false},"a"]}`, true},
		{"a boolean", `{"yes":[true]}`, true},
		{"an element", `{"list":["b"]}`, true},
		{"no element", `{"list":["c"]}`, false},
		{"an empty list", `{"none":["c"]}`, false},
		{"or of members", `{"$or":[{"eventName":["INSERT"]},{"n":[5]}]}`, true},
		{"or of none", `{"$or":[{"eventName":["INSERT"]},{"n":[6]}]}`, false},
		{"or and another", `{"$or":[{"n":[5]},{"n":[6]}],"eventName":["INSERT"]}`, false},
		{"or of two members each",
			`{"$or":[{"n":[5],"eventName":["INSERT"]},{"n":[5],"eventName":["MODIFY"]}]}`, true},
		{"or within an object", `{"dynamodb":{"$or":[{"Keys":{"id":{"S":[{"prefix":"order#"}]}}},` +
			`{"SizeBytes":[1]}]}}`, true},
		{"or within or", `{"$or":[{"n":[6]},{"$or":[{"n":[7]},{"yes":[true]}]}]}`, true},
		{"a member called $or", `{"$or":{"eventName":["MODIFY"]}}`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			filters, err := newFilters([]string{c.pattern})
			require.NoError(t, err)
			assert.Equal(t, c.want, matchesAny(filters, []byte(record)))
			filters, err = newFilters([]string{`{"eventName":["nothing"]}`, c.pattern})
			require.NoError(t, err)
			assert.Equal(t, c.want, matchesAny(filters, []byte(record)), "one of several filters")
		})
	}
	assert.True(t, matchesAny(nil, []byte(record)), "no filters")
}

func TestFilterErrors(t *testing.T) {
	for _, c := range []struct{ name, pattern, want string }{
		{"no JSON", `{"a"`, "unexpected EOF"},
		{"two values", `{} {}`, "more than one JSON value"},
		{"a value without a list", `{"a":"b"}`, `a value must be in a list: ["value"]`},
		{"an empty list", `{"a":[]}`, "a list of rules is empty"},
		{"a list in a list", `{"a":[["b"]]}`, "a list of rules has a list"},
		{"an unknown comparison", `{"a":[{"like":"b"}]}`, `there is no comparison "like"`},
		{"two comparisons in one", `{"a":[{"prefix":"b","suffix":"c"}]}`,
			"a comparison has one member"},
		{"a prefix that is no string", `{"a":[{"prefix":1}]}`, "prefix takes a string"},
		{"anything but no prefix", `{"a":[{"anything-but":{"prefix":[]}}]}`, "an empty list of prefix"},
		{"anything but nothing", `{"a":[{"anything-but":[]}]}`, "takes texts or numbers"},
		{"anything but null", `{"a":[{"anything-but":null}]}`, "takes texts or numbers"},
		{"anything but a truth value", `{"a":[{"anything-but":[true]}]}`, "takes texts or numbers"},
		{"anything but a mixture", `{"a":[{"anything-but":["b",1]}]}`, "takes texts or numbers"},
		{"a prefix of another comparison", `{"a":[{"prefix":{"suffix":"b"}}]}`,
			"prefix takes a string"},
		{"a comparison in equals-ignore-case", `{"a":[{"equals-ignore-case":{"prefix":"b"}}]}`,
			"equals-ignore-case takes a string"},
		{"numeric with an upper bound first", `{"a":[{"numeric":["<",5,">",1]}]}`,
			"numeric takes comparisons"},
		{"numeric with nothing between", `{"a":[{"numeric":[">",5,"<",5]}]}`,
			"numeric takes comparisons"},
		{"numeric with three bounds", `{"a":[{"numeric":[">",1,"<",5,"<",4]}]}`,
			"numeric takes comparisons"},
		{"numeric with = and a bound", `{"a":[{"numeric":["=",1,"<",5]}]}`,
			"numeric takes comparisons"},
		{"anything but what exists", `{"a":[{"anything-but":{"exists":true}}]}`, `there is no comparison "exists"`},
		{"a wildcard", `{"a":[{"wildcard":"b*"}]}`, `there is no comparison "wildcard"`},
		{"exists without a boolean", `{"a":[{"exists":"yes"}]}`, "exists is true or false"},
		{"numeric without an operator", `{"a":[{"numeric":[1]}]}`, "numeric takes comparisons"},
		{"numeric with a wrong one", `{"a":[{"numeric":["~",1]}]}`, "numeric takes comparisons"},
		{"numeric with two at once", `{"a":[{"numeric":["< >",1]}]}`, "numeric takes comparisons"},
		{"numeric with two that follow each other", `{"a":[{"numeric":["= <",1]}]}`,
			"numeric takes comparisons"},
		{"numeric with a string", `{"a":[{"numeric":["<","1"]}]}`, "numeric takes comparisons"},
		{"or of rules", `{"$or":["a","b"]}`, "$or has a list of objects"},
		{"or of nothing", `{"$or":[]}`, "two objects or more"},
		{"or of one", `{"$or":[{"a":["b"]}]}`, "two objects or more"},
		{"too long", `{"a":["` + strings.Repeat("x", maxPattern) + `"]}`,
			"more than 4096 characters"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := newFilters([]string{c.pattern})
			assert.ErrorContains(t, err, c.want)
		})
	}
}

// FuzzFilters checks that no filter or record panics.
func FuzzFilters(f *testing.F) {
	f.Add(`{"a":[{"numeric":[">",1e300]}]}`, `{"a":1e9999}`)
	f.Add(`{"$or":[{"a":[null]}]}`, `{"a":[[]]}`)
	f.Add(`{"a":[{"anything-but":{"exists":true}}]}`, `[]`)
	f.Fuzz(func(t *testing.T, pattern, record string) {
		if filters, err := newFilters([]string{pattern}); err == nil {
			matchesAny(filters, []byte(record))
		}
	})
}
