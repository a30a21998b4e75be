package migrate

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// TestSwitchReasons checks that a step says why reads switch to a query that looks like the old
// one.
func TestSwitchReasons(t *testing.T) {
	for _, c := range []struct {
		name    string
		change  func(d *design.Design)
		pattern string
		because string
	}{
		{"other attributes",
			func(d *design.Design) { d.Patterns[0].Attributes = []string{"title", "text"} },
			"of an author", "it reads title, text"},
		{"all attributes", func(d *design.Design) { d.Patterns[1].Attributes = nil }, "one",
			"it reads all attributes"},
		{"strong consistency", func(d *design.Design) { d.Patterns[1].Consistent = true }, "one",
			"its reads are strongly consistent"},
		{"two reasons",
			func(d *design.Design) {
				d.Patterns[1].Attributes, d.Patterns[1].Consistent = []string{"text"}, true
			}, "one",
			"its reads are strongly consistent, and it reads text"},
		{"another primary key of the other model",
			func(d *design.Design) { d.Models[1].Key = []string{"tag", "of"} }, "of an author",
			"the table is articles_v2"},
		{"an attribute that is no more", func(d *design.Design) {
			d.Models[0].Attributes = slices.Delete(d.Models[0].Attributes, 3, 4)
			d.Patterns[1].Attributes = []string{"text"}
		}, "of an author", "title of Article is no longer stored as title"},
		{"an attribute in a key of its own", func(d *design.Design) {
			d.Patterns = append(d.Patterns,
				design.Pattern{Name: "titled", Model: "Article", Equal: []string{"title"}})
		}, "of an author", "title of Article is no longer stored as title, but as GSI2PK"},
		{"another query", func(d *design.Design) { d.Patterns[0].Order = "title" }, "of an author",
			""},
	} {
		t.Run(c.name, func(t *testing.T) {
			make := func(change func(d *design.Design)) *design.Plan {
				d := articles(design.Pattern{})
				d.Patterns[1].Attributes = []string{"title"}
				d.Models = append(d.Models,
					design.Model{Name: "Tag",
						Key: []string{"tag"}, Attributes: []design.Attribute{
							{Name: "tag", Type: design.String, Format: design.UUID},
							{Name: "of", Type: design.String, Format: design.UUID,
								Of: "Article.id"},
						}})
				change(d)
				plan, err := design.Make(d)
				require.NoError(t, err)
				return plan
			}
			m, err := Diff(make(func(*design.Design) {}), make(c.change))
			require.NoError(t, err)
			step := switchOf(t, m, c.pattern)
			assert.Equal(t, c.because, step.Because)
			if c.because != "" {
				assert.Contains(t, step.String(), step.Query+", because "+c.because)
			}
		})
	}
}

// switchOf returns the step that switches the reads of a pattern.
func switchOf(t *testing.T, m *Migration, pattern string) Step {
	t.Helper()
	for _, s := range m.Steps {
		if s.Kind == SwitchReads && s.Pattern == pattern {
			return s
		}
	}
	require.Fail(t, "there is no such step", "%s in %v", pattern, m.Steps)
	return Step{}
}

// articles is a model with a large attribute, read by its author.
func articles(pattern design.Pattern) *design.Design {
	pattern.Name, pattern.Model, pattern.Equal, pattern.Order = "of an author", "Article", []string{
		"author",
	}, "at"
	return &design.Design{
		Table: "articles",
		Models: []design.Model{{Name: "Article", Key: []string{"id"}, Items: 1000,
			Puts: 10, Attributes: []design.Attribute{
				{Name: "id", Type: design.String, Format: design.UUID},
				{Name: "author", Type: design.String, Mutable: true},
				{Name: "at", Type: design.String, Format: design.Timestamp},
				{Name: "title", Type: design.String, Bytes: 60},
				{Name: "text", Type: design.String, Bytes: 9000},
			}}},
		Patterns: []design.Pattern{pattern,
			{Name: "one", Model: "Article", Equal: []string{"id"}, One: true}},
	}
}

// TestLocalIndexMigration checks that a local index that comes takes a new table.
func TestLocalIndexMigration(t *testing.T) {
	plan := func(change func(d *design.Design)) *design.Plan {
		d := consistentDesign()
		change(d)
		p, err := design.Make(d)
		require.NoError(t, err)
		return p
	}
	local, global := plan(func(*design.Design) {}), plan(
		func(d *design.Design) { d.Patterns[1].Consistent = false })
	further := plan(func(d *design.Design) {
		d.Patterns = append(d.Patterns,
			design.Pattern{
				Name: "by total", Model: "Order", Equal: []string{"customer"}, Order: "total",
			})
	})
	none, first := plan(func(d *design.Design) {
		d.Patterns = d.Patterns[:1]
	}), plan(func(d *design.Design) {
		d.Patterns[1].Consistent = false
		d.Patterns = d.Patterns[:2]
	})
	require.Empty(t, none.Indexes)
	require.Len(t, first.Indexes, 1)
	for _, c := range []struct {
		name     string
		old, new *design.Plan
		newTable bool
	}{
		{"the first global index comes", none, first, false},
		{"the last global index goes", first, none, false},
		{"a local index comes", global, local, true},
		{"a local index that nobody reads any more stays", local, global, false},
		{"a pattern more reads the local index", local, further, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := Diff(c.old, c.new)
			require.NoError(t, err)
			assert.Equal(t, c.newTable, m.NewTable)
			assert.Equal(t, c.newTable, strings.Contains(m.Because, "local indexes"), m.Because)
		})
	}
}

// TestLocalIndexStays checks that the plan says what a local index costs that nobody reads any
// more, that items keep its key, and that no step drops it, at once or with the next plan.
func TestLocalIndexStays(t *testing.T) {
	old, err := design.Make(consistentDesign())
	require.NoError(t, err)
	d := consistentDesign()
	d.Patterns = d.Patterns[:1]
	for range 2 {
		m, err := Make(d, old)
		require.NoError(t, err)
		assert.Equal(t, Nothing, m.Change())
		local := slices.IndexFunc(m.New.Indexes, func(x design.Index) bool { return x.Local })
		require.GreaterOrEqual(t, local, 0)
		assert.Equal(t, []string{"Order"}, m.New.Indexes[local].Models)
		says := "no pattern reads it. A local index goes with its table only, so it stays, for "
		assert.Contains(t, m.New.Markdown(), says)
		for _, s := range m.Steps {
			assert.NotEqual(t, DropIndex, s.Kind)
			assert.NotEqual(t, StopWriting, s.Kind)
		}
		require.NoError(t, design.CheckLocked(m.New))
		old = design.Locked(m.New)
	}
}

// TestLocalIndexIsRead checks that a pattern whose reads are no longer strongly consistent goes on
// to read the local index, which stays anyway, and takes no index more.
func TestLocalIndexIsRead(t *testing.T) {
	old, err := design.Make(consistentDesign())
	require.NoError(t, err)
	d := consistentDesign()
	d.Patterns[1].Consistent = false
	m, err := Make(d, old)
	require.NoError(t, err)
	require.Len(t, m.New.Indexes, 1)
	assert.True(t, m.New.Indexes[0].Local)
	assert.Equal(t, m.New.Indexes[0].Name, m.New.Queries[1].Index)
	text := m.New.Markdown()
	assert.Contains(t, text, "a local index that stays anyway, and takes no index more")
	assert.NotContains(t, text, "GSI1")
	assert.NotContains(t, text, "global index:")
	assert.Contains(t, text, "other patterns take an index more: 0 of 20 are taken")
	for _, s := range m.Steps {
		assert.Equal(t, SwitchReads, s.Kind, "%v", s)
	}
}

// consistentDesign has orders of customers in two orders, both read with strong consistency.
func consistentDesign() *design.Design {
	id, customer := design.Attribute{
		Name: "id", Type: design.String, Format: design.ULID,
	}, design.Attribute{Name: "customer", Type: design.String, Format: design.ULID, Values: 100}
	at, total := design.Attribute{
		Name: "at", Type: design.String, Format: design.Timestamp,
	}, design.Attribute{Name: "total", Type: design.Number, Mutable: true}
	return &design.Design{
		Table: "orders",
		Models: []design.Model{
			{Name: "Order", Key: []string{"id"}, Items: 1000, Puts: 5, Updates: 1,
				Attributes: []design.Attribute{id, customer, at, total}},
		},
		Patterns: []design.Pattern{
			{Name: "orders", Model: "Order", Equal: []string{"customer"}, Order: "at",
				Consistent: true, Rate: 1},
			{Name: "large orders", Model: "Order", Equal: []string{"customer"}, Range: "total",
				Consistent: true, Rate: 1},
		},
	}
}

// TestNewGuards checks that a step says what items need that are there when an attribute becomes
// unique.
func TestNewGuards(t *testing.T) {
	d := &design.Design{Table: "users", Models: []design.Model{
		{Name: "User", Key: []string{"id"}, Attributes: []design.Attribute{
			{Name: "id", Type: design.String}, {Name: "email", Type: design.String}}}},
		Patterns: []design.Pattern{
			{Name: "one", Model: "User", Equal: []string{"id"}, One: true}}}
	old, err := design.Make(d)
	require.NoError(t, err)
	unique := *d
	unique.Models = slices.Clone(d.Models)
	unique.Models[0].Unique = [][]string{{"email"}}
	plan, err := design.Make(&unique)
	require.NoError(t, err)
	m, err := Diff(old, plan)
	require.NoError(t, err)
	i := slices.IndexFunc(m.Steps, func(s Step) bool { return s.Kind == WriteModel })
	require.GreaterOrEqual(t, i, 0)
	assert.Contains(t, m.Steps[i].String(),
		"start to write UserEmail: each write of User writes its guard, too")
	same, err := Diff(plan, plan)
	require.NoError(t, err)
	assert.Empty(t, same.Steps)
}

// TestChangedWrites checks the steps that change how writes are sent.
func TestChangedWrites(t *testing.T) {
	plan := func(kept design.Keeping) *design.Plan {
		counter := design.Attribute{Name: "n", Type: design.Number, Counts: "Item", Kept: kept}
		if kept == "" {
			counter.Counts = ""
		}
		id := design.Attribute{Name: "id", Type: design.String, Format: design.ULID}
		p, err := design.Make(&design.Design{Table: "carts", Models: []design.Model{
			{Name: "Cart", Key: []string{"id"}, Attributes: []design.Attribute{id, counter}},
			{Name: "Item", Key: []string{"cart", "id"}, Attributes: []design.Attribute{
				{Name: "cart", Type: design.String, Format: design.ULID, Of: "Cart.id"}, id}}},
			Patterns: []design.Pattern{
				{Name: "a cart", Model: "Cart", Equal: []string{"id"}, One: true},
				{Name: "items", Model: "Item", Equal: []string{"cart"}, Order: "id"}}})
		require.NoError(t, err)
		return p
	}
	const put, remove = `send the write "put Item" as: Put Item unless it exists. By the stream: ` +
		"Update Cart, n more",
		`send the write "delete Item" as: Delete Item. By the stream: ` +
			"Update Cart, n less"
	for _, c := range []struct {
		name     string
		old, new design.Keeping
		want     []string
	}{
		{"a counter that the stream keeps", "", design.ByStream,
			[]string{"enable the stream, with new and old images, and its consumer", put, remove}},
		{"no counter", design.ByStream, "", []string{
			`end the write "put Item": what it keeps is no longer kept`,
			`end the write "delete Item": what it keeps is no longer kept`,
			"end the consumer of the stream, and disable it"}},
		{"another way to keep it", design.ByAdd, design.ByStream,
			[]string{"enable the stream, with new and old images, and its consumer", put, remove}},
		{"the same way", design.ByStream, design.ByStream, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := Diff(plan(c.old), plan(c.new))
			require.NoError(t, err)
			var steps []string
			for _, s := range m.Steps {
				steps = append(steps, s.String())
			}
			assert.Equal(t, c.want, steps)
		})
	}
}
