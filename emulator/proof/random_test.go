package proof

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/migrate"
	_ "github.com/kugiri-db/kugiri/storage/rapidseed" // fixes the seed
)

// drawDesign returns a design of a few models with the same attributes, which mix unless keys keep
// them apart.
func drawDesign(t *rapid.T) *design.Design {
	d := &design.Design{Table: "random"}
	for i := range rapid.IntRange(1, 3).Draw(t, "models") {
		m := design.Model{Name: fmt.Sprintf("Model%d", i), Key: []string{"id"}, Items: 100,
			Puts: 1, Attributes: []design.Attribute{
				{Name: "id", Type: design.String},
				{Name: "owner", Type: design.String, Values: 10},
				{Name: "state", Type: design.String, Values: 4, Mutable: true},
				{Name: "at", Type: design.String, Format: design.Timestamp},
				{Name: "text", Type: design.String, Bytes: 300},
			}}
		d.Models = append(d.Models, m)
		for j := range rapid.IntRange(1, 3).Draw(t, "patterns") {
			d.Patterns = append(d.Patterns,
				drawPattern(t, fmt.Sprintf("pattern %d of %s", j, m.Name), m.Name))
		}
	}
	for i := range d.Patterns {
		drawSpread(t, &d.Patterns[i])
	}
	return d
}

// drawWithTenants is drawDesign with tenants in some designs, to which the items of some models
// belong.
func drawWithTenants(t *rapid.T) *design.Design {
	d := drawDesign(t)
	if rapid.IntRange(0, 3).Draw(t, "tenants") > 0 {
		return d
	}
	d.Tenants = &design.Tenants{Attribute: "tenant"}
	for i := range d.Models {
		if m := &d.Models[i]; rapid.IntRange(0, 3).Draw(t, "has a tenant") > 0 {
			m.Attributes = append(m.Attributes,
				design.Attribute{Name: "tenant", Type: design.String, Values: 3})
		}
	}
	return d
}

// drawSpread makes some patterns choose among items, or spread them.
func drawSpread(t *rapid.T, p *design.Pattern) {
	if p.One || p.Consistent {
		return
	}
	if !slices.Contains(p.Equal, "state") && p.Begins != "state" &&
		rapid.IntRange(0, 4).Draw(t, "where") == 0 {
		p.Where = map[string]string{"state": "open"}
	}
	if p.Range == "at" && rapid.IntRange(0, 2).Draw(t, "period") == 0 {
		p.Period = rapid.SampledFrom(design.Periods).Draw(t, "of")
	}
	if rapid.IntRange(0, 4).Draw(t, "sharded") == 0 {
		p.Shards = 3
	}
}

func drawPattern(t *rapid.T, name, model string) design.Pattern {
	p := design.Pattern{
		Name: name, Model: model, Rate: 10, Descending: rapid.Bool().Draw(t, "descending"),
	}
	p.Equal = rapid.SampledFrom(
		[][]string{nil, {"id"}, {"owner"}, {"state"}, {"owner", "state"}}).Draw(t, "equal")
	p.One = slices.Equal(p.Equal, []string{"id"})
	if !p.One {
		p.Order = rapid.SampledFrom([]string{"", "at"}).Draw(t, "order")
	}
	if p.Order != "" && rapid.Bool().Draw(t, "range") {
		p.Range = p.Order
	}
	if begins := rapid.SampledFrom([]string{"", "", "at", "state", "text"}).Draw(t,
		"begins"); begins != "" && !p.One && p.Range == "" && !slices.Contains(p.Equal, begins) {
		p.Begins = begins
		if p.Order != "" {
			p.Order = begins
		}
	}
	p.Consistent = slices.Equal(p.Equal, []string{"owner"}) && rapid.Bool().Draw(t, "consistent")
	p.Attributes = rapid.SampledFrom([][]string{nil, {"id"}, {"id", "text"}}).Draw(t, "attributes")
	return p
}

// randomDesign returns the design with a number.
func randomDesign(n int) *design.Design { return rapid.Custom(drawDesign).Example(n) }

// TestRandomDesigns checks that plans hold, and that a verification notices each mistake in them.
func TestRandomDesigns(t *testing.T) {
	for n := range 25 {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			plan, err := design.Make(rapid.Custom(drawWithTenants).Example(n))
			require.NoError(t, err)
			o := Options{Rows: 300, Requests: 20}
			report, err := Verify(plan, o)
			require.NoError(t, err)
			require.Empty(t, report.firstFailure())
			all, err := Mutate(plan, o)
			require.NoError(t, err)
			for _, m := range all {
				require.NotEmpty(t, m.Found, m.Name)
			}
		})
	}
}

// TestRandomMigrations checks that the steps between plans keep all patterns, and that a
// verification notices each step that is left out or comes too early.
func TestRandomMigrations(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	for n := range 8 {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			old, err := design.Make(randomDesign(2 * n))
			require.NoError(t, err)
			plan, err := design.Make(randomDesign(2*n + 1))
			require.NoError(t, err)
			m, err := migrate.Diff(old, plan)
			require.NoError(t, err)
			report, err := VerifyMigration(m, Options{})
			require.NoError(t, err)
			require.Empty(t, report.FirstFailure(), "%v", m.Steps)
			all, err := MutateMigration(m, Options{})
			require.NoError(t, err)
			for _, mutated := range all {
				require.NotEmpty(t, mutated.Found, mutated.Name)
			}
		})
	}
}
