package design_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/conventions/design"
)

var (
	filtered = regexp.MustCompile(`a filter over \S+ in (the table|GSI\d+) ` +
		`\(([\d.,]+) USD: it reads ([\d.,]+) items for ([\d.,]+)[^)]*\)` +
		`\. Without (?:the copies of (\S+) in )?(\S+), which no other pattern reads, ` +
		`that (saves|costs) ([\d.,]+) USD`)
)

// TestRejectedPrices checks the prices of the choices that a plan rejected, for random designs: a
// filter costs as much as a query of all that the filter reads, and saves what the plan without the
// copies saves.
func TestRejectedPrices(t *testing.T) {
	filters, saving := 0, map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		d := drawDesign(t)
		for i := range d.Models {
			m := &d.Models[i]
			m.Items = rapid.SampledFrom([]int64{300, 1_500_000}).Draw(t, "items")
			m.Puts = float64(rapid.IntRange(1, 50).Draw(t, "puts"))
			m.Changes = []design.Change{{Of: []string{"y"}, Rate: 3}}
			m.Attribute("y").Mutable = true
		}
		for i := range d.Patterns {
			p := &d.Patterns[i]
			p.Rate = float64(rapid.IntRange(1, 50).Draw(t, "rate"))
			p.Returned = float64(rapid.IntRange(1, 50).Draw(t, "returned"))
			if was := *p; rapid.Bool().Draw(t, "filter") && len(p.Equal) == 2 {
				p.Filter, p.Equal = p.Equal[1:], p.Equal[:1]
				if d.Check() != nil {
					*p = was
				}
			}
		}
		p, err := design.Make(d)
		if err != nil {
			return
		}
		for i := range p.Queries {
			text := rejectedOf(p, p.Queries[i].Pattern)
			if m := filtered.FindStringSubmatch(text); m != nil {
				filters++
				saving[m[7]]++
				requireFiltered(t, p, i, m)
			}
		}
	})
	require.Positive(t, filters)
	require.Len(t, saving, 2, "some filters cost more than the copies")
}

// requireFiltered checks the price of a filter against that of a query that returns all that the
// filter reads. It reads at least the result, and no index that lacks a part of the items.
func requireFiltered(t *rapid.T, p *design.Plan, i int, m []string) {
	read, result := number(m[3]), number(m[4])
	require.GreaterOrEqual(t, read, result)
	with := p.Clone()
	with.Design.Patterns = slices.Clone(p.Design.Patterns)
	pattern, q := &with.Design.Patterns[i], &with.Queries[i]
	pattern.One, pattern.Filter, pattern.Returned = false, nil, read
	q.Operation, q.Spread, q.Fetch, q.Index = design.QueryRequest, nil, false, ""
	if m[1] != "the table" {
		q.Index = m[1]
		index := p.Index(m[1])
		require.True(t, index.Projection.Type == "" || len(pattern.Attributes) > 0 ||
			index.Projection.Type == design.Include, "%s lacks attributes", m[1])
	}
	cost := with.Cost(design.ListPrices()).Patterns[i].Dollars
	require.InDelta(t, cost, number(m[2]), 0.006+0.02*cost, "%s: %v", pattern.Name, m)

	at := slices.IndexFunc(with.Indexes, func(x design.Index) bool { return x.Name == m[6] })
	if m[5] == "" {
		with.Indexes = slices.Delete(with.Indexes, at, at+1)
	} else {
		with.Indexes[at].Models = slices.DeleteFunc(slices.Clone(with.Indexes[at].Models),
			func(model string) bool { return model == m[5] })
	}
	saves := p.Cost(design.ListPrices()).Total() - with.Cost(design.ListPrices()).Total()
	if m[7] == "costs" {
		saves = -saves
	}
	require.InDelta(t, saves, number(m[8]), 0.006+0.02*cost, "%s: %v", pattern.Name, m)
}

// rejectedOf returns what a plan says of the choices for a pattern.
func rejectedOf(p *design.Plan, pattern string) string {
	for _, n := range p.Notes {
		if n.Step == 8 && n.About == pattern {
			return n.Text
		}
	}
	return ""
}

func number(text string) float64 {
	n, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
	if err != nil {
		panic(err)
	}
	return n
}
