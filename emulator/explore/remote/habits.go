package remote

import (
	"crypto/sha256"
	"fmt"

	"github.com/kugiri-db/kugiri/emulator/explore/search"
)

// heard stands for all answers that a worker has got in a run, in their order.
type heard [sha256.Size]byte

// habit is a worker at a point of its work. A worker is deterministic: what it does there depends
// on the answers that it has got, and on nothing else.
type habit struct {
	worker place
	heard  heard
}

// habits are how many requests workers have waiting at such a point: those that a worker sends at
// the same time come one after the other.
type habits map[habit]int

// presence holds what is known about the requests that should wait at the gate.
type presence int

const (
	allThere presence = iota
	unknown           // a worker is at a point where none was before
	missing           // a worker had more requests waiting here before
)

// presence compares the requests that wait at the gate with those that workers had waiting before.
// If there are more, it remembers that.
func (h habits) presence(g *search.Gate, lives map[place]*life) (p presence) {
	for name, l := range lives {
		n := g.Waiting(l.client)
		if l.ended || n == 0 {
			continue
		}
		before, known := h[habit{name, l.heard}]
		switch {
		case known && n < before:
			return missing
		case known:
			h[habit{name, l.heard}] = n
		default:
			p = unknown
		}
	}
	return p
}

// learn remembers how many requests wait.
func (h habits) learn(g *search.Gate, lives map[place]*life) {
	for name, l := range lives {
		if n := g.Waiting(l.client); n > 0 {
			h.remember(habit{name, l.heard}, n)
		}
	}
}

// remember remembers how many requests wait at a point, if it is known or there is room for it.
func (h habits) remember(at habit, n int) {
	if _, known := h[at]; known || len(h) < maxHabits {
		h[at] = n
	}
}

// maxHabits bounds the memory of habits: 100 bytes each.
const maxHabits = 100_000

// hears has a life remember an answer, before the worker gets it.
func (h *host) hears(l *life) func(string, []byte, int, []byte) {
	return func(operation string, request []byte, status int, answer []byte) {
		sum := sha256.New()
		sum.Write(l.heard[:])
		fmt.Fprintf(sum, "%s %d %s %d %s", operation, len(request), request, status, answer)
		h.mu.Lock()
		defer h.mu.Unlock()
		sum.Sum(l.heard[:0])
	}
}
