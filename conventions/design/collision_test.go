package design

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCollision(t *testing.T) {
	id := Attribute{Name: "id", Type: String, Format: ULID}
	models := []Model{
		{Name: "A", Attributes: []Attribute{id, {Name: "text", Type: String}, {Name: "n", Type: Number}, {Name: "at", Type: String, Format: Timestamp}}},
		{Name: "B", Attributes: []Attribute{{Name: "id", Type: String, Format: ULID}, {Name: "a", Type: String, Format: ULID, Of: "A.id"},
			{Name: "text", Type: String}, {Name: "n", Type: Number}, {Name: "at", Type: String, Format: Timestamp}}},
	}
	text := func(s string) Part { return Part{Text: s} }
	of := func(name string) Part { return Part{Attribute: name} }
	for _, c := range []struct {
		name     string
		a, b     Value
		collides bool
	}{
		{"texts that differ", Value{text("a#"), of("text")}, Value{text("b#"), of("text")}, false},
		{"a text and its beginning", Value{text("ab")}, Value{text("a")}, false},
		{"a text in two parts", Value{text("a"), text("b")}, Value{text("ab")}, true},
		{"free text", Value{of("text")}, Value{text("a#"), of("n")}, true},
		{"free text that has separators", Value{of("text"), text("#"), of("text")}, Value{of("text"), text("#"), of("n"), text("#"), of("text")}, true},
		{"numbers", Value{of("n")}, Value{of("n")}, true},
		{"a number and a text", Value{of("n")}, Value{text("order")}, false},
		{"a number and a timestamp", Value{of("n")}, Value{of("at")}, false},
		{"timestamps with different ends", Value{of("at"), text("#a")}, Value{of("at"), text("#b")}, false},
		{"identifiers of two models", Value{of("id")}, Value{of("id")}, false},
		{"an identifier and what refers to it", Value{of("id")}, Value{of("a")}, true},
		{"an identifier and free text", Value{of("id")}, Value{of("text")}, false},
		{"a longer value", Value{of("at")}, Value{of("at"), text("#a")}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &Plan{Design: Design{Models: models}, Key: Key{Partition: "PK", Sort: "SK"}, Entities: []Entity{
				{Model: "A", Keys: []Stored{{Name: "PK", Value: Value{text("same")}}, {Name: "SK", Value: c.a}}},
				{Model: "B", Keys: []Stored{{Name: "PK", Value: Value{text("same")}}, {Name: "SK", Value: c.b}}},
			}}
			one, other, ok := p.Collision()
			assert.Equal(t, c.collides, ok)
			if ok {
				assert.Equal(t, "A B", one+" "+other)
			}
			p.Entities[1].Keys[0].Value = Value{text("other")}
			_, _, ok = p.Collision()
			assert.False(t, ok, "the partition keys differ")
		})
	}
}
