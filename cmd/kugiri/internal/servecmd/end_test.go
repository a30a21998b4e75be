package servecmd

import (
	"context"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
)

// TestGrace: a server that is stopped ends within a second.
func TestGrace(t *testing.T) { require.Less(t, grace, time.Second) }

// TestEndInTime: a server that does not end after a signal is ended, and no other.
func TestEndInTime(t *testing.T) {
	for name, c := range map[string]struct {
		cause error
		ends  bool // the server ends by itself
		want  int  // the status, 0 if the process goes on
	}{
		"after SIGTERM":             {cli.Signaled{Signal: syscall.SIGTERM}, false, 143},
		"after an interrupt":        {cli.Signaled{Signal: syscall.SIGINT}, false, 130},
		"by itself after SIGTERM":   {cli.Signaled{Signal: syscall.SIGTERM}, true, 0},
		"with what it runs in":      {context.Canceled, false, 0},
		"by itself without a cause": {nil, true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				status, began := 0, time.Now()
				ended := endInTime(ctx, mostStop, func(s int) { status = s }, func() {})
				cancel(c.cause)
				if c.ends {
					ended()
				}
				time.Sleep(5 * time.Second) // the bubble's clock goes on
				synctest.Wait()
				assert.Equal(t, c.want, status)
				assert.Equal(t, 5*time.Second, time.Since(began))
				if !c.ends {
					ended()
				}
			})
		})
	}
}
