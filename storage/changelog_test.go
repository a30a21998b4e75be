package storage

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/storage/item"
	_ "github.com/kugiri-db/kugiri/storage/rapidseed" // fixes the seed
)

// modelLog is a changeLog with the changes that it should hold.
type modelLog struct {
	log     changeLog
	changes []logged
	dropped uint64
}

var imageLengths = []int{0, 0, 1, 10, 10, 200, largestInline - 1, largestInline, largestInline + 1,
	3 * largestInline}

func drawImage(t *rapid.T, label string) item.Item {
	n := rapid.SampledFrom(imageLengths).Draw(t, label)
	return item.Item(
		strings.Repeat(rapid.SampledFrom([]string{"a", "b", "\xff"}).Draw(t, "byte"), n))
}

// add adds a change. Its time may be before that of the last change, because clocks can be set.
func (m *modelLog) add(t *rapid.T, full int) {
	c := logged{
		seq: m.dropped, millis: rapid.Int64Range(-3, 3).Draw(t, "wait"), old: drawImage(t, "old"),
		new: drawImage(t, "new"), expired: rapid.Bool().Draw(t, "expired"),
	}
	if n := len(m.changes); n > 0 {
		c.seq, c.millis = m.changes[n-1].seq, m.changes[n-1].millis+c.millis
	}
	c.seq += 1 + rapid.SampledFrom([]uint64{0, 1, 1 << 30}).Draw(t, "gap")
	m.log.add(&c, full)
	m.changes = append(m.changes, c)
}

func (m *modelLog) fork() *modelLog {
	return &modelLog{log: m.log.fork(), changes: slices.Clone(m.changes), dropped: m.dropped}
}

// drop drops the oldest changes, at least one.
func (m *modelLog) drop(t *rapid.T) {
	if len(m.changes) == 0 {
		return
	}
	m.log.drop()
	n := slices.IndexFunc(m.changes, func(c logged) bool { return c.seq > m.log.dropped })
	if n < 0 {
		n = len(m.changes)
	}
	require.Positive(t, n)
	m.dropped = m.changes[n-1].seq
	require.Equal(t, m.dropped, m.log.dropped)
	m.changes = slices.Delete(m.changes, 0, n)
}

func (m *modelLog) check(t *rapid.T, full int) {
	bytes := int64(0)
	for i, c := range m.log.chunks {
		bytes += int64(c.bytes)
		r := c.reader()
		for n := 0; r.next(); n++ {
			require.True(t, n == 0 || c.bytes <= full, "chunk %d of several changes has %d bytes",
				i, c.bytes)
		}
	}
	require.Equal(t, bytes, m.log.bytes)
	require.Equal(t, m.changes, m.scan(0, len(m.changes)+1))
	for i, c := range m.changes {
		require.Equal(t, m.changes[i:], m.scan(c.seq, len(m.changes)))
		require.Equal(t, m.changes[i:i+1], m.scan(c.seq, 1))
		millis, ok := m.log.before(c.seq)
		require.True(t, ok)
		require.Equal(t, c.millis, millis)
		if i+1 < len(m.changes) {
			require.Equal(t, m.changes[i+1:], m.scan(c.seq+1, len(m.changes)))
		}
		m.checkSince(t, c.millis)
	}
	_, ok := m.log.before(m.dropped)
	require.False(t, ok)
	m.checkSince(t, 1<<40)
}

func (m *modelLog) checkSince(t *rapid.T, millis int64) {
	at := slices.IndexFunc(m.changes, func(c logged) bool { return c.millis > millis })
	seq, ok := m.log.since(millis)
	require.Equal(t, at >= 0, ok)
	if ok {
		require.Equal(t, m.changes[at].seq, seq)
	}
}

// scan reads at most a number of changes.
func (m *modelLog) scan(from uint64, most int) (changes []logged) {
	changes = []logged{}
	m.log.scan(from, func(l *logged) bool {
		changes = append(changes, *l)
		return len(changes) < most
	})
	return changes
}

// TestChangeLogAgainstModel applies random operations to a log and its forks, with small chunks.
func TestChangeLogAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		full := rapid.SampledFrom([]int{0, 100, 1000, 10_000}).Draw(t, "chunk")
		logs := []*modelLog{{changes: []logged{}}}
		one := func(t *rapid.T) *modelLog { return rapid.SampledFrom(logs).Draw(t, "log") }
		t.Repeat(map[string]func(*rapid.T){
			"add":  func(t *rapid.T) { one(t).add(t, full) },
			"more": func(t *rapid.T) { one(t).add(t, full) },
			"drop": func(t *rapid.T) { one(t).drop(t) },
			"fork": func(t *rapid.T) {
				if len(logs) == 4 {
					t.Skip("enough forks")
				}
				logs = append(logs, one(t).fork())
			},
			"": func(t *rapid.T) {
				for _, m := range logs {
					m.check(t, full)
				}
			},
		})
	})
}
