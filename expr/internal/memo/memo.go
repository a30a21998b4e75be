// Package memo caches the results of parsing texts that repeat.
package memo

import (
	"hash/maphash"
	"strings"
	"sync"
)

// A cache has Shards, and each shard has Generations. The entries of a cache weigh at most
// Shards*Generations times its limit.
const (
	Shards      = 16
	Generations = 2
)

// Cache holds results by their texts. Each shard has a young and an old generation. A lookup moves
// an entry to the young one. When that is full, the old one is dropped and the young one becomes
// old, so that entries in use stay. A Cache is safe for concurrent use. Its results are shared and
// must never change.
type Cache[T any] struct {
	limit  int
	seed   maphash.Seed
	shards [Shards]shard[T]
}

// Key is a text and the kind of its result.
type Key struct {
	Kind uint8
	Text string
}

// Entry is a result and its weight in the unit of the cache's limit.
type Entry[T any] struct {
	Value  *T
	Weight int
}

type shard[T any] struct {
	mu     sync.RWMutex
	young  map[Key]Entry[T]
	old    map[Key]Entry[T]
	weight int // the weight of young
}

// New makes a cache in which each generation of a shard weighs at most limit.
func New[T any](limit int) *Cache[T] {
	return &Cache[T]{limit: limit, seed: maphash.MakeSeed()}
}

// Get returns the result of a text if it is in the young generation, or nil: then Load finds it.
func (c *Cache[T]) Get(k Key) *T {
	s := c.shard(k)
	s.mu.RLock()
	e := s.young[k]
	s.mu.RUnlock()
	return e.Value
}

// Load returns the result of a text that Get has not found. It calls read if the cache does not
// have the text at all. The text that read gets belongs to the cache, and the result may refer to
// it. Errors are not cached, nor are results that weigh more than the limit.
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

// keep adds an entry to the young generation, unless there is one by now.
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
