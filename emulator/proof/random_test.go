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
	if p.One && rapid.Bool().Draw(t, "several items") {
		p.In, p.Descending = map[string]int{"id": 4}, false
	}
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
	if rapid.IntRange(0, 3).Draw(t, "filter") == 0 && p.Where == nil && p.Begins != "state" &&
		!slices.Contains(p.Equal, "state") {
		p.Filter = []string{"state"}
	}
	if len(p.Equal) > 0 && rapid.IntRange(0, 3).Draw(t, "several values") == 0 {
		p.In = map[string]int{p.Equal[0]: 3}
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
	p.Descending = p.Descending && p.SortBy() != ""
	p.Consistent = slices.Equal(p.Equal, []string{"owner"}) && rapid.Bool().Draw(t, "consistent")
	p.Attributes = rapid.SampledFrom([][]string{nil, {"id"}, {"id", "text"}}).Draw(t, "attributes")
	return p
}

// drawSeries returns a design of models whose keys have several attributes: time series, values
// of the model before, and few values.
func drawSeries(t *rapid.T) *design.Design {
	d := &design.Design{Table: "series"}
	for i := range rapid.IntRange(1, 3).Draw(t, "models") {
		m := design.Model{Name: fmt.Sprintf("Series%d", i), Items: 100, Puts: 1,
			Attributes: []design.Attribute{
				drawSource(t, d),
				{Name: "at", Type: design.String, Format: design.Timestamp},
				{Name: "slot", Type: design.Number, Values: 7},
				{Name: "kind", Type: design.String, Values: 3},
				{Name: "text", Type: design.String, Bytes: 300},
			}}
		m.Key = rapid.SampledFrom([][]string{{"source", "at"}, {"source", "at"}, {"at"},
			{"kind", "at"}, {"source", "slot"}, {"kind", "slot"}, {"source", "kind", "at"},
			{"at", "source"}, {"source", "slot", "kind"}}).Draw(t, "key")
		d.Models = append(d.Models, m)
		d.Patterns = append(d.Patterns, design.Pattern{Name: "one " + m.Name, Model: m.Name,
			Equal: m.Key, One: true, Rate: 5})
		for j := range rapid.IntRange(1, 2).Draw(t, "patterns") {
			d.Patterns = append(d.Patterns,
				drawSeriesPattern(t, fmt.Sprintf("pattern %d of %s", j, m.Name), m.Name))
		}
	}
	return d
}

// drawSource returns the attribute that a time series is of.
func drawSource(t *rapid.T, d *design.Design) design.Attribute {
	a := design.Attribute{Name: "source", Type: design.String, Format: rapid.SampledFrom(
		[]design.Format{design.Any, design.UUID, design.ULID}).Draw(t, "format of the source")}
	switch kind := rapid.IntRange(0, 3).Draw(t, "source"); {
	case kind == 0 && len(d.Models) > 0:
		last := d.Models[len(d.Models)-1]
		return design.Attribute{Name: "source", Type: last.Attributes[0].Type,
			Of: last.Name + ".source"}
	case kind == 1:
		a.Type, a.Format = design.Number, design.Any
	case kind == 2:
		a.Values = 12
	}
	return a
}

func drawSeriesPattern(t *rapid.T, name, model string) design.Pattern {
	p := design.Pattern{
		Name: name, Model: model, Rate: 10, Descending: rapid.Bool().Draw(t, "descending"),
	}
	p.Equal = rapid.SampledFrom([][]string{{"source"}, {"kind"}, {"slot"}, {"source", "kind"},
		{"kind", "slot"}}).Draw(t, "equal")
	p.Order = rapid.SampledFrom([]string{"", "at", "at"}).Draw(t, "order")
	p.Descending = p.Descending && p.Order != ""
	if p.Order != "" && rapid.Bool().Draw(t, "range") {
		p.Range = p.Order
		if rapid.IntRange(0, 2).Draw(t, "period") == 0 {
			p.Period = rapid.SampledFrom(design.Periods).Draw(t, "of")
		}
	}
	return p
}

// randomDesign returns the design with a number.
func randomDesign(n int) *design.Design { return rapid.Custom(drawDesign).Example(n) }

// TestRandomDesigns checks that plans hold, and that a verification notices each mistake in them.
func TestRandomDesigns(t *testing.T) {
	for n := range drawn(4, 25) {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			requireProven(t, rapid.Custom(drawWithTenants).Example(n))
		})
	}
}

// TestRandomSeries is TestRandomDesigns for keys of several attributes.
func TestRandomSeries(t *testing.T) {
	for n := range drawn(3, 300) {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			requireProven(t, rapid.Custom(drawSeries).Example(n))
		})
	}
}

// TestRandomAttributeKeys is TestRandomDesigns for keys of global indexes that are attributes of
// the items.
func TestRandomAttributeKeys(t *testing.T) {
	for n := range drawn(4, 150) {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			d := randomDesign(n)
			if n%2 == 1 {
				d = rapid.Custom(drawSeries).Example(n)
			}
			d.Keys = design.AttributeKeys
			requireProven(t, d)
		})
	}
}

// drawFamily returns a design of a parent with two or three attributes in its key, and of children
// that have all of them in common with it, which are read with their parent.
func drawFamily(t *rapid.T) *design.Design {
	parent := design.Model{Name: "Parent", Items: 100}
	formats := []design.Format{design.Any, design.UUID, design.ULID}
	for i := range rapid.IntRange(2, 3).Draw(t, "attributes of the key") {
		a := design.Attribute{Name: fmt.Sprint("part", i), Type: design.String,
			Format: rapid.SampledFrom(formats).Draw(t, "format")}
		if i == 0 {
			a.Values = rapid.SampledFrom([]int64{0, 3, 40}).Draw(t, "values")
		}
		parent.Attributes, parent.Key = append(parent.Attributes, a), append(parent.Key, a.Name)
	}
	d := &design.Design{Table: "family", Models: []design.Model{parent}}
	for i := range rapid.IntRange(1, 2).Draw(t, "children") {
		child := design.Model{Name: fmt.Sprint("Child", i), Items: 100}
		for _, a := range parent.Attributes {
			child.Attributes = append(child.Attributes, design.Attribute{Name: "of" + a.Name,
				Type: a.Type, Format: a.Format, Of: "Parent." + a.Name})
			child.Key = append(child.Key, "of"+a.Name)
		}
		child.Attributes = append(child.Attributes,
			design.Attribute{Name: "n", Type: design.Number})
		child.Key = append(child.Key, "n")
		d.Models = append(d.Models, child)
		d.Patterns = append(d.Patterns, design.Pattern{Name: "a parent with its " + child.Name,
			Models: []string{"Parent", child.Name}, Equal: parent.Key})
	}
	return d
}

// TestRandomFamilies is TestRandomDesigns for models with several attributes in common.
func TestRandomFamilies(t *testing.T) {
	for n := range drawn(3, 100) {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			requireProven(t, rapid.Custom(drawFamily).Example(n))
		})
	}
}

// drawKept returns a design of users and what is theirs, with what is unique, counters and copies
// that are kept in all ways, and sometimes a feed.
func drawKept(t *rapid.T) *design.Design {
	user := design.Model{Name: "User", Key: []string{"id"}, Items: 50, Puts: 1,
		Changes: []design.Change{{Of: []string{"name"}, Rate: 0.5}},
		Attributes: []design.Attribute{{Name: "id", Type: design.String, Format: design.ULID},
			{Name: "name", Type: design.String}, {Name: "email", Type: design.String},
			{Name: "things", Type: design.Number, Counts: "Thing",
				Kept: rapid.SampledFrom(design.Keepings).Draw(t, "counter")}}}
	if rapid.Bool().Draw(t, "unique") {
		user.Unique = [][]string{{"email"}}
	}
	if rapid.Bool().Draw(t, "sum") {
		user.Attributes = append(user.Attributes, design.Attribute{Name: "sum",
			Type: design.Number, Sums: "Thing.n",
			Kept: rapid.SampledFrom(design.Keepings).Draw(t, "sum kept")})
	}
	thing := design.Model{Name: "Thing", Items: 100, Puts: 2,
		Deletes: rapid.SampledFrom([]float64{0, 1}).Draw(t, "deletes"),
		Peak:    rapid.SampledFrom([]float64{0, 3}).Draw(t, "peak"),
		Key:     rapid.SampledFrom([][]string{{"id"}, {"owner", "id"}}).Draw(t, "key"),
		Attributes: []design.Attribute{{Name: "id", Type: design.String, Format: design.ULID},
			{Name: "owner", Type: design.String, Format: design.ULID, Of: "User.id"},
			{Name: "n", Type: design.Number},
			{Name: "ownerName", Type: design.String, Of: "User.name",
				Kept: rapid.SampledFrom(design.CopyKeepings).Draw(t, "copy")}}}
	d := &design.Design{Table: "kept", Models: []design.Model{user, thing},
		Patterns: []design.Pattern{
			{Name: "a user", Model: "User", Equal: []string{"id"}, One: true, Rate: 1},
			{Name: "things of a user", Model: "Thing", Equal: []string{"owner"}, Order: "id",
				Rate: 1}}}
	if rapid.Bool().Draw(t, "feed") {
		d.Models = append(d.Models, design.Model{Name: "Follow", Key: []string{"reader", "whom"},
			Items: 100, Attributes: []design.Attribute{
				{Name: "reader", Type: design.String, Format: design.ULID, Of: "User.id"},
				{Name: "whom", Type: design.String, Format: design.ULID, Of: "User.id"}}})
		feed := design.Pattern{Name: "feed", Model: "Thing",
			Through: "Follow", Equal: []string{"reader"}, Order: "id", Rate: 1,
			Fanout: rapid.SampledFrom(design.Fanouts).Draw(t, "fanout")}
		if feed.Fanout == design.OnWrite {
			feed.Deletes = rapid.SampledFrom(design.Deletions).Draw(t, "feed deletes")
		}
		d.Patterns = append(d.Patterns, feed)
	}
	return d
}

// TestRandomKept is TestRandomDesigns for what writes keep. The dear designs are drawn last.
func TestRandomKept(t *testing.T) {
	notUnderRace(t)
	for n := range drawn(1, 4) {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			requireProven(t, rapid.Custom(drawKept).Example(3-n))
		})
	}
}

// TestRandomAttributeMigrations is TestRandomMigrations to plans with keys of attributes, from
// plans with and without them.
func TestRandomAttributeMigrations(t *testing.T) {
	notUnderRace(t)
	if testing.Short() {
		t.Skip("slow")
	}
	for n := range drawn(3, 60) {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			before, after := randomDesign(2*n), randomDesign(2*n+1)
			after.Keys = design.AttributeKeys
			if n%2 == 0 {
				before.Keys = design.AttributeKeys
			}
			old, err := design.Make(before)
			require.NoError(t, err)
			m, err := migrate.Make(after, old)
			require.NoError(t, err)
			report, err := VerifyMigration(m, Options{})
			require.NoError(t, err)
			require.Empty(t, report.FirstFailure(), "%v", m.Steps)
			verified, err := Verify(m.New, Options{Rows: 300, Requests: 20})
			require.NoError(t, err)
			require.Empty(t, verified.firstFailure())
		})
	}
}

// requireProven checks that the plan of a design holds, and that none of its mutations does.
func requireProven(t *testing.T, d *design.Design) {
	plan, err := design.Make(d)
	require.NoError(t, err)
	requireProof(t, plan)
}

// requireProof is requireProven of a plan.
func requireProof(t *testing.T, plan *design.Plan) {
	o := Options{Rows: 300, Requests: 20}
	report, err := Verify(plan, o)
	require.NoError(t, err)
	require.Empty(t, report.firstFailure())
	all, err := Mutate(plan, o)
	require.NoError(t, err)
	for _, m := range all {
		require.NotEmpty(t, m.Found, m.Name)
	}
}

// TestRandomMigrations checks that the steps between plans keep all patterns, and that a
// verification notices each step that is left out or comes too early.
func TestRandomMigrations(t *testing.T) {
	notUnderRace(t)
	if testing.Short() {
		t.Skip("slow")
	}
	for n := range drawn(3, 8) {
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

// drawTenants gives every third design tenants, and each of its models their attribute.
func drawTenants(t *rapid.T, d *design.Design) {
	if rapid.IntRange(0, 2).Draw(t, "tenants") > 0 {
		return
	}
	d.Tenants = &design.Tenants{Attribute: "tenant"}
	for i := range d.Models {
		d.Models[i].Attributes = append(d.Models[i].Attributes,
			design.Attribute{Name: "tenant", Type: design.String, Values: 3})
	}
}
