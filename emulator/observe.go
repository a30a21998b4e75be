package emulator

import (
	"net/http"
	"slices"

	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
	"github.com/kugiri-db/kugiri/emulator/internal/observe"
)

// What observers are told of.
type (
	// Event describes one call of an operation: its answer and what it used.
	Event = observe.Event
	// EventRead is a page that was read of a table or an index.
	EventRead = observe.EventRead
	// EventPartition holds the units that a request used of one partition key.
	EventPartition = observe.EventPartition
	// EventGet is the read of an item by its key.
	EventGet = observe.EventGet
	// EventItem is an item that a request gets, writes or checks by its key.
	EventItem = observe.EventItem
	// Exchange is a request and its answer as they were sent.
	Exchange = observe.Exchange
	// EventAccess is a permission that a request needs, and the decision about it.
	EventAccess = observe.EventAccess
	// Capacity is the capacity that a request consumed of a table or an index.
	Capacity = observe.Capacity
)

// WithObserver makes the service call f for each call of an operation: see Emulator.Observe. Forks
// call f as well. Several observers may be given.
func WithObserver(f func(*Event)) Option {
	return func(s *settings) { s.observing = append(slices.Clip(s.observing), f) }
}

// Observe makes the service call f for each call of an operation, besides other observers, until
// stop is called. Forks do not call f. f runs in the goroutine that serves the request, before the
// client gets the answer. A client that has the answer can thus rely on f having returned. f must
// be safe for concurrent use. The service may or may not call f for requests in progress when
// Observe or stop is called.
//
// While there are observers, the service counts the capacity of all requests. Without observers a
// request loads one pointer.
func (e *Emulator) Observe(f func(*Event)) (stop func()) {
	return e.observers.Add(f)
}

// newEvent returns a Recording for a request, or nil if there are no observers.
func (e *Emulator) newEvent(r *http.Request) *observe.Recording {
	ev := e.observers.Begin()
	if ev != nil {
		ev.Time, ev.Remote = e.service.Clock(), r.RemoteAddr
		ev.Asks(r.Header)
	}
	return ev
}

// tell calls the observers with the event of a request. h has the headers of the answer, if the
// request got one.
func (e *Emulator) tell(ev *observe.Recording, h http.Header) {
	if ev == nil {
		return
	}
	ev.Duration = e.service.Clock().Sub(ev.Time)
	ev.RequestID = httpd.First(h["X-Amzn-Requestid"])
	ev.Tell()
	ev.Free()
}
