package races

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
)

const (
	// MaxFindings is how many findings a report has.
	MaxFindings = 200
	// maxTries is how often a kind of requests is replayed before it counts as guarded.
	maxTries = 3
)

// access is an exchange as Find sees it.
type access struct {
	*Exchange
	number int // its number in the recording, from 1
	does   *request.Request
	writes []target
	reads  []target
	shape  string // see shapeOf
}

// target is an item that a request reads or writes.
type target struct {
	table string
	key   item.Item
	write *request.Write
}

// id names the item.
func (t *target) id() string { return t.table + "\x00" + string(t.key.JSON()) }

// step describes the request for an item.
func (a *access) step(t target) Step {
	return Step{a.number, a.Operation, t.table, string(t.key.JSON())}
}

// Find looks for races in recorded requests. It takes n log n time for n requests, and replays at
// most a few of each kind.
func Find(recording *Recording) (*Report, error) {
	list := recording.Exchanges
	f := &finder{tables: tablesOf(list), callers: map[string]*caller{}, groups: map[string]*group{}}
	var err error
	if f.template, err = newTemplate(f.tables); err != nil {
		return nil, err
	}
	for _, a := range f.inOrder(list) {
		f.take(a)
	}
	f.end()
	r := &Report{Requests: len(list), Callers: len(f.callers), Findings: []Finding{},
		Partial: recording.Partial, Full: f.full}
	for _, g := range f.found {
		if g.finding != nil && !g.again {
			g.finding.Count = g.count
			r.Findings = append(r.Findings, *g.finding)
		}
	}
	if len(r.Findings) > MaxFindings {
		r.Findings, r.Full = r.Findings[:MaxFindings], true
	}
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		return cmp.Compare(a.Requests[0].Request, b.Requests[0].Request)
	})
	return r, nil
}

// tablesOf returns the keys of the tables, by what requests for single items show.
func tablesOf(list []*Exchange) map[string][]keyPart {
	tables := map[string][]keyPart{}
	for _, x := range list {
		for _, t := range x.Items {
			key := itemOf(t.Key)
			if tables[t.Table] != nil || key == "" || key.Len() < 1 || key.Len() > 2 {
				continue
			}
			for name, v := range key.All() {
				tables[t.Table] = append(tables[t.Table], keyPart{name, typeOf(v)})
			}
		}
	}
	return tables
}

// typeOf returns the name of a value's type: S of {"S":"a"}.
func typeOf(v item.Value) string { return string(v[2:3]) }

// inOrder returns the requests on items in the order in which they began.
func (f *finder) inOrder(list []*Exchange) []*access {
	var all []*access
	for i, x := range list {
		does, err := request.FromJSON(x.Operation, x.Request)
		if err != nil || len(does.Reads)+len(does.Writes) == 0 {
			continue // the service refuses it as well, or it is not about items
		}
		a := &access{Exchange: x, number: i + 1, does: does}
		for j := range does.Writes {
			w := &does.Writes[j]
			if key := f.keyOf(w.Table, w.Attributes()); key != "" {
				a.writes = append(a.writes, target{w.Table, key, w})
			}
		}
		for j := range does.Reads {
			r := &does.Reads[j]
			if key := f.keyOf(r.Table, r.Key); key != "" {
				a.reads = append(a.reads, target{r.Table, key, nil})
			}
		}
		a.shape = shapeOf(a)
		all = append(all, a)
	}
	slices.SortStableFunc(all, func(a, b *access) int { return a.Time.Compare(b.Time) })
	return all
}

// keyOf returns the key among the attributes of an item, "" if it is not there.
func (f *finder) keyOf(table string, it item.Item) item.Item {
	if it == "" {
		return ""
	}
	var names []string
	for _, part := range f.tables[table] {
		if it.Get(part.name) == "" {
			return ""
		}
		names = append(names, part.name)
	}
	if names == nil {
		return ""
	}
	return it.Only(names...)
}

// shapeOf returns what requests from the same place of a program have in common.
func shapeOf(a *access) string {
	type parts struct {
		TableName           string `json:",omitempty"`
		UpdateExpression    string `json:",omitempty"`
		ConditionExpression string `json:",omitempty"`
		Statement           string `json:",omitempty"`
	}
	var text struct {
		parts
		TransactItems []map[string]parts `json:",omitempty"`
	}
	_ = json.Unmarshal(a.Request, &text) // what cannot be read is empty
	shape, err := json.Marshal(&text)
	if err != nil {
		return a.Operation
	}
	var s strings.Builder
	s.WriteString(a.Operation + string(shape))
	for i := range a.writes {
		s.WriteString(a.writes[i].table + firstWords(a.writes[i].key))
	}
	return s.String()
}

// firstWords returns the text that the keys of items of one kind begin with: USER of USER#7.
func firstWords(key item.Item) string {
	var words []string
	for _, v := range key.All() {
		if v.Type() != item.S {
			continue
		}
		if end := strings.IndexAny(v.Str(), "#/:-"); end >= 0 {
			words = append(words, v.Str()[:end])
		}
	}
	return strings.Join(words, ",")
}
