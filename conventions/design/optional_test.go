package design_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

// TestOptional shows what an attribute costs that few items have, and who may be optional.
func TestOptional(t *testing.T) {
	const complaints = `
table: support
models:
  - name: Complaint
    key: [id]
    items: 100_000_000
    puts: 50
    attributes: [{name: id, format: ulid}, {name: agent, values: 500}, %s]
patterns:
  - {name: a complaint, model: Complaint, equal: [id], one: true, rate: 10}
  - {name: escalated, model: Complaint, equal: [agent], order: since, rate: 10}
`
	plan := func(since string) (*design.Plan, error) {
		return designfile.Plan([]byte(fmt.Sprintf(complaints, since)))
	}
	all, err := plan("{name: since, format: timestamp}")
	require.NoError(t, err)
	few, err := plan("{name: since, format: timestamp, optional: 1%}")
	require.NoError(t, err)
	price := func(p *design.Plan) float64 { return p.Cost(design.ListPrices()).Indexes[0].Dollars }
	assert.InEpsilon(t, price(all)/100, price(few), 0.01)
	assert.True(t, few.Indexes[0].Sparse)
	assert.Contains(t, string(designfile.Write(&few.Design, nil)), "optional: 1%")
	for _, c := range []struct{ name, attribute, want string }{
		{"all items", "{name: since, optional: 100%}", "want a part of the items, such as 1%"},
		{"no percent", "{name: since, optional: 1}", "should be text"},
		{"a constant", "{name: since, constant: a, optional: 1%}", "each item has since"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := plan(c.attribute)
			assert.ErrorContains(t, err, c.want)
		})
	}
}
