package expr

import (
	"hash/maphash"
	"sync"
)

// The cache of trees. Each shard has two generations: what is looked up is kept
// in, or moved to, the younger; when that is full the older is dropped. So what is used
// stays, and the texts held are at most cacheShards*2*shardBytes = 512 KB; a tree is up to
// some thirty times its text.
const (
	cacheShards = 16
	shardBytes  = 16 << 10
)

type cacheKey struct {
	grammar grammar
	src     string
}

type cacheShard struct {
	mu       sync.RWMutex
	young    map[cacheKey]*tree
	old      map[cacheKey]*tree
	youngLen int // bytes of text in young
}

var (
	cache     [cacheShards]cacheShard
	cacheSeed = maphash.MakeSeed()
)

// parseCached is parse for expressions that come again. Only valid expressions are kept.
func parseCached(kind Kind, src string) (*tree, error) {
	key := cacheKey{kind.grammar(), src}
	shard := &cache[maphash.String(cacheSeed, src)%cacheShards]
	shard.mu.RLock()
	t := shard.young[key]
	shard.mu.RUnlock()
	if t != nil {
		return t, nil
	}
	return shard.load(kind, key)
}

// load moves a tree from the old generation to the young one, or parses it.
func (s *cacheShard) load(kind Kind, key cacheKey) (*tree, error) {
	s.mu.RLock()
	t := s.old[key]
	s.mu.RUnlock()
	if t == nil {
		var err error
		if t, err = parse(kind, key.src); err != nil {
			return nil, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.young[key]; known != nil {
		return known, nil
	}
	if s.young == nil || s.youngLen+len(t.src) > shardBytes {
		s.old, s.young, s.youngLen = s.young, make(map[cacheKey]*tree), 0
	}
	s.young[cacheKey{key.grammar, t.src}] = t
	s.youngLen += len(t.src)
	return t, nil
}
