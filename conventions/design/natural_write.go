package design

import (
	"slices"

	"github.com/kugiri-db/kugiri/expr"
)

// store replaces the columns that no key has any more by the attributes of the keys, in the plan
// and in what items have.
func (n *natural) store() {
	used := map[string]bool{}
	for _, k := range (locked{n.plan}).keys() {
		for _, name := range k.Names() {
			used[name] = true
		}
	}
	n.plan.Columns = slices.DeleteFunc(n.plan.Columns, func(c Column) bool {
		if !used[c.Name] {
			n.gone = append(n.gone, c.Name)
		}
		return !used[c.Name]
	})
	for i := range n.made {
		n.addColumns(&n.made[i])
	}
	for m := range n.models {
		n.storeModel(m)
	}
	for i := range n.plan.Indexes {
		if index := &n.plan.Indexes[i]; index.Natural {
			index.Models, index.Sparse = n.modelsOf(index)
		}
	}
	for m := range n.models {
		n.shorten(m)
	}
}

// addColumns adds the attributes of a key to the columns.
func (n *natural) addColumns(x *naturalIndex) {
	add := func(attributes []string, kind string) {
		for _, attribute := range attributes {
			name := n.nameOf(x.model, attribute)
			at := slices.IndexFunc(n.plan.Columns,
				func(c Column) bool { return c.Name == name })
			if at < 0 {
				at = len(n.plan.Columns)
				n.plan.Columns = append(n.plan.Columns,
					Column{Name: name, Type: n.models[x.model].Attribute(attribute).Type})
			}
			c := &n.plan.Columns[at]
			if position := x.index + kind; !slices.Contains(c.Positions, position) {
				c.Positions = append(slices.Clone(c.Positions), position)
			}
		}
	}
	add(x.partition, "PK")
	add(x.sort, "SK")
}

// storeModel gives the items of a model the attributes of its keys, and those that only a column
// had which is gone.
func (n *natural) storeModel(m int) {
	e := &n.plan.Entities[m]
	var keys []Stored
	for _, c := range n.plan.Columns {
		at := slices.IndexFunc(e.Keys, func(s Stored) bool { return s.Name == c.Name })
		if at >= 0 {
			keys = append(keys, e.Keys[at])
			continue
		}
		for attribute, name := range n.names[m] {
			if name == c.Name {
				keys = append(keys, Stored{Name: name, Value: Value{{Attribute: attribute}}})
			}
		}
	}
	e.Keys = keys
	e.Others = slices.DeleteFunc(e.Others, func(s Stored) bool {
		as := n.names[m][s.Value[0].Attribute]
		attribute := s.Value[0].Attribute
		return as == s.Name ||
			as != "" && !n.storedBefore(m, attribute) && !n.keptBeside(m, attribute)
	})
	for i := range n.models[m].Attributes {
		a := &n.models[m].Attributes[i]
		if a.Derived == nil && a.Constant == "" && len(e.Holding(a.Name)) == 0 {
			e.Others = append(e.Others, Stored{Name: n.storedName(m, a.Name),
				Value: Value{{Attribute: a.Name}}})
		}
	}
	slices.SortStableFunc(e.Others, func(a, b Stored) int {
		at := func(s Stored) int {
			return slices.IndexFunc(n.models[m].Attributes,
				func(of Attribute) bool { return of.Name == s.Value[0].Attribute })
		}
		return at(a) - at(b)
	})
}

// shorten takes names back that the draft gave to attributes because of columns that are gone.
func (n *natural) shorten(m int) {
	e := &n.plan.Entities[m]
	for i := range e.Others {
		s := &e.Others[i]
		long, short := s.Name, s.Value[0].Attribute
		if long == short || n.storedBefore(m, short) || n.keptBeside(m, short) ||
			short == n.ttlName() || long == n.ttlName() ||
			e.stores(short) || slices.ContainsFunc(n.allModels(),
			func(f int) bool { return n.searched(f, short) }) {
			continue
		}
		if s.Name = short; n.harms(m, short) {
			s.Name = long
		}
	}
}

// harms reports whether the items of a model are in an index in which they are not read, or would
// be refused, because of the name of an attribute.
func (n *natural) harms(m int, name string) bool {
	e, of := &n.plan.Entities[m], n.typeIn(m, name)
	if slices.ContainsFunc(n.plan.Columns,
		func(c Column) bool { return c.Name == name && c.Type != of }) {
		return true
	}
	return slices.ContainsFunc(n.plan.Indexes, func(index Index) bool {
		return !slices.Contains(index.Models, e.Model) && !slices.ContainsFunc(index.Key.Names(),
			func(key string) bool { return !e.stores(key) })
	})
}

// modelsOf returns the models whose items have all attributes of an index's key, and whether some
// of their items lack one.
func (n *natural) modelsOf(index *Index) (models []string, sparse bool) {
	for m := range n.plan.Entities {
		e := &n.plan.Entities[m]
		if slices.ContainsFunc(index.Key.Names(),
			func(name string) bool { return !e.stores(name) }) {
			continue
		}
		models = append(models, e.Model)
		for _, name := range index.Key.Names() {
			sparse = sparse || n.models[m].optional(named(e.key(name))) != nil
		}
	}
	return models, sparse
}

// read has the queries name the attributes of the keys.
func (n *natural) read() {
	by := make([]*naturalIndex, len(n.plan.Queries))
	for i := range n.made {
		for j := range n.plan.Queries {
			if n.isOf(&n.plan.Queries[j], n.made[i].from, n.made[i].model) {
				by[j] = &n.made[i]
			}
		}
	}
	for j, x := range by {
		if x != nil {
			n.rewrite(&n.plan.Queries[j], x)
		}
	}
}

// rewrite has a query read by the attributes of a key.
func (n *natural) rewrite(q *Query, x *naturalIndex) {
	e := n.plan.Entity(q.Models[0])
	index := n.plan.Index(x.index)
	equal, _ := conditionsOf(q)
	var all []Stored
	for _, name := range index.Key.Partitions() {
		all = append(all, Stored{Name: name, Value: e.key(name)})
	}
	condition := q.Sort
	q.Index, q.Partition, q.Sort = index.Name, all[0], SortCondition{}
	q.Equal = all[1:]
	sorts := index.Key.Sorts()
	if x.column {
		q.Sort = condition // the column of the table, as the draft has it
		if len(q.Equal) == 0 {
			q.Equal = nil
		}
		return
	}
	for _, name := range sorts {
		if slices.Contains(equal, named(e.key(name))[0]) {
			q.Equal = append(q.Equal, Stored{Name: name, Value: e.key(name)})
			continue
		}
		q.Sort.Name = name
		switch from := condition.From; condition.Operator {
		case expr.KeyBetween:
			q.Sort.Operator = expr.KeyBetween
			q.Sort.From = Value{{Attribute: RangeFrom}}
			q.Sort.To = Value{{Attribute: RangeTo}}
		case expr.KeyBeginsWith:
			if last := from[len(from)-1]; last.Begins {
				q.Sort.Operator = expr.KeyBeginsWith
				q.Sort.From = Value{{Attribute: last.Attribute, Begins: true}}
			}
		}
		break
	}
	if len(q.Equal) == 0 {
		q.Equal = nil
	}
}

// say says what the keys are.
func (n *natural) say() {
	for i := range n.made {
		x := &n.made[i]
		k, model := n.plan.Index(x.index).Key, n.models[x.model].Name
		text := "the partition key is " + listed(k.Partitions())
		if k.Sort != "" {
			text += ", the sort key " + listed(k.Sorts())
		}
		n.notes.note(5, x.index, "%s: attributes that items of %s have, with their own types. "+
			"Nothing joins them, and items that have them need no backfill", text, model)
		n.notes.naming(append(k.Names(), x.index)...)
		for _, attribute := range slices.Concat(x.partition, x.sort) {
			if name := n.nameOf(x.model, attribute); name != attribute && !n.inTable(name) {
				n.notes.note(6, model, "stores %s as %s: items of another model have %[1]s, and "+
					"would be in %[3]s or refused because of its type", attribute, name, x.index)
				n.notes.naming(name, x.index)
			}
		}
	}
}

// isNatural reports whether an index of the plan has a key of attributes.
func (n *natural) isNatural(name string) bool {
	index := n.plan.Index(name)
	return index != nil && index.Natural
}

// readsNatural reports whether a pattern is read by a key of attributes.
func (n *natural) readsNatural(pattern string) bool {
	return slices.ContainsFunc(n.plan.Queries,
		func(q Query) bool { return q.Pattern == pattern && n.isNatural(q.Index) })
}

// stillTrue returns the notes on a draft that are true of the plan: none about columns that are
// gone, and those of a model about the index that it got.
func (n *natural) stillTrue(said []Note) (all []Note) {
	for _, note := range said {
		switch {
		case note.parts > 0 && n.readsNatural(note.About):
			note.Text = manyParts(note.parts, "a request gives all of them")
		case note.counts:
			note.Text = count(n.globals(), "global index", "global indexes") +
				": one whose key is of attributes has the items of one model"
		case note.Step == 4:
			names := map[string]string{}
			for _, x := range n.made {
				if n.models[x.model].Name == note.About {
					names[x.from] = x.index
				}
			}
			note = note.renamed(names)
		case note.Step == 6 && n.readsNatural(note.About):
			continue // other items in an index that is now of one model
		case (note.Step == 5 || note.Step == 6) && (slices.ContainsFunc(n.gone, note.says) ||
			n.isNatural(note.About)):
			continue
		}
		all = append(all, note)
	}
	return all
}
