package writing

import (
	"fmt"
	"slices"
)

// setLast returns the requests that give the items of new rows the values of these: one for each
// row that says how new it is.
func (o writer) setLast(a *Action) (all []Request, err error) {
	for _, row := range o.in.After[a.Of] {
		if row[a.Lasts[0].Of] == nil {
			continue
		}
		r, err := o.newest(a, row)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// newest returns the request that gives the item of a row its values, unless it has newer ones.
// What the row has no value of is removed.
func (o writer) newest(a *Action, row Row) (r Request, err error) {
	values := Row{}
	for name, of := range a.Newest() {
		if v, ok := row[of]; ok {
			values[name] = v
		}
	}
	item, err := o.Item(a.Model, values)
	if err != nil {
		return r, err
	}
	was, is := map[string]any{}, map[string]any{}
	for _, name := range o.Lasting(a) {
		if is[name] = item[name]; is[name] == nil {
			delete(is, name)
		}
		was[name] = nil
	}
	if len(is) == 0 {
		return r, fmt.Errorf("no attribute holds %s of %s", a.Lasts[0].Attribute, a.Model)
	}
	var e expressions[any]
	in := map[string]any{"TableName": o.Name, "Key": o.keyOf(item),
		"UpdateExpression": e.Update(was, is, func(any, any) bool { return false })}
	var condition string
	if a.If != Always {
		condition = e.There(o.Partition, nil, nil)
	}
	if a.If == MustBeOld {
		by := o.Holding(a.Model, a.Lasts[0].Attribute)[0]
		condition += " AND " + e.Older(by, is[by])
	}
	if condition != "" {
		in["ConditionExpression"] = condition
	}
	o.into(in, &e)
	return Request{"UpdateItem", in}, nil
}

// Lasting returns the attributes of the table that hold what SetLast sets, without those of the
// primary key.
func (t Table) Lasting(a *Action) (names []string) {
	for _, last := range a.Lasts {
		for _, name := range t.Holding(a.Model, last.Attribute) {
			if !t.isKey(name) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}
