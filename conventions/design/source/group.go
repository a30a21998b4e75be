package source

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// tableReader makes a draft out of a table.
type tableReader struct {
	Table
	draft     *draft
	separator string
	groups    []*group
	tenants   map[string]bool // the words before a tenant in partition keys
	// words that begin values of the table's key but name no model, each behind its attribute
	data map[leading]bool
}

// leading is a word that begins values of a key attribute, with the separator behind it.
type leading struct{ key, lead string }

// group is the items of one model.
type group struct {
	name    string
	guessed bool // the name is not in the items
	items   []Item
	typed   string // the attribute with the name, or ""

	keys map[string]pattern // what the keys hold, by attribute
	// attributes that have their names from the reader, with the text before them
	named map[string]string
	model design.Model
}

// segment is a part of a key: a text that all items have, or an attribute of the model.
type segment struct{ text, attribute string }

// pattern is the form of a key attribute in the items of a model: segments with separators between.
type pattern []segment

// attributes returns the attributes of a pattern.
func (p pattern) attributes() []string {
	var names []string
	for _, s := range p {
		if s.attribute != "" {
			names = append(names, s.attribute)
		}
	}
	return unique(names)
}

// keysOf returns the keys of a group's items, the table's first.
func (x *tableReader) keysOf(g *group) []keyed {
	var keys []keyed
	for i, k := range x.keys() {
		if i == 0 || g.in(k.Key) {
			keys = append(keys,
				keyed{partition: g.attributesOf(k.Key.Partitions()),
					sort: g.attributesOf(k.Key.Sorts())})
		}
	}
	return keys
}

// in reports whether a group's items are in the table or index with a key.
func (g *group) in(k design.Key) bool {
	return !slices.ContainsFunc(k.Names(), func(name string) bool { return g.keys[name] == nil })
}

// attributesOf returns the attributes that key attributes hold in the items of a group.
func (g *group) attributesOf(keys []string) (names []string) {
	for _, name := range keys {
		names = append(names, g.keys[name].attributes()...)
	}
	return unique(names)
}

// separatorOf returns the character between the parts of a table's keys: the one that most values
// have behind a word that others begin with, too.
func separatorOf(t *Table) string {
	items := t.Items[:min(len(t.Items), 10_000)]
	best, most := design.DefaultSeparator, 0
	for _, separator := range []string{"#", "|", ":", "/", "~", "_"} {
		n := 0
		for _, name := range t.keyAttributes() {
			leads := map[string]int{}
			for _, it := range items {
				if lead := leadOf(it.Attributes[name], separator); lead != "" {
					leads[lead]++
				}
			}
			for _, count := range leads {
				if count > 1 || len(items) < 50 {
					n += count
				}
			}
		}
		if n > most {
			best, most = separator, n
		}
	}
	return best
}

// leadOf returns the word with which a string begins, with the separator behind it, or "".
func leadOf(v Value, separator string) string {
	lead, _, ok := strings.Cut(v.Text, separator)
	if v.Type != "S" || !ok || !word().MatchString(lead) {
		return ""
	}
	return lead + separator
}

// word matches the words that keys begin with: ORDER, order_item, c, $book_1.
var word = lazily(`^\$?[A-Za-z]+([_-][A-Za-z]+)*([_-]?\d{1,2})?$`)

// The attributes in which libraries and applications keep the name of an item's model. The second
// ones may be attributes of an application as well.
var (
	typeAttributes = []string{"__edb_e__", "_type", "_et", "_entity", "__typename", "entityType",
		"EntityType", "entity_type", "Entity", "entity"}
	maybeAttributes = []string{"type", "Type", "itemType", "item_type", "kind", "model"}
)

// group groups the items of a table.
func (x *tableReader) group() []*group {
	if x.Items[0].Model != "" {
		return x.grouped(func(it Item) string { return it.Model }, x.typeOfModels())
	}
	for _, name := range slices.Concat(typeAttributes, maybeAttributes) {
		if !x.namesModels(name) {
			continue
		}
		groups := x.grouped(func(it Item) string { return it.Attributes[name].Text }, name)
		if slices.Contains(typeAttributes, name) || x.differ(groups) {
			return groups
		}
	}
	x.data = wordFinder{&x.Table}.data(x.separator)
	guessed := x.alike()
	for _, name := range maybeAttributes {
		// keys may begin with data, such as the codes of airports
		if x.namesModels(name) {
			groups := x.grouped(func(it Item) string { return it.Attributes[name].Text }, name)
			if len(groups) > 1 && len(groups) < len(guessed) {
				return groups
			}
		}
	}
	return guessed
}

// typeOfModels returns the attribute that names the models of items with known ones, or "".
func (x *tableReader) typeOfModels() string {
	for _, name := range typeAttributes {
		by := map[string]string{}
		one := !slices.ContainsFunc(x.Items, func(it Item) bool {
			v, seen := by[it.Model]
			by[it.Model] = it.Attributes[name].Text
			return seen && v != it.Attributes[name].Text
		})
		if one && x.namesModels(name) {
			return name
		}
	}
	return ""
}

// namesModels reports whether all items have an attribute that may be the name of a model.
func (x *tableReader) namesModels(attribute string) bool {
	if slices.Contains(x.keyAttributes(), attribute) {
		return false
	}
	values := map[string]bool{}
	for _, it := range x.Items {
		v := it.Attributes[attribute]
		values[v.Text] = true
		if v.Type != "S" || v.Text == "" || len(values) > design.MaxModels {
			return false
		}
	}
	return true
}

// grouped groups the items by a name.
func (x *tableReader) grouped(nameOf func(Item) string, attribute string) []*group {
	by := map[string]*group{}
	var list []*group
	for _, it := range x.Items {
		name := nameOf(it)
		if by[name] == nil {
			by[name] = &group{name: name, typed: attribute}
			list = append(list, by[name])
		}
		by[name].items = append(by[name].items, it)
	}
	return list
}

// differ reports whether the items of groups have other attributes, or keys that begin otherwise.
func (x *tableReader) differ(groups []*group) bool {
	for i, g := range groups {
		for _, other := range groups[:i] {
			a, b := x.shapeOf(g.items[0]), x.shapeOf(other.items[0])
			if a.primary == b.primary && a.similar(b) {
				return false
			}
		}
	}
	return true
}

// shape holds what an item shows of its model.
type shape struct {
	primary    string            // how its primary key begins
	indexed    map[string]string // how its keys in indexes begin, by attribute
	attributes map[string]bool   // attributes that are in no key
}

func (x *tableReader) shapeOf(it Item) shape {
	s := shape{indexed: map[string]string{}, attributes: map[string]bool{}}
	for name := range it.Attributes {
		s.attributes[name] = true
	}
	for _, name := range x.keyAttributes() {
		if x.isNatural(name) {
			continue // it says as much of the model as attributes in no key
		}
		lead := leadOf(it.Attributes[name], x.separator)
		switch {
		case x.data[leading{name, lead}]:
			s.primary += "\x00"
		case name == x.Key.Partition || name == x.Key.Sort:
			s.primary += lead + "\x00"
		case s.attributes[name]:
			s.indexed[name] = lead
		}
		delete(s.attributes, name)
	}
	return s
}

// id returns a text that equal shapes have in common.
func (s shape) id() string {
	var b strings.Builder
	b.WriteString(s.primary)
	for _, name := range slices.Sorted(maps.Keys(s.indexed)) {
		b.WriteString("\x01" + name + "\x00" + s.indexed[name])
	}
	for _, name := range slices.Sorted(maps.Keys(s.attributes)) {
		b.WriteString("\x02" + name)
	}
	return b.String()
}

// similar reports whether items with two shapes, whose primary keys begin alike, may be of one
// model: they share half of their attributes, and their keys in indexes begin alike. The latter is
// not asked if the primary keys begin with a word, such as ORDER#, because that names the model. A
// word in a key of an index may be a state then, such as OPEN#.
func (s shape) similar(other shape) bool {
	worded := strings.Trim(s.primary, "\x00") != ""
	for name, lead := range s.indexed {
		if with, ok := other.indexed[name]; ok && with != lead && !worded {
			return false
		}
	}
	both := 0
	for name := range s.attributes {
		if other.attributes[name] {
			both++
		}
	}
	return 2*both >= max(len(s.attributes), len(other.attributes))
}

// maxShapes is how many shapes of items alike compares.
const maxShapes = 2000

// shaped are items of one shape.
type shaped struct {
	shape
	items []Item
}

// shapes returns the items by their shapes, the most frequent one first.
func (x *tableReader) shapes() []*shaped {
	by := map[string]*shaped{}
	for _, it := range x.Items {
		s := x.shapeOf(it)
		id := s.id()
		if by[id] == nil && len(by) == maxShapes {
			x.draft.warn("the items differ in more than %d ways; some were not looked at",
				maxShapes)
			continue
		}
		if by[id] == nil {
			by[id] = &shaped{shape: s}
		}
		by[id].items = append(by[id].items, it)
	}
	ids := slices.SortedFunc(maps.Keys(by), func(a, b string) int {
		return cmp.Or(len(by[b].items)-len(by[a].items), cmp.Compare(a, b))
	})
	list := make([]*shaped, len(ids))
	for i, id := range ids {
		list[i] = by[id]
	}
	return list
}

// alike groups items whose primary keys begin alike, and that are similar.
func (x *tableReader) alike() []*group {
	var groups []*group
	var shapes []shape
	for _, s := range x.shapes() {
		i := slices.IndexFunc(shapes,
			func(o shape) bool { return o.primary == s.primary && o.similar(s.shape) })
		if i >= 0 {
			groups[i].items = append(groups[i].items, s.items...)
			continue
		}
		groups = append(groups, &group{guessed: true, items: s.items, name: x.nameOf(s.items[0])})
		shapes = append(shapes, s.shape)
	}
	return groups
}

// nameOf returns the word that begins a key of an item: the sort key, if the partition key begins
// otherwise, or the partition key, or the sort key of an index.
func (x *tableReader) nameOf(it Item) string {
	lead := func(name string) string {
		if x.data[leading{name, leadOf(it.Attributes[name], x.separator)}] {
			return ""
		}
		return strings.TrimSuffix(leadOf(it.Attributes[name], x.separator), x.separator)
	}
	for _, k := range x.keys() {
		if name := cmp.Or(lead(k.Key.Sort), lead(k.Key.Partition)); name != "" {
			return name
		}
	}
	return singular(x.Name)
}
