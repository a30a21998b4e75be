package conventions_test

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/oklog/ulid/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	. "github.com/kugiri-db/kugiri/conventions"
)

var noon = time.Date(2024, 5, 3, 12, 0, 0, 0, time.UTC)

// endless is a reader that repeats one byte.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

func TestULIDsAreMadeOfTimeAndEntropy(t *testing.T) {
	u := NewULIDs(func() time.Time { return noon }, bytes.NewReader([]byte("0123456789")))
	got, err := u.Next()
	require.NoError(t, err)
	want := ulid.MustNew(ulid.Timestamp(noon), bytes.NewReader([]byte("0123456789"))).String()
	assert.Equal(t, want, got)
	assert.True(t, IsULID(got))
}

// TestULIDsAscend: each ULID is greater than the one before, and none has a time before the
// clock's, whatever the clock does.
func TestULIDsAscend(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := noon
		u := NewULIDs(func() time.Time { return now }, endless(rapid.Byte().Draw(t, "entropy")))
		last := ""
		for _, step := range rapid.SliceOfN(rapid.Int64Range(-5, 5), 1, 50).Draw(t, "steps") {
			now = now.Add(time.Duration(step) * time.Millisecond / 2)
			next, err := u.Next()
			if errors.Is(err, ErrNoULIDs) {
				continue // entropy of ones
			}
			require.NoError(t, err)
			require.True(t, IsULID(next))
			require.Greater(t, next, last)
			require.GreaterOrEqual(t, ulid.MustParseStrict(next).Time(), ulid.Timestamp(now))
			last = next
		}
	})
}

func TestULIDsOverflow(t *testing.T) {
	now := noon
	u := NewULIDs(func() time.Time { return now }, endless(0xff))
	first, err := u.Next()
	require.NoError(t, err)
	for range 3 {
		_, err = u.Next()
		require.ErrorIs(t, err, ErrNoULIDs)
	}
	now = now.Add(time.Millisecond)
	second, err := u.Next()
	require.NoError(t, err)
	assert.Greater(t, second, first)
}

func TestULIDsErrors(t *testing.T) {
	for _, c := range []struct {
		name    string
		now     time.Time
		entropy io.Reader
		text    string
	}{
		{"before 1970", time.UnixMilli(-1), endless(0),
			"conventions: a ULID has no time -1 ms from 1970"},
		{"after 10889", time.UnixMilli(1 << 48), endless(0),
			"conventions: a ULID has no time 281474976710656 ms from 1970"},
		{"no randomness", noon, iotest.ErrReader(errors.New("dry")),
			"conventions: randomness for a ULID: dry"},
	} {
		t.Run(c.name, func(t *testing.T) {
			now, entropy := c.now, c.entropy
			u := NewULIDs(func() time.Time { return now },
				readerFunc(func(p []byte) (int, error) { return entropy.Read(p) }))
			_, err := u.Next()
			require.EqualError(t, err, c.text)
			_, err = u.EntityID("PRODUCT", "tenant001")
			require.EqualError(t, err, c.text)

			now, entropy = noon, endless(1)
			_, err = u.Next()
			require.NoError(t, err, "it works again")
		})
	}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestULIDsConcurrently(t *testing.T) {
	const makers, each = 8, 200
	u := NewULIDs(func() time.Time { return noon }, endless(7))
	made := make([][]string, makers)
	var wg sync.WaitGroup
	for i := range made {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range each {
				id, err := u.Next()
				if !assert.NoError(t, err) {
					return
				}
				made[i] = append(made[i], id)
			}
		}()
	}
	wg.Wait()
	seen := map[string]bool{}
	for _, ids := range made {
		assert.IsIncreasing(t, ids)
		for _, id := range ids {
			seen[id] = true
		}
	}
	assert.Len(t, seen, makers*each)
}

func TestULIDsEntityID(t *testing.T) {
	u := NewULIDs(func() time.Time { return noon }, endless(1))
	keys, err := u.EntityID("PRODUCT", "tenant001")
	require.NoError(t, err)
	assert.Equal(t, "PRODUCT#tenant001", keys.PK)
	assert.True(t, IsULID(keys.SK))
	assert.Equal(t, keys.PK+"#"+keys.SK, keys.ID)
}
