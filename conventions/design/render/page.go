package render

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// html writes the report: a page without scripts that needs no other file.
func (t tables) html() ([]byte, error) {
	title, parts := marked("%s: a table and its access patterns", t.names()), ""
	if len(t) > 1 {
		title = marked("%s: tables and their access patterns", t.names())
	}
	for i, r := range t {
		id := ""
		if len(t) > 1 {
			id = fmt.Sprintf("table%d-", i+1)
		}
		parts += r.report().html(id)
	}
	return []byte(fill("report.html.tmpl", map[string]string{
		"style": fixed("report.css"), "title": string(title), "tables": parts,
	})), nil
}

// html writes the part of a report that is about one table. Its places begin with an id.
func (out *report) html(id string) string {
	blocks := map[string]string{"id": id}
	for name, block := range map[string]markup{
		"table": marked("%s", out.Plan.Design.Table), "models": chips(out.Models),
		"facts":   out.facts(),
		"columns": out.columns(), "collections": out.collections(),
		"patterns": each(out.Patterns, reportPattern.markup),
		"region":   marked("%s", out.Prices.Region), "date": marked("%s", out.Prices.Date),
		"currency": marked("%s", out.Prices.Currency), "shares": out.shares(),
		"steps": each(out.Steps, reportStep.markup),
	} {
		blocks[name] = string(block)
	}
	return fill("report.table.html.tmpl", blocks)
}

// each writes the parts of a list, one after the other.
func each[T any](parts []T, write func(T) markup) markup {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(string(write(p)))
	}
	return markup(b.String())
}

// when returns HTML if a condition holds.
func when(condition bool, format string, arguments ...any) markup {
	if !condition {
		return ""
	}
	return marked(format, arguments...)
}

// listed writes names as code, with commas.
func listed(names []string) markup {
	return markup(
		strings.TrimPrefix(
			string(each(names, func(n string) markup { return marked(", <code>%s</code>", n) })),
			", "))
}

// chip writes the name of a model in its color.
func (m reportModel) chip() markup {
	return marked(`<span class="model" style="--h: %d">%s</span>`, m.Hue, m.Name)
}

func chips(models []reportModel) markup {
	return each(models, func(m reportModel) markup { return m.chip() + " " })
}

// valueOf writes a value with its attributes in italics.
func valueOf(parts []reportPart) markup {
	return `<code class="value">` + each(parts, func(p reportPart) markup {
		if p.Attribute {
			return marked("<i>%s</i>", p.Text)
		}
		return marked("%s", p.Text)
	}) + "</code>"
}

// facts writes the figures at the top.
func (r *report) facts() markup {
	type fact struct{ figure, text string }
	all := []fact{{strconv.Itoa(len(r.Models)), "models"},
		{strconv.Itoa(len(r.Patterns)), "access patterns"},
		{strconv.Itoa(len(r.Plan.Indexes)), "secondary indexes"}}
	if n := len(r.Plan.VectorIndexes); n > 0 {
		all = append(all, fact{strconv.Itoa(n), "vector indexes"})
	}
	all = append(all, fact{design.Grouped(r.Total.Dollars, 2), r.Prices.Currency + " a month"},
		fact{strconv.Itoa(r.Warnings), "warnings"})
	return each(all,
		func(f fact) markup {
			return marked("<div><b>%s</b><span>%s</span></div>\n", f.figure, f.text)
		})
}

// columns writes what each model has in the attributes of keys.
func (r *report) columns() markup {
	heads := each(r.Plan.Columns, func(c design.Column) markup {
		return marked("<th><code>%s</code>%s</th>", c.Name,
			when(c.Positions[0] != c.Name, "<small>%s</small>", strings.Join(c.Positions, ", ")))
	})
	return marked("<tr><th>Model</th>%s<th>Other attributes</th><th class=\"n\">Items</th></tr>\n",
		heads) + each(r.Models, reportModel.row)
}

func (m reportModel) row() markup {
	cells := each(m.Cells, func(parts []reportPart) markup {
		if parts == nil {
			return "<td></td>"
		}
		return `<td class="key">` + valueOf(parts) + "</td>"
	})
	return marked("<tr style=\"--h: %d\"><td>%s</td>%s<td>%s</td><td class=\"n\">%s</td></tr>\n",
		m.Hue, m.chip(), cells, listed(m.Others), m.Items)
}

// collections writes the keys of the table and of its indexes with some of their item collections.
func (r *report) collections() markup {
	return each(r.Keys, func(k reportKey) markup {
		name := markup("Table")
		if k.Name != "" {
			name = marked("<code>%s</code>", k.Name)
		}
		key := marked("partition key <code>%s</code>", strings.Join(k.Key.Partitions(), ", ")) +
			when(k.Key.Sort != "", ", sort key <code>%s</code>",
				strings.Join(k.Key.Sorts(), ", ")) +
			when(k.Projection != "", ", projection %s", k.Projection)
		head := marked("<div class=\"keyhead\"><h3>%s</h3><span class=\"soft\">%s</span>%s</div>\n",
			name, key, each(k.Models, reportModel.chip))
		return head + "<div class=\"collections\">\n" +
			each(k.Collections, collection.markup) + "</div>\n"
	})
}

func (c collection) markup() markup {
	items := each(c.Items, func(i reportItem) markup {
		return marked("<li style=\"--h: %d\"><code title=\"%s\">%[2]s</code><b>%s</b></li>\n",
			i.Model.Hue, i.Sort, i.Model.Name)
	})
	return marked(
		"<div class=\"collection\"><div class=\"mono\" title=\"%s\">%[1]s</div><ol>\n%s</ol>%s</div>\n",
		c.Partition, items, when(c.More > 0, `<div class="more">and %d more</div>`, c.More))
}

// markup writes the way of a pattern.
func (p reportPattern) markup() markup {
	const next = "<span>→</span>\n"
	name := marked("<div><b>%s</b>%s</div>", p.Name,
		when(p.Rate > 0, "<small>%v per second</small>", p.Rate))
	index := p.Query.Index
	if index == "" {
		index = "table"
	}
	items := marked("<div>%s%s</div>", chips(p.Models),
		when(p.Order != "", "<small>%s</small>", p.Order))
	return `<div class="pattern">` +
		name + next + p.request() + next + marked(`<div class="box"><code>%s</code></div>`,
		index) + next + items + "</div>\n"
}

// request writes the operation with its conditions.
func (p reportPattern) request() markup {
	out := marked("<div><code>%s</code> ", string(p.Query.Operation))
	if p.Query.Similar != "" {
		out += marked("<code>%s</code>", p.Query.Similar)
		for _, f := range p.Query.Filters {
			out += marked(", <code>%s = %s</code>", f.Name, fmt.Sprint(f.Value))
		}
	} else {
		out += marked("<code>%s =</code> ", p.Query.Partition.Name) + valueOf(p.Equal)
	}
	for i, s := range p.Query.Equal {
		out += marked("<br><code>%s =</code> ", s.Name) + valueOf(p.Also[i])
	}
	if p.From != nil {
		out += marked("<br><code>%s %s</code> ", p.Sort, p.Query.Sort.Operator) + valueOf(p.From)
	}
	if p.To != nil {
		out += " <code>AND</code> " + valueOf(p.To)
	}
	return out + when(p.Requests != "", "<small>%s</small>",
		strings.TrimPrefix(p.Requests, ", ")) + "</div>"
}

// shares writes what a month costs.
func (r *report) shares() markup {
	all := each(r.Cost, func(s reportShare) markup {
		return marked("<tr><td>%s</td><td class=\"soft\">%s</td>%s<td class=\"n\">%s</td>"+
			"<td class=\"bars\"><span class=\"bar\" style=\"--w: %.1f\"></span></td></tr>\n",
			s.Name, s.Kind, s.units(), design.Grouped(s.Dollars, 2), s.Percent)
	})
	return all + marked(
		"<tr><td><b>all</b></td><td></td>%s<td class=\"n\"><b>%s</b></td><td></td></tr>\n",
		r.Total.units(), design.Grouped(r.Total.Dollars, 2))
}

func (s reportShare) units() markup {
	return marked(`<td class="n">%s</td><td class="n">%s</td><td class="n">%s</td>`,
		design.Grouped(s.ReadUnits, 1), design.Grouped(s.WriteUnits, 1), design.Grouped(s.GB(), 2))
}

// markup writes a step of the plan with its reasons.
func (s reportStep) markup() markup {
	notes := each(s.Notes, func(n design.Note) markup {
		if n.Warning {
			return marked("<li class=\"warn\">Warning: %s%s</li>\n",
				when(n.About != "", "<b>%s</b> ", n.About), n.Text)
		}
		return marked("<li>%s%s</li>\n", when(n.About != "", "<b>%s</b> ", n.About), n.Text)
	})
	return marked(
		"<details open><summary>%d. %s <span>%d</span></summary><ul>\n%s</ul></details>\n",
		s.Number, s.Title, len(s.Notes), notes)
}
