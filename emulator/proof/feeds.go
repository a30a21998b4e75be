package proof

import (
	"fmt"
	"maps"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// feedsOf returns the models of the feeds that have an item for each reader of a model's items.
func feedsOf(p *design.Plan, model string) (all []*design.Model) {
	for i := range p.Design.Models {
		if m := &p.Design.Models[i]; m.Feed != nil && m.Feed.Of == model {
			all = append(all, m)
		}
	}
	return all
}

// feedItem returns the item of a feed for a reader.
func feedItem(m *design.Model, of, reader design.Row) design.Row {
	row := design.Row{m.Key[0]: reader[m.Feed.Reader]}
	for i := range m.Attributes {
		a := &m.Attributes[i]
		if name, ok := cutModel(a.Of, m.Feed.Of); ok && a.Name != m.Key[0] {
			row[a.Name] = of[name]
		}
	}
	return row
}

// cutModel returns the attribute in a name such as Post.id, if it is of a model.
func cutModel(name, model string) (attribute string, ok bool) {
	if len(name) <= len(model) || name[:len(model)+1] != model+"." {
		return "", false
	}
	return name[len(model)+1:], true
}

// fedItem is an item with the feeds in which it belongs, and with one in which it does not.
type fedItem struct {
	feed     *design.Model
	item     design.Row
	readers  []design.Row
	stranger design.Row // one with the keys of a reader in another tenant; nil without tenants
}

// newFedItem returns an item whose writer two others follow.
func newFedItem(s *writeCases, m *design.Model) *fedItem {
	a := &fedItem{feed: m, item: s.row(m.Feed.Of)}
	tenant := tenantOf(s.plan, m.Feed.Of)
	reader := func() design.Row {
		r := s.row(m.Feed.Through)
		r[m.Feed.Whom] = a.item[m.Feed.By]
		return r
	}
	for range 2 {
		r := reader()
		if tenant != "" {
			r[tenant] = a.item[tenant]
		}
		a.readers = append(a.readers, r)
	}
	if tenant != "" {
		a.stranger = maps.Clone(a.readers[0])
		a.stranger[tenant] = fmt.Sprint(a.item[tenant], "x")
	}
	return a
}

// there returns the items that say who follows.
func (a *fedItem) there() (all []modelRow) {
	for _, r := range a.readers {
		all = append(all, modelRow{a.feed.Feed.Through, r})
	}
	if a.stranger != nil {
		all = append(all, modelRow{a.feed.Feed.Through, a.stranger})
	}
	return all
}

// fed checks that the feeds show the item, or that none does, and never that of another tenant.
func (a *fedItem) fed(x *outcome, shows bool) error {
	for _, r := range a.readers {
		switch has := x.has(a.feed.Name, feedItem(a.feed, a.item, r)); {
		case shows && !has:
			return fmt.Errorf("a feed has no item of %s", a.feed.Name)
		case !shows && has:
			return fmt.Errorf("a feed has an item of %s that was deleted", a.feed.Name)
		}
	}
	if a.stranger == nil {
		return nil
	}
	of := with(a.item, a.stranger, []string{tenantOf(x.plan, a.feed.Name)})
	if x.has(a.feed.Name, feedItem(a.feed, of, a.stranger)) {
		return fmt.Errorf("%s shows an item of another tenant", a.feed.Name)
	}
	return nil
}

// tenantOf returns the attribute with the tenant of a model's items, or "".
func tenantOf(p *design.Plan, model string) string {
	if t := p.Design.Tenants; t != nil {
		if a := p.Design.Model(model).Attribute(t.Attribute); a != nil && a.Constant == "" {
			return t.Attribute
		}
	}
	return ""
}

// feedPuts returns the races of a put of an item whose writer two others follow: both get it into
// their feeds, and readers of another tenant do not.
func (s *writeCases) feedPuts() (all []race) {
	for _, m := range feedsOf(s.plan, s.write.Model) {
		a := newFedItem(s, m)
		there := append(s.parents([]design.Row{a.item}, nil), a.there()...)
		put := write{name: s.write.Name, in: rowsOf(m.Feed.Of, a.item, nil)}
		all = append(all, race{name: "a put for two feeds", there: s.distinct(there),
			writes: []write{put}, faults: 1,
			check: func(x *outcome) error { return a.fed(x, true) }})
	}
	return all
}

// feedDeletes returns the races of a delete of an item that two feeds show: alone, and beside its
// put.
func feedDeletes(s *writeCases) (all []race) {
	for _, m := range feedsOf(s.plan, s.write.Model) {
		if !m.Feed.Cleaned {
			continue
		}
		a := newFedItem(s, m)
		items := []design.Row{a.item}
		remove := write{name: s.write.Name, in: rowsOf(m.Feed.Of, nil, a.item)}
		there := append(s.before(items, items), a.there()...)
		for _, r := range a.readers {
			there = append(there, modelRow{m.Name, feedItem(m, a.item, r)})
		}
		all = append(all, race{name: "a delete for two feeds", there: s.distinct(there),
			writes: []write{remove}, faults: min(len(s.write.Actions)-1, 1),
			check: func(x *outcome) error { return a.fed(x, false) }})
		put := write{name: "put " + m.Feed.Of, in: rowsOf(m.Feed.Of, a.item, nil)}
		all = append(all, race{name: "a put and a delete for two feeds",
			there:  s.distinct(append(s.parents(items, nil), a.there()...)),
			writes: []write{put, remove},
			check: func(x *outcome) error {
				return a.fed(x, x.has(m.Feed.Of, a.item))
			}})
	}
	return all
}
