package source

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// describe finds the attributes of a group's model, and what the keys hold.
func (x *tableReader) describe(g *group) {
	g.keys, g.named = map[string]pattern{}, map[string]string{}
	inKeys := x.keyAttributes()
	for _, name := range attributeNames(g.items) {
		if !slices.Contains(inKeys, name) && name != g.typed &&
			!strings.HasPrefix(name, "__edb_") && len(g.model.Attributes) < maxNames {
			g.model.Attributes = append(g.model.Attributes,
				x.attribute(name, valuesOf(g.items, name)))
		}
	}
	for _, name := range inKeys {
		values := valuesOf(g.items, name)
		sparse := len(values) > 1 && name != x.Key.Partition && name != x.Key.Sort
		if 2*len(values) > len(g.items) || sparse {
			g.keys[name] = x.pattern(g, name, values)
		}
	}
}

// fewItems is how many items show that not all have an attribute.
const fewItems = 5

// missing finds out which part of a group's items has each attribute.
func (x *tableReader) missing(g *group) {
	if len(g.items) < fewItems {
		return
	}
	for i := range g.model.Attributes {
		a := &g.model.Attributes[i]
		has := len(valuesOf(g.items, a.Name))
		if has > 0 && has < len(g.items) && a.Constant == "" && a.Name != x.TTL &&
			!slices.Contains(g.model.Key, a.Name) {
			a.Optional = min(math.Ceil(1000*float64(has)/float64(len(g.items)))/1000, 0.999)
		}
	}
}

// attributeNames returns the names of the attributes of items, in the order of the alphabet.
func attributeNames(items []Item) []string {
	seen := map[string]bool{}
	var names []string
	for _, it := range items {
		for name := range it.Attributes {
			if !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// valuesOf returns the values that items have of an attribute.
func valuesOf(items []Item, name string) []Value {
	var values []Value
	for _, it := range items {
		if v, ok := it.Attributes[name]; ok {
			values = append(values, v)
		}
	}
	return values
}

// attribute describes an attribute by its values.
func (x *tableReader) attribute(name string, values []Value) design.Attribute {
	a := design.Attribute{Name: name, Type: design.String}
	if len(values) == 0 {
		return a
	}
	a.Type = TypeOf(values[0].Type)
	if a.Type == design.String {
		a.Format = formatOfText(values[0].Text)
	}
	distinct, bytes := map[string]bool{}, 0
	for _, v := range values {
		bytes += v.Bytes
		distinct[v.Text] = true
		if a.Format != design.Any && formatOfText(v.Text) != a.Format {
			a.Format = design.Any
		}
	}
	if a.Format == design.Any && a.Type != design.Number && a.Type != design.Boolean {
		a.Bytes = (bytes + len(values) - 1) / len(values)
	}
	if n := int64(len(distinct)); (a.Type == design.String || a.Type == design.Number) &&
		len(values) >= minValues && 2*n <= int64(len(values)) {
		a.Values = n
		if 10*n > int64(len(values)) { // there are more in the items that are not in the sample
			a.Values = n * x.Count / int64(len(x.Items))
		}
	}
	return a
}

// minValues is how many values of an attribute say how many different ones there are.
const minValues = 20

var (
	uuidText = lazily(
		`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)
	ulidText      = lazily(`^[0-7][0-9A-HJKMNP-TV-Z]{25}$`)
	timestampText = lazily(`^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z?$`)
)

// formatOfText returns the format of a string.
func formatOfText(text string) design.Format {
	switch {
	case uuidText().MatchString(text):
		return design.UUID
	case ulidText().MatchString(text):
		return design.ULID
	case timestampText().MatchString(text):
		return design.Timestamp
	}
	return design.Any
}

// pattern returns what a key attribute holds.
func (x *tableReader) pattern(g *group, name string, values []Value) pattern {
	parts := x.split(values)
	p := make(pattern, len(parts))
	before := ""
	for i, texts := range parts {
		if values[0].Type == "S" && constant(texts) &&
			(len(texts) > 1 || len(parts) > 1 && i == 0) {
			p[i].text, before = texts[0], texts[0]
			continue
		}
		typ := values[0].Type
		if len(parts) > 1 {
			typ = "S"
		}
		p[i].attribute = x.named(g, name, before, typ, texts)
	}
	return p
}

// constant reports whether all texts are equal, and not an id or a time. A few texts have to be
// words.
func constant(texts []string) bool {
	if len(texts) < minValues && !word().MatchString(texts[0]) {
		return false
	}
	return formatOfText(texts[0]) == design.Any &&
		!slices.ContainsFunc(texts, func(text string) bool { return text != texts[0] })
}

// split splits the values of a key at the separators: the texts of each segment. Values with
// different numbers of separators are split behind the word that begins all of them, if there is
// one.
func (x *tableReader) split(values []Value) [][]string {
	count := func(v Value) int { return strings.Count(v.Text, x.separator) }
	limit := -1
	if slices.ContainsFunc(values, func(v Value) bool { return count(v) != count(values[0]) }) {
		limit = 2
		lead := leadOf(values[0], x.separator)
		if lead == "" ||
			slices.ContainsFunc(values,
				func(v Value) bool { return leadOf(v, x.separator) != lead }) {
			limit = 1
		}
	}
	if values[0].Type != "S" {
		limit = 1
	}
	var parts [][]string
	for _, v := range values {
		for i, text := range strings.SplitN(v.Text, x.separator, limit) {
			if i == len(parts) {
				parts = append(parts, nil)
			}
			parts[i] = append(parts[i], text)
		}
	}
	return parts
}

// named returns the attribute of a group that has the texts of a segment. A group without one gets
// one. before is the text before the segment.
func (x *tableReader) named(g *group, key, before, typ string, texts []string) string {
	labelled := withoutLabel(texts)
	for i := range g.model.Attributes {
		name := g.model.Attributes[i].Name
		other := g.named[name]
		// c#1 and o#1
		chance := len(texts) < minValues && other != "" && before != "" && other != before
		if !chance &&
			(x.holds(g, key, name, texts) || labelled != nil && x.holds(g, key, name, labelled)) {
			return name
		}
	}
	values := make([]Value, len(texts))
	for i, text := range texts {
		values[i] = Value{Type: typ, Text: text, Bytes: len(text)}
	}
	a := x.attribute("", values)
	taken := func(name string) bool { return g.model.Attribute(name) != nil }
	a.Name = free(cmp.Or(x.alias(g, key), x.nameFor(g, key, before, a.Format)), taken)
	g.named[a.Name] = before
	g.model.Attributes = append(g.model.Attributes, a)
	for i := range g.items { // other keys with these values find the attribute then
		if _, ok := g.items[i].Attributes[key]; ok {
			g.items[i].Attributes[a.Name] = values[0]
			values = values[1:]
		}
	}
	return a.Name
}

// withoutLabel returns texts without the label that all begin with, as ElectroDB writes it:
// storeid_EastPointe. It is nil if they share none.
func withoutLabel(texts []string) []string {
	label, _, ok := strings.Cut(texts[0], "_")
	if !ok || label == "" {
		return nil
	}
	list := make([]string, len(texts))
	for i, text := range texts {
		if list[i], ok = strings.CutPrefix(text, label+"_"); !ok {
			return nil
		}
	}
	return list
}

// alias returns the name that what a key of the table holds has in a group, or "".
func (x *tableReader) alias(g *group, key string) string {
	names, alias := x.names[g.name], ""
	switch key {
	case x.Key.Partition:
		alias = names.Partition
	case x.Key.Sort:
		alias = names.Sort
	}
	if alias == key {
		return ""
	}
	return alias
}

// holds reports whether the items with a key attribute have texts as an attribute, in any case:
// ElectroDB writes keys in lower case. Numbers in strings may begin with zeros.
func (x *tableReader) holds(g *group, key, attribute string, texts []string) bool {
	i := 0
	for _, it := range g.items {
		if _, ok := it.Attributes[key]; !ok {
			continue
		}
		v, ok := it.Attributes[attribute]
		if !ok || !strings.EqualFold(v.Text, texts[i]) &&
			(v.Type != "N" || v.Text != strings.TrimLeft(texts[i], "0")) {
			return false
		}
		i++
	}
	return i > 0
}

// generic matches names of key attributes that say nothing of what they hold.
var generic = lazily(
	`(?i)^(pk|sk|hk|rk|hash|range|partition|sort|.*[_-]?(pk|sk)\d*|.*(gsi|lsi|gs|ls)\d.*|.*(hash|range|partition|sort)[_-]?key\d*)$`)

// nameFor returns a name for an attribute that only keys hold.
func (x *tableReader) nameFor(g *group, key, before string, format design.Format) string {
	switch {
	case x.isNatural(key) && g.model.Attribute(key) == nil:
		return key
	case key == x.Key.Partition && x.tenants[before+x.separator]:
		return "tenant"
	case before != "" && (camel(before) == g.model.Name || x.short(g, before)) &&
		format != design.Timestamp:
		return "id"
	case format == design.Timestamp:
		return "at"
	case before != "":
		return lowerFirst(camel(before)) + "Id"
	case !generic().MatchString(key):
		return key
	case g.model.Attribute("id") == nil:
		return "id"
	}
	return strings.ToLower(key)
}

// short reports whether a text is short for the model of a group, and the only one in its primary
// key: c#12345 of a Customer.
func (x *tableReader) short(g *group, text string) bool {
	for _, name := range []string{x.Key.Partition, x.Key.Sort} {
		if lead := leadOf(g.items[0].Attributes[name], x.separator); lead != "" &&
			lead != text+x.separator {
			return false
		}
	}
	return strings.HasPrefix(strings.ToLower(g.model.Name), strings.ToLower(text))
}

// owner is the attribute that is the key of a model, with its values.
type owner struct {
	of        *group
	attribute *design.Attribute
	values    map[string]bool
}

// relate finds attributes whose values are the keys of other models, and the keys of all models.
func (x *tableReader) relate() {
	var owners []owner
	for _, g := range x.groups {
		if key := x.keyOf(g); len(key) == 1 {
			o := owner{g, g.model.Attribute(key[0]), map[string]bool{}}
			for _, v := range valuesOf(g.items, key[0]) {
				o.values[v.Text] = true
			}
			owners = append(owners, o)
		}
	}
	of := map[*design.Attribute]owner{}
	for _, g := range x.groups {
		for i := range g.model.Attributes {
			x.relation(g, &g.model.Attributes[i], owners, of)
		}
	}
	for _, g := range x.groups {
		if a := g.model.Attribute("id2"); a != nil && g.isNamed(a.Name) &&
			g.model.Attribute("id") == nil {
			g.rename(a, "id") // the other one has a better name now
		}
	}
	for a, o := range of {
		a.Of, a.Values = o.of.model.Name+"."+o.attribute.Name, 0
	}
	for _, g := range x.groups {
		g.model.Key = x.keyOf(g)
	}
}

// relation finds the attribute whose values an attribute of a group has, if there is one.
func (x *tableReader) relation(g *group, a *design.Attribute, owners []owner,
	of map[*design.Attribute]owner) {
	if before := g.named[a.Name]; before != "" && camel(before) == g.model.Name &&
		slices.Equal(x.keyOf(g), []string{a.Name}) {
		return // its own id
	}
	values := valuesOf(g.items, a.Name)
	for _, o := range owners {
		if o.of == g || o.attribute.Type != a.Type || o.attribute.Format != a.Format ||
			leadsTo(of, o.attribute, a) || !x.within(values, a.Format, o.values) {
			continue
		}
		of[a] = o
		if name := lowerFirst(o.of.model.Name) + "Id"; g.isNamed(a.Name) &&
			g.model.Attribute(name) == nil {
			g.rename(a, name)
		}
		return
	}
}

// leadsTo reports whether an attribute has, directly or not, the values of another one.
func leadsTo(of map[*design.Attribute]owner, from, to *design.Attribute) bool {
	for range len(of) + 1 {
		if from == to {
			return true
		}
		o, ok := of[from]
		if !ok {
			return false
		}
		from = o.attribute
	}
	return true
}

// ofTenants returns the words before a tenant in partition keys, as the guide "Key design patterns"
// has them: ORDER#tenant001. Behind at least two words there is the same text, and no item of a
// model with such a word is the only one with its text.
func (x *tableReader) ofTenants() map[string]bool {
	words := map[string]map[string]bool{} // the texts behind each lead
	alone := map[string]bool{}
	for _, g := range x.groups {
		lead := leadOf(g.items[0].Attributes[x.Key.Partition], x.separator)
		if words[lead] == nil {
			words[lead] = map[string]bool{}
		}
		for _, it := range g.items {
			words[lead][strings.TrimPrefix(it.Attributes[x.Key.Partition].Text, lead)] = true
		}
		alone[lead] = alone[lead] || uniqueIn(g.items, []string{x.Key.Partition})
	}
	of := map[string]bool{}
	for lead, texts := range words {
		for other, others := range words {
			if lead != "" && other != "" && other != lead && !alone[lead] && !alone[other] &&
				shared(texts, others) {
				of[lead] = true
			}
		}
	}
	return of
}

// shared reports whether two sets have an element in common.
func shared(a, b map[string]bool) bool {
	for text := range a {
		if b[text] {
			return true
		}
	}
	return false
}

// isNamed reports whether an attribute has its name from the reader.
func (g *group) isNamed(attribute string) bool {
	_, ok := g.named[attribute]
	return ok
}

// rename gives an attribute that only keys hold another name.
func (g *group) rename(a *design.Attribute, name string) {
	for _, p := range g.keys {
		for i := range p {
			if p[i].attribute == a.Name {
				p[i].attribute = name
			}
		}
	}
	for i := range g.items {
		if v, ok := g.items[i].Attributes[a.Name]; ok {
			g.items[i].Attributes[name] = v
		}
	}
	g.named[name] = g.named[a.Name]
	delete(g.named, a.Name)
	a.Name = name
}

// within reports whether all values, at least two different ones, are among others. If the table
// has more items than were read, three UUIDs or ULIDs are enough: the others may be those of items
// that were not read.
func (x *tableReader) within(values []Value, format design.Format, others map[string]bool) bool {
	distinct, known := map[string]bool{}, 0
	for _, v := range values {
		if v.Type != "S" || len(v.Text) < 2 {
			return false
		}
		if !distinct[v.Text] && others[v.Text] {
			known++
		}
		distinct[v.Text] = true
	}
	if x.Count > int64(len(x.Items)) && (format == design.UUID || format == design.ULID) {
		return known >= 3
	}
	return known >= 2 && known == len(distinct)
}

// keyOf returns attributes of a group's primary key that are unique together: an id alone, or else
// those of the partition key if enough items differ in them, or else all.
func (x *tableReader) keyOf(g *group) []string {
	partition, sort := g.keys[x.Key.Partition].attributes(), g.keys[x.Key.Sort].attributes()
	all := unique(slices.Concat(partition, sort))
	if len(all) < 2 {
		return all
	}
	for _, name := range slices.Concat(partition, sort) {
		a := g.model.Attribute(name)
		if (a.Format == design.UUID || a.Format == design.ULID || name == "id") &&
			uniqueIn(g.items, []string{name}) {
			return []string{name}
		}
	}
	if len(partition) > 0 && len(g.items) >= minValues && uniqueIn(g.items, partition) {
		return unique(partition)
	}
	return all
}

// uniqueIn reports whether no two items have the same values of attributes.
func uniqueIn(items []Item, names []string) bool {
	seen := map[string]bool{}
	for _, it := range items {
		var b strings.Builder
		for _, name := range names {
			b.WriteString(it.Attributes[name].Text + "\x00")
		}
		if seen[b.String()] {
			return false
		}
		seen[b.String()] = true
	}
	return true
}
