package render

import (
	"maps"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/consuming"
)

// writing holds what a function of a write gets, and what it does with that.
type writing struct {
	*design.Write
	takes []taken
	steps []writeStep
}

// taken is items of a model: as they will be, or as they are.
type taken struct {
	model        string
	was, changes bool // changes: there are both
	many         bool
}

// The kinds of steps, named as the methods that do them in generated code.
const (
	putStep     = "put"
	removeStep  = "remove"
	releaseStep = "release"
	moveStep    = "move"
	changeStep  = "change"
	addStep     = "add"
	shiftStep   = "shift"
	takeStep    = "take"
)

// writeStep is a step of a write for each item of a model that it gets.
type writeStep struct {
	kind   string
	of     string // the model
	guard  *design.Model
	action *design.Action
	same   []string // attributes of the table that must be as they were
	after  bool     // it follows the transaction
}

// writingOf returns what a function of a write does.
func writingOf(p *design.Plan, w *design.Write) *writing {
	all := &writing{Write: w}
	for i := range w.Actions {
		a := &w.Actions[i]
		if a.Kind == design.AddTo || p.Design.Model(a.Model).Reserves != nil {
			continue
		}
		changes, many := a.Kind == design.UpdateItem, a.Count > 1 || a.Any
		if changes {
			all.takes = append(all.takes, taken{a.Model, true, true, many})
		}
		all.takes = append(all.takes,
			taken{a.Model, a.Kind == design.DeleteItem, changes, many})
	}
	for i := 0; i < len(w.Actions); i++ {
		s := stepOf(p, &w.Actions[i])
		if s.kind == moveStep {
			i++ // the put of the new value
		}
		all.steps = append(all.steps, s)
	}
	for i := range w.After {
		s := stepOf(p, &w.After[i])
		s.after = true
		all.steps = append(all.steps, s)
	}
	return all
}

// stepOf returns the step of an action.
func stepOf(p *design.Plan, a *design.Action) writeStep {
	s := writeStep{action: a, of: a.Model, same: design.Compared(p, a)}
	if g := p.Design.Model(a.Model); g.Reserves != nil {
		s.guard, s.of = g, g.Reserves.Of
	}
	switch {
	case a.Kind == design.AddTo && a.Moves:
		s.kind, s.of = shiftStep, a.Of
	case a.Kind == design.AddTo:
		s.kind, s.of = addStep, a.Of
	case a.Kind == design.TakeFrom:
		s.kind = takeStep
	case s.guard != nil && a.Before:
		s.kind = moveStep
	case s.guard != nil && a.Kind == design.DeleteItem:
		s.kind = releaseStep
	case a.Kind == design.PutItem:
		s.kind = putStep
	case a.Kind == design.DeleteItem:
		s.kind = removeStep
	default:
		s.kind = changeStep
	}
	return s
}

// takenFrom returns the attributes of the table that have the numbers that an action changes.
func takenFrom(p *design.Plan, a *design.Action) (names []string) {
	for _, attribute := range a.Takes {
		names = append(names, consuming.Alone(p.Entity(a.Model), attribute).Name)
	}
	return names
}

// copied is an attribute of the table that must have a value of the row that is counted.
type copied struct{ name, of string }

// copiesOf returns what the item that an action counts in must have of a row.
func copiesOf(p *design.Plan, a *design.Action) (all []copied) {
	for _, same := range a.Same {
		if !same.Next {
			all = append(all, copied{consuming.Alone(p.Entity(a.Model), same.Of).Name, same.As})
		}
	}
	return all
}

// nextOf returns the last numbers that the item that an action counts in must have, each one below
// an attribute of a row.
func nextOf(p *design.Plan, a *design.Action) (all []copied) {
	for _, same := range a.Same {
		if same.Next {
			all = append(all, copied{consuming.Alone(p.Entity(a.Model), same.Of).Name, same.As})
		}
	}
	return all
}

// alone reports whether a write is one item, which needs no transaction.
func (w *writing) alone() bool { return len(w.Actions) == 1 && w.Actions[0].Count == 1 }

// take returns what the function gets of a model.
func (w *writing) take(model string) (t taken) {
	for _, t := range w.takes {
		if t.model == model {
			return t
		}
	}
	return t
}

// adds reports whether a write changes counters.
func (w *writing) adds() bool {
	return slices.ContainsFunc(w.steps,
		func(s writeStep) bool { return s.kind == addStep || s.kind == shiftStep })
}

// counted is an attribute of the table with a counter, and what is added to it.
type counted struct {
	name string
	sums string // the attribute of the model that counts; "" is that each item counts one
	// only items with these values are counted, in the order of their attributes
	where [][2]string
}

// condition returns when an item is counted, in the language of the code, or "" for each item.
// equals writes that an attribute has a value.
func (c *counted) condition(equals func(attribute, value string) string) string {
	var all []string
	for _, w := range c.where {
		all = append(all, equals(w[0], w[1]))
	}
	return strings.Join(all, " && ")
}

// counters returns what an action adds.
func counters(p *design.Plan, a *design.Action) (all []counted) {
	for _, add := range a.Adds {
		for _, name := range p.Entity(a.Model).Holding(add.Counter) {
			c := counted{name: name, sums: add.Sums}
			for _, of := range slices.Sorted(maps.Keys(add.Where)) {
				c.where = append(c.where, [2]string{of, add.Where[of]})
			}
			all = append(all, c)
		}
	}
	return all
}
