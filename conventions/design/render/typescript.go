package render

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/consuming"
)

// typescript makes code in TypeScript.
type typescript struct {
	*renderer
	names   scope
	types   map[string]string        // types by model
	calls   map[*design.Write]string // the functions of writes
	queries []scriptQuery
}

// newTypescript names the types of the models, and the functions that write and read their items.
func newTypescript(r *renderer) *typescript {
	t := &typescript{renderer: r, names: newScope(inScripts...), types: map[string]string{},
		calls: map[*design.Write]string{}}
	if r.consuming != nil {
		t.names = newScope(slices.Concat(inScripts, inStreams)...)
	}
	for i := range r.plan.Entities {
		model := r.plan.Entities[i].Model
		t.types[model] = t.names.add(exported(model), itemName, readName)
	}
	for i := range r.plan.Writes {
		w := &r.plan.Writes[i]
		t.calls[w] = t.names.add(scriptName(w.Name))
	}
	for i := range r.plan.Queries {
		t.queries = append(t.queries, t.query(i))
	}
	return t
}

// module writes the models, the requests of the patterns and the writes for the document client of
// the AWS SDK.
func (t *typescript) module() ([]byte, error) {
	var models, queries, writes lines
	for i := range t.plan.Entities {
		t.model(&models, &t.plan.Entities[i])
	}
	for i := range t.queries {
		t.writeQuery(&queries, &t.queries[i])
	}
	for i := range t.plan.Writes {
		t.write(&writes, writingOf(t.plan, &t.plan.Writes[i]))
	}
	stream := t.stream()
	code := models.String() + queries.String() + writes.String() + stream
	return []byte(fill("table.ts.tmpl", map[string]string{
		"table": t.plan.Design.Table, "models": models.String(), "queries": queries.String(),
		"write functions": writes.String(), "stream": stream, "exports": t.exports(),
		"imports": importing(code, t.supportParts(), ofModules...),
	})), nil
}

// exports writes what the module shows of what is copied beside it.
func (t *typescript) exports() string {
	var out lines
	if t.code.several() {
		out.add(`export { Results, type Position } from "./results_support.js";`)
	}
	if t.consuming != nil {
		out.add(`export { type StreamRecord } from "./stream_support.js";`)
	}
	if len(t.plan.Writes) > 0 {
		out.add(`export { Write } from "./writes_support.js";`)
	}
	return out.String()
}

// tableName writes the module with what the copied modules need to know of the table.
func (t *typescript) tableName() ([]byte, error) {
	return []byte(fill("table_name.ts.tmpl", map[string]string{
		"quoted table": scriptQuote(t.plan.Design.Table), "key names": scriptList(t.code.Key),
	})), nil
}

// inScripts are the names that the templates and the language use.
var inScripts = slices.Concat(reservedInScripts, []string{"table", "Item", "Value", "Part", "Write",
	"Writer", "Expressions", "Adding", "Change", "TransactItem", "TransactWriteCommandInput",
	"DynamoDBDocumentClient", "keyOf", "keyNames", "fixed", "part", "digits", "join", "given",
	"itemOf", "split", "numeric", "shard", "period", "sameKey", "updateOf", "pairs", "Object",
	"String", "Number", "Map", "Error", "Record", "Set", "Uint8Array", "RangeError", "Promise",
	"Math", "undefined", "GetCommandInput", "QueryCommandInput", "SearchVectorsCommandInput",
	"QueryCommand", "BatchGetCommand", "PutCommand", "DeleteCommand", "UpdateCommand",
	"TransactWriteCommand", "SearchVectorsCommand", "Samples", "Rebuild", "code", "samples",
	"rebuild", "Position", "Reading", "Results", "all", "client", "items", "shards",
	"periods", "begin", "beginning", "maxPeriods", "need", "fetchSize", "fetchTries", "fetchWait",
	"fetchWhole", "keyText", "distinct", "scaled", "unscaled", "setTimeout", "isDeepStrictEqual",
	"Array", "AsyncIterable", "AsyncGenerator", "Buffer", "Date", "JSON", "NaN",
	"Symbol", "TextEncoder", "NonNullable"})

// reservedInScripts are the words that can be no name.
var reservedInScripts = []string{"delete", "new", "function", "class", "import", "export", "in",
	"this", "typeof", "void", "with", "yield", "await", "enum", "super", "null", "true", "false",
	"let", "static", "eval", "arguments", "catch", "const", "debugger", "do", "extends", "finally",
	"implements", "instanceof", "interface", "package", "private", "protected", "public", "throw",
	"try", "while"}

// itemName and readName are the functions of a type that write an item and read one.
func itemName(of string) string { return unexported(of) + "Item" }

func readName(of string) string { return unexported(of) + "Of" }

// scriptTypes are the types of attributes.
var scriptTypes = map[design.Type]string{
	design.String: "string", design.Number: "number", design.Binary: "Uint8Array",
	design.Boolean: "boolean", design.List: "unknown[]", design.Map: "Item",
	design.Vector: "number[]",
}

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// property writes the name of a property, and member how it is read.
func property(name string) string {
	if name == "__proto__" { // the name would be the prototype without brackets
		return `["__proto__"]`
	}
	if identifier.MatchString(name) {
		return name
	}
	return scriptQuote(name)
}

func member(of, name string) string {
	if identifier.MatchString(name) {
		return of + "." + name
	}
	return of + "[" + scriptQuote(name) + "]"
}

// scriptList writes strings as the elements of an array.
func scriptList(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = scriptQuote(name)
	}
	return strings.Join(quoted, ", ")
}

// model writes the type of a model, and the functions that write and read an item.
func (t *typescript) model(out *lines, e *design.Entity) {
	m, name := t.plan.Design.Model(e.Model), t.types[e.Model]
	out.add("/** An item of the model %s. */\nexport interface %s {", scriptComment(e.Model), name)
	for i := range m.Attributes {
		a := &m.Attributes[i]
		if a.Constant == "" && a.Derived == nil {
			optional := "?"
			if slices.Contains(m.Key, a.Name) {
				optional = ""
			}
			out.add("  %s%s: %s;", property(a.Name), optional, scriptTypes[a.Type])
		}
	}
	out.add("}\n\n/** Returns an item as the table stores it. */")
	out.add("export function %s(v: %s): Item {\n  return itemOf({", itemName(name), name)
	for _, s := range slices.Concat(e.Keys, e.Others) {
		value := t.value(m, s.Value, func(name string) string {
			return attributeOf(m, name, func(of string) string { return member("v", of) })
		})
		for _, name := range slices.Sorted(maps.Keys(s.When)) {
			value = fmt.Sprintf("%s === %s ? %s : undefined", member("v", name),
				scriptQuote(s.When[name]), value)
		}
		out.add("    %s: %s,", property(s.Name), value)
	}
	out.add("  });\n}\n")
	t.read(out, m, e)
}

// attributeOf writes an attribute of a model, or what an added one is made of. read writes those
// that the design has.
func attributeOf(m *design.Model, name string, read func(name string) string) string {
	d := m.Attribute(name).Derived
	switch {
	case d == nil:
		return read(name)
	case d.Shards > 0:
		values := []string{strconv.Itoa(d.Shards)}
		for _, part := range m.Key {
			values = append(values, read(part))
		}
		return "shard(" + strings.Join(values, ", ") + ")"
	}
	return fmt.Sprintf("period(%s, %d)", read(d.Of), len(layouts[d.Period]))
}

// value writes a value. variable writes an attribute of m.
func (t *typescript) value(m *design.Model, v design.Value,
	variable func(name string) string) string {
	if len(v) == 1 && v[0].Attribute != "" && v[0].Digits == 0 {
		if a := m.Attribute(v[0].Attribute); a.Constant != "" {
			return scriptQuote(a.Constant)
		}
		return "given(" + variable(v[0].Attribute) + ")"
	}
	var parts []string
	for _, p := range v {
		switch {
		case p.Attribute == "":
			parts = append(parts, fmt.Sprintf("fixed(%s)", scriptQuote(p.Text)))
		case p.Decimals > 0 || p.Negative:
			parts = append(parts, fmt.Sprintf("scaled(%s, %s, %d, %d, %t)",
				scriptQuote(p.Attribute), variable(p.Attribute), p.Digits, p.Decimals, p.Negative))
		case p.Digits > 0:
			parts = append(parts, fmt.Sprintf("digits(%s, %s, %d)", scriptQuote(p.Attribute),
				variable(p.Attribute), p.Digits))
		default:
			of := variable(p.Attribute)
			if constant := m.Attribute(p.Attribute).Constant; constant != "" {
				of = scriptQuote(constant)
			}
			parts = append(parts, fmt.Sprintf("part(%s, %s)", scriptQuote(p.Attribute), of))
		}
	}
	return "join(" + strings.Join(parts, ", ") + ")"
}

// read writes the function that reads an item: each attribute from one that has just its value, or
// else from a key that it is a part of.
func (t *typescript) read(out *lines, m *design.Model, e *design.Entity) {
	name := t.types[e.Model]
	out.add("/** Reads an item. An item of an index has the attributes that the index projects. */")
	out.add("export function %s(item: Item): %s {", readName(name), name)
	from := map[string]string{}
	for i := range m.Attributes {
		if s := consuming.Alone(e, m.Attributes[i].Name); s != nil {
			from[m.Attributes[i].Name] = member("item", s.Name)
		}
	}
	for n, s := range e.Keys {
		key := fmt.Sprintf("key%d", n)
		parts, needed := []string{member("item", s.Name)}, false
		for _, p := range s.Value {
			a := m.Attribute(p.Attribute)
			switch {
			case p.Attribute == "":
				parts = append(parts, scriptQuote(p.Text))
			case a.Constant != "" || a.Derived != nil:
				parts = append(parts, "{}")
			default:
				parts = append(parts, "{ name: "+scriptQuote(p.Attribute)+" }")
				if from[p.Attribute] == "" {
					needed, from[p.Attribute] = true, member(key, p.Attribute)
					if p.Decimals > 0 || p.Negative {
						from[p.Attribute] = fmt.Sprintf("unscaled(%s, %d, %d, %t)",
							from[p.Attribute], p.Digits, p.Decimals, p.Negative)
					} else if a.Type == design.Number {
						from[p.Attribute] = "numeric(" + from[p.Attribute] + ")"
					}
				}
			}
		}
		if needed {
			out.add("  const %s = split(%s);", key, strings.Join(parts, ", "))
		}
	}
	out.add("  return {")
	for i := range m.Attributes {
		a := &m.Attributes[i]
		if a.Constant == "" && a.Derived == nil {
			of := cmp.Or(from[a.Name], "undefined")
			if slices.Contains(m.Key, a.Name) {
				of += " as " + scriptTypes[a.Type]
			}
			out.add("    %s: %s,", property(a.Name), of)
		}
	}
	out.add("  };\n}\n")
}

// test writes the test of the module.
func (t *typescript) test() ([]byte, error) {
	var rebuild lines
	for _, e := range t.plan.Entities {
		name := t.types[e.Model]
		rebuild.add("  %s: (item) => code.%s(code.%s(item)),", scriptQuote(e.Model),
			itemName(name), readName(name))
	}
	models := make([]string, len(t.rows))
	for i := range t.rows {
		models[i] = t.rows[i].Model
	}
	blocks := map[string]string{
		"package": t.code.Package, "models": scriptList(models), "rebuild": rebuild.String(),
		"items file": scriptQuote(t.plan.Design.Table + ".items.jsonl"), "search": "",
		"patterns": t.patterns(), "writes": t.trials(), "stream": t.streamTest(),
	}
	if t.code.searches() {
		blocks["search"] = fixed("search.test.ts.tmpl")
	}
	code := "new Samples(); let r: Rebuild;" + blocks["search"] + blocks["patterns"] +
		blocks["writes"] + blocks["stream"]
	blocks["imports"] = importing(code, t.supportParts(), slices.Concat(ofModules[:2], ofTests)...)
	return []byte(fill("table.test.ts.tmpl", blocks)), nil
}

// write writes the function of a write.
func (t *typescript) write(out *lines, w *writing) {
	name := t.calls[w.Write]
	locals, is, was := newScope(inScripts...), map[string]string{}, map[string]string{}
	var parameters []string
	for _, take := range w.takes {
		local, of := unexported(take.model), t.types[take.model]
		switch {
		case take.changes && take.was:
			local += "Before"
		case take.changes:
			local += "After"
		}
		if take.many {
			of += "[]"
		}
		local = locals.add(local)
		if take.was || !take.changes {
			was[take.model] = local
		}
		if !take.was || !take.changes {
			is[take.model] = local
		}
		parameters = append(parameters, local+": "+of)
	}
	out.add("/**\n * The write %s:\n * %s.\n */", scriptQuote(scriptComment(w.Name)),
		scriptComment(w.String()))
	out.add("export function %s(%s): Write {\n  const w = new Writer();", name,
		strings.Join(parameters, ", "))
	for _, s := range w.steps {
		before, after := was[s.of], is[s.of]
		switch {
		case !w.take(s.of).many:
			out.add("  %s;", t.step(s, before, after))
		case before == after:
			out.add("  for (const is of %s) %s;", after, t.step(s, "is", "is"))
		default:
			out.add("  for (const [was, is] of pairs(%s, %s)) %s;", before, after,
				t.step(s, "was", "is"))
		}
	}
	out.add("  return w.done(%t);\n}\n", w.alone())
}

// scriptComment writes a text in one line of a comment.
func scriptComment(text string) string { return strings.ReplaceAll(comment(text), "*/", "* /") }

// scriptName makes the name of a function.
func scriptName(name string) string {
	text := unexported(name)
	if slices.Contains(reservedInScripts, text) {
		return text + "It"
	}
	return text
}

// step writes a step for one item.
func (t *typescript) step(s writeStep, was, is string) string {
	item := func(of string) string { return itemName(t.types[s.of]) + "(" + of + ")" }
	if s.guard != nil {
		item = func(of string) string { return t.guard(s.guard, of) }
	}
	same := "[" + scriptList(s.same) + "]"
	switch s.kind {
	case addStep:
		var same []string
		for _, one := range copiesOf(t.plan, s.action) {
			same = append(same, property(one.name)+": "+member(is, one.of))
		}
		add := "w." + t.addition(s, is, "NaN")
		if same != nil {
			add += ".same({ " + strings.Join(same, ", ") + " })"
		}
		for _, one := range nextOf(t.plan, s.action) {
			add += fmt.Sprintf(".next(%s, %s)", scriptQuote(one.name), member(is, one.of))
		}
		return add
	case shiftStep:
		return scriptShift(t, s, was, is)
	case takeStep:
		return fmt.Sprintf("w.take(%t, [%s], %s)", !s.action.Minus,
			scriptList(takenFrom(t.plan, s.action)), item(is))
	case putStep:
		return fmt.Sprintf("w.put(%s)", item(is))
	case releaseStep:
		return fmt.Sprintf("w.release(%s)", item(was))
	case moveStep:
		return fmt.Sprintf("w.move(%s, %s)", item(was), item(is))
	case removeStep:
		return fmt.Sprintf("w.remove(%s, %s)", same, item(was))
	}
	return fmt.Sprintf("w.change(%s, %s, %s)", same, item(was), item(is))
}

// guard writes the guard of an item. What it reserves may be empty, and then it has no key.
func (t *typescript) guard(g *design.Model, of string) string {
	var fields []string
	for i := range g.Attributes {
		a := &g.Attributes[i]
		if a.Constant != "" || a.Derived != nil {
			continue
		}
		value := member(of, a.Name)
		if slices.Contains(g.Key, a.Name) {
			value += " as " + scriptTypes[a.Type]
		}
		fields = append(fields, property(a.Name)+": "+value)
	}
	return fmt.Sprintf("%s({ %s })", itemName(t.types[g.Name]), strings.Join(fields, ", "))
}

// addition writes what an item adds to counters. An item that lacks a number adds missing.
func (t *typescript) addition(s writeStep, item, missing string) string {
	key, sets := scriptCounterItem(t, s, item)
	return fmt.Sprintf("add(%t, %s, %s, %s)", s.after, key, sets,
		scriptNumbers(t, s, item, missing))
}

// scriptShift writes by how much the change of an item moves counters.
func scriptShift(t *typescript, s writeStep, was, is string) string {
	key, sets := scriptCounterItem(t, s, is)
	return fmt.Sprintf("w.shift(%s, %s, %s, %s)", key, sets, scriptNumbers(t, s, was, "NaN"),
		scriptNumbers(t, s, is, "NaN"))
}

// scriptNumbers writes what an item adds to each counter.
func scriptNumbers(t *typescript, s writeStep, item, missing string) string {
	sign := ""
	if s.action.Minus {
		sign = "-"
	}
	var numbers []string
	for _, n := range counters(t.plan, s.action) {
		value := sign + "1"
		if n.sums != "" {
			value = sign + "(" + member(item, n.sums) + " ?? " + missing + ")"
		}
		if when := n.condition(func(attribute, text string) string {
			return member(item, attribute) + " === " + scriptQuote(text)
		}); when != "" {
			value = when + " ? " + value + " : 0"
		}
		numbers = append(numbers, property(n.name)+": "+value)
	}
	return "{ " + strings.Join(numbers, ", ") + " }"
}

// scriptCounterItem writes the key of the item that counts an item, and the attributes that the
// first number gives it, or undefined.
func scriptCounterItem(t *typescript, s writeStep, item string) (key, sets string) {
	known, m := s.action.Parent(), t.plan.Design.Model(s.action.Model)
	attributes := func(primary bool) string {
		var all []string
		for _, stored := range consuming.Partial(t.plan, m, known, primary) {
			value := t.value(m, stored.Value, func(name string) string {
				return attributeOf(m, name,
					func(of string) string { return member(item, known[of]) })
			})
			all = append(all, property(stored.Name)+": "+value)
		}
		if all == nil {
			return "{}"
		}
		return "{ " + strings.Join(all, ", ") + " }"
	}
	sets = "undefined"
	if s.action.If == design.Always {
		sets = attributes(false)
	}
	return attributes(true), sets
}
