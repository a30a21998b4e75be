// Package cache keeps values for a time, within a bound of memory. Those that were used least
// recently leave first.
//
// github.com/hashicorp/golang-lru was rejected: it bounds how many values there are, not how large
// they are, and its expirable values expire by the clock of the machine. Here each Get brings the
// time and the life that count for its caller.
package cache

import (
	"container/list"
	"sync"
	"time"
)

// A Cache keeps values by keys. It is safe for concurrent use.
type Cache[K comparable, V any] struct {
	bound   int64
	evicted func(K)

	mu      sync.Mutex
	bytes   int64
	entries map[K]*list.Element // *entry[K, V] elements
	recent  list.List           // the most recently used one in front
}

type entry[K comparable, V any] struct {
	key     K
	value   V
	bytes   int64
	written time.Time
}

// New returns a Cache whose values take at most bound bytes. evicted is called, with the Cache
// locked, for each value that leaves for others; nil is for nothing.
func New[K comparable, V any](bound int64, evicted func(K)) *Cache[K, V] {
	return &Cache[K, V]{bound: bound, evicted: evicted, entries: map[K]*list.Element{}}
}

// Get returns the value of a key, and when it was put. It expires a life after that, or never if
// life is 0. ok is false if the key has no value now.
func (c *Cache[K, V]) Get(key K, life time.Duration, now time.Time) (v V, written time.Time,
	ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.entries[key]
	if at == nil {
		return v, written, false
	}
	e := at.Value.(*entry[K, V])
	if life > 0 && now.Sub(e.written) >= life {
		c.remove(at)
		return v, written, false
	}
	c.recent.MoveToFront(at)
	return e.value, e.written, true
}

// Put keeps a value that takes a number of bytes. Of two values of a key the one that was written
// later stays. A value that is larger than the bound is not kept, and neither is the one before.
func (c *Cache[K, V]) Put(key K, v V, bytes int64, written time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at := c.entries[key]; at != nil {
		if at.Value.(*entry[K, V]).written.After(written) {
			return
		}
		c.remove(at)
	}
	if bytes > c.bound {
		return
	}
	c.bytes += bytes
	c.entries[key] = c.recent.PushFront(&entry[K, V]{key, v, bytes, written})
	for c.bytes > c.bound {
		oldest := c.recent.Back()
		if c.evicted != nil {
			c.evicted(oldest.Value.(*entry[K, V]).key)
		}
		c.remove(oldest)
	}
}

func (c *Cache[K, V]) remove(at *list.Element) {
	e := c.recent.Remove(at).(*entry[K, V])
	c.bytes -= e.bytes
	delete(c.entries, e.key)
}

// Drop forgets the value of a key.
func (c *Cache[K, V]) Drop(key K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at := c.entries[key]; at != nil {
		c.remove(at)
	}
}

// Clear forgets the values whose keys f chooses.
func (c *Cache[K, V]) Clear(f func(K) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key, at := range c.entries {
		if f(key) {
			c.remove(at)
		}
	}
}

// Each calls f for each value, also those that have expired and were not asked for since, the most
// recently used first, with the Cache locked, until f returns false.
func (c *Cache[K, V]) Each(f func(key K, v V, bytes int64, written time.Time) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for at := c.recent.Front(); at != nil; at = at.Next() {
		e := at.Value.(*entry[K, V])
		if !f(e.key, e.value, e.bytes, e.written) {
			return
		}
	}
}

// Size returns how many values there are, with those that have expired and were not asked for, and
// how many bytes they take.
func (c *Cache[K, V]) Size() (values int, bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.entries), c.bytes
}
