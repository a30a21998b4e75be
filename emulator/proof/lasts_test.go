package proof

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
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
	if rapid.IntRange(0, 2).Draw(t, "tenants") == 0 {
		d.Tenants = &design.Tenants{Attribute: "tenant"}
		for i := range d.Models {
			d.Models[i].Attributes = append(d.Models[i].Attributes,
				design.Attribute{Name: "tenant", Type: design.String, Values: 3})
		}
	}
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

// TestLastsBesideCopies: a new item gives its last values to what it is of, whose name the consumer
// of the stream copies to it.
func TestLastsBesideCopies(t *testing.T) {
	plan, err := designfile.Plan([]byte(`
table: orders
models:
  - name: User
    key: [id]
    items: 10_000
    updates: [{of: name, rate: 1}]
    attributes:
      - {name: id, format: ulid}
      - {name: name, bytes: 20}
      - {name: lastAt, format: timestamp, last: Order.at}
  - name: Order
    key: [id]
    items: 100_000
    puts: 5
    attributes:
      - {name: id, format: ulid}
      - {name: user, format: ulid, of: User.id}
      - {name: at, format: timestamp}
      - {name: userName, bytes: 20, of: User.name, kept: stream}
patterns:
  - {name: an order, model: Order, equal: [id], one: true, rate: 50}
`))
	require.NoError(t, err)
	options := Options{Rows: 100, Requests: 5}
	report, err := Verify(plan, options)
	require.NoError(t, err)
	assert.True(t, report.OK(), "%+v", report.Writes)
	all, err := Mutate(plan, options)
	require.NoError(t, err)
	for _, m := range all {
		assert.NotEmpty(t, m.Found, m.Name)
	}
}
