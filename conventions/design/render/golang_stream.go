package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/consuming"
)

// goStream writes the consumer of the stream.
func goStream(r *renderer) ([]byte, error) {
	var effects, shapes, functions lines
	for i := range r.consuming.Causes {
		c := &r.consuming.Causes[i]
		name, event := "put", "INSERT"
		if c.Minus {
			name, event = "remove", "REMOVE"
		}
		name += r.code.modelOf(c.Model).Name
		effects.add("\t%q: (*streaming).%s,", event+" "+c.Model, name)
		r.code.goCause(&functions, c, name)
	}
	for _, model := range r.consuming.Originals() {
		name := "change" + r.code.modelOf(model).Name
		effects.add("\t%q: (*streaming).%s,", "MODIFY "+model, name)
		r.code.goFollows(&functions, r.consuming.FollowsOf(model), name)
	}
	for _, s := range r.shapes {
		var keys []string
		for _, k := range s.Keys {
			keys = append(keys,
				fmt.Sprintf("%q: regexp.MustCompile(%s)", k.Name, goQuote(k.Pattern)))
		}
		shapes.add("\t{%q, map[string]*regexp.Regexp{%s}},", s.Model, strings.Join(keys, ", "))
	}
	return formatted(fill("stream.go.tmpl", map[string]string{"package": r.code.Package,
		"effects": effects.String(), "shapes": shapes.String(), "functions": functions.String()}))
}

// goQuote writes a pattern as Go does: in backquotes, if it has none.
func goQuote(pattern string) string {
	if strconv.CanBackquote(pattern) {
		return "`" + pattern + "`"
	}
	return strconv.Quote(pattern)
}

// goCause writes the function for the records of a new or a deleted item.
func (c *code) goCause(out *lines, of *consuming.Cause, name string) {
	m := c.modelOf(of.Model)
	image, what := "NewImage", "new"
	if of.Minus {
		image, what = "OldImage", "deleted"
	}
	out.add("// %s does what the record of a %s item of %s causes: see the write %q.", name, what,
		m.Name, comment(of.Write.Name))
	out.add("func (s *streaming) %s(r *StreamRecord) {", name)
	out.add("v := imageOf(s, r.%s, %sOf)", image, m.Name)
	if of.Fresh != nil {
		c.goFresh(out, of, m)
	}
	if len(of.Lasts) > 0 {
		out.add("k := &keys{}")
	}
	for _, a := range of.Lasts {
		c.goLast(out, a, m)
	}
	for i := range of.Feeds {
		c.goFeed(out, &of.Feeds[i], m)
	}
	c.goCounts(out, of, m)
	out.add("}\n")
}

// goFresh writes what gives a new item the copies that it has to have by now.
func (c *code) goFresh(out *lines, of *consuming.Cause, m *goModel) {
	for _, o := range of.Fresh {
		out.add("if %s {\nif item := s.found(%s); item != nil {", m.filled("v", o.By),
			c.call(o.Query, o.By, m, "v"))
		from := c.modelOf(o.Of)
		out.add("of := imageOf(s, item, %sOf)", from.Name)
		alone := func(copied consuming.FreshCopy) bool { return !copied.Whole }
		if slices.ContainsFunc(o.Copies, alone) {
			out.add("now := v")
		}
		for _, copied := range o.Copies {
			own, their := m.field(copied.Attribute), from.field(copied.Name)
			if copied.Whole {
				out.add("s.follow(r.NewImage, %#v, func(whole attributes) (storable, storable) {",
					copied.Same)
				out.add("is := imageOf(s, whole, %sOf)\nnow := is", m.Name)
				out.add("if !differs(is.%s, v.%[1]s) {\nnow.%[1]s = of.%s\n}", own, their)
				out.add("return is, now\n})")
				continue
			}
			out.add("now.%s = of.%s\ns.refresh(%#v, v, now)", own, their, copied.Same)
			out.add("v = now")
		}
		out.add("}\n}")
	}
}

// goLast writes what gives an item the values of a new one, if that is the newest.
func (c *code) goLast(out *lines, a *design.Action, m *goModel) {
	parent, known := c.plan.Design.Model(a.Model), a.Newest()
	key, stored := consuming.LastItem(c.plan, a)
	puts := func(all []design.Stored) string {
		var puts []goPut
		for _, s := range all {
			puts = append(puts, goPut{strconv.Quote(s.Name), c.value(parent, s.Value,
				func(name string) string { return "v." + m.field(known[name]) })})
		}
		return values(puts)
	}
	needs := a.Parent()
	needs["the newest"] = a.Lasts[0].Of
	out.add("if %s {\ns.newer(k, %q, %s, %s)\n}", m.filled("v", needs), stored[0].Name, puts(key),
		puts(stored))
}

// goFeed writes what puts an item into feeds, or deletes it there.
func (c *code) goFeed(out *lines, f *consuming.Feeding, m *goModel) {
	feed, through := c.modelOf(f.Feed.Name), c.modelOf(f.Feed.Feed.Through)
	var fields []string
	for _, field := range f.Fields {
		of := "v." + m.field(field.Of)
		if field.Reader {
			of = "reader." + through.field(field.Of)
		}
		fields = append(fields, feed.field(field.Name)+": "+of)
	}
	do := "put"
	if f.Deletes {
		do = "remove"
	}
	out.add("if %s {\nfor item := range %s {", m.filled("v", f.By), c.each(f.Query, f.By, m, "v"))
	out.add("reader := imageOf(s, item, %sOf)", through.Name)
	out.add("s.%s(%s{%s}.Item())\n}\ns.flush()\n}", do, feed.Name, strings.Join(fields, ", "))
}

// goCounts writes what adds to counters.
func (c *code) goCounts(out *lines, of *consuming.Cause, m *goModel) {
	if len(of.Once)+len(of.Streams) == 0 {
		return
	}
	if len(of.Lasts) == 0 {
		out.add("k := &keys{}")
	}
	for _, name := range summed(slices.Concat(of.Once, of.Streams)) {
		out.add("v.%s = orZero(v.%[1]s)", m.field(name))
	}
	adds := func(writer string, actions []*design.Action) {
		for _, a := range actions {
			out.add("if %s {\n%s.%s\n}", m.filled("v", a.Parent()), writer,
				c.addition(stepOf(c.plan, a), "v"))
		}
	}
	if len(of.Once) > 0 {
		mark := c.modelOf(of.Mark.Name)
		out.add("once := s.writer()\nonce.put(%s{%s: r.EventID, %s: s.marked()}.Item())", mark.Name,
			mark.field(of.Mark.Key[0]), mark.field(of.Mark.TTL))
		adds("once", of.Once)
		out.add("s.countOnce(once)")
	}
	if len(of.Streams) > 0 {
		out.add("w := s.writer()")
		adds("w", of.Streams)
		out.add("s.count(w)")
	}
}

// goFollows writes the function for the records of a change of what is copied.
func (c *code) goFollows(out *lines, all []consuming.Follow, name string) {
	var body lines
	of := c.modelOf(all[0].Copied.Of)
	for i := range all {
		f := &all[i]
		body.add("if differs(was.%s, is.%[1]s) {\nfor item := range %s {", of.field(f.Copied.Name),
			c.each(f.Query, f.By, of, "is"))
		c.goFollow(&body, f, of.field(f.Copied.Name))
		body.add("}\n}")
	}
	out.add("// %s does what the record of a change of %s causes: its copies follow it.", name,
		of.Name)
	out.add("func (s *streaming) %s(r *StreamRecord) {", name)
	if strings.Contains(body.String(), joining) {
		out.add("k := &keys{}")
	}
	out.add("was, is := imageOf(s, r.OldImage, %sOf), imageOf(s, r.NewImage, %[1]sOf)", of.Name)
	out.add("%s}\n", body.String())
}

// joining is a call that makes a value of several parts, and that can fail.
const joining = "k.join("

// goFollow writes what gives a copy the new value of a field of its original.
func (c *code) goFollow(out *lines, f *consuming.Follow, changed string) {
	copied := c.modelOf(f.Copied.Model)
	if f.Whole {
		out.add("s.follow(item, %#v, func(whole attributes) (storable, storable) {", f.Same)
		out.add("v := imageOf(s, whole, %sOf)\nnow := v", copied.Name)
		out.add("now.%s = is.%s\nreturn v, now\n})", copied.field(f.Copied.Attribute), changed)
		return
	}
	m := c.plan.Design.Model(f.Copied.Model)
	var sets []string
	for _, s := range f.Sets {
		value := c.value(m, s.Value, func(string) string { return "is." + changed })
		sets = append(sets, fmt.Sprintf("%q: %s", s.Name, value))
	}
	values := "attributes{" + strings.Join(sets, ", ") + "}"
	if strings.Contains(values, joining) { // it fails before anything is written
		out.add("values := %s\ns.fail(k.err)", values)
		values = "values"
	}
	out.add("s.set(item, %s)", values)
}

// call writes the call of the function of a query. by are the values of its parameters: attributes
// of a variable's model.
func (c *code) call(query int, by map[string]string, m *goModel, variable string) string {
	q := &c.Queries[query]
	var arguments []string
	for _, p := range q.Parameters {
		argument := variable + "." + m.field(by[p.attribute])
		if a := c.plan.Design.Model(m.Model).Attribute(by[p.attribute]); a.Constant != "" {
			argument = strconv.Quote(a.Constant)
		}
		arguments = append(arguments, argument)
	}
	return q.Name + "(" + strings.Join(arguments, ", ") + ")"
}

// each writes what goes through the items that a query finds.
func (c *code) each(query int, by map[string]string, m *goModel, variable string) string {
	method := "each"
	switch q := &c.Queries[query]; {
	case q.Loops != nil:
		method = "eachOf"
	case q.Operation == design.GetItem:
		method = "only"
	}
	return "s." + method + "(" + c.call(query, by, m, variable) + ")"
}

// filled writes the condition that a variable has the values of attributes: an item without them
// belongs to none.
func (m *goModel) filled(variable string, by map[string]string) string {
	var all []string
	for _, f := range m.Fields {
		for _, name := range by {
			switch {
			case name != f.attribute:
			case f.Type == goTypes[design.Binary].name:
				all = append(all, fmt.Sprintf("len(%s.%s) > 0", variable, f.Name))
			default:
				all = append(all, fmt.Sprintf(`%s.%s != ""`, variable, f.Name))
			}
		}
	}
	if all == nil { // constants only
		return "true"
	}
	return strings.Join(slices.Compact(all), " && ")
}

// summed returns the attributes that counters sum up.
func summed(actions []*design.Action) (names []string) {
	for _, a := range actions {
		for _, add := range a.Adds {
			if add.Sums != "" && !slices.Contains(names, add.Sums) {
				names = append(names, add.Sums)
			}
		}
	}
	return names
}
