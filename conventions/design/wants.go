package design

import (
	"fmt"
	"slices"
	"strings"
)

// key is a pair of lists of attributes of one model: the parts of its partition key and of its sort
// key.
type key struct {
	partition, sort []string
	together        int    // 1 + the pattern over several models that alone reads by it; 0 is none
	where           string // the attribute that only some items have; "" is none
	exact           bool   // the sort key has no further attributes
}

func (k key) String() string {
	if len(k.sort) == 0 {
		return "(" + strings.Join(k.partition, "+") + ")"
	}
	return "(" + strings.Join(k.partition, "+") + ", " + strings.Join(k.sort, "+") + ")"
}

// serves reports whether items in the order of k can be read as if they were in the order of w.
func (k key) serves(w key) bool {
	if k.together != w.together || k.where != w.where || (w.exact && len(k.sort) > len(w.sort)) {
		return false
	}
	return slices.Equal(k.partition, w.partition) && len(w.sort) <= len(k.sort) && slices.Equal(k.sort[:len(w.sort)], w.sort)
}

// want is what one pattern needs of a key of a model. Each of the alternatives will do; the first is
// preferred.
type want struct {
	pattern      int
	equal        []string // attributes of the model with one value in a request
	together     bool     // the pattern reads several models
	alternatives []key
}

// constantName is the attribute that gives items of a model one partition.
const constantName = "type"

// wantsOf returns the wants of each model's patterns, and adds constant attributes to models whose
// patterns read all items.
func (p *planner) wantsOf() {
	p.note(2, "", "(a, b) is a key with the partition key a and the sort key b; a+b is both, joined")
	for i := range p.design.Patterns {
		pattern := &p.design.Patterns[i]
		if pattern.Similar != "" {
			continue // a vector index serves it
		}
		for _, name := range pattern.models() {
			m := p.modelIndex(name)
			p.wants[m] = append(p.wants[m], p.wantOfPattern(i, m))
		}
		p.explainWant(pattern, p.wantOf(p.modelIndex(pattern.models()[0]), i))
	}
}

func (p *planner) explainWant(pattern *Pattern, w *want) {
	p.note(2, pattern.Name, "reads %s by %s", strings.Join(pattern.models(), " and "), w.alternatives[0])
	if n := len(pattern.Equal); n >= 3 && !pattern.One {
		p.warn(2, pattern.Name, "names %d attributes: a key holds them only joined, in this order. "+
			"If requests leave some out, a table of its own or a search engine serves the pattern better", n)
	}
}

// wantOfPattern returns what a pattern needs of the keys of a model.
func (p *planner) wantOfPattern(i, m int) want {
	pattern, model := &p.design.Patterns[i], p.models[m].Name
	w := want{pattern: i, together: len(pattern.Models) > 0}
	for _, name := range pattern.Equal {
		w.equal = append(w.equal, p.design.AttributeOf(pattern, model, name))
	}
	where := ""
	if len(pattern.Where) > 0 {
		where = p.addWhere(m, pattern)
		w.equal = append(w.equal, where)
	}
	spread := p.spreadOver(m, pattern)
	var sort []string
	if by := p.design.AttributeOf(pattern, model, pattern.SortBy()); by != "" {
		sort = []string{by}
	}
	switch {
	case p.design.Tenants != nil:
		w.alternatives = p.ofTenant(i, m, w.equal, spread, sort)
	case w.together:
		w.alternatives = p.alternativesTogether(i, m, slices.Concat(w.equal, spread), sort)
	case len(spread) > 0 && len(w.equal) == 0:
		w.alternatives = []key{{partition: append([]string{p.constant(m, pattern)}, spread...), sort: sort}}
	case len(spread) > 0:
		w.alternatives = []key{{partition: slices.Concat(w.equal, spread), sort: sort}}
	case len(w.equal) == 0:
		w.alternatives = []key{{partition: []string{p.constant(m, pattern)}, sort: sort}}
	case len(w.equal) == 1:
		w.alternatives = []key{{partition: w.equal, sort: sort}}
	default:
		w.alternatives = p.severalEqual(m, w.equal, sort)
	}
	for j := range w.alternatives {
		w.alternatives[j].where = where
		w.alternatives[j].exact = len(sort) > 0 && p.models[m].Attribute(sort[0]).freeText()
	}
	return w
}

// spreadOver returns the attributes over which a pattern spreads its partitions.
func (p *planner) spreadOver(m int, pattern *Pattern) (names []string) {
	if pattern.Period != "" {
		names = append(names, p.addPeriod(m, pattern))
	}
	if pattern.Shards > 1 {
		names = append(names, p.addShard(m, pattern))
	}
	return names
}

// alternativesTogether returns the keys that serve a pattern over several models. Without an order any
// sort keys will do, also those by which other patterns read one of the models. In an order they must
// not begin with the model's name, so no other pattern reads by them.
func (p *planner) alternativesTogether(i, m int, equal, sort []string) []key {
	pattern := &p.design.Patterns[i]
	if len(pattern.Equal) == 0 && len(pattern.Where) == 0 {
		equal = append([]string{p.constantTogether(m, pattern)}, equal...)
	}
	return p.keysTogether(i, equal, sort)
}

// keysTogether returns the keys of models with a partition and an order that are read together.
func (p *planner) keysTogether(i int, equal, sort []string) []key {
	alone := key{partition: equal, sort: sort, together: p.alike(i) + 1}
	if len(sort) > 0 {
		return []key{alone}
	}
	return []key{{partition: equal}, alone}
}

// severalEqual returns the keys that serve a pattern with several equal attributes: one of them is
// the partition and the others begin the sort key, or all are joined in the partition. The attribute
// with the most values is the first choice, because it spreads best.
func (p *planner) severalEqual(m int, equal, sort []string) []key {
	model := &p.models[m]
	byValues := slices.Clone(equal)
	slices.SortStableFunc(byValues, func(a, b string) int {
		return int(min(max(model.values(b)-model.values(a), -1), 1))
	})
	var keys []key
	for _, partition := range byValues {
		rest := slices.DeleteFunc(slices.Clone(equal), func(a string) bool { return a == partition })
		keys = append(keys, key{partition: []string{partition}, sort: slices.Concat(rest, sort)})
	}
	return append(keys, key{partition: equal, sort: sort})
}

// constant returns the name of the constant attribute of a model. If it has none, it gets one.
func (p *planner) constant(m int, pattern *Pattern) string {
	model := &p.models[m]
	for i := range model.Attributes {
		if a := &model.Attributes[i]; a.Constant != "" && a.Derived == nil {
			return model.Attributes[i].Name
		}
	}
	return p.addConstant(m, pattern, constantName, strings.ToLower(model.Name))
}

// addConstant adds a constant attribute to a model, unless it has the same one already.
func (p *planner) addConstant(m int, pattern *Pattern, name, value string) string {
	name, added := p.addAttribute(m, Attribute{Name: name, Type: String, Constant: value, Bytes: len(value), Values: 1})
	if added {
		p.note(2, pattern.Name, "names no attribute, so all items of %s need one partition key: each gets the attribute %s with the value %q", p.models[m].Name, name, value)
	}
	return name
}

// Different returns how many different values attributes of a model have together.
func (d *Design) Different(model string, attributes []string) int64 {
	m, n := d.Model(model), int64(1)
	for _, name := range attributes {
		n = min(n*m.values(name), max(m.Items, 1))
	}
	return n
}

// values returns how many values an attribute has.
func (m *Model) values(name string) int64 {
	a := m.Attribute(name)
	switch {
	case a.Constant != "":
		return 1
	case a.Values > 0:
		return a.Values
	}
	return max(m.Items, 1)
}

// freeText reports whether an attribute's values can have characters that sort before separators. Then
// nothing can follow them in a sort key: "ab c#1" sorts before "ab#1".
func (a *Attribute) freeText() bool {
	return a.Type == Binary || a.Type == String && a.Format == Any && a.Constant == ""
}

// Note is a decision with its reason, or a warning.
type Note struct {
	Step    int    // 1 to 6, or 7 for what the steps do not cover
	About   string // a pattern, a model, an index or ""
	Text    string
	Warning bool
}

func (n Note) String() string {
	text := n.Text
	if n.About != "" {
		text = n.About + ": " + text
	}
	if n.Warning {
		text = "warning: " + text
	}
	return fmt.Sprintf("%d. %s", n.Step, text)
}

func (p *planner) note(step int, about, format string, args ...any) {
	p.notes = append(p.notes, Note{Step: step, About: about, Text: fmt.Sprintf(format, args...)})
}

func (p *planner) warn(step int, about, format string, args ...any) {
	p.notes = append(p.notes, Note{Step: step, About: about, Text: fmt.Sprintf(format, args...), Warning: true})
}
