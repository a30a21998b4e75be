package design_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

const members = `
table: library
models:
  - name: Member
    key: [id]
    unique: [email]
    items: 1000
    attributes: [id, email, name]
patterns:
`

// TestOne shows which patterns may say that a result has at most one item.
func TestOne(t *testing.T) {
	for _, c := range []struct{ name, pattern, wrong string }{
		{"by its key", "{name: p, model: Member, equal: [id], one: true, rate: 1}", ""},
		{"by its key and more", "{name: p, model: Member, equal: [name, id], one: true, rate: " +
			"1}", ""},
		{"by what is unique", "{name: p, model: Member, equal: [email], one: true, rate: 1}", ""},
		{"by what several have", "{name: p, model: Member, equal: [name], one: true, rate: 1}",
			"patterns[0].one: several items of Member can have one name, because its key is " +
				"[id]. " +
				"Say unique: [name] of Member if no two have; or returned: 1 in place of one, " +
				"if the first of many is meant"},
		{"by nothing", "{name: p, model: Member, order: name, one: true, rate: 1}",
			"patterns[0].one: nothing in equal says which item of Member it is. Name its key, " +
				"[id]; " +
				"or say returned: 1 in place of one, if the first of many is meant"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := designfile.Parse([]byte(members + "  - " + c.pattern + "\n"))
			if c.wrong == "" {
				require.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, c.wrong)
		})
	}
}

// TestUnsaid shows what a plan says of numbers that its design leaves out.
func TestUnsaid(t *testing.T) {
	plan, err := designfile.Plan([]byte(members + `  - {name: a member, model: Member,
		equal: [id], rate: 5}
  - {name: by name, model: Member, equal: [name]}
`))
	require.NoError(t, err)
	assert.Equal(t, []string{"by name: no rate is said, so the plan assumes 0 requests a second: " +
		"reads cost nothing, and no partition is too hot. Say it, as in rate: 5"}, warned(plan))
	d := &design.Design{Table: "library", Models: []design.Model{{Name: "Member",
		Key:        []string{"id"},
		Attributes: []design.Attribute{{Name: "id", Type: design.String}}}},
		Patterns: []design.Pattern{{Name: "a member", Model: "Member", Equal: []string{"id"},
			Rate: 5}}}
	plan, err = design.Make(d)
	require.NoError(t, err)
	assert.Equal(t, []string{"Member: no items are said, so the plan assumes 0: storage costs " +
		"nothing, " +
		"and no partition is too large. Say how many there will be, as in items: 100_000"},
		warned(plan))
}

// warned returns the warnings of a plan.
func warned(p *design.Plan) (all []string) {
	for _, n := range p.Notes {
		if n.Warning {
			all = append(all, n.About+": "+n.Text)
		}
	}
	return all
}
