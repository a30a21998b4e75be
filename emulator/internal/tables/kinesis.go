package tables

import (
	"slices"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/storage"
)

// enableFailed is a state of a Kinesis destination (API Reference, KinesisDataStreamDestination,
// DestinationStatus).
const enableFailed = "ENABLE_FAILED"

// millisecond is the precision of a destination for which none was given (ack-api-quirks,
// DDB-TABLE-300, a probe of the service).
const millisecond = "MILLISECOND"

// Destinations are the Kinesis data streams that a table's changes go to or once went to, the
// latest first. At most one of them is live. The others stay listed (ack-api-quirks, DDB-TABLE-268
// and
// -301).
type Destinations []Destination

// Destination is a Kinesis data stream.
type Destination struct {
	Stream    string                                   // its ARN
	Precision api.ApproximateCreationDateTimePrecision // "" if none was given
	State     Transition
	Settled   string // the state after State has passed: ACTIVE, DISABLED or ENABLE_FAILED
	Why       string // the description of ENABLE_FAILED
}

// maxDestinations limits how many destinations a table lists. Beyond it the oldest are forgotten.
const maxDestinations = 100

// Status returns the state of the destination of a table that may be being deleted. The service
// shows a live destination then as UPDATING (ack-api-quirks, DDB-TABLE-236).
func (d *Destination) Status(now time.Time, deleted bool) string {
	status := d.State.At(now)
	if status == Active {
		status = d.Settled
	}
	if status == Active && deleted {
		return Updating
	}
	return status
}

// precision returns the precision of the times in the destination's records.
func (d *Destination) precision() api.ApproximateCreationDateTimePrecision {
	if d.Precision == "" {
		return millisecond
	}
	return d.Precision
}

// Find returns the destination of a stream, or nil.
func (l Destinations) Find(stream string) *Destination {
	for i := range l {
		if l[i].Stream == stream {
			return &l[i]
		}
	}
	return nil
}

// Enable returns the destinations with one that is being enabled. If why is not "", that fails.
func (l Destinations) Enable(stream string, p api.ApproximateCreationDateTimePrecision, why string,
	until time.Time) Destinations {
	d := Destination{
		Stream: stream, Precision: p, State: Transition{enabling, until}, Settled: Active, Why: why,
	}
	if why != "" {
		d.Settled = enableFailed
	}
	l = slices.Clone(l)
	if old := l.Find(stream); old != nil {
		*old = d
		return l
	}
	return slices.Insert(l[:min(len(l), maxDestinations-1)], 0, d)
}

// Disable returns the destinations with that of a stream, which is ACTIVE, being disabled.
func (l Destinations) Disable(stream string, until time.Time) Destinations {
	l = slices.Clone(l)
	*l.Find(stream) = Destination{
		Stream: l.Find(stream).Stream, State: Transition{disabling, until}, Settled: disabled,
	}
	return l
}

// CheckPrecision returns an error if a destination has a precision already.
func (d *Destination) CheckPrecision(t *storage.Table,
	p api.ApproximateCreationDateTimePrecision) error {
	if d.precision() == p {
		return apierr.Invalid(
			"Invalid Request: Precision is already set to the desired value of %s for tableId: %s, kdsArn: %s",
			p, t.ID, d.Stream)
	}
	return nil
}

// Update returns the destinations with another precision of that of a stream, which is ACTIVE.
func (l Destinations) Update(stream string, p api.ApproximateCreationDateTimePrecision,
	until time.Time) Destinations {
	l = slices.Clone(l)
	d := l.Find(stream)
	d.Precision, d.State = api.ApproximateCreationDateTimePrecision(
		strings.Clone(string(p))), Transition{Updating, until}
	return l
}

// Describe describes the destinations of a table that may be being deleted.
func (l Destinations) Describe(now time.Time, deleted bool) []api.KinesisDataStreamDestination {
	list := make([]api.KinesisDataStreamDestination, len(l))
	for i := range l {
		d, to := &l[i], &list[i]
		status := d.Status(now, deleted)
		to.StreamArn = api.Ref(api.StreamArn(d.Stream))
		to.DestinationStatus = api.Ref(api.DestinationStatus(status))
		if d.Precision != "" {
			to.ApproximateCreationDateTimePrecision = api.Ref(d.Precision)
		}
		if status == enableFailed {
			to.DestinationStatusDescription = api.Ref(d.Why)
		}
	}
	return list
}

// destinationRecord is a Destination as a journal keeps it.
type destinationRecord struct {
	Stream    string
	Precision api.ApproximateCreationDateTimePrecision
	State     transitionRecord
	Settled   string
	Why       string
}

func recordDestinations(l Destinations) (list []destinationRecord) {
	for _, d := range l {
		list = append(list,
			destinationRecord{d.Stream, d.Precision, recordTransition(d.State), d.Settled, d.Why})
	}
	return list
}

func destinations(list []destinationRecord) (l Destinations) {
	for _, d := range list {
		l = append(l, Destination{d.Stream, d.Precision, d.State.transition(), d.Settled, d.Why})
	}
	return l
}
