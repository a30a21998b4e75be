package memo

import (
	"errors"
	"strconv"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const limit = 1000

// read returns the text itself with a weight of 100.
func read(text string) (Entry[string], error) { return Entry[string]{&text, 100}, nil }

// check fails if a cache holds too much, or an entry does not match its key.
func (c *Cache[T]) check(t *testing.T, text func(*T) string) {
	t.Helper()
	for i := range c.shards {
		s := &c.shards[i]
		for _, generation := range []map[Key]Entry[T]{s.young, s.old} {
			weight := 0
			for key, e := range generation {
				weight += e.Weight
				require.Equal(t, key.Text, text(e.Value))
			}
			require.LessOrEqual(t, weight, limit)
		}
	}
}

func itself(s *string) string { return *s }

func TestCacheIsBounded(t *testing.T) {
	c := New[string](limit)
	for i := range 10 * Shards * Generations * limit / 100 {
		_, err := c.Load(Key{Text: strconv.Itoa(i)}, read)
		require.NoError(t, err)
	}
	c.check(t, itself)
}

func TestCacheKeepsWhatIsUsed(t *testing.T) {
	c := New[string](limit)
	get := func(text string) *string {
		if s := c.Get(Key{Text: text}); s != nil {
			return s
		}
		s, err := c.Load(Key{Text: text}, read)
		require.NoError(t, err)
		return s
	}
	used := get("used")
	for i := range 10 * Shards * Generations * limit / 100 {
		get(strconv.Itoa(i))
		require.Same(t, used, get("used"))
	}
}

func TestKindsAreKeptApart(t *testing.T) {
	c := New[string](limit)
	one, err := c.Load(Key{1, "text"}, read)
	require.NoError(t, err)
	assert.Nil(t, c.Get(Key{2, "text"}))
	assert.Same(t, one, c.Get(Key{1, "text"}))
}

func TestWhatIsNotKept(t *testing.T) {
	c := New[string](limit)
	wrong := errors.New("wrong")
	_, err := c.Load(Key{Text: "wrong"},
		func(string) (Entry[string], error) { return Entry[string]{}, wrong })
	require.ErrorIs(t, err, wrong)
	assert.Nil(t, c.Get(Key{Text: "wrong"}))

	heavy, err := c.Load(Key{Text: "heavy"},
		func(text string) (Entry[string], error) { return Entry[string]{&text, limit + 1}, nil })
	require.NoError(t, err)
	assert.Equal(t, "heavy", *heavy)
	assert.Nil(t, c.Get(Key{Text: "heavy"}))
}

// TestCacheOwnsItsTexts: the text of a request may be part of a buffer that is used again.
func TestCacheOwnsItsTexts(t *testing.T) {
	c := New[string](limit)
	buffer := []byte("text")
	_, err := c.Load(Key{Text: unsafe.String(&buffer[0], len(buffer))}, read)
	require.NoError(t, err)
	copy(buffer, "TEXT")
	require.NotNil(t, c.Get(Key{Text: "text"}))
	c.check(t, itself)
}

func TestConcurrentUse(t *testing.T) {
	c := New[string](limit)
	var workers sync.WaitGroup
	for range 4 {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for i := range 2000 {
				text := strconv.Itoa(i * i % 500)
				s := c.Get(Key{Text: text})
				if s == nil {
					var err error
					if s, err = c.Load(Key{Text: text}, read); !assert.NoError(t, err) {
						return
					}
				}
				if !assert.Equal(t, text, *s) {
					return
				}
			}
		}()
	}
	workers.Wait()
	c.check(t, itself)
}
