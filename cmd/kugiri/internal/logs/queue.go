package logs

import (
	"bytes"
	"io"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
)

// queuedLog is how many bytes of lines wait for the reader of a log.
const queuedLog = 1 << 20

// logQueue writes lines in another goroutine, so that a caller who logs never waits:
// a pipe that nobody reads is full after 64 KB. Lines that have no room are dropped and counted,
// as are those that the writer refuses. All methods are safe for concurrent use.
type logQueue struct {
	to     io.Writer
	report func(w io.Writer, dropped int) error // tells the reader, once there is one

	mu      sync.Mutex
	lines   []byte // lines that wait; whole ones
	dropped int    // lines since the last report
	closed  bool

	wake chan struct{} // holds one token while something is to be done
	done chan struct{}
}

func newLogQueue(to io.Writer, report func(w io.Writer, dropped int) error) *logQueue {
	q := &logQueue{to: to, report: report, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go q.run()
	return q
}

// Write takes one or more whole lines, or drops them. It does not fail.
func (q *logQueue) Write(lines []byte) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed || len(q.lines)+len(lines) > queuedLog {
		q.dropped += bytes.Count(lines, newline)
		return len(lines), nil
	}
	q.lines = append(q.lines, lines...)
	q.notify()
	return len(lines), nil
}

var newline = []byte{'\n'}

// notify wakes run. mu is held.
func (q *logQueue) notify() {
	select {
	case q.wake <- struct{}{}:
	default: // it will wake anyway
	}
}

// close takes no more lines and waits, for at most cli.OutputWait, until all are written.
func (q *logQueue) close() {
	q.mu.Lock()
	q.closed = true
	q.notify()
	q.mu.Unlock()
	late := time.NewTimer(cli.OutputWait)
	defer late.Stop()
	select {
	case <-q.done:
	case <-late.C:
	}
}

// run writes until the queue is closed and empty.
func (q *logQueue) run() {
	defer close(q.done)
	var lines []byte
	for range q.wake {
		var dropped int
		var closed bool
		lines, dropped, closed = q.take(lines)
		if lost := q.write(lines, dropped); lost > 0 {
			q.mu.Lock()
			q.dropped += lost
			q.mu.Unlock()
		}
		if closed {
			return
		}
	}
}

// take returns what is to be written, and leaves the memory of spare for what comes meanwhile.
func (q *logQueue) take(spare []byte) (lines []byte, dropped int, closed bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	lines, dropped = q.lines, q.dropped
	q.lines, q.dropped = spare[:0], 0
	return lines, dropped, q.closed
}

// write writes lines and then how many were dropped after them. It returns how many lines
// the reader knows nothing of.
func (q *logQueue) write(lines []byte, dropped int) (lost int) {
	n, err := q.to.Write(lines)
	if err == nil && dropped > 0 {
		err = q.report(q.to, dropped)
	}
	if err == nil {
		return 0
	}
	return bytes.Count(lines[min(n, len(lines)):], newline) + dropped
}

// surviveClosedPipes has a write to a pipe without a reader fail, as to any other file. For
// standard output and error Go otherwise ends the process (package os/signal, "SIGPIPE").
func surviveClosedPipes() { signal.Ignore(syscall.SIGPIPE) }
