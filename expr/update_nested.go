package expr

import "github.com/kugiri-db/kugiri/storage/item"

// change is the new value at a path, or "" for none.
type change struct {
	path  []step
	value item.Value
}

// applyNested is Apply for updates with nested paths. It rebuilds each attribute once, from its old
// value and all changes in it. So an index always refers to the old list.
func (u *Update) applyNested(old item.Item) (item.Item, error) {
	results := make([]item.Value, len(u.actions))
	for i := range u.actions {
		var err error
		if results[i], err = u.result(i, old); err != nil {
			return "", err
		}
	}
	changes := make([]change, len(u.order))
	for at, i := range u.order {
		changes[at] = change{u.paths[i], results[i]}
	}
	var attrs []item.Attribute
	for len(changes) > 0 {
		n := groupChanges(changes, 0)
		name := changes[0].path[0].name
		v, err := rebuild(old.Get(name), changes[:n], 1)
		if err != nil {
			return "", err
		}
		attrs = append(attrs, item.Attribute{Name: name, Value: v})
		changes = changes[n:]
	}
	return old.With(attrs...), nil
}

// groupChanges returns how many of the sorted changes have the same step at depth as the first one.
func groupChanges(changes []change, depth int) int {
	n := 1
	for n < len(changes) && compareSteps(&changes[0].path[depth], &changes[n].path[depth]) == 0 {
		n++
	}
	return n
}

// rebuild returns v with changes applied. Their paths agree up to depth.
func rebuild(v item.Value, changes []change, depth int) (item.Value, error) {
	if len(changes[0].path) == depth { // paths do not overlap, so it is the only one
		return changes[0].value, nil
	}
	want := item.M
	if changes[0].path[depth].index >= 0 {
		want = item.L
	}
	switch {
	case v == "" || v.Type() != want:
		return "", errUpdatePath
	case want == item.L:
		return rebuildList(v, changes, depth)
	}
	return rebuildMap(v, changes, depth)
}

// rebuildMap replaces, removes and adds members.
func rebuildMap(v item.Value, changes []change, depth int) (item.Value, error) {
	groups := make(map[string][]change)
	for rest := changes; len(rest) > 0; {
		n := groupChanges(rest, depth)
		groups[rest[0].path[depth].name] = rest[:n]
		rest = rest[n:]
	}
	var fields []item.Attribute
	for name, field := range v.Fields() {
		if group := groups[name]; group != nil {
			delete(groups, name)
			var err error
			if field, err = rebuild(field, group, depth+1); err != nil {
				return "", err
			}
		}
		if field != "" {
			fields = append(fields, item.Attribute{Name: name, Value: field})
		}
	}
	for name, group := range groups {
		field, err := rebuild("", group, depth+1)
		if err != nil {
			return "", err
		}
		if field != "" {
			fields = append(fields, item.Attribute{Name: name, Value: field})
		}
	}
	return item.Map(fields...), nil
}

// rebuildList replaces and removes elements. New elements beyond the end are appended in the order
// of their indexes (Developer Guide, "Adding elements to a list").
func rebuildList(v item.Value, changes []change, depth int) (item.Value, error) {
	var elems []item.Value
	i := int32(0)
	for elem := range v.Elems() {
		if len(changes) > 0 && changes[0].path[depth].index == i {
			n := groupChanges(changes, depth)
			var err error
			if elem, err = rebuild(elem, changes[:n], depth+1); err != nil {
				return "", err
			}
			changes = changes[n:]
		}
		if elem != "" {
			elems = append(elems, elem)
		}
		i++
	}
	for len(changes) > 0 {
		n := groupChanges(changes, depth)
		elem, err := rebuild("", changes[:n], depth+1)
		if err != nil {
			return "", err
		}
		if elem != "" {
			elems = append(elems, elem)
		}
		changes = changes[n:]
	}
	return item.List(elems...), nil
}
