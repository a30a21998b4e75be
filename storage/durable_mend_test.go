package storage

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/storage/journal"
)

// TestMend: whatever entries a journal loses, Mend repairs it, and a second Mend changes nothing.
func TestMend(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &durableMachine{journal: newMemory()}
		m.now = time.Unix(1_000_000, 0)
		m.options = Options{Now: func() time.Time { return m.now }}
		m.add(newWorld(newDurable(m.options, testDurable(m.journal))))
		t.Repeat(map[string]func(*rapid.T){
			"update": m.update, "put": m.update, "backup": m.backup, "recovery": m.recovery,
		})
		lost := 0
		for _, bucket := range slices.Sorted(maps.Keys(m.journal.buckets)) {
			for _, key := range slices.Sorted(maps.Keys(m.journal.buckets[bucket])) {
				if rapid.IntRange(0, 9).Draw(t, "lost") == 0 {
					delete(m.journal.buckets[bucket], key)
					lost++
				}
			}
		}
		var b journal.Batch
		mended, err := Mend(m.options, m.journal, textCodec{}, &b)
		require.NoError(t, err)
		require.Equal(t, b.Empty(), len(mended.Changes) == 0)
		require.True(t, lost > 0 || b.Empty(), "%v", mended.Changes)
		require.NoError(t, journal.Decode(b.Bytes(), m.journal))
		loaded, err := Load(m.options, m.journal, textCodec{})
		require.NoError(t, err)
		var again journal.Batch
		_, err = Mend(m.options, m.journal, textCodec{}, &again)
		require.NoError(t, err)
		require.True(t, again.Empty())
		for _, l := range loaded {
			// the store is usable and numbers do not repeat
			require.NoError(t, l.Store.Update(func(tx *Tx) error {
				tx.Tables().Create("another", "another", testKey, nil, "settings")
				return nil
			}))
		}
		_, err = Load(m.options, m.journal, textCodec{})
		require.NoError(t, err)
	})
}

// A stream's number is that of a shard, and says nothing of how many tables there were.
func TestMendLeavesWhatIsSound(t *testing.T) {
	m := newMemory()
	s := newDurable(Options{}, testDurable(m))
	var table *Table
	update(t, s,
		func(tx *Tx) { table = tx.Tables().Create("songs", "id", testKey, nil, "settings") })
	for _, label := range []string{"one", "two", "three"} {
		update(t, s, func(tx *Tx) { tx.Streams().Enable(table, label, "KEYS_ONLY") })
		update(t, s, func(tx *Tx) { tx.Streams().Disable(table) })
	}
	var b journal.Batch
	mended, err := Mend(Options{}, m, textCodec{}, &b)
	require.NoError(t, err)
	require.Empty(t, mended.Changes)
	require.True(t, b.Empty())
}

func TestBucketNames(t *testing.T) {
	m := newMemory()
	d := testDurable(m)
	d.Name = "AKID/eu-west-1"
	s := newDurable(Options{}, d)
	update(t, s, func(tx *Tx) { tx.Tables().Create("songs", "id", testKey, nil, "settings") })
	names := NewBucketNames()
	require.Equal(t,
		"the items of a table whose name is lost (number 1), of an access key that is lost (number 7)", names.Of([]byte(s.durable.bucket(kindItems, 1))))
	require.NoError(t, m.Load(func(bucket, key, value []byte) error {
		names.Entry(bucket, key, value)
		return nil
	}))
	for _, c := range []struct{ bucket, want string }{
		{s.durable.bucket(kindItems, 1),
			"the items of table songs, of access key AKID in eu-west-1"},
		{s.durable.bucket(kindItems, 2),
			"the items of a table whose name is lost (number 2), of access key AKID in eu-west-1"},
		{s.durable.bucket(kindChanges, 9),
			"the stream of a table whose name is lost (number 9), of access key AKID in eu-west-1"},
		{s.durable.bucket(kindUndo, 1), "the past of table songs, of access key AKID in eu-west-1"},
		{s.durable.bucket(kindSchema, 0), "the definitions of access key AKID in eu-west-1"},
		{s.durable.bucket(kindKept, 0),
			"the tokens of transactions of access key AKID in eu-west-1"},
		{s.durable.bucket('?', 0), "the bucket 000000073f0000000000000000"},
		{"other", "the bucket 6f74686572"},
	} {
		require.Equal(t, c.want, names.Of([]byte(c.bucket)))
	}
}
