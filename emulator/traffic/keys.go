package traffic

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/kugiri-db/kugiri/emulator"
)

// KeyReport is a kind of request that reads items by a key, with examples. Requests are of one kind
// if they have the same condition, order and limit, and if the values in their conditions begin
// with the same words, such as ORDER in ORDER#7.
type KeyReport struct {
	Operation string `json:"operation"`
	Table     string `json:"table"`
	Index     string `json:"index,omitempty"`
	// the condition without its values; "" for the key of an item
	KeyCondition string       `json:"keyCondition,omitempty"`
	Descending   bool         `json:"descending"`
	Consistent   bool         `json:"consistent"`
	Limit        int          `json:"limit,omitempty"`
	Requests     int64        `json:"requests"` // pages of Query and SELECT, items of gets
	Returned     int64        `json:"returned"` // items
	Examples     []KeyExample `json:"examples"` // the first MaxExamples different ones
}

// KeyExample is the values of a request's key condition, or of the key of an item.
type KeyExample struct {
	Values   []json.RawMessage `json:"values"` // DynamoDB's JSON, sorted as in the key
	Requests int64             `json:"requests"`
}

// MaxExamples is how many examples a KeyReport has at most. Longer values than maxExample are no
// examples.
const (
	MaxExamples = 16
	maxExample  = 256 // bytes
)

type keysKey struct {
	operation, table, index, condition, words string
	descending, consistent                    bool
	limit                                     int
}

// countKeys counts the reads by key of a successful request.
func (r *Recorder) countKeys(e *emulator.Event) {
	if e.Error != "" {
		return
	}
	for i := range e.Reads {
		page := &e.Reads[i]
		values := page.KeyValues()
		if len(values) == 0 {
			continue
		}
		key := keysKey{e.Operation, page.Table, page.Index, page.KeyCondition(), wordsOf(values),
			page.Reverse, page.Consistent, page.Limit}
		r.countKey(key, values, page.Returned)
	}
	returned := e.Returned
	for _, get := range e.Gets() {
		r.countKey(keysKey{operation: e.Operation, table: get.Table, words: wordsOf(get.Key)},
			get.Key, min(returned, 1))
		returned -= min(returned, 1)
	}
}

func (r *Recorder) countKey(key keysKey, values []string, returned int) {
	row := rowOf(r.keys, key, keysKey{table: Other})
	row.Requests++
	row.Returned += int64(returned)
	same := func(e KeyExample) bool {
		return slices.EqualFunc(e.Values, values,
			func(a json.RawMessage, b string) bool { return string(a) == b })
	}
	if i := slices.IndexFunc(row.Examples, same); i >= 0 {
		row.Examples[i].Requests++
		return
	}
	if len(row.Examples) == MaxExamples || key.table == Other ||
		slices.ContainsFunc(values, func(v string) bool { return len(v) > maxExample }) {
		return
	}
	example := KeyExample{Requests: 1}
	for _, v := range values {
		example.Values = append(example.Values, json.RawMessage(v))
	}
	row.Examples = append(row.Examples, example)
}

// leading matches the word, with the separator behind it, that begins the string in a value.
var leading = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\{"S":"(\$?[A-Za-z]+(?:[_-][A-Za-z]+)*[#|:/~_])`)
})

// wordsOf returns the words that begin values.
func wordsOf(values []string) string {
	var b strings.Builder
	for _, v := range values {
		if found := leading().FindStringSubmatch(v); found != nil {
			b.WriteString(found[1])
		}
		b.WriteByte(0)
	}
	return b.String()
}

// byKeys returns the reads by key, those with the most requests first.
func (r *Recorder) byKeys() []KeyReport {
	list := []KeyReport{}
	for k, row := range r.keys {
		if k.table == Other {
			continue
		}
		report := *row
		report.Operation, report.Table, report.Index, report.KeyCondition =
			k.operation, k.table, k.index, k.condition
		report.Descending, report.Consistent, report.Limit = k.descending, k.consistent, k.limit
		report.Examples = slices.Clone(row.Examples)
		list = append(list, report)
	}
	slices.SortFunc(list, func(a, b KeyReport) int {
		return cmp.Or(cmp.Compare(b.Requests, a.Requests), cmp.Compare(a.Table, b.Table),
			cmp.Compare(jsonOf(&a), jsonOf(&b)))
	})
	return list
}

// jsonOf is the text that decides the order of reports that are alike otherwise.
func jsonOf(report any) string {
	b, _ := json.Marshal(report)
	return string(b)
}
