//go:build !go1.25

package explore

import (
	"testing"
	"time"
)

// bubble runs f: before Go 1.25 there are no bubbles.
func bubble(_ *testing.T, _ time.Time, f func()) { f() }

// settle waits until every worker waits at the gate or has ended.
func (g *gate) settle() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for len(g.busy()) > 0 {
		g.changed.Wait()
	}
	return true
}

// now returns the time on the clock of the service, which does not go by itself.
func now(at time.Time) time.Time { return at }

// pass does nothing: the clock of the workers is the real one.
func pass(time.Duration) {}
