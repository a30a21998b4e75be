package design

import (
	"math"
	"slices"
	"strings"
)

// Fanout is when a feed is put together.
type Fanout string

// The ways to put a feed together.
const (
	// when it is read: a request for each of those that a reader follows
	OnRead Fanout = "read"
	// when something is put: a consumer of the stream puts an item for each of those that follow
	OnWrite Fanout = "write"
)

// Fanouts are all ways to put a feed together.
var Fanouts = []Fanout{OnRead, OnWrite}

// Deleted says what happens to the items of a feed when the item that they show is deleted.
type Deleted string

// The ways to treat them.
const (
	// they stay, and reads leave them out, because they find nothing that they show
	Kept Deleted = "kept"
	// a consumer of the stream deletes them, one for each of those that follow by then
	Cleaned Deleted = "cleaned"
)

// Deletions are all ways.
var Deletions = []Deleted{Kept, Cleaned}

// cleaned returns how often items of feeds are deleted for one of those that follow.
func (f *feed) cleaned(p *Pattern) float64 {
	if p.Deletes != Cleaned {
		return 0
	}
	return f.model.Deletes
}

// fanout returns how a feed is put together.
func (p *Pattern) fanout() Fanout {
	if p.Fanout == "" {
		return OnRead
	}
	return p.Fanout
}

// feed is a pattern through a model: it reads the items of those that a reader follows.
type feed struct {
	pattern          int
	model, through   *Model
	reader, followed string // attributes of through: who reads, and whom
	by               string // the attribute of model with the values of followed
}

// feeds returns the feeds among the patterns of a design.
func (d rules) feeds() (all []feed) {
	for i := range d.Patterns {
		p := &d.Patterns[i]
		if m, t := d.Model(p.Model), d.Model(p.Through); m != nil && t != nil &&
			len(p.Equal) == 1 {
			f := feed{pattern: i, model: m, through: t, reader: p.Equal[0]}
			f.followed, f.by = d.followed(&f)
			all = append(all, f)
		}
	}
	return all
}

// followed returns the attribute of a feed's model between, besides that of the reader, that has
// the values of an attribute of its model, and that attribute; or "".
func (d rules) followed(f *feed) (followed, by string) {
	for i := range f.through.Attributes {
		a := &f.through.Attributes[i]
		if a.Name == f.reader || a.Of == "" || a.Name == d.tenantOf(f.through) {
			continue
		}
		for j := range f.model.Attributes {
			b := &f.model.Attributes[j]
			if b.Of != "" && b.Name != d.tenantOf(f.model) && rootOf(d.Models, f.through.Name, a) ==
				rootOf(d.Models, f.model.Name, b) {
				return a.Name, b.Name
			}
		}
	}
	return "", ""
}

// many returns how many items of the model between have one value of an attribute on average, and
// how many have the most frequent one.
func (d rules) many(f *feed, attribute string) (mean, most float64) {
	items, values := float64(max(f.through.Items, 1)), float64(f.through.values(attribute))
	if of := f.through.Attribute(attribute); of.Values == 0 {
		model, _, _ := strings.Cut(rootOf(d.Models, f.through.Name, of), ".")
		values = float64(max(d.anyModel(model).Items, 1))
	}
	mean = max(math.Ceil(items/values), 1)
	if f.through.Attribute(attribute).skewed() {
		return mean, max(math.Ceil(items*f.through.Heaviest(attribute)), mean)
	}
	return mean, mean
}

// addFeeds replaces feeds by the patterns that they take. Each keeps its name and its place; the
// others come after all patterns.
func (d rules) addFeeds() {
	d.Patterns = slices.Clone(d.Patterns)
	for _, f := range d.feeds() {
		p := d.Patterns[f.pattern]
		p.Through, p.Fanout, p.Deletes = "", "", ""
		if d.Patterns[f.pattern].fanout() == OnWrite {
			d.feedOnWrite(f, p)
			continue
		}
		whom, _ := d.many(&f, f.reader)
		d.Patterns = append(d.Patterns, Pattern{Name: p.Name + ": whom", Model: f.through.Name,
			Equal: p.Equal, Rate: p.Rate, Returned: whom, Attributes: []string{f.followed}})
		p.Equal, p.Rate = []string{f.by}, p.Rate*whom
		d.Patterns[f.pattern] = p
	}
}

// feedOnWrite adds the model whose items a feed has: one for each reader of each item.
func (d rules) feedOnWrite(f feed, p Pattern) {
	readers, _ := d.many(&f, f.followed)
	cleaned := f.cleaned(&d.Patterns[f.pattern])
	m := Model{Name: d.guardName(f.model.Name, []string{"feed"}, nil), Feed: &Feeding{
		Pattern: p.Name, Readers: p.Name + ": readers", Of: f.model.Name, By: f.by,
		Through: f.through.Name, Reader: f.reader, Whom: f.followed,
		Cleaned: d.Patterns[f.pattern].Deletes == Cleaned}, Deletes: cleaned * readers,
		Items: int64(min(float64(f.model.Items)*readers, maxItems)), Puts: f.model.Puts * readers,
		Key: []string{f.reader}, Attributes: []Attribute{
			d.sameValues(f.through, f.reader, f.reader)}}
	if tenant := d.tenantOf(f.model); tenant != "" { // the keys of a feed are those of its tenant
		m.Attributes = append(m.Attributes, d.sameValues(f.model, tenant, tenant))
	}
	for _, key := range f.model.Key {
		if key == d.tenantOf(f.model) {
			continue
		}
		name := feedName(f.model, key)
		m.Key = append(m.Key, name)
		m.Attributes = append(m.Attributes, d.sameValues(f.model, key, name))
	}
	order := ""
	if p.Order != "" {
		if order = feedName(f.model, p.Order); m.Attribute(order) == nil {
			m.Attributes = append(m.Attributes, d.sameValues(f.model, p.Order, order))
		}
	}
	each := Pattern{Name: p.Name + ": each", Model: f.model.Name, Equal: f.model.Key, One: true,
		Rate: p.Rate * p.returned(), Attributes: p.Attributes}
	d.Patterns[f.pattern] = Pattern{Name: p.Name, Model: m.Name, Equal: p.Equal, Order: order,
		Descending: p.Descending, Rate: p.Rate, Returned: p.Returned}
	d.Patterns = append(d.Patterns, each, Pattern{Name: p.Name + ": readers",
		Model: f.through.Name, Equal: []string{f.followed}, Rate: f.model.Puts + cleaned,
		Returned: readers, Attributes: []string{f.reader}})
	d.Models = append(d.Models, m)
	f.model = d.Model(f.model.Name)
	f.model.strict, d.Model(m.Name).strict = true, true
}

// feedsOf returns the models of the feeds that have an item for each reader of a model's items.
func (d rules) feedsOf(m *Model) (all []*Model) {
	for i := range d.Models {
		if f := d.Models[i].Feed; f != nil && f.Of == m.Name {
			all = append(all, &d.Models[i])
		}
	}
	return all
}

// feedName returns the name that an attribute of a model has in a feed's items.
func feedName(m *Model, attribute string) string {
	return strings.ToLower(m.Name) + "_" + attribute
}

// sameValues returns an attribute with the values of another one.
func (d rules) sameValues(m *Model, of, name string) Attribute {
	a := m.Attribute(of)
	return Attribute{Name: name, Type: a.Type, Format: a.Format, Bytes: a.Bytes,
		Values: a.Values, Zipf: a.Zipf, Largest: a.Largest, Of: m.Name + "." + of}
}

// Feeding says that each item of a model is in a reader's feed. Plans add such models, designs do
// not have them. The first attribute of the model's key is the reader; its other attributes are Of
// those of the item.
type Feeding struct {
	Pattern      string // the pattern that reads the feed
	Readers      string // the pattern that finds the readers of an item
	Of, By       string // the model of the items, and its attribute that says of whom they are
	Through      string // the model that says who follows whom
	Reader, Whom string // its attributes
	Cleaned      bool   // deletes of items reach the feed
}
