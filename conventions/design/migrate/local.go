package migrate

import (
	"fmt"
	"slices"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// keepLocal has a new plan keep the local indexes of the old one, also those that it does not need.
// Only a new table could drop them, and to copy all items into one costs more than to keep them. It
// adds a note on the cost of each one that no pattern reads. The new plan must already have the
// names of the old one.
func keepLocal(old, plan *design.Plan) {
	var kept, unused []design.Index
	for _, was := range old.Indexes {
		if !was.Local {
			continue
		}
		at := slices.IndexFunc(plan.Indexes,
			func(index design.Index) bool { return index.Local && index.Key.Equal(was.Key) })
		if at >= 0 {
			kept = append(kept, plan.Indexes[at])
			continue
		}
		if !keepColumn(old, plan, was.Key.Sort) {
			// The table cannot keep this index. Diff sees that plan lacks it, drops plan, which
			// may be changed in part by now, and makes a plan for a new table.
			return
		}
		was.Models = slices.DeleteFunc(slices.Clone(was.Models), func(model string) bool {
			e := plan.Entity(model)
			return e == nil || valueOf(e, was.Key.Sort) == nil
		})
		kept, unused = append(kept, was), append(unused, was)
	}
	if len(kept) == 0 {
		return
	}
	isKept := func(index design.Index) bool {
		return index.Local && slices.ContainsFunc(kept,
			func(k design.Index) bool { return k.Key.Equal(index.Key) })
	}
	// sameLocal wants the kept indexes in the order of the old plan
	plan.Indexes = append(slices.DeleteFunc(plan.Indexes, isKept), kept...)
	for _, index := range unused {
		if !readLocal(plan, index) {
			sayLocal(plan, index.Name)
		}
	}
	plan.Ask()
}

// readLocal has the patterns of a new global index read a local index with the same key, which
// stays anyway. It reports whether there are any.
func readLocal(plan *design.Plan, local design.Index) (read bool) {
	at := slices.IndexFunc(plan.Indexes, func(index design.Index) bool {
		return !index.Local && index.Key.Equal(local.Key) && !slices.ContainsFunc(index.Models,
			func(model string) bool { return !slices.Contains(local.Models, model) }) &&
			sameProjection(local.Projection, design.Projection{})
	})
	if at < 0 {
		return false
	}
	global := plan.Indexes[at].Name
	var says []design.Note
	for i := range plan.Queries {
		q := &plan.Queries[i]
		if q.Index != global {
			continue
		}
		q.Index, q.Fetch = local.Name, false
		says = append(says, design.Note{Step: 4, About: q.Pattern, Text: "reads " + local.Name +
			", a local index that stays anyway, and takes no index more"})
	}
	design.LeaveOut(plan, global)
	plan.Notes = append(plan.Notes, says...)
	slices.SortStableFunc(plan.Notes, func(a, b design.Note) int { return a.Step - b.Step })
	return true
}

// keepColumn has items of models of both plans keep the sort key of a local index, and reports
// whether they can: it holds nothing else in the new plan, and their models have the attributes.
func keepColumn(old, plan *design.Plan, column string) bool {
	for i := range plan.Entities {
		e := &plan.Entities[i]
		is, was := contentOf(plan, e.Model, column), ""
		if old.Entity(e.Model) != nil {
			was = contentOf(old, e.Model, column)
		}
		if is != was && (is != "" || !canHave(plan, old, e.Model, column)) {
			return false
		}
	}
	at := slices.IndexFunc(old.Columns, func(c design.Column) bool { return c.Name == column })
	if typeOf(plan, column) == "" {
		plan.Columns = append(slices.Clone(plan.Columns), old.Columns[at])
	}
	for i := range plan.Entities {
		e := &plan.Entities[i]
		was := old.Entity(e.Model)
		if was == nil || slices.ContainsFunc(e.Keys, named(column)) ||
			!slices.ContainsFunc(was.Keys, named(column)) {
			continue
		}
		key := was.Keys[slices.IndexFunc(was.Keys, named(column))]
		e.Keys = append(e.Keys, key)
		e.Others = slices.DeleteFunc(e.Others, func(s design.Stored) bool {
			alone := key.When == nil && !key.Partly && slices.ContainsFunc(key.Value,
				func(part design.Part) bool { return part.Attribute == s.Value[0].Attribute })
			return s.Name == column || alone && valueOf(was, s.Name) == nil
		})
	}
	return true
}

// named returns whether an attribute of the table has a name.
func named(name string) func(design.Stored) bool {
	return func(s design.Stored) bool { return s.Name == name }
}

// canHave reports whether a model still has the attributes that a column of the old plan holds.
func canHave(plan, old *design.Plan, model, column string) bool {
	m := plan.Design.Model(model)
	for _, part := range valueOf(old.Entity(model), column) {
		if part.Attribute != "" && m.Attribute(part.Attribute) == nil {
			return false
		}
	}
	return true
}

// sayLocal says what a local index costs that no pattern reads.
func sayLocal(plan *design.Plan, name string) {
	cost := plan.Cost(design.ListPrices())
	at := slices.IndexFunc(plan.Indexes,
		func(index design.Index) bool { return index.Name == name })
	plan.Notes = append(slices.Clone(plan.Notes), design.Note{Step: 7, About: name,
		Text: fmt.Sprintf("no pattern reads it. A local index goes with its table only, so it "+
			"stays, for %.2f USD a month, and the table keeps its limit of 10 GB under a "+
			"partition key. Items without %s are not in it", cost.Indexes[at].Dollars,
			plan.Indexes[at].Key.Sort)})
	slices.SortStableFunc(plan.Notes, func(a, b design.Note) int { return a.Step - b.Step })
}
