package design

import (
	"cmp"
	"errors"
	"fmt"
)

// MakeFrom is Make for a table that is there already: that of another plan. Models of both plans
// keep their keys, with the prefixes that these have. Its error says why no plan keeps them.
func MakeFrom(d *Design, old *Plan, keep Keep) (*Plan, error) {
	if err := cmp.Or(d.Check(), checkOneTable(d)); err != nil {
		return nil, err
	}
	if keep == KeepNothing {
		return Make(d)
	}
	from := *d
	from.kept = &kept{old: old, keep: keep}
	plan, _, err := makeWithout(&from, nil)
	return plan, err
}

// mixesWithKept says which items the keys that are there do not keep apart.
func (a before) mixesWithKept() error {
	hint := ""
	for m := range a.models {
		names := named(a.was(m, a.kept.old.Key.Partition))
		if prefix, same := a.asIn(m, a.kept.old.Key.Partition, names); same && prefix == "" &&
			len(names) > 0 && a.models[m].Attribute(names[0]).freeText() {
			hint = fmt.Sprintf(": %s of %s can be any text, and begins with no name of the model; "+
				"say its format, if it has one", names[0], a.models[m].Name)
		}
	}
	for m := range a.models {
		for f := range m {
			if a.sameKey(m, f) {
				return fmt.Errorf("an item of %s could have the primary key of one of %s%s",
					a.models[m].Name, a.models[f].Name, hint)
			}
		}
		for _, w := range a.wants[m] {
			r := a.route(m, w)
			if all := r.foreigners(); len(all) > 0 {
				return fmt.Errorf("%q would also find items of %s%s", r.pattern().Name,
					a.models[all[0]].Name, hint)
			}
		}
	}
	if a.retyped() > 0 {
		return errors.New("a key would have values of another type")
	}
	return errors.New("prefixes would break the order of a pattern over several models")
}
