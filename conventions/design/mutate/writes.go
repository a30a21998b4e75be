package mutate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// withoutWrites returns the plans whose writes lack a condition or a guard, or change a counter by
// a request that is not part of the transaction.
func withoutWrites(p *design.Plan) (all []Mutation) {
	for i := range p.Writes {
		w := &p.Writes[i]
		add := func(change func(w *design.Write), format string, args ...any) {
			m := p.Clone()
			change(&m.Writes[i])
			all = append(all, Mutation{w.Name + ": " + fmt.Sprintf(format, args...), m})
		}
		for j, a := range w.Actions {
			// an update that adds to a number is refused without one, too
			gives := a.Kind == design.TakeFrom && !a.Minus
			if a.If != design.Always && !harmless(w) && !gives {
				add(func(w *design.Write) { w.Actions[j].If = design.Always },
					"%s %s has no condition", a.Kind, a.Model)
			}
			if len(a.Checks) > 0 {
				add(func(w *design.Write) { w.Actions[j].Checks = nil },
					"%s %s does not compare %s", a.Kind, a.Model, strings.Join(a.Checks, " and "))
			}
			next := func(s design.Same) bool { return s.Next }
			copied := func(s design.Same) bool { return !s.Next }
			if slices.ContainsFunc(a.Same, copied) {
				add(func(w *design.Write) {
					w.Actions[j].Same = slices.DeleteFunc(slices.Clone(a.Same), copied)
				}, "%s %s does not compare what is copied", a.Kind, a.Model)
			}
			if slices.ContainsFunc(a.Same, next) {
				add(func(w *design.Write) {
					w.Actions[j].Same = slices.DeleteFunc(slices.Clone(a.Same), next)
				}, "%s %s does not compare the last number", a.Kind, a.Model)
			}
			switch {
			case a.Any:
				add(func(w *design.Write) { w.Actions = without(w.Actions, j) },
					"the copies in %s are left out", a.Model)
			case p.Design.Model(a.Model).Reserves != nil:
				add(func(w *design.Write) { w.Actions = without(w.Actions, j) },
					"%s %s is left out", a.Kind, a.Model)
			case a.Kind == design.TakeFrom && len(w.Actions) > 1:
				add(func(w *design.Write) { w.Actions = without(w.Actions, j) },
					"nothing is taken from %s", a.Model)
			case a.Kind == design.AddTo:
				withoutWhere(w, j, add)
				add(func(w *design.Write) {
					w.Actions, w.After = without(w.Actions, j), append(w.After, a)
				}, "%s is counted in a request of its own", a.Of)
			}
		}
		withoutStream(w, add)
	}
	return all
}

// harmless reports whether a write may put an item that is there again: it does nothing else, and
// nothing but the stream counts the item, which has no record of a new one then.
func harmless(w *design.Write) bool {
	return w.Model != "" && len(w.Actions) == 1 && len(w.After) == 0 &&
		w.Actions[0].Kind == design.PutItem
}

// withoutStream undoes what the consumer of the stream does after a write. What it does after a
// transaction, it does after puts of the same items.
func withoutStream(w *design.Write, add func(func(w *design.Write), string, ...any)) {
	if w.Model == "" {
		return
	}
	// an item that the write itself counts in is there
	counts := func(a design.Action) bool {
		return a.Kind == design.AddTo && slices.ContainsFunc(w.Actions,
			func(o design.Action) bool { return o.Kind == design.AddTo && o.Model == a.Model })
	}
	for j, a := range w.Later {
		add(func(w *design.Write) { w.Later = without(w.Later, j) },
			"the stream's consumer leaves out: %s", a.String())
		if a.If != design.Always && !counts(a) {
			add(func(w *design.Write) { w.Later[j].If = design.Always },
				"the stream's consumer has no condition: %s", a.String())
		}
		if a.Kind == design.SetLast {
			add(func(w *design.Write) { w.Later[j].If = design.MustExist },
				"the stream's consumer does not compare which item is newer: %s", a.String())
		}
	}
	for j, a := range w.Once {
		add(func(w *design.Write) { w.Once = without(w.Once, j) },
			"the stream's consumer leaves out: %s", a.String())
		if a.If != design.Always && !counts(a) {
			add(func(w *design.Write) { w.Once[j].If = design.Always },
				"the stream's consumer has no condition: %s", a.String())
		}
		if a.Kind == design.AddTo {
			add(func(w *design.Write) {
				w.Once, w.Later = without(w.Once, j), append(w.Later, a)
			}, "the stream's consumer counts %s in a request of its own", a.Of)
		}
	}
}

// without returns actions without one of them.
func without(actions []design.Action, i int) []design.Action {
	return slices.Delete(slices.Clone(actions), i, i+1)
}

// withoutWhere adds the mistakes of an action that counts only items with some values: it counts
// items with any values, counts a changed item twice, or does not count it.
func withoutWhere(w *design.Write, j int, add func(func(w *design.Write), string, ...any)) {
	a := &w.Actions[j]
	if a.Moves {
		add(func(w *design.Write) { w.Actions[j].Moves = false },
			"%s counts after the change, and still before it", a.Model)
		add(func(w *design.Write) { w.Actions = without(w.Actions, j) },
			"%s does not count the change", a.Model)
	}
	for k, added := range a.Adds {
		if len(added.Where) == 0 {
			continue
		}
		add(func(w *design.Write) {
			w.Actions[j].Adds = slices.Clone(w.Actions[j].Adds)
			w.Actions[j].Adds[k].Where = nil
		}, "%s of %s counts items with any value", added.Counter, a.Model)
	}
}
