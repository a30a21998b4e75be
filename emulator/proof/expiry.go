package proof

import (
	"cmp"
	"fmt"
	"time"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// expiring is an item with a time to live, or with a number that looks like one.
type expiring struct {
	model string
	item  map[string]any
	stays bool
}

// checkExpiry checks, on a fork, that items with a time to live expire when it is over, and no
// others.
func (v *verification) checkExpiry() (failures []string, err error) {
	fork, err := v.db.service.Fork()
	if err != nil {
		return nil, err
	}
	defer func() { err = cmp.Or(err, fork.Close()) }()
	now, err := fork.Now()
	if err != nil {
		return nil, err
	}
	all, err := v.expiring(now)
	if err != nil {
		return nil, err
	}
	return v.expire(&client{fork, v.plan}, all)
}

// expire stores items, has them expire, and returns those that do so wrongly.
func (v *verification) expire(db *client, all []expiring) (failures []string, err error) {
	for _, e := range all {
		if err := db.put(v.plan.Design.Table, []map[string]any{e.item}); err != nil {
			return nil, err
		}
	}
	if err := db.service.Expire(); err != nil {
		return nil, err
	}
	for _, e := range all {
		there, err := db.has(e.item)
		switch {
		case err != nil:
			return nil, err
		case there && !e.stays:
			failures = append(failures, fmt.Sprintf("an item of %s does not expire", e.model))
		case !there && e.stays:
			failures = append(failures,
				fmt.Sprintf("an item of %s expires too early, or should never", e.model))
		}
	}
	return failures, nil
}

// expiring returns items whose time is over, items whose time is to come, and items of models
// without a time to live that have an attribute with the name of another model's.
func (v *verification) expiring(now time.Time) (all []expiring, err error) {
	times := map[string]bool{}
	for _, m := range v.plan.Design.Models {
		times[m.TTL] = m.TTL != ""
	}
	samples := v.samples()
	add := func(m *design.Model, attribute string, at time.Time, stays bool) {
		row := samples.Next(m.Name)
		row[attribute] = at.Unix()
		item, failed := v.plan.Item(m.Name, row)
		if failed != nil {
			err = failed
		}
		all = append(all, expiring{m.Name, item, stays})
	}
	for i := range v.plan.Design.Models {
		m := &v.plan.Design.Models[i]
		for _, a := range m.Attributes {
			switch {
			case a.Type != design.Number || !times[a.Name]:
			case a.Name == m.TTL:
				add(m, a.Name, now.Add(-time.Minute), false)
				add(m, a.Name, now.Add(time.Hour), true)
			default:
				add(m, a.Name, now.Add(-time.Minute), true)
			}
		}
	}
	return all, err
}
