package source

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/expr"
)

// access is a pattern in the making: what one example of a request shows.
type access struct {
	pattern design.Pattern
	share   float64 // the share of the requests
}

// recorded adds the patterns of the recorded requests or, without requests, of the keys.
func (x *tableReader) recorded() {
	for i := range x.Requests {
		for _, a := range x.patternsOf(&x.Requests[i]) {
			a.pattern.Rate = x.Requests[i].Rate * a.share
			x.addRecorded(a.pattern)
		}
	}
	for i := range x.draft.Design.Patterns {
		p := &x.draft.Design.Patterns[i]
		p.Rate = rounded(p.Rate)
	}
	if len(x.draft.Design.Patterns) == 0 {
		x.draft.warn(
			"no recorded request is of a model; the patterns are those that the keys serve")
		for i, g := range x.groups {
			x.draft.addPatterns(fmt.Sprintf("models[%d]", i), x.keysOf(g)...)
		}
	}
}

// patternsOf returns the patterns of a kind of request. Its examples may be of several: each has
// its share of the rate.
func (x *tableReader) patternsOf(r *Request) []*access {
	var found []*access
	var requests float64
	for _, c := range r.Examples {
		requests += c.requests()
	}
	for _, c := range r.Examples {
		patterns := x.accessesOf(r, c)
		if len(patterns) == 0 {
			x.draft.warn(
				"a request of %s by the partition key %q is of no model of the items that were looked at", indexOrTable(r.Index), c.Partition)
		}
		for _, p := range patterns {
			at := slices.IndexFunc(found,
				func(a *access) bool { return samePattern(&a.pattern, &p) })
			if at < 0 {
				at = len(found)
				found = append(found, &access{pattern: p})
			}
			found[at].share += c.requests() / requests
		}
	}
	return found
}

// rounded returns a number with three digits.
func rounded(n float64) float64 {
	n, _ = strconv.ParseFloat(strconv.FormatFloat(n, 'g', 3, 64), 64)
	return n
}

// addRecorded adds a pattern, or its rate to the same pattern.
func (x *tableReader) addRecorded(p design.Pattern) {
	for i := range x.draft.Design.Patterns {
		if q := &x.draft.Design.Patterns[i]; samePattern(q, &p) {
			q.Rate += p.Rate
			return
		}
	}
	models := p.Models
	if p.Model != "" {
		models = []string{p.Model}
	}
	p.Name = listName(models, p.Equal)
	if p.One {
		p.Name = "one " + words(p.Model) + " by " + and(p.Equal)
	}
	switch {
	case p.Range != "":
		p.Name += " in a range of " + p.Range
	case p.Begins != "":
		p.Name += " by the beginning of " + p.Begins
	}
	path := x.draft.addPattern(p)
	if path == "" {
		return
	}
	if len(p.Models) > 0 {
		x.draft.comment(path, "requests find items of all these models")
	}
	if p.Order != "" && p.Range == "" && p.Begins == "" {
		x.draft.comment(path, "order is that of the key; leave it out if the result needs none")
	}
}

// samePattern reports whether two patterns read the same items in the same order.
func samePattern(a, b *design.Pattern) bool {
	return a.Model == b.Model && slices.Equal(a.Models, b.Models) &&
		slices.Equal(a.Equal, b.Equal) &&
		a.Range == b.Range && a.Begins == b.Begins && a.Order == b.Order &&
		a.Descending == b.Descending && a.One == b.One && a.Consistent == b.Consistent
}

func indexOrTable(index string) string {
	if index == "" {
		return "the table"
	}
	return index
}

// accessesOf returns the patterns of a request: one that reads one model or several together or, if
// several have no attributes in common, one for each. It returns none if the request finds items of
// no model.
func (x *tableReader) accessesOf(r *Request, c Condition) []design.Pattern {
	i := slices.IndexFunc(x.keys(), func(k TableIndex) bool { return k.Name == r.Index })
	if i < 0 {
		return nil
	}
	key := x.keys()[i].Key
	if c.equal() > len(key.Names()) {
		return nil
	}
	groups := x.found(key, c)
	if r.One {
		groups = groups[:min(len(groups), 1)]
	}
	var apart []design.Pattern
	for _, g := range groups {
		p := x.accessOf(r, c, key, g)
		if len(groups) > 1 && len(groups) <= design.MaxTogether && x.together(&p, groups) {
			return []design.Pattern{p}
		}
		apart = append(apart, p)
	}
	return apart
}

// accessOf returns the pattern of a request that reads items of a group.
func (x *tableReader) accessOf(r *Request, c Condition, key design.Key, g *group) design.Pattern {
	p := design.Pattern{
		Model: g.model.Name, Equal: slices.Clone(g.keys[key.Partition].attributes()),
		Descending: r.Descending, Consistent: r.Consistent, Returned: r.Returned,
	}
	if key.Several() {
		for _, name := range key.Names()[1:c.equal()] {
			p.Equal = append(p.Equal, g.keys[name].attributes()...)
		}
		sort, rest := c.ofSeveral(key)
		x.bySort(&p, &g.model, g.keys[sort], rest)
	} else {
		x.bySort(&p, &g.model, g.keys[key.Sort], c)
	}
	p.Equal = unique(p.Equal)
	covered := !slices.ContainsFunc(g.model.Key,
		func(name string) bool { return !slices.Contains(p.Equal, name) })
	if r.One || r.Limit == 1 {
		p.Returned = 1
	}
	if p.One = covered; covered {
		p.Returned = 0
		p.Range, p.Begins, p.Order, p.Descending = "", "", "", false
	}
	return p
}

// together makes a pattern one that reads items of several groups, if all have its attributes.
func (x *tableReader) together(p *design.Pattern, groups []*group) bool {
	q := *p
	q.Model, q.Models = "", []string{p.Model}
	for _, g := range groups {
		if g.model.Name != p.Model {
			q.Models = append(q.Models, g.model.Name)
		}
	}
	d := x.draft
	if !d.common(&q, q.Equal...) || q.Range != "" && !d.common(&q, q.Range) || q.Begins != "" &&
		!d.common(&q, q.Begins) {
		return false
	}
	if q.Order != "" && !d.common(&q, q.Order) {
		q.Order, q.Descending = "", false
	}
	q.One = false
	*p = q
	return true
}

// requests returns how many requests had the condition.
func (c *Condition) requests() float64 {
	if c.Requests > 0 {
		return c.Requests
	}
	return 1
}

// found returns the groups with items that a condition selects or, if it selects none, those whose
// keys it fits.
func (x *tableReader) found(key design.Key, c Condition) []*group {
	var found, fitting []*group
	for _, g := range x.groups {
		if !g.in(key) {
			continue
		}
		if slices.ContainsFunc(g.items, func(it Item) bool { return c.selects(it, key) }) {
			found = append(found, g)
		}
		if key.Several() { // it has items of one model, most likely
			fitting = append(fitting, g)
			continue
		}
		if x.fits(g, key.Partition, c.Partition) && (c.From == "" || x.fits(g, key.Sort, c.From)) {
			fitting = append(fitting, g)
		}
	}
	if len(found) == 0 {
		return fitting
	}
	return found
}

// selects reports whether a condition selects an item. Numbers compare as texts, which is enough
// for the values of one request.
func (c *Condition) selects(it Item, key design.Key) bool {
	name, rest := key.Sort, *c
	if it.Attributes[key.Partition].Text != c.Partition {
		return false
	}
	if key.Several() {
		values := slices.Concat(c.Also, []string{c.From})
		for i, other := range key.Names()[1:c.equal()] {
			if it.Attributes[other].Text != values[i] {
				return false
			}
		}
		name, rest = c.ofSeveral(key)
	}
	return rest.holds(it.Attributes[name].Text)
}

// equal returns how many attributes of a key of several have one value, at most as many as there
// can be.
func (c *Condition) equal() int {
	n := 1 + len(c.Also)
	if c.Operator == expr.KeyEqual {
		n++
	}
	return n
}

// ofSeveral returns the attribute of a key of several that has no value of its own in a condition,
// "" for none, and the condition on it.
func (c *Condition) ofSeveral(key design.Key) (name string, rest Condition) {
	if names := key.Names(); c.equal() < len(names) {
		name = names[c.equal()]
	}
	if c.Operator != expr.KeyEqual {
		rest = Condition{Operator: c.Operator, From: c.From, To: c.To}
	}
	return name, rest
}

// holds reports whether a condition on the sort key holds for a text.
func (c *Condition) holds(sort string) bool {
	switch c.Operator {
	case expr.KeyEqual:
		return sort == c.From
	case expr.KeyBeginsWith:
		return strings.HasPrefix(sort, c.From)
	case expr.KeyBetween:
		return c.From <= sort && sort <= c.To
	case expr.KeyLess:
		return sort < c.From
	case expr.KeyAtMost:
		return sort <= c.From
	case expr.KeyGreater:
		return sort > c.From
	case expr.KeyAtLeast:
		return sort >= c.From
	}
	return true
}

// fits reports whether a value, or the beginning of one, may be that of a group's key.
func (x *tableReader) fits(g *group, name, value string) bool {
	segments := strings.Split(value, x.separator)
	for i, s := range g.keys[name] {
		if i == len(segments) || i == len(segments)-1 && segments[i] == "" {
			return true
		}
		a := g.model.Attribute(s.attribute)
		if a == nil && s.text != segments[i] || a != nil && a.Format != design.Any &&
			i < len(segments)-1 && formatOfText(segments[i]) != a.Format {
			return false
		}
		if a != nil && a.Format != design.Any && name != "" && len(g.keys[name]) == 1 &&
			formatOfText(value) != a.Format {
			return false
		}
	}
	return true
}

// bySort adds what the condition on the sort key says to a pattern: further attributes with one
// value, a range or a beginning, and the order.
func (x *tableReader) bySort(p *design.Pattern, m *design.Model, sort pattern, c Condition) {
	known := 0
	from, to := strings.Split(c.From, x.separator), strings.Split(c.To, x.separator)
	switch c.Operator {
	case expr.KeyEqual:
		known = len(sort)
	case expr.KeyBeginsWith:
		known = min(len(from), len(sort)) - 1 // what follows the last separator is not whole
	case expr.KeyBetween:
		for known < min(len(from), len(to), len(sort)-1) && from[known] == to[known] {
			known++
		}
	case expr.KeyLess, expr.KeyAtMost, expr.KeyGreater, expr.KeyAtLeast:
		for known < len(sort) && sort[known].attribute == "" {
			known++
		}
	}
	known = min(known, len(sort))
	p.Equal = append(slices.Clone(p.Equal), sort[:known].attributes()...)
	for _, s := range sort[known:] {
		a := m.Attribute(s.attribute)
		if a == nil || a.Constant != "" || slices.Contains(p.Equal, s.attribute) {
			continue
		}
		p.Order = s.attribute
		switch partly := c.Operator == expr.KeyBeginsWith && from[len(from)-1] != ""; {
		case partly && a.Type == design.String:
			p.Begins = s.attribute
		case partly, c.Operator == expr.KeyBetween, strings.ContainsAny(string(c.Operator), "<>"):
			p.Range = s.attribute
		}
		return
	}
	p.Descending = false
}
