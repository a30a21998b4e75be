package design

import "slices"

// added returns what items add to a counter.
func (c *counter) added() Added {
	return Added{Counter: c.attribute.Name, Sums: c.attribute.summed(), Where: c.attribute.Where}
}

// changesOfCounted returns the writes that change what counters depend on, with these: one for each
// list of attributes that change together.
func (p keeper) changesOfCounted(m *Model, field string) (all []Write) {
	d := rules{&p.Design}
	for _, change := range m.Changes {
		counters := d.movedBy(m, change.Of)
		name := changeName(m, change.Of)
		at := slices.IndexFunc(all, func(w Write) bool { return w.Name == name })
		switch {
		case len(counters) == 0:
			continue
		case at >= 0:
			all[at].Rate += change.Rate
			continue
		}
		update := Action{Kind: UpdateItem, Model: m.Name, Count: 1, If: MustBeSame,
			Sets: change.Of}
		w := Write{Name: name, Model: m.Name, Field: field, Rate: change.Rate}
		for _, c := range counters {
			for _, of := range c.depends() { // what a counter adds depends on these, too
				if !slices.Contains(change.Of, of) && !slices.Contains(update.Checks, of) {
					update.Checks = append(update.Checks, of)
				}
			}
			same := func(a Action) bool {
				return a.Model == c.model.Name && slices.Equal(a.By, c.by)
			}
			if i := slices.IndexFunc(w.Actions, same); i >= 0 {
				w.Actions[i].Adds = append(w.Actions[i].Adds, c.added())
				continue
			}
			a := Action{Kind: AddTo, Model: c.model.Name, Count: 1, If: MustExist, Moves: true,
				Adds: []Added{c.added()}, Key: c.model.Key, Of: m.Name, By: c.by,
				Tenant: d.tenantOf(c.model)}
			if c.model.OnlyCounts() {
				a.If = Always
			}
			w.Actions = append(w.Actions, a)
		}
		w.Actions = append([]Action{update}, w.Actions...)
		all = append(all, w)
	}
	return all
}
