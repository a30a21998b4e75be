package proof

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

// asked is a context that has ended once it was asked a number of times.
type asked struct {
	context.Context
	ends, times int64
}

func (a *asked) Err() error {
	if atomic.AddInt64(&a.times, 1) > a.ends {
		return context.Canceled
	}
	return nil
}

// endings are when the contexts of a test end: at once, among the first requests, in the middle.
func endings(t *testing.T, run func(context.Context) error) []int64 {
	a := &asked{context.Background(), 1 << 40, 0}
	require.NoError(t, run(a))
	require.Greater(t, a.times, int64(100))
	return []int64{0, 10, a.times / 2}
}

// TestEnded: what a client no longer waits for ends, wherever it is, and asks for little more.
func TestEnded(t *testing.T) {
	notUnderRace(t)
	plan, err := designfile.PlanFile("testdata/invariants.yaml")
	require.NoError(t, err)
	busy, err := design.Make(events(0))
	require.NoError(t, err)
	for _, c := range []struct {
		name string
		run  func(Options) error
	}{
		{"a verification", func(o Options) error { _, err := Verify(plan, o); return err }},
		{"mutations", func(o Options) error { _, err := Mutate(plan, o); return err }},
		{"a load", func(o Options) error {
			_, err := Load(busy, LoadOptions{Options: o, Seconds: 1})
			return err
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := func(ctx context.Context) error {
				return c.run(Options{Rows: 60, Requests: 2, Context: ctx})
			}
			for _, ends := range endings(t, run) {
				a := &asked{context.Background(), ends, 0}
				require.ErrorIs(t, run(a), context.Canceled, "after %d", ends)
				assert.Less(t, a.times-ends, int64(100), "after %d", ends)
			}
		})
	}
}
