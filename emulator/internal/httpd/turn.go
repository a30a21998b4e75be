package httpd

import "runtime"

// LeastTurn is the size of a body from which on its work needs a turn. What is smaller is done
// within a few milliseconds.
const LeastTurn = 256 << 10

// turns bound how many large bodies of the process are worked on at a time, so that small requests
// never wait for a processor behind all of them.
var turns = make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2))

// Turn waits until a body of a size may be worked on, which must not wait for anything itself: to
// decode or decompress it, not to receive or answer it. The caller must call done after that.
func Turn(bytes int) (done func()) {
	if bytes < LeastTurn {
		return func() {}
	}
	turns <- struct{}{}
	return func() { <-turns }
}
