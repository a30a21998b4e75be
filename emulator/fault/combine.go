package fault

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// and and or combine matchers.
type (
	and []Matcher
	or  []Matcher
)

// And chooses the targets that all of ms choose. It asks them in order, and stops when no target is
// left. So First and the other counting matchers, if they come last, count only the requests that
// the matchers before them choose.
func And(ms ...Matcher) Matcher { return and(ms) }

// Or chooses the targets that at least one of ms chooses. It asks all of them.
func Or(ms ...Matcher) Matcher { return or(ms) }

func startAll(ms []Matcher, rng *rand.Rand) []chooser {
	started := make([]chooser, len(ms))
	for i, m := range ms {
		started[i] = m.start(rng)
	}
	return started
}

func (a and) start(rng *rand.Rand) chooser {
	parts := startAll(a, rng)
	return func(r *Request) []bool {
		chosen := all(r, true)
		for _, p := range parts {
			others := p(r)
			if others == nil {
				return nil
			}
			for i := range chosen {
				chosen[i] = chosen[i] && others[i]
			}
			if !slices.Contains(chosen, true) {
				return nil
			}
		}
		return chosen
	}
}

func (o or) start(rng *rand.Rand) chooser {
	parts := startAll(o, rng)
	return func(r *Request) []bool {
		var chosen []bool
		for _, p := range parts {
			others := p(r)
			if chosen == nil {
				chosen = others
				continue
			}
			for i := range others {
				chosen[i] = chosen[i] || others[i]
			}
		}
		return chosen
	}
}

func (a and) validate(depth int) error { return validateParts("and", depth, a...) }
func (o or) validate(depth int) error  { return validateParts("or", depth, o...) }

// not is the opposite of a matcher.
type not struct{ of Matcher }

// Not chooses the targets that m does not choose.
func Not(m Matcher) Matcher { return not{m} }

func (n not) start(rng *rand.Rand) chooser {
	of := n.of.start(rng)
	return func(r *Request) []bool {
		rest := all(r, true)
		for i, chosen := range of(r) {
			rest[i] = !chosen
		}
		if !slices.Contains(rest, true) {
			return nil
		}
		return rest
	}
}

func (n not) validate(depth int) error { return validateParts("not", depth, n.of) }

// validateParts validates the matchers that another one consists of.
func validateParts(of string, depth int, parts ...Matcher) error {
	switch {
	case depth >= maxDepth:
		return fmt.Errorf("%s: nested too deep, the limit is %d", of, maxDepth)
	case len(parts) == 0:
		return fmt.Errorf("%s: matchers are missing", of)
	}
	for _, p := range parts {
		if p == nil {
			return fmt.Errorf("%s: matchers are missing", of)
		}
		if err := p.validate(depth + 1); err != nil {
			return fmt.Errorf("%s: %w", of, err)
		}
	}
	return nil
}
