package render

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/consuming"
)

// streamTests makes the tests of what a consumer of the stream does.
type streamTests struct{ *renderer }

// streamTrial is a test of the consumer of the stream: writes of one sample, and what is true of
// the table after each of them.
type streamTrial struct {
	model  string
	sample int    // the number of the sample
	change string // the attribute that gets another value; "": the sample is put and deleted
	older  bool   // the sample is put, and is older than the last values that are there
	steps  []streamStep
}

// streamStep is a write of a trial, and what is true after its record.
type streamStep struct {
	write    *design.Write
	counters []*tally // after: a record counts again when it comes again
	copies   []copyTruth
	feeds    []feedTruth
	lasts    []lastTruth
}

// lastTruth says that attributes of an item have some values: those of the newest item.
type lastTruth struct {
	item   int // a row
	names  []string
	values []any // nil: the item has no value
	newer  bool  // they are those of the step's item
}

// copyTruth says that an attribute of an item is that of another item.
type copyTruth struct {
	item, of int // rows
	copied   design.Copy
}

// feedTruth says whether an item is in a feed.
type feedTruth struct {
	item  map[string]any
	there bool
}

// size is how much a step shows.
func (s *streamStep) size() int {
	n := len(s.counters) + len(s.copies) + len(s.feeds) + len(s.lasts)
	for _, l := range s.lasts {
		if l.newer {
			n++
		}
	}
	return n
}

// trials returns the trials of what a consumer does, each with the sample that shows most.
func (r streamTests) trials() (all []streamTrial) {
	if r.consuming == nil {
		return nil
	}
	var models []string
	for _, c := range r.consuming.Causes {
		if !slices.Contains(models, c.Model) {
			models = append(models, c.Model)
		}
	}
	for _, model := range models {
		all = append(all, r.bestTrial(model, func(at int) []streamStep {
			return []streamStep{r.stepOf(r.plan.Write("put "+model), at),
				r.stepOf(r.plan.Write("delete "+model), at)}
		}), r.olderTrial(model))
	}
	for i := range r.plan.Writes {
		w := &r.plan.Writes[i]
		if !w.Streamed() || len(w.Actions) == 0 || w.Actions[0].Kind != design.UpdateItem {
			continue
		}
		t := r.bestTrial(w.Model, func(at int) []streamStep {
			return []streamStep{r.changeStep(w, at)}
		})
		t.change = w.Actions[0].Sets[0]
		all = append(all, t)
	}
	return slices.DeleteFunc(all, func(t streamTrial) bool { return t.steps == nil })
}

// bestTrial returns the trial with the sample of a model whose steps show most. It has no steps if
// no sample shows anything.
func (r streamTests) bestTrial(model string, steps func(at int) []streamStep) streamTrial {
	best, sample, most := streamTrial{model: model}, 0, 0
	for at := range r.rows {
		if r.rows[at].Model != model {
			continue
		}
		made, size := steps(at), 0
		for i := range made {
			size += made[i].size()
		}
		if size > most {
			best.steps, best.sample, most = made, sample, size
		}
		sample++
	}
	return best
}

// olderTrial returns the trial of a put that is older than the last values that are there.
func (r streamTests) olderTrial(model string) streamTrial {
	t := r.bestTrial(model, func(at int) []streamStep {
		s := streamStep{write: r.plan.Write("put " + model)}
		r.lasts(&s, model, at)
		s.lasts = slices.DeleteFunc(s.lasts, func(l lastTruth) bool { return l.newer })
		return []streamStep{s}
	})
	t.older = true
	return t
}

// lasts adds the last values that the parents of a row have once it is there: those of the row if
// it is newer than what they have.
func (r streamTests) lasts(s *streamStep, model string, at int) {
	c := r.consuming.Cause(model, false)
	if c == nil {
		return
	}
	row := r.rows[at].values
	for _, a := range c.Lasts {
		parent, err := r.plan.Item(a.Model, a.ParentKey(row))
		if err != nil || row[a.Lasts[0].Of] == nil {
			continue // the row has no parent
		}
		i := slices.IndexFunc(r.rows, hasKey(keyText(r.plan, parent)))
		if i < 0 {
			continue
		}
		there := r.rows[i].values
		order := -1
		if is := there[a.Lasts[0].Attribute]; is != nil {
			order = compare(is, row[a.Lasts[0].Of])
		}
		if order == 0 {
			continue // either may be the last
		}
		l := lastTruth{item: i, newer: order < 0}
		for _, last := range a.Lasts {
			switch r.plan.Design.Model(a.Model).Attribute(last.Attribute).Type {
			case design.String, design.Number:
				l.names = append(l.names, last.Attribute)
				value := there[last.Attribute]
				if l.newer {
					value = row[last.Of]
				}
				l.values = append(l.values, value)
			}
		}
		s.lasts = append(s.lasts, l)
	}
}

// stepOf returns the step in which a write puts or deletes a row.
func (r streamTests) stepOf(w *design.Write, at int) streamStep {
	s := streamStep{write: w}
	minus := w.Actions[0].Kind == design.DeleteItem
	if c := r.consuming.Cause(w.Model, minus); c != nil {
		for _, a := range c.Once {
			r.counts(&s, a, at, false)
		}
		for _, a := range c.Streams {
			r.counts(&s, a, at, true)
		}
		for _, o := range c.Fresh {
			for _, copied := range o.Copies {
				r.isCopy(&s, copied.Copy, at)
			}
		}
	}
	r.lasts(&s, w.Model, at) // they stay when the row is deleted
	for i := range r.plan.Design.Models {
		if m := &r.plan.Design.Models[i]; m.Feed != nil && m.Feed.Of == r.rows[at].Model {
			r.feeds(&s, m, at, !minus || !m.Feed.Cleaned)
		}
	}
	return s
}

// counts adds what an action adds to the counters of a row's parent, unless the action needs a
// parent that is not there. again says that a record that comes again counts again.
func (r streamTests) counts(s *streamStep, a *design.Action, at int, again bool) {
	row := r.rows[at].values
	parent, err := r.plan.Item(a.Model, a.ParentKey(row))
	if err != nil {
		return // the row has no parent
	}
	key := keyText(r.plan, parent)
	if a.If != design.Always &&
		!slices.ContainsFunc(r.rows, hasKey(key)) {
		return
	}
	for _, add := range a.Adds {
		n, _ := add.Number(row)
		if a.Minus {
			n = -n
		}
		for _, name := range r.plan.Entity(a.Model).Holding(add.Counter) {
			s.counters = tallied(s.counters, &tally{key, parent, name, n, again})
		}
	}
}

// hasKey reports whether a row has a primary key.
func hasKey(key string) func(row) bool { return func(r row) bool { return r.Key == key } }

// isCopy adds that a row has a copy of the value of the row that it belongs to.
func (r streamTests) isCopy(s *streamStep, copied design.Copy, at int) {
	for other := range r.rows {
		if belongs(r.plan, copied, r.rows[at], r.rows[other]) {
			s.copies = append(s.copies, copyTruth{at, other, copied})
		}
	}
}

// feeds adds, for each follower of a row, that the row is in the follower's feed, or with there
// false that it is not.
func (r streamTests) feeds(s *streamStep, m *design.Model, at int, there bool) {
	for other := range r.rows {
		if r.rows[other].Model != m.Feed.Through || !oneTenant(r.plan, r.rows[at], r.rows[other]) ||
			compare(r.rows[other].values[m.Feed.Whom], r.rows[at].values[m.Feed.By]) != 0 {
			continue
		}
		row := consuming.FeedItem(m, r.rows[at].values, r.rows[other].values)
		item, err := r.plan.Item(m.Name, row)
		if err != nil {
			panic(err) // the row has the keys of samples
		}
		s.feeds = append(s.feeds, feedTruth{item, there})
	}
}

// changeStep returns the step in which a write changes what other rows copy of a row.
func (r streamTests) changeStep(w *design.Write, at int) streamStep {
	s := streamStep{write: w}
	for _, f := range r.consuming.FollowsOf(w.Model) {
		if f.Copied.Name != w.Actions[0].Sets[0] {
			continue
		}
		for other := range r.rows {
			if belongs(r.plan, f.Copied, r.rows[other], r.rows[at]) {
				r.isCopy(&s, f.Copied, other)
			}
		}
	}
	return s
}

// goTest writes the test of the consumer of the stream.
func (r streamTests) goTest() ([]byte, error) {
	var cases, names lines
	for _, t := range r.trials() {
		names.add("\t\t%q,", t.name())
		r.goTrial(&cases, &t)
	}
	return formatted(fill("stream_test.go.tmpl", map[string]string{"package": r.code.Package,
		"cases": cases.String(), "names": names.String()}))
}

// name returns the name of the test of a trial.
func (t *streamTrial) name() string {
	if t.change != "" {
		return t.steps[0].write.Name
	}
	if t.older {
		return t.model + " that is not the newest"
	}
	return t.model
}

// stale returns the attributes to which the test of a put gives other values first: copies that are
// out of date, which the consumer has to correct.
func (t *streamTrial) stale() (names []string) {
	for _, c := range t.steps[0].copies {
		if t.change == "" && !slices.Contains(names, c.copied.Attribute) {
			names = append(names, c.copied.Attribute)
		}
	}
	return names
}

// goTrial writes a trial.
func (r streamTests) goTrial(out *lines, t *streamTrial) {
	m := r.code.modelOf(t.model)
	out.add("func() streamCase {\nv := pick(t, items, %q, %d, %sOf)", t.model, t.sample, m.Name)
	arguments := "v, token"
	if t.change != "" {
		out.add("now := v\n%s", r.changed(t.model, "now."+m.field(t.change), t.change))
		arguments = "v, now, token"
	}
	for _, name := range t.stale() {
		out.add("%s // the copy is out of date now", r.changed(t.model, "v."+m.field(name), name))
	}
	var undo []string
	if t.change == "" {
		undo = append(goRewinds(r.renderer, r.plan.Write("put "+t.model),
			rowOf(r.renderer, t.model, t.sample)),
			r.code.callOf(r.plan.Write("delete "+t.model))+"("+arguments+")")
	}
	out.add("return streamCase{undo: %s, steps: []streamStep{", goCalls(undo))
	for i := range t.steps {
		s := &t.steps[i]
		out.add("{name: %q, write: %s,", s.write.Name, r.goCall(s.write, arguments))
		out.add("counters: []tally{")
		for _, n := range s.counters {
			out.add("{%q, %q, %q, %t},", n.key, n.counter, plain(n.by), n.after)
		}
		out.add("},\ncopies: []streamCopy{")
		for _, c := range s.copies {
			own, their := r.code.modelOf(c.copied.Model), r.code.modelOf(c.copied.Of)
			out.add("{%q, %q, %q, func(i, of item) (any, any) {", r.rows[c.item].Key,
				c.copied.Model, r.rows[c.of].Key)
			out.add("v, _ := %sOf(i)\no, _ := %sOf(of)\nreturn v.%s, o.%s\n}},", own.Name,
				their.Name, own.field(c.copied.Attribute), their.field(c.copied.Name))
		}
		for _, l := range s.lasts {
			r.goLast(out, &l)
		}
		out.add("},\nfeeds: map[string]bool{")
		for _, f := range s.feeds {
			out.add("%s: %t,", strconv.Quote(keyText(r.plan, f.item)), f.there)
		}
		out.add("}},")
	}
	out.add("}}\n}(),")
}

// goLast writes that an item has the values of the newest one, as a copy of these.
func (r streamTests) goLast(out *lines, l *lastTruth) {
	row := r.rows[l.item]
	m := r.code.modelOf(row.Model)
	var own, want []string
	for i, name := range l.names {
		value := ""
		if l.values[i] != nil {
			value = plain(l.values[i])
		}
		text := strconv.Quote(value)
		if r.plan.Design.Model(row.Model).Attribute(name).Type == design.Number {
			text = "Number(" + text + ")"
		}
		own, want = append(own, "v."+m.field(name)), append(want, text)
	}
	out.add("{%q, %q, %[1]q, func(i, _ item) (any, any) {\nv, _ := %sOf(i)", row.Key, row.Model,
		m.Name)
	out.add("return []any{%s}, []any{%s}\n}},", strings.Join(own, ", "), strings.Join(want, ", "))
}

// goCall writes a write as a function of a token.
func (r streamTests) goCall(w *design.Write, arguments string) string {
	return "func(token string) (*Write, error) { return " + r.code.callOf(w) + "(" + arguments + ") }"
}

// callOf returns the name of the function of a write.
func (c *code) callOf(w *design.Write) string {
	return c.Writes[slices.IndexFunc(c.Writes, func(g goWrite) bool { return g.Write == w })].Name
}
