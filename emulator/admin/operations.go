package admin

import (
	"encoding/json"
	"strings"
	"sync"
	"time"

	"github.com/kugiri-db/kugiri/emulator"
)

// Limits of what a recording keeps of the latest requests.
const (
	maxOperations = 1000
	maxMessage    = 1000 // bytes of the message of an error
	maxTables     = 10   // tables of a request
	maxItems      = 10   // items of a request
	maxKey        = 2048 // bytes of the key of an item, or of the values of a key condition
)

// operationsInfo is a list of the latest requests, the oldest first.
type operationsInfo struct {
	Since time.Time `json:"since"`
	// id of the last request that was recorded, 0 for none
	Last       int64           `json:"last"`
	Missed     int64           `json:"missed"` // requests that are no longer kept
	Operations []operationInfo `json:"operations"`
}

// operationInfo is a request and its answer.
type operationInfo struct {
	ID            int64      `json:"id"` // 1, 2 and so on in a recording
	Time          time.Time  `json:"time"`
	Milliseconds  float64    `json:"milliseconds"` // the time of the clock
	Operation     string     `json:"operation"`
	Tables        []string   `json:"tables"`
	AccessKey     string     `json:"accessKey"`
	Region        string     `json:"region"`
	Status        int        `json:"status"`
	Error         string     `json:"error,omitempty"`
	Message       string     `json:"message,omitempty"`
	RequestID     string     `json:"requestId"`
	RequestBytes  int        `json:"requestBytes"`
	ResponseBytes int        `json:"responseBytes"`
	ReadUnits     float64    `json:"readUnits"`
	WriteUnits    float64    `json:"writeUnits"`
	Evaluated     int        `json:"evaluated"`
	Returned      int        `json:"returned"`
	Written       int        `json:"written"`
	Items         []itemInfo `json:"items"`
	Reads         []readInfo `json:"reads"`
}

// itemInfo is an item that a request gets, writes or checks by its key.
type itemInfo struct {
	Table string          `json:"table"`
	Key   json.RawMessage `json:"key"` // DynamoDB's JSON
}

// readInfo is a page that a request reads.
type readInfo struct {
	Table        string `json:"table"`
	Index        string `json:"index,omitempty"`
	Scan         bool   `json:"scan"`
	KeyCondition string `json:"keyCondition,omitempty"` // the condition without its values
	// the values of the key condition, in DynamoDB's JSON
	Values     []json.RawMessage `json:"values"`
	Filter     string            `json:"filter,omitempty"` // the attributes in the filter
	Descending bool              `json:"descending"`
	Evaluated  int               `json:"evaluated"`
	Returned   int               `json:"returned"`
}

func operationOf(e *emulator.Event) operationInfo {
	o := operationInfo{
		Time: e.Time, Milliseconds: milliseconds(e.Duration), Operation: e.Operation,
		Tables:    []string{},
		AccessKey: e.AccessKey, Region: e.Region, Status: e.Status, Error: e.Error,
		Message:      strings.ToValidUTF8(e.Message[:min(len(e.Message), maxMessage)], ""),
		RequestID:    e.RequestID,
		RequestBytes: e.RequestBytes, ResponseBytes: e.ResponseBytes,
		Evaluated: e.Evaluated, Returned: e.Returned, Written: e.Written, Items: itemsOf(e),
		Reads: readsOf(e),
	}
	o.Tables = append(o.Tables, e.Tables[:min(len(e.Tables), maxTables)]...)
	for i := range e.Capacity {
		o.ReadUnits += e.Capacity[i].Read
		o.WriteUnits += e.Capacity[i].Write
	}
	return o
}

// itemsOf returns the first items of a request that have short keys.
func itemsOf(e *emulator.Event) []itemInfo {
	list := []itemInfo{}
	for _, one := range e.Items() {
		if len(list) == maxItems {
			break
		}
		if len(one.Key) <= maxKey {
			list = append(list, itemInfo{one.Table, json.RawMessage(one.Key)})
		}
	}
	return list
}

// readsOf returns the first pages of a request, with the values of their conditions if these are
// short.
func readsOf(e *emulator.Event) []readInfo {
	list := []readInfo{}
	for i := range e.Reads[:min(len(e.Reads), maxItems)] {
		r := &e.Reads[i]
		info := readInfo{
			Table: r.Table, Index: r.Index, Scan: r.Scan, KeyCondition: r.KeyCondition(),
			Values: []json.RawMessage{},
			Filter: strings.Join(r.FilterAttributes(), ", "), Descending: r.Reverse,
			Evaluated: r.Evaluated, Returned: r.Returned,
		}
		if values := r.KeyValues(); len(strings.Join(values, "")) <= maxKey {
			for _, v := range values {
				info.Values = append(info.Values, json.RawMessage(v))
			}
		}
		list = append(list, info)
	}
	return list
}

// latest keeps the latest requests. The zero value is empty.
type latest struct {
	mu   sync.Mutex
	last int64           // id
	ring []operationInfo // the one with an id is at (id - 1) % maxOperations

	bodies bodies
}

func (l *latest) add(e *emulator.Event) {
	o := operationOf(e)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last++
	o.ID = l.last
	l.bodies.add(o.ID, e)
	if len(l.ring) < maxOperations {
		l.ring = append(l.ring, o)
		return
	}
	l.ring[(o.ID-1)%maxOperations] = o
}

// after returns the requests after that with an id, the id of the last, and how many requests
// between are no longer kept. An id that no request has yet is that of an earlier recording: all
// requests are after it.
func (l *latest) after(id int64) (list []operationInfo, last, missed int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if id > l.last {
		id = 0
	}
	from := max(id, l.last-int64(len(l.ring)))
	list = []operationInfo{}
	for next := from; next < l.last; next++ {
		list = append(list, l.ring[next%maxOperations])
	}
	return list, l.last, from - id
}
