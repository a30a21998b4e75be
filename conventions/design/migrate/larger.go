package migrate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// Larger returns how many times as large as in a plan a model's average item is while it has the
// attributes of both plans, at least 1.
func Larger(m *Migration, p *design.Plan, model string) float64 {
	o, n := m.Old.Entity(model), m.New.Entity(model)
	if m.NewTable || o == nil || n == nil {
		return 1
	}
	all := slices.Concat(n.Keys, n.Others)
	bytes := design.AttributesBytes(m.New, model, all)
	old := slices.DeleteFunc(slices.Concat(o.Keys, o.Others),
		func(s design.Stored) bool { return valueOf(n, s.Name) != nil })
	bytes += design.AttributesBytes(m.Old, model, old)
	e := p.Entity(model)
	return max(bytes/design.AttributesBytes(p, model, slices.Concat(e.Keys, e.Others)), 1)
}

// worthSaying is from which factor on LargerItems names a model: less hardly shows in a bill.
const worthSaying = 1.5

// LargerItems says which models' items are much larger than in both plans while they have the
// attributes of both, or "".
func LargerItems(m *Migration) string {
	var all []string
	for _, model := range m.common() {
		if times := min(Larger(m, m.Old, model), Larger(m, m.New, model)); times >= worthSaying {
			all = append(all, fmt.Sprintf("of %s %.1f times as large", model, times))
		}
	}
	if len(all) == 0 {
		return ""
	}
	return "items have the attributes of both plans until the steps that stop writing some, and " +
		"reads of them cost more: items are " + strings.Join(all, ", ")
}
