package emulator

import (
	"slices"

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
