package search

import (
	"encoding/json"

	"github.com/kugiri-db/kugiri/storage/item"
)

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
	Items     []DiagramItem `json:"items,omitempty"` // the items that it names by their keys
}

// DiagramItem is an item before and after a request. The values of attributes are texts, such as
// 10 and "ann". There is no item where they are nil.
type DiagramItem struct {
	Table  string            `json:"table"`
	Key    string            `json:"key"`
	Before map[string]string `json:"before,omitempty"`
	After  map[string]string `json:"after,omitempty"`
}

// json returns the diagram for a script element: json.Marshal writes no character that could end
// one.
func (d *Diagram) json() string {
	text, err := json.Marshal(d)
	if err != nil {
		panic(err) // a diagram has only texts and numbers
	}
	return string(text)
}

// attributesOf returns the attributes of an item as texts.
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
