package storage

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/storage/item"
)

var (
	testKey = KeySchema{Hash: []KeyAttribute{{"pk", item.S}}, Range: []KeyAttribute{{"sk", item.N}}}
	attrG   = KeyAttribute{"g", item.S}
	attrH   = KeyAttribute{"h", item.N}
	attrX   = KeyAttribute{"x", item.B}
)

// testIndexes are all indexes that a table of the property test may have.
var testIndexes = []IndexSchema{
	{"local-all", true, KeySchema{testKey.Hash, []KeyAttribute{attrH}}, Projection{Type: "ALL"}},
	{"local-keys", true, KeySchema{testKey.Hash, []KeyAttribute{attrG}},
		Projection{Type: "KEYS_ONLY"}},
	{"global-all", false, KeySchema{[]KeyAttribute{attrG}, nil}, Projection{Type: "ALL"}},
	{"global-keys", false, KeySchema{[]KeyAttribute{attrH}, []KeyAttribute{attrG}},
		Projection{Type: "KEYS_ONLY"}},
	{"global-include", false, KeySchema{[]KeyAttribute{attrG}, []KeyAttribute{attrH}},
		Projection{"INCLUDE", []string{"y", "pk"}}},
	{"global-many", false,
		KeySchema{[]KeyAttribute{attrG, attrH}, []KeyAttribute{attrX, testKey.Range[0]}},
		Projection{Type: "ALL"}},
}

func drawNumber(t *rapid.T, label string) item.Value {
	return item.Value(
		`{"N":"` + rapid.SampledFrom([]string{"-12", "-1", "0", "0.5", "1", "10", "100"}).Draw(t,
			label) + `"}`)
}

func drawKey(t *rapid.T) item.Item {
	pk := rapid.SampledFrom([]string{"a", "a\x00", "a\x00\x01b", "b", "é", "a"}).Draw(t, "pk")
	return item.New(item.Attribute{Name: "pk", Value: item.String(pk)},
		item.Attribute{Name: "sk", Value: drawNumber(t, "sk")})
}

// drawItem draws an item that may lack index keys, or have impossible ones.
func drawItem(t *rapid.T) item.Item {
	var attributes []item.Attribute
	add := func(name string, values ...item.Value) {
		if v := rapid.SampledFrom(values).Draw(t, name); v != "" {
			attributes = append(attributes, item.Attribute{Name: name, Value: v})
		}
	}
	add("g", "", item.String(""), item.String("a"), item.String("a\x00"), item.String("b"),
		`{"N":"1"}`, item.Null())
	add("h", "", drawNumber(t, "number"), item.String("1"))
	add("x", "", item.Binary("\x00"), item.Binary("\x00\x01"), item.Binary("\xff"), item.Binary(""))
	add("y", "", item.String("y"), item.String("yy"))
	add("z", "", item.Boolean(true))
	return drawKey(t).With(append(attributes, drawVectors(t)...)...)
}

// world is a store with its model.
type world struct {
	store   *Store
	model   model
	streams modelStreams
	changes []Change // the changes since the last check
	seq     uint64
	backups map[string]*modelTable
	past    modelPast
}

var errGiveUp = errors.New("give up")

// machine drives a store and its forks, each with a model.
type machine struct {
	worlds []*world
	now    time.Time
}

func (m *machine) add(w *world) {
	w.listen()
	m.worlds = append(m.worlds, w)
}

func (w *world) listen() {
	w.store.Listen(
		func(changes []Change) { w.changes = append(w.changes, slices.Clone(changes)...) })
}

// fork is the same world with a fork of the store.
func (w *world) fork() *world {
	return &world{store: w.store.Fork(), model: w.model.clone(), streams: w.streams.clone(),
		seq:     w.seq,
		backups: maps.Clone(w.backups), past: w.past.clone()}
}

func (m *machine) world(t *rapid.T) *world { return rapid.SampledFrom(m.worlds).Draw(t, "world") }

// fork adds a fork of one of the stores.
func (m *machine) fork(t *rapid.T) {
	if len(m.worlds) == 4 {
		t.Skip("enough forks")
	}
	m.add(m.world(t).fork())
}

// update runs a Tx of several steps, which commits, fails or panics.
func (m *machine) update(t *rapid.T) {
	w := m.world(t)
	m.now = m.now.Add(
		rapid.SampledFrom(
			[]time.Duration{time.Second, time.Second, time.Second, 4 * time.Hour,
				12 * time.Hour}).Draw(t, "wait"))
	before, after, streams := w.model, w.model.clone(), w.streams.clone()
	end := rapid.SampledFrom([]string{"commit", "commit", "fail", "panic"}).Draw(t, "end")
	w.changes = nil
	shards := shardsOf(w.store)
	run := func() error {
		return w.store.Update(func(tx *Tx) error {
			for range rapid.IntRange(1, 8).Draw(t, "steps") {
				step(t, tx, after, &streams)
			}
			checkTx(t, tx, after)
			streams.check(t, tx)
			switch end {
			case "fail":
				return errGiveUp
			case "panic":
				panic(errGiveUp)
			}
			return nil
		})
	}
	switch end {
	case "commit":
		require.NoError(t, run())
		w.model, w.streams = after, streams
		w.past.record(w, m.now)
		w.checkChanges(t, before, m.now)
	case "fail":
		require.Equal(t, errGiveUp, run())
	case "panic":
		require.True(t, panics(run))
	}
	if end != "commit" {
		require.Empty(t, w.changes)
		require.Equal(t, shards, shardsOf(w.store))
	}
}

// panics reports whether f panics with errGiveUp; other panics are rapid's.
func panics(f func() error) (given bool) {
	defer func() {
		r := recover()
		if r != nil && r != errGiveUp {
			panic(r)
		}
		given = r != nil
	}()
	_ = f()
	return false
}

// step applies one operation to a Tx and to its model.
func step(t *rapid.T, tx *Tx, m model, streams *modelStreams) {
	name := rapid.SampledFrom([]string{"t", "u"}).Draw(t, "table")
	table, mt := tx.Table(name), m[name]
	if mt == nil {
		require.Nil(t, table)
		schemas := rapid.SliceOfNDistinct(rapid.SampledFrom(testIndexes), 0, len(testIndexes),
			indexName).Draw(t, "indexes")
		table = tx.Tables().Create(name, "id", testKey, schemas, "new")
		mt = &modelTable{
			key: testKey, settings: "new", items: map[string]item.Item{}, indexes: schemas,
			expired: map[string]bool{},
		}
		if i := rapid.IntRange(0, len(testVectors)).Draw(t, "vector index"); i > 0 {
			mt.addVector(t, tx, table, testVectors[i-1])
		}
		m[name] = mt
		return
	}
	switch rapid.SampledFrom(
		[]string{"put", "put", "put", "put", "put", "delete", "expire", "add", "drop", "vector",
			"set", "stream", "remove"}).Draw(t, "step") {
	case "put":
		it := drawItem(t)
		checkEffects(t, tx, table, mt, it)
		tx.Put(table, mustKey(table, it), it)
		checkVectorEffects(t, tx, table, mt, it, it)
		mt.items[mt.keyOf(it)], mt.expired[mt.keyOf(it)] = it, false
	case "delete":
		key := drawKey(t)
		tx.Delete(table, mustKey(table, key))
		checkVectorEffects(t, tx, table, mt, key, "")
		mt.remove(mt.keyOf(key), false)
	case "expire":
		key := drawKey(t)
		tx.Expire(table, mustKey(table, key))
		mt.remove(mt.keyOf(key), true)
	case "stream":
		streams.step(t, tx, table)
	case "add":
		schema := rapid.SampledFrom(testIndexes).Draw(t, "index")
		if tx.Tables().Index(table, schema.Name) == nil {
			require.Equal(t, schema, tx.Tables().AddIndex(table, schema).IndexSchema)
			mt.indexes = append(mt.indexes, schema)
		}
	case "drop":
		schema := rapid.SampledFrom(testIndexes).Draw(t, "index")
		if ix := tx.Tables().Index(table, schema.Name); ix != nil {
			tx.Tables().DropIndex(table, ix)
			mt.indexes = slices.DeleteFunc(mt.indexes,
				func(other IndexSchema) bool { return other.Name == schema.Name })
		}
	case "vector":
		stepVector(t, tx, table, mt)
	case "set":
		mt.settings = rapid.String().Draw(t, "settings")
		tx.Tables().SetSettings(table, mt.settings)
	case "remove":
		if rapid.IntRange(0, 3).Draw(t, "really") == 0 {
			tx.Tables().Drop(table)
			delete(m, name)
			streams.end(name, tx.store.now())
		}
	}
}

func indexName(ix IndexSchema) string { return ix.Name }

func mustKey(t *Table, it item.Item) Key {
	k, ok := t.Key.Encode(it)
	if !ok {
		panic(fmt.Sprintf("no key in %s", it.JSON()))
	}
	return k
}

// checkEffects compares the effects of a future put.
func checkEffects(t require.TestingT, tx *Tx, table *Table, mt *modelTable, it item.Item) {
	old := mt.items[mt.keyOf(it)]
	got := map[string]Effect{}
	for _, e := range tx.Effects(table, old, it) {
		got[e.Index.Name] = Effect{Old: e.Old, New: e.New, Moved: e.Moved}
	}
	require.Equal(t, mt.effects(old, it), got)
}

// checkVectorEffects compares the effects of the write that tx has just made and that mt has yet to
// make.
func checkVectorEffects(t require.TestingT, tx *Tx, table *Table, mt *modelTable, keyed,
	new item.Item) {
	old := mt.items[mt.keyOf(keyed)]
	if old == new {
		return
	}
	got := map[string]VectorEffect{}
	for _, e := range tx.Vectors().Effects(table, mustKey(table, keyed)) {
		got[e.Index.Name] = VectorEffect{Old: e.Old, New: e.New, Moved: e.Moved}
	}
	require.Equal(t, mt.vectorEffects(old, new), got)
}

// checkTx compares everything that a Tx reads with a model.
func checkTx(t require.TestingT, tx *Tx, m model) {
	require.Equal(t, slices.Sorted(maps.Keys(m)), tx.Tables().Names())
	for name, mt := range m {
		table := tx.Table(name)
		require.Equal(t, mt.settings, tx.Tables().Settings(table))
		require.Equal(t, mt.stats(""), tx.Tables().Stats(table))
		var schemas []IndexSchema
		for _, ix := range tx.Tables().Indexes(table) {
			schemas = append(schemas, ix.IndexSchema)
			require.Equal(t, mt.stats(ix.Name), tx.Tables().IndexStats(table, ix))
			require.Equal(t, mt.entries(ix.Name),
				tx.Page(table, PageSpec{Index: ix, Range: Range{HiOpen: true}}).Items)
		}
		require.ElementsMatch(t, mt.indexes, schemas)
		checkVectors(t, tx, table, mt)
		require.Equal(t, mt.entries(""), tx.Page(table, PageSpec{Range: Range{HiOpen: true}}).Items)
		for _, it := range mt.items {
			require.Equal(t, it, tx.Get(table, mustKey(table, it)))
			require.Equal(t, mt.collectionBytes(it), tx.CollectionBytes(table, it))
		}
	}
}

// checkChanges compares the changes that the listener got with the writes of the commit.
func (w *world) checkChanges(t require.TestingT, before model, now time.Time) {
	seen := map[*Table]map[item.Item]bool{}
	for _, c := range w.changes {
		require.Greater(t, c.Seq, w.seq)
		w.seq = c.Seq
		require.Equal(t, now, c.Time)
		image := c.New
		if image == "" {
			image = c.Old
		}
		require.NotEmpty(t, image, "neither made nor removed")
		require.Equal(t, image.Only("pk", "sk"), c.Keys)
		require.False(t, seen[c.Table][c.Keys], "two changes of one item")
		if seen[c.Table] == nil {
			seen[c.Table] = map[item.Item]bool{}
		}
		seen[c.Table][c.Keys] = true
		if c.Table == w.table(c.Table.Name) {
			require.Equal(t, w.model[c.Table.Name].expired[string(c.Keys.JSON())], c.Expired)
			w.streams.log(&c)
		}
	}
	w.replay(t, before, now)
}

// replay applies the changes to the old model. Afterwards all present tables must be as they are
// now, and new ones come from nothing.
func (w *world) replay(t require.TestingT, before model, now time.Time) {
	before = before.clone()
	for name, mt := range before {
		if table := w.table(name); table == nil {
			delete(before, name)
		} else if table.Created.Equal(now) {
			mt.items = map[string]item.Item{}
		}
	}
	for name, mt := range w.model {
		if before[name] == nil {
			before[name] = &modelTable{key: mt.key, items: map[string]item.Item{}}
		}
	}
	for _, c := range w.changes {
		if c.Table != w.table(c.Table.Name) {
			continue // dropped since
		}
		mt, key := before[c.Table.Name], string(c.Keys.JSON())
		require.Equal(t, mt.items[key], c.Old)
		mt.items[key] = c.New
		if c.New == "" {
			delete(mt.items, key)
		}
	}
	for name, mt := range w.model {
		require.Equal(t, mt.items, before[name].items)
	}
}

func (w *world) table(name string) (table *Table) {
	_ = w.store.View(func(tx *Tx) error {
		table = tx.Table(name)
		return nil
	})
	return table
}

// page reads a random range of a random table or index.
func (m *machine) page(t *rapid.T) {
	w := m.world(t)
	if len(w.model) == 0 {
		t.Skip("no table")
	}
	name := rapid.SampledFrom(slices.Sorted(maps.Keys(w.model))).Draw(t, "table")
	mt := w.model[name]
	source := rapid.SampledFrom(mt.sources()).Draw(t, "source")
	bound := rapid.Custom(func(t *rapid.T) item.Item {
		it := drawItem(t)
		if rapid.Bool().Draw(t, "open") || !mt.holds(source, it) {
			return ""
		}
		return it
	})
	lo, hi := bound.Draw(t, "lo"), bound.Draw(t, "hi")
	spec := PageSpec{
		Reverse:  rapid.Bool().Draw(t, "reverse"),
		Limit:    rapid.IntRange(0, 5).Draw(t, "limit"),
		MaxBytes: rapid.SampledFrom([]int{0, 0, 1, 20, 60}).Draw(t, "bytes"),
	}
	_ = w.store.View(func(tx *Tx) error {
		table := tx.Table(name)
		encode := func(it item.Item) Key {
			if it == "" {
				return Key{}
			}
			if source == "" {
				return mustKey(table, it)
			}
			k, ok := tx.Tables().Index(table, source).EntryKey(it)
			require.True(t, ok)
			return k
		}
		spec.Index = tx.Tables().Index(table, source)
		spec.Range = Range{Lo: encode(lo), Hi: encode(hi), HiOpen: hi == ""}
		require.Equal(t, mt.page(source, lo, hi, spec.Reverse, spec.Limit, spec.MaxBytes),
			tx.Page(table, spec))
		return nil
	})
}

// check compares everything.
func (m *machine) check(t *rapid.T) {
	for _, w := range m.worlds {
		require.NoError(t, w.store.Check())
		require.NoError(t, w.store.View(func(tx *Tx) error {
			checkTx(t, tx, w.model)
			w.streams.check(t, tx)
			w.checkBackups(t, tx)
			return nil
		}))
	}
}

// TestStoreAgainstModel applies random operations to a store and its forks.
func TestStoreAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &machine{now: time.Unix(1_000_000, 0)}
		open := rapid.IntRange(1, 3).Draw(t, "open shards")
		m.add(newWorld(New(Options{Now: func() time.Time { return m.now }, OpenShards: open})))
		t.Repeat(map[string]func(*rapid.T){
			"update":   m.update,
			"put":      m.update, // makes updates more frequent
			"fork":     m.fork,
			"page":     m.page,
			"search":   m.search,
			"backup":   m.backup,
			"restore":  m.restore,
			"recovery": m.recovery,
			"recover":  m.recover,
			"":         m.check,
		})
	})
}
