package storage

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/storage/item"
)

// testVectors are all vector indexes that a table of the property test may have.
var testVectors = []VectorSchema{
	{"vector-all", "v", 2, Cosine, nil, nil, Projection{Type: "ALL"}},
	{"vector-keys", "v", 2, Euclidean, []KeyAttribute{attrG}, []KeyAttribute{attrX},
		Projection{Type: "KEYS_ONLY"}},
	{"vector-include", "v", 2, DotProduct, []KeyAttribute{attrH},
		[]KeyAttribute{attrG, {"pk", item.S}}, Projection{"INCLUDE", []string{"y", "v"}}},
	{"vector-long", "w", 5000, DotProduct, nil, []KeyAttribute{attrH}, Projection{Type: "ALL"}},
}

// drawVectors draws the attributes v and w: vectors, vectors that fit no index, or none.
func drawVectors(t *rapid.T) []item.Attribute {
	fits := rapid.SliceOfN(rapid.SampledFrom([]float32{-2, -1, 0, 0, 0.5, 1, 3}), 2, 2)
	v := item.Floats(fits.Draw(t, "v"))
	odd := rapid.SampledFrom([]item.Value{v, v, v, v, "", item.String("v"),
		item.Floats([]float32{1}), item.Floats([]float32{1, 2, 3}),
		`{"L":[{"N":"1"},{"S":"1"}]}`, `{"NS":["1","2"]}`,
		item.Value(`{"L":[{"N":"1"},{"N":"1` + strings.Repeat("0", 39) + `"}]}`)}).Draw(t, "odd")
	attributes := []item.Attribute{{Name: "v", Value: odd}}
	if rapid.IntRange(0, 9).Draw(t, "w") == 0 {
		long := make([]float32, 5000)
		long[rapid.IntRange(0, 4999).Draw(t, "place")] = rapid.Float32Range(-3, 3).Draw(t,
			"element")
		attributes = append(attributes, item.Attribute{Name: "w", Value: item.Floats(long)})
	}
	return attributes
}

// vectorOf returns the vector of an item for an index, or nil.
func (ix VectorSchema) vectorOf(it item.Item) []float64 {
	for _, a := range ix.Hash {
		if v := it.Get(a.Name); v.Type() != a.Type || v.Size() == 0 {
			return nil
		}
	}
	v := it.Get(ix.Attribute)
	var vector []float64
	for e := range v.Elems() {
		f, err := strconv.ParseFloat(e.Num(), 32)
		if v.Type() != item.L || e.Type() != item.N || err != nil {
			return nil
		}
		vector = append(vector, float64(f))
	}
	if len(vector) != ix.Dimensions {
		return nil
	}
	return vector
}

// entry returns an item as a vector index holds it besides the vector.
func (ix VectorSchema) entry(key KeySchema, it item.Item) item.Item {
	if ix.Projection.Type == "ALL" {
		return it.With(item.Attribute{Name: ix.Attribute})
	}
	names := slices.Concat(key.names(nil), ix.Projection.NonKey)
	for _, a := range slices.Concat(ix.Hash, ix.Filters) {
		names = append(names, a.Name)
	}
	return it.Only(names...).With(item.Attribute{Name: ix.Attribute})
}

// vectorStats measures a vector index.
func (t *modelTable) vectorStats(ix VectorSchema) Stats {
	var s Stats
	for _, it := range t.items {
		if ix.vectorOf(it) != nil {
			s.Items++
			s.Bytes += int64(4*ix.Dimensions + ix.entry(t.key, it).Size())
		}
	}
	return s
}

// modelScore computes the score of two vectors as their definition says.
func modelScore(d Distance, a, b []float64) float64 {
	var product, squareA, squareB, difference float64
	for i := range a {
		product += a[i] * b[i]
		squareA += a[i] * a[i]
		squareB += b[i] * b[i]
		difference += (a[i] - b[i]) * (a[i] - b[i])
	}
	switch {
	case d == DotProduct:
		return product
	case d == Euclidean:
		return math.Sqrt(difference)
	case squareA == 0 || squareB == 0:
		return 1
	}
	return max(0, 1-product/math.Sqrt(squareA*squareB))
}

// search compares all items of a table with a vector.
func (t *modelTable) search(ix VectorSchema, q VectorQuery) []VectorMatch {
	matches := []VectorMatch{}
	keys := map[item.Item]item.Item{}
	var vector []float64
	for _, f := range q.Vector {
		vector = append(vector, float64(f))
	}
	for _, it := range t.items {
		other := ix.vectorOf(it)
		meets := other != nil
		for _, a := range ix.Hash {
			meets = meets && it.Get(a.Name) == q.Partition.Get(a.Name)
		}
		for name, v := range q.Equal.All() {
			meets = meets && it.Get(name) == v
		}
		if meets {
			e := ix.entry(t.key, it)
			keys[e] = it
			matches = append(matches,
				VectorMatch{Item: e, Score: modelScore(ix.Distance, other, vector)})
		}
	}
	slices.SortFunc(matches, func(a, b VectorMatch) int {
		near := a.Score - b.Score
		if ix.Distance == DotProduct {
			near = -near
		}
		switch {
		case near < 0:
			return -1
		case near > 0:
			return 1
		}
		return t.compare("", keys[a.Item], keys[b.Item])
	})
	return matches[:min(len(matches), q.K)]
}

// search searches a vector index of a random table that has one. Most have.
func (m *machine) search(t *rapid.T) {
	w := m.world(t)
	searchable := slices.DeleteFunc(slices.Sorted(maps.Keys(w.model)),
		func(name string) bool { return len(w.model[name].vectors) == 0 })
	if len(searchable) == 0 {
		t.Skip("no vector index")
	}
	name := rapid.SampledFrom(searchable).Draw(t, "table")
	mt := w.model[name]
	schema := rapid.SampledFrom(mt.vectors).Draw(t, "vector index")
	q := VectorQuery{
		Vector: make([]float32, schema.Dimensions), K: rapid.IntRange(1, 4).Draw(t, "k"),
	}
	for i := range 2 {
		q.Vector[i] = rapid.SampledFrom([]float32{-1, 0, 1, 2}).Draw(t, "element")
	}
	like := drawItem(t)
	if len(mt.items) > 0 && rapid.Bool().Draw(t, "like one") {
		like = mt.items[rapid.SampledFrom(slices.Sorted(maps.Keys(mt.items))).Draw(t, "like")]
	}
	q.Partition, q.Equal = like, item.New()
	for _, a := range schema.Filters {
		if v := like.Get(a.Name); v != "" && rapid.Bool().Draw(t, "filter") {
			q.Equal = q.Equal.With(item.Attribute{Name: a.Name, Value: v})
		}
	}
	_ = w.store.View(func(tx *Tx) error {
		table := tx.Table(name)
		got, _ := tx.Vectors().Search(table, tx.Vectors().Index(table, schema.Name), q)
		require.Equal(t, mt.search(schema, q), append([]VectorMatch{}, got...))
		return nil
	})
}

// checkVectors compares what a Tx tells of vector indexes with a model.
func checkVectors(t require.TestingT, tx *Tx, table *Table, mt *modelTable) {
	var schemas []VectorSchema
	for _, ix := range tx.Vectors().Indexes(table) {
		schemas = append(schemas, ix.VectorSchema)
		require.Equal(t, mt.vectorStats(ix.VectorSchema), tx.Vectors().Stats(table, ix))
	}
	require.ElementsMatch(t, mt.vectors, schemas)
}

// vectorEffects returns the effects of a write on the vector indexes, by name.
func (t *modelTable) vectorEffects(old, new item.Item) map[string]VectorEffect {
	effects := map[string]VectorEffect{}
	for _, ix := range t.vectors {
		var e VectorEffect
		was, is := old != "" && ix.vectorOf(old) != nil, ix.vectorOf(new) != nil
		if was {
			e.Old = 4*ix.Dimensions + ix.entry(t.key, old).Size()
		}
		if is {
			e.New = 4*ix.Dimensions + ix.entry(t.key, new).Size()
		}
		if !was && !is || was && is && ix.entry(t.key, old) == ix.entry(t.key, new) &&
			old.Get(ix.Attribute) == new.Get(ix.Attribute) {
			continue
		}
		for _, a := range ix.Hash {
			e.Moved = was && is && old.Get(a.Name) != new.Get(a.Name)
		}
		effects[ix.Name] = e
	}
	return effects
}

// stepVector adds or drops a vector index.
func stepVector(t *rapid.T, tx *Tx, table *Table, mt *modelTable) {
	schema := rapid.SampledFrom(testVectors).Draw(t, "vector index")
	if ix := tx.Vectors().Index(table, schema.Name); ix != nil {
		tx.Vectors().DropIndex(table, ix)
		mt.vectors = slices.DeleteFunc(mt.vectors,
			func(other VectorSchema) bool { return other.Name == schema.Name })
		return
	}
	mt.addVector(t, tx, table, schema)
}

func (mt *modelTable) addVector(t require.TestingT, tx *Tx, table *Table, schema VectorSchema) {
	require.Equal(t, schema, tx.Vectors().AddIndex(table, schema).VectorSchema)
	mt.vectors = append(mt.vectors, schema)
}
