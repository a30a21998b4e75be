package design

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/kugiri-db/kugiri/expr"
)

func TestCollision(t *testing.T) {
	id := Attribute{Name: "id", Type: String, Format: ULID}
	models := []Model{
		{Name: "A",
			Attributes: []Attribute{id, {Name: "text", Type: String}, {Name: "n", Type: Number},
				{Name: "at", Type: String, Format: Timestamp}}},
		{Name: "B", Attributes: []Attribute{{Name: "id", Type: String, Format: ULID},
			{Name: "a", Type: String, Format: ULID, Of: "A.id"},
			{Name: "text", Type: String}, {Name: "n", Type: Number},
			{Name: "at", Type: String, Format: Timestamp}}},
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
		{"free text that has separators", Value{of("text"), text("#"), of("text")},
			Value{of("text"), text("#"), of("n"), text("#"), of("text")}, true},
		{"numbers", Value{of("n")}, Value{of("n")}, true},
		{"a number and a text", Value{of("n")}, Value{text("order")}, false},
		{"a number and a timestamp", Value{of("n")}, Value{of("at")}, false},
		{"timestamps with different ends", Value{of("at"), text("#a")}, Value{of("at"), text("#b")},
			false},
		{"identifiers of two models", Value{of("id")}, Value{of("id")}, false},
		{"an identifier and what refers to it", Value{of("id")}, Value{of("a")}, true},
		{"an identifier and free text", Value{of("id")}, Value{of("text")}, false},
		{"a longer value", Value{of("at")}, Value{of("at"), text("#a")}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &Plan{Design: Design{Models: models},
				Key: Key{Partition: "PK", Sort: "SK"}, Entities: []Entity{
					{Model: "A",
						Keys: []Stored{{Name: "PK", Value: Value{text("same")}},
							{Name: "SK", Value: c.a}}},
					{Model: "B",
						Keys: []Stored{{Name: "PK", Value: Value{text("same")}},
							{Name: "SK", Value: c.b}}},
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

// TestMixed checks which items of another model a query can find.
func TestMixed(t *testing.T) {
	models := []Model{
		{Name: "A",
			Attributes: []Attribute{{Name: "text", Type: String}, {Name: "n", Type: Number},
				{Name: "at", Type: String, Format: Timestamp}}},
		{Name: "B", Attributes: []Attribute{{Name: "id", Type: String, Format: ULID},
			{Name: "uuid", Type: String, Format: UUID},
			{Name: "text", Type: String}, {Name: "n", Type: Number},
			{Name: "at", Type: String, Format: Timestamp}}},
	}
	text := func(s string) Part { return Part{Text: s} }
	of := func(name string) Part { return Part{Attribute: name} }
	begins := func(parts ...Part) SortCondition {
		return SortCondition{Name: "SK", Operator: expr.KeyBeginsWith, From: parts}
	}
	between := func(parts ...Part) SortCondition {
		return SortCondition{
			Name: "SK", Operator: expr.KeyBetween, From: append(parts, of(RangeFrom)),
			To: append(parts, of(RangeTo)),
		}
	}
	for _, c := range []struct {
		name   string
		ranged string
		sort   SortCondition
		other  Value
		mixes  bool
	}{
		{"no condition", "", SortCondition{}, Value{of("at")}, true},
		{"the name of the other model", "", begins(text("A#")), Value{text("B#"), of("text")},
			false},
		{"the beginning of the name", "", begins(text("A#")), Value{text("A#B#"), of("text")},
			true},
		{"the end of the other value", "", begins(text("A#")), Value{text("A")}, false},
		{"text of a request", "", begins(Part{Attribute: "text", Begins: true}), Value{text("b")},
			true},
		{"text of a request after a name", "",
			begins(text("A#"), Part{Attribute: "at", Begins: true}), Value{text("B#"), of("at")},
			false},
		{"one value and free text", "",
			SortCondition{Name: "SK", Operator: expr.KeyEqual, From: Value{of("text")}},
			Value{text("b")}, true},
		{"one value and a longer one", "",
			SortCondition{Name: "SK", Operator: expr.KeyEqual, From: Value{of("at")}},
			Value{of("at"), text("#b")}, false},
		{"a range of times and a word", "at", between(), Value{text("b")}, false},
		{"a range of times and digits", "at", between(), Value{text("2")}, true},
		{"a range of times and times", "at", between(), Value{of("at")}, true},
		{"a range of times and a ULID", "at", between(), Value{of("id")}, false},
		{"a range of times and a UUID", "at", between(), Value{of("uuid")}, true},
		{"a range of times and free text", "at", between(), Value{of("text")}, true},
		{"a range of text and a word", "text", between(), Value{text("b")}, true},
		{"a range after a name", "at", between(text("A#")), Value{text("B#"), of("at")}, false},
		{"a range after one text and nothing after it", "at", between(text("A#")),
			Value{text("A#")}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &Plan{
				Design: Design{Models: models, Patterns: []Pattern{{Model: "A", Range: c.ranged}}},
				Key:    Key{Partition: "PK", Sort: "SK"},
				Entities: []Entity{
					{Model: "A", Keys: []Stored{{Name: "PK", Value: Value{text("same")}}}},
					{Model: "B",
						Keys: []Stored{{Name: "PK", Value: Value{text("same")}},
							{Name: "SK", Value: c.other}}},
				},
				Queries: []Query{
					{Pattern: "p", Models: []string{"A"},
						Partition: Stored{Name: "PK", Value: Value{text("same")}}, Sort: c.sort},
				},
			}
			pattern, model, ok := p.Mixed()
			assert.Equal(t, c.mixes, ok)
			if ok {
				assert.Equal(t, "p B", pattern+" "+model)
			}
			p.Queries[0].Partition.Value = Value{text("other")}
			_, _, ok = p.Mixed()
			assert.False(t, ok, "the partition keys differ")
		})
	}
}
