package design_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/mutate"
	"github.com/kugiri-db/kugiri/expr"
	_ "github.com/kugiri-db/kugiri/storage/rapidseed" // fixes the seed
)

// TestPlansServeTheirPatterns checks plans of random designs against a filter over the rows: each
// query finds exactly the rows of its pattern, in its order.
func TestPlansServeTheirPatterns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDesign(t)
		p, err := design.Make(d)
		if err != nil {
			requireImpossible(t, d, err)
			return
		}
		requireApart(t, p)
		require.Empty(t, design.Strayed(p))
		rows := drawRows(t, p)
		table := storeAll(t, p, rows)
		for i := range p.Queries {
			checkQuery(t, p, i, rows, table)
		}
	})
}

// TestPlansWithStrangers is TestPlansServeTheirPatterns for indexes that have items of models that
// are not read from them, whatever that costs.
func TestPlansWithStrangers(t *testing.T) {
	plans := 0 // counts plans with strangers
	rapid.Check(t, func(t *rapid.T) {
		p := design.Open(drawInverse(t))
		if p == nil {
			return
		}
		plans++
		requireApart(t, p)
		rows := drawRows(t, p)
		table := storeAll(t, p, rows)
		for i := range p.Queries {
			checkQuery(t, p, i, rows, table)
		}
	})
	require.Positive(t, plans)
}

// drawInverse is drawDesign with patterns that read by both attributes of a model's key.
func drawInverse(t *rapid.T) *design.Design {
	d := drawDesign(t)
	d.Tenants = nil
	d.Patterns = d.Patterns[:min(len(d.Patterns), 2)]
	d.Models[0].Key = []string{"x", "id"}
	for _, m := range d.Models {
		if len(m.Key) == 2 {
			d.Patterns = append(d.Patterns,
				design.Pattern{Name: m.Name + " by the first", Model: m.Name, Equal: m.Key[:1]},
				design.Pattern{
					Name: m.Name + " by the second", Model: m.Name, Equal: m.Key[1:],
					Order: m.Key[0],
				})
		}
	}
	return d
}

// requireApart checks that keys keep models apart by what they are made of, and would not without
// the models' names.
func requireApart(t *rapid.T, p *design.Plan) {
	mixed := func(p *design.Plan) string {
		if one, other, ok := p.Collision(); ok {
			return one + " has keys of " + other
		}
		if pattern, model, ok := p.Mixed(); ok {
			return pattern + " finds " + model
		}
		return ""
	}
	require.Empty(t, mixed(p))
	for _, m := range mutate.All(p) {
		if strings.HasSuffix(m.Name, "do not begin with the model's name") {
			require.NotEmpty(t, mixed(m.Plan), "%s: %+v %+v", m.Name, p.Entities, p.Queries)
		}
	}
}

// requireImpossible checks that a refused design cannot be planned: only the table and its local
// indexes serve strongly consistent patterns, so a refusal names a model with two of them, or such
// a pattern over several models.
func requireImpossible(t *rapid.T, d *design.Design, err error) {
	var refusal *conventions.FieldError
	require.ErrorAs(t, err, &refusal)
	require.Contains(t, refusal.Message, "strongly consistent reads")
	consistent := map[string]int{}
	for _, p := range d.Patterns {
		if p.Consistent {
			for _, model := range modelsOf(&p) {
				consistent[model] += len(modelsOf(&p))
			}
		}
	}
	require.GreaterOrEqual(t, slices.Max(slices.Collect(maps.Values(consistent))), 2, err)
}

func drawDesign(t *rapid.T) *design.Design {
	d := &design.Design{Table: "random"}
	if rapid.IntRange(0, 3).Draw(t, "tenants") == 0 {
		d.Tenants = &design.Tenants{Attribute: "x"}
	}
	models := rapid.IntRange(1, 4).Draw(t, "models")
	for i := range models {
		m := design.Model{Name: string(rune('A' + i)), Key: []string{"id"}, Items: 100}
		m.Attributes = []design.Attribute{
			{Name: "id",
				Type: rapid.SampledFrom(
					[]design.Type{design.String, design.String, design.Number}).Draw(t,
					"type of id")},
			{Name: "x", Type: design.String, Values: 3},
			{Name: "y", Type: design.String, Values: 5},
			{Name: "n", Type: design.Number},
			{Name: "at", Type: design.String, Format: design.Timestamp},
		}
		if rapid.Bool().Draw(t, "key of two") {
			m.Key = []string{"x", "id"}
		}
		for _, name := range []string{"y", "n", "at"} {
			if rapid.IntRange(0, 5).Draw(t, "optional") == 0 {
				m.Attribute(name).Optional = 0.5
			}
		}
		d.Models = append(d.Models, m)
	}
	for i := range rapid.IntRange(1, 7).Draw(t, "patterns") {
		p := design.Pattern{
			Name:       fmt.Sprint("pattern ", i),
			Model:      d.Models[rapid.IntRange(0, models-1).Draw(t, "model")].Name,
			Descending: rapid.Bool().Draw(t, "descending"),
		}
		p.Equal = rapid.SampledFrom(
			[][]string{{}, {"id"}, {"x"}, {"y"}, {"x", "y"}, {"y", "x"}, {"x", "id"}, {"n"},
				{"n", "x"}}).Draw(t, "equal")
		by := rapid.SampledFrom([]string{"", "", "at", "n"}).Draw(t, "by")
		if !slices.Contains(p.Equal, by) {
			p.Order = by
			if by != "" && rapid.Bool().Draw(t, "range") {
				p.Range = by
			}
		}
		drawBegins(t, &p)
		p.Descending = p.Descending && p.SortBy() != ""
		if models > 1 && rapid.IntRange(0, 2).Draw(t, "together") == 0 {
			drawTogether(t, d, &p)
		}
		drawSpread(t, &p)
		p.Consistent = p.Where == nil && rapid.IntRange(0, 5).Draw(t, "consistent") == 0
		for _, model := range modelsOf(&p) { // no key of the table has an optional attribute
			p.Consistent = p.Consistent && d.Has(&p, model, design.Row{})
		}
		d.Patterns = append(d.Patterns, p)
	}
	if d.Tenants == nil && rapid.IntRange(0, 3).Draw(t, "prefixes") == 0 {
		d.Prefixes = design.AlwaysPrefixed
	}
	return d
}

// drawBegins makes a pattern one that gives the beginning of a string.
func drawBegins(t *rapid.T, p *design.Pattern) {
	begins := rapid.SampledFrom([]string{"", "", "y", "at"}).Draw(t, "begins")
	if begins == "" || p.Range != "" || slices.Contains(p.Equal, begins) {
		return
	}
	p.Begins, p.Order = begins, rapid.SampledFrom([]string{"", begins}).Draw(t, "order")
}

// drawSpread draws what spreads a pattern's items, or chooses among them.
func drawSpread(t *rapid.T, p *design.Pattern) {
	if rapid.IntRange(0, 4).Draw(t, "where") == 0 && !slices.Contains(p.Equal, "y") {
		p.Where = map[string]string{
			"y": rapid.SampledFrom([]string{"1", "10", "post"}).Draw(t, "is"),
		}
	}
	if p.Range == "at" && rapid.Bool().Draw(t, "period") {
		p.Period = rapid.SampledFrom(design.Periods).Draw(t, "of")
	}
	if rapid.IntRange(0, 4).Draw(t, "sharded") == 0 {
		p.Shards = rapid.IntRange(2, 4).Draw(t, "shards")
	}
}

// drawTogether makes a pattern one over several models.
func drawTogether(t *rapid.T, d *design.Design, p *design.Pattern) {
	n := rapid.IntRange(2, len(d.Models)).Draw(t, "how many models")
	first := slices.IndexFunc(d.Models, func(m design.Model) bool { return m.Name == p.Model })
	p.Model = ""
	for i := range n {
		p.Models = append(p.Models, d.Models[(first+i)%len(d.Models)].Name)
	}
	// of several types
	p.Equal = slices.DeleteFunc(slices.Clone(p.Equal),
		func(name string) bool { return name == "id" })
}

// drawRows returns rows with values that are equal, or prefixes of each other, across models.
func drawRows(t *rapid.T, p *design.Plan) map[string][]design.Row {
	ids := []string{"1", "10", "a", "b", "post", "A", "A#1"}
	rows := map[string][]design.Row{}
	for _, m := range p.Design.Models {
		seen := map[string]bool{}
		for range rapid.IntRange(0, 12).Draw(t, "rows of "+m.Name) {
			row := design.Row{
				"x":  rapid.SampledFrom([]string{"1", "10", "b"}).Draw(t, "x"),
				"y":  rapid.SampledFrom([]string{"1", "10", "post", "a", "b"}).Draw(t, "y"),
				"n":  rapid.Int64Range(0, 20).Draw(t, "n"),
				"at": fmt.Sprintf("2026-01-%02dT0%[1]d:00:00Z", rapid.IntRange(1, 6).Draw(t, "at")),
			}
			if m.Attribute("id").Type == design.Number {
				row["id"] = rapid.Int64Range(0, 20).Draw(t, "id")
			} else {
				row["id"] = rapid.SampledFrom(ids[:6]).Draw(t, "id")
			}
			for _, a := range m.Attributes {
				if a.Optional > 0 && rapid.Bool().Draw(t, "without "+a.Name) {
					delete(row, a.Name)
				}
			}
			key := fmt.Sprint(row["id"])
			if len(m.Key) == 2 {
				key += "/" + row["x"].(string)
			}
			if !seen[key] {
				seen[key] = true
				rows[m.Name] = append(rows[m.Name], row)
			}
		}
	}
	return rows
}

type storedItem struct {
	model string
	row   design.Row
	item  map[string]any
}

func storeAll(t *rapid.T, p *design.Plan, rows map[string][]design.Row) []storedItem {
	var table []storedItem
	seen := map[string]string{}
	for _, m := range p.Design.Models {
		for _, row := range rows[m.Name] {
			item, err := p.Item(m.Name, row)
			require.NoError(t, err)
			key := fmt.Sprintf("%v|%v", item[p.Key.Partition], item[p.Key.Sort])
			require.NotContains(t, seen, key, "two items have the key %s: one of %s, one of %s",
				key, seen[key], m.Name)
			seen[key] = m.Name
			table = append(table, storedItem{m.Name, row, item})
		}
	}
	return table
}

func checkQuery(t *rapid.T, p *design.Plan, i int, rows map[string][]design.Row,
	table []storedItem) {
	pattern, q := &p.Design.Patterns[i], &p.Queries[i]
	if index := p.Index(q.Index); pattern.Consistent && index != nil {
		require.True(t, index.Local, "%s reads a global index with strong consistency",
			pattern.Name)
	}
	values := design.Row{
		design.RangeFrom: any("2026-01-02T00:00:01Z"), design.RangeTo: any("2026-01-05T05:00:00Z"),
	}
	if pattern.Range == "n" {
		values[design.RangeFrom], values[design.RangeTo] = int64(3), int64(11)
	}
	for _, sample := range append(slices.Clone(rows[modelsOf(pattern)[0]]),
		design.Row{"id": "1", "x": "1", "y": "10", "n": int64(1)}) {
		if !p.Design.Has(pattern, modelsOf(pattern)[0], sample) {
			continue
		}
		for _, name := range pattern.Equal {
			values[name] = sample[name]
		}
		if _, isString := values["id"].(string); isString && slices.Contains(pattern.Equal, "id") &&
			p.Design.Model(modelsOf(pattern)[0]).Attribute("id").Type == design.Number {
			values["id"] = int64(1)
		}
		if pattern.Begins != "" {
			values[pattern.Begins] = rapid.SampledFrom(
				[]string{"1", "10", "2026", "2026-01-0", "p", "a"}).Draw(t, "beginning")
		}
		bounds, err := q.BindAll(values)
		require.NoError(t, err)
		var want []design.Row
		for _, model := range modelsOf(pattern) {
			has := slices.DeleteFunc(slices.Clone(rows[model]),
				func(row design.Row) bool { return !p.Design.Has(pattern, model, row) })
			want = append(want, naive(pattern, values, has)...)
		}
		var gotRows []design.Row
		for _, b := range bounds {
			before := len(gotRows)
			for _, g := range run(p, b, table) {
				require.Contains(t, modelsOf(pattern), g.model,
					"%s finds items of another model: %s", pattern.Name, describe(p, q))
				gotRows = append(gotRows, g.row)
			}
			requireOrder(t, p, pattern, q, gotRows[before:])
		}
		require.ElementsMatch(t, want, gotRows, "%s: %s", pattern.Name, describe(p, q))
		if pattern.Shards < 2 {
			requireOrder(t, p, pattern, q, gotRows)
		}
	}
}

func requireOrder(t *rapid.T, p *design.Plan, pattern *design.Pattern, q *design.Query,
	rows []design.Row) {
	by := pattern.Order
	require.True(t, by == "" || slices.IsSortedFunc(rows, func(a, b design.Row) int {
		if pattern.Descending {
			a, b = b, a
		}
		return compare(a[by], b[by])
	}), "%s is out of order: %s", pattern.Name, describe(p, q))
}

func describe(p *design.Plan, q *design.Query) string {
	var notes []string
	for _, n := range p.Notes {
		notes = append(notes, n.String())
	}
	return fmt.Sprintf("%+v\n%+v\n%s", *q, p.Entities, strings.Join(notes, "\n"))
}

// naive filters rows as the pattern says.
func naive(pattern *design.Pattern, values design.Row, rows []design.Row) []design.Row {
	var found []design.Row
	for _, row := range rows {
		matches := true
		for _, name := range pattern.Equal {
			matches = matches && row[name] == values[name]
		}
		for name, value := range pattern.Where {
			matches = matches && row[name] == value
		}
		if by := pattern.Range; by != "" {
			matches = matches && compare(values[design.RangeFrom], row[by]) <= 0 &&
				compare(row[by], values[design.RangeTo]) <= 0
		}
		if by := pattern.Begins; by != "" {
			matches = matches && strings.HasPrefix(row[by].(string), values[by].(string))
		}
		if matches {
			found = append(found, row)
		}
	}
	return found
}

// run reads a table as DynamoDB does.
func run(p *design.Plan, b design.Bound, table []storedItem) []storedItem {
	key := p.Key
	for _, index := range p.Indexes {
		if index.Name == b.Index {
			key = index.Key
		}
	}
	var found []storedItem
	for _, s := range table {
		pk, sk := s.item[key.Partition], s.item[key.Sort]
		if pk == nil || pk != b.PartitionValue || (key.Sort != "" && sk == nil) {
			continue
		}
		switch b.Sort.Operator {
		case expr.KeyEqual:
			if sk != b.From {
				continue
			}
		case expr.KeyBeginsWith:
			if !strings.HasPrefix(sk.(string), b.From.(string)) {
				continue
			}
		case expr.KeyBetween:
			if compare(b.From, sk) > 0 || compare(sk, b.To) > 0 {
				continue
			}
		}
		found = append(found, s)
	}
	slices.SortStableFunc(found, func(x, y storedItem) int {
		if key.Sort == "" {
			return 0
		}
		c := compare(x.item[key.Sort], y.item[key.Sort])
		if b.Descending {
			return -c
		}
		return c
	})
	return found
}

func compare(a, b any) int {
	if n, ok := a.(int64); ok {
		return cmp.Compare(n, b.(int64))
	}
	return strings.Compare(a.(string), b.(string))
}

// modelsOf returns the models whose items a pattern reads.
func modelsOf(p *design.Pattern) []string {
	if len(p.Models) > 0 {
		return p.Models
	}
	return []string{p.Model}
}
