package logs

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/terminal"
	"github.com/kugiri-db/kugiri/emulator"
)

// ForClients are the logs of a command that has no settings for them.
func ForClients() *Settings {
	return &Settings{format: cli.Choice{Value: "text"}, level: cli.Choice{Value: "info"}}
}

// Settings say what the server logs to standard error.
type Settings struct {
	format   cli.Choice
	level    cli.Choice
	Requests bool
}

// Register makes the flags.
func (s *Settings) Register(f *pflag.FlagSet) {
	s.format.Register(f, "log-format", "text", "`format` of logs", "text", "json")
	s.level.Register(f, "log-level", "info", "least `level` of logs", "debug", "info", "warn",
		"error")
	f.BoolVar(&s.Requests, "log-requests", false, "log every request, which takes time")
}

// Open returns a logger that writes to w. It never waits for w: lines that nobody reads in time are
// dropped. close writes the lines that are left. The settings must be checked.
func (s *Settings) Open(w io.Writer) (l *slog.Logger, close func()) {
	surviveClosedPipes()
	style, onTerminal := terminal.StyleOf(w), terminal.Is(w)
	q := newLogQueue(w, func(w io.Writer, dropped int) error {
		r := slog.NewRecord(time.Now(), slog.LevelWarn,
			"log lines were dropped, because nobody read them", 0)
		r.AddAttrs(slog.Int("lines", dropped))
		return s.handler(w, style, onTerminal).Handle(context.Background(), r)
	})
	return slog.New(s.handler(q, style, onTerminal)), q.close
}

// handler is the form of the lines.
func (s *Settings) handler(w io.Writer, style terminal.Style, onTerminal bool) slog.Handler {
	var level slog.Level
	level.UnmarshalText([]byte(s.level.Value))
	o := &slog.HandlerOptions{Level: level, ReplaceAttr: shorten}
	switch {
	case s.format.Value == "json":
		return slog.NewJSONHandler(w, o)
	case onTerminal:
		return newTerminalHandler(w, style, *o)
	}
	return slog.NewTextHandler(w, o)
}

// longestValue is how many bytes of a value are logged. Some values come from clients: the message
// of an error may have a statement of a megabyte.
const longestValue = 4 << 10

// shorten is a slog.HandlerOptions.ReplaceAttr.
func shorten(_ []string, a slog.Attr) slog.Attr {
	text := ""
	switch a.Value.Kind() {
	case slog.KindString:
		text = a.Value.String()
	case slog.KindAny:
		if err, ok := a.Value.Any().(error); ok {
			text = err.Error()
		}
	}
	if len(text) <= longestValue {
		return a
	}
	return slog.String(a.Key,
		fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(text[:longestValue], ""), len(text)))
}

// RequestLog logs requests at the level info, those that the server failed at error.
// As text a line says in words what JSON has in members.
func (s *Settings) RequestLog(l *slog.Logger) func(*emulator.Event) {
	return func(e *emulator.Event) {
		level := slog.LevelInfo
		if e.Status >= 500 {
			level = slog.LevelError
		}
		if !l.Enabled(context.Background(), level) {
			return
		}
		caller := []slog.Attr{slog.String("key", e.AccessKey), slog.String("region", e.Region),
			slog.String("id", e.RequestID)}
		if s.format.Value == "text" {
			l.LogAttrs(context.Background(), level, requestText(e), caller...)
			return
		}
		read, write := unitsOf(e)
		l.LogAttrs(context.Background(), level, "request", append([]slog.Attr{
			slog.String("operation", e.Operation),
			slog.String("table", strings.Join(e.Tables, ",")),
			slog.Int("status", e.Status), slog.String("error", e.Error),
			slog.String("message", e.Message), slog.Duration("took", e.Duration),
			slog.Float64("read", read), slog.Float64("write", write),
			slog.Int("evaluated", e.Evaluated), slog.Int("returned", e.Returned),
			slog.Int("in", e.RequestBytes), slog.Int("out", e.ResponseBytes)}, caller...)...)
	}
}

// requestText is a request in a few words: "Query songs/by-artist: 200, 2 of 10 items, 0.5 RCU,
// 85µs".
func requestText(e *emulator.Event) string {
	var b strings.Builder
	b.WriteString(cmp.Or(e.Operation, "no operation"))
	if len(e.Tables) > 0 {
		b.WriteString(" " + strings.Join(e.Tables, ", "))
	}
	if len(e.Reads) > 0 && e.Reads[0].Index != "" {
		b.WriteString("/" + e.Reads[0].Index)
	}
	if e.Status == 0 {
		b.WriteString(": no answer")
	} else {
		fmt.Fprintf(&b, ": %d", e.Status)
	}
	if e.Error != "" {
		b.WriteString(" " + e.Error)
	}
	if e.Message != "" {
		fmt.Fprintf(&b, " (%s)", e.Message)
	}
	switch {
	case len(e.Reads) > 0:
		fmt.Fprintf(&b, ", %d of %d items", e.Returned, e.Evaluated)
	case e.Returned > 0:
		fmt.Fprintf(&b, ", %d found", e.Returned)
	}
	read, write := unitsOf(e)
	if read > 0 {
		fmt.Fprintf(&b, ", %g RCU", read)
	}
	if write > 0 {
		fmt.Fprintf(&b, ", %g WCU", write)
	}
	fmt.Fprintf(&b, ", %v", e.Duration)
	return b.String()
}

// unitsOf is the capacity that a request consumed of all tables and indexes.
func unitsOf(e *emulator.Event) (read, write float64) {
	for _, c := range e.Capacity {
		read += c.Read
		write += c.Write
	}
	return read, write
}
