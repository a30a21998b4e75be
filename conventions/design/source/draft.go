package source

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/conventions/design"
)

// Draft is a design that was made out of a source.
type Draft struct {
	Design   design.Design
	Comments map[string]string // what to check, by the path of a field
	Warnings []string          // what the source says and the design does not

	table *tableReader // the source is a table
}

// draft is a Draft in the making.
type draft struct {
	Draft
	warned map[string]bool
	left   []leftOut
}

// leftOut has the names of properties that parts of a source have and no design has.
type leftOut struct {
	parts string
	names []string
}

// leave notes a property of parts of a source that no design has.
func (d *draft) leave(parts, name string) {
	at := slices.IndexFunc(d.left, func(l leftOut) bool { return l.parts == parts })
	if at < 0 {
		at, d.left = len(d.left), append(d.left, leftOut{parts: parts})
	}
	if l := &d.left[at]; !slices.Contains(l.names, name) && len(l.names) < maxLeft {
		l.names = append(l.names, name)
	}
}

// maxLeft is how many properties of one kind a warning names.
const maxLeft = 50

// sayLeft warns of what was left out.
func (d *draft) sayLeft() {
	for _, l := range d.left {
		slices.Sort(l.names)
		d.warn("%s have %s, which no design has", l.parts, and(l.names))
	}
}

func newDraft(table string) *draft {
	d := &draft{Draft: Draft{Comments: map[string]string{}}, warned: map[string]bool{}}
	if table != "" {
		d.Design.Table = tableName(table)
	}
	return d
}

// Error is an error of a source, with its place.
type Error = conventions.FileError

// comment adds a comment to a field.
func (d *draft) comment(field, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if before := d.Comments[field]; before != "" {
		text = before + "; " + text
	}
	d.Comments[field] = text
}

// warn adds a warning, once.
func (d *draft) warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !d.warned[text] && len(d.Warnings) < maxWarnings {
		d.warned[text] = true
		d.Warnings = append(d.Warnings, text)
	}
}

// maxWarnings is how many warnings a Draft has at most.
const maxWarnings = 200

// keyed is a key of a model, of the table or of an index: the attributes of its partition key and
// of its sort key.
type keyed struct {
	name            string // the pattern that it serves; "" is a name from the attributes
	partition, sort []string
}

// attributes returns all attributes of a key, each once.
func (k keyed) attributes() []string { return unique(slices.Concat(k.partition, k.sort)) }

// order returns the first attribute of the sort key that is not in the partition key, or "".
func (k keyed) order() string {
	for _, name := range k.sort {
		if !slices.Contains(k.partition, name) {
			return name
		}
	}
	return ""
}

// addModel adds a model with its keys, the table's first. Its own key is the table's, unless it has
// one. fixed are attributes that never change. It returns the path of the model.
func (d *draft) addModel(m design.Model, fixed map[string]bool, keys ...keyed) string {
	primary := keys[0]
	m.Name = d.modelName(m.Name)
	if m.Key == nil {
		m.Key = primary.attributes()
	}
	for _, k := range keys {
		for _, name := range k.attributes() {
			keyAttribute(&m, name)
		}
	}
	path := fmt.Sprintf("models[%d]", len(d.Design.Models))
	d.Design.Models = append(d.Design.Models, m)
	if len(m.Key) > 1 {
		d.comment(path+".key",
			"the attributes of the primary key; leave out what the others make unique without it")
	}
	d.changing(path, fixed, keys[1:])
	return path
}

// keyAttribute makes an attribute of a model fit for keys, and adds it if the model has none.
func keyAttribute(m *design.Model, name string) {
	for i := range m.Attributes {
		if a := &m.Attributes[i]; a.Name == name {
			if a.Type != design.Number && a.Type != design.Binary {
				a.Type = design.String
			}
			return
		}
	}
	m.Attributes = append(m.Attributes, design.Attribute{Name: name, Type: design.String})
}

// changing marks the attributes of a model that are only in keys of indexes as changing.
func (d *draft) changing(path string, fixed map[string]bool, indexes []keyed) {
	m := d.modelAt(path)
	for i := range m.Attributes {
		a := &m.Attributes[i]
		in := slices.ContainsFunc(indexes,
			func(k keyed) bool { return slices.Contains(k.attributes(), a.Name) })
		if !in || fixed[a.Name] || a.Constant != "" || a.Format != design.Any ||
			slices.Contains(m.Key, a.Name) {
			continue
		}
		a.Mutable = true
		d.Comments[path+".attributes"] =
			"mutable are those in keys of indexes only: if a value never changes, the plan has more choice without"
	}
}

// addPatterns adds the patterns that the keys of a model serve: one item by the primary key, and
// the items of each partition that can have more than one.
func (d *draft) addPatterns(path string, keys ...keyed) {
	m := d.modelAt(path)
	primary := keys[0]
	d.addPattern(design.Pattern{
		Name: "one " + words(m.Name) + " by " + and(m.Key), Model: m.Name, Equal: m.Key, One: true,
	})
	if primary.order() != "" || len(primary.partition) == 0 {
		d.addList(m, primary)
	}
	for _, k := range keys[1:] {
		d.addList(m, k)
	}
	if slices.ContainsFunc(d.Design.Patterns,
		func(p design.Pattern) bool { return p.Order != "" }) {
		d.Comments["patterns"] =
			"Keys do not say which conditions requests have. In place of order, write range where a request gives two bounds, " +
				"and begins where it gives the beginning of a string: \"order: name\" becomes \"begins: name\"."
	}
}

// modelAt returns the model at a path.
func (d *draft) modelAt(path string) *design.Model {
	var i int
	_, _ = fmt.Sscanf(path, "models[%d]", &i)
	return &d.Design.Models[i]
}

// addList adds the pattern that reads a partition of a key, unless it has one item.
func (d *draft) addList(m *design.Model, k keyed) {
	p := design.Pattern{Name: k.name, Model: m.Name, Equal: unique(k.partition), Order: k.order()}
	if !slices.ContainsFunc(m.Key,
		func(name string) bool { return !slices.Contains(p.Equal, name) }) {
		return
	}
	if p.Name == "" {
		p.Name = listName([]string{m.Name}, p.Equal)
	}
	d.addPattern(p)
}

// listName names a pattern that reads items of models by attributes.
func listName(models, equal []string) string {
	names := make([]string, len(models))
	for i, m := range models {
		names[i] = plural(words(m))
	}
	if len(equal) == 0 {
		return "all " + and(names)
	}
	return and(names) + " by " + and(equal)
}

// addPattern adds a pattern under a name of its own. It returns the path of the pattern, or "" if
// there is no room for it.
func (d *draft) addPattern(p design.Pattern) string {
	if len(p.Equal) > design.MaxEqual {
		d.warn("%s: a pattern names at most %d attributes; this one is left out", p.Name,
			design.MaxEqual)
		return ""
	}
	if len(d.Design.Patterns) == design.MaxPatterns {
		d.warn("a design has at most %d patterns; further ones are left out", design.MaxPatterns)
		return ""
	}
	taken := func(name string) bool {
		return slices.ContainsFunc(d.Design.Patterns,
			func(q design.Pattern) bool { return q.Name == name })
	}
	p.Name = cmp.Or(p.Name, "a pattern")
	if taken(p.Name) && p.Order != "" {
		p.Name += ", by " + p.Order
	}
	p.Name = free(p.Name, taken)
	d.Design.Patterns = append(d.Design.Patterns, p)
	return fmt.Sprintf("patterns[%d]", len(d.Design.Patterns)-1)
}

// common reports whether all models of a pattern have attributes of the first one.
func (d *draft) common(p *design.Pattern, names ...string) bool {
	for _, name := range names {
		of := d.Design.Model(p.Models[0]).Attribute(name)
		for _, model := range p.Models[1:] {
			a := d.Design.Model(model).Attribute(d.Design.AttributeOf(p, model, name))
			if of == nil || a == nil || a.Type != of.Type {
				return false
			}
		}
	}
	return true
}

// modelName returns a name that a model can have, and that no other model has.
func (d *draft) modelName(name string) string {
	return free(camel(name), func(name string) bool { return d.Design.Model(name) != nil })
}

// finish returns the Draft. Its error says what a design has to have.
func (d *draft) finish() (*Draft, error) {
	if d.Design.Table == "" {
		d.Design.Table = "table"
	}
	return &d.Draft, d.Design.Check()
}

// checked returns a draft if its design is one that can be planned.
func checked(d *draft) (*Draft, error) {
	if len(d.Design.Models) == 0 {
		return nil, &Error{Message: "there are no models"}
	}
	d.sayLeft()
	draft, err := d.finish()
	if err != nil {
		return nil, &Error{
			Message: "the source makes no design: " + strings.ReplaceAll(err.Error(), "\n", "; "),
		}
	}
	return draft, nil
}

// keyedBy returns a key whose attributes hold one attribute of the model each.
func keyedBy(k design.Key) keyed {
	all := keyed{partition: []string{k.Partition}}
	if k.Sort != "" {
		all.sort = []string{k.Sort}
	}
	return all
}
