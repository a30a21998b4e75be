package traffic

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/storage/item"
)

// WriteReport is a kind of write of an item, with examples. Writes are of one kind if they do the
// same to the same attributes, and if the values of their keys begin with the same words.
type WriteReport struct {
	Table string `json:"table"`
	Kind  string `json:"kind"` // Put, Update or Delete
	// the top-level attributes that an Update writes, in the order of the alphabet
	Changed  []string       `json:"changed,omitempty"`
	Requests int64          `json:"requests"` // actions of requests
	Examples []WriteExample `json:"examples"` // the first MaxExamples different ones
}

// WriteExample is the key of an item.
type WriteExample struct {
	Key      json.RawMessage `json:"key"` // DynamoDB's JSON
	Requests int64           `json:"requests"`
}

type writesKey struct{ table, kind, changed, words string }

// countWrites counts the writes of a successful request.
func (r *Recorder) countWrites(e *emulator.Event) {
	if e.Error != "" {
		return
	}
	written := slices.DeleteFunc(e.Items(), func(i emulator.EventItem) bool { return !i.Write })
	if len(written) == 0 {
		return
	}
	parsed, err := request.FromJSON(e.Operation, []byte(e.Exchange().Request))
	if err != nil { // another caller than one that sends JSON
		return
	}
	for i := range parsed.Writes {
		w := &parsed.Writes[i]
		kind := kindOf(w.Kind)
		if at := slices.IndexFunc(written,
			func(i emulator.EventItem) bool { return isKeyOf(i, w) }); at >= 0 && kind != "" {
			r.countWrite(w, kind, written[at].Key)
		}
	}
}

// kindOf names a kind of write, and returns "" for one that changes nothing.
func kindOf(k request.WriteKind) string {
	switch k {
	case request.Put:
		return "Put"
	case request.Update:
		return "Update"
	case request.Delete:
		return "Delete"
	}
	return ""
}

// isKeyOf reports whether an item that was written is that of a write.
func isKeyOf(written emulator.EventItem, w *request.Write) bool {
	var key map[string]json.RawMessage
	if written.Table != w.Table || json.Unmarshal([]byte(written.Key), &key) != nil {
		return false
	}
	of := w.Key
	if w.Kind == request.Put {
		of = w.Item
	}
	for name, v := range key {
		if of.Get(name) != item.Value(v) {
			return false
		}
	}
	return true
}

func (r *Recorder) countWrite(w *request.Write, kind, key string) {
	var changed []string
	if w.Update != nil {
		changed = slices.Sorted(slices.Values(w.Update.Attributes()))
	}
	var values map[string]json.RawMessage
	_ = json.Unmarshal([]byte(key), &values) // isKeyOf has read it
	var words strings.Builder
	for _, name := range slices.Sorted(maps.Keys(values)) {
		words.WriteString(wordsOf([]string{string(values[name])}))
	}
	row := rowOf(r.writes, writesKey{w.Table, kind, strings.Join(changed, "\x00"), words.String()},
		writesKey{table: Other})
	row.Requests++
	row.Changed = changed
	same := func(x WriteExample) bool { return string(x.Key) == key }
	if i := slices.IndexFunc(row.Examples, same); i >= 0 {
		row.Examples[i].Requests++
	} else if len(row.Examples) < MaxExamples && len(key) <= maxExample {
		row.Examples = append(row.Examples, WriteExample{json.RawMessage(key), 1})
	}
}

// byWrites returns the writes, those with the most requests first.
func (r *Recorder) byWrites() []WriteReport {
	list := []WriteReport{}
	for k, row := range r.writes {
		if k.table == Other {
			continue
		}
		report := *row
		report.Table, report.Kind, report.Examples = k.table, k.kind, slices.Clone(row.Examples)
		list = append(list, report)
	}
	slices.SortFunc(list, func(a, b WriteReport) int {
		return cmp.Or(cmp.Compare(b.Requests, a.Requests), cmp.Compare(a.Table, b.Table),
			cmp.Compare(jsonOf(&a), jsonOf(&b)))
	})
	return list
}
