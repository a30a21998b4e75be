package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// giveLast gives the samples that number others the last number that these have.
func giveLast(p *design.Plan, all []row) {
	for i := range p.Writes {
		for _, a := range p.Writes[i].Actions {
			for _, same := range a.Same {
				if !same.Next {
					continue
				}
				for j := range all {
					if all[j].Model == a.Model {
						all[j].values[same.Of] = lastOf(all, &a, same.As, all[j].values)
					}
				}
			}
		}
	}
}

// lastOf returns the highest number of the samples that an item numbers, or 0.
func lastOf(all []row, a *design.Action, attribute string, parent design.Row) (last int64) {
	for _, r := range all {
		if r.Model != a.Of {
			continue
		}
		others := false
		for name, of := range a.Parent() {
			others = others || compare(parent[name], r.values[of]) != 0
		}
		if n, _ := number(r.values[attribute]); !others {
			last = max(last, int64(n))
		}
	}
	return last
}

// rewind says which last number makes room for a sample that is put again.
type rewind struct {
	item    map[string]any // the item with the counter
	counter string         // the attribute of the table
	last    int64
}

// rewinds returns what makes room for a sample that a write puts.
func rewinds(r *renderer, w *design.Write, values design.Row) (all []rewind) {
	for _, a := range w.Actions {
		for _, n := range nextOf(r.plan, &a) {
			parent, err := r.plan.Item(a.Model, a.ParentKey(values))
			if err != nil {
				panic(err) // the row is a sample, which has what it is numbered by
			}
			last, _ := number(values[n.of])
			all = append(all, rewind{parent, n.name, int64(last) - 1})
		}
	}
	return all
}

// goRewinds writes the calls that make room for a sample.
func goRewinds(r *renderer, w *design.Write, values design.Row) (calls []string) {
	for _, one := range rewinds(r, w, values) {
		var key []string
		for _, name := range r.code.Key {
			value := fmt.Sprintf("text(%q)", plain(one.item[name]))
			switch one.item[name].(type) {
			case []byte:
				value = fmt.Sprintf("binary([]byte(%q))", plain(one.item[name]))
			case int64, float64:
				value = fmt.Sprintf("numeric(%q)", plain(one.item[name]))
			}
			key = append(key, strconv.Quote(name)+": "+value)
		}
		calls = append(calls, fmt.Sprintf("rewound(attributes{%s}, %q, %q)",
			strings.Join(key, ", "), one.counter, strconv.FormatInt(one.last, 10)))
	}
	return calls
}

// scriptRewinds is goRewinds for TypeScript.
func scriptRewinds(t *typescript, w *design.Write, values design.Row) (calls []string) {
	for _, one := range rewinds(t.renderer, w, values) {
		calls = append(calls, fmt.Sprintf("rewound(%s, %s, %d)", t.keyObject(one.item),
			scriptQuote(one.counter), one.last))
	}
	return calls
}

// rowOf returns sample number n of a model.
func rowOf(r *renderer, model string, n int) design.Row {
	at := slices.IndexFunc(r.rows, func(r row) bool { return r.Model == model })
	return r.rows[at+n].values // the samples of a model follow each other
}
