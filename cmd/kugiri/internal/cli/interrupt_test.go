package cli

import (
	"context"
	"testing"
	"time"
)

func TestPause(t *testing.T) {
	Pause(t.Context(), time.Nanosecond)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	Pause(ctx, 1<<62) // ends because ctx has
}
