// Package clone copies a sample of a table's items from one endpoint to another, and masks them on
// the way.
package clone

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/transfer"
	"github.com/kugiri-db/kugiri/conventions/mask"
)

// Cloner copies the items of a table.
type Cloner struct {
	From, To  *dynamodb.Client // nothing is written if To is nil
	Table     string
	Partition string       // the attribute of the partition key
	Sample    float64      // the share of item collections, up to 1
	Mask      *mask.Masker // nil: items stay as they are
	Segments  int          // segments of the scan
	Units     float64      // read capacity units a second; 0 for no limit
	Progress  func(n int)  // called with the number of further items read

	// State is how far the run is. It begins there.
	State State

	// Reached, if set, is called with the State from time to time, and at the end. All items before
	// it are written by then.
	Reached func(State) error
}

// State is how far a run is.
type State struct {
	// the position of the scan; its Items are those that were read
	Position *transfer.Position `json:"position,omitempty"`
	Written  int64              `json:"written"` // items
}

// Run copies all items. It returns when no request is under way.
func (c *Cloner) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w := newWriter(ctx, cancel, c)
	e := transfer.Exporter{
		Client: c.From, Table: c.Table, Segments: c.Segments, Units: c.Units, Progress: c.Progress,
		Position: c.State.Position,
	}
	e.Reached = func(p *transfer.Position) error {
		if err := w.settle(); err != nil {
			return err
		}
		if w.To != nil {
			if left, err := w.importer.Settle(ctx); err != nil || left > 0 {
				return err // not all up to here is written while some items wait
			}
		}
		c.State = State{p, w.written}
		if c.Reached == nil {
			return nil
		}
		return c.Reached(c.State)
	}
	_, err := e.Run(ctx, w)
	if err := w.settle(); err != nil {
		return err // the cause of the Exporter's error, if there are two
	}
	if err != nil {
		return err
	}
	if w.To != nil {
		if err := w.importer.Finish(ctx); err != nil {
			return err
		}
	}
	return e.Reached(e.Position)
}

// The limits of a writer.
const (
	batch   = 25 // items of BatchWriteItem (API Reference, BatchWriteItem)
	writers = 8  // requests at once
)

// writer is a transfer.Writer that masks items and puts them into a table, several batches at a
// time.
type writer struct {
	*Cloner
	ctx      context.Context // ends with the first error, which is its cause
	cancel   context.CancelCauseFunc
	importer *transfer.Importer
	next     []transfer.Item
	slots    chan struct{}
	working  sync.WaitGroup

	mu      sync.Mutex
	written int64 // items; to be read when no work is under way, or with mu
}

func newWriter(ctx context.Context, cancel context.CancelCauseFunc, c *Cloner) *writer {
	return &writer{Cloner: c, ctx: ctx, cancel: cancel, written: c.State.Written,
		slots:    make(chan struct{}, writers),
		importer: &transfer.Importer{Client: c.To, Table: c.Table}}
}

func (w *writer) Write(item transfer.Item) error {
	if !w.chosen(item) {
		return nil
	}
	if w.next = append(w.next, item); len(w.next) == batch {
		w.flush()
	}
	return context.Cause(w.ctx)
}

func (w *writer) Close() error { return w.settle() }

// chosen reports whether an item belongs to the sample. All items of an item collection do, or
// none, and collections with one partition key do in all tables.
func (w *writer) chosen(item transfer.Item) bool {
	if w.Sample >= 1 {
		return true
	}
	sum := sha256.Sum256(transfer.MarshalItem(transfer.Item{"": item[w.Partition]}))
	return float64(binary.BigEndian.Uint64(sum[:])) < w.Sample*math.MaxUint64
}

// flush writes the next batch, sooner or later.
func (w *writer) flush() {
	items := w.next
	w.next = nil
	w.slots <- struct{}{}
	w.working.Add(1)
	go func() {
		defer w.working.Done()
		defer func() { <-w.slots }()
		if err := w.put(w.ctx, items); err != nil {
			w.cancel(err)
		}
	}()
}

// put masks items and writes them. All are masked before one is written.
func (w *writer) put(ctx context.Context, items []transfer.Item) error {
	sourced := make([]transfer.Sourced, len(items))
	from := transfer.Origin{Name: "an item of " + w.Table}
	for i, item := range items {
		if w.Mask != nil {
			var err error
			if item, err = w.Mask.Item(item); err != nil {
				return err
			}
		}
		sourced[i] = transfer.Sourced{Item: item, Origin: from}
	}
	if w.To != nil {
		if err := w.importer.Put(ctx, sourced); err != nil {
			return err
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.written += int64(len(items))
	return nil
}

// settle waits until all items are written.
func (w *writer) settle() error {
	if len(w.next) > 0 {
		w.flush()
	}
	w.working.Wait()
	return context.Cause(w.ctx)
}
