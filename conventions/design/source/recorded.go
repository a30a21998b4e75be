package source

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// access is a pattern in the making: what one example of a request shows.
type access struct {
	pattern design.Pattern
	share   float64 // of the requests
}

// recorded adds the patterns of the recorded requests. The examples of one may be of several patterns:
// each has its share of the rate.
func (x *tableReader) recorded() {
	for i := range x.Requests {
		r := &x.Requests[i]
		var found []*access
		var requests float64
		for _, c := range r.Examples {
			requests += cmp.Or(c.Requests, 1)
		}
		for _, c := range r.Examples {
			p, ok := x.accessOf(r, c)
			if !ok {
				x.draft.warn("a request of %s by the partition key %q is of no model of the items that were looked at", indexOrTable(r.Index), c.Partition)
				continue
			}
			same := func(a *access) bool { return samePattern(&a.pattern, &p) }
			at := slices.IndexFunc(found, same)
			if at < 0 {
				at = len(found)
				found = append(found, &access{pattern: p})
			}
			found[at].share += cmp.Or(c.Requests, 1) / requests
		}
		for _, a := range found {
			a.pattern.Rate = r.Rate * a.share
			x.addRecorded(a.pattern)
		}
	}
	for i := range x.draft.Design.Patterns {
		x.draft.Design.Patterns[i].Rate = rounded(x.draft.Design.Patterns[i].Rate)
	}
	if len(x.draft.Design.Patterns) == 0 {
		x.draft.warn("no recorded request is of a model; the patterns are those that the keys serve")
		x.Requests = nil
		for i, g := range x.groups {
			var keys []keyed
			for _, k := range x.keys() {
				if g.in(k.Key) {
					keys = append(keys, keyed{partition: g.keys[k.Key.Partition].attributes(), sort: g.keys[k.Key.Sort].attributes()})
				}
			}
			x.draft.addPatterns(fmt.Sprintf("models[%d]", i), keys...)
		}
	}
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
	if p.Range != "" {
		p.Name += " in a range of " + p.Range
	}
	path := x.draft.addPattern(p)
	if path == "" {
		return
	}
	if len(p.Models) > 0 {
		x.draft.comment(path, "requests find items of all these models")
	}
	if p.Order != "" && p.Range == "" {
		x.draft.comment(path, "order is that of the key; leave it out if the result needs none")
	}
}

// samePattern reports whether two patterns read the same items in the same order.
func samePattern(a, b *design.Pattern) bool {
	return a.Model == b.Model && slices.Equal(a.Models, b.Models) && slices.Equal(a.Equal, b.Equal) &&
		a.Range == b.Range && a.Order == b.Order && a.Descending == b.Descending && a.One == b.One && a.Consistent == b.Consistent
}

func indexOrTable(index string) string {
	if index == "" {
		return "the table"
	}
	return index
}

// accessOf returns the pattern of a request. ok is false if it finds items of no model.
func (x *tableReader) accessOf(r *Request, c Condition) (p design.Pattern, ok bool) {
	i := slices.IndexFunc(x.keys(), func(k TableIndex) bool { return k.Name == r.Index })
	if i < 0 {
		return p, false
	}
	key := x.keys()[i].Key
	groups := x.found(key, c)
	if len(groups) == 0 {
		return p, false
	}
	if len(groups) > design.MaxTogether || r.One {
		groups = groups[:1]
	}
	g := groups[0]
	p = design.Pattern{Model: g.model.Name, Equal: g.keys[key.Partition].attributes(), Descending: r.Descending, Consistent: r.Consistent, Returned: r.Returned}
	for _, other := range groups[1:] {
		p.Models = append(p.Models, other.model.Name)
	}
	if len(p.Models) > 0 {
		p.Models, p.Model = append([]string{g.model.Name}, p.Models...), ""
	}
	x.bySort(&p, g.keys[key.Sort], c)
	p.Equal = unique(p.Equal)
	covered := !slices.ContainsFunc(g.model.Key, func(name string) bool { return !slices.Contains(p.Equal, name) })
	if p.One = p.Model != "" && (r.One || r.Limit == 1 || covered); p.One {
		p.Returned = 0
		if covered {
			p.Range, p.Order, p.Descending = "", "", false
		}
	}
	return p, true
}

// found returns the groups with items that a condition selects or, if there are none, those whose keys
// it fits.
func (x *tableReader) found(key design.Key, c Condition) []*group {
	var found, fitting []*group
	for _, g := range x.groups {
		if !g.in(key) {
			continue
		}
		if slices.ContainsFunc(g.items, func(it Item) bool { return c.selects(it, key) }) {
			found = append(found, g)
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

// selects reports whether a condition selects an item. Numbers compare as texts, which is enough for
// the values of one request.
func (c *Condition) selects(it Item, key design.Key) bool {
	sort := it.Attributes[key.Sort].Text
	if it.Attributes[key.Partition].Text != c.Partition {
		return false
	}
	switch c.Operator {
	case "=":
		return sort == c.From
	case "begins_with":
		return strings.HasPrefix(sort, c.From)
	case "BETWEEN":
		return c.From <= sort && sort <= c.To
	case "<":
		return sort < c.From
	case "<=":
		return sort <= c.From
	case ">":
		return sort > c.From
	case ">=":
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
		a := attributeOf(&g.model, s.attribute)
		if a == nil && s.text != segments[i] || a != nil && a.Format != design.Any && i < len(segments)-1 && formatOfText(segments[i]) != a.Format {
			return false
		}
		if a != nil && a.Format != design.Any && name != "" && len(g.keys[name]) == 1 && formatOfText(value) != a.Format {
			return false
		}
	}
	return true
}

// bySort adds what the condition on the sort key says to a pattern: further attributes with one value,
// a range, and the order.
func (x *tableReader) bySort(p *design.Pattern, sort pattern, c Condition) {
	known := 0
	from, to := strings.Split(c.From, x.separator), strings.Split(c.To, x.separator)
	switch c.Operator {
	case "=":
		known = len(sort)
	case "begins_with":
		known = min(len(from), len(sort)) - 1 // what follows the last separator is not whole
	case "BETWEEN":
		for known < min(len(from), len(to), len(sort)-1) && from[known] == to[known] {
			known++
		}
	case "<", "<=", ">", ">=":
		for known < len(sort) && sort[known].attribute == "" {
			known++
		}
	}
	known = min(known, len(sort))
	p.Equal = append(slices.Clone(p.Equal), sort[:known].attributes()...)
	for _, s := range sort[known:] {
		if s.attribute == "" || slices.Contains(p.Equal, s.attribute) {
			continue
		}
		p.Order = s.attribute
		if c.Operator == "BETWEEN" || strings.ContainsAny(c.Operator, "<>") || c.Operator == "begins_with" && from[len(from)-1] != "" {
			p.Range = s.attribute
		}
		return
	}
	p.Descending = false
}
