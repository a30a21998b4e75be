package design

import (
	"fmt"
	"math"
	"slices"
)

// skewed reports whether some values of an attribute are more frequent than others.
func (a *Attribute) skewed() bool { return a.Zipf > 0 || a.Largest > 0 }

// Heaviest returns which part of a model's items has the most frequent value of an attribute, if
// the items are of the design's number.
func (m *Model) Heaviest(name string) float64 {
	a, values := m.Attribute(name), float64(m.values(name))
	switch {
	case a.Largest > 0 && m.Items > 0:
		return max(min(float64(a.Largest)/float64(m.Items), 1), 1/values)
	case a.Zipf > 0:
		return 1 / zeta(a.Zipf, values)
	case len(a.Stays) > 0:
		return flow{m}.fullest(a)
	}
	return 1 / values
}

// zeta returns the sum of k^-s for k from 1 to n, s being above 1: the first terms, and the
// integral of the rest.
func zeta(s, n float64) (sum float64) {
	const terms = 1000
	for k := 1.0; k <= min(n, terms); k++ {
		sum += math.Pow(k, -s)
	}
	if n > terms {
		sum += (math.Pow(terms+0.5, 1-s) - math.Pow(n+0.5, 1-s)) / (s - 1)
	}
	return sum
}

// partitionShare returns which part of a model's items has the most frequent partition key. The
// writes of one time are in one period, and as frequent in each state as items come into it:
// without periods the share is that of writes.
func partitionShare(p *Plan, model string, v Value, periods bool) float64 {
	m, share := p.Design.Model(model), 1.0
	for _, part := range v {
		if part.Attribute == "" {
			continue
		}
		a := m.Attribute(part.Attribute)
		switch d := a.Derived; {
		case periods:
			share *= m.Heaviest(a.Name)
		case len(a.Stays) > 0:
			share /= float64(a.Values)
		case d == nil || d.Period == "":
			share *= m.Heaviest(a.Name)
		}
	}
	return max(share, 1/float64(max(m.Items, 1)))
}

// keyed writes whether a model's share is that of each partition key, or of the most frequent one.
func keyed(m *Model, v Value) string {
	if slices.ContainsFunc(v, func(part Part) bool {
		a := m.Attribute(part.Attribute)
		return a != nil && a.skewed()
	}) {
		return "the most frequent"
	}
	return "each"
}

// fullOf returns keyed, or "the most frequent" if the value has a state in which items stay for a
// known time: then most items may be in one state.
func fullOf(m *Model, v Value) string {
	if slices.ContainsFunc(v, func(part Part) bool {
		a := m.Attribute(part.Attribute)
		return a != nil && len(a.Stays) > 0
	}) {
		return "the most frequent"
	}
	return keyed(m, v)
}

// maxZipf is the largest exponent of a skew: nearly all items have one value.
const maxZipf = 10

// ParseSkew reads a skew such as "zipf 1.1".
func ParseSkew(text string) (zipf float64, err error) {
	if n, err := fmt.Sscanf(text, "zipf %g", &zipf); n != 1 || err != nil ||
		text != FormatSkew(zipf) {
		return 0, fmt.Errorf("want zipf with its exponent, such as zipf 1.1")
	}
	return zipf, nil
}

// FormatSkew writes a skew as ParseSkew reads it.
func FormatSkew(zipf float64) string { return fmt.Sprintf("zipf %g", zipf) }
