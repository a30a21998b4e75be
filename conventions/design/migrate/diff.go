package migrate

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// Diff returns the steps from a plan to another one. Models, attributes and patterns are the same
// ones if they have the same names. Its error lists what no migration can do.
func Diff(old, plan *design.Plan) (*Migration, error) {
	if err := sameAttributes(old, plan); err != nil {
		return nil, err
	}
	m := &Migration{Old: old}
	if !keepsKeys(old, plan) {
		m.Because = "items get other primary keys" + keeping(old, plan)
	} else {
		m.New = target(old, plan, true)
		if m.circular() {
			m.New = target(old, plan, false)
		}
		keepLocal(old, m.New)
		m.Because = fixed(old, m.New)
	}
	if m.NewTable = m.Because != ""; !m.NewTable {
		m.stepsInPlace()
		return m, nil
	}
	m.New = renamed(plan, nil, nil)
	if m.New.Design.Table == old.Design.Table {
		m.New.Design.Table = fresh(old.Design.Table,
			func(name string) bool { return name == old.Design.Table })
	}
	m.copySteps()
	return m, nil
}

// fixed says what would have to change that no table can change, or "".
func fixed(old, plan *design.Plan) string {
	switch {
	case !reflect.DeepEqual(old.VectorIndexes, plan.VectorIndexes):
		return "a vector index changes"
	case !sameLocal(old, plan):
		return "local indexes are created and deleted with their table only"
	}
	return ""
}

// sameLocal reports whether plans have the same local indexes, whatever models are in them.
func sameLocal(old, plan *design.Plan) bool {
	bare := func(p *design.Plan) []design.Index {
		all := slices.DeleteFunc(slices.Clone(p.Indexes),
			func(index design.Index) bool { return !index.Local })
		for i := range all {
			all[i].Models, all[i].Sparse = nil, false
		}
		return all
	}
	return slices.EqualFunc(bare(old), bare(plan),
		func(a, b design.Index) bool { return reflect.DeepEqual(a, b) })
}

// sameAttributes returns an error for each attribute whose values change between designs.
func sameAttributes(old, plan *design.Plan) error {
	var errs []error
	for _, m := range old.Design.Models {
		other := plan.Design.Model(m.Name)
		if other == nil {
			continue
		}
		for _, a := range m.Attributes {
			b := other.Attribute(a.Name)
			if b != nil && a.Derived == nil && b.Derived == nil &&
				(a.Type != b.Type || a.Constant != b.Constant || !maps.Equal(a.Where, b.Where) ||
					a.Last != "" && b.Last != "" && a.Last != b.Last) {
				errs = append(errs,
					fmt.Errorf(
						"%s.%s has other values in the new design: give the new attribute another name", m.Name, a.Name))
			}
		}
	}
	return errors.Join(errs...)
}

// keeping says how models would keep their primary keys, if a design can say so.
func keeping(old, plan *design.Plan) string {
	var hints []string
	for _, e := range old.Entities {
		n := plan.Entity(e.Model)
		if n == nil || old.Design.Model(e.Model).Reserves != nil {
			continue
		}
		was, is := keyText(old, e.Model), keyText(plan, e.Model)
		switch {
		case was != is:
			hints = append(hints, fmt.Sprintf("primary: %s of %s", was, e.Model))
		case plan.Design.Prefixes == design.WhereNeeded && plan.Design.Tenants == nil:
			hints = append(hints, "prefixes: always, beside table, from the first plan on")
		}
	}
	slices.Sort(hints)
	if hints = slices.Compact(hints); len(hints) == 0 {
		return ""
	}
	return ". What keeps them: " + strings.Join(hints, "; ")
}

// keyText writes the attributes in a model's primary key as notes and the field primary do.
func keyText(p *design.Plan, model string) string {
	text := "(" + strings.Join(partsOf(p, model, p.Key.Partition), "+")
	if sort := partsOf(p, model, p.Key.Sort); len(sort) > 0 {
		text += ", " + strings.Join(sort, "+")
	}
	return text + ")"
}

// partsOf returns the attributes in what a model has in a column.
func partsOf(p *design.Plan, model, column string) (names []string) {
	for _, s := range p.Entity(model).Keys {
		for _, part := range s.Value {
			if s.Name == column && part.Attribute != "" {
				names = append(names, part.Attribute)
			}
		}
	}
	return names
}

// keepsKeys reports whether all items of models in both plans keep their primary keys.
func keepsKeys(old, plan *design.Plan) bool {
	if (old.Key.Sort == "") != (plan.Key.Sort == "") {
		return false
	}
	common := false
	for _, e := range old.Entities {
		n := plan.Entity(e.Model)
		if n == nil {
			continue
		}
		common = true
		if contentOf(old, e.Model, old.Key.Partition) != contentOf(plan, n.Model,
			plan.Key.Partition) ||
			contentOf(old, e.Model, old.Key.Sort) != contentOf(plan, n.Model, plan.Key.Sort) {
			return false
		}
	}
	return common && typeOf(old, old.Key.Partition) == typeOf(plan, plan.Key.Partition) &&
		typeOf(old, old.Key.Sort) == typeOf(plan, plan.Key.Sort)
}
