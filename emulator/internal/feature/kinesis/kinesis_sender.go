package kinesis

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage"
)

// Limits of PutRecords and of a record (Kinesis Data Streams API Reference, PutRecords). The
// service does not replicate a change whose record is too large (Developer Guide, "Using shards and
// metrics with Kinesis Data Streams for DynamoDB", FailedToReplicateRecordCount).
const (
	MaxKinesisRecords = 500
	MaxKinesisBatch   = 5 << 20
	maxKinesisRecord  = 1 << 20
)

// The time before another attempt begins with the first and doubles up to the last.
const (
	FirstKinesisPause = 100 * time.Millisecond
	LastKinesisPause  = 10 * time.Second
)

// Senders pass the changes in outboxes on to the sink. Each table with such changes has a sender,
// which is a goroutine that ends when the table has none. So no stream waits for another.
type Senders struct {
	service *serve.Service
	sink    Sink // nil without a sink

	mu      sync.Mutex // guards the fields below
	running map[route]*sender
	closed  bool
	all     sync.WaitGroup
}

// AddSenders adds the senders of a service.
func AddSenders(s *serve.Service, sink Sink) *Senders {
	cs := &Senders{service: s, sink: sink}
	if sink != nil {
		s.CheckStream = sink.CheckStream
	}
	s.Storage.Unsent = cs.wake
	s.Namespaces.Dismiss = append(s.Namespaces.Dismiss, cs.dismiss)
	return cs
}

// route names the outboxes that a sender empties, those of one table. Later outboxes wait for the
// first.
type route struct {
	store   *storage.Store
	tableID string
}

// sender passes on the changes of one table.
type sender struct {
	route
	senders *Senders
	sink    Sink
	log     *slog.Logger
	cancel  context.CancelFunc
	again   bool          // a change came since the sender last looked; guarded by senders.mu
	news    chan struct{} // holds a value if there are changes or other faults

	left kinesisBatch     // what the stream did not take yet
	lost map[uint64]int64 // changes that were dropped, as far as they were logged, by the outbox
	down bool             // the last attempt failed

	fates map[uint64]recordFate // fates of changes that are not sent, by Seq; nil without faults
}

// kinesisBatch is a batch of records of an outbox, up to the change with the Seq last.
type kinesisBatch struct {
	outbox  uint64 // its number; 0 is no batch
	stream  string
	records []Record
	last    uint64
	held    bool // there are only late records, which wait for another
}

// wake makes sure that the table of an outbox has a sender. A store calls it within a commit.
func (cs *Senders) wake(s *storage.Store, o *storage.Outbox) {
	sink := cs.sink
	if sink == nil {
		return
	}
	cs.mu.Lock()
	defer cs.mu.Unlock()
	r := route{s, o.TableID}
	if c := cs.running[r]; c != nil || cs.closed {
		if c != nil {
			c.again = true
			c.nudge()
		}
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	c := &sender{route: r, senders: cs, sink: sink, log: cs.service.Logger, cancel: cancel,
		news: make(chan struct{}, 1),
		lost: map[uint64]int64{o.Number(): o.Lost()}}
	if cs.running == nil {
		cs.running = map[route]*sender{}
	}
	cs.running[r] = c
	cs.all.Add(1)
	go c.run(ctx)
}

// Resume makes sure that each table of a loaded store that has changes to pass on has a sender.
func (cs *Senders) Resume(s *storage.Store) {
	s.View(func(tx *storage.Tx) error {
		for _, o := range tx.Outboxes().Pending() {
			cs.wake(s, o)
		}
		return nil
	})
}

// dismiss ends the senders of stores that are no longer in use.
func (cs *Senders) dismiss(accounts map[*serve.Account]bool) {
	gone := make(map[*storage.Store]bool, len(accounts))
	for a := range accounts {
		gone[a.Store] = true
	}
	cs.mu.Lock()
	defer cs.mu.Unlock()
	for _, c := range cs.running {
		if gone[c.store] {
			c.cancel()
		}
	}
}

// Close ends all senders, and waits for them.
func (cs *Senders) Close() {
	cs.mu.Lock()
	cs.closed = true
	for _, c := range cs.running {
		c.cancel()
	}
	cs.mu.Unlock()
	cs.all.Wait()
}

// run passes changes on until none is left.
func (c *sender) run(ctx context.Context) {
	defer c.senders.all.Done()
	defer c.cancel()
	pause := FirstKinesisPause
	for !c.finished(ctx) {
		var sent bool
		err := c.senders.service.Recovering("delivery to Kinesis", func() (err error) {
			sent, err = c.step(ctx)
			return err
		})
		if err == nil && sent {
			pause = FirstKinesisPause
		} else {
			c.senders.service.Sleep(ctx, pause) // an error means that ctx has ended
			pause = min(2*pause, LastKinesisPause)
		}
	}
}

// step sends the next batch, or waits while a fault holds it. It reports whether the stream took
// all of it. It has an error if the changes are not durable.
func (c *sender) step(ctx context.Context) (sent bool, err error) {
	b, err := c.next()
	switch {
	case err != nil:
		return false, err
	case b.held:
		c.await(ctx)
		return true, nil
	default:
		return b.outbox == 0 || c.deliver(ctx, b), nil
	}
}

// await waits for changes, or for other faults.
func (c *sender) await(ctx context.Context) {
	select {
	case <-c.news:
	case <-ctx.Done():
	}
}

// finished reports whether the sender has to end, and takes it off the list then.
func (c *sender) finished(ctx context.Context) bool {
	waiting := ctx.Err() == nil && c.outbox() != 0
	c.senders.mu.Lock()
	defer c.senders.mu.Unlock()
	if ctx.Err() == nil && (waiting || c.again) {
		c.again = false
		return false
	}
	delete(c.senders.running, c.route)
	return true
}

// outbox returns the number of the table's first outbox with changes to pass on, or 0.
func (c *sender) outbox() (number uint64) {
	c.store.View(func(tx *storage.Tx) error {
		for _, o := range tx.Outboxes().Pending() {
			if o.TableID == c.tableID {
				number = o.Number()
				break
			}
		}
		return nil
	})
	return number
}

// next returns the batch to send, or none. It has an error if the changes are not durable.
func (c *sender) next() (kinesisBatch, error) {
	switch n := c.outbox(); n {
	case 0:
		return kinesisBatch{}, nil
	case c.left.outbox:
		return c.left, nil
	default:
		return c.collect(n)
	}
}

// deliver sends a batch. It reports whether the stream took all of it.
func (c *sender) deliver(ctx context.Context, b kinesisBatch) bool {
	if len(b.records) > 0 {
		rejected, err := c.sink.PutRecords(ctx, b.stream, b.records)
		if err != nil || len(rejected) > 0 {
			if err == nil {
				b.records = rejected
			}
			c.left = b
			c.failed(&b, err)
			return false
		}
		c.recovered(&b)
	}
	c.left = kinesisBatch{}
	c.forget(b.last)
	return c.store.Update(func(tx *storage.Tx) error {
		if o := tx.Outboxes().ByNumber(b.outbox); o != nil {
			tx.Outboxes().Sent(o, b.last)
		}
		return nil
	}) == nil
}

// collect makes the next batch of an outbox. It has an error if the changes are not durable.
func (c *sender) collect(outbox uint64) (b kinesisBatch, err error) {
	b.outbox = outbox
	bytes := 0
	var late, twice []Record
	faults, times := c.recordFaults(), 1
	if faults != nil {
		times = 2 // a record may be sent twice
	}
	err = c.store.View(func(tx *storage.Tx) error {
		o := tx.Outboxes().ByNumber(outbox)
		if o == nil {
			return nil
		}
		b.stream, _ = destinationOf(o)
		c.reportLost(o)
		tx.Outboxes().Unsent(o, func(ch *storage.Change) bool {
			r := newKinesisRecord(o, ch)
			size := len(r.PartitionKey) + len(r.Data)
			switch {
			case size > maxKinesisRecord:
				c.log.Warn("a change was not sent: its record is too large for Kinesis",
					slog.String("table", o.Table), slog.Int("bytes", size))
			case len(b.records)+len(late)+len(twice)+times > MaxKinesisRecords,
				bytes+times*size > MaxKinesisBatch:
				return false
			case faults == nil:
				b.records, bytes = append(b.records, r), bytes+size
			default:
				fate := c.fateOf(o, ch, faults)
				to := &b.records
				if fate.late {
					to = &late
				}
				*to, bytes = append(*to, r), bytes+size
				if fate.twice {
					twice, bytes = append(twice, r), bytes+size
				}
			}
			b.last = ch.Seq
			return true
		})
		return nil
	})
	b.held = len(b.records) == 0 && len(late) > 0
	b.records = slices.Concat(b.records, late, twice)
	return b, err
}

// failed logs the first of several attempts that fail.
func (c *sender) failed(b *kinesisBatch, err error) {
	if !c.down {
		c.down = true
		c.log.Warn("a Kinesis stream did not take records, which now wait",
			slog.String("stream", b.stream), slog.Int("records", len(b.records)),
			slog.Any("error", err))
	}
}

// recovered logs the first attempt that succeeds again.
func (c *sender) recovered(b *kinesisBatch) {
	if c.down {
		c.down = false
		c.log.Info("a Kinesis stream takes records again", slog.String("stream", b.stream))
	}
}

// reportLost logs changes that were dropped to limit memory.
func (c *sender) reportLost(o *storage.Outbox) {
	if lost := o.Lost(); lost > c.lost[o.Number()] {
		c.log.Warn("changes for Kinesis were dropped, because too many waited",
			slog.String("table", o.Table), slog.Int64("changes", lost-c.lost[o.Number()]))
		c.lost[o.Number()] = lost
	}
}
