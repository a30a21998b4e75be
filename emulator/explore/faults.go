package explore

import (
	"context"
	"time"

	"github.com/kugiri-db/kugiri/emulator/explore/search"
)

// Fault is a kind of failure that the service allows, or that happens to a worker.
type Fault = search.Fault

// The faults. Each hits one request.
const (
	LostAnswer  = search.LostAnswer  // the request is carried out, but its answer does not arrive
	ServerError = search.ServerError // status 500; the request does nothing
	Throttled   = search.Throttled   // the request does nothing
	Unprocessed = search.Unprocessed // half of a batch is left unprocessed
	Conflict    = search.Conflict    // the items are part of another transaction
	// An eventually consistent read, of a table or an index, does not show the last write to its
	// table yet; or the last two, or the last three.
	Stale1 = search.Stale1
	Stale2 = search.Stale2
	Stale3 = search.Stale3
	// The worker dies before its request is sent, or after it is carried out. Only workers with a
	// Restart die.
	DiesBefore = search.DiesBefore
	DiesAfter  = search.DiesAfter
	// The clock moves before the request, or before a worker begins: see ClockMoves. What has
	// expired then is deleted at once, or kept, for TTL deletes items within a few days.
	Later     = search.Later
	LaterKept = search.LaterKept
	Expired   = search.Expired // TTL deletes what has expired before the request
	// The clock of a worker is ahead of that of the others in all of the run: see ClockSkew.
	Skewed = search.Skewed
	// A consumer gets a batch once more, although its handler has handled it: see X.Consume.
	Redelivered = search.Redelivered
)

// Faults has the search try every way in which at most k of a run's requests are hit by faults: by
// the given ones, or by all that there are. It tries no faults first, then one, and so on.
func Faults(k int, kinds ...Fault) Option {
	return func(o *options) {
		if o.Options.Faults, o.Kinds = k, kinds; len(kinds) == 0 {
			o.Kinds = search.AllFaults
		}
	}
}

// ClockMoves says by how much the faults Later and LaterKept move the clock: past a lease, for
// example. Without it there is no Later, and LaterKept only keeps what expires while workers sleep.
func ClockMoves(d time.Duration) Option { return func(o *options) { o.Moves = d } }

// ClockSkew says by how much the fault Skewed has the clock of a worker be ahead of those of the
// other workers and of the service. A worker reads its clock by Now: time.Now is the same for all.
func ClockSkew(d time.Duration) Option { return func(o *options) { o.Skew = d } }

// Now returns the time on the clock of the worker whose context ctx is, which may be ahead: see
// ClockSkew. For other contexts it is time.Now. Give it to a program as its clock:
//
//	store.Now = func() time.Time { return explore.Now(ctx) }
func Now(ctx context.Context) time.Time {
	now := time.Now()
	if s, ok := ctx.Value(workerKey{}).(*search.WorkerClient); ok {
		now = now.Add(s.Ahead())
	}
	return now
}
