package search

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/kugiri-db/kugiri/storage/item"
)

// The kinds of failures.
const (
	Checked    = "check"            // a Check returned an error
	LostUpdate = "lost update"      // a worker overwrote what another had changed since it read it
	NotSerial  = "not serializable" // see Serializable
	Refused    = "refused"          // the policy refused a request
	Deadlock   = "deadlock"         // workers wait forever
	Invariant  = "invariant"        // what Always demands did not hold between two requests
	Livelock   = "livelock"         // workers go round the same state
	Broken     = "worker"           // a worker panicked, or left its goroutine as t.FailNow does
)

// Failure is a run that went wrong.
type Failure struct {
	Kind     string // one of the kinds of failures
	Text     string // what went wrong
	Schedule string // for Environment
	Requests int    // of the run
	Switches int    // between workers
	Faults   int    // that hit
	File     string // of HTML, if there is a directory of Pages

	test    string
	command string // that runs the test
	outcome *Outcome
	lost    *lost
	page    *page
}

var digits = regexp.MustCompile(`[0-9]+`)

// sign is equal for failures that are not distinct.
func (f *Failure) sign() string {
	first, _, _ := strings.Cut(f.Text, "\n")
	if f.Kind == LostUpdate {
		first = f.Text
	}
	return digits.ReplaceAllString(first, "#")
}

// Replay returns the command that runs the failure's schedule again.
func (f *Failure) Replay() string {
	return fmt.Sprintf("%s='%s' %s", Environment, strings.ReplaceAll(f.Schedule, "'", "%27"),
		f.command)
}

// Page returns the table of the failure's requests.
func (f *Failure) Page() string { return f.page.String() }

// String returns the failure as a page of text.
func (f *Failure) String() string {
	text := fmt.Sprintf("%s: %s\n\n%s\nRun it again:\n  %s", f.Kind,
		strings.TrimSuffix(f.Text, "\n"), f.page, f.Replay())
	if f.File != "" {
		text += "\nSee it: " + f.File
	}
	return text
}

// maxShownAttributes bounds the attributes of an item in a diagram, and the items of a request.
// What is beyond it is left out, and said to be.
const maxShownAttributes = 50

// Diagram is the page of a failure as data: a column for each worker, a step for each request.
type Diagram struct {
	Kind    string          `json:"kind"`
	Test    string          `json:"test"`
	Text    string          `json:"text"`   // what went wrong
	Replay  string          `json:"replay"` // the command that runs it again
	Workers []DiagramWorker `json:"workers"`
	Steps   []DiagramStep   `json:"steps"`
}

// DiagramWorker is a worker with how it has ended.
type DiagramWorker struct {
	Name   string `json:"name"`
	Result string `json:"result,omitempty"`
}

// DiagramStep is a request.
type DiagramStep struct {
	Worker    int           `json:"worker"` // its place in Workers
	Operation string        `json:"operation"`
	Lines     []string      `json:"lines,omitempty"` // what it read and changed
	Mark      string        `json:"mark,omitempty"`  // what is wrong here
	Items     []DiagramItem `json:"items,omitempty"` // that it names by their keys
}

// DiagramItem is an item before and after a request. The values of attributes are texts, such as
// 10 and "ann". There is no item where they are nil.
type DiagramItem struct {
	Table  string            `json:"table"`
	Key    string            `json:"key"`
	Before map[string]string `json:"before,omitempty"`
	After  map[string]string `json:"after,omitempty"`
}

// Diagram returns the failure's page as data.
func (f *Failure) Diagram() *Diagram {
	d := &Diagram{Kind: f.Kind, Test: f.test, Text: f.Text, Replay: f.Replay(),
		Workers: []DiagramWorker{}, Steps: []DiagramStep{}}
	for i, name := range f.page.workers {
		d.Workers = append(d.Workers, DiagramWorker{name, shown(f.page.results[i])})
	}
	for _, r := range f.page.rows {
		st := DiagramStep{Worker: r.worker, Operation: r.lines[0], Mark: r.mark, Items: r.items}
		for _, line := range r.lines[1:] {
			st.Lines = append(st.Lines, shown(strings.TrimSpace(line)))
		}
		d.Steps = append(d.Steps, st)
	}
	return d
}

// json returns the diagram for a script element: json.Marshal writes no character that could end
// one.
func (d *Diagram) json() string {
	text, err := json.Marshal(d)
	if err != nil {
		panic(err) // texts and numbers
	}
	return string(text)
}

// itemsOf returns what a request has done to items.
func itemsOf(st *step) (list []DiagramItem) {
	for i := range st.print.items[:min(len(st.print.items), maxShownAttributes)] {
		t := &st.print.items[i]
		list = append(list, DiagramItem{t.table, shown(itemText(t.key)), attributesOf(t.old),
			attributesOf(t.new)})
	}
	return list
}

func attributesOf(it item.Item) map[string]string {
	if it == "" {
		return nil
	}
	attributes := map[string]string{}
	for name, v := range it.All() {
		if len(attributes) >= maxShownAttributes {
			attributes["…"] = "and more"
			break
		}
		attributes[shown(name)] = shown(valueText(v))
	}
	return attributes
}
