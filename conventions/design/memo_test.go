package design_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

// TestMemo shows what a plan says to whoever owns the table.
func TestMemo(t *testing.T) {
	const follows = `
table: social
models:
  - name: User
    key: [id]
    items: 1000
    puts: 1
    attributes: [{name: id, format: ulid}]
  - name: Follow
    key: [follower, followed]
    items: 100_000
    puts: 10
    attributes: [{name: follower, format: ulid, of: User.id}, {name: followed, format: ulid,
	of: User.id},
      {name: muted, format: timestamp, optional: 1%}]
patterns:
  - {name: a user, model: User, equal: [id], one: true, rate: 10}
  - {name: whom a user follows, model: Follow, equal: [follower], rate: 100}
  - {name: who follows a user, model: Follow, equal: [followed], rate: 100}
  - {name: whom a user has muted, model: Follow, equal: [follower], order: muted, rate: 1}
`
	for _, c := range []struct{ name, design, want string }{
		{"an item collection", lending,
			"a member with books: Member and Book are an item collection in GSI1: one Query " +
				"reads the items under {id}"},
		{"GSI overloading", lending, "GSI1: GSI overloading: GSI1PK holds {id}, {member}"},
		{"an inverted index", follows, "an inverted index of Follow: the adjacency list of the " +
			"table"},
		{"a sparse index", follows, "a sparse index of Follow: only some of the items have " +
			"its key"},
		{"what is behind", follows, "reads of global indexes are eventually consistent: who " +
			"follows a user"},
		{"what never changes", follows, "what never changes without a copy of all items: the " +
			"table's key"},
		{"where it hurts first", strings.ReplaceAll(lending, "rate: 10", "rate: 100000"),
			"the first hot partition, as rates grow: "},
		{"where it hurts never", lending, "no partition comes near its limits: the busiest, "},
		{"how it grows", lending, "other patterns take an index more: 1 of 20 are taken"},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan, err := designfile.Plan([]byte(c.design))
			require.NoError(t, err)
			assert.Contains(t, plan.Markdown(), c.want)
		})
	}
	assert.Equal(t, "For whoever owns it", design.StepTitle(9))
}

// words are those of the field, with what has to be so in a plan whose memo has them.
var words = map[string]func(p *design.Plan) bool{
	"item collection": func(p *design.Plan) bool {
		together := slices.ContainsFunc(p.Queries,
			func(q design.Query) bool { return len(q.Models) > 1 })
		under := map[string]bool{}
		for i := range p.Entities {
			key := ""
			for _, part := range valueIn(&p.Entities[i], p.Key.Partition) {
				key += part.Text + rootOf(&p.Design, p.Entities[i].Model, part.Attribute)
			}
			if strings.Contains(key, ".") && p.Key.Sort != "" {
				together = together || under[key]
				under[key] = true
			}
		}
		return together
	},
	"GSI overloading": anyIndex(func(p *design.Plan, x *design.Index) bool {
		holds := map[string]bool{}
		for _, model := range x.Models {
			holds[valueIn(p.Entity(model), x.Key.Partition).String()] = true
		}
		return len(holds) > 1
	}),
	"sparse index": anyIndex(func(p *design.Plan, x *design.Index) bool {
		return slices.ContainsFunc(x.Models, func(model string) bool {
			return slices.ContainsFunc(p.Entity(model).Keys, func(s design.Stored) bool {
				return (s.Name == x.Key.Partition || s.Name == x.Key.Sort) &&
					(s.When != nil || optional(p, model, s.Value))
			})
		})
	}),
	"inverted index": anyIndex(inverted),
	"adjacency list": anyIndex(inverted),
	"write sharding": func(p *design.Plan) bool {
		return slices.ContainsFunc(p.Design.Patterns,
			func(q design.Pattern) bool { return q.Shards > 1 })
	},
	"denormalized copy": func(p *design.Plan) bool {
		return slices.ContainsFunc(p.Design.Models, func(m design.Model) bool {
			return slices.ContainsFunc(m.Attributes,
				func(a design.Attribute) bool { return a.Of != "" && a.Kept != "" })
		})
	},
	"hot partition": func(p *design.Plan) bool { return design.Hottest(p).Part() >= 0.001 },
}

func anyIndex(is func(*design.Plan, *design.Index) bool) func(*design.Plan) bool {
	return func(p *design.Plan) bool {
		return slices.ContainsFunc(p.Indexes, func(x design.Index) bool {
			return !x.Local && is(p, &x)
		})
	}
}

// inverted reports whether an index has the attributes of a model's primary key the other way
// round.
func inverted(p *design.Plan, x *design.Index) bool {
	return slices.ContainsFunc(x.Models, func(model string) bool {
		e := p.Entity(model)
		sort := attributesOf(valueIn(e, p.Key.Sort))
		other := valueIn(e, x.Key.Sort)
		return sort != "" && attributesOf(valueIn(e, x.Key.Partition)) == sort && (other == nil ||
			attributesOf(other) == attributesOf(valueIn(e, p.Key.Partition)))
	})
}

func attributesOf(v design.Value) (names string) {
	for _, part := range v {
		if part.Attribute != "" {
			names += part.Attribute + " "
		}
	}
	return names
}

func valueIn(e *design.Entity, column string) design.Value {
	for _, s := range e.Keys {
		if s.Name == column {
			return s.Value
		}
	}
	return nil
}

// rootOf returns the attribute whose values one of a model has, such as User.id.
func rootOf(d *design.Design, model, name string) string {
	for name != "" {
		of := d.Model(model).Attribute(name).Of
		if of == "" {
			return model + "." + name
		}
		model, name, _ = strings.Cut(of, ".")
	}
	return ""
}

func optional(p *design.Plan, model string, v design.Value) bool {
	return slices.ContainsFunc(v, func(part design.Part) bool {
		return part.Attribute != "" && p.Design.Model(model).Attribute(part.Attribute).Optional > 0
	})
}

// TestWordsOfTheField checks that each word of the field is in the memos of those plans for which
// it is true, and in no others, and that some plan has it and some has not.
func TestWordsOfTheField(t *testing.T) {
	var files []string
	for _, pattern := range []string{"published/*.yaml", "../../emulator/proof/testdata/*.yaml"} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		files = append(files, found...)
	}
	seen := map[string]map[bool]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, ".table.yaml") {
			continue
		}
		plan, err := designfile.PlanFile(file)
		require.NoError(t, err)
		memo := ""
		for _, n := range plan.Notes {
			if n.Step == 9 {
				memo += n.Text + "\n"
			}
		}
		for word, holds := range words {
			want := holds(plan)
			assert.Equal(t, want, strings.Contains(memo, word), "%s: %s", file, word)
			if seen[word] == nil {
				seen[word] = map[bool]bool{}
			}
			seen[word][want] = true
		}
	}
	for word := range words {
		assert.Len(t, seen[word], 2, word)
	}
}

// TestRejected shows what a plan says of what it has not chosen.
func TestRejected(t *testing.T) {
	const orders = `
table: shop
models:
  - name: Order
    key: [id]
    items: 1_000_000
    puts: 10
    updates: [{of: state, rate: 20}]
    attributes: [{name: id, format: ulid}, {name: customer, format: ulid, values: 10_000}, {name: state,
      values: 4, mutable: true}, {name: placed, format: timestamp}, {name: text, bytes: 300}]
patterns:
  - {name: an order, model: Order, equal: [id], one: true, rate: 100}
  - {name: orders of a customer, model: Order, equal: [customer], order: placed, rate: 20}
  - {name: orders of a customer in a state, model: Order, equal: [customer, state], rate: 1, returned: 5}
  - {name: unasked, model: Order, equal: [placed]}
`
	plan, err := designfile.Plan([]byte(orders))
	require.NoError(t, err)
	page := plan.Markdown()
	for _, want := range []string{
		"- Order: written and stored for 49.40 USD a month, and once more in 3 indexes for ",
		"the key of GSI2 in the table (state changes, and an item's key in the table never does)",
		"Rejected: a filter over {customer} in GSI1 (",
		"it reads 100 items for 5). Without GSI2, which no other pattern reads, that saves " +
			"80.61 USD: take it as long as this stays small",
		"it reads 100 items for 10, and the reader puts them in the order of placed)",
		"- a Scan of the table with a filter, in 414 requests, would cost at least 211 times as " +
			"much for each pattern but unasked\n",
	} {
		assert.Contains(t, page, want)
	}
	assert.NotContains(t, page, "- an order: GetItem", "what has no alternative is in the tables")

	// the plan with the key of GSI1 in the table costs as much, and updates find their items first
	other, err := designfile.Plan([]byte(strings.Replace(orders, "key: [id]",
		"key: [id]\n    primary: (customer, placed+id)", 1)))
	require.NoError(t, err)
	assert.InDelta(t, plan.Cost(design.ListPrices()).Total(),
		other.Cost(design.ListPrices()).Total(), 0.1)
	assert.Contains(t, other.Markdown(),
		"reads the item first (found in GSI1), for 3.29 USD a month")
	assert.Contains(t, page,
		`the key of GSI1 in the table ("an order" would take an index then, 3.29 USD more)`)
}

// TestRejectedReasons shows why keys of indexes are not in the table, and when a Scan is worth a
// line.
func TestRejectedReasons(t *testing.T) {
	const users = `
table: users
models:
  - name: User
    key: [id]
    items: 1_000_000
    puts: 1
    attributes: [{name: id, format: ulid}, {name: plan, values: 3}, {name: city, values: 5_000},
	{name: joined, format: timestamp}, {name: text, bytes: 300}]
patterns:
  - {name: read, model: User, PATTERN}
`
	const byID = "equal: [id], one: true, rate: 10}\n  - {name: listed, model: User, "
	for _, c := range []struct{ name, pattern, says, not string }{
		{"a constant", byID + "order: joined, returned: 5, rate: 1",
			"the key of GSI1 in the table (all of its items would have one partition key of the " +
				"table)", ""},
		{"few values", byID + "equal: [plan], order: joined, returned: 5, rate: 1",
			"the key of GSI1 in the table (all writes would go to the partition keys of only 3 " +
				"values of plan)", ""},
		{"an even swap", byID + "equal: [city], order: joined, returned: 5, rate: 1",
			`the key of GSI1 in the table ("read" would take an index then, at the same cost)`, ""},
		{"consistent reads", "equal: [id], one: true, consistent: true, rate: 10}\n  - {name: " +
			"listed, model: User, equal: [city], order: joined, returned: 5, rate: 1",
			`the key of GSI1 in the table ("read" is strongly consistent, and no read of an index is)`,
			""},
		{"writes by its own key", "equal: [city], order: joined, returned: 5, rate: 1, UNIQUE",
			"the key of GSI1 in the table (its items are written by id alone)", ""},
		{"a Scan for a report", byID + "equal: [plan], order: joined, returned: 5, rate: 0.000012",
			"a Scan of the table with a filter (0.20 USD, each in 393 requests). Without GSI1, " +
				"which no other pattern reads, that saves 1.56 USD, for a reader that can wait for " +
				"so many requests", ""},
		{"an index that a further pattern shares", byID + "equal: [city], order: joined, " +
			"returned: 5, rate: 1}\n  - {name: since, model: User, equal: [city], range: joined, rate: 1",
			"would cost more than 1,000 times as much for each pattern\n", "listed: Query"},
	} {
		t.Run(c.name, func(t *testing.T) {
			pattern, unique := strings.CutSuffix(c.pattern, ", UNIQUE")
			text := strings.Replace(users, "PATTERN", pattern, 1)
			if unique {
				text = strings.Replace(text, "puts: 1", "puts: 1\n    unique: [[text]]", 1)
			}
			plan, err := designfile.Plan([]byte(text))
			require.NoError(t, err)
			page := plan.Markdown()
			step := page[strings.Index(page, "### 8."):]
			assert.Contains(t, step, c.says)
			if c.not != "" {
				assert.NotContains(t, step, c.not)
			}
		})
	}
}
