package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// trial is how a generated test tries a write: with samples, for which it makes room.
type trial struct {
	*writing
	takes []trialTake
	// attributes that get the values of sample number other, for writes that are refused
	taken [][]string
	other int
	stale []staleTake // what makes the writes stale, which are refused
}

// staleTake is an attribute that gets another value than there is in the takes of a model: a copy
// that is put is that of an old value, or an item that is changed has got a further copy.
type staleTake struct{ model, attribute string }

// trialTake is the samples that a write takes.
type trialTake struct {
	taken
	count int
	sets  []string // attributes that get new values
	puts  bool     // the samples are to be deleted before
	// the numbers of the samples; nil is the first ones. A write takes all that they have
	at []int
}

// number returns the number of a take's sample.
func (t *trialTake) number(n int) int {
	if t.at != nil {
		return t.at[n]
	}
	return n
}

// trialsOf returns the trials of the writes of a plan for which there are enough samples.
func (r *renderer) trialsOf() (all []*trial) {
	for i := range r.plan.Writes {
		t := &trial{writing: writingOf(r.plan, &r.plan.Writes[i])}
		enough := true
		for _, take := range t.writing.takes {
			tt := trialTake{taken: take, count: 1}
			if take.many {
				tt.count = 2
			}
			action := t.action(take.model)
			tt.puts = action.Kind == design.PutItem
			if take.changes && !take.was {
				tt.sets = action.Sets
			}
			enough = enough && tt.count < r.count(take.model)
			if action.Kind == design.TakeFrom {
				tt.at = r.having(take.model, action.Takes, tt.count)
				enough = enough && len(tt.at) == tt.count && refusable(t)
			}
			t.takes = append(t.takes, tt)
		}
		if enough {
			if t.other = r.sameTenant(t.takes[len(t.takes)-1].model); t.other > 0 {
				t.collide(r.plan)
			}
			t.stale = staleOf(t.Actions)
			all = append(all, t)
		}
	}
	return all
}

// staleOf returns what actions compare besides what they change.
func staleOf(actions []design.Action) (all []staleTake) {
	for _, a := range actions {
		for _, name := range a.Checks {
			all = append(all, staleTake{a.Model, name})
		}
		for _, same := range a.Same {
			all = append(all, staleTake{a.Of, same.As})
		}
	}
	return all
}

// action returns the action on items of a model.
func (t *trial) action(model string) *design.Action {
	return &t.Actions[slices.IndexFunc(t.Actions, func(a design.Action) bool {
		return a.Model == model && a.Kind != design.AddTo
	})]
}

// putOf returns the part of a write that puts items of a model, with what that counts.
func (t *trial) putOf(model string) *design.Write {
	return &design.Write{Actions: slices.DeleteFunc(slices.Clone(t.Actions),
		func(a design.Action) bool { return a.Of != model })}
}

// refusable reports whether a write is refused a second time: it puts an item, or takes all that
// there is.
func refusable(t *trial) bool {
	return slices.ContainsFunc(t.Actions, func(a design.Action) bool {
		return a.Kind == design.PutItem || a.Kind == design.TakeFrom && a.Minus
	})
}

// having returns the numbers of the first samples of a model that have something of some numbers.
func (r *renderer) having(model string, attributes []string, count int) (at []int) {
	n := 0
	for i := range r.rows {
		if r.rows[i].Model != model {
			continue
		}
		none := func(name string) bool {
			v, _ := number(r.rows[i].values[name])
			return v <= 0
		}
		if len(at) < count && !slices.ContainsFunc(attributes, none) {
			at = append(at, n)
		}
		n++
	}
	return at
}

// count returns how many samples of a model there are.
func (r *renderer) count(model string) (n int) {
	for i := range r.rows {
		if r.rows[i].Model == model {
			n++
		}
	}
	return n
}

// sameTenant returns the number of a later sample of a model with the tenant of the first, or 0.
// Unique values are unique in a tenant.
func (r *renderer) sameTenant(model string) int {
	tenants, first, n := r.plan.Design.Tenants, -1, 0
	for i := range r.rows {
		if r.rows[i].Model != model {
			continue
		}
		switch {
		case first < 0:
			first = i
		case tenants == nil || r.rows[i].values[tenants.Attribute] ==
			r.rows[first].values[tenants.Attribute]:
			return n
		}
		n++
	}
	return 0
}

// collide finds the attributes of a model's guards that the write can give values that are taken:
// those that it puts or changes, and that are not in the model's key.
func (t *trial) collide(p *design.Plan) {
	last := t.takes[len(t.takes)-1]
	if t.Model == "" || t.Model != last.model || !last.puts && last.sets == nil {
		return
	}
	m := p.Design.Model(t.Model)
	for _, unique := range m.Unique {
		free := func(name string) bool {
			return !slices.Contains(m.Key, name) && m.Attribute(name).Constant == "" &&
				(last.sets == nil || slices.Contains(last.sets, name))
		}
		if !slices.ContainsFunc(unique, func(name string) bool { return !free(name) }) {
			t.taken = append(t.taken, unique)
		}
	}
}

// samplesOf returns the names of a take's samples.
func (t *trialTake) samplesOf(parameter string) (names []string) {
	for n := range t.count {
		names = append(names, parameter+strconv.Itoa(n))
	}
	return names
}

// goTrials writes the trials for Go, and the names of their writes.
func (r *renderer) goTrials() (cases, names string) {
	var out lines
	var quoted []string
	for _, t := range r.trialsOf() {
		w := &r.code.Writes[slices.IndexFunc(r.code.Writes,
			func(w goWrite) bool { return w.Write == t.Write })]
		quoted = append(quoted, strconv.Quote(t.Name))
		r.goTrial(&out, t, w)
	}
	return out.String(), strings.Join(quoted, ", ")
}

// goTrial writes a trial.
func (r *renderer) goTrial(out *lines, t *trial, w *goWrite) {
	var arguments, undo, taken, stale []string
	var samples [][]string // the samples of each argument
	argument := func(i int, names []string) string {
		if t.takes[i].many {
			return w.Parameters[i].Type + "{" + strings.Join(names, ", ") + "}"
		}
		return names[0]
	}
	out.add("func() writeCase {")
	for i := range t.takes {
		take, of := &t.takes[i], r.code.modelOf(t.takes[i].model)
		names := take.samplesOf(w.Parameters[i].Name)
		for n, name := range names {
			out.add("%s := pick(t, items, %q, %d, %sOf)", name, take.model, take.number(n), of.Name)
			for _, attribute := range take.sets {
				out.add("%s", r.changed(take.model, name+"."+of.field(attribute), attribute))
			}
			if take.puts {
				undo = append(undo, r.goRemoval(take.model, name))
				undo = append(undo, goRewinds(r, t.putOf(take.model),
					rowOf(r, take.model, take.number(n)))...)
			}
		}
		samples, arguments = append(samples, names), append(arguments, argument(i, names))
	}
	call := func(arguments []string) string {
		return w.Name + "(" + strings.Join(arguments, ", ") + ", token)"
	}
	do, last := []string{call(arguments)}, len(arguments)-1
	for i, attributes := range t.taken {
		name, of := "taken"+strconv.Itoa(i), r.code.modelOf(t.Model)
		if i == 0 {
			out.add("other := pick(t, items, %q, %d, %sOf)", t.Model, t.other, of.Name)
		}
		out.add("%s := %s", name, arguments[last])
		for _, attribute := range attributes {
			out.add("%s.%s = other.%[2]s", name, of.field(attribute))
		}
		taken = append(taken, call(append(slices.Clone(arguments[:last]), name)))
	}
	for i, s := range t.stale {
		old := slices.Clone(arguments)
		for j := range t.takes {
			if t.takes[j].model != s.model {
				continue
			}
			name := fmt.Sprintf("stale%d%d", i, j)
			field := name + "." + r.code.modelOf(s.model).field(s.attribute)
			out.add("%s := %s\n%s", name, samples[j][0], r.changed(s.model, field, s.attribute))
			old[j] = argument(j, append([]string{name}, samples[j][1:]...))
		}
		stale = append(stale, call(old))
	}
	out.add("return writeCase{name: %q, undo: %s, do: %s, taken: %s, stale: %s, tallies: %s}\n}(),",
		t.Name, goCalls(undo), goCalls(do), goCalls(taken), goCalls(stale), t.goTallies(r))
}

// goCalls writes calls as functions of a token.
func goCalls(calls []string) string {
	if calls == nil {
		return "nil"
	}
	var text lines
	for _, call := range calls {
		text.add("func(token string) (*Write, error) { return %s },", call)
	}
	return "[]makesWrite{\n" + text.String() + "}"
}

// goRemoval writes the call that deletes a sample.
func (r *renderer) goRemoval(model, sample string) string {
	for i := range r.code.Writes {
		if w := &r.code.Writes[i]; w.Write.Name == "delete "+model && w.Model == model {
			return w.Name + "(" + sample + ", token)"
		}
	}
	return "gone(" + sample + ", token)"
}

// changed writes the statement that gives a field a value that no sample has.
func (r *renderer) changed(model, field, attribute string) string {
	switch r.plan.Design.Model(model).Attribute(attribute).Type {
	case design.Boolean:
		return field + " = !" + field
	case design.String, design.Number:
		return field + ` += "1"`
	case design.List:
		return field + " = append(" + field + `, text("1"))`
	case design.Map:
		return field + ` = attributes{"changed": text("1")}`
	}
	return field + " = append(" + field + ", 1)"
}
