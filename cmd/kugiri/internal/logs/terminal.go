package logs

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/terminal"
)

// terminalHandler writes log lines for somebody who looks on: the time of day, the level in color,
// the message, and the attributes as the text handler writes them.
type terminalHandler struct {
	out   io.Writer
	style terminal.Style
	mu    *sync.Mutex   // guards line
	line  *bytes.Buffer // the line that attributes are appended to
	attrs slog.Handler  // writes only attributes
}

func newTerminalHandler(out io.Writer, style terminal.Style,
	o slog.HandlerOptions) *terminalHandler {
	line := new(bytes.Buffer)
	replace := o.ReplaceAttr
	o.ReplaceAttr = func(groups []string, a slog.Attr) slog.Attr {
		if len(groups) == 0 &&
			(a.Key == slog.TimeKey || a.Key == slog.LevelKey || a.Key == slog.MessageKey) {
			return slog.Attr{}
		}
		return replace(groups, a)
	}
	return &terminalHandler{
		out: out, style: style, mu: new(sync.Mutex), line: line,
		attrs: slog.NewTextHandler(line, &o),
	}
}

// Enabled implements slog.Handler.
func (h *terminalHandler) Enabled(ctx context.Context, l slog.Level) bool {
	return h.attrs.Enabled(ctx, l)
}

// WithAttrs implements slog.Handler.
func (h *terminalHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	more := *h
	more.attrs = h.attrs.WithAttrs(attrs)
	return &more
}

// WithGroup implements slog.Handler.
func (h *terminalHandler) WithGroup(name string) slog.Handler {
	more := *h
	more.attrs = h.attrs.WithGroup(name)
	return &more
}

// Handle implements slog.Handler.
func (h *terminalHandler) Handle(ctx context.Context, r slog.Record) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.line.Reset()
	message := shorten(nil, slog.String(slog.MessageKey, r.Message)).Value.String()
	fmt.Fprintf(h.line, "%s %s %s ", r.Time.Format("15:04:05.000"), h.level(r.Level), message)
	if err := h.attrs.Handle(ctx, r); err != nil {
		return err
	}
	_, err := h.out.Write(h.line.Bytes())
	return err
}

// level is a level in color, as wide as the others.
func (h *terminalHandler) level(l slog.Level) string {
	text := fmt.Sprintf("%-5s", l)
	switch {
	case l >= slog.LevelError:
		return h.style.Red(text)
	case l >= slog.LevelWarn:
		return h.style.Yellow(text)
	}
	return text
}
