//go:build go1.25

package explore

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/kugiri-db/kugiri/emulator/explore/search"
)

// bubble runs f in a bubble, whose clock shows the time at. It panics if goroutines are left behind
// that wait forever.
func bubble(t *testing.T, at time.Time, f func()) {
	synctest.Test(t, func(*testing.T) {
		time.Sleep(time.Until(at))
		f()
	})
}

// How long on the bubble's clock nothing happens: in a deadlock, and while requests wait for a
// worker that sleeps.
const (
	deadlockAfter = 100 * 365 * 24 * time.Hour
	longestSleep  = search.LongestSleep
)

// settle waits until every worker waits at the gate, has ended, or waits for another worker. It
// returns false if all that have not ended will wait forever. A worker that sleeps wakes.
func settle(g *search.Gate) bool {
	for {
		synctest.Wait()
		busy, waiting := g.Count()
		if busy == 0 || waiting > 0 && !sleepers() {
			return true
		}
		limit := deadlockAfter
		if waiting > 0 {
			limit = longestSleep
		}
		select {
		case <-g.Arrived():
		case <-time.After(limit):
			g.Oversleep()
			return waiting > 0
		}
	}
}

// workersClockMoves: the time that pass has pass is also that of the workers.
const workersClockMoves = true

// now returns the time on the clock of the workers.
func now(time.Time) time.Time { return time.Now() }

// pass has time pass on the clock of the workers.
func pass(d time.Duration) { time.Sleep(d) }
