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
}

func (k key) String() string {
	if len(k.sort) == 0 {
		return "(" + strings.Join(k.partition, "+") + ")"
	}
	return "(" + strings.Join(k.partition, "+") + ", " + strings.Join(k.sort, "+") + ")"
}

// serves reports whether items in the order of k can be read as if they were in the order of w.
func (k key) serves(w key) bool {
	return slices.Equal(k.partition, w.partition) && len(w.sort) <= len(k.sort) && slices.Equal(k.sort[:len(w.sort)], w.sort)
}

// want is what one pattern needs of a key. Each of the alternatives will do; the first is preferred.
type want struct {
	pattern      int
	alternatives []key
}

// constantName is the attribute that gives items of a model one partition.
const constantName = "type"

// wantsOf returns the wants of each model's patterns, and adds constant attributes to models whose
// patterns read all items.
func (p *planner) wantsOf() {
	for i := range p.design.Patterns {
		pattern := &p.design.Patterns[i]
		m := p.modelIndex(pattern.Model)
		w := want{pattern: i, alternatives: p.alternatives(m, pattern)}
		p.wants[m] = append(p.wants[m], w)
		p.note(2, pattern.Name, "reads %s by %s", pattern.Model, w.alternatives[0])
		if n := len(pattern.Equal); n >= 3 && !pattern.One {
			p.warn(2, pattern.Name, "names %d attributes: a key holds them only joined, in this order. "+
				"If requests leave some out, a table of its own or a search engine serves the pattern better", n)
		}
	}
}

// alternatives returns the keys that serve a pattern.
func (p *planner) alternatives(m int, pattern *Pattern) []key {
	var sort []string
	if by := pattern.sortBy(); by != "" {
		sort = []string{by}
	}
	switch equal := pattern.Equal; len(equal) {
	case 0:
		return []key{{[]string{p.constant(m, pattern)}, sort}}
	case 1:
		return []key{{equal, sort}}
	default:
		return p.severalEqual(m, equal, sort)
	}
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
		keys = append(keys, key{[]string{partition}, slices.Concat(rest, sort)})
	}
	return append(keys, key{equal, sort})
}

// constant returns the name of the constant attribute of a model. If it has none, it gets one.
func (p *planner) constant(m int, pattern *Pattern) string {
	model := &p.models[m]
	for i := range model.Attributes {
		if model.Attributes[i].Constant != "" {
			return model.Attributes[i].Name
		}
	}
	name := constantName
	for model.attribute(name) != nil {
		name = "entity_" + name
	}
	value := strings.ToLower(model.Name)
	model.Attributes = append(slices.Clone(model.Attributes), Attribute{Name: name, Type: String, Constant: value, Bytes: len(value), Values: 1})
	p.note(2, pattern.Name, "names no attribute, so all items of %s need one partition: each gets the attribute %s with the value %q", model.Name, name, value)
	return name
}

// values returns how many values an attribute has.
func (m *Model) values(name string) int64 {
	a := m.attribute(name)
	switch {
	case a.Constant != "":
		return 1
	case a.Values > 0:
		return a.Values
	}
	return max(m.Items, 1)
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
