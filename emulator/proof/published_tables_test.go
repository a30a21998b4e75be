package proof

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
	"github.com/kugiri-db/kugiri/conventions/pricing"
	"github.com/kugiri-db/kugiri/expr"
)

// publishedTables is where the designs of other authors are: NAME.yaml has what is stored and read,
// NAME.table.yaml the table that the author published for it.
const publishedTables = "../../conventions/design/published"

// publishedTable is a table as its author published it, with its source. Values have names of
// attributes in braces.
type publishedTable struct {
	Kind, Title, Author, URL, About string

	Tables   int      // how many, if their models have one each
	Key      []string // the key of the table
	Indexes  []publishedIndex
	Entities []publishedEntity
	Requests []publishedRequest
	Why      map[string]string // why the plan takes more, by pattern, or "month"
}

type publishedIndex struct {
	Name      string
	Key       []string
	Models    []string // the models of one of several tables; none is all with the key
	Projected []string // the attributes of a projection INCLUDE; none is ALL
}

// publishedEntity is how items of a model are stored. A model that is stored twice has two of them.
type publishedEntity struct {
	Model      string
	Name       string // the model's unless it is there twice
	Keys       map[string]string
	When       map[string]map[string]string // the values of the items that have a key, by key
	Attributes []string                     // the attributes of a copy; none is all
}

// publishedRequest is how a pattern is read.
type publishedRequest struct {
	Pattern, Entity, Index, Partition string

	Sort  string  // an operator and its values, such as "begins_with ORDER#"
	Get   bool    // GetItem of a table without a sort key
	Reads float64 // how many items a filter reads on average, if there is one
	Scan  string  // "the table", or "an index" whose items are all in the result
}

// pageBytes is how much a Query or a Scan reads at most (Developer Guide, "Paginating table query
// results").
const pageBytes = 1 << 20

// readTable reads a published table.
func readTable(t *testing.T, name string) (p publishedTable) {
	text, err := os.ReadFile(filepath.Join(publishedTables, name+".table.yaml"))
	require.NoError(t, err)
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	require.NoError(t, d.Decode(&p))
	for _, s := range []string{p.Kind, p.Title, p.Author, p.URL, p.About} {
		require.NotEmpty(t, s, "the source of "+name)
	}
	return p
}

// plan returns the published table as a plan: what computes its cost and requests computes ours.
func (p *publishedTable) plan(t *testing.T, source *design.Design) *design.Plan {
	out := &design.Plan{Design: *source, Key: keyOf(p.Key)}
	out.Design.Models, out.Design.Patterns = nil, slices.Clone(source.Patterns)
	for i := range p.Entities {
		e := &p.Entities[i]
		m := source.Model(e.Model)
		require.NotNil(t, m, e.Model)
		copied := e.of(m)
		out.Design.Models = append(out.Design.Models, copied)
		out.Entities = append(out.Entities, e.entity(&copied))
	}
	for _, index := range p.Indexes {
		out.Indexes = append(out.Indexes, p.index(index))
	}
	require.Len(t, p.Requests, len(source.Patterns))
	for i := range source.Patterns {
		out.Queries = append(out.Queries, p.query(t, out, i))
	}
	return out
}

func keyOf(names []string) (k design.Key) {
	k.Partition = names[0]
	if len(names) > 1 {
		k.Sort = names[1]
	}
	return k
}

func (e *publishedEntity) name() string {
	if e.Name != "" {
		return e.Name
	}
	return e.Model
}

// of returns the model of the items: with the attributes that a copy has, and the updates that
// change one of them.
func (e *publishedEntity) of(m *design.Model) design.Model {
	c := *m
	c.Name = e.name()
	if len(e.Attributes) == 0 {
		return c
	}
	missing := func(name string) bool { return !slices.Contains(e.Attributes, name) }
	c.Attributes = slices.DeleteFunc(slices.Clone(c.Attributes),
		func(a design.Attribute) bool { return missing(a.Name) })
	c.Changes = slices.DeleteFunc(slices.Clone(c.Changes),
		func(u design.Change) bool { return !slices.ContainsFunc(u.Of, e.has) })
	return c
}

func (e *publishedEntity) has(name string) bool { return slices.Contains(e.Attributes, name) }

// entity returns the attributes of an item. What keys hold is in no attribute of its own, as in the
// plans.
func (e *publishedEntity) entity(m *design.Model) design.Entity {
	out, held := design.Entity{Model: m.Name}, map[string]bool{}
	for name, text := range e.Keys {
		out.Keys = append(out.Keys,
			design.Stored{Name: name, Value: valueOf(text), When: e.When[name]})
		for _, part := range valueOf(text) {
			held[part.Attribute] = true
		}
	}
	for _, a := range m.Attributes {
		if !held[a.Name] {
			out.Others = append(out.Others,
				design.Stored{Name: a.Name, Value: design.Value{{Attribute: a.Name}}})
		}
	}
	return out
}

// index returns an index with the models that have its key.
func (p *publishedTable) index(in publishedIndex) design.Index {
	out := design.Index{Name: in.Name, Key: keyOf(in.Key)}
	for i := range p.Entities {
		e := &p.Entities[i]
		lacks := func(name string) bool { return e.Keys[name] == "" }
		if !slices.ContainsFunc(in.Key, lacks) &&
			(len(in.Models) == 0 || slices.Contains(in.Models, e.Model)) {
			out.Models = append(out.Models, e.name())
		}
	}
	if len(in.Projected) > 0 {
		out.Projection = design.Projection{Type: design.Include, Attributes: in.Projected}
	}
	return out
}

// request returns how a pattern is read.
func (p *publishedTable) request(pattern string) *publishedRequest {
	at := slices.IndexFunc(p.Requests,
		func(r publishedRequest) bool { return r.Pattern == pattern })
	if at < 0 {
		return nil
	}
	return &p.Requests[at]
}

// query returns a pattern's request, and sets how many items it reads.
func (p *publishedTable) query(t *testing.T, out *design.Plan, i int) design.Query {
	pattern := &out.Design.Patterns[i]
	r := p.request(pattern.Name)
	require.NotNil(t, r, pattern.Name)
	if r.Entity != "" {
		pattern.Model = r.Entity
	}
	if r.Reads > 0 {
		pattern.One, pattern.Returned = false, r.Reads
	}
	q := design.Query{Pattern: pattern.Name, Models: pattern.Models,
		Operation: design.QueryRequest, Index: r.Index, Descending: pattern.Descending}
	if len(q.Models) == 0 {
		q.Models = []string{pattern.Model}
	}
	key := out.Key
	if r.Index != "" {
		require.NotNil(t, out.Index(r.Index), "%s: %s", pattern.Name, r.Index)
		key = out.Index(r.Index).Key
	}
	q.Partition = design.Stored{Name: key.Partition, Value: valueOf(r.Partition)}
	operator, values, _ := strings.Cut(r.Sort, " ")
	from, to, _ := strings.Cut(values, " ")
	if operator != "BETWEEN" {
		from, to = values, ""
	}
	q.Sort = design.SortCondition{
		Name: key.Sort, Operator: expr.KeyOp(operator), From: valueOf(from), To: valueOf(to),
	}
	if r.Get || r.Index == "" && operator == "=" {
		q.Operation = design.GetItem
	}
	return q
}

// cost returns what the published table costs. A Scan reads all items of the table.
func (p *publishedTable) cost(plan *design.Plan) *design.Cost {
	c := plan.Cost(design.ListPrices())
	for i := range plan.Design.Patterns {
		pattern := &plan.Design.Patterns[i]
		if p.request(pattern.Name).Scan != "the table" {
			continue
		}
		share, overhead := &c.Patterns[i], 0.0
		for _, m := range plan.Design.Models {
			overhead += float64(m.Items) * design.ItemOverhead
		}
		share.ReadUnits = pattern.Rate * (c.Table.Bytes - overhead) / 4096 / 2
		share.Dollars = share.ReadUnits * pricing.HoursPerMonth * 3600 / 1e6 * c.Prices.Read
	}
	return c
}

// requests returns how many requests a pattern takes: one for each partition, or for each page.
func requests(plan *design.Plan, cost *design.Cost, i int) float64 {
	q, pattern := &plan.Queries[i], &plan.Design.Patterns[i]
	if q.Operation == design.GetItem {
		return 1
	}
	n := 1.0
	for _, s := range q.Spread {
		n *= float64(max(s.Shards, 1))
	}
	if q.Fetch {
		return n + math.Ceil(pattern.Result()/100) // BatchGetItem
	}
	bytes := cost.Patterns[i].ReadUnits / pattern.Rate * 2 * 4096
	return max(n, math.Ceil(bytes/pageBytes))
}

// allowed is how many times the cost of the published table a plan may cost without a reason.
const allowed = 1.05

// TestPublishedTables checks that plans serve each pattern of published designs with as many
// requests or fewer, and cost 5 % more in a month at most. Where one does not, the table says why.
func TestPublishedTables(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(publishedTables, "*.table.yaml"))
	require.NoError(t, err)
	authors := map[string]string{}
	var page strings.Builder
	page.WriteString("| design | by | indexes, theirs | ours | requests | | USD a month | | " +
		"hottest key | |\n|---|---|---:|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".table.yaml")
		t.Run(name, func(t *testing.T) {
			p := readTable(t, name)
			assert.Empty(t, authors[p.Author], "another design is by "+p.Author)
			authors[p.Author] = name
			page.WriteString(p.compare(t, name))
		})
	}
	assert.Len(t, authors, 28)
	t.Log("\n" + page.String())
	text, err := os.ReadFile("../../conventions/docs/design.md")
	require.NoError(t, err)
	assert.True(t, strings.Contains(string(text), page.String()), "the document has the table")
}

// compare checks a design, and returns its line of the document's table.
func (p *publishedTable) compare(t *testing.T, name string) string {
	ours, err := designfile.PlanFile(filepath.Join(publishedTables, name+".yaml"))
	require.NoError(t, err)
	source, err := designfile.Parse(readFile(t, filepath.Join(publishedTables, name+".yaml")))
	require.NoError(t, err)
	theirs := p.plan(t, source)
	ourCost, theirCost := ours.Cost(design.ListPrices()), p.cost(theirs)
	why := func(what string, more bool) {
		assert.Equal(t, p.Why[what] != "", more, "%s: why has what takes more, only", what)
	}
	var ourSum, theirSum float64
	for i, q := range ours.Queries {
		our, their := requests(ours, ourCost, i), requests(theirs, theirCost, i)
		ourSum, theirSum = ourSum+our, theirSum+their
		why(q.Pattern, our > their)
	}
	why("indexes", len(ours.Indexes) > len(theirs.Indexes))
	why("month", ourCost.Total() > theirCost.Total()*allowed)
	ourHot, theirHot := design.Hottest(ours), design.Hottest(theirs)
	why("hottest", ourHot.Part() > 0.1 && ourHot.Part() > 2*theirHot.Part())
	verified(t, ours)
	return fmt.Sprintf("| %s | [%s](%s) | %d | %d | %.0f | %.0f | %.2f | %.2f | %s | %s |\n", p.Kind,
		p.Author, p.URL, len(theirs.Indexes), len(ours.Indexes), theirSum, ourSum,
		theirCost.Total(), ourCost.Total(), percent(theirHot), percent(ourHot))
}

// percent writes which part of what a partition takes the hottest key gets.
func percent(h design.Hot) string {
	if p := h.Part() * 100; p >= 0.1 {
		return fmt.Sprintf("%.1f %%", p)
	}
	return "< 0.1 %"
}

// verified checks that a plan holds, and that a verification notices its mistakes.
func verified(t *testing.T, plan *design.Plan) {
	options := Options{Rows: 300, Requests: 5}
	if os.Getenv("TEST_FULL") != "" {
		options = Options{}
	}
	report, err := Verify(plan, options)
	require.NoError(t, err)
	assert.True(t, report.OK(), "%+v", report)
	if os.Getenv("TEST_FULL") == "" {
		return
	}
	all, err := Mutate(plan, options)
	require.NoError(t, err)
	for _, m := range all {
		assert.NotEmpty(t, m.Found, m.Name)
	}
}

func readFile(t *testing.T, name string) []byte {
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return text
}
