package design

import (
	"fmt"
	"slices"
	"strings"
)

// keeps finds what a problem keeps of the table that is there: the indexes by which patterns of
// both plans read, as far as a key that would serve them is there.
func (p *problem) keeps() {
	if p.design.kept == nil {
		return
	}
	k := *p.design.kept
	k.indexes, k.asIn = nil, map[string]asIn{}
	p.kept = &k
	if k.keep != KeepKeys && !k.all() {
		return
	}
	for _, index := range k.old.Indexes {
		if !index.Local && p.usable(&index) {
			k.indexes = append(k.indexes, index)
		}
	}
}

// usable reports whether an index serves what a pattern wants.
func (p *problem) usable(index *Index) bool {
	for m := range p.wants {
		for _, w := range p.wants[m] {
			if slices.ContainsFunc(w.alternatives,
				func(k key) bool { return p.keyAsIn(m, index.Key, k) }) {
				return true
			}
		}
	}
	return false
}

// was returns what items of a model have in an attribute of the table that is there, or nil.
func (p *problem) was(m int, column string) Value {
	if p.kept == nil || column == "" {
		return nil
	}
	e := p.kept.old.Entity(p.models[m].Name)
	if e == nil {
		return nil
	}
	for _, part := range e.key(column) {
		a := p.models[m].Attribute(part.Attribute)
		before := p.kept.old.Design.Model(e.Model).Attribute(part.Attribute)
		if part.Attribute != "" && (a == nil || before == nil || !a.Derived.equal(before.Derived)) {
			return nil
		}
	}
	return e.key(column)
}

// asIn reports whether items of a model have the values of some attributes in an attribute of the
// table that is there. It returns the text before them, with which values begin.
func (p *problem) asIn(m int, column string, attributes []string) (prefix string, same bool) {
	if p.kept == nil {
		return "", false
	}
	question := fmt.Sprint(m, " ", column, " ", strings.Join(attributes, " "))
	found, ok := p.kept.asIn[question]
	if !ok {
		found.prefix, found.same = p.compareWith(m, column, attributes)
		p.kept.asIn[question] = found
	}
	return found.prefix, found.same
}

// compareWith answers asIn where that has not kept the answer.
func (p *problem) compareWith(m int, column string, attributes []string) (string, bool) {
	before := p.was(m, column)
	if before == nil {
		return "", false
	}
	if len(attributes) == 0 && p.textWas(m, column) != nil {
		return "", true
	}
	now := Value{{Text: spareText(&p.models[m])}}
	if len(attributes) > 0 {
		at := slices.IndexFunc(p.kept.old.Columns, func(c Column) bool { return c.Name == column })
		now = p.joined(m, attributes, p.kept.old.Columns[at].Type)
	}
	if slices.Equal(before, now) {
		return "", true
	}
	separator := p.design.separator()
	if len(before) != len(now)+1 || !strings.HasSuffix(before[0].Text, separator) {
		return "", false
	}
	return strings.TrimSuffix(before[0].Text, separator), slices.Equal(before[1:], now)
}

// textWas returns the text that all items of a model have in a sort key of the table that is there,
// or nil.
func (p *problem) textWas(m int, column string) Value {
	sorts := func(k Key) bool { return k.Sort == column }
	if p.kept == nil || !sorts(p.kept.old.Key) && !slices.ContainsFunc(p.kept.old.Indexes,
		func(index Index) bool { return sorts(index.Key) }) {
		return nil
	}
	was := p.was(m, column)
	if len(was) != 1 || was[0].Attribute != "" {
		return nil
	}
	return was
}

// keyAsIn reports whether the items that a model has in an index of the table that is there can be
// read as if by key k.
func (p *problem) keyAsIn(m int, in Key, k key) bool {
	if in.Several() {
		return severalAsIn(p, m, in, k)
	}
	if _, same := p.asIn(m, in.Partition, k.partition); !same {
		return false
	}
	if len(k.sort) == 0 {
		return !k.exact
	}
	sort := p.sortWas(m, in.Sort)
	return len(sort) >= len(k.sort) && slices.Equal(sort[:len(k.sort)], k.sort) &&
		(!k.exact || len(sort) == len(k.sort))
}

// severalAsIn is keyAsIn for a key of several attributes. A query names all of the partition key,
// so their order is free. Attributes may follow an exact sort key, because nothing joins them.
func severalAsIn(p *problem, m int, in Key, k key) bool {
	partition, ok := attributesIn(p, m, in.Partitions())
	sort, sorted := attributesIn(p, m, in.Sorts())
	if !ok || !sorted || len(sort) < len(k.sort) {
		return false
	}
	return slices.Equal(slices.Sorted(slices.Values(partition)),
		slices.Sorted(slices.Values(k.partition))) && slices.Equal(sort[:len(k.sort)], k.sort)
}

// attributesIn returns the attributes of a model that attributes of the table that is there hold,
// each one and nothing else.
func attributesIn(p *problem, m int, names []string) (attributes []string, ok bool) {
	for _, name := range names {
		s := Stored{Value: p.was(m, name)}
		if len(s.Value) != 1 || !s.isJust(s.Value[0].Attribute) || s.Value[0].Attribute == "" {
			return nil, false
		}
		attributes = append(attributes, s.Value[0].Attribute)
	}
	return attributes, true
}

// sortWas returns the attributes that items of a model have in a sort key that is there.
func (p *problem) sortWas(m int, column string) []string {
	names := p.namesWas(m, column)
	if _, same := p.asIn(m, column, names); !same {
		return nil
	}
	return names
}

// namesWas returns the attributes whose values items of a model have in an attribute of the table
// that is there. A text that sorts beyond all others is the value of the attribute that has it now.
func (p *problem) namesWas(m int, column string) []string {
	if text := p.textWas(m, column); text != nil {
		for _, a := range p.models[m].Attributes {
			if a.beyond && a.Constant == text[0].Text {
				return []string{a.Name}
			}
		}
	}
	return named(p.was(m, column))
}

// primaryWas returns those of some primary keys that a model has in the table that is there, or all
// if it is not there. Where that table has no sort key, no model gets one.
func (p *problem) primaryWas(m int, keys []key) ([]key, bool) {
	if p.kept == nil {
		return keys, false
	}
	old := p.kept.old
	if old.Key.Sort == "" {
		keys = slices.DeleteFunc(keys, func(k key) bool { return len(k.sort) > 0 })
	}
	if p.was(m, old.Key.Partition) == nil {
		return keys, false
	}
	is := key{partition: named(p.was(m, old.Key.Partition)),
		sort: p.namesWas(m, old.Key.Sort)}
	same := func(k key) bool {
		_, partition := p.asIn(m, old.Key.Partition, k.partition)
		_, sort := p.asIn(m, old.Key.Sort, k.sort)
		return partition && (sort || old.Key.Sort == "")
	}
	all := slices.DeleteFunc(append([]key{is}, keys...), func(k key) bool { return !same(k) })
	return all, len(all) > 0
}

// mayKeep reports whether a key of a model may be in an index of a layout: where the items are
// already, they stay.
func (p *problem) mayKeep(m int, k key, index int) bool {
	if p.kept == nil {
		return true
	}
	for i, is := range p.kept.indexes {
		here := p.was(m, is.Key.Partition) != nil &&
			slices.Contains(is.Models, p.models[m].Name)
		switch {
		case here && p.keyAsIn(m, is.Key, k) && (k.together == 0 || p.readTogether(&is)):
			return i == index
		case i == index && is.Natural && !here:
			return false // an index of attributes is of the models that it has
		case i == index && (here || is.Key.Sort == "" && len(k.sort) > 0):
			return false
		}
	}
	return true
}

// mayShare reports whether a key of the next model of a layout may be in an index. If all indexes
// are kept, models come into none of those, and a further index is of one model, so that it needs
// no prefixes.
func mayShare(p *problem, l *layout, k key, index int) bool {
	switch {
	case !p.kept.all() || k.together > 0:
		return true
	case index < len(p.kept.indexes):
		return slices.Contains(p.kept.indexes[index].Models, p.models[len(l.ways)].Name)
	}
	return !slices.ContainsFunc(l.slots,
		func(slots []int) bool { return slices.Contains(slots, index) })
}

// readTogether reports whether a pattern over several models reads an index that is there. Where no
// pattern of the table is known, it may.
func (p *problem) readTogether(index *Index) bool {
	return len(p.kept.old.Queries) == 0 || slices.ContainsFunc(p.kept.old.Queries,
		func(q Query) bool { return q.Index == index.Name && len(q.Models) > 1 })
}

// keptNames returns the names of the global indexes of a layout: those that are there, and further
// ones.
func (p *problem) keptNames(count int) (names []string) {
	for i := range count {
		if p.kept != nil && i < len(p.kept.indexes) {
			names = append(names, p.kept.indexes[i].Name)
			continue
		}
		n := i + 1
		for p.kept != nil && (p.kept.old.Index(p.name(fmt.Sprintf("GSI%d", n))) != nil ||
			slices.Contains(names, p.name(fmt.Sprintf("GSI%d", n)))) {
			n++
		}
		names = append(names, p.name(fmt.Sprintf("GSI%d", n)))
	}
	return names
}

// nameBefore returns the name under which a model stores an attribute in no key of the table that
// is there, or "".
func (p *problem) nameBefore(m int, attribute string) string {
	if p.kept == nil {
		return ""
	}
	e := p.kept.old.Entity(p.models[m].Name)
	if e == nil {
		return ""
	}
	for _, s := range e.Others {
		if len(s.Value) == 1 && s.Value[0].Attribute == attribute {
			return s.Name
		}
	}
	for _, s := range e.Keys {
		inNatural := func(x Index) bool { return x.Natural && x.Key.Has(s.Name) }
		if s.isJust(attribute) && !p.kept.old.Key.Has(s.Name) &&
			slices.ContainsFunc(p.kept.old.Indexes, inNatural) {
			return s.Name
		}
	}
	return ""
}

// storedBefore reports whether the items that are there have an attribute under a name of its own.
// They keep it, also if a key holds its value: nobody has to remove it.
func (p *problem) storedBefore(m int, attribute string) bool {
	return p.nameBefore(m, attribute) != ""
}
