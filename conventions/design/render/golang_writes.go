package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/consuming"
)

// goWrite is a function that makes the requests of a write.
type goWrite struct {
	*writing
	Name       string
	Parameters []goParameter // sorted as takes
	statements []string
}

// The names that the functions of writes, and their template, use.
var (
	writeNames = []string{"Write", "WriteAPIClient"}
	inWrites   = []string{"context", "testing", "w", "k", "i", "v", "token", "err", "errors",
		"len", "nil", "true", "false", "range", "append", "string", "text", "numeric", "binary",
		"boolean", "value", "fixed", "digits", "attributes", "keys", "writer"}
)

// writes returns the functions of the writes that keep what is unique, counted or written together.
func (c *code) writes(names scope) (all []goWrite) {
	for i := range c.plan.Writes {
		w := writingOf(c.plan, &c.plan.Writes[i])
		g := goWrite{writing: w, Name: names.add(exported(w.Name))}
		locals := newScope(inWrites...)
		for _, t := range w.takes {
			name, of := unexported(t.model), c.modelOf(t.model).Name
			switch {
			case t.changes && t.was:
				name += "Before"
			case t.changes:
				name += "After"
			}
			if t.many {
				of = "[]" + of
			}
			g.Parameters = append(g.Parameters, goParameter{locals.add(name), of, t.model})
		}
		for _, s := range w.steps {
			g.statements = append(g.statements, c.statement(&g, s))
		}
		all = append(all, g)
	}
	return all
}

// modelOf returns the type of a model.
func (c *code) modelOf(model string) *goModel {
	return &c.Models[slices.IndexFunc(c.Models, func(m goModel) bool { return m.Model == model })]
}

// field returns the field of an attribute, or "".
func (m *goModel) field(attribute string) string {
	for _, f := range m.Fields {
		if f.attribute == attribute {
			return f.Name
		}
	}
	return ""
}

// items returns the expressions of a model's items as they are and as they will be.
func (w *goWrite) items(model string) (was, is string) {
	for i, t := range w.takes {
		if t.model != model {
			continue
		}
		if t.was || !t.changes {
			was = w.Parameters[i].Name
		}
		if !t.was || !t.changes {
			is = w.Parameters[i].Name
		}
	}
	return was, is
}

// statement writes a step, for each item of its model.
func (c *code) statement(w *goWrite, s writeStep) string {
	was, is := w.items(s.of)
	if !w.take(s.of).many {
		return c.step(s, was, is)
	}
	check := ""
	if was != is {
		check = fmt.Sprintf("if len(%s) != len(%s) {\nw.fail(errors.New(%q))\n"+
			"return w.done(false, token)\n}\n", was, is,
			"each "+s.of+" is given as it is and as it will be")
	}
	return fmt.Sprintf("%sfor i := range %s {\n%s\n}", check, is, c.step(s, was+"[i]", is+"[i]"))
}

// step writes a step for one item.
func (c *code) step(s writeStep, was, is string) string {
	if s.guard != nil {
		was, is = c.guard(s.guard, was), c.guard(s.guard, is)
	}
	switch s.kind {
	case addStep:
		return "w." + c.addition(s, is) + c.same(s, is) + c.next(s, is)
	case shiftStep:
		return c.shift(s, was, is)
	case takeStep:
		return fmt.Sprintf("w.take(%t, %#v, %s)", !s.action.Minus, takenFrom(c.plan, s.action), is)
	case putStep:
		return fmt.Sprintf("w.put(%s.Item())", is)
	case releaseStep:
		return fmt.Sprintf("w.release(%s.Item())", was)
	case moveStep:
		return fmt.Sprintf("w.move(%s, %s)", was, is)
	}
	names := "nil"
	if s.same != nil {
		names = fmt.Sprintf("%#v", s.same)
	}
	if s.kind == removeStep {
		return fmt.Sprintf("w.remove(%s, %s)", names, was)
	}
	return fmt.Sprintf("w.change(%s, %s, %s)", names, was, is)
}

// guard writes the guard of an item.
func (c *code) guard(g *design.Model, of string) string {
	guard, model := c.modelOf(g.Name), c.modelOf(g.Reserves.Of)
	var fields []string
	for _, f := range guard.Fields {
		fields = append(fields, fmt.Sprintf("%s: %s.%s", f.Name, of, model.field(f.attribute)))
	}
	return guard.Name + "{" + strings.Join(fields, ", ") + "}"
}

// addition writes what an item adds to counters.
func (c *code) addition(s writeStep, item string) string {
	key, sets, names := c.counterItem(s, item)
	return fmt.Sprintf("add(k, %t, %t, %s, %s, %#v, %s)", s.after, s.action.Minus, key, sets, names,
		strings.Join(c.numbers(s, item), ", "))
}

// shift writes by how much the change of an item moves counters.
func (c *code) shift(s writeStep, was, is string) string {
	key, sets, names := c.counterItem(s, is)
	return fmt.Sprintf("w.shift(k, %s, %s, %#v, []Number{%s}, []Number{%s})", key, sets, names,
		strings.Join(c.numbers(s, was), ", "), strings.Join(c.numbers(s, is), ", "))
}

// numbers returns what an item adds to each counter.
func (c *code) numbers(s writeStep, item string) (numbers []string) {
	of := c.modelOf(s.of)
	for _, n := range counters(c.plan, s.action) {
		number := `"1"`
		if n.sums != "" {
			number = item + "." + of.field(n.sums)
		}
		if when := n.condition(func(attribute, value string) string {
			return fmt.Sprintf("%s.%s == %q", item, of.field(attribute), value)
		}); when != "" {
			number = fmt.Sprintf("countedIf(%s, %s)", when, number)
		}
		numbers = append(numbers, number)
	}
	return numbers
}

// counterItem writes the key of the item that counts an item, the attributes that the first number
// gives it, or nil, and the names of its counters.
func (c *code) counterItem(s writeStep, item string) (key, sets string, names []string) {
	of, known := c.modelOf(s.of), s.action.Parent()
	m := c.plan.Design.Model(s.action.Model)
	fields := map[string]goField{}
	for name, attribute := range known {
		fields[name] = goField{Name: of.field(attribute)}
	}
	attributes := func(primary bool) string {
		var puts []goPut
		for _, stored := range consuming.Partial(c.plan, m, known, primary) {
			puts = append(puts, goPut{strconv.Quote(stored.Name), c.value(m, stored.Value,
				func(name string) string { return fieldOf(m, fields, name, item) })})
		}
		return values(puts)
	}
	for _, n := range counters(c.plan, s.action) {
		names = append(names, n.name)
	}
	sets = "nil"
	if s.action.If == design.Always {
		sets = attributes(false)
	}
	return attributes(true), sets, names
}

// same writes what the item with the counters must have of an item that is counted.
func (c *code) same(s writeStep, item string) string {
	var puts []goPut
	m := c.plan.Design.Model(s.of)
	for _, one := range copiesOf(c.plan, s.action) {
		puts = append(puts, goPut{strconv.Quote(one.name), c.value(m,
			design.Value{{Attribute: one.of}}, func(name string) string {
				return item + "." + c.modelOf(s.of).field(name)
			})})
	}
	if puts == nil {
		return ""
	}
	return "\nw.same(" + values(puts) + ")"
}

// next writes which last numbers the item with the counters must have before an item's own.
func (c *code) next(s writeStep, item string) (all string) {
	for _, one := range nextOf(c.plan, s.action) {
		all += fmt.Sprintf("\nw.next(%q, %s.%s)", one.name, item, c.modelOf(s.of).field(one.of))
	}
	return all
}

// write writes the function of a write.
func (w *goWrite) write(out *lines) {
	out.add("// %s is the write %q:\n// %s.", w.Name, comment(w.Write.Name),
		comment(w.Write.String()))
	parts := make([]string, len(w.Parameters))
	for i, p := range w.Parameters {
		parts[i] = p.Name + " " + p.Type
	}
	out.add("func %s(%s, token string) (*Write, error) {\n\tw := newWriter()", w.Name,
		strings.Join(parts, ", "))
	if w.adds() {
		out.add("\tk := &keys{}")
	}
	for _, s := range w.statements {
		out.add("\t%s", s)
	}
	out.add("\treturn w.done(%t, token)\n}\n", w.alone())
}
