package search

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"
)

// page is a failure as a table: a column for each worker, a row for each request.
type page struct {
	workers []string
	results []string
	rows    []row
}

// row is a request: what it is, and what it read and changed.
type row struct {
	worker int
	lines  []string
	mark   string // what is wrong here; "" for nothing
}

func pageOf(f *Failure, o *Outcome) *page {
	p := &page{}
	for _, w := range o.workers {
		p.workers = append(p.workers, w.Name)
		result := "returns nil"
		switch {
		case !w.ended:
			result = "waits"
		case w.broken != "":
			result, _, _ = strings.Cut(w.broken, "\n")
		case w.err != nil:
			result = "returns " + ErrorText(w.err)
		}
		for _, v := range w.values {
			result += fmt.Sprintf("; %v", v)
		}
		p.results = append(p.results, result)
	}
	for i, st := range o.steps {
		p.rows = append(p.rows, row{st.proc.worker, linesOf(st), f.markOf(i)})
	}
	return p
}

// markOf says what is wrong at a step.
func (f *Failure) markOf(i int) string {
	if f.lost == nil {
		return ""
	}
	switch i {
	case f.lost.read:
		return "← reads what is about to change"
	case f.lost.change:
		return "← changes it"
	case f.lost.write:
		return "← overwrites the change"
	}
	return ""
}

// linesOf describes a request.
func linesOf(st *step) []string {
	lines := []string{st.operation}
	for i := range st.print.ranges {
		r := &st.print.ranges[i]
		text := r.table
		for _, t := range r.terms {
			text += fmt.Sprintf(" %s %s %s", t.Name, t.Op, valueText(t.Value))
		}
		lines = append(lines, "  "+text)
	}
	if len(st.print.ranges) > 0 && len(st.answer) > 0 {
		lines = append(lines, "  reads "+countText(st.answer))
	}
	for i := range st.print.items {
		t := &st.print.items[i]
		lines = append(lines, "  "+t.table+" "+itemText(t.key))
		switch {
		case t.changed():
			lines = append(lines, changeText(t)...)
		case readOperation(st.operation) && len(st.print.ranges) == 0:
			lines = append(lines, "  reads "+rest(t))
		case st.status == http.StatusOK:
			lines = append(lines, "  writes what is there")
		default:
			lines = append(lines, "  changes nothing")
		}
	}
	if st.status >= 300 {
		lines = append(lines, "  fails: "+errorOf(st))
	}
	if st.fault != "" {
		lines = append(lines, "  fault: "+string(st.fault))
	}
	return lines
}

// rest returns an item without its key.
func rest(t *touch) string {
	if t.old == "" {
		return "nothing"
	}
	var parts []string
	for name, v := range t.old.All() {
		if t.key.Get(name) == "" {
			parts = append(parts, name+": "+valueText(v))
		}
	}
	return strings.Join(parts, ", ")
}

// changeText lists the attributes that a write changed.
func changeText(t *touch) (lines []string) {
	if t.new == "" {
		return []string{"  deletes it"}
	}
	if t.old == "" {
		lines = append(lines, "  creates it")
	}
	for name, v := range t.new.All() {
		if before := valueOf(t.old, name); before != v && t.key.Get(name) == "" {
			lines = append(lines,
				fmt.Sprintf("  %s: %s → %s", name, valueText(before), valueText(v)))
		}
	}
	if t.old == "" {
		return lines
	}
	for name, v := range t.old.All() {
		if t.new.Get(name) == "" {
			lines = append(lines, fmt.Sprintf("  %s: %s → nothing", name, valueText(v)))
		}
	}
	return lines
}

func countText(answer []byte) string {
	var out struct{ Count *int }
	if json.Unmarshal(answer, &out) != nil || out.Count == nil {
		return "several items"
	}
	return fmt.Sprintf("%d items", *out.Count)
}

func errorOf(st *step) string {
	var out struct {
		Type string `json:"__type"`
	}
	if json.Unmarshal(st.answer, &out) != nil || out.Type == "" {
		return fmt.Sprint("status ", st.status)
	}
	return out.Type[strings.LastIndexByte(out.Type, '#')+1:]
}

// widest is the width of a column at most.
const widest = 48

// String returns the table.
func (p *page) String() string {
	widths := make([]int, len(p.workers))
	for i, name := range p.workers {
		widths[i] = min(max(utf8.RuneCountInString(name), utf8.RuneCountInString(p.results[i])),
			widest)
	}
	for _, r := range p.rows {
		for _, line := range r.lines {
			widths[r.worker] = max(widths[r.worker], min(utf8.RuneCountInString(line), widest))
		}
	}
	var b strings.Builder
	p.line(&b, widths, "", p.workers, "")
	for i, r := range p.rows {
		for j, text := range r.lines {
			cells, number, mark := make([]string, len(p.workers)), "", ""
			cells[r.worker] = text
			if j == 0 {
				number, mark = fmt.Sprint(i+1), r.mark
			}
			p.line(&b, widths, number, cells, mark)
		}
	}
	p.line(&b, widths, "", p.results, "")
	return b.String()
}

func (p *page) line(b *strings.Builder, widths []int, number string, cells []string, mark string) {
	text := fmt.Sprintf("%3s", number)
	for i, cell := range cells {
		runes := []rune(cell)
		if len(runes) > widths[i] {
			runes = append(runes[:widths[i]-1], '…')
		}
		text += "  " + string(runes) + strings.Repeat(" ", widths[i]-len(runes))
	}
	b.WriteString(strings.TrimRight(text+"  "+mark, " ") + "\n")
}
