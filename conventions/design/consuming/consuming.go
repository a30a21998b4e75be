package consuming

import (
	"maps"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// Consumer says what the consumer of a plan's stream does.
type Consumer struct {
	Causes  []Cause
	Follows []Follow
}

// Cause says what the consumer does for the record of a new item of a model, or of a deleted one.
// The order is that of the fields. What may be done twice comes first, so that a counter with ADD
// rarely counts twice.
type Cause struct {
	Model   string
	Minus   bool // the item was deleted
	Write   *design.Write
	Fresh   []Original       // read for the copies of a new item
	Lasts   []*design.Action // what gets values of the item, if it is the newest
	Feeds   []Feeding
	Mark    *design.Model // marks a record that is counted once
	Once    []*design.Action
	Streams []*design.Action // counters that an ADD of their own changes
}

// Original is an item that other items copy.
type Original struct {
	Query  int // the query that reads it
	Of     string
	By     map[string]string // the query's parameters: attributes of the copying model
	Copies []FreshCopy
}

// FreshCopy is a copy of a new item. Each is changed by itself, because another one may follow its
// original by then.
type FreshCopy struct {
	design.Copy
	Held
}

// Held is how a copy is stored: in attributes of the table that must be as they were to get another
// value, and whether one of them has other values beside it, so that it is read before. If is the
// condition of the plan's action that changes it.
type Held struct {
	Same  []string
	Whole bool
	If    design.Existence
}

// Feeding is a feed with an item for each of those that a query finds.
type Feeding struct {
	Feed    *design.Model
	Query   int
	By      map[string]string // the query's parameters: attributes of the item's model
	Fields  []FeedField
	Deletes bool
}

// FeedField says where the items of a feed have an attribute from.
type FeedField struct {
	Name   string // the attribute of the feed's item
	Of     string // the attribute that it is copied from
	Reader bool   // Of is an attribute of what says who reads, and not of the item in the feed
}

// Follow says what the consumer does for the change of an attribute: its copies get the new value.
type Follow struct {
	Copied design.Copy
	Query  int               // the query that finds the copies
	By     map[string]string // the query's parameters: attributes of the original
	Sets   []design.Stored   // what a copy stores of it
	Held
}

// Of returns what the consumer of a plan's stream does, or nil if the plan needs none.
func Of(p *design.Plan) *Consumer {
	if !p.Streams() {
		return nil
	}
	c := &Consumer{}
	for i := range p.Writes {
		w := &p.Writes[i]
		if len(w.Actions) == 0 || w.Model == "" || !w.Streamed() {
			continue
		}
		switch w.Actions[0].Kind {
		case design.PutItem, design.DeleteItem:
			c.Causes = append(c.Causes, causeOf(p, w))
		}
	}
	for _, copied := range design.Copies(&p.Design) {
		if copied.Kept != design.ByStream {
			continue
		}
		if a, ok := changing(p, copied); ok {
			c.Follows = append(c.Follows, followOf(p, copied, a))
		}
	}
	return c
}

// Cause returns what the record of a new item of a model causes, or of a deleted one, or nil.
func (c *Consumer) Cause(model string, minus bool) *Cause {
	for i := range c.Causes {
		if c.Causes[i].Model == model && c.Causes[i].Minus == minus {
			return &c.Causes[i]
		}
	}
	return nil
}

// Originals returns the models whose items have copies that follow them.
func (c *Consumer) Originals() (models []string) {
	for _, f := range c.Follows {
		if !slices.Contains(models, f.Copied.Of) {
			models = append(models, f.Copied.Of)
		}
	}
	return models
}

// FollowsOf returns what a change of a model's item causes.
func (c *Consumer) FollowsOf(model string) (all []Follow) {
	for _, f := range c.Follows {
		if f.Copied.Of == model {
			all = append(all, f)
		}
	}
	return all
}

// causeOf returns what the record of a write causes.
func causeOf(p *design.Plan, w *design.Write) Cause {
	c := Cause{Model: w.Model, Write: w, Minus: w.Actions[0].Kind == design.DeleteItem}
	for i := range w.Later {
		switch a := &w.Later[i]; a.Kind {
		case design.AddTo:
			c.Streams = append(c.Streams, a)
		case design.SetLast:
			c.Lasts = append(c.Lasts, a)
		case design.UpdateItem:
			c.Fresh = originals(p, w)
		default:
			c.Feeds = append(c.Feeds, feedingOf(p, a))
		}
	}
	for i := range w.Once {
		if a := &w.Once[i]; a.Kind == design.AddTo {
			c.Once = append(c.Once, a)
		} else {
			c.Mark = p.Design.Model(a.Model)
		}
	}
	return c
}

// actionOn returns the action that the stream's consumer does on a copy after a write, or nil.
func actionOn(w *design.Write, copied design.Copy) *design.Action {
	for i := range w.Later {
		if a := &w.Later[i]; a.Kind == design.UpdateItem && a.Model == copied.Model &&
			slices.Contains(a.Sets, copied.Attribute) {
			return a
		}
	}
	return nil
}

// changing returns the action on a copy after the write that changes its original. It is not ok if
// the write has none. A plan may have no such write, where others change the original.
func changing(p *design.Plan, copied design.Copy) (a *design.Action, ok bool) {
	for i := range p.Writes {
		w := &p.Writes[i]
		if w.Model == copied.Of && len(w.Actions) > 0 && w.Actions[0].Kind == design.UpdateItem &&
			slices.Contains(w.Actions[0].Sets, copied.Name) {
			a = actionOn(w, copied)
			return a, a != nil
		}
	}
	return &design.Action{If: design.MustExist}, true
}

// originals returns the items that are read for the copies in a new item. An item that is copied
// several times is read once.
func originals(p *design.Plan, w *design.Write) (all []Original) {
	for _, copied := range design.Copies(&p.Design) {
		if copied.Model != w.Model || copied.Kept != design.ByStream {
			continue
		}
		a := actionOn(w, copied)
		if a == nil {
			continue
		}
		_, held := holdingOf(p, copied)
		held.If = a.If
		fresh := FreshCopy{copied, held}
		isSame := func(o Original) bool {
			return o.Of == copied.Of && slices.Equal(o.Copies[0].By, copied.By)
		}
		if i := slices.IndexFunc(all, isSame); i >= 0 {
			all[i].Copies = append(all[i].Copies, fresh)
			continue
		}
		o := Original{Query: queryOf(p, copied.Source), Of: copied.Of,
			By: tenanted(p, copied.Of), Copies: []FreshCopy{fresh}}
		// the new item has the key of its original in the attributes copied.By
		for i, name := range p.Design.Model(copied.Of).Key {
			o.By[name] = copied.By[i]
		}
		all = append(all, o)
	}
	return all
}

// queryOf returns the number of the query of a pattern.
func queryOf(p *design.Plan, pattern string) int {
	return slices.IndexFunc(p.Queries, func(q design.Query) bool { return q.Pattern == pattern })
}

// tenanted returns the parameters of a query of a model so far: the tenant, if the model has one.
func tenanted(p *design.Plan, model string) map[string]string {
	by := map[string]string{}
	if t := p.Design.Tenants; t != nil {
		if a := p.Design.Model(model).Attribute(t.Attribute); a != nil && a.Constant == "" {
			by[t.Attribute] = t.Attribute
		}
	}
	return by
}

// feedingOf returns what an action does with the feeds of an item.
func feedingOf(p *design.Plan, a *design.Action) Feeding {
	m := p.Design.Model(a.Model)
	f := Feeding{Feed: m, Query: queryOf(p, m.Feed.Readers), By: tenanted(p, m.Feed.Through),
		Fields: feedFields(m), Deletes: a.Kind == design.DeleteItem}
	f.By[m.Feed.Whom] = m.Feed.By
	return f
}

// feedFields returns where the items of a feed have their attributes from. The first attribute of
// their key says whose feed it is; others are those of the item in the feed. Constants and derived
// attributes are copied from neither.
func feedFields(feed *design.Model) (all []FeedField) {
	for i := range feed.Attributes {
		a := &feed.Attributes[i]
		if a.Constant != "" || a.Derived != nil {
			continue
		}
		if a.Name == feed.Key[0] {
			all = append(all, FeedField{Name: a.Name, Of: feed.Feed.Reader, Reader: true})
		} else if original, ok := strings.CutPrefix(a.Of, feed.Feed.Of+"."); ok {
			all = append(all, FeedField{Name: a.Name, Of: original})
		}
	}
	return all
}

// FeedItem returns the item of a feed for an item and one of its readers.
func FeedItem(feed *design.Model, of, reader design.Row) design.Row {
	row := design.Row{}
	for _, f := range feedFields(feed) {
		if row[f.Name] = of[f.Of]; f.Reader {
			row[f.Name] = reader[f.Of]
		}
	}
	return row
}

// followOf returns what the consumer does for a copy when its original changes; a is the action of
// the plan that changes the copy.
func followOf(p *design.Plan, copied design.Copy, a *design.Action) Follow {
	f := Follow{Copied: copied, Query: queryOf(p, copied.Pattern), By: tenanted(p, copied.Model)}
	for i, name := range copied.By {
		f.By[name] = p.Design.Model(copied.Of).Key[i]
	}
	f.Sets, f.Held = holdingOf(p, copied)
	f.If = a.If
	return f
}

// holdingOf returns the attributes of the table whose values are made of the copied value alone,
// and how the copy is stored.
func holdingOf(p *design.Plan, copied design.Copy) (sets []design.Stored, h Held) {
	m, e := p.Design.Model(copied.Model), p.Entity(copied.Model)
	for _, s := range slices.Concat(e.Keys, e.Others) {
		if depends(m, &s, copied.Attribute) {
			h.Same = append(h.Same, s.Name)
		}
	}
	known := map[string]string{copied.Attribute: copied.Name}
	for _, s := range Partial(p, m, known, false) {
		if slices.Contains(h.Same, s.Name) {
			sets = append(sets, s)
		}
	}
	h.Whole = len(sets) < len(h.Same)
	for _, name := range beside(e, h.Same) {
		if !slices.Contains(h.Same, name) {
			h.Same = append(h.Same, name)
		}
	}
	return sets, h
}

// LastItem returns how the item is stored that gets values of a newer one: its primary key, and
// what holds these values. The first of that says how new they are.
func LastItem(p *design.Plan, a *design.Action) (key, values []design.Stored) {
	m, known := p.Design.Model(a.Model), a.Newest()
	all := Partial(p, m, known, false)
	for _, name := range design.Lasting(p, a) {
		if i := slices.IndexFunc(all,
			func(s design.Stored) bool { return s.Name == name }); i >= 0 {
			values = append(values, all[i])
		}
	}
	return Partial(p, m, known, true), values
}

// beside returns what holds the other attributes of the keys that only some items have: they must
// be as they were, too, where such a key is not there to be compared.
func beside(e *design.Entity, keys []string) (names []string) {
	for _, s := range e.Keys {
		if s.When == nil || !slices.Contains(keys, s.Name) {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(s.When)) {
			names = append(names, e.Holding(name)...)
		}
		for _, part := range s.Value {
			if part.Attribute != "" {
				names = append(names, e.Holding(part.Attribute)...)
			}
		}
	}
	return names
}

// depends reports whether what is stored has an attribute of a model, a period of it, or is there
// for some of its values only.
func depends(m *design.Model, s *design.Stored, attribute string) bool {
	if _, ok := s.When[attribute]; ok {
		return true
	}
	return slices.ContainsFunc(s.Value, func(part design.Part) bool {
		a := m.Attribute(part.Attribute)
		return part.Attribute == attribute ||
			a != nil && a.Derived != nil && a.Derived.Of == attribute
	})
}

// Partial returns the attributes of an item that follow from some of its model's attributes: those
// of the primary key, or the others.
func Partial(p *design.Plan, m *design.Model, known map[string]string,
	primary bool) (all []design.Stored) {
	e := p.Entity(m.Name)
	for _, s := range slices.Concat(e.Keys, e.Others) {
		isKey := s.Name == p.Key.Partition || s.Name == p.Key.Sort
		if isKey == primary && s.When == nil && follows(m, s.Value, known) {
			all = append(all, s)
		}
	}
	return all
}

// follows reports whether a value has no other attributes than known ones.
func follows(m *design.Model, v design.Value, known map[string]string) bool {
	return !slices.ContainsFunc(v, func(part design.Part) bool {
		a := m.Attribute(part.Attribute)
		switch {
		case part.Attribute == "" || known[part.Attribute] != "" || a.Constant != "":
			return false
		case a.Derived != nil && a.Derived.Shards > 0:
			return slices.ContainsFunc(m.Key,
				func(name string) bool { return known[name] == "" })
		case a.Derived != nil:
			return known[a.Derived.Of] == ""
		}
		return true
	})
}
