package cache

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func TestLife(t *testing.T) {
	c := New[string, int](100, nil)
	c.Put("a", 1, 10, start)
	v, written, ok := c.Get("a", time.Minute, start.Add(time.Minute-1))
	assert.True(t, ok)
	assert.Equal(t, 1, v)
	assert.Equal(t, start, written)
	_, _, ok = c.Get("a", time.Minute, start.Add(time.Minute))
	assert.False(t, ok, "reading does not prolong the life")
	n, bytes := c.Size()
	assert.Zero(t, n)
	assert.Zero(t, bytes)

	forever := New[string, int](100, nil)
	forever.Put("a", 1, 10, start)
	_, _, ok = forever.Get("a", 0, start.AddDate(1, 0, 0))
	assert.True(t, ok)
}

func TestLeastRecentlyUsedLeaves(t *testing.T) {
	var gone []string
	c := New[string, int](30, func(key string) { gone = append(gone, key) })
	for i, key := range []string{"a", "b", "c"} {
		c.Put(key, i, 10, start)
	}
	c.Get("a", 0, start)
	c.Put("d", 3, 10, start)
	assert.Equal(t, []string{"b"}, gone)
	c.Put("large", 4, 31, start)
	assert.Equal(t, []string{"b"}, gone, "a value beyond the bound drives nobody out")
	_, _, ok := c.Get("large", 0, start)
	assert.False(t, ok)
}

func TestTheLaterWriteStays(t *testing.T) {
	c := New[string, int](100, nil)
	c.Put("a", 2, 10, start.Add(time.Second))
	c.Put("a", 1, 10, start)
	v, _, _ := c.Get("a", 0, start)
	assert.Equal(t, 2, v)
	c.Put("a", 3, 20, start.Add(time.Second))
	v, _, _ = c.Get("a", 0, start)
	assert.Equal(t, 3, v, "at the same time the last one")
	_, bytes := c.Size()
	assert.EqualValues(t, 20, bytes)
	c.Put("a", 4, 1000, start.Add(time.Minute))
	_, _, ok := c.Get("a", 0, start)
	assert.False(t, ok, "an item that grew too large leaves no older one behind")
}

func TestClearAndDrop(t *testing.T) {
	c := New[string, int](100, nil)
	for _, key := range []string{"a", "b", "c"} {
		c.Put(key, 0, 10, start)
	}
	c.Drop("a")
	c.Clear(func(key string) bool { return key == "b" })
	for _, key := range []string{"d", "e"} {
		c.Put(key, 0, 10, start)
	}
	c.Get("c", 0, start)
	var left []string
	c.Each(func(key string, _ int, _ int64, _ time.Time) bool {
		left = append(left, key)
		return len(left) < 2
	})
	assert.Equal(t, []string{"c", "e"}, left, "the most recently used first")
}
