package storage

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage/item"
)

// streamStore has a table with a stream, and a clock that the test sets.
func streamStore(t *testing.T, o Options) (s *Store, table *Table, now *time.Time) {
	clock := testTime
	o.Now = func() time.Time { return clock }
	s = New(o)
	t.Cleanup(func() { require.NoError(t, s.Check()) })
	update(t, s, func(tx *Tx) {
		table = tx.Tables().Create("t", "id", testKey, nil, nil)
		tx.Streams().Enable(table, "one", "KEYS_ONLY")
	})
	return s, table, &clock
}

// logOf returns the partition keys of the changes in a store's stream, each with a sign for its
// kind.
func logOf(t *testing.T, s *Store, label string) (log []string) {
	view(t, s, func(tx *Tx) {
		stream := tx.Streams().ByLabel("t", label)
		require.NotNil(t, stream)
		for _, sh := range stream.Shards() {
			last := sh.First
			tx.Streams().Changes(stream, sh, 0, func(c *Change) bool {
				require.Greater(t, c.Seq, last)
				last = c.Seq
				sign := "+"
				switch {
				case c.Expired:
					sign = "!"
				case c.New == "":
					sign = "-"
				}
				log = append(log, sign+c.Keys.Get("pk").Str())
				return true
			})
			require.True(t, sh.Last == 0 || last < sh.Last)
		}
	})
	return log
}

func TestStreamLog(t *testing.T) {
	s, table, now := streamStore(t, Options{})
	a := testItem("a", "1")
	update(t, s, func(tx *Tx) {
		put(tx, table, a)
		put(tx, table, testItem("b", "1"))
	})
	update(t, s, func(tx *Tx) { put(tx, table, a) })
	update(t, s, func(tx *Tx) {
		tx.Delete(table, mustKey(table, a))
		put(tx, table, a)
	})
	require.Error(t, s.Update(func(tx *Tx) error {
		put(tx, table, testItem("c", "1"))
		return errors.New("give up")
	}))
	assert.Equal(t, []string{"+a", "+b"}, logOf(t, s, "one"),
		"neither what changes nothing nor what fails")
	update(t, s, func(tx *Tx) { tx.Expire(table, mustKey(table, a)) })
	*now = now.Add(4 * time.Hour)
	update(t, s, func(tx *Tx) { tx.Delete(table, mustKey(table, testItem("b", "1"))) })
	assert.Equal(t, []string{"+a", "+b", "!a", "-b"}, logOf(t, s, "one"))
	view(t, s, func(tx *Tx) {
		shards := tx.Streams().ByLabel("t", "one").Shards()
		require.Len(t, shards, 2)
		assert.Equal(t, shards[0].Number, shards[1].Parent)
	})
}

func TestStreamUndo(t *testing.T) {
	s, table, now := streamStore(t, Options{OpenShards: 2})
	update(t, s, func(tx *Tx) { put(tx, table, testItem("a", "1")) })
	*now = now.Add(5 * time.Hour)
	for name, fn := range map[string]func(tx *Tx){
		"disable": func(tx *Tx) { tx.Streams().Disable(table) },
		"drop":    func(tx *Tx) { tx.Tables().Drop(table) },
		"roll":    func(tx *Tx) { tx.Streams().Roll(tx.Streams().ByLabel("t", "one")) },
		"replace": func(tx *Tx) {
			tx.Streams().Disable(table)
			tx.Streams().Enable(table, "two", "")
		},
	} {
		t.Run(name, func(t *testing.T) {
			require.Error(t, s.Update(func(tx *Tx) error {
				fn(tx)
				return errors.New("give up")
			}))
			view(t, s, func(tx *Tx) {
				require.Len(t, tx.Streams().All(), 1)
				assert.True(t, tx.Streams().All()[0].Ended().IsZero())
				assert.Len(t, tx.Streams().All()[0].Shards(), 2)
			})
			assert.Equal(t, []string{"+a"}, logOf(t, s, "one"))
		})
	}
	update(t, s, func(tx *Tx) { put(tx, table, testItem("a", "2")) })
	assert.Equal(t, []string{"+a", "+a"}, logOf(t, s, "one"), "the stream goes on")
}

func TestStreamFork(t *testing.T) {
	s, table, now := streamStore(t, Options{OpenShards: 3})
	update(t, s, func(tx *Tx) { put(tx, table, testItem("a", "1")) })
	f := s.Fork()
	t.Cleanup(func() { require.NoError(t, f.Check()) })
	update(t, s, func(tx *Tx) { put(tx, table, testItem("a", "2")) })
	*now = now.Add(4 * time.Hour)
	update(t, f, func(tx *Tx) { tx.Delete(tx.Table("t"), mustKey(table, testItem("a", "1"))) })
	assert.Equal(t, []string{"+a", "+a"}, logOf(t, s, "one"))
	assert.Equal(t, []string{"+a", "-a"}, logOf(t, f, "one"))
	update(t, f, func(tx *Tx) { tx.Streams().Disable(tx.Table("t")) })
	update(t, s, func(tx *Tx) { put(tx, table, testItem("a", "3")) })
	assert.Equal(t, []string{"+a", "+a", "+a"}, logOf(t, s, "one"))
}

func TestStreamTrims(t *testing.T) {
	s, table, now := streamStore(t, Options{ShardLife: time.Hour})
	for range 40 {
		update(t, s, func(tx *Tx) {
			it := testItem("a", "1")
			if tx.Get(table, mustKey(table, it)) != "" {
				tx.Delete(table, mustKey(table, it))
			} else {
				put(tx, table, it)
			}
		})
		*now = now.Add(time.Hour)
	}
	assert.LessOrEqual(t, len(s.streams[0].shards), 26, "what is a day old is forgotten")
	update(t, s, func(tx *Tx) { tx.Tables().Drop(table) })
	*now = now.Add(streamLife)
	view(t, s, func(tx *Tx) { assert.Empty(t, tx.Streams().All()) })
}

// TestStreamsForgetOld: what nobody can read any more is given back though no change comes.
func TestStreamsForgetOld(t *testing.T) {
	s, table, now := streamStore(t, Options{ShardLife: time.Hour})
	change := func(v string) { update(t, s, func(tx *Tx) { put(tx, table, testItem("a", v)) }) }
	holds := func() (old bool) {
		view(t, s, func(tx *Tx) { old = tx.Streams().HoldOld() })
		return old
	}
	change("1")
	*now = now.Add(time.Hour)
	change("2") // the second change is in the next shard
	*now = now.Add(streamLife - time.Minute)
	assert.False(t, holds())
	*now = now.Add(time.Minute)
	assert.True(t, holds())
	shards := len(s.streams[0].shards)
	undone := s.Update(func(tx *Tx) error {
		tx.Streams().ForgetOld()
		return assert.AnError
	})
	require.ErrorIs(t, undone, assert.AnError)
	assert.Len(t, s.streams[0].shards, shards)
	update(t, s, func(tx *Tx) { tx.Streams().ForgetOld() })
	assert.Less(t, len(s.streams[0].shards), shards)
	assert.False(t, holds())
	update(t, s, func(tx *Tx) { tx.Tables().Drop(table) })
	*now = now.Add(streamLife)
	assert.True(t, holds())
	update(t, s, func(tx *Tx) { tx.Streams().ForgetOld() })
	assert.Empty(t, s.streams)
	assert.False(t, holds())
}

func TestExpiring(t *testing.T) {
	s, table := newTestStore(t)
	at := func(pk, second string) item.Item {
		return testItem(pk, "1",
			item.Attribute{Name: "at", Value: item.Value(`{"N":"` + second + `"}`)})
	}
	expiring := func(s *Store, before int64) (seconds []int64) {
		view(t, s, func(tx *Tx) {
			for _, e := range tx.Expiring(tx.Table("t"), Expiring{}, before, 10) {
				seconds = append(seconds, e.At)
			}
		})
		return seconds
	}
	update(t, s, func(tx *Tx) {
		put(tx, table, at("a", "30"))
		put(tx, table, at("b", "10.5"))
		put(tx, table, testItem("c", "1"))
		tx.Tables().SetExpiry(table, "at")
		put(tx, table, at("d", "20"))
	})
	assert.Equal(t, []int64{10, 20}, expiring(s, 30))
	f := s.Fork()
	update(t, s, func(tx *Tx) {
		put(tx, table, at("b", "40"))
		tx.Delete(table, mustKey(table, at("d", "20")))
	})
	require.NoError(t, s.Check())
	require.Error(t, s.Update(func(tx *Tx) error {
		put(tx, table, at("e", "5"))
		tx.Tables().SetExpiry(table, "")
		return errors.New("give up")
	}))
	assert.Equal(t, []int64{30, 40}, expiring(s, 50))
	assert.Equal(t, []int64{10, 20, 30}, expiring(f, 50))
	require.NoError(t, f.Check())
	update(t, s, func(tx *Tx) { tx.Tables().SetExpiry(table, "") })
	assert.Empty(t, expiring(s, 50))
}

// A store with many ended streams keeps those that ended last, in its journal too.
func TestMostEndedStreams(t *testing.T) {
	const extra = 5
	now, m := testTime, newMemory()
	o := Options{Now: func() time.Time { return now }}
	s := newDurable(o, testDurable(m))
	var old, table *Table
	update(t, s, func(tx *Tx) {
		old = tx.Tables().Create("old", "id", testKey, nil, "settings")
		table = tx.Tables().Create("t", "id", testKey, nil, "settings")
		tx.Streams().Enable(old, "first to begin", "view")
	})
	for i := range mostEnded + extra {
		update(t, s, func(tx *Tx) {
			tx.Streams().Enable(table, fmt.Sprint(i), "view")
			now = now.Add(time.Second)
			tx.Streams().Disable(table)
		})
	}
	update(t, s, func(tx *Tx) {
		tx.Streams().Disable(old)
		tx.Streams().Enable(table, "last", "view")
	})
	check := func(s *Store) {
		view(t, s, func(tx *Tx) {
			require.Equal(t, mostEnded+1, len(tx.Streams().All()))
			assert.NotNil(t, tx.Streams().ByLabel("old", "first to begin"),
				"others ended before it")
			assert.Nil(t, tx.Streams().ByLabel("t", fmt.Sprint(extra)))
			assert.NotNil(t, tx.Streams().ByLabel("t", fmt.Sprint(extra+1)))
			assert.NotNil(t, tx.Streams().ByLabel("t", "last"))
		})
		require.NoError(t, s.Check())
	}
	check(s)
	loaded, err := Load(o, m, textCodec{})
	require.NoError(t, err)
	check(loaded[0].Store)
}
