package proof

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
	"github.com/kugiri-db/kugiri/conventions/design/migrate"
)

const guideFile = "../../conventions/design/designfile/testdata/design.yaml"

// migrations are changes of the guide's posts, with the kinds of steps that they take.
var migrations = []struct {
	name   string
	change func(d *design.Design)
	kinds  []migrate.StepKind
}{{
	name: "a new pattern by an attribute that has no index",
	change: func(d *design.Design) {
		d.Patterns = append(d.Patterns,
			design.Pattern{Name: "comments of an author", Model: "Comment",
				Equal: []string{"author"}, Order: "created_at"})
	},
	kinds: []migrate.StepKind{migrate.SwitchReads, migrate.WriteToo, migrate.Backfill,
		migrate.StartReads, migrate.StopWriting},
}, {
	name: "a post with its newest comments, which needs the comments in its partition",
	change: func(d *design.Design) {
		d.Patterns = append(d.Patterns,
			design.Pattern{Name: "a post with its newest comments", Rate: 500,
				Models: []string{"Post", "Comment"}, Equal: []string{"id"},
				Latest: map[string]int{"created_at": 3}})
	},
	kinds: nil,
}, {
	name:   "a pattern that nobody reads any more",
	change: func(d *design.Design) { d.Patterns = d.Patterns[:5] },
	kinds: []migrate.StepKind{migrate.WriteToo, migrate.Backfill, migrate.SwitchReads,
		migrate.EndReads, migrate.DropIndex, migrate.StopWriting},
}, {
	name: "a new model under keys of its own",
	change: func(d *design.Design) {
		d.Models = append(d.Models,
			design.Model{Name: "Report",
				Key: []string{"id"}, Attributes: []design.Attribute{
					{Name: "id", Type: design.String, Format: design.UUID},
					{Name: "post_id", Type: design.String, Format: design.UUID, Of: "Post.id"},
					{Name: "created_at", Type: design.String, Format: design.Timestamp},
				}})
		d.Patterns = append(d.Patterns,
			design.Pattern{Name: "reports of a post", Model: "Report", Equal: []string{"post_id"},
				Order: "created_at"})
	},
	kinds: []migrate.StepKind{migrate.WriteModel, migrate.StartReads},
}, {
	name: "a model that is no more",
	change: func(d *design.Design) {
		d.Models = d.Models[:2]
		d.Patterns = slices.DeleteFunc(slices.Clone(d.Patterns),
			func(p design.Pattern) bool { return p.Model == "Like" })
	},
	kinds: []migrate.StepKind{migrate.EndReads, migrate.DeleteItems},
}, {
	name:   "another order",
	change: func(d *design.Design) { d.Patterns[4].Order = "title" },
	kinds: []migrate.StepKind{migrate.WriteToo, migrate.Backfill, migrate.MakeIndex,
		migrate.SwitchReads, migrate.DropIndex},
}, {
	name: "a time to live",
	change: func(d *design.Design) {
		d.Models[0].Attributes = append(d.Models[0].Attributes,
			design.Attribute{Name: "expires", Type: design.Number})
		d.Models[0].TTL = "expires"
	},
	kinds: []migrate.StepKind{migrate.WriteToo, migrate.Backfill, migrate.StartTTL},
}, {
	name: "another primary key",
	change: func(d *design.Design) {
		d.Models[1].Key = []string{"post_id", "id"}
		d.Patterns[2].Consistent = true
	},
	kinds: []migrate.StepKind{migrate.MakeTable, migrate.WriteToo, migrate.Backfill,
		migrate.SwitchReads, migrate.StopWriting, migrate.DropTable},
}}

// smallGuide plans the guide's posts, changed and with small items.
func smallGuide(t *testing.T, change func(*design.Design)) *design.Plan {
	t.Helper()
	d, err := designfile.ParseFile(guideFile)
	require.NoError(t, err)
	for _, m := range d.Models {
		for i := range m.Attributes {
			m.Attributes[i].Bytes = 0
		}
	}
	change(d)
	plan, err := design.Make(d)
	require.NoError(t, err)
	return plan
}

// migrationOf returns the migration from the guide's posts to a changed design, or back.
func migrationOf(t *testing.T, change func(*design.Design), back bool) *migrate.Migration {
	t.Helper()
	old, changed := smallGuide(t, func(*design.Design) {}), smallGuide(t, change)
	if back {
		old, changed = changed, old
	}
	m, err := migrate.Diff(old, changed)
	require.NoError(t, err)
	return m
}

// TestMigrations checks that all patterns work after each step, there and back, and that a
// verification notices each step that is left out or comes too early.
func TestMigrations(t *testing.T) {
	notUnderRace(t)
	for i, c := range migrations {
		for _, back := range []bool{false, true} {
			name := c.name
			if back {
				name += ", undone"
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				if back && testing.Short() {
					t.Skip("slow")
				}
				m := migrationOf(t, c.change, back)
				var steps []string
				var kinds []migrate.StepKind
				for _, s := range m.Steps {
					steps = append(steps, s.String())
					kinds = append(kinds, s.Kind)
				}
				if !back {
					assert.Subset(t, kinds, c.kinds, steps)
				}
				report, err := VerifyMigration(m, Options{})
				require.NoError(t, err)
				assert.Empty(t, report.FirstFailure(), steps)
				if (back || i%3 > 0) && os.Getenv("TEST_FULL") == "" {
					return // mutations are slow: those of every third way there are enough
				}
				all, err := MutateMigration(m, Options{})
				require.NoError(t, err)
				assert.GreaterOrEqual(t, len(all), len(m.Steps))
				for _, mutated := range all {
					assert.NotEmpty(t, mutated.Found, mutated.Name)
				}
			})
		}
	}
}

// TestMigrationsOfDesigns checks that a pattern can come and go in each design: in every third one,
// and in all of them with TEST_FULL=true.
func TestMigrationsOfDesigns(t *testing.T) {
	notUnderRace(t)
	if testing.Short() {
		t.Skip("slow")
	}
	for i, d := range designs {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			if i%3 > 0 && os.Getenv("TEST_FULL") == "" {
				t.Skip("it is slow: run it with TEST_FULL=true")
			}
			whole, err := designfile.PlanFile(d.file)
			require.NoError(t, err)
			less, err := designfile.ParseFile(d.file)
			require.NoError(t, err)
			if len(less.Patterns) == 1 {
				t.Skip("the design has one pattern, which it cannot lose")
			}
			less.Patterns = less.Patterns[:len(less.Patterns)-1]
			part, err := design.Make(less)
			require.NoError(t, err)
			for _, plans := range [][2]*design.Plan{{whole, part}, {part, whole}} {
				m, err := migrate.Diff(plans[0], plans[1])
				require.NoError(t, err)
				assert.NotEmpty(t, m.Steps)
				report, err := VerifyMigration(m, Options{})
				require.NoError(t, err)
				assert.Empty(t, report.FirstFailure(), "%v", m.Steps)
			}
		})
	}
}

// TestMigrationsOfWrites checks that a stream comes before the writes that leave something to its
// consumer, and that a verification notices a write that nobody changes.
func TestMigrationsOfWrites(t *testing.T) {
	plan := func(kept string) *design.Plan {
		p, err := designfile.Plan([]byte(`table: carts
models:
  - name: Cart
    key: [id]
    attributes: [{name: id, format: ulid}, {name: n, type: number` + kept + `}]
  - name: Item
    key: [cart, id]
    attributes: [{name: cart, format: ulid, of: Cart.id}, {name: id, format: ulid}]
patterns:
  - {name: a cart, model: Cart, equal: [id], one: true}
  - {name: items, model: Item, equal: [cart], order: id}
`))
		require.NoError(t, err)
		return p
	}
	none, stream := plan(""), plan(", counts: Item, kept: stream")
	for _, plans := range [][2]*design.Plan{{none, stream}, {stream, none}} {
		m, err := migrate.Diff(plans[0], plans[1])
		require.NoError(t, err)
		require.Len(t, m.Steps, 3)
		report, err := VerifyMigration(m, Options{})
		require.NoError(t, err)
		require.Empty(t, report.FirstFailure())
		all, err := MutateMigration(m, Options{})
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(all), 3)
		for _, mutated := range all {
			require.NotEmpty(t, mutated.Found, mutated.Name)
		}
	}
}

// TestMigrationsOfAttributeKeys checks that no items of a migration get attributes by which an
// index of attributes refuses them, or finds them among the items of another model.
func TestMigrationsOfAttributeKeys(t *testing.T) {
	notUnderRace(t)
	const (
		number, text = "{name: city, type: number}", "{name: city, values: 4}"
		depots       = "  - {name: depots, model: Depot, equal: [region], order: city}\n"
		waiting      = "  - {name: waiting, model: Depot, equal: [region], order: waiting}\n"
		parcels      = "  - {name: parcels, model: Parcel, equal: [region], order: city}\n"
		sent         = "  - {name: sent, model: Parcel, equal: [sender], order: grams}\n"
		from         = "  - {name: from, model: Parcel, equal: [city], order: sender}\n"
		heavy        = "  - {name: heavy, model: Parcel, equal: [region], order: grams}\n"
	)
	for _, c := range []struct {
		name, city, before, after string
		comes                     bool // Parcel is no model of the first plan
	}{
		{"a number in no key", number, depots, "", false},
		{"a number in another key", number, depots, parcels, false},
		{"a number in two keys", number, depots, depots + parcels, false},
		{"a number beside two keys", number, depots + waiting + sent, sent, false},
		{"a number beside a key that stays", number, depots + waiting + sent, depots + sent, false},
		{"a number beside a key that goes", number, depots + waiting + sent, waiting + sent, false},
		{"a number beside another key", number, depots + waiting + sent, parcels, false},
		{"a number of a new model", number, depots + waiting, waiting, true},
		{"a text in no key", text, depots, "", false},
		{"a text in another key", text, depots, parcels, false},
		{"a text in a key without the region", text, depots + waiting + sent, from, false},
		{"a text in two keys", text, parcels, parcels + depots, false},
		{"a text beside two keys", text, depots + waiting + sent, sent, false},
		{"a text beside a key that stays", text, depots + waiting + sent, depots + sent, false},
		{"a text beside a key that goes", text, depots + waiting + sent, waiting + sent, false},
		{"a text beside another key", text, depots + waiting + sent, parcels, false},
		{"a text of a new model", text, depots + waiting, waiting, true},
		{"a text in a key of a new model", text, depots + waiting, from, true},
		{"a text in one of two keys of a new model", text, depots + waiting, from + heavy, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			before, after := depotsWith(t, c.city, c.before), depotsWith(t, c.city, c.after)
			if c.comes {
				before = depotsWith(t, "", c.before)
			}
			for _, plans := range [][2]*design.Plan{{before, after}, {after, before}} {
				m, err := migrate.Diff(plans[0], plans[1])
				require.NoError(t, err)
				report, err := VerifyMigration(m, Options{})
				require.NoError(t, err)
				assert.Empty(t, report.FirstFailure(), "%v", m.Steps)
			}
		})
	}
}

// depotsWith plans depots and parcels with some patterns, in indexes whose keys are attributes.
// City is the attribute of parcels that depots also have, or "" for depots without parcels.
func depotsWith(t *testing.T, city, patterns string) *design.Plan {
	t.Helper()
	var parcels string
	if city != "" {
		parcels = `  - name: Parcel
    key: [id]
    items: 100
    attributes:
      - {name: id, format: ulid}
      - {name: sender, values: 5}
      - {name: grams, type: number}
      - {name: region, values: 3}
      - ` + city + "\n"
		patterns = "  - {name: a parcel, model: Parcel, equal: [id], one: true}\n" + patterns
	}
	p, err := designfile.Plan([]byte(`table: depots
keys: attributes
models:
  - name: Depot
    key: [id]
    items: 100
    attributes:
      - {name: id, format: ulid}
      - {name: region, values: 3}
      - {name: city, values: 4}
      - {name: waiting, type: number}
` + parcels + `patterns:
  - {name: a depot, model: Depot, equal: [id], one: true}
` + patterns))
	require.NoError(t, err)
	return p
}

// TestMigrationOfLargeAttributes checks that reads may cost more while items have the attributes of
// both plans, and that the migration says so.
func TestMigrationOfLargeAttributes(t *testing.T) {
	plan := func(keys, patterns string) *design.Plan {
		p, err := designfile.Plan([]byte(`table: notes
` + keys + `models:
  - name: Note
    key: [id]
    items: 100
    attributes:
      - {name: id, format: ulid}
      - {name: owner, values: 1}
      - {name: kind, values: 1}
      - {name: text, bytes: 900}
patterns:
  - {name: a note, model: Note, equal: [id], one: true}
  - {name: of an owner, model: Note, equal: [owner], order: text}
` + patterns))
		require.NoError(t, err)
		return p
	}
	const (
		kind = "  - {name: of a kind, model: Note, equal: [kind], order: text}\n"
		both = "  - {name: of both, model: Note, equal: [owner, kind], order: text}\n"
	)
	old := plan("keys: attributes\n", kind)
	for _, c := range []struct {
		name string
		next *design.Plan
		says string
	}{
		{"the text in two further attributes", plan("", both), "items are of Note 1.5 times as large"},
		{"no further attribute", plan("keys: attributes\n", ""), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := migrate.Diff(old, c.next)
			require.NoError(t, err)
			report, err := VerifyMigration(m, Options{})
			require.NoError(t, err)
			assert.Empty(t, report.FirstFailure(), "%v", m.Steps)
			if c.says == "" {
				assert.Empty(t, migrate.LargerItems(m))
			}
			assert.Contains(t, migrate.LargerItems(m), c.says)
		})
	}
}
