package proof

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// drawLasts returns a design of rooms with values of their newest events, by which patterns may
// order them, and of events that may also be counted, unique, or have tenants.
func drawLasts(t *rapid.T) *design.Design {
	order := rapid.SampledFrom([]design.Attribute{
		{Name: "at", Type: design.String, Format: design.Timestamp},
		{Name: "at", Type: design.String, Format: design.ULID},
		{Name: "at", Type: design.Number},
	}).Draw(t, "what says which is newer")
	last := order
	last.Name, last.Last = "lastAt", "Event.at"
	id := design.Attribute{Name: "id", Type: design.String, Format: design.UUID}
	room := design.Model{Name: "Room", Key: []string{"id"}, Items: 50,
		Attributes: []design.Attribute{id, {Name: "city", Type: design.String, Values: 5}, last}}
	if rapid.Bool().Draw(t, "a text") {
		room.Attributes = append(room.Attributes, design.Attribute{Name: "lastText",
			Type: design.String, Last: "Event.text", By: "lastAt"})
	}
	if rapid.Bool().Draw(t, "the highest") {
		room.Attributes = append(room.Attributes, design.Attribute{Name: "highest",
			Type: design.Number, Last: "Event.bid"})
	}
	if rapid.IntRange(0, 2).Draw(t, "a counter") == 0 {
		room.Attributes = append(room.Attributes, design.Attribute{Name: "events",
			Type: design.Number, Counts: "Event", Kept: rapid.SampledFrom(design.Keepings).
				Draw(t, "kept")})
	}
	own := id
	own.Format = rapid.SampledFrom([]design.Format{design.UUID, design.ULID}).Draw(t, "own")
	event := design.Model{Name: "Event", Items: 200, Puts: 1, Deletes: 0.1,
		Key: rapid.SampledFrom([][]string{{"id"}, {"room", "at"}, {"room", "id"}}).Draw(t, "key"),
		Attributes: []design.Attribute{own,
			{Name: "room", Type: design.String, Format: design.UUID, Of: "Room.id"}, order,
			{Name: "text", Type: design.String}, {Name: "bid", Type: design.Number},
			{Name: "email", Type: design.String}}}
	if rapid.IntRange(0, 2).Draw(t, "unique") == 0 {
		event.Unique = [][]string{{"email"}}
	}
	d := &design.Design{Table: "lasts", Models: []design.Model{room, event},
		Patterns: []design.Pattern{
			{Name: "a room", Model: "Room", Equal: []string{"id"}, One: true, Rate: 1},
			{Name: "events of a room", Model: "Event", Equal: []string{"room"}, Order: "at",
				Rate: 1}}}
	if rapid.Bool().Draw(t, "in an index") {
		d.Patterns = append(d.Patterns, design.Pattern{Name: "rooms of a city", Model: "Room",
			Equal: []string{"city"}, Order: "lastAt", Descending: true, Rate: 1})
	}
	drawTenants(t, d)
	return d
}

// TestRandomLasts is TestRandomDesigns for values of the newest item.
func TestRandomLasts(t *testing.T) {
	notUnderRace(t)
	for n := range drawn(3, 60) {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			requireProven(t, rapid.Custom(drawLasts).Example(n))
		})
	}
}
