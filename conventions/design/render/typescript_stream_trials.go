package render

import (
	"fmt"
	"strings"
)

// streamTest writes the test of the consumer of the stream.
func (t *typescript) streamTest() string {
	trials := streamTests{t.renderer}.trials()
	if len(trials) == 0 {
		return ""
	}
	var out lines
	for i := range trials {
		t.streamTrial(&out, &trials[i])
	}
	return "\ntryStreams(samples, (client) => new code.StreamConsumer(client), {\n" + out.String() +
		"});\n"
}

// streamTrial writes a trial.
func (t *typescript) streamTrial(out *lines, of *streamTrial) {
	sample := t.pick(of.model, of.sample)
	for _, name := range of.stale() { // the copy is an old one then
		sample = fmt.Sprintf("change(%s, %s)", sample, scriptQuote(name))
	}
	out.add("  %s: () => {\n    const v = %s;", scriptQuote("the stream: "+of.name()), sample)
	arguments, undo := "(v)", []string(nil)
	if of.change != "" {
		out.add("    const now = change(v, %s);", scriptQuote(of.change))
		arguments = "(v, now)"
	} else {
		undo = append(scriptRewinds(t, t.plan.Write("put "+of.model),
			rowOf(t.renderer, of.model, of.sample)),
			"code."+t.calls[t.plan.Write("delete "+of.model)]+arguments)
	}
	out.add("    return {\n      undo: [%s],\n      steps: [",
		strings.Join(undo, ", "))
	for i := range of.steps {
		t.streamStep(out, &of.steps[i], arguments)
	}
	out.add("      ],\n    };\n  },")
}

// streamStep writes a step of a trial.
func (t *typescript) streamStep(out *lines, s *streamStep, arguments string) {
	out.add("        {\n          write: code.%s%s,\n          counters: [", t.calls[s.write],
		arguments)
	for _, n := range s.counters {
		out.add("            { key: %s, counter: %s, by: %s, again: %t },", t.keyObject(n.item),
			scriptQuote(n.counter), plain(n.by), n.after)
	}
	out.add("          ],\n          copies: [")
	for _, c := range s.copies {
		out.add("            {\n              key: %s,\n              of: %s,\n              model: %s,",
			t.keyObject(t.rows[c.item].item), t.keyObject(t.rows[c.of].item),
			scriptQuote(c.copied.Model))
		out.add("              copied: (i, of) => [%s, %s],\n            },",
			t.readBy("i", c.copied.Model, c.copied.Attribute),
			t.readBy("of", c.copied.Of, c.copied.Name))
	}
	for _, l := range s.lasts {
		scriptLastCopy(t, out, &l)
	}
	out.add("          ],\n          feeds: [")
	for _, f := range s.feeds {
		out.add("            { key: %s, there: %t },", t.keyObject(f.item), f.there)
	}
	out.add("          ],\n        },")
}

// scriptLastCopy writes that an item has the values of the newest one, as a copy of these.
func scriptLastCopy(t *typescript, out *lines, l *lastTruth) {
	row := t.rows[l.item]
	var own, want []string
	for i, name := range l.names {
		value := "undefined"
		if l.values[i] != nil {
			value = scriptValue(l.values[i])
		}
		own, want = append(own, t.readBy("i", row.Model, name)), append(want, value)
	}
	key := t.keyObject(row.item)
	out.add("            {\n              key: %s,\n              of: %s,\n              model: %s,", key,
		key, scriptQuote(row.Model))
	out.add("              copied: (i) => [[%s], [%s]],\n            },", strings.Join(own, ", "),
		strings.Join(want, ", "))
}

// readBy writes how the test reads an attribute of an item.
func (t *typescript) readBy(item, model, attribute string) string {
	return member(fmt.Sprintf("code.%s(%s)", readName(t.types[model]), item), attribute)
}

// keyObject writes the primary key of an item.
func (t *typescript) keyObject(item map[string]any) string {
	var all []string
	for _, name := range t.code.Key {
		all = append(all, property(name)+": "+scriptValue(item[name]))
	}
	return "{ " + strings.Join(all, ", ") + " }"
}
