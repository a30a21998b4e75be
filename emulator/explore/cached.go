package explore

import (
	"errors"
	"slices"
	"time"

	"github.com/kugiri-db/kugiri/emulator/explore/search"
)

// Cached has a cache answer with an item, or with the answer of a Query or Scan, as it was some
// changes ago: see CachedReads. In a schedule the number of changes follows: cached2. For the items
// of a batch there is a number each, by table and key: cached0.2.
const Cached = search.Cached

// CachedReads says that workers read and write through an accelerator (DAX): those that are named,
// or all. What it answers to their eventually consistent reads may be as old as its entries live,
// which are five minutes: other programs read through it as well. Each old answer counts among the
// Faults of a run. With no Faults no answer is old.
//
// A worker uses the client that it gets. Its strongly consistent and transactional reads pass by.
// What workers have read or written through the cache is not older at their next read, but answers
// of Query and Scan do not show writes.
func CachedReads(workers ...string) Option {
	return func(o *options) { o.cache().Workers = workers }
}

// CacheTTLs says how long the entries of the cache live: items (0: for good), and the answers of
// Query and Scan (0: they are not cached).
func CacheTTLs(items, queries time.Duration) Option {
	return func(o *options) { o.cache().ItemTTL, o.cache().QueryTTL = items, queries }
}

// CacheLag says that the accelerator has several nodes, which hear of each other's reads and writes
// after a time: until then another one may answer with what is older, and at any time if it is the
// answer of a Query or Scan.
func CacheLag(lag time.Duration) Option { return func(o *options) { o.cache().Lag = lag } }

// cache returns the cache that the options describe.
func (o *options) cache() *search.Cache {
	if o.Cache == nil {
		o.Cache = &search.Cache{ItemTTL: search.DefaultTTL, QueryTTL: search.DefaultTTL}
	}
	return o.Cache
}

// checkCache returns an error if options make no difference.
func (o *options) checkCache() error {
	wanted := o.Options.Faults > 0 && slices.Contains(o.Kinds, Cached)
	switch {
	case o.Cache == nil && wanted && len(o.Kinds) < len(search.AllFaults):
		return errors.New("the fault Cached is for workers of CachedReads: add that")
	case o.Cache != nil && !wanted && o.Schedule == "":
		return errors.New("CachedReads makes no difference without Cached among the Faults: " +
			"write Faults(1, Cached)")
	}
	return nil
}
