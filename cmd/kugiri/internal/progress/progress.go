// Package progress shows on a terminal how far a long piece of work is.
package progress

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// patience is how long work goes on before there is anything to see of it.
const patience = time.Second

// Bar counts what is done. All methods are safe for concurrent use; a nil Bar shows nothing.
type Bar struct {
	mu      sync.Mutex
	out     io.Writer
	what    string
	total   int64
	started time.Time
	done    int64
	bar     *progressbar.ProgressBar // nil until patience is over
}

// New returns a Bar that will be drawn to out once the work has taken a second;
// nil, if out is no terminal. A total of 0 or less is not known.
func New(out io.Writer, what string, total int64) *Bar {
	file, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return nil
	}
	if total <= 0 {
		total = -1
	}
	return &Bar{out: out, what: what, total: total, started: time.Now()}
}

// Add counts n more.
func (b *Bar) Add(n int) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done += int64(n)
	took := time.Since(b.started)
	if b.bar == nil && took < patience {
		return
	}
	text := describe(b.what, b.done, took)
	if b.bar == nil {
		b.bar = progressbar.NewOptions64(b.total, progressbar.OptionSetWriter(b.out), progressbar.OptionSetDescription(text),
			progressbar.OptionShowCount(), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish(), progressbar.OptionFullWidth())
	}
	b.bar.Set64(b.done)
	b.bar.Describe(text)
}

// describe says what is done, and how fast since its beginning, which a bar that is drawn later does not know.
func describe(what string, done int64, took time.Duration) string {
	return fmt.Sprintf("%s, %.0f a second", what, float64(done)/took.Seconds())
}

// Done takes the bar away. Nothing is to be added after it; doing it twice does nothing.
func (b *Bar) Done() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bar != nil {
		b.bar.Clear()
		b.bar = nil
	}
}
