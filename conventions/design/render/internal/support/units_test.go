package support

import (
	"reflect"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// TestKeys: parts become the value of a key, or there is an error.
func TestKeys(t *testing.T) {
	for _, c := range []struct {
		name  string
		key   func(*keys) types.AttributeValue
		want  types.AttributeValue
		fails string
	}{
		{"parts", func(k *keys) types.AttributeValue {
			return k.join(fixed("a#"), value("b", "c"))
		}, text("a#c"), ""},
		{"an empty part", func(k *keys) types.AttributeValue {
			return k.join(fixed("a#"), value("b", ""))
		}, nil, ""},
		{"the text of the next part", func(k *keys) types.AttributeValue {
			return k.join(value("b", "c#d"), fixed("#"))
		}, text("c#d#"), `b is "c#d"`},
		{"digits", func(k *keys) types.AttributeValue { return k.join(digits("n", "7", 3)) },
			text("007"), ""},
		{"too many digits", func(k *keys) types.AttributeValue {
			return k.join(digits("n", "1234", 3))
		}, text(""), "n is 1234"},
		{"a value of a request", func(k *keys) types.AttributeValue { return k.need(nil) }, nil,
			"a value of the request is empty"},
		{"a beginning", func(k *keys) types.AttributeValue {
			return text(k.beginning("b", "ab", "#"))
		}, text("ab"), ""},
		{"a beginning with the text of the next part", func(k *keys) types.AttributeValue {
			return text(k.beginning("b", "a#b", "#"))
		}, text("a#b"), "it cannot have"},
		{"a condition that does not hold", func(*keys) types.AttributeValue {
			return when(false, text("a"))
		}, nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := &keys{}
			if got := c.key(k); !reflect.DeepEqual(got, c.want) {
				t.Errorf("the key is %v, want %v", got, c.want)
			}
			checkError(t, k.err, c.fails)
		})
	}
}

// checkError checks that an error has a text, or that there is no error if the text is empty.
func checkError(t *testing.T, err error, has string) {
	t.Helper()
	if has == "" && err != nil || has != "" && (err == nil || !strings.Contains(err.Error(), has)) {
		t.Errorf("the error is %v, want %q", err, has)
	}
}

// TestPeriods: a read names the periods between two timestamps, in the order of its result.
func TestPeriods(t *testing.T) {
	for _, c := range []struct {
		name, from, to, layout string
		descending             bool
		want                   []string
		fails                  string
	}{
		{"years", "2024-05-01", "2026-01-01", "2006", false, []string{"2024", "2025", "2026"}, ""},
		{"months", "2024-12-31", "2025-01-01", "2006-01", true, []string{"2025-01", "2024-12"}, ""},
		{"days", "2024-02-28T23", "2024-03-01", "2006-01-02", false,
			[]string{"2024-02-28", "2024-02-29", "2024-03-01"}, ""},
		{"hours", "2024-02-28T23:10", "2024-02-29T00:00", "2006-01-02T15", false,
			[]string{"2024-02-28T23", "2024-02-29T00"}, ""},
		{"no timestamp", "yesterday", "2024", "2006", false, nil, `"yesterday" is no timestamp`},
		{"an empty bound", "", "2024", "2006", false, nil, "a bound of the range is empty"},
		{"too many", "0001", "9999", "2006", false, nil, "more than 1000 periods"},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := &keys{}
			all := k.periods(c.from, c.to, c.layout, c.descending)
			if c.fails == "" && !reflect.DeepEqual(all, c.want) {
				t.Errorf("the periods are %v, want %v", all, c.want)
			}
			checkError(t, k.err, c.fails)
		})
	}
}

// everything is an item with an attribute of each type, and a key of parts.
type everything struct {
	Text    string
	Number  Number
	Bytes   []byte
	Flag    bool
	List    []types.AttributeValue
	Members attributes
	Vector  []float64
	First   string
	Second  Number
}

// item returns the item that read reads.
func (v everything) item() attributes {
	k := &keys{}
	return attributes{"text": text(v.Text), "number": numeric(v.Number), "bytes": binary(v.Bytes),
		"flag": boolean(v.Flag), "list": list(v.List), "members": members(v.Members),
		"vector": vector(v.Vector),
		"key": k.join(fixed("a#"), value("first", v.First), fixed("#"),
			digits("second", v.Second, 3))}
}

func (v *everything) read(item attributes) error {
	r := &reader{item: item}
	r.text("text", &v.Text)
	r.numeric("number", &v.Number)
	r.binary("bytes", &v.Bytes)
	r.boolean("flag", &v.Flag)
	r.list("list", &v.List)
	r.members("members", &v.Members)
	r.vector("vector", &v.Vector)
	r.split("key", "a#", &v.First, "#", &v.Second)
	return r.err
}

// TestReader: what is written is read again, and an attribute of another type is an error.
func TestReader(t *testing.T) {
	want := everything{"a", "1.5", []byte{1}, true, []types.AttributeValue{text("b")},
		attributes{"c": numeric(Int(2))}, []float64{0.5}, "d", "7"}
	var got everything
	if err := got.read(want.item()); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("read %v, %v, want %v", got, err, want)
	}
	for name := range want.item() {
		item := want.item()
		item[name] = &types.AttributeValueMemberNULL{}
		var v everything
		checkError(t, v.read(item), name+" is a ")
	}
	var zero everything
	item := everything{First: "d", Second: "0"}.item()
	if err := zero.read(attributes{"key": item["key"]}); err != nil || zero.Second != "0" {
		t.Errorf("read %v, %v", zero, err)
	}
}
