package growth

import (
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestMeasure(t *testing.T) {
	for name, c := range map[string]struct {
		cost func(n float64) float64 // the cost in milliseconds
		want bool
	}{
		"linear": {func(n float64) float64 { return n / 10 }, false},
		"linear with a logarithm": {func(n float64) float64 { return n / 100 * math.Log2(n) },
			false},
		"quadratic":                  {func(n float64) float64 { return n * n / 1e6 }, true},
		"quadratic behind a line":    {func(n float64) float64 { return n/1000 + n*n/1e5 }, true},
		"exponential":                {func(n float64) float64 { return math.Exp(n / 1000) }, true},
		"quadratic, but quite cheap": {func(n float64) float64 { return n * n / 1e8 }, false},
		"quadratic up to a limit": {func(n float64) float64 {
			if n > 10_000 {
				return 1
			}
			return n * n / 1e6
		}, true},
		"linear with a step": {func(n float64) float64 {
			if n > 5000 {
				return n / 6
			}
			return n / 10
		}, false},
	} {
		_, got := Measure(
			func(n int) time.Duration {
				return time.Duration(c.cost(float64(n)) * float64(time.Millisecond))
			})
		assert.Equal(t, c.want, got, name)
	}
}

// TestTable: a group shows its widest growth, and the widest comes first.
func TestTable(t *testing.T) {
	ms := func(a, b, c int) Costs {
		return Costs{time.Duration(a) * 1e6, time.Duration(b) * 1e6, time.Duration(c) * 1e6}
	}
	var table Table
	table.Add("Cheap", "a", ms(0, 0, 3))
	table.Add("Cheap", "b", ms(0, 0, 4))
	table.Add("Dear", "c", ms(20, 40, 80))
	table.Add("Dear", "d", ms(20, 40, 96))
	assert.Equal(t, " 2.40  Dear                         of    2: d: 20ms, 40ms, 96ms\n"+
		"   -   Cheap                        of    2: b: 4ms\n", table.String())
}

// TestPeak: what is in use at a time counts, and what is garbage does not.
func TestPeak(t *testing.T) {
	var kept [][]byte
	assert.Less(t, Peak(func() {
		for range 64 {
			kept = [][]byte{make([]byte, 1<<20)}
		}
	}), int64(16<<20))
	kept = nil
	assert.Greater(t, Peak(func() {
		for range 64 {
			kept = append(kept, make([]byte, 1<<20))
		}
	}), int64(48<<20))
	runtime.KeepAlive(kept)
}
