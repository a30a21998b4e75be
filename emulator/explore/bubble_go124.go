//go:build !go1.25

package explore

import (
	"testing"
	"time"

	"github.com/kugiri-db/kugiri/emulator/explore/search"
)

// bubble runs f: before Go 1.25 there are no bubbles.
func bubble(_ *testing.T, _ time.Time, f func()) { f() }

// settle waits until every worker waits at the gate or has ended.
func settle(g *search.Gate) bool {
	g.Wait()
	return true
}

// workersClockMoves: the clock of the workers is the real one.
const workersClockMoves = false

// now returns the time on the clock of the service, which does not go by itself.
func now(at time.Time) time.Time { return at }

// pass does nothing: the clock of the workers is the real one.
func pass(time.Duration) {}
