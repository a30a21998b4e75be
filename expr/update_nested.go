package expr

import "github.com/kugiri-db/kugiri/storage/item"

// change is what is to be at a path: "" for nothing.
type change struct {
	path  []step
	value item.Value
}

// applyNested is Apply for updates that reach into attributes. Every attribute
// is rebuilt once, from its old value and all changes in it, so that indexes
// mean positions in the old lists.
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

// groupChanges returns how many of the sorted changes agree in the step at depth with the first.
func groupChanges(changes []change, depth int) int {
	n := 1
	for n < len(changes) && compareSteps(&changes[0].path[depth], &changes[n].path[depth]) == 0 {
		n++
	}
	return n
}

// rebuild returns v with the changes made that lie in it beyond depth.
func rebuild(v item.Value, changes []change, depth int) (item.Value, error) {
	if len(changes[0].path) == depth { // then it is the only one: paths don't overlap
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

// rebuildList replaces and removes elements; what is set beyond the end is
// appended in the order of the indexes (Developer Guide, "Adding elements to a list").
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
