package mutate

import (
	"fmt"
	"slices"

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
			if a.If != design.Always {
				add(func(w *design.Write) { w.Actions[j].If = design.Always },
					"%s %s has no condition", a.Kind, a.Model)
			}
			switch {
			case p.Design.Model(a.Model).Guard != nil:
				add(func(w *design.Write) { w.Actions = without(w.Actions, j) },
					"%s %s is left out", a.Kind, a.Model)
			case a.Kind == design.AddTo:
				add(func(w *design.Write) {
					w.Actions, w.After = without(w.Actions, j), append(w.After, a)
				}, "%s is counted in a request of its own", a.Of)
			}
		}
	}
	return all
}

// without returns actions without one of them.
func without(actions []design.Action, i int) []design.Action {
	return slices.Delete(slices.Clone(actions), i, i+1)
}
