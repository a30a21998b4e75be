package storage

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/storage/item"
)

// vectorItem returns an item with a vector.
func vectorItem(i int, vector []float32, others ...item.Attribute) item.Item {
	return testItem("a", fmt.Sprint(i),
		append(others, item.Attribute{Name: "v", Value: item.Floats(vector)})...)
}

func randomVector(r *rand.Rand, dimensions int) []float32 {
	vector := make([]float32, dimensions)
	for i := range vector {
		vector[i] = float32(r.NormFloat64())
	}
	return vector
}

// TestVectorBlocks: entries stay what they are while others come and go, in a fork and in its
// source, over many blocks.
func TestVectorBlocks(t *testing.T) {
	const n = 2000
	for _, schema := range []VectorSchema{
		{"all", "v", 300, Cosine, nil, []KeyAttribute{attrG}, Projection{Type: "ALL"}},
		{"keys", "v", 300, Cosine, []KeyAttribute{attrG}, nil, Projection{Type: "KEYS_ONLY"}},
	} {
		t.Run(schema.Name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			s, table := newTestStore(t)
			group := func(i int) item.Attribute {
				return item.Attribute{Name: "g", Value: item.String(fmt.Sprint(i % 3))}
			}
			update(t, s, func(tx *Tx) {
				tx.Vectors().AddIndex(table, schema)
				for i := range n {
					put(tx, table, vectorItem(i, randomVector(r, 300), group(i)))
				}
			})
			fork := s.Fork()
			for at, s := range []*Store{s, fork} {
				for i := range n {
					update(t, s, func(tx *Tx) {
						table := tx.Table("t")
						switch (i + at) % 4 {
						case 0, 1:
							tx.Delete(table, mustKey(table, testItem("a", fmt.Sprint(i))))
						case 2:
							put(tx, table, vectorItem(i, randomVector(r, 300), group(i+1)))
						default:
							put(tx, table, vectorItem(n+i, randomVector(r, 300), group(i)))
						}
					})
				}
			}
			require.NoError(t, s.Check())
			require.NoError(t, fork.Check())
		})
	}
}

// TestSearchIsExact: a search finds the same as a comparison of all vectors in 64-bit arithmetic,
// also when vectors hardly differ, or when their products are beyond the range of 32-bit floats.
func TestSearchIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schema := VectorSchema{Name: "x", Attribute: "v",
			Dimensions: rapid.IntRange(1, 300).Draw(t, "dimensions"),
			Distance: rapid.SampledFrom([]Distance{Cosine, Euclidean, DotProduct}).Draw(t,
				"distance"), Projection: Projection{Type: "KEYS_ONLY"}}
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		size := rapid.SampledFrom([]float32{1, 1, 1e-30, 1e25, 1e37}).Draw(t, "size")
		spread := rapid.SampledFrom([]float32{1, 1e-3, 1e-6}).Draw(t, "spread")
		middle := randomVector(r, schema.Dimensions)
		draw := func() []float32 {
			vector := randomVector(r, schema.Dimensions)
			for i := range vector {
				vector[i] = size * (middle[i] + spread*vector[i])
			}
			return vector
		}
		s := New(Options{})
		scores := map[item.Item]float64{}
		q := VectorQuery{Vector: draw(), K: 5, Vectors: true}
		var matches []VectorMatch
		var among int
		require.NoError(t, s.Update(func(tx *Tx) error {
			table := tx.Tables().Create("t", "id", testKey, nil, nil)
			ix := tx.Vectors().AddIndex(table, schema)
			for i := range 50 {
				it := vectorItem(i, draw())
				put(tx, table, it)
				vector, _ := it.Get("v").AppendFloats(nil)
				scores[it.Only("pk", "sk")] = schema.Distance.score(vector, q.Vector)
			}
			matches, among = tx.Vectors().Search(table, ix, q)
			return nil
		}))
		require.Equal(t, 50, among)
		var all, found []float64
		for _, score := range scores {
			all = append(all, score)
		}
		slices.SortFunc(all, schema.Distance.compare)
		for _, m := range matches {
			require.Equal(t, scores[m.Item], m.Score)
			require.Equal(t, m.Score, schema.Distance.score(m.Vector, q.Vector))
			found = append(found, m.Score)
		}
		require.Equal(t, all[:5], found)
	})
}

func TestScores(t *testing.T) {
	one := []float32{1, 0, 0, 0}
	cases := []struct {
		name     string
		distance Distance
		vector   []float32
		score    float64
	}{
		{"cosine ignores the length", Cosine, []float32{10, 0, 0, 0}, 0},
		{"cosine of opposites", Cosine, []float32{-3, 0, 0, 0}, 2},
		{"cosine of a right angle", Cosine, []float32{0, 5, 0, 0}, 1},
		{"cosine of no direction", Cosine, []float32{0, 0, 0, 0}, 1},
		{"euclidean", Euclidean, []float32{10, 0, 0, 0}, 9},
		{"euclidean of two axes", Euclidean, []float32{4, 4, 0, 0}, 5},
		{"product", DotProduct, []float32{10, 7, 0, 0}, 10},
		{"negative product", DotProduct, []float32{-2, 7, 0, 0}, -2},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.score, c.distance.score(c.vector, one))
			same := c.distance.score(c.vector, c.vector)
			if c.distance == Euclidean || c.distance == Cosine &&
				!slices.Equal(c.vector, make([]float32, 4)) {
				require.Zero(t, same)
			}
		})
	}
	require.Equal(t, math.Sqrt2, Euclidean.score([]float32{0, 1}, []float32{1, 0}))
}

// TestVectorMemory: an index of whole items shares their memory, also after the table has moved it.
func TestVectorMemory(t *testing.T) {
	const n = 5000
	s, table := newTestStore(t)
	update(t, s, func(tx *Tx) {
		tx.Vectors().AddIndex(table,
			VectorSchema{"all", "v", 2, Euclidean, nil, nil, Projection{Type: "ALL"}})
		tx.Vectors().AddIndex(table,
			VectorSchema{"keys", "v", 2, Euclidean, nil, nil, Projection{Type: "KEYS_ONLY"}})
		for i := range n {
			put(tx, table, vectorItem(i, []float32{float32(i), 1}))
		}
	})
	placed := table.items.placed
	update(t, s, func(tx *Tx) {
		for i := range n - 10 {
			tx.Delete(table, mustKey(table, testItem("a", fmt.Sprint(i))))
		}
	})
	require.Less(t, table.items.placed, placed, "the slabs were not rebuilt")
	view(t, s, func(tx *Tx) {
		for _, ix := range tx.Vectors().Indexes(table) {
			matches, _ := tx.Vectors().Search(table, ix, VectorQuery{Vector: []float32{n, 1}, K: 1})
			require.Equal(t, testItem("a", fmt.Sprint(n-1)), matches[0].Item)
		}
	})
}

// TestVectorRecord: the record of a table has its vector indexes.
func TestVectorRecord(t *testing.T) {
	for _, schema := range testVectors {
		record := RecordVector(schema)
		var read VectorRecord
		require.NoError(t, parseRecord([]byte(mustJSON(record)), &read))
		got, err := read.Schema()
		require.NoError(t, err)
		require.Equal(t, schema, got)
	}
	require.Equal(t,
		`{"Name":"vector-keys","Attribute":"v","Dimensions":2,"Distance":"EUCLIDEAN","Hash":[{"Name":"g","Type":"S"}],`+
			`"Filters":[{"Name":"x","Type":"B"}],"Projection":"KEYS_ONLY"}`,
		mustJSON(RecordVector(testVectors[1])))
	_, err := VectorRecord{Name: "x"}.Schema()
	require.Error(t, err)
}

// TestVectorReader: a reader returns what each value says, whatever it read before.
func TestVectorReader(t *testing.T) {
	long := make([]float32, 10_000)
	for i := range long {
		long[i] = 1.0 / 3
	}
	values := []struct {
		value  item.Value
		vector []float32
	}{
		{item.Floats([]float32{1, 2}), []float32{1, 2}},
		{item.Floats([]float32{1, 3}), []float32{1, 3}},
		{item.Floats([]float32{1, 2, 3}), []float32{1, 2, 3}},
		{item.Floats(long), long},
		{`{"L":[]}`, []float32{}},
		{`{"L":[{"N":"1"},{"S":"2"}]}`, nil},
		{item.String("x"), nil},
		{"", nil},
	}
	require.Greater(t, len(item.Floats(long)), keptVector)
	var r vectorReader
	for _, a := range values {
		for _, b := range values {
			for _, c := range []struct {
				value  item.Value
				vector []float32
			}{a, b} {
				for _, dimensions := range []int{0, 2, 3, len(long)} {
					vector, ok := r.read(nil, c.value, dimensions)
					require.Equal(t, c.vector != nil && len(c.vector) == dimensions, ok, "%.40s",
						c.value)
					if ok {
						require.True(t, slices.Equal(c.vector, vector), "%.40s", c.value)
					}
				}
			}
		}
	}
}
