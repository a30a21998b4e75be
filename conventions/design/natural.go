package design

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/expr"
)

// natural makes the keys of global indexes of attributes that the items have anyway, in place of
// columns: where the design wants that, and where the table that is there has such an index. Other
// indexes stay as the draft has them.
type natural struct {
	draft
	plan  *Plan
	notes notes
	made  []naturalIndex
	names []map[string]string // the names of attributes of keys, by the number of the model
	gone  []string            // the columns that no key has any more
}

// naturalIndex is the key of one model in an index.
type naturalIndex struct {
	index           string
	from            string // the index that has the key in the draft
	model           int
	partition, sort []string // attributes of the model, or a column of the table's key
	column          bool     // sort is such a column, whose conditions stay as the draft has them
}

// naturalKeys replaces columns of a plan by attributes. It returns the notes on the plan with its
// own, and without those that are no longer true.
func (d draft) naturalKeys(plan *Plan, said []Note) []Note {
	n := &natural{draft: d, plan: plan, names: make([]map[string]string, len(d.models))}
	for m := range n.names {
		n.names[m] = map[string]string{}
	}
	for i := range d.count {
		switch {
		case d.kept != nil && i < len(d.kept.indexes):
			if d.kept.indexes[i].Key.Several() {
				n.keep(i)
			}
		case d.design.Keys == AttributeKeys:
			n.make(i)
		}
	}
	if len(n.made) == 0 {
		return slices.Concat(said, n.notes)
	}
	n.part()
	n.store()
	n.read()
	n.say()
	return slices.Concat(n.stillTrue(said), n.notes)
}

// keep takes the key of an index that is there.
func (n *natural) keep(i int) {
	is := n.kept.indexes[i]
	for _, m := range n.readIn(i) {
		made := naturalIndex{index: is.Name, from: is.Name, model: m}
		made.partition = n.takeNames(m, is.Key.Partitions())
		made.sort = n.takeNames(m, is.Key.Sorts())
		n.made = append(n.made, made)
	}
	at := slices.IndexFunc(n.plan.Indexes, func(x Index) bool { return x.Name == is.Name })
	n.plan.Indexes[at].Key, n.plan.Indexes[at].Natural = is.Key, true
}

// takeNames returns what a model has in attributes of an index that is there, and keeps their
// names.
func (n *natural) takeNames(m int, names []string) (attributes []string) {
	for _, name := range names {
		if n.inTable(name) {
			attributes = append(attributes, name)
			continue
		}
		attribute := n.was(m, name)[0].Attribute
		attributes = append(attributes, attribute)
		n.names[m][attribute] = name
	}
	return attributes
}

// inTable reports whether a name is that of a column of the table's key.
func (n *natural) inTable(name string) bool { return n.plan.Key.Has(name) }

// readIn returns the models that are read in a global index.
func (n *natural) readIn(i int) (models []int) {
	for m := range n.models {
		if len(n.keyIn(m, i).partition) > 0 {
			models = append(models, m)
		}
	}
	return models
}

// make gives an index the attributes of its first model, and further models an index each.
func (n *natural) make(i int) {
	name, models := n.indexName(i), n.readIn(i)
	var made []naturalIndex
	why := n.room(len(models) - 1)
	for _, m := range models {
		x := naturalIndex{index: name, from: name, model: m,
			partition: n.attributesAt(partitionOf(i), m), sort: n.attributesAt(sortOf(i), m)}
		if len(made) > 0 {
			x.index = n.further(made)
		}
		if no := n.refuses(i, &x); why == "" {
			why = no
		}
		c := n.at[sortOf(i)]
		if x.column = c != nil && n.inTable(c.name()); !x.column {
			x.sort = slices.DeleteFunc(slices.Clone(x.sort),
				func(name string) bool { return slices.Contains(x.partition, name) })
			x.sort = x.sort[:n.needed(&x)]
		}
		if len(x.partition) > MaxKeyAttributes || len(x.sort) > MaxKeyAttributes {
			why = cmp.Or(why, fmt.Sprintf("%s needs more than %d of them in a part of the key",
				n.models[m].Name, MaxKeyAttributes))
		}
		made = append(made, x)
	}
	if why != "" {
		n.notes.note(5, name, "has attributes of its own as its key, and not those of the items: %s",
			why)
		return
	}
	n.made = append(n.made, made...)
	at := slices.IndexFunc(n.plan.Indexes, func(x Index) bool { return x.Name == name })
	for j := range made {
		if j > 0 {
			n.plan.Indexes = slices.Insert(n.plan.Indexes, n.globals(), Index{Name: made[j].index})
			at = n.globals() - 1
		}
		n.plan.Indexes[at].Natural = true
		n.plan.Indexes[at].Models = []string{n.models[made[j].model].Name}
	}
}

// globals returns how many global indexes the plan has. They are the first ones.
func (n *natural) globals() int { return len(n.plan.Indexes) - len(n.plan.local()) }

// room says why there is no room for further indexes, or "".
func (n *natural) room(further int) string {
	if n.globals()+further > n.design.maxIndexes() {
		return fmt.Sprintf("an index for each of its models makes more than %d",
			n.design.maxIndexes())
	}
	return ""
}

// further returns the name of an index more than those of the plan and those that were just made.
func (n *natural) further(made []naturalIndex) string {
	taken := func(name string) bool {
		return n.plan.Index(name) != nil || n.kept != nil && n.kept.old.Index(name) != nil ||
			slices.ContainsFunc(made, func(x naturalIndex) bool { return x.index == name })
	}
	for i := n.globals() + 1; ; i++ {
		if name := n.name(fmt.Sprintf("GSI%d", i)); !taken(name) {
			return name
		}
	}
}

// attributesAt returns the attributes that a model has in a position. A column that is also in the
// table's key is one itself: the item has it anyway.
func (n *natural) attributesAt(at position, m int) []string {
	c := n.at[at]
	switch {
	case c == nil:
		return nil
	case n.inTable(c.name()):
		return []string{c.name()}
	}
	return c.values[m]
}

// needed returns how many attributes of a sort key the queries of an index name, or order by.
func (n *natural) needed(x *naturalIndex) (most int) {
	for j := range n.plan.Queries {
		q := &n.plan.Queries[j]
		if !n.isOf(q, x.from, x.model) {
			continue
		}
		equal, last := conditionsOf(q)
		count := 0
		for count < len(x.sort) && slices.Contains(equal, x.sort[count]) {
			count++
		}
		if last || n.plan.Design.Patterns[j].Order != "" {
			count++
		}
		most = max(most, count)
	}
	return min(most, len(x.sort))
}

// isOf reports whether a query reads a model by a key of an index.
func (n *natural) isOf(q *Query, index string, m int) bool {
	return q.Operation == QueryRequest && q.Index == index && q.Models[0] == n.models[m].Name
}

// conditionsOf returns the attributes of a sort key that have one value in a query, and whether the
// next one has a range or a beginning.
func conditionsOf(q *Query) (equal []string, last bool) {
	for _, part := range q.Sort.From {
		switch {
		case part.Attribute == "":
		case part.Begins || q.Sort.Operator == expr.KeyBetween && part.Attribute == RangeFrom:
			last = true
		default:
			equal = append(equal, part.Attribute)
		}
	}
	return equal, last
}

// refuses says why a model's key in an index cannot be of attributes of its items, or "".
func (n *natural) refuses(i int, x *naturalIndex) string {
	if shared, _ := n.sharedAt(partitionOf(i)); shared {
		return "one Query reads items of several models there"
	}
	for _, name := range slices.Concat(x.partition, x.sort) {
		if n.inTable(name) {
			continue
		}
		switch a := n.models[x.model].Attribute(name); {
		case a.Derived != nil && a.Derived.Where != nil:
			return "it has only some items of " + n.models[x.model].Name +
				", which a key of their attributes does not leave out"
		case a.Constant != "":
			return fmt.Sprintf("%s of %s has one value, which items do not store", name,
				n.models[x.model].Name)
		}
	}
	for j := range n.plan.Queries {
		q := &n.plan.Queries[j]
		if !n.isOf(q, x.from, x.model) {
			continue
		}
		for _, f := range q.Filters {
			if name := f.Value[0].Attribute; slices.Contains(x.sort, name) {
				return fmt.Sprintf("%q filters by %s, and a filter takes no attributes of the key",
					q.Pattern, name)
			}
		}
	}
	return ""
}

// part gives the attributes of keys names under which no item of another model gets into an index,
// or has a value of another type.
func (n *natural) part() {
	for i := range n.made {
		x := &n.made[i]
		for _, attribute := range slices.Concat(x.partition, x.sort) {
			if n.inTable(attribute) || n.names[x.model][attribute] != "" {
				continue
			}
			n.names[x.model][attribute] = n.storedAs(x.model, attribute)
		}
	}
	for n.partOnce() {
	}
	for i := range n.made {
		x := &n.made[i]
		n.plan.Index(x.index).Key = n.keyNamed(x)
	}
}

// partOnce gives other names to attributes that bring items of other models into an index (see
// mixes), and reports whether there were any. Repeated calls find none in the end: a new name is
// longer, and one of the attributes that share a name keeps it, so fewer share each longer name.
func (n *natural) partOnce() (changed bool) {
	for i := range n.made {
		x := &n.made[i]
		if mixed := n.mixes(x); mixed != "" && !n.isKept(x) {
			n.names[x.model][mixed] = strings.ToLower(n.models[x.model].Name) + "_" +
				n.names[x.model][mixed]
			changed = true
		}
	}
	return changed
}

// isKept reports whether an index is there already.
func (n *natural) isKept(x *naturalIndex) bool {
	return n.kept != nil && slices.ContainsFunc(n.kept.indexes,
		func(index Index) bool { return index.Name == x.index })
}

// storedAs returns the name under which items of a model have an attribute, or get it.
func (n *natural) storedAs(m int, attribute string) string {
	e := &n.plan.Entities[m]
	for _, s := range slices.Concat(e.Others, e.Keys) {
		if (slices.ContainsFunc(e.Others, func(o Stored) bool { return o.Name == s.Name }) ||
			n.inTable(s.Name)) && s.isJust(attribute) {
			return s.Name
		}
	}
	return n.storedName(m, attribute)
}

// keyNamed returns the key of a natural index by the names of its attributes.
func (n *natural) keyNamed(x *naturalIndex) (k Key) {
	named := func(attributes []string) (names []string) {
		for _, attribute := range attributes {
			names = append(names, n.nameOf(x.model, attribute))
		}
		return names
	}
	partition, sort := named(x.partition), named(x.sort)
	k.Partition, k.MorePartition = partition[0], partition[1:]
	if len(sort) > 0 {
		k.Sort, k.MoreSort = sort[0], sort[1:]
	}
	if len(k.MorePartition) == 0 {
		k.MorePartition = nil
	}
	if len(k.MoreSort) == 0 {
		k.MoreSort = nil
	}
	return k
}

// nameOf returns the name under which items of a model have an attribute of a key. A column of the
// table's key has no other name.
func (n *natural) nameOf(m int, attribute string) string {
	if name := n.names[m][attribute]; name != "" {
		return name
	}
	return attribute
}

// mixes returns an attribute of a key by whose name an item of another model would be in the index,
// or would be refused because it has a value of another type, or "".
func (n *natural) mixes(x *naturalIndex) string {
	names := slices.Concat(x.partition, x.sort)
	for other := range n.models {
		if other == x.model {
			continue
		}
		shared, hasAll := "", true // items with all attributes of the key are in the index
		for _, attribute := range names {
			name := n.nameOf(x.model, attribute)
			of := n.typeIn(other, name)
			switch {
			case of == "":
				hasAll = false
			case n.inTable(name): // all models have it
			case of != n.models[x.model].Attribute(attribute).Type:
				return attribute
			default:
				shared = attribute
			}
		}
		if hasAll && shared != "" {
			return shared
		}
	}
	return ""
}

// typeIn returns the type of what a model has under a name in the table, or "".
func (n *natural) typeIn(m int, name string) Type {
	for attribute, as := range n.names[m] {
		if as == name {
			return n.models[m].Attribute(attribute).Type
		}
	}
	e := &n.plan.Entities[m]
	for _, s := range e.Others {
		if s.Name == name {
			return n.models[m].Attribute(s.Value[0].Attribute).Type
		}
	}
	if e.key(name) != nil {
		at := slices.IndexFunc(n.plan.Columns, func(c Column) bool { return c.Name == name })
		return n.plan.Columns[at].Type
	}
	return ""
}
