package item

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

func parseValue(t testing.TB, text string) Value {
	t.Helper()
	s := jsontext.NewScanner(text)
	v, invalid, err := ParseValue(&s)
	require.NoError(t, err)
	require.Nil(t, invalid)
	return v
}

func TestValueAccessors(t *testing.T) {
	m := parseValue(t,
		`{"M":{"l":{"L":[{"S":"a\"}"},{"BS":["Yg=="]},{"BOOL":true}]},"n\"":{"N":"-1.5"},"z":{"M":{}}}}`)
	l := m.Field("l")
	assert.Equal(t, 3, m.Len())
	assert.Equal(t, 3, l.Len())
	assert.Equal(t, `a"}`, l.Index(0).Str())
	assert.Equal(t, 3, l.Index(0).Len())
	assert.Equal(t, []Value{Binary("b")}, slices.Collect(l.Index(1).Elems()))
	assert.Equal(t, "b", Binary("b").Bytes())
	assert.Equal(t, 1, Binary("b").Len())
	assert.True(t, l.Index(2).Bool())
	assert.Equal(t, Value(""), l.Index(3))
	assert.Equal(t, "-1.5", m.Field(`n"`).Num())
	assert.Equal(t, -1, m.Field(`n"`).Len())
	assert.Equal(t, 0, m.Field("z").Len())
	assert.Equal(t, Value(""), m.Field("x"))
	assert.Equal(t, 2, m.Depth())
}

func TestContains(t *testing.T) {
	for _, c := range []struct {
		name, v, elem string
		want          bool
	}{
		{"substring", `{"S":"abc"}`, `{"S":"bc"}`, true},
		{"no substring", `{"S":"abc"}`, `{"S":"cb"}`, false},
		{"of another type", `{"S":"1"}`, `{"N":"1"}`, false},
		{"bytes", `{"B":"YWJj"}`, `{"B":"Yg=="}`, true},
		{"element of a set", `{"NS":["1","2"]}`, `{"N":"2.0"}`, true},
		{"a set's elements have its type", `{"NS":["1","2"]}`, `{"S":"2"}`, false},
		{"element of a list", `{"L":[{"N":"1"},{"L":[]}]}`, `{"L":[]}`, true},
		{"a map has none", `{"M":{"a":{"S":"a"}}}`, `{"S":"a"}`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, Contains(parseValue(t, c.v), parseValue(t, c.elem)))
		})
	}
}

func TestSets(t *testing.T) {
	a, b := parseValue(t, `{"NS":["1","10","2"]}`), parseValue(t, `{"NS":["2","3"]}`)
	assert.Equal(t, Value(`{"NS":["1","2","3","10"]}`), Union(a, b))
	assert.Equal(t, Value(`{"NS":["1","10"]}`), Difference(a, b))
	assert.Equal(t, Value(""), Difference(b, b))
}

// TestSetsAgainstMaps compares sets with Go maps of their elements.
func TestSetsAgainstMaps(t *testing.T) {
	for _, typ := range []Type{SS, NS, BS} {
		t.Run(typ.String(), rapid.MakeCheck(func(t *rapid.T) {
			elem := rapid.Custom(func(t *rapid.T) Value {
				n := rapid.IntRange(-12, 12).Draw(t, "n")
				switch typ {
				case SS:
					return String(string(rune('a'+n)) + "\"")
				case BS:
					return Binary(string([]byte{byte(n)}))
				}
				d, _ := ParseDecimal(strconv.Itoa(n) + "e-1")
				return Number(d)
			})
			draw := func(label string) (Value, map[Value]bool) {
				model := map[Value]bool{}
				for _, e := range rapid.SliceOfN(elem, 1, 8).Draw(t, label) {
					model[e] = true
				}
				return setFrom(t, typ, model), model
			}
			a, inA := draw("a")
			b, inB := draw("b")
			union, difference := map[Value]bool{}, map[Value]bool{}
			for e := range inA {
				union[e] = true
				if !inB[e] {
					difference[e] = true
				}
			}
			for e := range inB {
				union[e] = true
				assert.Equal(t, inA[e], Contains(a, e))
			}
			assert.Equal(t, setFrom(t, typ, union), Union(a, b))
			assert.Equal(t, setFrom(t, typ, difference), Difference(a, b))
			assert.Equal(t, len(union), Union(a, b).Len())
		}))
	}
}

// setFrom parses a set of elements. It returns "" without elements.
func setFrom(t require.TestingT, typ Type, elems map[Value]bool) Value {
	if len(elems) == 0 {
		return ""
	}
	var texts []string
	for e := range elems {
		texts = append(texts, `"`+e.quoted()+`"`)
	}
	s := jsontext.NewScanner(`{"` + typ.String() + `":[` + strings.Join(texts, ",") + `]}`)
	v, invalid, err := ParseValue(&s)
	require.NoError(t, err)
	require.Nil(t, invalid)
	return v
}

// FuzzParse: parsing any text does not panic, and the result is canonical, is JSON, and has the
// size that a walk over the decoded tree computes.
func FuzzParse(f *testing.F) {
	for _, s := range []string{item1K, `{"a":{"B":"AAF="}}`, `{"a":{"S":"\ud83d\ude00\u0000"}}`,
		`{"m":{"M":{"b":{"NS":["1e1","2"]},"a":{"L":[{"NULL":true}]}}}}`,
		`{"a":{"SS":["b","a"]},"b":{"BS":["AA==","AQ=="]}}`, `{"a":{"N":"-0.10"},"b":{}}`, `[{}]`,
		`{"a":{"L":[{"M":{"":{"S":""}}}]}}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := parse(text)
		if err != nil || a.Invalid != nil || a.Item == "" {
			return
		}
		again, err := parse(string(a.Item.JSON()))
		require.NoError(t, err)
		require.Equal(t, a.Item, again.Item)
		var tree map[string]map[string]any
		require.NoError(t, json.Unmarshal([]byte(a.Item.JSON()), &tree))
		require.Len(t, tree, a.Item.Len())
		size := 0
		for name, v := range tree {
			size += len(name) + naiveSize(v)
			require.Equal(t, naiveSize(v), a.Item.Get(name).Size())
		}
		require.Equal(t, size, a.Item.Size())
	})
}

// naiveSize computes an attribute value's size from its decoded JSON.
func naiveSize(v map[string]any) int {
	n := 0
	for t, x := range v {
		switch t {
		case "S":
			n = len(x.(string))
		case "N":
			d, _ := ParseDecimal(x.(string))
			n = d.Size()
		case "B":
			b, _ := base64.StdEncoding.DecodeString(x.(string))
			n = len(b)
		case "BOOL", "NULL":
			n = 1
		case "SS", "NS", "BS":
			for _, e := range x.([]any) {
				n += naiveSize(map[string]any{t[:1]: e})
			}
		case "L":
			n = 3
			for _, e := range x.([]any) {
				n += 1 + naiveSize(e.(map[string]any))
			}
		case "M":
			n = 3
			for name, e := range x.(map[string]any) {
				n += 1 + len(name) + naiveSize(e.(map[string]any))
			}
		}
	}
	return n
}

// TestWithAgainstMaps changes items at random and compares them with Go maps.
func TestWithAgainstMaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		it, model := Item(""), map[string]Value{}
		name := rapid.StringOfN(rapid.RuneFrom([]rune("ab! \"\\\n")), 0, 4, -1)
		value := rapid.SampledFrom(
			[]Value{"", Null(), String("x"), `{"L":[{"S":"}\""}]}`, `{"M":{"a":{"SS":["]"]}}}`})
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			var changes []Attribute
			seen := map[string]bool{}
			for range rapid.IntRange(0, 4).Draw(t, "changes") {
				a := Attribute{name.Draw(t, "name"), value.Draw(t, "value")}
				if seen[a.Name] {
					continue
				}
				seen[a.Name] = true
				changes = append(changes, a)
				if model[a.Name] = a.Value; a.Value == "" {
					delete(model, a.Name)
				}
			}
			it = it.With(changes...)
			var attrs []Attribute
			for name, v := range model {
				attrs = append(attrs, Attribute{name, v})
				assert.Equal(t, v, it.Get(name))
			}
			assert.Equal(t, New(attrs...), it)
			assert.Equal(t, JSON(it.AppendOnlyJSON(nil, "a", `"`)), it.Only("a", `"`).JSON())
		}
	})
}

func TestWideItem(t *testing.T) {
	long := Attribute{"a", String(string(make([]byte, 70_000)))}
	it := New(Attribute{"b", Null()}, long, Attribute{"z", Boolean(true)})
	assert.Equal(t, long.Value, it.Get("a"))
	assert.Equal(t, Null(), it.Get("b"))
	assert.Equal(t, Boolean(true), it.Get("z"))
	assert.Equal(t, New(Attribute{"b", Null()}), it.With(Attribute{"a", ""}, Attribute{"z", ""}))
}

// TestConstructors compares constructed values with parsed ones.
func TestConstructors(t *testing.T) {
	d, err := ParseDecimal("-1.5")
	require.NoError(t, err)
	built := Map(
		Attribute{"s", String("\"\n")}, Attribute{"n", Number(d)},
		Attribute{"b", Binary("\xff\x00")},
		Attribute{"l", List(Boolean(true), Boolean(false), Null(), List())}, Attribute{"m", Map()},
	)
	text := `{"M":{"m":{"M":{}},"s":{"S":"\"\n"},"n":{"N":"-15e-1"},"b":{"B":"/wA="},"l":{"L":[{"BOOL":true},{"BOOL":false},{"NULL":true},{"L":[]}]}}}`
	assert.Equal(t, parseValue(t, text), built)
	var names []string
	for name, v := range built.Fields() {
		names = append(names, name)
		assert.Equal(t, v, built.Field(name))
	}
	assert.Equal(t, []string{"b", "l", "m", "n", "s"}, names)
}

// TestAbsent checks the methods of zero values and of values of other types.
func TestAbsent(t *testing.T) {
	var it Item
	assert.Equal(t, JSON(""), it.JSON())
	assert.Zero(t, it.Size())
	assert.Zero(t, it.Len())
	assert.Equal(t, Value(""), it.Get("a"))
	assert.Equal(t, New(Attribute{"a", Null()}), it.With(Attribute{"a", Null()}))
	assert.Equal(t, JSON("{}"), New().JSON())
	assert.NotEqual(t, it, New())
	for _, v := range []Value{"", Null(), List(), Map()} {
		assert.Equal(t, "", v.Str()+v.Num()+v.Bytes())
		assert.False(t, v.Bool())
		assert.Empty(t, slices.Collect(v.Elems()))
		assert.Equal(t, Value(""), v.Field("a")+v.Index(0))
		assert.False(t, BeginsWith(v, v))
	}
	a, err := parse("null")
	assert.NoError(t, err)
	assert.Equal(t, Attributes{}, a)
}

// TestManyAttributes reads an item whose directory has wide offsets.
func TestManyAttributes(t *testing.T) {
	var text strings.Builder
	const n = 10_000
	for i := range n {
		text.WriteString(`,"` + strconv.Itoa(n-i) + `":{"N":"` + strconv.Itoa(i) + `"}`)
	}
	it := mustParse(t, "{"+text.String()[1:]+"}")
	assert.Equal(t, n, it.Len())
	for i := range n {
		require.Equal(t, strconv.Itoa(i), it.Get(strconv.Itoa(n-i)).Num())
	}
	assert.Equal(t, Value(""), it.Get("x"))
	assert.Equal(t, mustParse(t, `{"7":{"N":"9993"}}`), it.Only("7"))
}
