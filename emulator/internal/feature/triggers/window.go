package triggers

import (
	"context"
	"time"

	"github.com/kugiri-db/kugiri/emulator/trigger"
)

// stepWindow calls the function with the batches of a tumbling window, and then with its end. The
// progress of the poller advances only then: a process that begins anew, or a poller after a panic,
// gets the window from its beginning, with an empty state. It returns the last change of the
// window, or 0 if there was none.
func (po *poller) stepWindow(ctx context.Context, clock trigger.Clock) (until uint64, err error) {
	defer func() { po.window, po.read = nil, 0 }()
	for ended := false; !ended && err == nil; {
		until, ended, err = po.stepInWindow(ctx, clock)
	}
	return until, err
}

// stepInWindow calls the function with the next batch of the window. It returns the last change of
// the window once that has ended.
func (po *poller) stepInWindow(ctx context.Context, clock trigger.Clock) (until uint64, ended bool,
	err error) {
	b, next, err := po.gather(ctx)
	defer func() { po.release(&b) }()
	switch {
	case err != nil:
		return 0, false, err
	case po.window == nil && len(b.Records) == 0: // there is nothing for the function
		if next > 0 {
			err = po.advance(next)
		}
		return next, true, err
	case po.window == nil:
		po.window = po.trigger.WindowOf(b.Records[0].Time)
	}
	if len(b.Records) == 0 && next > po.read && !b.last { // the filters passed over some
		po.read = next
		return 0, false, nil
	}
	if ended, err = po.deliverIn(ctx, clock, &b); err != nil {
		return 0, false, err
	}
	po.read = max(po.read, next)
	if !ended {
		return 0, false, nil
	}
	po.release(&b)
	b.Records = nil
	if err := po.trigger.EndWindow(ctx, clock, po.window, b.Batch); err != nil {
		return 0, false, err
	}
	return po.read, true, po.advance(po.read)
}

// deliverIn calls the function with a batch of the window, or waits for more records if the batch
// is empty. It reports whether the window has ended.
func (po *poller) deliverIn(ctx context.Context, clock trigger.Clock, b *collected) (ended bool,
	err error) {
	if len(b.Records) > 0 {
		err := po.trigger.DeliverIn(ctx, clock, po.window, b.Batch,
			func(string) error { return nil })
		return po.window.Full(), err
	}
	left := po.window.End.Sub(clock.Now())
	if b.last || left <= 0 {
		return true, nil
	}
	return false, po.await(ctx, left, func() (bool, error) { return true, nil })
}

// beyond reports whether a time is after the window that the poller's next batch belongs to.
func (po *poller) beyond(b *collected, at time.Time) bool {
	if po.trigger.TumblingWindow == 0 {
		return false
	}
	w := po.window
	if w == nil && len(b.Records) > 0 {
		w = po.trigger.WindowOf(b.Records[0].Time)
	}
	return w != nil && !w.Holds(at)
}
