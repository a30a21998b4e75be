package serve

import (
	"slices"

	"github.com/kugiri-db/kugiri/emulator/internal/judgement"
)

// Check is a step of the order in which an operation judges its requests.
type Check[In any] struct {
	Name  string // what it judges
	Facts string // the facts about its place, by their numbers in conformance/facts; "" for none
	Judge func(In) error
	layer judgement.Layer // "": its place in the list is all
	place int             // the place of the layer in the order of the operation
}

// Step returns a Check.
func Step[In any](name, facts string, judge func(In) error) Check[In] {
	return Check[In]{Name: name, Facts: facts, Judge: judge}
}

// Of returns the step as one of a layer.
func (c Check[In]) Of(l judgement.Layer) Check[In] {
	c.layer = l
	return c
}

// Order is the order of an operation's checks. The first that fails answers the request. A fact
// that says that one thing is judged before another moves a line.
type Order[In any] []Check[In]

// Before returns the checks of the layers before one that the order has.
func (o Order[In]) Before(l judgement.Layer) Order[In] {
	return o[:slices.IndexFunc(o, func(c Check[In]) bool { return c.layer == l })]
}

// ByLayers returns the order of an operation's checks: that of its layers, which package judgement
// has, and within a layer the order of the steps. It panics if the operation has no such layer.
func ByLayers[In any](operation string, steps ...Check[In]) Order[In] {
	row := judgement.Of(operation)
	for i := range steps {
		at, ok := row.Place(steps[i].layer)
		if !ok {
			panic(operation + " has no layer for the step " + steps[i].Name)
		}
		steps[i].place = at
	}
	slices.SortStableFunc(steps, func(a, b Check[In]) int { return a.place - b.place })
	return steps
}

// Judge returns the error of the first check that fails.
func (o Order[In]) Judge(in In) error {
	for i := range o {
		if err := o[i].Judge(in); err != nil {
			return err
		}
	}
	return nil
}
