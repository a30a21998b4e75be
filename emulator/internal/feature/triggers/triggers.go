package triggers

import (
	"context"
	"hash/fnv"
	"log/slog"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/conventions/wire"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/records"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/trigger"
	"github.com/kugiri-db/kugiri/storage"
)

// Triggers call functions with the records of streams. Each store with records that wait has a
// reader, which is a goroutine that ends when none waits.
type Triggers struct {
	service  *serve.Service
	mappings []*trigger.Trigger
	room     *semaphore.Weighted // room for the records of calls; nil: there is enough

	mu      sync.Mutex // guards the fields below, and again and running of readers
	readers map[*storage.Store]*streamReader
	closed  bool
	// closed when there is no reader any more; nil while nobody waits for that
	idle chan struct{}
	all  sync.WaitGroup
}

// EventMemory is how many bytes the events have together with which functions are being called:
// the records, and the JSON of the event. When there is no more, a batch has the records for which
// there was room, and at least one: functions that never answer are not in the way of others.
const EventMemory = 128 << 20

// Add adds the triggers of a service.
func Add(s *serve.Service, mappings []*trigger.Trigger) *Triggers {
	ts := &Triggers{service: s, mappings: mappings, room: semaphore.NewWeighted(EventMemory)}
	if len(mappings) > 0 {
		s.Storage.Recorded = ts.wake
	}
	s.Namespaces.Dismiss = append(s.Namespaces.Dismiss, ts.dismiss)
	return ts
}

// streamReader reads the streams of one store.
type streamReader struct {
	triggers *Triggers
	store    *storage.Store
	ctx      context.Context
	cancel   context.CancelFunc
	news     chan struct{} // holds a value if there may be records, or a lane has ended
	again    bool          // a record came since the reader last looked
	running  map[laneKey]*lane
}

// laneKey identifies what is read by one goroutine: the items of a shard that belong to a lane of a
// trigger. All changes of an item are in the same lane.
type laneKey struct {
	trigger *trigger.Trigger
	shard   uint64
	lane    int
}

// lane reads the records of a laneKey.
type lane struct {
	laneKey
	reader   *streamReader
	progress *TriggerProgress
	owner    arn.Owner
	table    string
	label    string
	// an open tumbling window, and the Seq up to which its records were delivered
	window *trigger.Window
	read   uint64
	more   chan struct{} // holds a value if there may be more records
}

// Resume sees to the streams that an account has when a journal is opened. A trigger that the
// account does not know begins at its starting position.
func (ts *Triggers) Resume(a *serve.Account) {
	list := ts.mappings
	if len(list) == 0 {
		return
	}
	p := triggers(a)
	err := a.Store.Update(func(tx *storage.Tx) error {
		for _, t := range list {
			if _, known := p.begun[t.Name()]; known {
				continue
			}
			if t.StartingPosition == trigger.Latest {
				p.begin(tx, t, tx.Streams().LastSeq())
			} else {
				p.begin(tx, t, p.since)
			}
		}
		return nil
	})
	if err != nil {
		ts.service.Logger.Error("the start of a trigger could not be written",
			slog.Any("error", err))
	}
	ts.wake(a.Store)
}

// wake makes sure that a store has a reader. A store calls it within a commit.
func (ts *Triggers) wake(s *storage.Store) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.closed {
		return
	}
	r := ts.readers[s]
	if r == nil {
		ctx, cancel := context.WithCancel(context.Background())
		r = &streamReader{
			triggers: ts, store: s, ctx: ctx, cancel: cancel, news: make(chan struct{}, 1),
			running: map[laneKey]*lane{},
		}
		if ts.readers == nil {
			ts.readers = map[*storage.Store]*streamReader{}
		}
		ts.readers[s] = r
		ts.all.Add(1)
		go r.run()
	}
	r.again = true
	r.nudge()
}

// dismiss ends the readers of stores that are no longer in use.
func (ts *Triggers) dismiss(accounts map[*serve.Account]bool) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	for a := range accounts {
		if r := ts.readers[a.Store]; r != nil {
			r.cancel()
		}
	}
}

// Close ends all readers, and waits for them.
func (ts *Triggers) Close() {
	ts.mu.Lock()
	ts.closed = true
	for _, r := range ts.readers {
		r.cancel()
	}
	ts.mu.Unlock()
	ts.all.Wait()
}

// Await waits until there is no reader.
func (ts *Triggers) Await(ctx context.Context) error {
	ts.mu.Lock()
	if len(ts.readers) == 0 {
		ts.mu.Unlock()
		return nil
	}
	if ts.idle == nil {
		ts.idle = make(chan struct{})
	}
	idle := ts.idle
	ts.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// nudge makes the reader look for records.
func (r *streamReader) nudge() {
	select {
	case r.news <- struct{}{}:
	default: // it has not seen the last one yet
	}
}

// nudge ends the wait of a lane for its batch to fill.
func (l *lane) nudge() {
	select {
	case l.more <- struct{}{}:
	default:
	}
}

// run starts lanes until no records wait.
func (r *streamReader) run() {
	defer r.triggers.all.Done()
	defer r.cancel()
	end := r.ctx.Done()
	for {
		select {
		case <-r.news:
		case <-end:
			end = nil // the reader only waits for the lanes now
		}
		var waiting []*lane
		if r.ctx.Err() == nil {
			waiting = r.waiting()
		}
		if r.finished(waiting) {
			return
		}
	}
}

// finished starts lanes. It reports whether the reader has to end, and takes it off the list then.
func (r *streamReader) finished(waiting []*lane) bool {
	ts := r.triggers
	ts.mu.Lock()
	defer ts.mu.Unlock()
	for _, l := range waiting {
		if running := r.running[l.laneKey]; running != nil {
			running.nudge()
			continue
		}
		r.running[l.laneKey] = l
		go l.run()
	}
	if again := r.again && r.ctx.Err() == nil; again || len(r.running) > 0 {
		if again && len(r.running) == 0 {
			r.nudge()
		}
		r.again = false
		return false
	}
	delete(ts.readers, r.store)
	if len(ts.readers) == 0 && ts.idle != nil {
		close(ts.idle)
		ts.idle = nil
	}
	return true
}

// ended takes a lane off the list.
func (l *lane) ended() {
	ts := l.reader.triggers
	ts.mu.Lock()
	defer ts.mu.Unlock()
	delete(l.reader.running, l.laneKey)
	l.reader.again = true
	l.reader.nudge()
}

// waiting returns the lanes that have records to read. A lane of a shard waits for that of its
// parent.
func (r *streamReader) waiting() (list []*lane) {
	sv := r.triggers.service
	key, account := sv.Namespaces.Showing(r.store)
	if account == nil {
		r.cancel() // Restore has replaced the store
		return nil
	}
	owner, progress := ownerOf(sv, key), triggers(account)
	there, gone := map[uint64]bool{}, false
	r.store.View(func(tx *storage.Tx) error { // an error: the lanes see it themselves
		for _, s := range tx.Streams().All() {
			for _, sh := range s.Shards() {
				there[sh.Number] = true
			}
			for _, t := range r.triggers.mappings {
				if reads(t, s, owner) {
					list = append(list, r.lanes(tx, t, s, owner, progress)...)
				}
			}
		}
		for key := range progress.done {
			gone = gone || !there[key.shard]
		}
		return nil
	})
	if gone {
		r.store.Update(func(tx *storage.Tx) error { // they stay until the next time after an error
			progress.forget(tx, there)
			return nil
		})
	}
	return list
}

// reads reports whether a trigger is one of a stream's table.
func reads(t *trigger.Trigger, s *storage.Stream, owner arn.Owner) bool {
	return t.Table == s.Table || t.Table == owner.TableARN(s.Table)
}

// lanes returns the lanes of a stream that have records to read.
func (r *streamReader) lanes(tx *storage.Tx, t *trigger.Trigger, s *storage.Stream, owner arn.Owner,
	p *TriggerProgress) (list []*lane) {
	for number := range t.Lanes() {
		busy := map[uint64]bool{} // shards that are not read to their ends
		for _, sh := range s.Shards() {
			from := max(p.position(t, sh.Number, number)+1, tx.Streams().Horizon(sh))
			tx.Streams().Changes(s, sh, from, func(*storage.Change) bool {
				busy[sh.Number] = true
				return false
			})
			switch {
			case busy[sh.Parent]:
				busy[sh.Number] = true
			case busy[sh.Number]:
				list = append(list,
					&lane{laneKey: laneKey{t, sh.Number, number}, reader: r, progress: p,
						owner: owner,
						table: s.Table, label: s.Label, more: make(chan struct{}, 1)})
			}
		}
	}
	return list
}

// ownerOf returns who owns the tables of a namespace.
func ownerOf(s *serve.Service, key string) arn.Owner {
	who, region, separated := strings.Cut(key, "/")
	if !separated { // all regions share the tables
		return arn.Owner{Account: s.Account, Region: "us-east-1"}
	}
	if s.IAM == nil {
		who = s.Account
	}
	return arn.Owner{Account: who, Region: region}
}

// run calls the function with the lane's records until none is left.
func (l *lane) run() {
	defer l.ended()
	sv, ctx := l.reader.triggers.service, l.reader.ctx
	clock := trigger.Clock{Now: sv.Clock, Sleep: sv.Sleep, Log: func(text string, err error) {
		sv.Logger.Warn(text, slog.Any("error", err))
	}}
	for ctx.Err() == nil {
		var until uint64
		err := sv.Guarded("a trigger", func() (err error) {
			until, err = l.step(ctx, clock)
			return err
		})
		switch {
		case ctx.Err() != nil || err == nil && until == 0:
			return
		case err != nil:
			clock.Log("the records of a trigger wait", err)
			if sv.Sleep(ctx, triggerPause) != nil {
				return
			}
		}
	}
}

// step calls the function with the next batch. It returns the last change of the batch, or 0 if
// there was none.
func (l *lane) step(ctx context.Context, clock trigger.Clock) (until uint64, err error) {
	if l.trigger.TumblingWindow > 0 {
		return l.stepWindow(ctx, clock)
	}
	b, until, err := l.gather(ctx)
	defer func() { l.release(&b) }()
	if err == nil && len(b.Records) > 0 {
		err = l.trigger.Deliver(ctx, clock, b.Batch, l.done)
	}
	if err == nil && until > 0 {
		err = l.advance(until)
	}
	return until, err
}

// gather collects the next records, and waits for more if the mapping says so.
func (l *lane) gather(ctx context.Context) (b collected, until uint64, err error) {
	b, until, err = l.collect()
	whole := b.full || b.last && l.trigger.TumblingWindow > 0
	if err != nil || l.trigger.BatchWindow == 0 || len(b.Records) == 0 || whole {
		return b, until, err
	}
	l.release(&b)
	if err := l.await(ctx, l.trigger.BatchWindow, l.isFull); err != nil {
		return b, until, err
	}
	return l.collect()
}

// isFull reports whether there are as many records as a call gets.
func (l *lane) isFull() (bool, error) {
	b, _, err := l.collect()
	l.release(&b)
	return b.full, err
}

// await waits for a time, or until enough says that there are enough records.
func (l *lane) await(ctx context.Context, d time.Duration, enough func() (bool, error)) error {
	ctx, cancel := context.WithCancel(ctx)
	var slept error
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		slept = l.reader.triggers.service.Sleep(ctx, d)
	}()
	defer func() { cancel(); <-ended }()
	for {
		select {
		case <-ended:
			return slept
		case <-l.more:
			if is, err := enough(); err != nil || is {
				return err
			}
		}
	}
}

// collected is a batch that has as many records as a call gets, or for which there is room, if it
// is full. last says that no more records follow it in its tumbling window, or in the shard.
type collected struct {
	trigger.Batch
	full  bool
	last  bool
	bytes int
	held  int64 // bytes of room
}

// reserve reserves the room of a further record. It returns false if there is no more. The first
// record of a batch needs none.
func (l *lane) reserve(b *collected, record int) bool {
	if len(b.Records) == 0 || l.reader.triggers.room == nil {
		return true
	}
	bytes := 2 * int64(record)
	if !l.reader.triggers.room.TryAcquire(bytes) {
		return false
	}
	b.held += bytes
	return true
}

// release gives back the room of a batch.
func (l *lane) release(b *collected) {
	if b.held > 0 {
		l.reader.triggers.room.Release(b.held)
		b.held = 0
	}
}

// triggerPause is how long a lane waits after an error of the journal.
const triggerPause = time.Second

// The most changes that a batch is collected from, and those that one View reads: what is made of
// them takes long, and writes wait for a View.
const (
	mostRead = 10_000
	pageRead = 64
)

// collect returns the next records of the lane, and the Seq up to which the lane is done with them:
// 0 if nothing is left.
func (l *lane) collect() (b collected, until uint64, err error) {
	for read := 0; read < mostRead; read += pageRead {
		page, err := l.page(&b, until)
		if err != nil || len(page) == 0 {
			return b, until, err
		}
		for i := range page {
			if l.beyond(&b, page[i].time) {
				b.last = true
				return b, until, nil
			}
			if page[i].wanted && !l.take(&b, &page[i]) {
				b.full = true
				return b, until, nil
			}
			until = page[i].seq
		}
	}
	return b, until, nil
}

// pagedChange is a change of a lane's shard, with its record if it belongs to the lane.
type pagedChange struct {
	seq    uint64
	time   time.Time
	wanted bool
	record api.Record
}

// page reads changes of the lane's shard: those after one, or after the lane's progress for 0.
func (l *lane) page(b *collected, after uint64) (page []pagedChange, err error) {
	b.last = true
	err = l.reader.store.View(func(tx *storage.Tx) error {
		s := tx.Streams().ByLabel(l.table, l.label)
		if s == nil {
			return nil
		}
		sh := s.Shard(l.shard)
		if sh == nil {
			return nil
		}
		b.last = sh.Last > 0
		b.StreamARN = l.owner.StreamARN(s.Table, s.Label)
		b.ShardID = string(records.ShardID(s, sh.Number))
		from := max(after, l.read, l.progress.position(l.trigger, l.shard, l.lane)) + 1
		if tx.Streams().Changes(s, sh, from, func(*storage.Change) bool { return false }) {
			l.reader.triggers.service.Logger.Warn("records were dropped before a trigger read them",
				slog.String("trigger", l.trigger.Name()))
			from = tx.Streams().Horizon(sh)
		}
		tx.Streams().Changes(s, sh, from, func(ch *storage.Change) bool {
			c := pagedChange{seq: ch.Seq, time: ch.Time, wanted: l.has(ch)}
			if c.wanted {
				c.record = records.NewRecord(l.owner.Region, s, ch)
			}
			page = append(page, c)
			return len(page) < pageRead
		})
		return nil
	})
	return page, err
}

// take adds the record of a change to a batch, if the function wants it. It returns false if the
// batch is full.
func (l *lane) take(b *collected, c *pagedChange) bool {
	record := lambdaRecord(c.record, b.StreamARN)
	if !l.trigger.Wants(record) {
		return true
	}
	if l.trigger.Full(len(b.Records), b.bytes, len(record)) || !l.reserve(b, len(record)) {
		return false
	}
	b.bytes += len(record) + 1
	b.Records = append(b.Records, trigger.Record{JSON: record, Time: c.time,
		SequenceNumber: string(*records.SequenceNumber(c.seq))})
	return true
}

// has reports whether a change belongs to the lane.
func (l *lane) has(ch *storage.Change) bool {
	lanes := uint32(l.trigger.Lanes())
	if lanes == 1 {
		return true
	}
	h := fnv.New32a()
	h.Write([]byte(ch.Keys))
	return h.Sum32()%lanes == uint32(l.lane)
}

// done records that the function has handled the records up to a sequence number.
func (l *lane) done(number string) error {
	seq, _ := records.ParseSequenceNumber(api.SequenceNumber(number))
	return l.advance(seq)
}

func (l *lane) advance(seq uint64) error {
	return l.reader.store.Update(func(tx *storage.Tx) error {
		l.progress.advance(tx, l.trigger, l.shard, l.lane, seq)
		return nil
	})
}

// lambdaRecord returns a record as Lambda passes it: that of GetRecords with the ARN of the stream,
// and with small letters in the members of userIdentity (service facts L.1).
func lambdaRecord(r api.Record, streamARN string) []byte {
	who := r.UserIdentity
	r.UserIdentity = nil
	text := wire.Append(nil, &r)
	if who != nil {
		text = append(text[:len(text)-1], `,"userIdentity":{"type":"`+api.Deref(who.Type)+
			`","principalId":"`+api.Deref(who.PrincipalId)+`"}}`...)
	}
	text = append(text[:len(text)-1], `,"eventSourceARN":"`...)
	return append(append(text, streamARN...), `"}`...)
}
