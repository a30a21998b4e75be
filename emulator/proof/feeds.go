package proof

import (
	"fmt"
	"maps"
	"slices"

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

// feedPuts are a put of an item whose writer two others follow: both get it into their feeds.
func (s *stage) feedPuts() (all []scene) {
	for _, m := range feedsOf(s.plan, s.write.Model) {
		item := s.row(m.Feed.Of)
		var there []modelRow
		var readers []design.Row
		for range 2 {
			r := s.row(m.Feed.Through)
			r[m.Feed.Whom] = item[m.Feed.By]
			readers = append(readers, r)
			there = append(there, modelRow{m.Feed.Through, r})
		}
		there = append(s.parents([]design.Row{item}, nil), there...)
		put := write{name: s.write.Name, in: rowsOf(m.Feed.Of, item, nil)}
		all = append(all, scene{name: "a put for two feeds", there: s.distinct(there),
			writes: []write{put}, faults: 1, check: func(a *aftermath) error {
				for _, r := range readers {
					if !a.has(m.Name, feedItem(m, item, r)) {
						return fmt.Errorf("a feed has no item of %s", m.Name)
					}
				}
				return nil
			}})
	}
	return all
}

// feed adds the items of feeds that a new item takes: one for each of its readers by now.
func (c *consumer) feed(db *client, model string, item design.Row, in *design.Writing) error {
	for _, m := range feedsOf(c.plan, model) {
		followed := design.Row{m.Feed.Whom: item[m.Feed.By]}
		readers, err := c.find(db, m.Feed.Through, m.Feed.Readers, followed)
		if err != nil {
			return err
		}
		in.After = maps.Clone(in.After)
		for _, r := range readers {
			in.After[m.Name] = append(slices.Clone(in.After[m.Name]), feedItem(m, item, r))
		}
	}
	return nil
}
