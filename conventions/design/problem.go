package design

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// problem holds what a design asks of its table: what each pattern needs of the keys of its models.
// A preparation fills it in, then the search reads it.
type problem struct {
	source   *Design // the design as Make got it
	design   *Design
	models   []Model  // the models with the attributes that were added
	mixing   *Design  // the design with models, to compare values of keys
	items    *Design  // also with models, to compare items: mixing, unless a stream shows them
	wants    [][]want // wants by model
	similar  []similar
	together []together
	parents  []parent
	kept     *kept // what is kept of the table that is there
}

func newProblem(d *Design) *problem {
	source := d
	d = rules{d}.withInvariants().withTenants().withValues().withChanges()
	p := &problem{source: source, design: d, models: slices.Clone(d.Models),
		wants: make([][]want, len(d.Models))}
	p.mixing = &Design{Models: p.models}
	p.items = p.mixing
	if (rules{d}).streams() {
		p.items = &Design{Models: p.models, byLook: true}
	}
	return p
}

// withValues returns a design in which attributes with the same values look alike: one of them may
// name the format of all.
func (d *Design) withValues() *Design {
	all, like := *d, map[string]Attribute{}
	all.Models = slices.Clone(d.Models)
	each := func(do func(a *Attribute, root string)) {
		for i := range all.Models {
			m := &all.Models[i]
			for j := range m.Attributes {
				do(&m.Attributes[j], rootOf(d.Models, m.Name, &m.Attributes[j]))
			}
		}
	}
	each(func(a *Attribute, root string) {
		l := like[root]
		like[root] = Attribute{Format: cmp.Or(l.Format, a.Format), Bytes: cmp.Or(l.Bytes, a.Bytes),
			Constant: cmp.Or(l.Constant, a.Constant)}
	})
	for i := range all.Models {
		all.Models[i].Attributes = slices.Clone(all.Models[i].Attributes)
	}
	each(func(a *Attribute, root string) {
		l := like[root]
		a.Format, a.Bytes = cmp.Or(a.Format, l.Format), cmp.Or(a.Bytes, l.Bytes)
		a.Constant = cmp.Or(a.Constant, l.Constant)
		a.referred = valuesReferred(d, a)
	})
	return &all
}

// valuesReferred returns how many values the attribute has that another one is of, or 0 if the
// design does not say.
func valuesReferred(d *Design, a *Attribute) int64 {
	for range len(d.Models) + len(d.Elsewhere) { // a circle of them ends
		model, name, _ := strings.Cut(a.Of, ".")
		m := d.anyModel(model)
		if m == nil {
			return 0
		}
		a = m.Attribute(name)
		switch {
		case a == nil:
			return 0
		case a.Values > 0:
			return a.Values
		case len(m.Key) == 1 && m.Key[0] == name && a.Of == "":
			return m.Items
		}
	}
	return 0
}

// What the guide "Key design patterns" has before versions, and as the tenant of models without
// one.
const (
	versionSeparator = "@"
	commonTenant     = "common"
)

// withTenants returns a design whose models all have a tenant, which all patterns name. Models
// without one belong to the common tenant.
func (d *Design) withTenants() *Design {
	t := d.Tenants
	if t == nil {
		return d
	}
	all := *d
	all.Models, all.Patterns = slices.Clone(d.Models), slices.Clone(d.Patterns)
	for i := range all.Models {
		m := &all.Models[i]
		if m.Attribute(t.Attribute) == nil {
			common := cmp.Or(t.Common, commonTenant)
			m.Attributes = append(slices.Clone(m.Attributes),
				Attribute{Name: t.Attribute, Type: String, Constant: common, Bytes: len(common),
					Values: 1})
		}
	}
	for i := range all.Patterns {
		p := &all.Patterns[i]
		if !slices.Contains(p.Equal, t.Attribute) &&
			all.Model(p.models()[0]).Attribute(t.Attribute).Constant == "" {
			p.Equal = append([]string{t.Attribute}, p.Equal...)
		}
	}
	return &all
}

// parent says with which model's items those of a model are in the partitions of a tenant, as
// pattern 2 of the guide "Key design patterns" has it. The sort keys then begin with the names of
// the models: ORDER#order and ORDER_ITEM#order#item in ORDER#tenant.
type parent struct {
	root   int      // the first ancestor, with whose name partition keys begin
	shared bool     // other models have the same root
	names  []string // the attributes of a child with its parent's key
}

// together is a pattern that reads items of several models in one partition.
type together struct {
	pattern int
	models  []int // their numbers
	ordered bool  // the sort keys of all models begin with the attribute that orders the result
}

// want says what one pattern needs of a key of a model. Each of the alternatives will do; the first
// is preferred.
type want struct {
	pattern      int
	equal        []string // attributes of the model with one value in a request
	together     bool     // the pattern reads several models
	alternatives []key
}

// similar is a vector index that the patterns of one model search.
type similar struct {
	model     int
	attribute string
	partition string   // the attribute that all patterns name, or ""
	filters   []string // the attributes that some patterns name
}

// preparation adds to a problem what its design leaves open: keys that would serve each pattern,
// and attributes by which patterns read. It notes why.
type preparation struct {
	*problem
	notes
	apart bool // children are not with their parents
}

// modelIndex returns the number of the model with a name.
func (p *problem) modelIndex(name string) int {
	return slices.IndexFunc(p.models, func(m Model) bool { return m.Name == name })
}

// wantOf returns what a pattern needs of the keys of one of its models.
func (p *problem) wantOf(m, pattern int) *want {
	i := slices.IndexFunc(p.wants[m], func(w want) bool { return w.pattern == pattern })
	return &p.wants[m][i]
}

// foreign reports whether the pattern of a want reads no items of a model.
func (p *problem) foreign(w want, m int) bool {
	return !slices.Contains(p.design.Patterns[w.pattern].models(), p.models[m].Name)
}

// name returns the name that the design gives to an index or a column, or the one that it has
// otherwise.
func (p *problem) name(otherwise string) string {
	if name, ok := p.design.Names[otherwise]; ok {
		return name
	}
	return otherwise
}

// indexName returns the name of a global index.
func (p *problem) indexName(i int) string { return p.keptNames(i + 1)[i] }

// localName returns the name of a local index.
func (p *problem) localName(i int) string { return p.name(fmt.Sprintf("LSI%d", i+1)) }

// indexAt returns the name of the index whose partition key has a position.
func (p *problem) indexAt(at position) string {
	if at.local() {
		return p.localName(int(at-localPositions) / 2)
	}
	return p.indexName(int(at)/2 - 1)
}

// ttlName returns the name of the table's attribute of the time to live, or "". A table has one:
// the first model with a time to live names it.
func (p *problem) ttlName() string {
	for i := range p.models {
		if ttl := p.models[i].TTL; ttl != "" {
			return ttl
		}
	}
	return ""
}

// searched reports whether a vector index has an attribute of a model, which items then store under
// a name of their own.
func (p *problem) searched(m int, name string) bool {
	return slices.ContainsFunc(p.similar, func(s similar) bool {
		return s.model == m &&
			(s.attribute == name || s.partition == name || slices.Contains(s.filters, name))
	})
}

// keptBeside reports whether an item has an attribute under its own name even if a key holds its
// value.
func (p *problem) keptBeside(m int, name string) bool {
	return p.searched(m, name) || p.models[m].TTL == name || p.models[m].isVersion(name) ||
		p.filtered(m, name)
}

// separatorBefore returns what stands before an attribute of a joined key: "@" before a version.
func (p *problem) separatorBefore(m int, attributes []string, i int) string {
	if p.models[m].isVersion(attributes[i]) && i == len(attributes)-1 {
		return versionSeparator
	}
	return p.design.separator()
}

// hides reports whether a pattern that reads one item of a model does not name all of some
// attributes. If they were the sort key of the table, GetItem could not read the item.
func (p *problem) hides(m int, attributes []string) bool {
	model := &p.models[m]
	unnamed := func(w want) bool {
		return p.design.Patterns[w.pattern].One &&
			slices.ContainsFunc(attributes, func(name string) bool {
				return model.Attribute(name).Constant == "" && !slices.Contains(w.equal, name)
			})
	}
	return slices.ContainsFunc(p.wants[m], unnamed)
}

// familyOf returns the models that have a root.
func (p *problem) familyOf(root int) (models []int) {
	for m := range p.parents {
		if p.parents[m].root == root {
			models = append(models, m)
		}
	}
	return models
}

// withParent reports whether a model is in the partitions of a family.
func (p *problem) withParent(m int) bool { return p.parents[m].shared }

// noParents reports whether no model is in the partitions of a family.
func (p *problem) noParents() bool {
	return !slices.ContainsFunc(p.parents, func(one parent) bool { return one.shared })
}

// fitsParent reports whether a primary key is one of a model's family: the tenant has one
// partition, where a child's sort keys begin with the key of its parent.
func (p *problem) fitsParent(m int, k key) bool {
	if !p.withParent(m) {
		return true
	}
	names := p.parents[m].names
	return slices.Equal(k.partition, []string{p.design.Tenants.Attribute}) &&
		len(k.sort) >= len(names) &&
		!slices.ContainsFunc(names, func(name string) bool {
			return !slices.Contains(k.sort[:len(names)], name)
		})
}

// filtered reports whether a pattern filters items of a model by an attribute.
func (p *problem) filtered(m int, name string) bool {
	return slices.ContainsFunc(p.design.Patterns, func(pattern Pattern) bool {
		return pattern.Model == p.models[m].Name && slices.Contains(pattern.Filter, name)
	})
}

// isFixed reports whether a key would put all items of a model into few partitions of the table,
// because it has no attribute of the model's own key ("Managing latest in DynamoDB", the bad
// solution), or one that has much fewer values than another one there, such as a test beside a
// patient. A design with tenants may do so: what they share is under common ("Key design
// patterns", pattern 3). So may a model with a strongly consistent pattern, which no index serves.
func (p *problem) isFixed(m int, k key) bool {
	model := p.models[m]
	if p.design.Tenants != nil {
		return false
	}
	values, few := int64(1), int64(fewValues)
	for _, name := range k.partition {
		a := model.Attribute(name)
		if a == nil || a.Constant == "" && (a.Values == 0 || a.Derived != nil || a.Of != "") {
			return false
		}
		if a.Constant == "" && slices.Contains(model.Key, name) {
			few = mostReferred(&model) / fewValues
		}
		values = min(values*model.values(name), max(few, fewValues)+1)
	}
	if values > few || values > model.Items/2 {
		return false
	}
	return !slices.ContainsFunc(p.wants[m], func(w want) bool {
		return p.design.Patterns[w.pattern].Consistent
	})
}

// mostReferred returns how many values an attribute in a model's key has, of those attributes that
// refer to another model: the most of several, or 0 without any.
func mostReferred(m *Model) (most int64) {
	for _, name := range m.Key {
		if a := m.Attribute(name); a.Of != "" {
			most = max(most, a.different())
		}
	}
	return most
}
