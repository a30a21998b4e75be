package design

import (
	"slices"
)

// feed checks a pattern through another model: a feed.
func (c keptChecker) feed(p *Pattern, field string) {
	m, through := c.design.Model(p.Model), c.design.Model(p.Through)
	switch {
	case m == nil:
		c.noModel(field+".model", p.Model)
		return
	case through == nil:
		c.noModel(field+".through", p.Through)
		return
	case through == m:
		c.add(field+".through", "name another model than %s: the one that says who follows whom",
			p.Model)
		return
	case rules{c.design}.tenantOf(m) != rules{c.design}.tenantOf(through):
		c.add(field+".through",
			"only one of %s and %s has a tenant, so a feed would show what another tenant has",
			p.Model, p.Through)
		return
	case len(p.Equal) != 1 || through.Attribute(p.Equal[0]) == nil:
		c.add(field+".equal", "name the attribute of %s that has the reader, as in [%s]", p.Through,
			through.Key[0])
		return
	case len(p.Models) > 0 || len(p.Where) > 0 || p.Range+p.Begins+p.Similar != "" ||
		p.Period != "" || p.Shards > 1 || p.One || p.Consistent ||
		len(p.In)+len(p.Filter)+len(p.Latest) > 0:
		c.add(field+".through",
			"a feed has equal, order, descending, attributes, rate and returned only")
		return
	}
	c.keyAttribute(field+".equal[0]", through, p.Equal[0])
	if p.Order != "" {
		c.keyAttribute(field+".order", m, p.Order)
	}
	checkDescending(c.checker, p, field)
	if p.Fanout != "" && !slices.Contains(Fanouts, p.Fanout) {
		c.add(field+".fanout", "want read or write")
	}
	switch {
	case p.Deletes != "" && !slices.Contains(Deletions, p.Deletes):
		c.add(field+".deletes", "want kept or cleaned")
	case p.Deletes != "" && p.fanout() == OnRead:
		c.add(field+".deletes", "a feed that is put together when it is read has no items to delete")
	}
	c.attributes(p, field)
	checkRate(c.checker, field+".rate", p.Rate)
	checkMany(c.checker, field+".returned", p.Returned)
}

// feeds checks what feeds follow, once models and attributes are there.
func (c keptChecker) feeds() {
	d := rules{c.design}
	for _, f := range d.feeds() {
		p, field := &d.Patterns[f.pattern], patternField(f.pattern)
		switch order := f.model.Attribute(p.Order); {
		case f.followed == "":
			c.add(field+".through",
				"no attribute of %s has the values of one of %s: both of a key, such as User.id",
				f.through.Name, f.model.Name)
		case f.through.Attribute(f.followed).Mutable || f.through.named(f.followed) ||
			f.model.Attribute(f.by).Mutable || f.model.named(f.by):
			c.add(field+".through", "%s of %s, or %s of %s, changes, and the feed would with it",
				f.followed, f.through.Name, f.by, f.model.Name)
		case p.fanout() == OnWrite && order != nil && (order.Mutable || f.model.named(order.Name) ||
			order.counted() != ""):
			c.add(field+".order", "%s changes, and the feed's items would with it: say fanout: read",
				order.Name)
		case p.fanout() == OnWrite && (f.model.Versions || f.model.TTL != ""):
			c.add(field+".fanout", "items of %s expire or have versions: say fanout: read",
				f.model.Name)
		}
	}
}
