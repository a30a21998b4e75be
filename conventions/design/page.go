package design

import (
	"fmt"
	"slices"
	"strings"
)

// Markdown returns the plan as a page: the table with a row for each model, the query of each
// pattern, and the reasons for each step.
func (p *Plan) Markdown() string {
	w := &page{plan: p}
	w.line("# Table %s", p.Design.Table)
	w.line("")
	w.line("%s and %s.", p.indexCount(),
		count(len(p.Columns), "attribute of keys", "attributes of keys"))
	w.table()
	w.patterns()
	w.writes()
	w.cost()
	w.notes()
	return w.text.String()
}

// indexCount says how many indexes of each kind there are.
func (p *Plan) indexCount() string {
	local := len(p.local())
	text := count(len(p.Indexes)-local, "global secondary index", "global secondary indexes")
	if local > 0 {
		text += ", " + count(local, "local secondary index", "local secondary indexes")
	}
	return text
}

// page writes the parts of Markdown.
type page struct {
	plan *Plan
	text strings.Builder
}

func (w *page) line(format string, args ...any) { fmt.Fprintf(&w.text, format+"\n", args...) }

// row writes a row of a table. Values are code.
func (w *page) row(cells ...string) { w.line("| %s |", strings.Join(cells, " | ")) }

func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}

// codes writes names as code, with commas between them.
func codes(names []string) string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = code(name)
	}
	return strings.Join(all, ", ")
}

// table draws the table: its columns, and what each model has in them.
func (w *page) table() {
	w.line("\n## The table\n")
	header, line := []string{"Model"}, []string{"---"}
	for _, c := range w.plan.Columns {
		header, line = append(header, code(c.Name)), append(line, "---")
	}
	w.row(append(header, "Other attributes")...)
	w.row(append(line, "---")...)
	for _, e := range w.plan.Entities {
		cells := []string{e.Model}
		for _, c := range w.plan.Columns {
			at := slices.IndexFunc(e.Keys, func(s Stored) bool { return s.Name == c.Name })
			if at < 0 {
				cells = append(cells, "")
				continue
			}
			cells = append(cells, code(e.Keys[at].Value.String()))
		}
		var others []string
		for _, s := range e.Others {
			others = append(others, code(s.Name))
		}
		w.row(append(cells, strings.Join(others, ", "))...)
	}
	w.line("\n`{name}` is the value of the model's attribute.\n")
	w.row("Key", "Partition key", "Sort key", "Models")
	w.row("---", "---", "---", "---")
	var all []string
	for _, e := range w.plan.Entities {
		all = append(all, e.Model)
	}
	w.row("table", code(w.plan.Key.Partition), code(w.plan.Key.Sort), strings.Join(all, ", "))
	for _, index := range w.plan.Indexes {
		w.row(code(index.Name), codes(index.Key.Partitions()), codes(index.Key.Sorts()),
			strings.Join(index.Models, ", "))
	}
}

func (w *page) patterns() {
	w.line("\n## The patterns\n")
	w.row("Pattern", "Model", "Request")
	w.row("---", "---", "---")
	for _, q := range w.plan.Queries {
		w.row(q.Pattern, strings.Join(q.Models, ", "), code(q.String()))
	}
}

// writes says which writes keep what is unique, counted or written together.
func (w *page) writes() {
	if len(w.plan.Writes) == 0 {
		return
	}
	w.line("\n## The writes\n")
	w.row("Write", "Requests")
	w.row("---", "---")
	for i := range w.plan.Writes {
		w.row(w.plan.Writes[i].Name, w.plan.Writes[i].String())
	}
}

// cost writes what a month costs, if the design has rates or items.
func (w *page) cost() {
	c := w.plan.Cost(ListPrices())
	if c.Total() == 0 {
		return
	}
	w.line("\n## A month\n")
	w.row("Part", "RCU/s", "WCU/s", "GB", c.Prices.Currency)
	w.row("---", "---:", "---:", "---:", "---:")
	total := Share{Name: "**all**"}
	for _, s := range c.parts() {
		w.share(s)
		total.ReadUnits += s.ReadUnits
		total.WriteUnits += s.WriteUnits
		total.Bytes += s.Bytes
		total.Dollars += s.Dollars
	}
	w.share(total)
	w.line("\nOn demand, table class Standard, prices of %s since %s. The table and indexes pay for writes and storage, patterns for reads.", c.Prices.Region, c.Prices.Date)
}

func (w *page) share(s Share) {
	w.row(append(s.cells(), dollars(s.Dollars))...)
}

// steps are the titles of the steps, from 1.
var steps = [...]string{"", "Models and relations", "What the patterns need", "Primary keys",
	"Indexes", "Attributes of keys", "Models kept apart", "Beyond the steps",
	"What was chosen, and what instead of it", "For whoever owns it"}

// StepTitle returns the title of a step, from 1 to 9. See Note.Step.
func StepTitle(step int) string { return steps[step] }

func (w *page) notes() {
	w.line("\n## Why")
	step := 0
	for _, n := range w.plan.Notes {
		if n.Step != step {
			step = n.Step
			w.line("\n### %d. %s\n", step, steps[step])
		}
		text := n.Text
		if n.About != "" {
			text = n.About + ": " + text
		}
		if n.Warning {
			text = "**Warning**: " + text
		}
		w.line("- %s", text)
	}
}
