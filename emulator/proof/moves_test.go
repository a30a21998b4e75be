package proof

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// drawMoves returns a design of items in states, with an amount, and of what counts them: by their
// states, or all, for their owners and sometimes for a place.
func drawMoves(t *rapid.T) *design.Design {
	counters := func(name string) (all []design.Attribute) {
		for i := range rapid.IntRange(1, 3).Draw(t, name+"'s counters") {
			a := design.Attribute{Name: fmt.Sprint("n", i), Type: design.Number}
			if rapid.Bool().Draw(t, "sums") {
				a.Sums = "Thing.amount"
			} else {
				a.Counts = "Thing"
			}
			a.Where = rapid.SampledFrom([]map[string]string{nil, {"state": "open"},
				{"state": "shut"}, {"kind": "b", "state": "open"}, {"kind": "a"}}).Draw(t, "where")
			all = append(all, a)
		}
		return all
	}
	id := design.Attribute{Name: "id", Type: design.String, Format: design.ULID}
	d := &design.Design{Table: "moves", Models: []design.Model{
		{Name: "Owner", Key: []string{"id"}, Items: 50,
			Attributes: append([]design.Attribute{id}, counters("the owner")...)},
		{Name: "Thing", Items: 200, Puts: 1, Deletes: 0.5,
			Key: rapid.SampledFrom([][]string{{"id"}, {"owner", "id"}}).Draw(t, "key"),
			Changes: []design.Change{{Of: []string{"state"}, Rate: 1},
				{Of: []string{"amount", "note"}, Rate: 1}},
			Attributes: []design.Attribute{
				{Name: "owner", Type: design.String, Of: "Owner.id"}, id,
				{Name: "state", Type: design.String, Values: 4},
				{Name: "kind", Type: design.String, Values: 3},
				{Name: "amount", Type: design.Number}, {Name: "note", Type: design.String},
				{Name: "email", Type: design.String}}}},
		Patterns: []design.Pattern{
			{Name: "an owner", Model: "Owner", Equal: []string{"id"}, One: true, Rate: 1},
			{Name: "things in a state", Model: "Thing", Equal: []string{"state"}, Order: "id",
				Rate: 1}}}
	thing := &d.Models[1]
	if rapid.Bool().Draw(t, "unique") {
		thing.Unique = [][]string{{"email"}}
	}
	if rapid.Bool().Draw(t, "a place") { // the first thing makes its items
		thing.Attributes = append(thing.Attributes,
			design.Attribute{Name: "place", Type: design.String, Of: "Place.place"})
		d.Models = append(d.Models, design.Model{Name: "Place", Key: []string{"place"}, Items: 10,
			Attributes: append([]design.Attribute{{Name: "place", Type: design.String}},
				counters("the place")...)})
	}
	drawTenants(t, d)
	return d
}

// TestRandomMoves is TestRandomDesigns for counters that changes move.
func TestRandomMoves(t *testing.T) {
	notUnderRace(t)
	for n := range drawn(3, 60) {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			requireProven(t, rapid.Custom(drawMoves).Example(n))
		})
	}
}
