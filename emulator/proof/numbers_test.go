package proof

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// drawNumbers returns a design of items that get the next number of their owner, and sometimes one
// of a place, which has nothing but that.
func drawNumbers(t *rapid.T) *design.Design {
	id := design.Attribute{Name: "id", Type: design.String, Format: design.ULID}
	number := func(name string) design.Attribute {
		return design.Attribute{Name: name, Type: design.Number}
	}
	last := number("last")
	last.Numbers = "Thing.number"
	d := &design.Design{Table: "numbers", Models: []design.Model{
		{Name: "Owner", Key: []string{"id"}, Items: 50,
			Changes:    []design.Change{{Of: []string{"name"}, Rate: 1}},
			Attributes: []design.Attribute{id, {Name: "name", Type: design.String}, last}},
		{Name: "Thing", Items: 200, Puts: 1, Deletes: 0.5,
			Key: rapid.SampledFrom([][]string{{"id"}, {"owner", "number"}, {"owner", "id"}}).
				Draw(t, "key"),
			Attributes: []design.Attribute{
				{Name: "owner", Type: design.String, Of: "Owner.id"}, id, number("number"),
				{Name: "email", Type: design.String}, number("amount")}}},
		Patterns: []design.Pattern{
			{Name: "an owner", Model: "Owner", Equal: []string{"id"}, One: true, Rate: 1},
			{Name: "things of an owner", Model: "Thing", Equal: []string{"owner"}, Order: "number",
				Rate: 1}}}
	owner, thing := &d.Models[0], &d.Models[1]
	if kept := rapid.SampledFrom([]design.Keeping{"", design.ByTransaction, design.ByAdd}).Draw(t,
		"a counter"); kept != "" {
		owner.Attributes = append(owner.Attributes, design.Attribute{Name: "things",
			Type: design.Number, Counts: "Thing", Kept: kept})
	}
	if rapid.Bool().Draw(t, "a copy") {
		thing.Attributes = append(thing.Attributes, design.Attribute{Name: "ownerName",
			Type: design.String, Of: "Owner.name", Kept: design.ByTransaction})
	}
	if rapid.Bool().Draw(t, "unique") {
		thing.Unique = [][]string{{"email"}}
	}
	if rapid.Bool().Draw(t, "a place") {
		first := number("first")
		first.Numbers = "Thing.local"
		thing.Attributes = append(thing.Attributes, number("local"),
			design.Attribute{Name: "place", Type: design.String, Of: "Place.place"})
		d.Models = append(d.Models, design.Model{Name: "Place", Key: []string{"place"}, Items: 10,
			Attributes: []design.Attribute{{Name: "place", Type: design.String}, first}})
	}
	if rapid.Bool().Draw(t, "a transaction") {
		d.Models = append(d.Models, design.Model{Name: "Note", Key: []string{"id"}, Items: 10,
			Attributes: []design.Attribute{id, {Name: "text", Type: design.String, Mutable: true}}})
		d.Transactions = []design.Transaction{{Name: "both", Rate: 1,
			Puts:    []design.Written{{Model: "Thing"}},
			Updates: []design.Written{{Model: "Note"}}}}
	}
	drawTenants(t, d)
	return d
}

// TestRandomNumbers is TestRandomDesigns for numbers in a sequence.
func TestRandomNumbers(t *testing.T) {
	notUnderRace(t)
	for n := range drawn(3, 60) {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			requireProven(t, rapid.Custom(drawNumbers).Example(n))
		})
	}
}
