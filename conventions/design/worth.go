package design

import (
	"cmp"
	"fmt"
)

// DefaultSimplicity bounds how much more than others simpler keys may cost in a month, in US
// dollars.
const DefaultSimplicity = 20

// Parts of a month's cost below which a saving is not worth it: of all, if keys become less simple;
// of all, if an index gets other models' items; and of an index with its reads, if it leaves out
// attributes, which patterns that come later may need.
const (
	layoutWorth     = 0.05
	strangersWorth  = 0.01
	projectionWorth = 0.05
)

// layoutDollars is the least that keys which are less simple have to save in a month.
const layoutDollars = 1

// worth returns the saving in a month from which it is worth a choice that is less simple: a part
// of what is paid, but not more than DefaultSimplicity; or Simplicity, if the design has it. A part
// alone would let a model that costs much hide what another one costs needlessly.
func (d *Design) worth(part, month float64) float64 {
	if d.Simplicity > 0 {
		return d.Simplicity
	}
	return min(part*month, DefaultSimplicity)
}

// tooLittle says why a saving in an index is not worth it.
func (d *Design) tooLittle(least float64) string {
	if d.worth(projectionWorth, least) < projectionWorth*least || d.Simplicity > 0 {
		return fmt.Sprintf("this saves less than %s USD a month",
			dollars(cmp.Or(d.Simplicity, DefaultSimplicity)))
	}
	return fmt.Sprintf("this saves less than %.0f %% of the index and its reads",
		100*projectionWorth)
}
