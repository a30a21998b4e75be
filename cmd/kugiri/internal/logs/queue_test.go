package logs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/emulator"
)

// text holds what is written. It can be read meanwhile.
type text struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *text) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *text) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// valve is a writer that blocks, fails or lets through.
type valve struct {
	open chan struct{} // closed: it lets through
	text text
	mu   sync.Mutex
	err  error
}

func (v *valve) Write(p []byte) (int, error) {
	<-v.open
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.err != nil {
		return 0, v.err
	}
	return v.text.Write(p)
}

func (v *valve) fail(err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.err = err
}

func report(w io.Writer, dropped int) error {
	_, err := fmt.Fprintln(w, "dropped", dropped)
	return err
}

func TestLogQueue(t *testing.T) {
	line := strings.Repeat("x", 1023) + "\n"
	const fits = queuedLog / 1024
	t.Run("all lines, in their order", func(t *testing.T) {
		var out text
		q := newLogQueue(&out, report)
		var want strings.Builder
		for i := range 10_000 {
			n, err := fmt.Fprintln(q, i)
			require.NoError(t, err)
			fmt.Fprintln(&want, i)
			require.NotZero(t, n)
		}
		q.close()
		require.Equal(t, want.String(), out.String())
	})
	t.Run("nobody reads, then somebody", func(t *testing.T) {
		v := &valve{open: make(chan struct{})}
		q := newLogQueue(v, report)
		for range 3 * fits {
			io.WriteString(q, line)
		}
		q.mu.Lock()
		assert.LessOrEqual(t, len(q.lines), queuedLog)
		q.mu.Unlock()
		close(v.open)
		q.close()
		var written, dropped int
		for line := range strings.Lines(v.text.String()) {
			var n int
			if _, err := fmt.Sscanf(line, "dropped %d", &n); err != nil {
				written++
			}
			dropped += n // a slow start of the queue's goroutine makes it two reports
		}
		require.Equal(t, 3*fits, written+dropped)
		require.GreaterOrEqual(t, dropped, fits, "at most one queue waits and one is being written")
	})
	t.Run("a writer that fails for a while", func(t *testing.T) {
		v := &valve{open: make(chan struct{}), err: errors.New("broken pipe")}
		close(v.open)
		q := newLogQueue(v, report)
		io.WriteString(q, "one\ntwo\n")
		for q.unreported() != 2 {
			runtime.Gosched()
		}
		v.fail(nil)
		io.WriteString(q, "three\n")
		q.close()
		require.Equal(t, "three\ndropped 2\n", v.text.String())
	})
	t.Run("the end does not wait for long", func(t *testing.T) {
		v := &valve{open: make(chan struct{})}
		q := newLogQueue(v, report)
		io.WriteString(q, line)
		q.close()
		io.WriteString(q, "after the end\n")
		close(v.open)
		<-q.done
		require.NotContains(t, v.text.String(), "after the end")
	})
}

// unreported is how many dropped lines the queue has yet to report.
func (q *logQueue) unreported() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.dropped
}

// TestLogQueueSharedByMany: every line is written or reported, and none is torn.
func TestLogQueueSharedByMany(t *testing.T) {
	v := &valve{open: make(chan struct{})}
	q := newLogQueue(v, report)
	line := strings.Repeat("y", 999) + "\n"
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 1000 {
				io.WriteString(q, line)
			}
		})
	}
	close(v.open)
	all.Wait()
	q.close()
	whole, dropped := 0, 0
	for _, l := range strings.SplitAfter(v.text.String(), "\n") {
		n := 0
		if _, err := fmt.Sscanf(l, "dropped %d", &n); err == nil {
			dropped += n
		} else if l != "" {
			require.Equal(t, line, l)
			whole++
		}
	}
	require.Equal(t, 8000, whole+dropped)
}

func TestLinesHaveALimit(t *testing.T) {
	for _, format := range []string{"text", "json"} {
		t.Run(format, func(t *testing.T) {
			s := Settings{format: cli.Choice{Value: format}, level: cli.Choice{Value: "info"}}
			var out bytes.Buffer
			logger, flush := s.Open(&out)
			long := strings.Repeat("ü", 5<<20)
			s.RequestLog(logger)(&emulator.Event{
				Operation: "ExecuteStatement", Tables: []string{long}, Status: 400, Message: long,
				AccessKey: long,
			})
			logger.Error(long, slog.Any("error", errors.New(long)), slog.String("short", "ü"))
			logger.Info("fine", slog.Int("n", 1))
			flush()
			lines := strings.SplitAfter(out.String(), "\n")
			require.Len(t, lines, 4)
			for _, l := range lines[:2] {
				assert.Less(t, len(l), 5*longestValue)
				assert.Contains(t, l, "bytes)")
				assert.True(t, utf8.ValidString(l))
			}
			assert.Contains(t, lines[2], "fine")
		})
	}
}
