// Package storage keeps tables and their indexes in copy-on-write trees behind
// one commit point.
//
// A Store has one lock. Reads share it (View), a write has it alone (Update).
// A write changes the trees at once and notes how to undo it: what a Tx has
// written it also reads, in tables, indexes, statistics and pages alike, and
// nobody else sees it before it is committed, because nobody else runs.
package storage

import (
	"slices"
	"sync"
	"time"
)

// Options for New.
type Options struct {
	Now          func() time.Time // the clock; nil: time.Now
	OpenShards   int              // how many shards of a stream are open at a time; 0: 1
	ShardLife    time.Duration    // how long one is; 0: 4 hours
	StreamMemory int64            // about how many bytes of changes all streams hold before the oldest make room, though not too old; 0: any
}

// Store holds the tables of one account and region. All methods are safe for concurrent use.
type Store struct {
	now          func() time.Time
	openShards   int
	shardLife    time.Duration
	streamMemory int64

	mu sync.RWMutex
	counters
	tables    map[string]*Table
	listeners []*listener
	streams   []*Stream // in the order of their creation; appended to and replaced
	unchecked int64     // bytes of changes since the streams were last held to their limit
	reader    Tx        // handed to every View: it has no state of its own
	history   history
	touched   bool        // an Update has committed something since the store was made
	durable   *durability // nil: what the store holds is in memory only
}

// counters are what a store counts. Only a commit that the journal learns of moves them, for
// what they number is told to others: a number that was told must not come again after a restart.
type counters struct {
	seq     uint64 // of the last change, or beginning or end of a shard
	shards  uint64 // how many shards there ever were
	numbers uint64 // how many tables there ever were
}

// New returns an empty store.
func New(o Options) *Store {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.ShardLife <= 0 {
		o.ShardLife = 4 * time.Hour
	}
	return newStore(o)
}

func newStore(o Options) *Store {
	s := &Store{now: o.Now, openShards: max(o.OpenShards, 1), shardLife: o.ShardLife, streamMemory: o.StreamMemory, tables: map[string]*Table{}}
	s.reader.store = s
	return s
}

// View runs fn with a consistent, read-only view of everything. fn must not keep the Tx or start another View or Update.
// The error may also be that of the store's journal, if it has one: then nothing that fn saw is to be relied on.
func (s *Store) View(fn func(*Tx) error) error {
	d, ticket, err := s.view(fn)
	return d.settle(ticket, err)
}

func (s *Store) view(fn func(*Tx) error) (d *durability, ticket uint64, err error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.durable, s.durable.at(), fn(&s.reader)
}

// Update runs fn, collects its writes, and commits them all, or none if fn
// fails or panics. fn must not keep the Tx or start another View or Update.
// With a journal it returns when all of them are durable, or else with the journal's error.
func (s *Store) Update(fn func(*Tx) error) error {
	d, ticket, err := s.update(fn)
	return d.settle(ticket, err)
}

func (s *Store) update(fn func(*Tx) error) (d *durability, ticket uint64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.durable.failed(); err != nil {
		return nil, 0, err
	}
	tx := writers.Get().(*Tx)
	tx.store, tx.before = s, s.counters
	defer tx.end()
	if err = fn(tx); err == nil {
		tx.commit()
	}
	return s.durable, s.durable.at(), err
}

// Discard ends the use of a store in which nothing was committed since it was made or forked, and
// reports whether that is so. Another store may then have its place in the journal.
func (s *Store) Discard() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.touched {
		return false
	}
	s.durable = nil
	return true
}

// Empty reports whether the store has neither tables nor streams, as a new one.
func (s *Store) Empty() bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	now := s.now()
	lasts := func(stream *Stream) bool { return !stream.gone(now) }
	return len(s.tables) == 0 && !slices.ContainsFunc(s.streams, lasts)
}

// Fork returns an independent store with the same contents and options, in time
// independent of their size. Listeners are not taken along, and the fork has
// Tables and Indexes of its own: look them up there.
func (s *Store) Fork() *Store {
	o := Options{Now: s.now, OpenShards: s.openShards, ShardLife: s.shardLife, StreamMemory: s.streamMemory}
	return ForkAll([]*Store{s}, o, nil)[0]
}

// ForkAll forks several stores, all of them at the same moment, and gives the forks
// options of their own; streams that there are keep their number of open shards.
// Unless during is nil it is called at that moment, while no View or Update of the
// stores runs, to copy what is kept outside of them. Of two calls at a time for the
// same stores, both must name them in the same order.
func ForkAll(stores []*Store, o Options, during func()) []*Store {
	for _, s := range stores {
		s.mu.Lock() // copying a tree writes to it
		defer s.mu.Unlock()
	}
	if during != nil {
		during()
	}
	forks := make([]*Store, len(stores))
	for i, s := range stores {
		forks[i] = s.fork(New(o))
	}
	return forks
}

// fork fills f, a new store. s.mu is held.
func (s *Store) fork(f *Store) *Store {
	f.counters = s.counters
	streams := make(map[*Stream]*Stream, len(s.streams))
	for _, stream := range s.streams {
		streams[stream] = stream.fork()
		f.streams = append(f.streams, streams[stream])
	}
	for name, t := range s.tables {
		f.tables[name] = t.fork(f)
		f.tables[name].stream = streams[t.stream]
	}
	return f
}

// Listen has f called, in commit order and inside the commit, with the changes of every later Update. f must not keep the slice,
// nor call the store. cancel ends that.
func (s *Store) Listen(f func([]Change)) (cancel func()) {
	l := &listener{f}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listeners = append(s.listeners, l)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.listeners = slices.DeleteFunc(s.listeners, func(other *listener) bool { return other == l })
	}
}
