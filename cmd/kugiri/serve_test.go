package main

import (
	"context"
	"testing"
	"time"
)

func TestPause(t *testing.T) {
	pause(t.Context(), time.Nanosecond)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	pause(ctx, 1<<62) // ends because ctx has
}
