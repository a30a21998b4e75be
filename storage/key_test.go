package storage

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage/item"
)

func TestKeyPrefix(t *testing.T) {
	for _, test := range []struct {
		name string
		key  Key
		want Range
	}{
		{"text", Key{7, "ab"}, Range{Lo: Key{7, "ab"}, Hi: Key{7, "ac"}}},
		{"text ending in FF", Key{7, "a\xff\xff"}, Range{Lo: Key{7, "a\xff\xff"}, Hi: Key{7, "b"}}},
		{"text of FF", Key{7, "\xff"}, Range{Lo: Key{7, "\xff"}, Hi: Key{8, ""}}},
		{"no text", Key{7, ""}, Range{Lo: Key{7, ""}, Hi: Key{8, ""}}},
		{"last hash", Key{math.MaxUint64, ""}, Range{Lo: Key{math.MaxUint64, ""}, HiOpen: true}},
	} {
		t.Run(test.name, func(t *testing.T) { require.Equal(t, test.want, test.key.Prefix()) })
	}
}

func TestKeyNext(t *testing.T) {
	k := Key{7, "ab"}
	require.True(t, k.less(k.Next()))
	require.True(t, k.Next().less(Key{7, "ab\x00\x00"}))
	require.Equal(t, Key{7, "ab\x00"}, k.Next())
}

func TestKeyLess(t *testing.T) {
	ascending := []Key{{0, ""}, {0, "a"}, {0, "a\x00"}, {0, "b"}, {1, ""}, {math.MaxUint64, "a"}}
	for i, a := range ascending {
		for j, b := range ascending {
			require.Equal(t, i < j, a.less(b), "%v < %v", a, b)
		}
	}
}

func TestEncode(t *testing.T) {
	pk, sk := item.Attribute{Name: "pk", Value: item.String("a")}, item.Attribute{
		Name: "sk", Value: `{"N":"1"}`,
	}
	for _, test := range []struct {
		name string
		item item.Item
		ok   bool
	}{
		{"key", item.New(pk, sk), true},
		{"more than the key", item.New(pk, sk, item.Attribute{Name: "x", Value: item.Null()}),
			true},
		{"empty value", item.New(item.Attribute{Name: "pk", Value: item.String("")}, sk), true},
		{"no partition key", item.New(sk), false},
		{"no sort key", item.New(pk), false},
		{"another type", item.New(pk, item.Attribute{Name: "sk", Value: item.String("1")}), false},
		{"nothing", "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			k, ok := testKey.Encode(test.item)
			require.Equal(t, test.ok, ok)
			if !ok {
				require.Zero(t, k)
				return
			}
			hashed := item.AppendKey(nil, test.item.Get("pk"))
			require.Equal(t, string(item.AppendKey(hashed, test.item.Get("sk"))), k.Text)
			require.Equal(t, item.HashKey(string(hashed)), k.Hash)
		})
	}
}

// TestEncodeInChecks: a key is good only if no part of it is empty or too long.
func TestEncodeInChecks(t *testing.T) {
	text := func(n int) item.Value { return item.String(strings.Repeat("x", n)) }
	schema := KeySchema{Hash: []KeyAttribute{{"pk", item.S}}, Range: []KeyAttribute{{"sk", item.B}}}
	const empty = item.Value(`{"B":""}`)
	for _, test := range []struct {
		name   string
		pk, sk item.Value
		good   bool
	}{
		{"shortest", text(1), `{"B":"AA=="}`, true},
		{"empty partition key", text(0), `{"B":"AA=="}`, false},
		{"empty sort key", text(1), empty, false},
		{"longest partition key", text(MaxHashKeyBytes - len(`{"S":""}`)), `{"B":"AA=="}`, true},
		{"long partition key", text(MaxHashKeyBytes + 1), `{"B":"AA=="}`, false},
		{"longest sort key", text(1),
			item.Value(`{"B":"` + strings.Repeat("A", MaxRangeKeyBytes-len(`{"B":""}`)) + `"}`),
			true},
		{"long sort key", text(1),
			item.Value(`{"B":"` + strings.Repeat("AAAA", MaxRangeKeyBytes/3+1) + `"}`), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			it := item.New(item.Attribute{Name: "pk", Value: test.pk},
				item.Attribute{Name: "sk", Value: test.sk})
			k, good, ok := schema.EncodeIn(nil, it)
			require.True(t, ok)
			require.Equal(t, test.good, good)
			same, _ := schema.Encode(it)
			require.Equal(t, same, k)
		})
	}
	_, good, ok := schema.EncodeIn(nil, item.New(item.Attribute{Name: "pk", Value: text(1)}))
	require.False(t, good || ok)
}

// TestPossibleKeys: an item without a possible key of an index is not in it.
func TestPossibleKeys(t *testing.T) {
	ix := newIndex(testKey, IndexSchema{Key: KeySchema{
		Hash:  []KeyAttribute{attrG, attrH},
		Range: []KeyAttribute{attrX, {"y", item.S}},
	}})
	long := func(n int) item.Value { return item.String(strings.Repeat("x", n)) }
	for _, test := range []struct {
		name       string
		g, h, x, y item.Value
		ok         bool
	}{
		{"key", item.String("g"), `{"N":"1"}`, item.Binary("x"), item.String("y"), true},
		{"longest partition key", long(2046), `{"N":"1"}`, item.Binary("x"), item.String("y"),
			true},
		{"partition key too long", long(2047), `{"N":"1"}`, item.Binary("x"), item.String("y"),
			false},
		{"longest sort key", item.String("g"), `{"N":"1"}`, item.Binary("x"), long(1023), true},
		{"sort key too long", item.String("g"), `{"N":"1"}`, item.Binary("x"), long(1024), false},
		{"empty string", item.String(""), `{"N":"1"}`, item.Binary("x"), item.String("y"), false},
		{"empty binary", item.String("g"), `{"N":"1"}`, item.Binary(""), item.String("y"), false},
		{"zero", item.String("g"), `{"N":"0"}`, item.Binary("x"), item.String("y"), true},
		{"another type", item.String("g"), item.String("1"), item.Binary("x"), item.String("y"),
			false},
		{"absent", item.String("g"), `{"N":"1"}`, item.Binary("x"), "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			it := testItem("a", "1")
			for name, v := range map[string]item.Value{
				"g": test.g, "h": test.h, "x": test.x, "y": test.y,
			} {
				it = it.With(item.Attribute{Name: name, Value: v})
			}
			k, ok := ix.EntryKey(it)
			require.Equal(t, test.ok, ok)
			require.Equal(t, test.ok, ix.holds(it))
			if !ok {
				return
			}
			own, _ := ix.Key.Encode(it)
			table, _ := testKey.Encode(it)
			require.Equal(t, Key{own.Hash, own.Text + table.Text}, k)
		})
	}
	_, ok := ix.EntryKey(item.New(item.Attribute{Name: "g", Value: item.String("g")}))
	require.False(t, ok, "without the table's key")
}

// TestCollectionsOfOneHash: two partition keys with the same hash are two collections.
func TestCollectionsOfOneHash(t *testing.T) {
	c := newCollections()
	c.add(Key{7, "a\x00\x01"}, 10)
	c.add(Key{7, "b\x00\x01"}, 20)
	for _, test := range []struct {
		key   Key
		bytes int64
	}{
		{Key{7, "a\x00\x01"}, 10},
		{Key{7, "a\x00\x01sort"}, 10},
		{Key{7, "b\x00\x01sort"}, 20},
		{Key{7, "a\x00\xff\x00\x01sort"}, 0},
		{Key{7, "c\x00\x01"}, 0},
		{Key{7, "A\x00\x01"}, 0},
		{Key{8, "b\x00\x01sort"}, 0},
	} {
		found, ok := c.of(test.key)
		require.Equal(t, test.bytes, found.bytes, "%q", test.key.Text)
		require.Equal(t, test.bytes != 0, ok)
	}
	c.add(Key{7, "a\x00\x01"}, -10)
	require.Equal(t, 1, c.tree.Len())
}
