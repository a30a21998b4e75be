// Package memo keeps what was read from texts that come again.
package memo

import (
	"hash/maphash"
	"strings"
	"sync"
)

// Shards is how many parts a cache has, and Generations how many each of them: what a
// cache holds weighs at most Shards*Generations times its limit.
const (
	Shards      = 16
	Generations = 2
)

// Cache holds what was read from texts. Each shard has two generations: what is looked
// up is kept in, or moved to, the younger; when that is full the older is dropped. So what is
// used stays. A cache is safe for concurrent use; what it holds is shared and must never change.
type Cache[T any] struct {
	limit  int
	seed   maphash.Seed
	shards [Shards]shard[T]
}

// Key is a text and what it was read as.
type Key struct {
	Kind uint8
	Text string
}

// Entry is what was read from a text, and what it weighs, in units of the cache's limit.
type Entry[T any] struct {
	Value  *T
	Weight int
}

type shard[T any] struct {
	mu     sync.RWMutex
	young  map[Key]Entry[T]
	old    map[Key]Entry[T]
	weight int // of young
}

// New makes a cache of which no generation of a shard weighs more than limit.
func New[T any](limit int) *Cache[T] {
	return &Cache[T]{limit: limit, seed: maphash.MakeSeed()}
}

// Get returns what was read from a text, nil if that has to be loaded.
func (c *Cache[T]) Get(k Key) *T {
	s := c.shard(k)
	s.mu.RLock()
	e := s.young[k]
	s.mu.RUnlock()
	return e.Value
}

// Load is Get for what Get does not find: it calls read with the text if need be. The text
// that read gets is the cache's own, and may be kept. Errors are not kept, nor is what weighs more than the limit.
func (c *Cache[T]) Load(k Key, read func(text string) (Entry[T], error)) (*T, error) {
	s := c.shard(k)
	s.mu.RLock()
	e := s.old[k]
	s.mu.RUnlock()
	k.Text = strings.Clone(k.Text)
	if e.Value == nil {
		var err error
		if e, err = read(k.Text); err != nil || e.Weight > c.limit {
			return e.Value, err
		}
	}
	return s.keep(k, e, c.limit), nil
}

func (c *Cache[T]) shard(k Key) *shard[T] {
	return &c.shards[maphash.String(c.seed, k.Text)%Shards]
}

// keep puts an entry into the young generation, unless there is one by now.
func (s *shard[T]) keep(k Key, e Entry[T], limit int) *T {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.young[k]; known.Value != nil {
		return known.Value
	}
	if s.young == nil || s.weight+e.Weight > limit {
		s.old, s.young, s.weight = s.young, make(map[Key]Entry[T]), 0
	}
	s.young[k] = e
	s.weight += e.Weight
	return e.Value
}
