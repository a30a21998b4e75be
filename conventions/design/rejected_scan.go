package design

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// tooDear is how many times as dear as the chosen way another one is no alternative. A Scan for a
// report that runs once a night may cost less than an index.
const tooDear = 10

// mostTimes is the most that a plan says a Scan costs in place of the chosen ways.
const mostTimes = 1000

// timesByScan returns how many times as dear a Scan of the table is as the chosen way of a pattern;
// 0 if the design does not say how large the table is.
func (r *rejection) timesByScan(i int) float64 {
	if slices.ContainsFunc(r.source.Models, func(m Model) bool { return m.Items == 0 }) {
		return 0
	}
	return r.times(i, tableBytes(r.Plan))
}

// times returns how many times as dear reads of a number of bytes are as the chosen way of a
// pattern with what only this pattern reads; 0 if that costs nothing.
func (r *rejection) times(i int, bytes float64) float64 {
	share := r.reading(i, bytes)
	share.priceBy(r.cost.Prices)
	_, only := r.onlyFor(i)
	chosen := r.cost.Patterns[i].Dollars + only
	if chosen == 0 {
		return 0
	}
	return share.Dollars / chosen
}

// scan says what a Scan of the table costs.
func (r *rejection) scan(i int) string {
	bytes := tableBytes(r.Plan)
	return fmt.Sprintf("a Scan of the table with a filter (%s, each in %s)%s",
		r.money(r.reading(i, bytes)), requestsOf(bytes), r.instead(i, bytes))
}

// scans says of several patterns at once how dear a Scan is.
func (r *rejection) scans(patterns []int) string {
	least := math.Inf(1)
	for _, i := range patterns {
		least = min(least, r.timesByScan(i))
	}
	var whose, rest []string
	for i := range r.Queries {
		name := r.Queries[i].Pattern
		if slices.Contains(patterns, i) {
			whose = append(whose, name)
		} else if slices.ContainsFunc(r.source.Patterns,
			func(p Pattern) bool { return p.Name == name }) {
			rest = append(rest, name)
		}
	}
	whom := "each pattern"
	switch {
	case len(rest) >= len(whose):
		whom = strings.Join(whose, ", ")
	case len(rest) > 0:
		whom += " but " + strings.Join(rest, ", ")
	}
	times := "at least " + Grouped(math.Floor(least), 0)
	if least > mostTimes {
		times = "more than " + Grouped(mostTimes, 0)
	}
	return fmt.Sprintf("a Scan of the table with a filter, in %s, would cost %s times as much for "+
		"%s", requestsOf(tableBytes(r.Plan)), times, whom)
}

// pageBytes is how much a Query or a Scan reads at most (Developer Guide, "Paginating table query
// results").
const pageBytes = 1 << 20

// inRequests says that a read of a number of bytes takes several requests, or "".
func inRequests(bytes float64) string {
	if bytes <= pageBytes {
		return ""
	}
	return ", in " + requestsOf(bytes)
}

func requestsOf(bytes float64) string {
	n := max(math.Ceil(bytes/pageBytes), 1)
	if n == 1 {
		return "one request"
	}
	return Grouped(n, 0) + " requests"
}
