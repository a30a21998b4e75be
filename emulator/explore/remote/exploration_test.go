package remote

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/explore/search"
)

func explore(t *testing.T, idle time.Duration, gone func()) *Exploration {
	e := emulator.New()
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	s := &search.Search{Options: search.DefaultOptions(), Emulator: e, AccessKey: "a",
		Region: "us-east-1"}
	return Explore(e, s, Program{Workers: []Worker{{Name: "alice"}}, Patience: time.Minute,
		Idle: idle}, gone)
}

// TestIdle: an exploration that nobody asks for closes itself, and says so.
func TestIdle(t *testing.T) {
	gone := make(chan struct{})
	x := explore(t, time.Millisecond, func() { close(gone) })
	<-gone
	step, err := x.Next(t.Context())
	for err == nil && step.Do != Finish { // the run that was waiting to be started, then nothing
		step, err = x.Next(t.Context())
	}
	if err == nil {
		err = step.Err
	}
	assert.ErrorIs(t, err, ErrClosed)
	x.Close()
}

// TestClose: the search of an exploration that is closed ends, with what waits for its steps.
func TestClose(t *testing.T) {
	x := explore(t, time.Minute, func() { t.Error("it was not idle") })
	step, err := x.Next(t.Context())
	require.NoError(t, err)
	require.Equal(t, Start, step.Do)
	ended := make(chan error)
	go func() {
		for {
			if step, err := x.Next(t.Context()); err != nil || step.Err != nil {
				ended <- err
				return
			}
		}
	}()
	x.Close()
	<-ended
}
