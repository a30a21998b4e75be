package search

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/kugiri-db/kugiri/storage/item"
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
	items  []DiagramItem
}

// pageOf describes a run. Workers throw if their language has exceptions.
func pageOf(f *Failure, o *Outcome, throws bool) *page {
	p := &page{}
	for _, w := range o.workers {
		name := w.Name
		if w.ahead > 0 {
			name += fmt.Sprintf(" (clock %v ahead)", w.ahead)
		}
		p.workers = append(p.workers, name)
		p.results = append(p.results, endOf(w, throws))
	}
	for i, st := range o.steps[:f.last(o)] {
		p.rows = append(p.rows, row{st.proc.worker, linesOf(st), f.markOf(i), itemsOf(st)})
	}
	return p
}

// last is how many requests of a run a page shows: of a livelock, the first round and what leads
// to it; those up to where what Always demands does not hold.
func (f *Failure) last(o *Outcome) int {
	switch {
	case f.Kind == Livelock:
		return firstRound(o.steps, o.round)
	case f.Kind == Invariant:
		return o.violated.after + 1
	}
	return len(o.steps)
}

// endOf says how a worker has ended.
func endOf(w *Worker, throws bool) string {
	var parts []string
	switch {
	case !w.ended && w.Trigger == nil:
		parts = append(parts, "waits")
	case w.Trigger != nil && w.broken == "":
		return ""
	case w.broken != "":
		first, _, _ := strings.Cut(w.broken, "\n")
		parts = append(parts, first)
	case w.err != nil && throws:
		parts = append(parts, "throws "+ErrorText(w.err))
	case w.err != nil:
		parts = append(parts, "returns "+ErrorText(w.err))
	case !throws:
		parts = append(parts, "returns nil")
	case len(w.values) == 0:
		parts = append(parts, "ends")
	}
	for i, v := range w.values {
		text := fmt.Sprint(v)
		if i == 0 && len(parts) == 0 {
			text = "returns " + text
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

// endsOf says how workers have ended, a line each.
func endsOf(workers []*Worker, throws bool) (lines string) {
	for _, w := range workers {
		lines += "\n  " + w.Name + " " + endOf(w, throws)
	}
	return lines
}

// markOf says what is wrong at a step.
func (f *Failure) markOf(i int) string {
	if v := f.outcome.violated; f.Kind == Invariant && v.after == i {
		return "← after this it does not hold"
	}
	if f.lost == nil {
		return ""
	}
	switch i {
	case f.lost.read:
		if f.lost.old {
			return "← reads what was there before"
		}
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
	switch st.operation {
	case Invoke:
		return append(lines, batchLines(st)...)
	case begin:
		return append(lines, "  fault: "+string(st.fault))
	}
	ranges := st.print.ranges
	if st.old != nil && len(st.print.items) > 0 {
		ranges = nil // it depends on all of the table, but reads items
	}
	for i := range ranges {
		r := &ranges[i]
		text := r.table
		for _, t := range r.terms {
			text += fmt.Sprintf(" %s %s %s", t.Name, t.Op, valueText(t.Value))
		}
		lines = append(lines, "  "+text)
	}
	if len(ranges) > 0 && len(st.answer) > 0 {
		text := "  reads " + countText(st.answer)
		if st.old != nil {
			text += ", which are old"
		}
		lines = append(lines, text)
	}
	for i := range st.print.items {
		t := &st.print.items[i]
		lines = append(lines, "  "+t.table+" "+itemText(t.key))
		switch {
		case t.changed():
			lines = append(lines, changeText(t)...)
		case st.reads() && len(ranges) == 0:
			lines = append(lines, readLines(t)...)
		case st.status == http.StatusOK:
			lines = append(lines, "  writes what is there")
		default:
			lines = append(lines, "  changes nothing")
		}
	}
	if st.status >= 300 {
		lines = append(lines, errorLines(st)...)
	}
	if st.fault != "" {
		lines = append(lines, "  fault: "+string(st.fault))
	}
	return lines
}

// batchLines describes a batch.
func batchLines(st *step) (lines []string) {
	if len(st.print.ranges) == 0 {
		lines = append(lines, "  once more")
	}
	for i := range st.print.ranges {
		lines = append(lines, "  records of "+st.print.ranges[i].table)
	}
	for _, r := range st.records {
		lines = append(lines, "  "+r)
	}
	if st.fault != "" {
		lines = append(lines, "  fault: "+string(st.fault))
	}
	return lines
}

// readLines says what a read of an item shows, and what is there if that is something else.
func readLines(t *touch) []string {
	if t.shows == nil {
		return []string{"  reads " + rest(t, t.old)}
	}
	return []string{"  reads " + rest(t, t.seen) + ", which is old", "  there is " + rest(t, t.old)}
}

// rest returns an item without its key.
func rest(t *touch, it item.Item) string {
	if it == "" {
		return "nothing"
	}
	var parts []string
	for name, v := range it.All() {
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

// errorLines returns the error of a request, and what the service says of it. Of a condition that
// does not hold, the type says all.
func errorLines(st *step) []string {
	var out struct {
		Type    string `json:"__type"`
		Message string // the member is called message or Message
	}
	if json.Unmarshal(st.answer, &out) != nil || out.Type == "" {
		return []string{fmt.Sprint("  fails: status ", st.status)}
	}
	name := out.Type[strings.LastIndexByte(out.Type, '#')+1:]
	lines := []string{"  fails: " + name}
	if name == "ConditionalCheckFailedException" {
		return lines
	}
	line := " "
	for _, word := range strings.Fields(out.Message) {
		if utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > widest && line != " " {
			lines, line = append(lines, line), " "
		}
		line += " " + word
		if len(lines) > mostErrorLines {
			return append(lines, "  …")
		}
	}
	if line != " " {
		lines = append(lines, line)
	}
	return lines
}

// widest is the width of a column at most, and mostErrorLines bounds the text of an error in it.
const (
	widest         = 48
	mostErrorLines = 8
)

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
