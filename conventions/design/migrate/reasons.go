package migrate

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// switchStep returns the step that switches a pattern of both plans to its new query.
func (m *Migration) switchStep(i int) Step {
	q := &m.New.Queries[i]
	old := patternOf(m.Old, q.Pattern)
	step := Step{Kind: SwitchReads, Pattern: q.Pattern, Query: q.String()}
	if m.Old.Queries[old].String() == step.Query {
		step.Because = m.because(old, i)
	}
	return step
}

// because says why a pattern switches to a query that looks like the old one.
func (m *Migration) because(old, plan int) string {
	if m.NewTable {
		return "the table is " + m.New.Design.Table
	}
	reasons := slices.Concat(m.changed(old, plan), m.moved(old))
	if asked := m.New.Queries[plan].Attributes; len(reasons) == 0 &&
		!slices.Equal(m.Old.Queries[old].Attributes, asked) {
		reasons = []string{"it asks for " + cmp.Or(strings.Join(asked, ", "), "all attributes")}
	}
	if len(reasons) == 0 {
		return "its keys are written in another way"
	}
	return strings.Join(reasons, ", and ")
}

// changed says what a pattern wants that it did not want before.
func (m *Migration) changed(old, plan int) (reasons []string) {
	before, after := &m.Old.Design.Patterns[old], &m.New.Design.Patterns[plan]
	models := m.New.Queries[plan].Models
	for _, c := range []struct {
		differs bool
		reason  string
	}{
		{!slices.Equal(m.Old.Queries[old].Models, models),
			"it returns items of " + strings.Join(models, ", ")},
		{before.Consistent != after.Consistent, "its reads are " + consistency(after.Consistent)},
		{!slices.Equal(before.Attributes, after.Attributes),
			"it reads " + cmp.Or(strings.Join(after.Attributes, ", "), "all attributes")},
		{!maps.Equal(before.Where, after.Where), "it finds " + where(after.Where)},
		{before.One != after.One, "it returns " + results(after.One)},
		{!reflect.DeepEqual(before.Equal, after.Equal),
			"its requests name " + strings.Join(after.Equal, ", ")},
		{before.Range != after.Range || before.Begins != after.Begins ||
			before.Order != after.Order,
			"its order is that of " +
				cmp.Or(after.Range, after.Begins, after.Order, "no attribute")},
		{!maps.Equal(before.Latest, after.Latest), "it finds " + newest(after)},
		{before.Shards != after.Shards, "it reads " + shards(max(after.Shards, 1))},
		{before.Period != after.Period, "it reads " + partitions(after.Period)},
	} {
		if c.differs {
			reasons = append(reasons, c.reason)
		}
	}
	return reasons
}

func consistency(strong bool) string {
	if strong {
		return "strongly consistent"
	}
	return "eventually consistent"
}

func results(one bool) string {
	if one {
		return "one item"
	}
	return "all items"
}

func newest(p *design.Pattern) string {
	by, n := p.Newest()
	if n == 0 {
		return "all items"
	}
	return fmt.Sprintf("the %d newest of %s by %s", n, p.Models[1], by)
}

func shards(n int) string {
	if n == 1 {
		return "1 shard"
	}
	return fmt.Sprintf("%d shards", n)
}

func partitions(of design.Period) string {
	if of == "" {
		return "one partition"
	}
	return "a partition for each " + string(of)
}

func where(values map[string]string) string {
	if len(values) == 0 {
		return "all items"
	}
	var all []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		all = append(all, fmt.Sprintf("whose %s is %s", name, values[name]))
	}
	return "items " + strings.Join(all, " and ")
}

// moved says which attributes of a result have another name in the table, or are no longer there.
func (m *Migration) moved(old int) (reasons []string) {
	read := m.Old.Design.Patterns[old].Attributes
	for _, model := range m.Old.Queries[old].Models {
		removed := m.removed(model)
		for _, a := range m.Old.Design.Model(model).Attributes {
			holders := m.Old.Entity(model).Holding(a.Name)
			if len(holders) == 0 || len(read) > 0 && !slices.Contains(read, a.Name) ||
				!needsOneOf([][]string{holders}, removed) {
				continue
			}
			reason := fmt.Sprintf("%s of %s is no longer stored as %s", a.Name, model,
				strings.Join(holders, " or "))
			if now := m.New.Entity(model).Holding(a.Name); len(now) > 0 {
				reason += ", but as " + strings.Join(now, " or ")
			}
			reasons = append(reasons, reason)
		}
	}
	return reasons
}
