package storage

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/journal"
)

// memory is a journal in memory. Every batch is durable at once.
type memory struct {
	buckets map[string]map[string]string
	batches uint64
	failed  error
	waited  uint64 // the last ticket that was waited for
}

func newMemory() *memory { return &memory{buckets: map[string]map[string]string{}} }

func (m *memory) Put(bucket, key, value []byte) {
	if m.buckets[string(bucket)] == nil {
		m.buckets[string(bucket)] = map[string]string{}
	}
	m.buckets[string(bucket)][string(key)] = string(value)
}

func (m *memory) Delete(bucket, key []byte) { delete(m.buckets[string(bucket)], string(key)) }
func (m *memory) Drop(bucket []byte)        { delete(m.buckets, string(bucket)) }

func (m *memory) Load(each func(bucket, key, value []byte) error) error {
	for _, bucket := range slices.Sorted(maps.Keys(m.buckets)) {
		for _, key := range slices.Sorted(maps.Keys(m.buckets[bucket])) {
			if err := each([]byte(bucket), []byte(key),
				[]byte(m.buckets[bucket][key])); err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *memory) Append(b *journal.Batch) uint64 {
	m.batches++
	if m.failed == nil {
		m.failed = journal.Decode(b.Bytes(), m)
	}
	return m.batches
}

func (m *memory) Wait(ticket uint64) error { m.waited = ticket; return m.failed }
func (m *memory) Err() error               { return m.failed }
func (m *memory) Close() error             { return nil }

// filled returns the buckets that are not empty.
func (m *memory) filled() map[string]map[string]string {
	filled := maps.Clone(m.buckets)
	maps.DeleteFunc(filled, func(_ string, b map[string]string) bool { return len(b) == 0 })
	return filled
}

// textCodec encodes Settings that are strings.
type textCodec struct{}

func (textCodec) Encode(s Settings) []byte {
	b, _ := json.Marshal(s)
	return b
}

func (textCodec) Decode(b []byte) (Settings, error) {
	var s any
	return s, json.Unmarshal(b, &s)
}

func testDurable(m *memory) Durable {
	return Durable{Journal: m, Codec: textCodec{}, Space: 7, Name: "name"}
}

// durableMachine is a machine whose first store has a journal.
type durableMachine struct {
	machine
	journal *memory
	options Options
}

// reload drops the store and loads it again. Before and after, the journal must have what the store
// would write to a new journal, counters included.
func (m *durableMachine) reload(t *rapid.T) {
	w := m.worlds[0]
	if m.journal.batches == 0 {
		t.Skip("nothing was committed")
	}
	m.rewritten(t)
	loaded, err := Load(m.options, m.journal, textCodec{})
	require.NoError(t, err)
	require.Len(t, loaded, 1)
	require.Equal(t, "name", loaded[0].Name)
	require.EqualValues(t, 7, loaded[0].Space)
	w.store = loaded[0].Store
	w.listen()
	m.rewritten(t)
}

// rewritten compares the journal with a new one of the same store.
func (m *durableMachine) rewritten(t require.TestingT) {
	fresh := newMemory()
	fork := m.worlds[0].store.Fork()
	require.NoError(t,
		Supersede(fresh, nil, []*Store{fork}, []Durable{testDurable(fresh)},
			func(int, func(string, string)) {}))
	require.Equal(t, fresh.filled(), m.journal.filled())
}

// replace puts a fork in the place of the store that has the journal.
func (m *durableMachine) replace(t *rapid.T) {
	if len(m.worlds) == 1 {
		t.Skip("no fork")
	}
	old := m.worlds[0].store
	w := rapid.SampledFrom(m.worlds[1:]).Draw(t, "fork").fork()
	d := testDurable(m.journal)
	require.NoError(t,
		Supersede(m.journal, []*Store{old}, []*Store{w.store}, []Durable{d},
			func(int, func(string, string)) {}))
	w.listen()
	m.worlds[0] = w
	before := m.journal.batches
	require.NoError(t, old.Update(func(tx *Tx) error {
		tx.Tables().Create("late", "id", testKey, nil, "settings")
		return nil
	}))
	require.Equal(t, before, m.journal.batches, "what was superseded still writes")
}

// TestDurableAgainstModel applies random operations to a store with a journal, and reloads it at
// times.
func TestDurableAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &durableMachine{journal: newMemory()}
		m.now = time.Unix(1_000_000, 0)
		m.options = Options{
			Now:        func() time.Time { return m.now },
			OpenShards: rapid.IntRange(1, 3).Draw(t, "open shards"),
		}
		m.add(newWorld(newDurable(m.options, testDurable(m.journal))))
		t.Repeat(map[string]func(*rapid.T){
			"update":   m.update,
			"put":      m.update,
			"search":   m.search,
			"reload":   m.reload,
			"fork":     m.fork,
			"replace":  m.replace,
			"backup":   m.backup,
			"restore":  m.restore,
			"recovery": m.recovery,
			"recover":  m.recover,
			"":         m.check,
		})
	})
}

func TestKeepAndForget(t *testing.T) {
	m := newMemory()
	s := newDurable(Options{}, testDurable(m))
	update(t, s, func(tx *Tx) {
		tx.Keep("a", "1")
		tx.Keep("b", "2")
	})
	update(t, s, func(tx *Tx) { tx.Forget("a") })
	require.Equal(t, errGiveUp, s.Update(func(tx *Tx) error {
		tx.Keep("c", "3")
		return errGiveUp
	}))
	update(t, s, func(tx *Tx) { tx.Keep("d", "4") })
	loaded, err := Load(Options{}, m, textCodec{})
	require.NoError(t, err)
	require.Equal(t, map[string]string{"b": "2", "d": "4"}, loaded[0].Kept)
}

// TestKeepFromNow: the first commit writes everything that the store holds by then.
func TestKeepFromNow(t *testing.T) {
	origin := New(Options{})
	update(t, origin, func(tx *Tx) {
		table := tx.Tables().Create("t", "id", testKey, testIndexes, "settings")
		tx.Streams().Enable(table, "label", "view")
		put(tx, table, testItem("a", "1"))
		put(tx, tx.Tables().Create("u", "id2", testKey, nil, "settings"), testItem("a", "1"))
	})
	for name, change := range map[string]func(tx *Tx){
		"an item": func(tx *Tx) { put(tx, tx.Table("t"), testItem("b", "1")) },
		"the end of an item": func(tx *Tx) {
			tx.Delete(tx.Table("t"), mustKey(tx.Table("t"), testItem("a", "1")))
		},
		"the end of a table": func(tx *Tx) { tx.Tables().Drop(tx.Table("u")) },
		"the end of a stream": func(tx *Tx) {
			tx.Tables().Drop(tx.Table("t"))
		},
		"settings":       func(tx *Tx) { tx.Tables().SetSettings(tx.Table("t"), "other") },
		"something kept": func(tx *Tx) { tx.Keep("k2", "v2") },
	} {
		t.Run(name, func(t *testing.T) {
			m := newMemory()
			s := origin.Fork()
			s.KeepFromNow(testDurable(m), func(keep func(key, value string)) { keep("k", "v") })
			view(t, s, func(*Tx) {})
			require.Equal(t, errGiveUp, s.Update(func(tx *Tx) error {
				change(tx)
				return errGiveUp
			}))
			require.Zero(t, m.batches)
			update(t, s, change)
			require.EqualValues(t, 1, m.batches)
			loaded, err := Load(Options{}, m, textCodec{})
			require.NoError(t, err)
			require.Equal(t, "v", loaded[0].Kept["k"])
			again := newMemory()
			require.NoError(
				t, Supersede(again, nil, []*Store{s.Fork()},
					[]Durable{testDurable(again)}, func(_ int, keep func(key, value string)) {
						for key, value := range loaded[0].Kept {
							keep(key, value)
						}
					}))
			require.Equal(t, again.filled(), m.filled())
			require.False(t, s.Discard())
		})
	}
	require.True(t, origin.Fork().Discard())
}

// TestJournalFails: nobody learns of a commit that is not durable.
func TestJournalFails(t *testing.T) {
	m := newMemory()
	s := newDurable(Options{}, testDurable(m))
	update(t, s, func(tx *Tx) { tx.Tables().Create("t", "id", testKey, nil, "settings") })
	require.EqualValues(t, 1, m.waited)
	view(t, s, func(tx *Tx) { m.waited = 0 })
	require.EqualValues(t, 1, m.waited, "a reader waits for what it saw")
	m.failed = errors.New("disk full")
	ran := false
	require.Equal(t, m.failed, s.Update(func(*Tx) error { ran = true; return nil }))
	require.False(t, ran)
	require.Equal(t, m.failed, s.View(func(*Tx) error { return nil }))
	m.failed = nil
	s.Update(func(tx *Tx) error {
		put(tx, tx.Table("t"), testItem("a", "1"))
		m.failed = errors.New("disk full, a moment later")
		return nil
	})
	require.Error(t, s.View(func(*Tx) error { return nil }))
}

// TestNothingToAppend: an Update without changes appends nothing.
func TestNothingToAppend(t *testing.T) {
	m := newMemory()
	s := newDurable(Options{}, testDurable(m))
	update(t, s, func(tx *Tx) {
		table := tx.Tables().Create("t", "id", testKey, nil, "settings")
		tx.Streams().Enable(table, "label", "view")
	})
	update(t, s, func(tx *Tx) { tx.Streams().Roll(tx.Streams().ByLabel("t", "label")) })
	update(t, s,
		func(tx *Tx) { tx.Delete(tx.Table("t"), mustKey(tx.Table("t"), testItem("a", "1"))) })
	require.EqualValues(t, 1, m.batches)
}

// TestCountersAreKept: after a load a store continues to count where it was. An Update without
// changes does not count. Otherwise a Seq that somebody has seen would come again.
func TestCountersAreKept(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(tx *Tx, t *Table) error
	}{
		{"shards that need not be rolled", func(tx *Tx, t *Table) error {
			tx.Streams().Roll(t.stream)
			return nil
		}},
		{"an item that stays gone", func(tx *Tx, t *Table) error {
			tx.Delete(t, mustKey(t, testItem("none", "1")))
			return nil
		}},
		{"an item that comes and goes", func(tx *Tx, t *Table) error {
			put(tx, t, testItem("none", "1"))
			tx.Delete(t, mustKey(t, testItem("none", "1")))
			return nil
		}},
		{"a table that is not made after all", func(tx *Tx, t *Table) error {
			other := tx.Tables().Create("other", "id2", testKey, nil, "settings")
			tx.Streams().Enable(other, "label", "view")
			return errGiveUp
		}},
		{"a stream that is not ended after all", func(tx *Tx, t *Table) error {
			tx.Streams().Disable(t)
			return errGiveUp
		}},
		{"a stream that is ended and begins again", func(tx *Tx, t *Table) error {
			tx.Streams().Disable(t)
			tx.Streams().Enable(t, "label2", "view")
			return nil
		}},
		{"settings", func(tx *Tx, t *Table) error {
			tx.Tables().SetSettings(t, "other")
			return nil
		}},
		{"an index", func(tx *Tx, t *Table) error {
			tx.Tables().AddIndex(t, testIndexes[3])
			return nil
		}},
		{"something kept", func(tx *Tx, t *Table) error {
			tx.Keep("key", "value")
			return nil
		}},
		{"nothing", func(tx *Tx, t *Table) error { return nil }},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMemory()
			s := newDurable(Options{}, testDurable(m))
			update(t, s, func(tx *Tx) {
				tx.Streams().
					Enable(tx.Tables().Create("t", "id", testKey, nil, "settings"), "label",
						"view")
			})
			for range 3 {
				err := s.Update(func(tx *Tx) error { return c.do(tx, tx.Table("t")) })
				require.True(t, err == nil || err == errGiveUp, err)
				loaded, err := Load(Options{}, m, textCodec{})
				require.NoError(t, err)
				require.Equal(t, encodeState(s), encodeState(loaded[0].Store))
				if c.name == "a stream that is ended and begins again" || c.name == "an index" {
					break // there is one of each name
				}
			}
		})
	}
}

// TestRecords: the records have the text that earlier versions wrote.
func TestRecords(t *testing.T) {
	m := newMemory()
	now := time.Unix(1_700_000_000, 5)
	s := newDurable(Options{Now: func() time.Time { return now }}, testDurable(m))
	update(t, s, func(tx *Tx) {
		table := tx.Tables().Create("t", "id", testKey, testIndexes[3:5], "settings")
		tx.Tables().SetExpiry(table, "expires")
		tx.Streams().Enable(table, "label", "view")
		put(tx, table, testItem("a", "1"))
	})
	got := map[string]string{}
	require.NoError(t, m.Load(func(bucket, key, value []byte) error {
		got[string(bucket)+" "+string(key)] = string(value)
		return nil
	}))
	one := strings.Repeat("\x00", 7) + "\x01"
	bucket := func(kind string, n string) string { return "\x00\x00\x00\x07" + kind + n + " " }
	schema := bucket("a", strings.Repeat("\x00", 8))
	k, _ := testKey.Encode(testItem("a", "1"))
	itemJSON := string(testItem("a", "1").JSON())
	assert.Equal(t, map[string]string{
		schema + "name":  "name",
		schema + "state": number(2) + number(1) + number(1),
		schema + "t" + one: `{"Name":"t","ID":"id","Created":[1700000000,5],"Key":{"Hash":[{"Name":"pk","Type":"S"}],"Range":[{"Name":"sk","Type":"N"}]},` +
			`"Indexes":[{"Name":"global-keys","Local":false,"Key":{"Hash":[{"Name":"h","Type":"N"}],"Range":[{"Name":"g","Type":"S"}]},"Projection":"KEYS_ONLY","NonKey":null},` +
			`{"Name":"global-include","Local":false,"Key":{"Hash":[{"Name":"g","Type":"S"}],"Range":[{"Name":"h","Type":"N"}]},"Projection":"INCLUDE","NonKey":["y","pk"]}],` +
			`"Expiry":"expires","Settings":"settings"}`,
		schema + "s" + one: `{"Table":"t","TableID":"id","Key":{"Hash":[{"Name":"pk","Type":"S"}],"Range":[{"Name":"sk","Type":"N"}]},"Label":"label","View":"view",` +
			`"Created":[1700000000,5],"Ended":[-62135596800,0],"Shards":[{"Number":1,"Parent":0,"First":1,"Last":0,"Begun":[1700000000,5],"Ended":[-62135596800,0]}],"Open":[1]}`,
		bucket("i", one) + number(k.Hash) + k.Text: itemJSON,
		bucket("c", one) + number(2): number(1_700_000_000_000) +
			"\x00\x00\x00\x00\x00" + itemJSON,
	}, got)
}

// TestLoadRefuses: contradictory entries are an error and cause no panic.
func TestLoadRefuses(t *testing.T) {
	whole := newMemory()
	s := newDurable(Options{}, testDurable(whole))
	update(t, s, func(tx *Tx) {
		table := tx.Tables().Create("t", "id", testKey, testIndexes, "settings")
		tx.Streams().Enable(table, "label", "view")
		put(tx, table, testItem("a", "1"))
	})
	for bucket, values := range whole.buckets {
		for key := range values {
			for name, value := range map[string]string{
				"empty": "", "of another kind": "{}", "no JSON": "\x00\x01",
				"cut": values[key][:len(values[key])/2],
			} {
				if key == keyName {
					continue
				}
				t.Run(bucket+" "+key+" "+name, func(t *testing.T) {
					m := newMemory()
					for bucket, values := range whole.buckets {
						m.buckets[bucket] = maps.Clone(values)
					}
					m.buckets[bucket][key] = value
					_, err := Load(Options{}, m, textCodec{})
					require.Error(t, err)
				})
			}
		}
	}
}

// FuzzDecodeChange: encoding and decoding a decoded change gives the same change.
func FuzzDecodeChange(f *testing.F) {
	a, b := testItem("a", "1"), testItem("b", "2")
	f.Add([]byte(encodeChange(&logged{seq: 1, millis: 5, old: a, new: b})))
	f.Add([]byte(encodeChange(&logged{seq: 1, old: a, expired: true})))
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := decodeChange(1, b)
		if err != nil {
			return
		}
		again, err := decodeChange(1, []byte(encodeChange(&l)))
		require.NoError(t, err)
		require.Equal(t, l, again)
		require.False(t, l.old == "" && l.new == item.Item(""))
	})
}

func TestParseItemOfEarlierVersions(t *testing.T) {
	deep := func(n int) []byte {
		return []byte(
			`{"a":` + strings.Repeat(`{"L":[`, n) + `{"S":"x"}` + strings.Repeat(`]}`, n) + `}`)
	}
	it, err := parseItem(deep(32), new(item.Scratch))
	require.NoError(t, err)
	assert.Equal(t, string(deep(32)), string(it.JSON()))
	_, err = parseItem(deep(33), new(item.Scratch))
	assert.ErrorContains(t, err, "Nesting Levels")
}
