package emulator

import (
	"flag"
	"log/slog"
	"testing"
)

// TestMain keeps the logs of servers, which tests make fail on purpose, out of the output of a run
// that is not verbose: a failure would be lost in them.
func TestMain(m *testing.M) {
	flag.Parse()
	if !testing.Verbose() {
		slog.SetDefault(slog.New(slog.DiscardHandler))
	}
	m.Run()
}
