package design

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
)

// pinned returns the primary key that a model says it has, an empty one if it says none.
func pinned(m *Model) (k key, err error) {
	if m.Primary == "" {
		return k, nil
	}
	text, opens := strings.CutPrefix(m.Primary, "(")
	text, closes := strings.CutSuffix(text, ")")
	partition, sort, sorted := strings.Cut(text, ", ")
	k.partition = strings.Split(partition, "+")
	if sorted {
		k.sort = strings.Split(sort, "+")
	}
	if !opens || !closes {
		return k, fmt.Errorf("want a key as plans write it, such as (customer, placed+id)")
	}
	all := slices.Concat(k.partition, k.sort)
	for _, name := range all {
		if m.Attribute(name) == nil {
			return k, fmt.Errorf("%s has no attribute %s", m.Name, name)
		}
	}
	for _, name := range m.Key {
		if !slices.Contains(all, name) {
			return k, fmt.Errorf(
				"two items could have it, because it has not %s, which is in the key", name)
		}
	}
	if m.changes(all) {
		return k, fmt.Errorf("an attribute of it changes, or is optional")
	}
	return k, nil
}

// checkPinned checks the primary keys that models say they have, and those that writes need.
func checkPinned(p *problem) error {
	for i := range p.models {
		m := &p.models[i]
		k, err := pinned(m)
		switch {
		case m.Primary == "" || err != nil:
		case (&searcher{problem: p}).loose(i, k):
			err = fmt.Errorf("writes find items of %s by its own key, (%s), which then is the "+
				"primary key", m.Name, strings.Join(m.Key, ", "))
		case p.design.Tenants != nil:
			err = errors.New("with tenants the keys are those of the guide")
		}
		if err != nil {
			return conventions.FieldErrorf(fmt.Sprintf("models[%d].primary", i), "%v", err)
		}
	}
	return nil
}
