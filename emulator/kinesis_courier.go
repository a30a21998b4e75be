package emulator

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/kugiri-db/kugiri/storage"
)

// Limits of PutRecords and of a record (Kinesis Data Streams API Reference, PutRecords). The service
// does not replicate a change whose record is too large (Developer Guide, "Using shards and metrics
// with Kinesis Data Streams for DynamoDB", FailedToReplicateRecordCount).
const (
	maxKinesisRecords = 500
	maxKinesisBatch   = 5 << 20
	maxKinesisRecord  = 1 << 20
)

// The time before another attempt begins with the first and doubles up to the last.
const (
	firstKinesisPause = 100 * time.Millisecond
	lastKinesisPause  = 10 * time.Second
)

// couriers pass the changes in outboxes on to the sink. Each store with such changes has a courier,
// which is a goroutine that ends when the store has none.
type couriers struct {
	emulator *Emulator

	mu      sync.Mutex // guards the fields below
	running map[*storage.Store]*courier
	closed  bool
	all     sync.WaitGroup
}

// courier passes on the changes of one store.
type courier struct {
	couriers *couriers
	sink     KinesisSink
	store    *storage.Store
	log      *slog.Logger
	cancel   context.CancelFunc
	again    bool          // a change came since the courier last looked; guarded by couriers.mu
	news     chan struct{} // has one if there are changes or other faults

	left map[uint64]kinesisBatch // what streams did not take yet, by the number of the outbox
	lost map[uint64]int64        // changes that were dropped, as far as they were logged
	down bool                    // the last attempt failed

	fates map[uint64]recordFate // of changes that are not sent, by Seq; nil without faults
}

// kinesisBatch is a batch of records of an outbox, up to the change with the Seq last.
type kinesisBatch struct {
	stream  string
	records []KinesisRecord
	last    uint64
	held    bool // there are only late records, which wait for another
}

// wake makes sure that a store has a courier. A store calls it within a commit.
func (cs *couriers) wake(s *storage.Store) {
	sink := cs.emulator.kinesis
	if sink == nil {
		return
	}
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if c := cs.running[s]; c != nil || cs.closed {
		if c != nil {
			c.again = true
			c.nudge()
		}
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	c := &courier{couriers: cs, sink: sink, store: s, log: cs.emulator.logger, cancel: cancel, news: make(chan struct{}, 1),
		left: map[uint64]kinesisBatch{}, lost: map[uint64]int64{}}
	if cs.running == nil {
		cs.running = map[*storage.Store]*courier{}
	}
	cs.running[s] = c
	cs.all.Add(1)
	go c.run(ctx)
}

// dismiss ends the couriers of stores that are no longer in use.
func (cs *couriers) dismiss(accounts map[string]*accountData) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	for _, a := range accounts {
		if c := cs.running[a.store]; c != nil {
			c.cancel()
		}
	}
}

// close ends all couriers, and waits for them.
func (cs *couriers) close() {
	cs.mu.Lock()
	cs.closed = true
	for _, c := range cs.running {
		c.cancel()
	}
	cs.mu.Unlock()
	cs.all.Wait()
}

// run passes changes on until none is left.
func (c *courier) run(ctx context.Context) {
	defer c.couriers.all.Done()
	defer c.cancel()
	pause := firstKinesisPause
	for !c.finished(ctx) {
		switch p := c.pass(ctx); {
		case p.sent > 0 || p.failed+p.held == 0:
			pause = firstKinesisPause
		case p.failed > 0:
			c.couriers.emulator.sleep(ctx, pause) // an error means that ctx has ended
			pause = min(2*pause, lastKinesisPause)
		default:
			c.await(ctx)
		}
	}
}

// await waits for changes, or for other faults.
func (c *courier) await(ctx context.Context) {
	select {
	case <-c.news:
	case <-ctx.Done():
	}
}

// finished reports whether the courier has to end, and takes it off the list then.
func (c *courier) finished(ctx context.Context) bool {
	waiting := ctx.Err() == nil && len(c.outboxes()) > 0
	c.couriers.mu.Lock()
	defer c.couriers.mu.Unlock()
	if ctx.Err() == nil && (waiting || c.again) {
		c.again = false
		return false
	}
	delete(c.couriers.running, c.store)
	return true
}

// outboxes returns the numbers of the outboxes with changes to pass on, one of each table: later
// ones wait for the first.
func (c *courier) outboxes() (numbers []uint64) {
	seen := map[string]bool{}
	c.store.View(func(tx *storage.Tx) error {
		for _, o := range tx.Outboxes() {
			if !seen[o.TableID] {
				seen[o.TableID] = true
				numbers = append(numbers, o.Number())
			}
		}
		return nil
	})
	return numbers
}

// passed counts the outboxes of a pass.
type passed struct {
	sent   int // with batches that streams took
	failed int // with batches that streams did not take
	held   int // with nothing but late records
}

// pass sends a batch of each outbox.
func (c *courier) pass(ctx context.Context) (p passed) {
	for _, n := range c.outboxes() {
		b, known := c.left[n]
		if !known {
			var err error
			if b, err = c.collect(n); err != nil {
				p.failed++
				continue
			}
		}
		switch {
		case b.held:
			p.held++
		case c.deliver(ctx, n, b):
			p.sent++
		default:
			p.failed++
		}
	}
	return p
}

// deliver sends a batch of an outbox. It reports whether the stream took all of it.
func (c *courier) deliver(ctx context.Context, outbox uint64, b kinesisBatch) bool {
	if len(b.records) > 0 {
		rejected, err := c.sink.PutRecords(ctx, b.stream, b.records)
		if err != nil || len(rejected) > 0 {
			if err == nil {
				b.records = rejected
			}
			c.left[outbox] = b
			c.failed(&b, err)
			return false
		}
		c.recovered(&b)
	}
	delete(c.left, outbox)
	c.forget(b.last)
	return c.store.Update(func(tx *storage.Tx) error {
		if o := tx.Outbox(outbox); o != nil {
			tx.Sent(o, b.last)
		}
		return nil
	}) == nil
}

// collect makes the next batch of an outbox. It has an error if the changes are not durable.
func (c *courier) collect(outbox uint64) (b kinesisBatch, err error) {
	bytes := 0
	var late, twice []KinesisRecord
	faults, times := c.recordFaults(), 1
	if faults != nil {
		times = 2 // a record may be sent twice
	}
	err = c.store.View(func(tx *storage.Tx) error {
		o := tx.Outbox(outbox)
		if o == nil {
			return nil
		}
		b.stream, _ = destinationOf(o)
		c.reportLost(o)
		tx.Unsent(o, func(ch *storage.Change) bool {
			r := newKinesisRecord(o, ch)
			size := len(r.PartitionKey) + len(r.Data)
			switch {
			case size > maxKinesisRecord:
				c.log.Warn("a change was not sent: its record is too large for Kinesis",
					slog.String("table", o.Table), slog.Int("bytes", size))
			case len(b.records)+len(late)+len(twice)+times > maxKinesisRecords, bytes+times*size > maxKinesisBatch:
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
func (c *courier) failed(b *kinesisBatch, err error) {
	if !c.down {
		c.down = true
		c.log.Warn("a Kinesis stream did not take records, which now wait",
			slog.String("stream", b.stream), slog.Int("records", len(b.records)), slog.Any("error", err))
	}
}

// recovered logs the first attempt that succeeds again.
func (c *courier) recovered(b *kinesisBatch) {
	if c.down {
		c.down = false
		c.log.Info("a Kinesis stream takes records again", slog.String("stream", b.stream))
	}
}

// reportLost logs changes that were dropped to limit memory.
func (c *courier) reportLost(o *storage.Outbox) {
	if lost := o.Lost(); lost > c.lost[o.Number()] {
		c.log.Warn("changes for Kinesis were dropped, because too many waited",
			slog.String("table", o.Table), slog.Int64("changes", lost-c.lost[o.Number()]))
		c.lost[o.Number()] = lost
	}
}
