package fault

import (
	"fmt"
	"math/rand/v2"
)

// count is a matcher that counts the requests that it sees and chooses by the number. In an And it
// sees only the requests that the matchers before it choose.
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

// chance is a matcher that chooses at random.
type chance float64

// Probability chooses requests at random, with a probability from 0 to 1.
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

// part chooses some of the requests that another matcher chooses, by their order.
type part struct {
	kind string // times, after
	n    int
	of   Matcher
}

// Times chooses what m chooses, for the first n requests that m chooses.
func Times(n int, m Matcher) Matcher { return part{"times", n, m} }

// After chooses what m chooses, but not for the first n requests that m chooses.
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
