package proof

import (
	"runtime"
	"sync"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// loader stores rows. Several workers write batches at a time; few batches wait, so memory does not
// grow with the number of rows. A loader fails with the first error, and ignores rows after it.
type loader struct {
	client   *client
	next     []modelRow
	batches  chan []modelRow
	workers  sync.WaitGroup
	mu       sync.Mutex // guards err
	err      error
	progress func(rows int) // may be nil
}

// modelRow is a row of a model.
type modelRow struct {
	model string
	row   design.Row
}

// batchSize is how many items BatchWriteItem writes at most.
const batchSize = 25

// newLoader starts a loader. It calls progress from several goroutines.
func newLoader(c *client, progress func(rows int)) *loader {
	n := runtime.GOMAXPROCS(0)
	l := &loader{client: c, batches: make(chan []modelRow, n), progress: progress}
	for range n {
		l.workers.Add(1)
		go l.work()
	}
	return l
}

func (l *loader) work() {
	defer l.workers.Done()
	for batch := range l.batches {
		if l.failed() != nil {
			continue
		}
		if err := l.store(batch); err != nil {
			l.mu.Lock()
			l.err = err
			l.mu.Unlock()
		}
		if l.progress != nil {
			l.progress(len(batch))
		}
	}
}

func (l *loader) failed() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

func (l *loader) store(batch []modelRow) error {
	items := make([]map[string]any, len(batch))
	for i, r := range batch {
		item, err := l.client.plan.Item(r.model, r.row)
		if err != nil {
			return err
		}
		items[i] = item
	}
	return l.client.put(l.client.plan.Design.Table, items)
}

// add stores a row, sooner or later. The row is the loader's then.
func (l *loader) add(model string, row design.Row) error {
	l.next = append(l.next, modelRow{model, row})
	if len(l.next) == batchSize {
		l.batches <- l.next
		l.next = nil
	}
	return l.failed()
}

// close waits until all rows are stored.
func (l *loader) close() error {
	if len(l.next) > 0 {
		l.batches <- l.next
	}
	close(l.batches)
	l.workers.Wait()
	return l.err
}
