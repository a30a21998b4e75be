package protocol

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/dax/cbor"
	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// data encodes data items: text, int, []any for arrays, ordinal for tagged indexes.
func data(items ...any) (dst []byte) {
	for _, it := range items {
		switch v := it.(type) {
		case string:
			dst = cbor.AppendText(dst, v)
		case int:
			dst = cbor.AppendInt(dst, int64(v))
		case ordinal:
			dst = cbor.AppendInt(cbor.AppendHead(dst, cbor.Tag, tagOrdinal), int64(v))
		case []any:
			dst = append(cbor.AppendHead(dst, cbor.Array, uint64(len(v))), data(v...)...)
		default:
			panic("no data item")
		}
	}
	return dst
}

type ordinal int

type a = []any

func path(elements ...any) a { return append(a{fnPath}, elements...) }

func value(n int) a { return a{fnVariable, n} }

// TestExpressions prints the trees of emulator/docs/dax-protocol.md, with the parentheses that they
// need and no others: DynamoDB refuses those.
func TestExpressions(t *testing.T) {
	x, y := a{fnEqual, path("x"), value(0)}, a{fnEqual, path("y"), value(1)}
	for _, c := range []struct {
		name string
		tree any
		want string
	}{
		{"a comparison", a{4, path("x"), value(0)}, "#0 > :c0"},
		{"a path", a{5, path("x", "y", ordinal(3), ordinal(0), "x"), value(0)},
			"#0.#1[3][0].#0 <= :c0"},
		{"and", a{fnAnd, x, y}, "#0 = :c0 AND #1 = :c1"},
		{"or in and", a{fnAnd, a{fnOr, x, y}, x}, "(#0 = :c0 OR #1 = :c1) AND #0 = :c0"},
		{"and in or", a{fnOr, x, a{fnAnd, x, y}}, "#0 = :c0 OR #0 = :c0 AND #1 = :c1"},
		{"or in or", a{fnOr, x, a{fnOr, x, y}}, "#0 = :c0 OR #0 = :c0 OR #1 = :c1"},
		{"not", a{fnNot, x}, "NOT #0 = :c0"},
		{"not and", a{fnNot, a{fnAnd, x, y}}, "NOT (#0 = :c0 AND #1 = :c1)"},
		{"not or", a{fnNot, a{fnOr, x, y}}, "NOT (#0 = :c0 OR #1 = :c1)"},
		{"not not", a{fnNot, a{fnNot, x}}, "NOT NOT #0 = :c0"},
		{"between", a{fnBetween, path("x"), value(0), value(1)}, "#0 BETWEEN :c0 AND :c1"},
		{"in", a{fnIn, path("x"), a{value(0), value(1)}}, "#0 IN (:c0, :c1)"},
		{"functions", a{fnAnd, a{11, path("x")}, a{14, path("y"), value(0)}},
			"attribute_exists(#0) AND begins_with(#1, :c0)"},
		{"size", a{2, a{16, path("x")}, value(0)}, "size(#0) < :c0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var p scope
			got, err := p.condition(data(a{1, c.tree, a{"one", "two"}}), 'c')
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
			assert.Equal(t, `":c0":{"S":"one"},":c1":{"S":"two"}`, string(p.values))
		})
	}
	t.Run("an update, by clauses", func(t *testing.T) {
		var p scope
		got, err := p.update(data(a{1, a{
			a{22, path("gone")}, a{19, path("n"), a{fnPlus, path("n"), value(0)}},
			a{20, path("hits"), value(0)},
			a{19, path("l", ordinal(1)), a{24, path("l"), value(1)}},
			a{19, path("m"), a{23, path("m"), value(1)}}, a{21, path("tags"), value(1)},
		}, a{1, "v"}}))
		require.NoError(t, err)
		assert.Equal(t, "SET #1 = #1 + :u0, #3[1] = list_append(#3, :u1), "+
			"#4 = if_not_exists(#4, :u1) ADD #2 :u0 DELETE #5 :u1 REMOVE #0", got)
		assert.Equal(t, []string{"gone", "n", "hits", "l", "m", "tags"}, p.names)
	})
	for name, tree := range map[string]any{
		"no tree": 1, "an unknown function": a{99, path("x")},
		"an action":             a{19, path("x"), value(0)},
		"a comparison of three": a{0, path("x"), value(0), value(0)}, "not of two": a{fnNot, x, y},
		"a negative value": a{fnVariable, -1}, "an index first": path(ordinal(1)),
		"an empty name": path(""), "a name": "x", "in without a list": a{fnIn, path("x"), value(0)},
	} {
		t.Run("malformed: "+name, func(t *testing.T) {
			var p scope
			_, err := p.condition(data(a{1, tree, a{"one"}}), 'c')
			assert.Error(t, err)
		})
	}
}

func TestProjections(t *testing.T) {
	for _, c := range []struct {
		name  string
		paths a
		want  string
	}{
		{"whole attributes", a{path("x"), path("y")}, "#0, #1"},
		{"parts of an attribute", a{path("x", ordinal(0)), path("y"), path("x", ordinal(2))},
			"#0, #1"},
		{"paths that overlap are for the service", a{path("x"), path("x", "y")}, "#0, #0.#1"},
		{"a map and a list", a{path("x", "y"), path("x", ordinal(1))}, "#0.#1, #0[1]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			paths, err := readProjection(data(a{1, c.paths}))
			require.NoError(t, err)
			var p scope
			assert.Equal(t, c.want, p.project(paths))
		})
	}
	in := jsontext.NewScanner(
		`{"l":{"L":[{"S":"a"},{"M":{"z":{"N":"7"}}}]},"m":{"M":{"k":{"S":"v"}}},"s":{"S":"t"}}`)
	it, err := readAttributes(&in)
	require.NoError(t, err)
	paths, err := readProjection(data(a{1, a{path("l", ordinal(1), "z"), path("m", "none"),
		path("l", ordinal(0)), path("s"), path("s", "x"), path("gone")}}))
	require.NoError(t, err)
	want := append([]byte{cbor.Map | 3}, data(0, 7, 2, "a", 3, "t")...)
	assert.Equal(t, want, appendProjection(nil, &it, paths))
}

// TestLexDecimal: encoded numbers compare as numbers do, and come back.
func TestLexDecimal(t *testing.T) {
	ascending := []string{
		"-1E+125", "-99999999999999999999999999999999999999", "-1000", "-999", "-12.5", "-12",
		"-1.01",
		"-1", "-0.999", "-1E-70", "-1E-130", "0", "1E-130", "1E-62", "0.001", "0.01", "0.1", "0.11",
		"1", "1.5", "10", "11", "100", "123456789.123456789", "1E+61", "1E+62", "9.9E+125",
	}
	var before string
	for i, text := range ascending {
		d, err := item.ParseDecimal(text)
		require.NoError(t, err)
		encoded := appendLex(nil, d.String())
		assert.Equal(t, encoded, appendLex(nil, text), "%s in another notation", text)
		back, err := readLex(encoded)
		require.NoError(t, err, text)
		again, err := item.ParseDecimal(back)
		require.NoError(t, err, back)
		assert.Equal(t, d, again, text)
		assert.True(t, i == 0 || strings.Compare(before, string(encoded)) < 0, text)
		before = string(encoded)
	}
	for text, want := range map[string]string{ // amazon-dax-client 2.1.0 of PyPI encodes them so
		"0": "80", "1": "c11c0000", "-12.5": "3dddbfd0", "123456": "c621dd4008",
		"0.001": "be1c0000", "100": "c31c0020", "-1E-70": "7e80000044e3fff0",
		"99999999999999999999999999999999999999": "e6fcff3fcff3fcff3fcff3fcff3fcff3fa8010",
	} {
		assert.Equal(t, want, hex.EncodeToString(appendLex(nil, text)), text)
	}
}

func FuzzLexDecimal(f *testing.F) {
	f.Add(appendLex(nil, "-12.5"))
	f.Add(appendLex(nil, "1E+100"))
	f.Fuzz(func(t *testing.T, data []byte) {
		text, err := readLex(data)
		if err != nil {
			return
		}
		if d, err := item.ParseDecimal(text); err == nil {
			back, err := readLex(appendLex(nil, d.String()))
			require.NoError(t, err)
			again, err := item.ParseDecimal(back)
			require.NoError(t, err)
			require.Equal(t, d, again)
		}
	})
}

// knownTables has the table t with a partition key and a sort key.
type knownTables struct{}

func (knownTables) Schema(string) (Schema, error) { return Schema{{"pk", "S"}, {"sk", "N"}}, nil }

type knownLists struct{}

func (knownLists) Names(id int64) ([]string, bool) { return []string{"a", "b"}, id == 2 }
func (knownLists) ID([]string) (int64, error)      { return 2, nil }

// FuzzRequest: what is read of any arguments is JSON.
func FuzzRequest(f *testing.F) {
	key := append(cbor.AppendText(nil, "a"), appendLex(nil, "1")...)
	get := append(cbor.AppendBytes(cbor.AppendBytes(nil, "t"), key), cbor.Null)
	f.Add(int64(GetItem), get)
	f.Add(int64(DeleteItem), append(get[:len(get)-1], 0xa1, optCondition, 0x40))
	f.Add(int64(Scan), append(cbor.AppendBytes(nil, "t"), 0xa1, optLimit, 1))
	f.Fuzz(func(t *testing.T, method int64, arguments []byte) {
		d := Decoder{Tables: knownTables{}, Lists: knownLists{},
			Limits: Limits{ItemBytes: 400 << 10, BodyBytes: 16 << 20}}
		q, err := d.Request(Method(method), arguments)
		if err != nil {
			return
		}
		body := q.Body
		if q.Method == BatchGetItem {
			body, _ = q.BatchBody(func(int) bool { return true }, false)
		}
		s := jsontext.NewScanner(string(body))
		require.NoError(t, s.Skip(1<<15), string(body))
		require.NoError(t, s.End())
	})
}
