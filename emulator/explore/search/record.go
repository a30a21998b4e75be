package search

import (
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
)

// The search claims that all orders were tried only of workers that are deterministic: what a
// worker asks for depends on the answers that it has got and on the time, and on nothing else. It
// compares: at each point it remembers what the worker asked for, and every later run that reaches
// the same point has to ask for the same.

// record holds what workers asked for at the points of their work, in all runs of a search.
type record struct {
	seed   maphash.Seed
	points map[uint64]*point
	texts  map[string]string // one copy of each
	differ string            // the first difference; "": none
}

// point holds what a worker asked for after a past.
type point struct {
	asks  []string // sorted
	ended bool
}

// maxPoints bounds the memory of a record. Further points are not remembered, and those that are
// go on being compared.
const maxPoints = 200_000

func newRecord() *record {
	return &record{seed: maphash.MakeSeed(), points: map[uint64]*point{},
		texts: map[string]string{}}
}

// after returns the past that follows a past by what has happened since.
func (r *record) after(past uint64, what ...string) uint64 {
	var h maphash.Hash
	h.SetSeed(r.seed)
	for _, text := range what {
		h.WriteString(text)
		h.WriteByte(0)
	}
	_, _ = h.WriteString(strconv.FormatUint(past, 36))
	return h.Sum64()
}

// compare compares what a worker asks for at a point with what it asked for there before. Not all
// of its requests need to be there: some may wait for a mutex that another worker holds.
func (r *record) compare(name string, past uint64, nth int, p point) {
	if r.differ != "" {
		return
	}
	before, known := r.points[past]
	if !known {
		if len(r.points) < maxPoints {
			for i, text := range p.asks {
				p.asks[i] = r.keep(text)
			}
			r.points[past] = &p
		}
		return
	}
	if p.ended == before.ended && (within(p.asks, before.asks) || within(before.asks, p.asks)) {
		return
	}
	r.differ = fmt.Sprintf("%s is not the same in each run: after the same answers, its request %d "+
		"is\n  %s\nin one run, and\n  %s\nin another", name, nth, before.other(&p), p.other(before))
}

// keep returns the copy of a text that all points share.
func (r *record) keep(text string) string {
	if known, ok := r.texts[text]; ok {
		return known
	}
	r.texts[text] = text
	return text
}

func within(list, all []string) bool {
	for _, text := range list {
		if !slices.Contains(all, text) {
			return false
		}
	}
	return true
}

// other returns the first request of a point that another point does not have.
func (p *point) other(than *point) string {
	for _, text := range p.asks {
		if !slices.Contains(than.asks, text) {
			return shown(text)
		}
	}
	if p.ended {
		return "none: it has ended"
	}
	return "none"
}
