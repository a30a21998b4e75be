package proof

import (
	"slices"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// staysOf returns the attribute of a model that says how long items stay in its states, or "".
func staysOf(m *design.Model) string {
	for _, a := range m.Attributes { // one does at most: see Design.Check
		if len(a.Stays) > 0 {
			return a.Name
		}
	}
	return ""
}

// rowsIn returns the numbers of the rows that are in a state.
func rowsIn(rows []design.Row, name, state string) (numbers []int) {
	for i, row := range rows {
		if row[name] == state {
			numbers = append(numbers, i)
		}
	}
	return numbers
}

// statesOf returns the states of some rows.
func statesOf(rows []design.Row, name string) (states []string) {
	for _, row := range rows {
		if state, ok := row[name].(string); ok && !slices.Contains(states, state) {
			states = append(states, state)
		}
	}
	return states
}

// pickState returns a number of some rows: those of a state are drawn as often as the model's items
// are in it.
func (l *load) pickState(m *design.Model, rows []design.Row, name string) int {
	states, all := statesOf(rows, name), 0.0
	for _, state := range states {
		all += design.StateShare(m, name, state)
	}
	drawn := l.random.Float64() * all
	for _, state := range states {
		if drawn -= design.StateShare(m, name, state); drawn < 0 {
			some := rowsIn(rows, name, state)
			return some[l.random.IntN(len(some))]
		}
	}
	return l.random.IntN(len(rows))
}

// turns says whose turn it is, of states that have it at different rates.
type turns map[string]float64

// next returns the state that waits most, but for one.
func (t turns) next(states []string, but string, rate func(state string) float64) (most string) {
	all := 0.0
	for _, state := range states {
		all += rate(state)
	}
	for _, state := range states {
		if all > 0 {
			t[state] += rate(state) / all
		}
		if state != but && (most == "" || t[state] > t[most]) {
			most = state
		}
	}
	t[most]--
	return most
}

// movedRow returns a row that changes its state, with other values of attributes: those of a new
// row. Rows leave each state, and come into it, as often as the design says. Those that were put in
// the state in which they begin leave it in the order of their puts.
func (l *load) movedRow(m *design.Model, name string, changed []string) design.Row {
	rows, begins := l.some[m.Name], m.Attribute(name).Begins
	states := statesOf(rows, name)
	later := slices.DeleteFunc(slices.Clone(states),
		func(state string) bool { return state == begins })
	if len(later) == 0 { // too few rows
		return l.otherRow(l.storedRow(m), m, changed)
	}
	if l.left[m.Name] == nil {
		l.left[m.Name], l.come[m.Name] = turns{}, turns{}
	}
	to := l.come[m.Name].next(later, "", func(string) float64 { return 1 })
	but := to
	if len(later) == 1 {
		but = ""
	}
	from := l.left[m.Name].next(states, but,
		func(state string) float64 { return design.Leaving(m, name, state) })
	next, target := l.newRow(m), rowsIn(rows, name, to)
	var row design.Row
	if waiting := l.waiting[m.Name]; from == begins && len(waiting) > 0 {
		row, l.waiting[m.Name] = waiting[0], waiting[1:]
		if len(rows) < maxKeys {
			l.some[m.Name] = append(rows, row)
		} else {
			rows[target[l.random.IntN(len(target))]] = row
		}
	} else {
		some := rowsIn(rows, name, from)
		row = rows[some[l.random.IntN(len(some))]]
	}
	for _, other := range changed {
		take(row, next, other)
	}
	row[name] = to
	return row
}
