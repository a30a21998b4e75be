package render

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
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
	for i := range t.consuming.causes {
		t.cause(&effects, &t.consuming.causes[i])
	}
	for _, model := range t.consuming.originals() {
		effects.add("  %s: async (s, r) => {", scriptQuote("MODIFY "+model))
		effects.add("    const was = %s(r.old);\n    const is = %[1]s(r.image);",
			readName(t.types[model]))
		for _, f := range t.consuming.followsOf(model) {
			t.follow(&effects, &f)
		}
		effects.add("  },")
	}
	for _, s := range t.consuming.shapes {
		var keys []string
		for _, k := range s.keys {
			keys = append(keys, fmt.Sprintf("%s: new RegExp(%s, \"u\")", property(k.name),
				scriptQuote(k.pattern)))
		}
		shapes.add("  { model: %s, keys: { %s } },", scriptQuote(s.model), strings.Join(keys, ", "))
	}
	return fill("stream.ts.tmpl",
		map[string]string{"effects": effects.String(), "shapes": shapes.String()})
}

// cause writes what the records of a new or a deleted item cause.
func (t *typescript) cause(out *lines, of *cause) {
	event, image := "INSERT", "r.image"
	if of.minus {
		event, image = "REMOVE", "r.old"
	}
	out.add("  // see the write %s", scriptQuote(scriptComment(of.write.Name)))
	out.add("  %s: async (s, r) => {", scriptQuote(event+" "+of.model))
	declare := "const"
	if of.fresh != nil {
		declare = "let"
	}
	out.add("    %s v = %s(%s);", declare, readName(t.types[of.model]), image)
	t.fresh(out, of)
	for i := range of.feeds {
		t.feed(out, &of.feeds[i], of.model)
	}
	t.count(out, of.model, "once", of.once, of.mark)
	t.count(out, of.model, "w", of.streams, nil)
	out.add("  },")
}

// fresh writes what gives a new item the copies that it has to have by now.
func (t *typescript) fresh(out *lines, of *cause) {
	for _, o := range of.fresh {
		out.add("    if (%s) {\n      const item = await s.found(%s);\n      if (item) {",
			t.filled("v", of.model, o.by), t.call(o.query, o.by, of.model, "v"))
		out.add("        const of = %s(item);", readName(t.types[o.of]))
		for _, copied := range o.copies {
			name := t.types[of.model]
			with := property(copied.Attribute) + ": " + member("of", copied.Name)
			if copied.whole {
				out.add("        await s.follow(r.image, [%s], %s, %s, (now) =>",
					scriptList(copied.same), readName(name), itemName(name))
				out.add("          isDeepStrictEqual(%s, %s) ? { ...now, %s } : now,\n        );",
					member("now", copied.Attribute), member("v", copied.Attribute), with)
				continue
			}
			out.add("        await s.refresh([%s], %s, v, { ...v, %s });", scriptList(copied.same),
				itemName(name), with)
			out.add("        v = { ...v, %s };", with)
		}
		out.add("      }\n    }")
	}
}

// feed writes what puts an item into feeds, or deletes it there.
func (t *typescript) feed(out *lines, f *feeding, model string) {
	var fields []string
	for _, field := range f.fields {
		of := member("v", field.of)
		if field.reader {
			of = member("reader", field.of)
		}
		if slices.Contains(f.feed.Key, field.name) {
			of += " as " + scriptTypes[f.feed.Attribute(field.name).Type]
		}
		fields = append(fields, property(field.name)+": "+of)
	}
	do := "put"
	if f.deletes {
		do = "remove"
	}
	out.add("    if (%s) {\n      for await (const item of %s) {", t.filled("v", model, f.by),
		t.each(f.query, f.by, model, "v"))
	out.add("        const reader = %s(item);", readName(t.types[f.feed.Feed.Through]))
	out.add("        await s.%s(%s({ %s }));\n      }\n      await s.flush();\n    }", do,
		itemName(t.types[f.feed.Name]), strings.Join(fields, ", "))
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
		out.add("    if (%s) {\n      %s.%s;\n    }", t.filled("v", model, counterKey(t.plan, a)), w,
			t.addition(stepOf(t.plan, a), "v", "0"))
	}
	out.add("    await s.%s(%s);", method, w)
}

// follow writes what changes the copies of an attribute.
func (t *typescript) follow(out *lines, f *follow) {
	changed := member("is", f.copied.Name)
	condition := fmt.Sprintf("!isDeepStrictEqual(%s, %s)", member("was", f.copied.Name), changed)
	rest := maps.Clone(f.by) // such as the tenant
	maps.DeleteFunc(rest, func(_, name string) bool {
		return slices.Contains(t.plan.Design.Model(f.copied.Of).Key, name)
	})
	if len(rest) > 0 {
		condition += " && " + t.filled("is", f.copied.Of, rest)
	}
	out.add("    if (%s) {", condition)
	out.add("      for await (const item of %s) {", t.each(f.query, f.by, f.copied.Of, "is"))
	if f.whole {
		of := t.types[f.copied.Model]
		out.add("        await s.follow(item, [%s], %s, %s, (v) => ({ ...v, %s: %s }));",
			scriptList(f.same), readName(of), itemName(of), property(f.copied.Attribute), changed)
	} else {
		var sets []string
		for _, s := range f.sets {
			sets = append(sets, property(s.Name)+": "+t.value(t.plan.Design.Model(f.copied.Model),
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
