package storage

import (
	"fmt"
	"slices"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/storage/item"
)

// modelStreams are all streams of the past and present, in the order of their creation. They have
// no shards.
type modelStreams []*modelStream

type modelStream struct {
	table, label   string
	created, ended time.Time
	records        []modelRecord // all records, also old ones
}

// modelRecord is a change in a stream.
type modelRecord struct {
	seq            uint64
	millis         int64
	keys, old, new item.Item
	expired        bool
}

func recordOf(c *Change) modelRecord {
	return modelRecord{c.Seq, c.Time.UnixMilli(), c.Keys, c.Old, c.New, c.Expired}
}

func (r *modelRecord) trimmed(now time.Time) bool {
	return now.Sub(time.UnixMilli(r.millis)) >= streamLife
}

func (s modelStreams) clone() modelStreams {
	c := make(modelStreams, len(s))
	for i, stream := range s {
		own := *stream
		own.records = slices.Clone(stream.records)
		c[i] = &own
	}
	return c
}

// live returns the stream of a table that has not ended, or nil.
func (s modelStreams) live(table string) *modelStream {
	for _, stream := range s {
		if stream.table == table && stream.ended.IsZero() {
			return stream
		}
	}
	return nil
}

func (s modelStreams) end(table string, now time.Time) {
	if live := s.live(table); live != nil {
		live.ended = now
	}
}

// log adds a change to the stream of its table, unless the item stays the same.
func (s modelStreams) log(c *Change) {
	if live := s.live(c.Table.Name); live != nil && c.Old != c.New {
		live.records = append(live.records, recordOf(c))
	}
}

// step begins, rolls or ends the stream of a table.
func (s *modelStreams) step(t *rapid.T, tx *Tx, table *Table) {
	now := tx.store.now()
	live := s.live(table.Name)
	switch {
	case live == nil:
		label := fmt.Sprint("label", len(*s))
		tx.Streams().Enable(table, label, "view")
		*s = append(*s, &modelStream{table: table.Name, label: label, created: now})
	case rapid.IntRange(0, 3).Draw(t, "end the stream") == 0:
		tx.Streams().Disable(table)
		live.ended = now
	default:
		tx.Streams().Roll(tx.Streams().ByLabel(table.Name, live.label))
	}
}

// check compares all streams with records that are not too old.
func (s modelStreams) check(t require.TestingT, tx *Tx) {
	now := tx.store.now()
	kept := slices.DeleteFunc(slices.Clone(s), func(m *modelStream) bool {
		return !m.ended.IsZero() && now.Sub(m.ended) >= streamLife
	})
	got := tx.Streams().All()
	require.Len(t, got, len(kept))
	for i, m := range kept {
		require.Equal(t, []any{m.table, m.label, m.created, m.ended},
			[]any{got[i].Table, got[i].Label, got[i].Created, got[i].Ended()})
		require.Same(t, got[i], tx.Streams().ByLabel(m.table, m.label))
		m.check(t, tx, got[i])
	}
}

// check compares the records of a stream. Each must be in the shards once, and those of one item in
// one lineage.
func (m *modelStream) check(t require.TestingT, tx *Tx, s *Stream) {
	now := tx.store.now()
	var want, got []modelRecord
	for _, r := range m.records {
		if !r.trimmed(now) {
			want = append(want, r)
		}
	}
	homes := map[item.Item][]*Shard{} // the shards with records of each item, in their order
	for _, sh := range s.Shards() {
		for _, r := range m.shardRecords(t, tx, s, sh) {
			got = append(got, r)
			homes[r.keys] = append(homes[r.keys], sh)
		}
	}
	slices.SortFunc(got, func(a, b modelRecord) int { return int(a.seq) - int(b.seq) })
	require.Equal(t, want, got)
	m.checkShards(t, tx, s)
	for keys, shards := range homes {
		for i := 1; i < len(shards); i++ {
			require.True(t, descends(s, shards[i], shards[i-1]),
				"the changes of %s are in shards %d and %d", keys.JSON(), shards[i-1].Number,
				shards[i].Number)
		}
	}
}

// shardRecords reads a shard from its horizon on, and again from other positions.
func (m *modelStream) shardRecords(t require.TestingT, tx *Tx, s *Stream, sh *Shard) []modelRecord {
	read := func(from uint64) (records []modelRecord, tooOld bool) {
		tooOld = tx.Streams().Changes(s, sh, from, func(c *Change) bool {
			records = append(records, recordOf(c))
			return true
		})
		return records, tooOld
	}
	now := tx.store.now()
	all, tooOld := read(tx.Streams().Horizon(sh))
	require.False(t, tooOld)
	last := sh.First
	for i, r := range all {
		require.Greater(t, r.seq, last)
		last = r.seq
		rest, tooOld := read(r.seq)
		require.False(t, tooOld)
		require.Equal(t, all[i:], rest)
		since := slices.IndexFunc(all, func(o modelRecord) bool { return o.millis >= r.millis })
		require.Equal(t, all[since].seq, tx.Streams().Since(sh, time.UnixMilli(r.millis)))
	}
	require.True(t, sh.Last == 0 || last < sh.Last)
	fromStart, tooOld := read(0)
	if tooOld {
		require.Empty(t, fromStart)
		require.True(t, slices.ContainsFunc(m.records, func(r modelRecord) bool {
			return r.trimmed(now) && r.seq > sh.First && (sh.Last == 0 || r.seq < sh.Last)
		}))
	} else {
		require.Equal(t, all, fromStart)
	}
	return all
}

// checkShards checks the numbers, parents and bounds of shards.
func (m *modelStream) checkShards(t require.TestingT, tx *Tx, s *Stream) {
	now, open := tx.store.now(), 0
	for i, sh := range s.Shards() {
		require.Same(t, sh, s.Shard(sh.Number))
		require.True(t, i == 0 || s.Shards()[i-1].Number < sh.Number)
		if sh.Last == 0 {
			open++
		}
		parent := s.Shard(sh.Parent)
		switch {
		case parent != nil:
			require.NotZero(t, parent.Last)
			require.Less(t, parent.Last, sh.First)
			require.GreaterOrEqual(t, sh.Begun.Sub(parent.Begun), tx.store.shardLife)
		case sh.Parent != 0:
			require.GreaterOrEqual(t, now.Sub(sh.Begun), time.Duration(0))
			require.GreaterOrEqual(t, now.Sub(m.created), streamLife,
				"a parent that is forgotten was too old")
		}
	}
	if m.ended.IsZero() {
		require.Equal(t, tx.store.openShards, open)
	} else {
		require.Zero(t, open)
	}
}

// descends reports whether a shard is another or one of its descendants.
func descends(s *Stream, sh, from *Shard) bool {
	for ; sh != nil; sh = s.Shard(sh.Parent) {
		if sh == from {
			return true
		}
	}
	return false
}

// shardsOf returns all shards of a store's streams without their changes.
func shardsOf(st *Store) (shards []Shard) {
	_ = st.View(func(tx *Tx) error {
		for _, s := range tx.Streams().All() {
			for _, sh := range s.Shards() {
				shards = append(shards,
					Shard{Number: sh.Number, Parent: sh.Parent, Begun: sh.Begun, First: sh.First,
						Last: sh.Last, ended: sh.ended})
			}
		}
		return nil
	})
	return shards
}
