package render

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/consuming"
)

// inStreams are the names that the consumer of the stream uses, besides those of inScripts.
var inStreams = []string{"StreamConsumer", "StreamRecord", "StreamImage", "Streaming", "effects",
	"shapes", "modelOf", "imageOf", "batchSize", "streamTries", "streamWait", "markStays", "marked",
	"pause", "reasonsOf", "again", "sameName", "BatchRequest", "BatchWriteCommand",
	"BatchWriteCommandInput", "GetCommand", "GetCommandInput", "QueryCommandInput", "unmarshall",
	"console", "RegExp"}

// stream writes the consumer of the stream.
func (t *typescript) stream() string {
	if t.consuming == nil {
		return ""
	}
	var effects, shapes lines
	for i := range t.consuming.Causes {
		t.cause(&effects, &t.consuming.Causes[i])
	}
	for _, model := range t.consuming.Originals() {
		effects.add("  %s: async (s, r) => {", scriptQuote("MODIFY "+model))
		effects.add("    const was = %s(r.old);\n    const is = %[1]s(r.image);",
			readName(t.types[model]))
		for _, f := range t.consuming.FollowsOf(model) {
			t.follow(&effects, &f)
		}
		effects.add("  },")
	}
	for _, s := range t.shapes {
		var keys []string
		for _, k := range s.Keys {
			keys = append(keys, fmt.Sprintf("%s: new RegExp(%s, \"u\")", property(k.Name),
				scriptQuote(k.Pattern)))
		}
		shapes.add("  { model: %s, keys: { %s } },", scriptQuote(s.Model), strings.Join(keys, ", "))
	}
	return fill("stream.ts.tmpl",
		map[string]string{"effects": effects.String(), "shapes": shapes.String()})
}

// cause writes what the records of a new or a deleted item cause.
func (t *typescript) cause(out *lines, of *consuming.Cause) {
	event, image := "INSERT", "r.image"
	if of.Minus {
		event, image = "REMOVE", "r.old"
	}
	out.add("  // see the write %s", scriptQuote(scriptComment(of.Write.Name)))
	out.add("  %s: async (s, r) => {", scriptQuote(event+" "+of.Model))
	declare := "const"
	if of.Fresh != nil {
		declare = "let"
	}
	out.add("    %s v = %s(%s);", declare, readName(t.types[of.Model]), image)
	t.fresh(out, of)
	for _, a := range of.Lasts {
		scriptLast(t, out, a, of.Model)
	}
	for i := range of.Feeds {
		t.feed(out, &of.Feeds[i], of.Model)
	}
	t.count(out, of.Model, "once", of.Once, of.Mark)
	t.count(out, of.Model, "w", of.Streams, nil)
	out.add("  },")
}

// fresh writes what gives a new item the copies that it has to have by now.
func (t *typescript) fresh(out *lines, of *consuming.Cause) {
	for _, o := range of.Fresh {
		out.add("    if (%s) {\n      const item = await s.found(%s);\n      if (item) {",
			t.filled("v", of.Model, o.By), t.call(o.Query, o.By, of.Model, "v"))
		out.add("        const of = %s(item);", readName(t.types[o.Of]))
		for _, copied := range o.Copies {
			name := t.types[of.Model]
			with := property(copied.Attribute) + ": " + member("of", copied.Name)
			if copied.Whole {
				out.add("        await s.follow(r.image, [%s], %s, %s, (now) =>",
					scriptList(copied.Same), readName(name), itemName(name))
				out.add("          isDeepStrictEqual(%s, %s) ? { ...now, %s } : now,\n        );",
					member("now", copied.Attribute), member("v", copied.Attribute), with)
				continue
			}
			out.add("        await s.refresh([%s], %s, v, { ...v, %s });", scriptList(copied.Same),
				itemName(name), with)
			out.add("        v = { ...v, %s };", with)
		}
		out.add("      }\n    }")
	}
}

// scriptLast writes what gives an item the values of a new one, if that is the newest.
func scriptLast(t *typescript, out *lines, a *design.Action, model string) {
	parent, known := t.plan.Design.Model(a.Model), a.Newest()
	key, stored := consuming.LastItem(t.plan, a)
	fields := func(all []design.Stored) string {
		var fields []string
		for _, s := range all {
			value := t.value(parent, s.Value,
				func(name string) string { return member("v", known[name]) })
			fields = append(fields, property(s.Name)+": "+value)
		}
		return "{ " + strings.Join(fields, ", ") + " }"
	}
	needs := a.Parent()
	needs["the newest"] = a.Lasts[0].Of
	out.add("    if (%s) {\n      await s.newer(%s, %s, %s);\n    }", t.filled("v", model, needs),
		scriptQuote(stored[0].Name), fields(key), fields(stored))
}

// feed writes what puts an item into feeds, or deletes it there.
func (t *typescript) feed(out *lines, f *consuming.Feeding, model string) {
	var fields []string
	for _, field := range f.Fields {
		of := member("v", field.Of)
		if field.Reader {
			of = member("reader", field.Of)
		}
		if slices.Contains(f.Feed.Key, field.Name) {
			of += " as " + scriptTypes[f.Feed.Attribute(field.Name).Type]
		}
		fields = append(fields, property(field.Name)+": "+of)
	}
	do := "put"
	if f.Deletes {
		do = "remove"
	}
	out.add("    if (%s) {\n      for await (const item of %s) {", t.filled("v", model, f.By),
		t.each(f.Query, f.By, model, "v"))
	out.add("        const reader = %s(item);", readName(t.types[f.Feed.Feed.Through]))
	out.add("        await s.%s(%s({ %s }));\n      }\n      await s.flush();\n    }", do,
		itemName(t.types[f.Feed.Name]), strings.Join(fields, ", "))
}

// count writes what adds to counters: with the item that marks the record, or by updates of their
// own.
func (t *typescript) count(out *lines, model, w string, actions []*design.Action,
	mark *design.Model) {
	if len(actions) == 0 {
		return
	}
	method := "count"
	out.add("    const %s = new Writer();", w)
	if mark != nil {
		method = "countOnce"
		out.add("    %s.put(%s({ %s: r.eventID, %s: marked() }));", w, itemName(t.types[mark.Name]),
			property(mark.Key[0]), property(mark.TTL))
	}
	for _, a := range actions {
		out.add("    if (%s) {\n      %s.%s;\n    }", t.filled("v", model, a.Parent()), w,
			t.addition(stepOf(t.plan, a), "v", "0"))
	}
	out.add("    await s.%s(%s);", method, w)
}

// follow writes what changes the copies of an attribute.
func (t *typescript) follow(out *lines, f *consuming.Follow) {
	changed := member("is", f.Copied.Name)
	condition := fmt.Sprintf("!isDeepStrictEqual(%s, %s)", member("was", f.Copied.Name), changed)
	rest := maps.Clone(f.By) // such as the tenant
	maps.DeleteFunc(rest, func(_, name string) bool {
		return slices.Contains(t.plan.Design.Model(f.Copied.Of).Key, name)
	})
	if len(rest) > 0 {
		condition += " && " + t.filled("is", f.Copied.Of, rest)
	}
	out.add("    if (%s) {", condition)
	out.add("      for await (const item of %s) {", t.each(f.Query, f.By, f.Copied.Of, "is"))
	if f.Whole {
		of := t.types[f.Copied.Model]
		out.add("        await s.follow(item, [%s], %s, %s, (v) => ({ ...v, %s: %s }));",
			scriptList(f.Same), readName(of), itemName(of), property(f.Copied.Attribute), changed)
	} else {
		var sets []string
		for _, s := range f.Sets {
			sets = append(sets, property(s.Name)+": "+t.value(t.plan.Design.Model(f.Copied.Model),
				s.Value, func(string) string { return changed }))
		}
		out.add("        await s.set(item, { %s });", strings.Join(sets, ", "))
	}
	out.add("      }\n    }")
}

// call writes the call of the function of a query. by are the values of its parameters: attributes
// of a variable's model.
func (t *typescript) call(query int, by map[string]string, model, variable string) string {
	q := &t.queries[query]
	var arguments []string
	for _, p := range q.parameters {
		argument := member(variable, by[p.attribute])
		if a := t.plan.Design.Model(model).Attribute(by[p.attribute]); a.Constant != "" {
			argument = scriptQuote(a.Constant)
		}
		arguments = append(arguments, argument)
	}
	return q.name + "(" + strings.Join(arguments, ", ") + ")"
}

// each writes what goes through the items that a query finds.
func (t *typescript) each(query int, by map[string]string, model, variable string) string {
	method := "each"
	if t.queries[query].Operation == design.GetItem {
		method = "only"
	}
	return "s." + method + "(" + t.call(query, by, model, variable) + ")"
}

// filled writes the condition that a variable has the values of attributes: an item without them
// belongs to none.
func (t *typescript) filled(variable, model string, by map[string]string) string {
	var all []string
	m := t.plan.Design.Model(model)
	for i := range m.Attributes {
		a := &m.Attributes[i]
		used := false
		for _, name := range by {
			used = used || name == a.Name
		}
		switch of := member(variable, a.Name); {
		case !used || a.Constant != "":
		case a.Type == design.Number:
			all = append(all, of+" !== undefined")
		case a.Type == design.Binary:
			all = append(all, of+"?.length")
		default:
			all = append(all, of)
		}
	}
	if all == nil { // constants only
		return "true"
	}
	return strings.Join(all, " && ")
}
