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
	news     chan struct{} // holds a value if there may be records, or a poller has ended
	again    bool          // a record came since the reader last looked
	running  map[pollerKey]*poller
}

// pollerKey identifies what is read by one goroutine: the items of a shard that are in one of
// the parts that a trigger splits it into. All changes of an item are in the same part.
type pollerKey struct {
	trigger *trigger.Trigger
	shard   uint64
	part    int
}

// poller reads the records of a pollerKey.
type poller struct {
	pollerKey
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
			running: map[pollerKey]*poller{},
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

// nudge ends the wait of a poller for its batch to fill.
func (po *poller) nudge() {
	select {
	case po.more <- struct{}{}:
	default:
	}
}

// run starts pollers until no records wait.
func (r *streamReader) run() {
	defer r.triggers.all.Done()
	defer r.cancel()
	end := r.ctx.Done()
	for {
		select {
		case <-r.news:
		case <-end:
			end = nil // the reader only waits for the pollers now
		}
		var waiting []*poller
		if r.ctx.Err() == nil {
			waiting = r.waiting()
		}
		if r.finished(waiting) {
			return
		}
	}
}

// finished starts pollers. It reports whether the reader has to end, and takes it off the list
// then.
func (r *streamReader) finished(waiting []*poller) bool {
	ts := r.triggers
	ts.mu.Lock()
	defer ts.mu.Unlock()
	for _, po := range waiting {
		if running := r.running[po.pollerKey]; running != nil {
			running.nudge()
			continue
		}
		r.running[po.pollerKey] = po
		go po.run()
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

// ended takes a poller off the list.
func (po *poller) ended() {
	ts := po.reader.triggers
	ts.mu.Lock()
	defer ts.mu.Unlock()
	delete(po.reader.running, po.pollerKey)
	po.reader.again = true
	po.reader.nudge()
}

// waiting returns the pollers that have records to read. A poller of a shard waits for that of its
// parent.
func (r *streamReader) waiting() (list []*poller) {
	sv := r.triggers.service
	key, account := sv.Namespaces.Showing(r.store)
	if account == nil {
		r.cancel() // Restore has replaced the store
		return nil
	}
	owner, progress := ownerOf(sv, key), triggers(account)
	there, gone := map[uint64]bool{}, false
	r.store.View(func(tx *storage.Tx) error { // an error: the pollers see it themselves
		for _, s := range tx.Streams().All() {
			for _, sh := range s.Shards() {
				there[sh.Number] = true
			}
			for _, t := range r.triggers.mappings {
				if reads(t, s, owner) {
					list = append(list, r.pollers(tx, t, s, owner, progress)...)
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

// pollers returns the pollers of a stream that have records to read.
func (r *streamReader) pollers(tx *storage.Tx, t *trigger.Trigger, s *storage.Stream,
	owner arn.Owner, p *TriggerProgress) (list []*poller) {
	for number := range t.BatchesPerShard() {
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
					&poller{pollerKey: pollerKey{t, sh.Number, number}, reader: r, progress: p,
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

// run calls the function with the poller's records until none is left.
func (po *poller) run() {
	defer po.ended()
	sv, ctx := po.reader.triggers.service, po.reader.ctx
	clock := trigger.Clock{Now: sv.Clock, Sleep: sv.Sleep, Log: func(text string, err error) {
		sv.Logger.Warn(text, slog.Any("error", err))
	}}
	for ctx.Err() == nil {
		var until uint64
		err := sv.Recovering("a trigger", func() (err error) {
			until, err = po.step(ctx, clock)
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
func (po *poller) step(ctx context.Context, clock trigger.Clock) (until uint64, err error) {
	if po.trigger.TumblingWindow > 0 {
		return po.stepWindow(ctx, clock)
	}
	b, until, err := po.gather(ctx)
	defer func() { po.release(&b) }()
	if err == nil && len(b.Records) > 0 {
		err = po.trigger.Deliver(ctx, clock, b.Batch, po.done)
	}
	if err == nil && until > 0 {
		err = po.advance(until)
	}
	return until, err
}

// gather collects the next records, and waits for more if the mapping says so.
func (po *poller) gather(ctx context.Context) (b collected, until uint64, err error) {
	b, until, err = po.collect()
	whole := b.full || b.last && po.trigger.TumblingWindow > 0
	if err != nil || po.trigger.BatchWindow == 0 || len(b.Records) == 0 || whole {
		return b, until, err
	}
	po.release(&b)
	if err := po.await(ctx, po.trigger.BatchWindow, po.isFull); err != nil {
		return b, until, err
	}
	return po.collect()
}

// isFull reports whether there are as many records as a call gets.
func (po *poller) isFull() (bool, error) {
	b, _, err := po.collect()
	po.release(&b)
	return b.full, err
}

// await waits for a time, or until enough says that there are enough records.
func (po *poller) await(ctx context.Context, d time.Duration, enough func() (bool, error)) error {
	ctx, cancel := context.WithCancel(ctx)
	var slept error
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		slept = po.reader.triggers.service.Sleep(ctx, d)
	}()
	defer func() { cancel(); <-ended }()
	for {
		select {
		case <-ended:
			return slept
		case <-po.more:
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
func (po *poller) reserve(b *collected, record int) bool {
	if len(b.Records) == 0 || po.reader.triggers.room == nil {
		return true
	}
	bytes := 2 * int64(record)
	if !po.reader.triggers.room.TryAcquire(bytes) {
		return false
	}
	b.held += bytes
	return true
}

// release gives back the room of a batch.
func (po *poller) release(b *collected) {
	if b.held > 0 {
		po.reader.triggers.room.Release(b.held)
		b.held = 0
	}
}

// triggerPause is how long a poller waits after an error of the journal.
const triggerPause = time.Second

// The most changes that a batch is collected from, and those that one View reads: what is made of
// them takes long, and writes wait for a View.
const (
	mostRead = 10_000
	pageRead = 64
)

// collect returns the next records of the poller, and the Seq up to which it is done with them:
// 0 if nothing is left.
func (po *poller) collect() (b collected, until uint64, err error) {
	for read := 0; read < mostRead; read += pageRead {
		page, err := po.page(&b, until)
		if err != nil || len(page) == 0 {
			return b, until, err
		}
		for i := range page {
			if po.beyond(&b, page[i].time) {
				b.last = true
				return b, until, nil
			}
			if page[i].wanted && !po.take(&b, &page[i]) {
				b.full = true
				return b, until, nil
			}
			until = page[i].seq
		}
	}
	return b, until, nil
}

// pagedChange is a change of a poller's shard, with its record if it belongs to the poller.
type pagedChange struct {
	seq    uint64
	time   time.Time
	wanted bool
	record api.Record
}

// page reads changes of the poller's shard: those after one, or after the poller's progress for 0.
func (po *poller) page(b *collected, after uint64) (page []pagedChange, err error) {
	b.last = true
	err = po.reader.store.View(func(tx *storage.Tx) error {
		s := tx.Streams().ByLabel(po.table, po.label)
		if s == nil {
			return nil
		}
		sh := s.Shard(po.shard)
		if sh == nil {
			return nil
		}
		b.last = sh.Last > 0
		b.StreamARN = po.owner.StreamARN(s.Table, s.Label)
		b.ShardID = string(records.ShardID(s, sh.Number))
		from := max(after, po.read, po.progress.position(po.trigger, po.shard, po.part)) + 1
		if tx.Streams().Changes(s, sh, from, func(*storage.Change) bool { return false }) {
			po.reader.triggers.service.Logger.Warn("records were dropped before a trigger read them",
				slog.String("trigger", po.trigger.Name()))
			from = tx.Streams().Horizon(sh)
		}
		tx.Streams().Changes(s, sh, from, func(ch *storage.Change) bool {
			c := pagedChange{seq: ch.Seq, time: ch.Time, wanted: po.has(ch)}
			if c.wanted {
				c.record = records.NewRecord(po.owner.Region, s, ch)
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
func (po *poller) take(b *collected, c *pagedChange) bool {
	record := lambdaRecord(c.record, b.StreamARN)
	if !po.trigger.Wants(record) {
		return true
	}
	if po.trigger.Full(len(b.Records), b.bytes, len(record)) || !po.reserve(b, len(record)) {
		return false
	}
	b.bytes += len(record) + 1
	b.Records = append(b.Records, trigger.Record{JSON: record, Time: c.time,
		SequenceNumber: string(*records.SequenceNumber(c.seq))})
	return true
}

// has reports whether a change belongs to the poller.
func (po *poller) has(ch *storage.Change) bool {
	parts := uint32(po.trigger.BatchesPerShard())
	if parts == 1 {
		return true
	}
	h := fnv.New32a()
	h.Write([]byte(ch.Keys))
	return h.Sum32()%parts == uint32(po.part)
}

// done records that the function has handled the records up to a sequence number.
func (po *poller) done(number string) error {
	seq, _ := records.ParseSequenceNumber(api.SequenceNumber(number))
	return po.advance(seq)
}

func (po *poller) advance(seq uint64) error {
	return po.reader.store.Update(func(tx *storage.Tx) error {
		po.progress.advance(tx, po.trigger, po.shard, po.part, seq)
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
