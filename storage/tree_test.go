package storage

import (
	"bytes"
	"fmt"
	"slices"
	"sort"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tidwall/btree"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/storage/item"
)

// treeModel is a tree with the entries that it should hold.
type treeModel struct {
	tree *tree
	want []entry // the entries in order
	near *node   // the leaf of some lookup, which may be long ago
}

func (m *treeModel) find(k Key) (at int, found bool) {
	at = sort.Search(len(m.want), func(i int) bool { return !m.want[i].key.less(k) })
	return at, at < len(m.want) && m.want[at].key == k
}

func (m *treeModel) set(t require.TestingT, e entry) {
	old, replaced := m.tree.setNear(e, m.near)
	at, found := m.find(e.key)
	require.Equal(t, found, replaced)
	if found {
		require.Equal(t, m.want[at], old)
		m.want[at] = e
		return
	}
	m.want = slices.Insert(m.want, at, e)
}

// lookup finds the leaf of a key, from where the next writes start.
func (m *treeModel) lookup(k Key) {
	l := []Lookup{{Table: &Table{tree: m.tree}, Key: k}}
	getAll(l)
	m.near = l[0].leaf
}

func (m *treeModel) delete(t require.TestingT, k Key) {
	old, ok := m.tree.Delete(entry{key: k})
	at, found := m.find(k)
	require.Equal(t, found, ok)
	if found {
		require.Equal(t, m.want[at], old)
		m.want = slices.Delete(m.want, at, at+1)
	}
}

// check compares the entries and verifies the invariants of the nodes.
func (m *treeModel) check(t require.TestingT) {
	require.Equal(t, len(m.want), m.tree.Len())
	require.True(t, slices.Equal(m.want, m.tree.Items()))
	if m.tree.root != nil {
		checkNode(t, m.tree.root, m.tree.height, nil, nil)
	}
}

// checkNode verifies a node. Its keys must be at least low and less than high, unless these are
// nil.
func checkNode(t require.TestingT, n *node, height int, low, high *Key) {
	require.Equal(t, height == 0, n.children == nil)
	require.NotZero(t, n.n)
	for i := range nodeSlots {
		if i >= n.n {
			require.Equal(t, noHash, n.hashes[i])
			require.Zero(t, n.cells[i])
			require.True(t, n.children == nil || n.children[i] == nil)
			continue
		}
		require.Equal(t, 1, bytes.Count(n.slots[:n.n], []byte{byte(i)}))
		k := n.key(i)
		require.True(t, i == 0 || n.key(i-1).less(k))
		require.False(t, low != nil && k.less(*low))
		require.False(t, high != nil && !k.less(*high))
		if height > 0 {
			to := high
			if i+1 < n.n {
				next := n.key(i + 1)
				to = &next
			}
			checkNode(t, *n.child(i), height-1, &k, to)
		}
	}
}

func treeItem(text string) item.Item {
	return item.New(item.Attribute{Name: "n", Value: item.String(text)})
}

// reads compares all walks from a key, and all lookups.
func (m *treeModel) reads(t require.TestingT, keys []Key) {
	reads, table := make([]Lookup, 2*len(keys)), &Table{tree: m.tree}
	for i, k := range keys {
		reads[2*i] = Lookup{Table: table, Key: k, Item: "stale", Size: 1}
		reads[2*i+1] = Lookup{Table: &Table{tree: newTree()}, Key: k, Item: "stale", Size: 1}
	}
	getAll(reads)
	for i, k := range keys {
		at, found := m.find(k)
		got, ok := m.tree.Get(entry{key: k})
		require.Equal(t, found, ok)
		require.Equal(t, got.item, reads[2*i].Item)
		require.Zero(t, reads[2*i+1].Item)
		require.Equal(t, got.item.Size(), reads[2*i].Size)
		require.Zero(t, reads[2*i+1].Size)
		if found {
			require.Equal(t, m.want[at], got)
		}
		var up, down []entry
		m.tree.Ascend(entry{key: k},
			func(e entry) bool { up = append(up, e); return len(up) < 100 })
		m.tree.Descend(entry{key: k},
			func(e entry) bool { down = append(down, e); return len(down) < 100 })
		require.True(t, slices.Equal(m.want[at:min(at+100, len(m.want))], up))
		end := at
		if found {
			end++
		}
		want := slices.Clone(m.want[max(0, end-100):end])
		slices.Reverse(want)
		require.True(t, slices.Equal(want, down))
	}
	var back []entry
	m.tree.Reverse(func(e entry) bool { back = append(back, e); return true })
	slices.Reverse(back)
	require.True(t, slices.Equal(m.want, back))
}

// treeKey returns key n: with few partitions each hash has many texts, and with many it has one.
func treeKey(n, partitions int) Key {
	partition := n % partitions
	hash := uint64(partition) * 0x9e3779b97f4a7c15
	if partition == 1 {
		hash = noHash
	}
	return Key{hash, fmt.Sprintf("%05d", n/partitions)}
}

// TestTreeAgainstModel puts and deletes neighbouring and scattered keys in a tree and its forks,
// which get several levels.
func TestTreeAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const space = 6000
		partitions := rapid.SampledFrom([]int{1, 3, space}).Draw(t, "partitions")
		models := []*treeModel{{tree: newTree()}}
		for step := range rapid.IntRange(1, 12).Draw(t, "steps") {
			m := models[rapid.IntRange(0, len(models)-1).Draw(t, "tree")]
			from := rapid.IntRange(0, space-1).Draw(t, "from")
			stride := rapid.SampledFrom([]int{1, 7, 2741, space - 1}).Draw(t, "stride")
			count := rapid.SampledFrom([]int{1, 10, 500, 3000}).Draw(t, "count")
			do := rapid.SampledFrom([]string{"set", "set", "delete", "fork"}).Draw(t, "do")
			every := rapid.SampledFrom([]int{0, 1, 50}).Draw(t, "writes per lookup")
			if every == 0 {
				m.near = nil
			}
			for i := range count {
				switch k := treeKey((from+i*stride)%space, partitions); do {
				case "set":
					if every > 0 && i%every == every-1 {
						m.lookup(k)
					}
					m.set(t, entry{k, treeItem(fmt.Sprint(step, i))})
				case "delete":
					m.delete(t, k)
				}
			}
			if do == "fork" && len(models) < 4 {
				models = append(models,
					&treeModel{tree: m.tree.Copy(), want: slices.Clone(m.want), near: m.near})
			}
		}
		keys := make([]Key, 20)
		for i := range keys {
			keys[i] = treeKey(rapid.IntRange(0, space-1).Draw(t, "key"), partitions)
		}
		for _, m := range models {
			m.check(t)
			m.reads(t, append(keys, Key{}, Key{Hash: noHash, Text: "x"}))
		}
	})
}

// TestTreeShrinks: after deletions a tree has no more nodes than the entries that are left may
// need.
func TestTreeShrinks(t *testing.T) {
	m := treeModel{tree: newTree()}
	for i := range 20_000 {
		m.tree.Set(entry{treeKey(i, 20_000), treeItem("x")})
	}
	for i := range 20_000 {
		if i%20 != 0 {
			m.tree.Delete(entry{key: treeKey(i, 20_000)})
		}
	}
	require.Equal(t, 1000, m.tree.Len())
	leaves := 0
	var count func(n *node)
	count = func(n *node) {
		if n.children == nil {
			leaves++
			return
		}
		for _, child := range n.children[:n.n] {
			count(child)
		}
	}
	count(m.tree.root)
	require.Less(t, leaves, 80)
	for i := range 20_000 {
		m.tree.Delete(entry{key: treeKey(i, 20_000)})
	}
	require.Nil(t, m.tree.root)
	require.Zero(t, m.tree.height)
}

// BenchmarkTree looks a million entries up in random order, one at a time and a hundred at a time.
func BenchmarkTree(b *testing.B) {
	const entries, batch = 1_000_000, 100
	tr := newTree()
	other := btree.NewBTreeGOptions(func(a, b entry) bool { return a.key.less(b.key) },
		btree.Options{Degree: treeDegree, NoLocks: true})
	keys := make([]Key, entries)
	x, y := treeItem("x"), treeItem("y")
	for i := range keys {
		keys[i] = newKey(fmt.Appendf(nil, "%d", i), len(fmt.Sprint(i)))
		tr.Set(entry{keys[i], x})
		other.Set(entry{keys[i], x})
	}
	place := func(i int) int { return i * 104729 % (entries - batch) }
	reads, table := make([]Lookup, batch), &Table{tree: tr}
	b.Run("Get", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			tr.Get(entry{key: keys[place(i)]})
		}
	})
	b.Run("Get/tidwall", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			other.Get(entry{key: keys[place(i)]})
		}
	})
	b.Run("hundred", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			for j, k := range keys[place(i):][:batch] {
				reads[j].Table, reads[j].Key = table, k
			}
			getAll(reads)
		}
	})
	b.Run("hundred/tidwall", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			for j, k := range keys[place(i):][:batch] {
				e, _ := other.Get(entry{key: k})
				reads[j].Item = e.item
			}
		}
	})
	b.Run("replace", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			tr.Set(entry{keys[place(i)], y})
		}
	})
	b.Run("replace/tidwall", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			other.Set(entry{keys[place(i)], y})
		}
	})
}

// Set adds an entry, or replaces and returns the one with its key.
func (t *tree) Set(e entry) (old entry, replaced bool) { return t.setNear(e, nil) }

// setNear is Set from the leaf of a lookup.
func (t *tree) setNear(e entry, near *node) (old entry, replaced bool) {
	c, replaced := t.at(&e.key, near)
	if replaced {
		old = entry{Key{e.key.Hash, c.text}, c.item}
	}
	*c = cell{e.key.Text, e.item}
	return old, replaced
}
