package design

import (
	"fmt"
	"slices"

	"github.com/kugiri-db/kugiri/conventions"
)

// checkTaken checks that a table has the numbers from which is taken as numbers.
func checkTaken(p *Plan) error {
	for i := range p.Design.Transactions {
		for j, u := range p.Design.Transactions[i].Updates {
			for _, name := range slices.Concat(u.Takes, u.Gives) {
				if (rowStore{p}).Alone(u.Model, name) == "" {
					return conventions.FieldErrorf(
						fmt.Sprintf("transactions[%d].updates[%d]", i, j),
						"a key holds %s of %s as text, from which nothing can be taken: "+
							"order by it in no pattern, or say of: %[1]s, and write what the writer "+
							"has read", name, u.Model)
				}
			}
		}
	}
	return nil
}

// takenNotes says what a write that takes from numbers promises.
func takenNotes(p *Plan) (all []Note) {
	var notes notes
	for i := range p.Writes {
		w := &p.Writes[i]
		takes := func(a Action) bool { return a.Kind == TakeFrom }
		at := slices.IndexFunc(w.Actions, takes)
		switch {
		case at < 0:
		case len(w.Actions) == 1 && w.Actions[0].Count == 1:
			notes.warn(7, w.Name, "changes %s of %s by an amount in a request of its own, which has no "+
				"token: sent again after a lost answer, it changes it twice. Put an item in the same "+
				"transaction that says what was taken", w.Actions[at].Takes[0], w.Actions[at].Model)
		default:
			notes.note(7, w.Name, "changes %s of %s by an amount, without having read it: writers do "+
				"not refuse each other while there is enough. One item takes at most %d such "+
				"transactions a second", w.Actions[at].Takes[0], w.Actions[at].Model,
				partitionWrites/2)
		}
	}
	return notes
}

// moveNotes says what a change costs that moves counters.
func moveNotes(p *Plan) (all []Note) {
	var notes notes
	for i := range p.Writes {
		w := &p.Writes[i]
		moves := func(a Action) bool { return a.Moves }
		if at := slices.IndexFunc(w.Actions, moves); at >= 0 {
			notes.note(7, w.Name, "moves %s of %s in its transaction: %.0f write units in the table "+
				"for both. It is exact: it is refused if somebody else has changed the item "+
				"meanwhile, and leaves counters alone that stay as they are", w.Actions[at].Counters(),
				w.Actions[at].Model, 2*keeper{p}.unitsOf(w))
		}
	}
	return notes
}
