// Package observe has what observers are told of a request, and what records it.
package observe

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/emulator/iam"
	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Event has the fields of emulator.Event, which documents them.
type Event struct {
	Time          time.Time
	Duration      time.Duration
	Operation     string
	Tables        []string
	AccessKey     string
	Region        string
	Remote        string
	Status        int
	Error         string
	Message       string
	RequestID     string
	RequestBytes  int
	ResponseBytes int
	Capacity      []Capacity
	Evaluated     int
	Returned      int
	Written       int
	Reads         []EventRead
	Access        []EventAccess

	// Shown holds the form of the event for observers, in memory that stays with the Recording.
	// IsShown says that it shows this event, and not the one before.
	Shown   any
	IsShown bool

	exchange Exchange
	recorded *Recording
}

// Exchange is a request and its answer as they were sent.
type Exchange struct {
	Header  http.Header
	Request string
	Answer  []byte
}

// Exchange returns the request and its answer. An observer may use all of it until it returns, and
// must not change it.
func (e *Event) Exchange() Exchange { return e.exchange }

// Capacity has the fields of emulator.Capacity.
type Capacity struct {
	Table      string
	Index      string
	Read       float64
	Write      float64
	ReadBytes  float64
	WriteBytes float64
}

// EventRead has the fields of emulator.EventRead.
type EventRead struct {
	Table      string
	Index      string
	Scan       bool
	Consistent bool
	Reverse    bool
	Filtered   bool
	Fetched    bool
	More       bool
	Limit      int
	Evaluated  int
	Returned   int
	Units      float64

	fetched float64 // units of the table, if Fetched
	key     *storage.KeySchema
	terms   []expr.KeyTerm
	many    bool // partitions, of a SELECT
	filter  *expr.Condition

	names []string // the attributes of inline filters of a search
}

// EventPartition has the fields of emulator.EventPartition.
type EventPartition struct {
	Table string
	Index string
	Key   string
	Write bool
	Units float64
}

// EventGet is the read of an item by its key, whether there is such an item or not.
type EventGet struct {
	Table string
	Key   []string // the values of the key, in its order and in DynamoDB's JSON
}

// EventItem is an item that a request gets, writes or checks by its key, whether there is such an
// item or not.
type EventItem struct {
	Table string
	Key   string // DynamoDB's JSON: {"id":{"S":"7"}}
	Write bool   // it uses write units
}

// touches returns what was recorded of partition keys.
func (e *Event) touches() []Touch {
	if e.recorded == nil {
		return nil
	}
	return e.recorded.Touches
}

// Partitions returns what the request used of each partition key. It computes the list at each
// call. Several entries may have the same key.
func (e *Event) Partitions() []EventPartition {
	touches := e.touches()
	list := make([]EventPartition, 0, len(touches)+len(e.Reads))
	for i := range touches {
		t := &touches[i]
		if key, ok := PartitionText(t.Key, t.Keyed.Get); ok {
			list = append(list, EventPartition{t.Table, t.Index, key, t.Write, t.Units})
		}
	}
	for i := range e.Reads {
		r := &e.Reads[i]
		if r.Scan || r.many {
			continue
		}
		if key, ok := PartitionText(r.key,
			func(name string) item.Value { return EqualOf(r, name) }); ok {
			list = append(list, EventPartition{r.Table, r.Index, key, false, r.Units - r.fetched})
			if r.Fetched { // a local index has the partition key of its table
				list = append(list, EventPartition{r.Table, "", key, false, r.fetched})
			}
		}
	}
	return list
}

// Gets returns the items that a request gets by their keys.
func (e *Event) Gets() (list []EventGet) {
	touches := e.touches()
	for i := range touches {
		t := &touches[i]
		if t.Write || t.Index != "" {
			continue
		}
		var key []string
		for _, attributes := range [...][]storage.KeyAttribute{t.Key.Hash, t.Key.Range} {
			for j := range attributes {
				key = append(key, strings.Clone(string(t.Keyed.Get(attributes[j].Name))))
			}
		}
		list = append(list, EventGet{t.Table, key})
	}
	return list
}

// Items returns the items that a request gets, writes or checks by their keys.
func (e *Event) Items() (list []EventItem) {
	touches := e.touches()
	for i := range touches {
		if t := &touches[i]; t.Index == "" {
			list = append(list, EventItem{t.Table, keyObject(t.Key, t.Keyed), t.Write})
		}
	}
	return list
}

// keyObject formats the key of an item as an object of JSON.
func keyObject(ks *storage.KeySchema, keyed item.Item) string {
	b := []byte{'{'}
	for _, attributes := range [...][]storage.KeyAttribute{ks.Hash, ks.Range} {
		for i := range attributes {
			if len(b) > 1 {
				b = append(b, ',')
			}
			name, _ := json.Marshal(attributes[i].Name) // a string always has a form in JSON
			b = append(append(append(b, name...), ':'), keyed.Get(attributes[i].Name)...)
		}
	}
	return string(append(b, '}'))
}

// EqualOf returns the value that the key condition of a read requires an attribute to equal, or "".
func EqualOf(r *EventRead, name string) item.Value {
	if t := keys.TermOf(r.terms, name); t != nil && t.Op == expr.KeyEqual {
		return t.Value
	}
	return ""
}

// PartitionText formats a partition key. value returns an attribute by its name. ok is false if an
// attribute is missing, or if a vector index has no partition key.
func PartitionText(ks *storage.KeySchema, value func(name string) item.Value) (text string,
	ok bool) {
	var b []byte
	for i := range ks.Hash {
		v := value(ks.Hash[i].Name)
		if v == "" {
			return "", false
		}
		if i > 0 {
			b = append(b, ", "...)
		}
		b = appendKeyText(b, v)
	}
	return string(b), len(ks.Hash) > 0
}

// appendKeyText appends a value of a key: {"S":"a"} as "a", {"N":"1"} as 1, {"B":"AA=="} as AA==.
func appendKeyText(b []byte, v item.Value) []byte {
	switch v.Type() {
	case item.S:
		return strconv.AppendQuote(b, v.Str())
	case item.N:
		return append(b, v.Num()...)
	}
	return append(b, strings.Trim(string(v[len(`{"B":`):len(v)-1]), `"`)...)
}

// KeyCondition returns the key condition without its values, in the order of the key: "pk = ? AND
// begins_with(sk, ?)". It is "" for a Scan.
func (r *EventRead) KeyCondition() string {
	if r.Scan {
		return ""
	}
	var parts []string
	for _, attributes := range [...][]storage.KeyAttribute{r.key.Hash, r.key.Range} {
		for i := range attributes {
			if t := keys.TermOf(r.terms, attributes[i].Name); t != nil {
				parts = append(parts, termText(t))
			}
		}
	}
	if r.many {
		parts = append(parts, "in several partitions")
	}
	return strings.Join(parts, " AND ")
}

// KeyValues returns the values of the key condition in its order, in DynamoDB's JSON.
func (r *EventRead) KeyValues() []string {
	if r.Scan {
		return nil
	}
	var list []string
	for _, attributes := range [...][]storage.KeyAttribute{r.key.Hash, r.key.Range} {
		for i := range attributes {
			t := keys.TermOf(r.terms, attributes[i].Name)
			if t == nil {
				continue
			}
			list = append(list, strings.Clone(string(t.Value)))
			if t.Op == expr.KeyBetween {
				list = append(list, strings.Clone(string(t.Hi)))
			}
		}
	}
	return list
}

func termText(t *expr.KeyTerm) string {
	switch t.Op {
	case expr.KeyBetween:
		return t.Name + " BETWEEN ? AND ?"
	case expr.KeyBeginsWith:
		return "begins_with(" + t.Name + ", ?)"
	}
	return t.Name + " " + string(t.Op) + " ?"
}

// FilterAttributes returns the top-level attributes that the filter uses, in alphabetical order.
func (r *EventRead) FilterAttributes() []string {
	switch {
	case r.names != nil:
		return slices.Clone(r.names)
	case r.filter == nil:
		return nil
	}
	var names []string
	for _, name := range r.filter.Attributes() {
		names = append(names, strings.Clone(name))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// EventAccess is a permission that a request needs, and the decision about it.
type EventAccess struct {
	Action   string // "dynamodb:GetItem"
	Resource string // ARN, or "*"
	iam.Decision
}
