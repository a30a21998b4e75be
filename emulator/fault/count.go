package fault

import (
	"fmt"
	"math/rand/v2"
)

// count is a matcher by how many requests it has seen, this one included. It
// sees those that come to it: in an And, those that what is before it chooses.
type count struct {
	kind string // nth, every, first
	n    int
}

// Nth chooses the nth request that it sees, counted from 1.
func Nth(n int) Matcher { return count{"nth", n} }

// Every chooses every nth request that it sees.
func Every(n int) Matcher { return count{"every", n} }

// First chooses the first n requests that it sees.
func First(n int) Matcher { return count{"first", n} }

func (c count) start(*rand.Rand) chooser {
	seen := 0
	return func(r *Request) []bool {
		seen++
		switch c.kind {
		case "nth":
			return all(r, seen == c.n)
		case "every":
			return all(r, seen%c.n == 0)
		}
		return all(r, seen <= c.n)
	}
}

func (c count) validate(int) error {
	if c.n < 1 {
		return fmt.Errorf("%s: must be at least 1", c.kind)
	}
	return nil
}

// chance is a matcher by chance.
type chance float64

// Probability chooses requests by chance, with a probability from 0 to 1.
func Probability(p float64) Matcher { return chance(p) }

func (c chance) start(rng *rand.Rand) chooser {
	return func(r *Request) []bool { return all(r, rng.Float64() < float64(c)) }
}

func (c chance) validate(int) error {
	if !(c >= 0 && c <= 1) {
		return fmt.Errorf("probability: must be from 0 to 1")
	}
	return nil
}

// part is a matcher of some of the requests that another one chooses, by their order.
type part struct {
	kind string // times, after
	n    int
	of   Matcher
}

// Times is m for the first n requests that it chooses.
func Times(n int, m Matcher) Matcher { return part{"times", n, m} }

// After is m without the first n requests that it chooses.
func After(n int, m Matcher) Matcher { return part{"after", n, m} }

func (p part) start(rng *rand.Rand) chooser {
	of, chosen := p.of.start(rng), 0
	return func(r *Request) []bool {
		targets := of(r)
		if targets == nil {
			return nil
		}
		chosen++
		if (chosen <= p.n) != (p.kind == "times") {
			return nil
		}
		return targets
	}
}

func (p part) validate(depth int) error {
	least := 1
	if p.kind == "after" {
		least = 0
	}
	if p.n < least {
		return fmt.Errorf("%s: the count must be at least %d", p.kind, least)
	}
	return validateParts(p.kind, depth, p.of)
}
