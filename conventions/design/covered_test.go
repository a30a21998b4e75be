package design_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

// Which indexes are more than needed, by what a plan's items and requests show. Nothing here knows
// how the planner searches.

// need holds the key attributes that one pattern takes of a model's items in an index: the
// partition key, and the first parts of the sort key.
type need struct {
	partition, sort []string
	last            bool // nothing may follow in the sort key
}

// partsIn returns the parts of a value of an item without the name of its model: attributes in
// braces, with a mark if they are optional, and texts. ok says that the item has it.
func partsIn(p *design.Plan, e *design.Entity, column string) (parts []string, ok bool) {
	for _, s := range e.Keys {
		if s.Name == column {
			parts = strings.FieldsFunc(s.Value.String(),
				func(r rune) bool { return r == '#' || r == '@' })
			if parts[0] == p.Design.KeyPrefix(e.Model) {
				parts = parts[1:]
			}
			for i, part := range parts {
				a := p.Design.Model(e.Model).Attribute(strings.Trim(part, "{}"))
				if a != nil && part != a.Name && a.Optional > 0 {
					parts[i] += "?"
				}
			}
			return parts, true
		}
	}
	return nil, column == ""
}

// needs returns what each pattern that reads an index takes of each model; ok is false if one needs
// an index of its own, because several models are in one order.
func needs(p *design.Plan, index string) (all map[string][]need, ok bool) {
	all = map[string][]need{}
	for i, q := range p.Queries {
		if q.Index != index || q.Operation == design.SearchVectors {
			continue
		}
		pattern := &p.Design.Patterns[i]
		if len(q.Models) > 1 && pattern.SortBy() != "" {
			return nil, false
		}
		for _, model := range q.Models {
			all[model] = append(all[model], needOf(p, pattern, model, p.Index(index).Key))
		}
	}
	return all, true
}

func needOf(p *design.Plan, pattern *design.Pattern, model string, key design.Key) need {
	e, m := p.Entity(model), p.Design.Model(model)
	n := need{}
	n.partition, _ = partsIn(p, e, key.Partition)
	sort, _ := partsIn(p, e, key.Sort)
	by := p.Design.AttributeOf(pattern, model, pattern.SortBy())
	for _, part := range sort {
		name := strings.Trim(part, "{}?")
		known := name == part || slices.ContainsFunc(pattern.Equal, func(equal string) bool {
			return p.Design.AttributeOf(pattern, model, equal) == name
		})
		if !known && name != by {
			break
		}
		n.sort = append(n.sort, part)
		if a := m.Attribute(name); !known {
			n.last = a.Type == design.String && a.Format == design.Any && a.Constant == ""
			break
		}
	}
	return n
}

// meets reports whether a sort key serves a need.
func (n need) meets(partition, sort []string) bool {
	return slices.Equal(n.partition, partition) && len(n.sort) <= len(sort) &&
		slices.Equal(n.sort, sort[:len(n.sort)]) && (!n.last || len(sort) == len(n.sort)) &&
		!slices.ContainsFunc(sort[len(n.sort):], // items without it would be left out
			func(part string) bool { return strings.HasSuffix(part, "?") })
}

// covered says which global index of a plan another index, or the table, could take the place of.
func covered(p *design.Plan) string {
	var global []design.Index
	for _, index := range p.Indexes {
		if !index.Local {
			global = append(global, index)
		}
	}
	table := design.Index{Name: "the table", Key: p.Key}
	for i, index := range global {
		if all, ok := needs(p, index.Name); ok {
			if alone(all) && serves(p, table.Key, all) {
				return "the table serves what " + index.Name + " does"
			}
			for _, other := range global[i+1:] {
				if more, ok := needs(p, other.Name); ok && together(all, more) {
					return fmt.Sprintf("one index serves what %s and %s do", index.Name, other.Name)
				}
			}
		}
	}
	return ""
}

// alone reports whether patterns read one model.
func alone(all map[string][]need) bool { return len(all) == 1 }

// serves reports whether the items in an index, or the table, serve needs as they are.
func serves(p *design.Plan, key design.Key, all map[string][]need) bool {
	for model, list := range all {
		partition, ok := partsIn(p, p.Entity(model), key.Partition)
		sort, also := partsIn(p, p.Entity(model), key.Sort)
		for _, n := range list {
			if !ok || !also || !n.meets(partition, sort) {
				return false
			}
		}
	}
	return true
}

// together reports whether one index serves the needs of two: the models in both need the same
// there, or one of them more.
func together(all, more map[string][]need) bool {
	for model, list := range all {
		longest := slices.MaxFunc(append(slices.Clone(list), more[model]...),
			func(a, b need) int { return len(a.sort) - len(b.sort) })
		for _, n := range append(slices.Clone(list), more[model]...) {
			if !n.meets(longest.partition, longest.sort) {
				return false
			}
		}
	}
	return true
}

// TestNoIndexIsCovered checks plans of random designs for indexes that are more than needed.
func TestNoIndexIsCovered(t *testing.T) {
	designs := rapid.Custom(drawDesign)
	plans, cut := 0, 0
	for seed := range 300 {
		d := designs.Example(seed)
		p, err := design.Make(d)
		if err != nil {
			continue
		}
		plans++
		if !p.Search.Exact && covered(p) != "" {
			cut++ // the plan says that another one may be better
			continue
		}
		if !assert.Empty(t, covered(p), "seed %d", seed) {
			t.Log(string(designfile.Write(d, nil)))
		}
	}
	assert.Greater(t, plans, 200)
	assert.LessOrEqual(t, cut, 1, "plans of searches that left layouts out")
}

// TestCovered shows that the check of covered indexes sees them.
func TestCovered(t *testing.T) {
	p, err := designfile.Plan([]byte(lending))
	require.NoError(t, err)
	require.Empty(t, covered(p))
	require.Len(t, p.Indexes, 1, "books of a member, and a member with books, share an index")
	more := p.Clone()
	more.Indexes = append(more.Indexes, design.Index{Name: "GSI2", Key: design.Key{
		Partition: "GSI2PK", Sort: "GSI2SK"}, Models: []string{"Book"}})
	book := more.Entity("Book")
	for _, s := range book.Keys[2:] {
		s.Name = "GSI2" + s.Name[len("GSI1"):]
		book.Keys = append(book.Keys, s)
	}
	for i := range more.Queries {
		if q := &more.Queries[i]; q.Pattern == "books of a member" {
			q.Index = "GSI2"
		}
	}
	assert.Equal(t, "one index serves what GSI1 and GSI2 do", covered(more))
}

const lending = `
table: library
models:
  - name: Member
    key: [id]
    items: 10_000
    puts: 1
    attributes: [{name: id, format: ulid}, name]
  - name: Book
    key: [isbn, copy]
    items: 100_000
    puts: 1
    updates: [{of: [member, due], rate: 5}]
    attributes: [isbn, copy, {name: member, format: ulid, of: Member.id},
      {name: due, format: timestamp}]
patterns:
  - {name: copies of a book, model: Book, equal: [isbn], rate: 10}
  - {name: books of a member, model: Book, equal: [member], order: due, rate: 10}
  - {name: a member with books, models: [Member, Book], equal: [id], rate: 10}
`
