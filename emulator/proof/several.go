package proof

import (
	"maps"
	"slices"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// given adds the values that a request of a pattern gives: those of a row, and, where it gives
// several, those of the requests before it. It reports whether the row has all of them.
func given(values design.Row, p *design.Pattern, row, before design.Row) bool {
	for _, name := range slices.Concat(p.Equal, p.Filter) {
		if values[name] = row[name]; row[name] == nil {
			return false
		}
	}
	for name, n := range p.In {
		list := []any{row[name]}
		earlier, _ := before[name].([]any)
		for _, v := range earlier {
			same := func(other any) bool { return sameValue(v, other) }
			if len(list) < n && !slices.ContainsFunc(list, same) {
				list = append(list, v)
			}
		}
		values[name] = list
	}
	return true
}

// compared returns the attributes that a request of a pattern names with a value.
func compared(p *design.Pattern) []string { return slices.Concat(p.Equal, p.Filter) }

// single returns the values of a request for each of several values of an attribute.
func single(p *design.Pattern, values design.Row) []design.Row {
	for name := range p.In {
		var all []design.Row
		list, _ := values[name].([]any)
		for _, v := range list {
			one := maps.Clone(values)
			one[name] = v
			all = append(all, one)
		}
		return all
	}
	return []design.Row{values}
}

// batch has the members of answers of BatchGetItem.
type batch struct {
	Responses        map[string][]found
	UnprocessedKeys  map[string]any
	ConsumedCapacity []struct{ CapacityUnits float64 }
}

// readBatch sends a BatchGetItem, and adds what it takes to a result.
func (c *client) readBatch(in map[string]any, result *Pattern) ([]found, error) {
	var out batch
	if err := c.do(string(design.BatchGetItem), in, &out); err != nil {
		return nil, err
	}
	if len(out.UnprocessedKeys) > 0 {
		return nil, errUnprocessed
	}
	for _, used := range out.ConsumedCapacity {
		result.ReadUnits += used.CapacityUnits
	}
	return out.Responses[c.plan.Design.Table], nil
}
