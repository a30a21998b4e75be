package storage

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Options for New.
type Options struct {
	Now        func() time.Time // the clock; nil is time.Now
	OpenShards int              // how many shards of a stream are open at a time; 0 is 1
	ShardLife  time.Duration    // how long a shard is open; 0 is 4 hours

	// StreamMemory is about how many bytes of changes all streams hold. Beyond it the oldest
	// changes are dropped, whatever their age. 0 is no limit.
	StreamMemory int64

	// RecoveryMemory is the same limit for the changes that the tables keep for a recovery.
	RecoveryMemory int64

	// OutboxMemory is the same limit for the changes in outboxes.
	OutboxMemory int64

	// Unsent is called within each commit that adds a change to an outbox. It must not call the
	// store, nor wait.
	Unsent func(*Store, *Outbox)

	// Recorded is called within each commit that adds a change to a stream. It must not call the
	// store, nor wait.
	Recorded func(*Store)

	// Replicate is called after an Update that changed items of replicas, with the names of the
	// tables, before the Update returns. The store's lock is free. Nil does nothing.
	Replicate func(s *Store, tables []string)
}

// Store holds the tables of one account and region. All methods are safe for concurrent use.
type Store struct {
	now          func() time.Time
	openShards   int
	shardLife    time.Duration
	streamMemory int64
	pastMemory   int64
	outboxMemory int64
	onUnsent     func(*Store, *Outbox)
	onRecorded   func(*Store)
	replicate    func(s *Store, tables []string)

	mu sync.RWMutex
	counters
	tables          map[string]*Table
	backups         []*Backup // sorted by ID; only replaced
	listeners       []*listener
	streams         []*Stream // sorted by creation; only appended to or replaced
	unchecked       int64     // bytes of changes since limitMemory last looked
	uncheckedPast   int64     // bytes of changes since limitRecovery last looked
	outboxes        []*Outbox // sorted by opening; only appended to or replaced
	uncheckedUnsent int64     // bytes of changes since limitOutboxes last looked
	reader          Tx        // the Tx of every View; it has no state of its own
	history         history
	touched         bool         // an Update has committed something since New or Fork
	vectors         vectorReader // reads vectors for the current Update
	replicas        atomic.Bool  // a table is a replica
	durable         *durability  // nil if the store is in memory only
}

// counters are the numbers that a store gives out. A number that a client has seen must not come
// again after a restart. So only a commit that the journal learns of advances them.
type counters struct {
	seq     uint64 // the Seq of the last change, or of the last beginning or end of a shard
	shards  uint64 // the number of shards so far
	numbers uint64 // the number of tables, backups and outboxes so far
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
	s := &Store{now: o.Now, openShards: max(o.OpenShards, 1), shardLife: o.ShardLife,
		streamMemory: o.StreamMemory, pastMemory: o.RecoveryMemory, outboxMemory: o.OutboxMemory,
		onUnsent: o.Unsent, onRecorded: o.Recorded, replicate: o.Replicate,
		tables: map[string]*Table{}}
	s.reader.store = s
	return s
}

// View runs fn with a consistent, read-only view of the store. fn must not keep the Tx, nor start
// another View or Update. If the store has a journal, View returns when everything that fn saw is
// durable. If that fails it returns the journal's error, and the caller must not rely on what fn
// saw.
func (s *Store) View(fn func(*Tx) error) error {
	d, ticket, err := s.view(fn)
	return d.settle(ticket, err)
}

func (s *Store) view(fn func(*Tx) error) (d *durability, ticket uint64, err error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.durable, s.durable.at(), fn(&s.reader)
}

// Update runs fn and commits all of its writes, or none of them if fn returns an error or panics.
// fn must not keep the Tx, nor start another View or Update. If the store has a journal, Update
// returns when the writes are durable, or with the journal's error.
func (s *Store) Update(fn func(*Tx) error) error {
	d, ticket, outgoing, err := s.update(fn)
	err = d.settle(ticket, err)
	if outgoing != nil && err == nil && s.replicate != nil {
		s.replicate(s, outgoing)
	}
	return err
}

func (s *Store) update(fn func(*Tx) error) (d *durability, ticket uint64, outgoing []string,
	err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.durable.failed(); err != nil {
		return nil, 0, nil, err
	}
	tx := s.begin()
	defer tx.end()
	if err = fn(tx); err == nil {
		tx.commit()
	}
	return s.durable, s.durable.at(), tx.outgoing, err
}

// begin returns a Tx that writes. The caller holds s.mu.
func (s *Store) begin() *Tx {
	tx := writers.Get().(*Tx)
	tx.store, tx.before = s, s.counters
	return tx
}

// Discard ends the use of a store in which nothing was committed since New or Fork, so that another
// store may take its place in the journal. It reports false, and does nothing, if something was
// committed.
func (s *Store) Discard() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.touched {
		return false
	}
	s.durable = nil
	return true
}

// Empty reports whether the store has neither tables nor streams nor backups.
func (s *Store) Empty() bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	now := s.now()
	lasts := func(stream *Stream) bool { return !stream.gone(now) }
	return len(s.tables) == 0 && len(s.backups) == 0 && !slices.ContainsFunc(s.streams, lasts)
}

// HasReplicas reports whether a table is a replica of a global table. It takes no lock.
func (s *Store) HasReplicas() bool { return s.replicas.Load() }

// Fork returns an independent store with the same contents and options, in a time that does not
// depend on their size. The fork has no listeners. It has Tables and Indexes of its own: look them
// up in the fork.
func (s *Store) Fork() *Store {
	o := Options{Now: s.now, OpenShards: s.openShards, ShardLife: s.shardLife,
		StreamMemory: s.streamMemory, RecoveryMemory: s.pastMemory, OutboxMemory: s.outboxMemory,
		Unsent: s.onUnsent, Recorded: s.onRecorded, Replicate: s.replicate}
	return ForkAll([]*Store{s}, o, nil)[0]
}

// ForkAll forks several stores at the same moment and gives the forks new options. Existing streams
// keep their number of open shards. ForkAll calls during, unless it is nil, while no View or Update
// of the stores runs, so that the caller can copy what it keeps outside of them. Concurrent calls
// for the same stores must name them in the same order.
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

// fork fills f, a new store. The caller holds s.mu.
func (s *Store) fork(f *Store) *Store {
	f.counters = s.counters
	f.replicas.Store(s.replicas.Load())
	streams := make(map[*Stream]*Stream, len(s.streams))
	for _, stream := range s.streams {
		streams[stream] = stream.fork()
		f.streams = append(f.streams, streams[stream])
	}
	outboxes := make(map[*Outbox]*Outbox, len(s.outboxes))
	for _, o := range s.outboxes {
		if !o.closed {
			outboxes[o] = o.fork()
			f.outboxes = append(f.outboxes, outboxes[o])
		}
	}
	for name, t := range s.tables {
		f.tables[name] = t.fork(f)
		f.tables[name].stream = streams[t.stream]
		for _, o := range t.outboxes {
			f.tables[name].outboxes = append(f.tables[name].outboxes, outboxes[o])
		}
	}
	for _, b := range s.backups {
		f.backups = append(f.backups, b.fork())
	}
	return f
}

// Listen registers f for the changes of every later Update. The store calls f within the commit, in
// the order of the commits. f must not keep the slice, nor call the store. cancel ends the
// registration.
func (s *Store) Listen(f func([]Change)) (cancel func()) {
	l := &listener{f}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listeners = append(s.listeners, l)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.listeners = slices.DeleteFunc(s.listeners,
			func(other *listener) bool { return other == l })
	}
}
