package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// report holds the contents of the HTML report.
type report struct {
	Plan     *design.Plan
	Models   []reportModel
	Keys     []reportKey
	Patterns []reportPattern
	Steps    []reportStep
	Cost     []reportShare
	Total    reportShare
	Prices   design.Prices
	Warnings int
}

// reportModel is a model with its color.
type reportModel struct {
	Name   string
	Hue    int
	Items  string
	Cells  [][]reportPart // parts by column of the plan
	Others []string
}

// reportPart is a part of a value: a text, or the name of an attribute.
type reportPart struct {
	Text      string
	Attribute bool
}

// reportKey is the key of the table or of an index, with some of its item collections.
type reportKey struct {
	Name        string // "" is the table
	Key         design.Key
	Projection  string
	Models      []reportModel
	Collections []collection
}

// collection has the samples of one partition key in the order of the sort key.
type collection struct {
	Partition string
	Items     []reportItem
	More      int
}

type reportItem struct {
	Model reportModel
	Sort  string
}

// reportPattern is the way of a pattern: from the request by an index to the items.
type reportPattern struct {
	Name     string
	Rate     float64
	Models   []reportModel
	Query    *design.Query
	Sort     string
	From, To []reportPart
	Equal    []reportPart
	Also     [][]reportPart // the values of design.Query.Equal
	Order    string
	Requests string
}

type reportStep struct {
	Number int
	Title  string
	Notes  []design.Note
}

type reportShare struct {
	design.Share
	Kind    string
	Percent float64
}

// GB returns the stored bytes in gigabytes.
func (s reportShare) GB() float64 { return s.Bytes / (1 << 30) }

// How much of the samples a report shows.
const (
	maxCollections = 4
	maxItems       = 6
)

func (r *renderer) report() *report {
	p := r.plan
	out := &report{Plan: p}
	for i := range p.Entities {
		out.Models = append(out.Models, reportModelOf(p, i))
	}
	out.Keys = append(out.Keys, r.reportKey(out, "", p.Key, "", out.names()))
	for _, index := range p.Indexes {
		projection := string(cmp.Or(index.Projection.Type, design.All))
		if names := index.Projection.Attributes; len(names) > 0 {
			projection += ": " + strings.Join(names, ", ")
		}
		out.Keys = append(out.Keys,
			r.reportKey(out, index.Name, index.Key, projection, index.Models))
	}
	for i := range p.Queries {
		out.Patterns = append(out.Patterns, out.pattern(i))
	}
	out.steps()
	out.costs()
	return out
}

func (r *report) names() (names []string) {
	for _, m := range r.Models {
		names = append(names, m.Name)
	}
	return names
}

// models returns the models with some names.
func (r *report) models(names []string) (all []reportModel) {
	for _, m := range r.Models {
		if slices.Contains(names, m.Name) {
			all = append(all, m)
		}
	}
	return all
}

func reportModelOf(p *design.Plan, i int) reportModel {
	e := &p.Entities[i]
	const golden = 137 // degrees: neighbors differ most
	m := reportModel{
		Name: e.Model, Hue: (210 + i*golden) % 360,
		Items: design.Grouped(float64(p.Design.Model(e.Model).Items), 0),
	}
	for _, c := range p.Columns {
		var parts []reportPart
		for _, s := range e.Keys {
			if s.Name == c.Name {
				parts = partsOf(s.Value)
			}
		}
		m.Cells = append(m.Cells, parts)
	}
	for _, s := range e.Others {
		m.Others = append(m.Others, s.Name)
	}
	return m
}

func partsOf(v design.Value) (parts []reportPart) {
	for _, part := range v {
		parts = append(parts, reportPart{cmp.Or(part.Attribute, part.Text), part.Attribute != ""})
	}
	return parts
}

// reportKey returns a key with item collections of different models, those in which most models
// meet first.
func (r *renderer) reportKey(out *report, name string, key design.Key, projection string,
	models []string) reportKey {
	k := reportKey{Name: name, Key: key, Projection: projection, Models: out.models(models)}
	rows := map[string][]row{}
	var partitions []string
	for _, row := range r.rows {
		if slices.ContainsFunc(key.Names(), func(name string) bool {
			_, ok := row.item[name]
			return !ok
		}) {
			continue
		}
		text := plainOf(row, key.Partitions())
		if rows[text] == nil {
			partitions = append(partitions, text)
		}
		rows[text] = append(rows[text], row)
	}
	slices.SortStableFunc(partitions, func(a, b string) int {
		return cmp.Or(len(modelsIn(rows[b]))-len(modelsIn(rows[a])), len(rows[b])-len(rows[a]))
	})
	// by models, and by partition among those with the same models
	alike, rank := map[string]int{}, map[string]int{}
	for _, partition := range partitions {
		models := strings.Join(modelsIn(rows[partition]), ",")
		rank[partition] = alike[models]
		alike[models]++
	}
	slices.SortStableFunc(partitions, func(a, b string) int { return rank[a] - rank[b] })
	for _, partition := range partitions[:min(len(partitions), maxCollections)] {
		k.Collections = append(k.Collections,
			collectionOf(out, partition, rows[partition], key.Sorts()))
	}
	return k
}

// plainOf writes what a row has in attributes, with a comma between them.
func plainOf(row row, names []string) string {
	values := make([]string, len(names))
	for i, name := range names {
		values[i] = plain(row.item[name])
	}
	return strings.Join(values, ", ")
}

// modelsIn returns the models of rows, which come model by model.
func modelsIn(rows []row) (models []string) {
	for _, row := range rows {
		if !slices.Contains(models, row.Model) {
			models = append(models, row.Model)
		}
	}
	return models
}

// collectionOf returns an item collection. It shows items of all models, as far as there is room.
func collectionOf(out *report, partition string, rows []row, sort []string) collection {
	c := collection{Partition: partition, More: max(len(rows)-maxItems, 0)}
	seen := map[string]int{}
	rank := make(map[string]int, len(rows))
	for _, row := range rows {
		rank[row.Key] = seen[row.Model]
		seen[row.Model]++
	}
	shown := slices.SortedStableFunc(slices.Values(rows),
		func(a, b row) int { return rank[a.Key] - rank[b.Key] })
	shown = shown[:min(len(shown), maxItems)]
	slices.SortStableFunc(shown, func(a, b row) int {
		for _, name := range sort {
			if order := compare(a.item[name], b.item[name]); order != 0 {
				return order
			}
		}
		return 0
	})
	for _, row := range shown {
		item := reportItem{Model: out.models([]string{row.Model})[0]}
		item.Sort = plainOf(row, sort)
		c.Items = append(c.Items, item)
	}
	return c
}

func (r *report) pattern(i int) reportPattern {
	q, p := &r.Plan.Queries[i], &r.Plan.Design.Patterns[i]
	out := reportPattern{Name: q.Pattern, Rate: p.Rate, Models: r.models(q.Models), Query: q,
		Sort:  q.Sort.Name,
		Equal: partsOf(q.Partition.Value), From: partsOf(q.Sort.From), To: partsOf(q.Sort.To)}
	for _, s := range q.Equal {
		out.Also = append(out.Also, partsOf(s.Value))
	}
	if by := cmp.Or(p.Order, p.Range, p.Begins); by != "" {
		out.Order = "by " + by
		if p.Descending {
			out.Order += ", descending"
		}
	}
	switch {
	case q.Operation == design.SearchVectors:
		out.Order = fmt.Sprintf("the %d nearest to %s", q.Limit, q.Similar)
	case p.Latest != nil:
		by, n := p.Newest()
		out.Order = fmt.Sprintf("%s, and the %d newest of %s by %s", p.Models[0], n, p.Models[1], by)
	case p.One:
		out.Order = "at most one"
	}
	for _, s := range q.Spread {
		out.Requests += ", for each " + s.Attribute
	}
	for _, f := range q.Filters {
		if q.Operation == design.QueryRequest {
			out.Requests += ", filtered by " + f.Name
		}
	}
	if q.Fetch {
		out.Requests += ", then BatchGetItem"
	}
	return out
}

func (r *report) steps() {
	for _, n := range r.Plan.Notes {
		if len(r.Steps) == 0 || r.Steps[len(r.Steps)-1].Number != n.Step {
			r.Steps = append(r.Steps, reportStep{Number: n.Step, Title: design.StepTitle(n.Step)})
		}
		step := &r.Steps[len(r.Steps)-1]
		step.Notes = append(step.Notes, n)
		if n.Warning {
			r.Warnings++
		}
	}
}

func (r *report) costs() {
	c := r.Plan.Cost(design.ListPrices())
	r.Prices = c.Prices
	add := func(kind string, shares ...design.Share) {
		for _, s := range shares {
			r.Cost = append(r.Cost, reportShare{Share: s, Kind: kind})
			r.Total.ReadUnits += s.ReadUnits
			r.Total.WriteUnits += s.WriteUnits
			r.Total.Bytes += s.Bytes
			r.Total.Dollars += s.Dollars
		}
	}
	add("table", c.Table)
	add("index", c.Indexes...)
	add("reads", c.Patterns...)
	for i := range r.Cost {
		if r.Total.Dollars > 0 {
			r.Cost[i].Percent = r.Cost[i].Dollars / r.Total.Dollars * 100
		}
	}
}
