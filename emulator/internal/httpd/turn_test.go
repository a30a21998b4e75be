package httpd

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestTurns: few large bodies are worked on at a time, and small ones wait for none of them.
func TestTurns(t *testing.T) {
	var at, most atomic.Int64
	var all sync.WaitGroup
	for range 50 {
		all.Add(1)
		go func() {
			defer all.Done()
			defer Turn(LeastTurn)()
			n := at.Add(1)
			for seen := most.Load(); n > seen && !most.CompareAndSwap(seen, n); {
				seen = most.Load()
			}
			Turn(LeastTurn - 1)() // would never end if it waited for its own
			at.Add(-1)
		}()
	}
	all.Wait()
	assert.LessOrEqual(t, most.Load(), int64(cap(turns)))
	assert.Empty(t, turns)
}
