// Package progress shows the progress of long work on a terminal.
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

// patience is how long work runs before the bar appears.
const patience = time.Second

// Bar counts finished work. All methods are safe for concurrent use. A nil Bar shows nothing.
type Bar struct {
	mu      sync.Mutex
	out     io.Writer
	what    string
	total   int64
	started time.Time
	done    int64                    // items
	bytes   bool                     // whether total counts bytes instead of items
	read    int64                    // bytes
	bar     *progressbar.ProgressBar // nil until patience has passed
}

// New returns a Bar that appears on out after a second of work. It returns nil if out is not a
// terminal. A total of 0 or less means that it is unknown.
func New(out io.Writer, what string, total int64) *Bar {
	if !Visible(out) {
		return nil
	}
	if total <= 0 {
		total = -1
	}
	return &Bar{out: out, what: what, total: total, started: time.Now()}
}

// Visible reports whether a bar would be seen: out is a terminal.
func Visible(out io.Writer) bool {
	file, ok := out.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// NewBytes is New with a total in bytes. Reading counts the bytes.
func NewBytes(out io.Writer, what string, total int64) *Bar {
	b := New(out, what, total)
	if b != nil {
		b.bytes = total > 0
	}
	return b
}

// Add counts n more items.
func (b *Bar) Add(n int) { b.count(n, 0) }

// Reading returns a reader that counts the bytes read from r.
func (b *Bar) Reading(r io.Reader) io.Reader {
	if b == nil {
		return r
	}
	return &counted{r, b}
}

type counted struct {
	io.Reader
	bar *Bar
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.bar.count(0, n)
	return n, err
}

func (b *Bar) count(items, bytes int) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done += int64(items)
	b.read += int64(bytes)
	took := time.Since(b.started)
	if b.bar == nil && took < patience {
		return
	}
	text := describe(b.what, b.done, took)
	if b.bytes {
		text += fmt.Sprintf(", %d items", b.done)
	}
	b.draw(text)
}

func (b *Bar) draw(text string) {
	if b.bar == nil {
		b.bar = progressbar.NewOptions64(b.total, progressbar.OptionSetWriter(b.out),
			progressbar.OptionSetDescription(text),
			progressbar.OptionShowCount(), progressbar.OptionShowBytes(b.bytes),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionClearOnFinish(), progressbar.OptionFullWidth())
	}
	at := b.done
	if b.bytes {
		at = min(b.read, b.total-1) // the bar would disappear at the total
	}
	b.bar.Set64(at)
	b.bar.Describe(text)
}

// describe returns the name of the work and the rate since its beginning. The bar itself measures
// only since it appeared.
func describe(what string, done int64, took time.Duration) string {
	return fmt.Sprintf("%s, %.0f a second", what, float64(done)/took.Seconds())
}

// Done removes the bar. Nothing may be added afterwards. A second call does nothing.
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
