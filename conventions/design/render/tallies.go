package render

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// tally counts what a trial adds to a counter of an item, by the rows of its samples.
type tally struct {
	key     string         // the item's key, as keyText writes it
	item    map[string]any // its attributes, those of the primary key among them
	counter string         // the attribute of the table
	by      float64
	after   bool // an ADD of its own adds it, so a write that is sent again counts again
}

// tallies returns what a trial adds to counters.
func (t *trial) tallies(r *renderer) (all []*tally) {
	for i, a := range slices.Concat(t.Actions, t.After) {
		if a.Kind != design.AddTo {
			continue
		}
		for _, row := range t.rowsOf(r, a.Of) {
			parent, err := r.plan.Item(a.Model, a.ParentKey(row))
			if err != nil {
				panic(err) // the row is a sample, which has what it is counted by
			}
			for _, add := range a.Adds {
				n, _ := add.Number(row)
				if a.Moves {
					after, _ := add.Number(t.changed(r, a.Of, row))
					n = after - n
				}
				if a.Minus {
					n = -n
				}
				for _, name := range r.plan.Entity(a.Model).Holding(add.Counter) {
					all = tallied(all, &tally{key: keyText(r.plan, parent), item: parent,
						counter: name, by: n, after: i >= len(t.Actions)})
				}
			}
		}
	}
	return all
}

// changed returns a sample with the values that a trial gives it: see renderer.changed.
func (t *trial) changed(r *renderer, model string, row design.Row) design.Row {
	row = maps.Clone(row)
	for _, name := range t.action(model).Sets {
		switch r.plan.Design.Model(model).Attribute(name).Type {
		case design.String:
			row[name] = fmt.Sprint(row[name]) + "1"
		case design.Number:
			row[name], _ = strconv.ParseFloat(plain(row[name])+"1", 64)
		}
	}
	return row
}

// tallied adds to what is added to a counter already.
func tallied(all []*tally, n *tally) []*tally {
	for _, other := range all {
		if other.counter == n.counter && other.key == n.key {
			other.by += n.by
			return all
		}
	}
	return append(all, n)
}

// rowsOf returns the samples of a model that a trial takes.
func (t *trial) rowsOf(r *renderer, model string) (rows []design.Row) {
	for i := range t.takes {
		if t.takes[i].model != model {
			continue
		}
		for j := range r.rows {
			if r.rows[j].Model == model && len(rows) < t.takes[i].count {
				rows = append(rows, r.rows[j].values)
			}
		}
		break
	}
	return rows
}

// goTallies writes what a trial adds, for the test in Go.
func (t *trial) goTallies(r *renderer) string {
	var out lines
	for _, n := range t.tallies(r) {
		out.add("{%q, %q, %q, %t},", n.key, n.counter, plain(n.by), n.after)
	}
	if out.Len() == 0 {
		return "nil"
	}
	return "[]tally{\n" + out.String() + "}"
}

// scriptTallies writes what a trial adds, for the test in TypeScript.
func (t *typescript) scriptTallies(of *trial) string {
	var out lines
	for _, n := range of.tallies(t.renderer) {
		key := ""
		for _, name := range t.code.Key {
			key += fmt.Sprintf(" %s: %s,", property(name), scriptValue(n.item[name]))
		}
		out.add("        { key: {%s }, counter: %s, by: %s, after: %t },", key[:len(key)-1],
			scriptQuote(n.counter), plain(n.by), n.after)
	}
	if out.Len() == 0 {
		return "[]"
	}
	return "[\n" + out.String() + "      ]"
}
