package budget

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestBudget(t *testing.T) {
	enter := func(names ...string) func(*Budget) error {
		return func(b *Budget) error {
			for _, name := range names {
				if err := b.Refer(name); err != nil {
					return err
				}
			}
			return nil
		}
	}
	for _, c := range []struct {
		name string
		use  func(*Budget) error
		want string // "" for no error
	}{
		{"bytes up to the limit", func(b *Budget) error {
			return errors.Join(b.Bytes(60), b.Bytes(40))
		}, ""},
		{"bytes beyond it", func(b *Budget) error {
			return errors.Join(b.Bytes(60), b.Bytes(41))
		}, "more than 100 bytes"},
		{"bytes that overflow", func(b *Budget) error {
			return errors.Join(b.Bytes(60), b.Bytes(math.MaxInt64))
		}, "more than 100 bytes"},
		{"negative bytes", func(b *Budget) error { return b.Bytes(-1) }, "more than 100 bytes"},
		{"steps", func(b *Budget) error {
			for {
				if err := b.Step(); err != nil {
					return err
				}
			}
		}, "more than 10 steps"},
		{"levels", enter("a", "b", "c", "d"), "more than 3 levels, in a > b > c"},
		{"as many levels as are allowed", enter("a", "b", "c"), ""},
		{"a circle", enter("x", "a", "b", "a"), "a circle: a refers to b refers to a"},
		{"a circle of one", enter("a", "a"), "a circle: a refers to a"},
		{"the same name again, but not within itself", func(b *Budget) error {
			for range 5 {
				if err := b.Refer("a"); err != nil {
					return err
				}
				b.Leave()
			}
			return nil
		}, ""},
		{"a level is a step", func(b *Budget) error {
			for {
				if err := b.Enter("a"); err != nil {
					return err
				}
				b.Leave()
			}
		}, "more than 10 steps"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := c.use(New(t.Context(), Limits{Bytes: 100, Steps: 10, Depth: 3}))
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, c.want)
			var limit *Error
			require.ErrorAs(t, err, &limit)
		})
	}
}

// TestContext: a context that ends, ends the evaluation within contextSteps steps.
func TestContext(t *testing.T) {
	why := errors.New("stopped by a signal")
	ctx, cancel := context.WithCancelCause(t.Context())
	b := New(ctx, Limits{Bytes: 1, Steps: math.MaxInt64, Depth: 1})
	require.NoError(t, b.Enter("a"))
	cancel(why)
	var err error
	for range contextSteps + 1 {
		if err = b.Step(); err != nil {
			break
		}
	}
	require.ErrorIs(t, err, why)
	assert.EqualError(t, err, "stopped by a signal, in a")
	_, steps := b.Used()
	assert.LessOrEqual(t, steps, int64(contextSteps))
}

// TestPlace: the place of a deep evaluation is short.
func TestPlace(t *testing.T) {
	b := New(t.Context(), Limits{Bytes: 1, Steps: 1000, Depth: 100})
	for range 100 {
		require.NoError(t, b.Enter("n"))
	}
	assert.Equal(t, "n > n > n > n > n > n > n > n > ... > n > n > n > n > n > n > n > n",
		b.Place())
}
