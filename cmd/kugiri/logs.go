package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/spf13/pflag"

	"github.com/kugiri-db/kugiri/emulator"
)

// logSettings are what is logged, to standard error.
type logSettings struct {
	format   string
	level    string
	requests bool
}

func (s *logSettings) register(f *pflag.FlagSet) {
	f.StringVar(&s.format, "log-format", "text", "`format` of logs: text, json")
	f.StringVar(&s.level, "log-level", "info", "least `level` of logs: debug, info, warn, error")
	f.BoolVar(&s.requests, "log-requests", false, "log every request, which takes time")
}

func (s *logSettings) check() error {
	if s.format != "text" && s.format != "json" {
		return fmt.Errorf("log-format %q: want text or json", s.format)
	}
	var level slog.Level
	if level.UnmarshalText([]byte(s.level)) != nil {
		return fmt.Errorf("log-level %q: want debug, info, warn or error", s.level)
	}
	return nil
}

// logger writes as the settings, which are checked, say.
func (s *logSettings) logger(w io.Writer) *slog.Logger {
	o := new(slog.HandlerOptions)
	var level slog.Level
	level.UnmarshalText([]byte(s.level))
	o.Level = level
	if s.format == "json" {
		return slog.New(slog.NewJSONHandler(w, o))
	}
	return slog.New(slog.NewTextHandler(w, o))
}

// requestLog logs requests at the level info, those that the server failed at error.
func requestLog(l *slog.Logger) func(*emulator.Event) {
	return func(e *emulator.Event) {
		level := slog.LevelInfo
		if e.Status >= 500 {
			level = slog.LevelError
		}
		l.LogAttrs(context.Background(), level, "request",
			slog.String("operation", e.Operation), slog.String("table", strings.Join(e.Tables, ",")),
			slog.Int("status", e.Status), slog.String("error", e.Error), slog.Duration("took", e.Duration),
			slog.Int("in", e.RequestBytes), slog.Int("out", e.ResponseBytes),
			slog.String("key", e.AccessKey), slog.String("region", e.Region), slog.String("id", e.RequestID))
	}
}
