package proof

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// drawLatest returns a design of parents and children that are read with the newest of these, and
// sometimes in other ways, too.
func drawLatest(t *rapid.T) *design.Design {
	by := rapid.SampledFrom([]design.Attribute{
		{Name: "at", Type: design.String, Format: design.Timestamp},
		{Name: "at", Type: design.String, Format: design.ULID},
		{Name: "at", Type: design.Number},
		{Name: "at", Type: design.Number, Decimals: 1, Negative: true},
	}).Draw(t, "by")
	formats := []design.Format{design.Any, design.UUID, design.ULID}
	parent := design.Model{Name: "Parent", Key: []string{"id"}, Items: 30, Puts: 1,
		Updates: rapid.SampledFrom([]float64{0, 100}).Draw(t, "updates"),
		Attributes: []design.Attribute{
			{Name: "id", Type: design.String,
				Format: rapid.SampledFrom(formats).Draw(t, "format")},
			{Name: "owner", Type: design.String, Values: 5},
			{Name: "title", Type: design.String, Bytes: 60, Mutable: true}}}
	child := design.Model{Name: rapid.SampledFrom([]string{"Child", "Remark"}).Draw(t, "name"),
		Key:   rapid.SampledFrom([][]string{{"id"}, {"parent", "id"}}).Draw(t, "key"),
		Items: 270, Puts: 5, Attributes: []design.Attribute{
			{Name: "id", Type: design.String, Format: design.UUID},
			{Name: "parent", Type: design.String, Of: "Parent.id"}, by,
			{Name: "text", Type: design.String, Bytes: 200}}}
	d := &design.Design{Table: "latest", Models: []design.Model{parent, child}}
	add := func(p design.Pattern) {
		p.Rate = rapid.SampledFrom([]float64{1, 500}).Draw(t, "rate of "+p.Name)
		d.Patterns = append(d.Patterns, p)
	}
	further := func(name string) bool { return rapid.IntRange(0, 2).Draw(t, name) == 0 }
	add(design.Pattern{Name: "a parent with its last children",
		Models: []string{"Parent", child.Name}, Equal: []string{"id"},
		Latest:     map[string]int{"at": rapid.IntRange(1, 6).Draw(t, "latest")},
		Consistent: further("consistent")})
	if further("a parent") {
		add(design.Pattern{Name: "a parent", Model: "Parent", Equal: []string{"id"}, One: true})
	}
	if further("parents of an owner") {
		add(design.Pattern{Name: "parents of an owner", Model: "Parent", Equal: []string{"owner"}})
	}
	if further("children") {
		p := design.Pattern{Name: "children", Model: child.Name, Equal: []string{"parent"},
			Order: "at", Descending: true}
		if further("a range of children") {
			p.Range = "at"
		}
		add(p)
	}
	if further("a child") {
		add(design.Pattern{Name: "a child", Model: child.Name, Equal: child.Key, One: true})
	}
	if further("all of a parent") {
		add(design.Pattern{Name: "all of a parent", Models: []string{"Parent", child.Name},
			Equal: []string{"id"}})
	}
	if further("a third model") {
		d.Models = append(d.Models, design.Model{Name: "Note", Key: []string{"parent", "n"},
			Items: 60, Attributes: []design.Attribute{
				{Name: "parent", Type: design.String, Of: "Parent.id"},
				{Name: "n", Type: design.Number}}})
		add(design.Pattern{Name: "notes", Model: "Note", Equal: []string{"parent"}, Order: "n"})
	}
	if further("tenants") {
		d.Tenants = &design.Tenants{Attribute: "tenant"}
		for i := range d.Models {
			d.Models[i].Attributes = append(d.Models[i].Attributes,
				design.Attribute{Name: "tenant", Type: design.String, Values: 3})
		}
	}
	return d
}

// TestRandomLatest is TestRandomDesigns for items with their newest children.
func TestRandomLatest(t *testing.T) {
	for n := range drawn(4, 100) {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			requireProven(t, rapid.Custom(drawLatest).Example(n))
		})
	}
}
