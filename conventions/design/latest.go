package design

import (
	"fmt"
	"slices"
	"strings"
)

// explainLatest notes in how many requests a pattern reads an item and its newest children.
func explainLatest(plan *Plan, p *Pattern, why string) {
	by, n := p.Newest()
	text := why
	if !p.split {
		how := "one request"
		if slices.ContainsFunc(plan.Queries,
			func(q Query) bool { return q.Pattern == p.Name && q.Fetch }) {
			how = "one Query, and a BatchGetItem for the items that it finds"
		}
		text = fmt.Sprintf("takes %s: %s sorts beyond its items of %s, which a Query reads "+
			"backwards by %s, so the first %d are that item and the newest %d", how, p.Models[0],
			p.Models[1], by, n+1, n)
		text += fmt.Sprintf(". If it is gone, the Query reads one more of %s. %s", p.Models[1],
			upperFirst(why))
	}
	at := slices.IndexFunc(plan.Notes, func(n Note) bool { return n.Step > 2 })
	plan.Notes = slices.Insert(slices.Clone(plan.Notes), max(at, 0),
		Note{Step: 2, About: p.Name, Text: text})
}

func upperFirst(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// requests is in how many requests a plan reads an item and its newest children.
type requests int

const (
	unknown requests = iota
	inOne
	inTwo
)

// latest returns in how many requests the plan that is kept reads a pattern.
func (k *kept) latest(pattern string) requests {
	if k == nil {
		return unknown
	}
	for i := range k.old.Design.Patterns {
		switch p := &k.old.Design.Patterns[i]; {
		case p.Name == pattern && p.Latest != nil:
			return inOne
		case p.Name == childrenOf(pattern):
			return inTwo
		}
	}
	return unknown
}
