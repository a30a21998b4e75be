package emulator

import (
	"net/http"
	"slices"
	"time"

	"github.com/kugiri-db/kugiri/emulator/iam"
	"github.com/kugiri-db/kugiri/emulator/internal/observe"
)

// Event describes one call of an operation: its answer and what it used. An observer may use the
// Event until it returns; Clone makes a copy to keep. An observer may keep the strings.
type Event struct {
	Time      time.Time     // the moment at which the headers were read, on the service's clock
	Duration  time.Duration // the time until the answer was ready, on the service's clock
	Operation string        // "" if there is no such operation
	// the names of those it is about, in the order of the alphabet, whether they exist or not; none
	// if they could not be read
	Tables []string
	// the request's access key; "", like Region, if the signature has no valid one
	AccessKey string
	Region    string
	Remote    string // the client's address and port
	// HTTP's status; 0 if there was no answer, because a fault closed the connection or the client
	// had gone
	Status        int
	Error         string // the type of the error, "ValidationException"; "" for none
	Message       string // the message of the error, "" if it has none
	RequestID     string
	RequestBytes  int // the size of the body, as sent
	ResponseBytes int // the size of the body, before compression

	// Capacity is the consumed capacity, whether or not the request asks for it. Of the requests
	// that fail, only single writes with a failed condition consume capacity (Developer Guide,
	// "Capacity unit consumption for write operations").
	Capacity []Capacity

	// items that were read: those that a Query or Scan filters, and those that a get finds
	Evaluated int
	Returned  int // items that passed the filter, or were found
	Written   int // items that were changed or deleted

	// Reads are the pages read by Query, Scan, and SELECT by other than the key of one item in a
	// transaction, and what SearchVectors reads.
	Reads []EventRead

	// Access lists the permissions that the request needs, up to the first that is denied. It is
	// empty without WithIAM.
	Access []EventAccess

	recorded *observe.Event // nil: of a clone, which has the following instead
	settled  []EventPartition
	gets     []EventGet
	items    []EventItem
}

// Exchange is a request and its answer as they were sent.
type Exchange struct {
	Header  http.Header
	Request string // the body, decompressed; "" if it could not be read
	Answer  []byte // the body, before compression
}

// Capacity is the capacity that a request consumed of a table or an index.
type Capacity struct {
	Table string
	Index string // "" for the table itself
	Read  float64
	Write float64

	// A vector index has bytes instead of units: those that a search examines and returns, and
	// those that a write stores.
	ReadBytes  float64
	WriteBytes float64
}

// EventRead is a page that was read of a table or an index.
type EventRead struct {
	Table      string
	Index      string // "" for the table itself
	Scan       bool   // no partition key was given: all items were read, or a segment of them
	Consistent bool
	Reverse    bool // the read begins at the end of the sort keys
	Filtered   bool // there was a filter
	Fetched    bool // items of a local index were completed from the table
	More       bool // there is a LastEvaluatedKey
	Limit      int  // 0: none
	Evaluated  int  // items, before the filter
	Returned   int  // items, after the filter
	Units      float64

	recorded  *observe.EventRead // nil: of a clone, which has the following instead
	condition string
	values    []string
	names     []string
}

// EventPartition holds the units that a request used of one partition key. Reads without a
// partition key and SELECTs of several partition keys have no EventPartition.
type EventPartition struct {
	Table string
	Index string // "" for the table itself
	// the values of the key: strings quoted, numbers as they are, binary as base64; several with ",
	// " between
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

// EventAccess is a permission that a request needs, and the decision about it.
type EventAccess struct {
	Action   string // "dynamodb:GetItem"
	Resource string // ARN, or "*"
	iam.Decision
}

// tell returns an observer of package observe that shows f its events. The Events of one recording
// share memory.
func tell(f func(*Event)) func(*observe.Event) {
	return func(of *observe.Event) {
		shown, ok := of.Shown.(*Event)
		if !ok {
			shown = new(Event)
			of.Shown = shown
		}
		if !of.IsShown {
			shown.show(of)
			of.IsShown = true
		}
		f(shown)
	}
}

// show fills an Event.
func (e *Event) show(of *observe.Event) {
	capacity, reads, access := e.Capacity[:0], e.Reads[:0], e.Access[:0]
	*e = Event{Time: of.Time, Duration: of.Duration, Operation: of.Operation, Tables: of.Tables,
		AccessKey: of.AccessKey, Region: of.Region, Remote: of.Remote, Status: of.Status,
		Error: of.Error, Message: of.Message, RequestID: of.RequestID,
		RequestBytes: of.RequestBytes, ResponseBytes: of.ResponseBytes, Evaluated: of.Evaluated,
		Returned: of.Returned, Written: of.Written, recorded: of}
	for _, c := range of.Capacity {
		capacity = append(capacity, Capacity(c))
	}
	for i := range of.Reads {
		r := &of.Reads[i]
		reads = append(reads, EventRead{Table: r.Table, Index: r.Index, Scan: r.Scan,
			Consistent: r.Consistent, Reverse: r.Reverse, Filtered: r.Filtered, Fetched: r.Fetched,
			More: r.More, Limit: r.Limit, Evaluated: r.Evaluated, Returned: r.Returned,
			Units: r.Units, recorded: r})
	}
	for _, a := range of.Access {
		access = append(access, EventAccess(a))
	}
	e.Capacity, e.Reads, e.Access = capacity, reads, access
}

// Clone returns a copy that the service never changes or reuses.
func (e *Event) Clone() *Event {
	c := *e
	c.Tables, c.Capacity = slices.Clone(e.Tables), slices.Clone(e.Capacity)
	c.Access, c.Reads = slices.Clone(e.Access), slices.Clone(e.Reads)
	c.settled, c.gets, c.items, c.recorded = e.Partitions(), e.Gets(), e.Items(), nil
	for i := range c.Reads {
		r := &c.Reads[i]
		r.condition, r.values, r.names = r.KeyCondition(), r.KeyValues(), r.FilterAttributes()
		r.recorded = nil
	}
	return &c
}

// Exchange returns the request and its answer. An observer may use all of it until it returns, and
// must not change it. A clone has none, so that keeping events does not keep bodies.
func (e *Event) Exchange() Exchange {
	if e.recorded == nil {
		return Exchange{}
	}
	return Exchange(e.recorded.Exchange())
}

// Partitions returns what the request used of each partition key. It computes the list at each
// call. Several entries may have the same key.
func (e *Event) Partitions() []EventPartition {
	if e.recorded == nil {
		return append([]EventPartition{}, e.settled...)
	}
	list := []EventPartition{}
	for _, p := range e.recorded.Partitions() {
		list = append(list, EventPartition(p))
	}
	return list
}

// Gets returns the items that a request gets by their keys.
func (e *Event) Gets() []EventGet {
	if e.recorded == nil {
		return slices.Clone(e.gets)
	}
	var list []EventGet
	for _, g := range e.recorded.Gets() {
		list = append(list, EventGet(g))
	}
	return list
}

// Items returns the items that a request gets, writes or checks by their keys.
func (e *Event) Items() []EventItem {
	if e.recorded == nil {
		return slices.Clone(e.items)
	}
	var list []EventItem
	for _, i := range e.recorded.Items() {
		list = append(list, EventItem(i))
	}
	return list
}

// KeyCondition returns the key condition without its values, in the order of the key: "pk = ? AND
// begins_with(sk, ?)". It is "" for a Scan.
func (r *EventRead) KeyCondition() string {
	if r.recorded == nil {
		return r.condition
	}
	return r.recorded.KeyCondition()
}

// KeyValues returns the values of the key condition in its order, in DynamoDB's JSON.
func (r *EventRead) KeyValues() []string {
	if r.recorded == nil {
		return slices.Clone(r.values)
	}
	return r.recorded.KeyValues()
}

// FilterAttributes returns the top-level attributes that the filter uses, in alphabetical order.
func (r *EventRead) FilterAttributes() []string {
	if r.recorded == nil {
		return slices.Clone(r.names)
	}
	return r.recorded.FilterAttributes()
}
