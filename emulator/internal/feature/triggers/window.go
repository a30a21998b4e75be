package triggers

import (
	"context"
	"time"

	"github.com/kugiri-db/kugiri/emulator/trigger"
)

// stepWindow calls the function with the batches of a tumbling window, and then with its end. The
// progress of the lane advances only then: a process that begins anew, or a lane after a panic,
// gets the window from its beginning, with an empty state. It returns the last change of the
// window, or 0 if there was none.
func (l *lane) stepWindow(ctx context.Context, clock trigger.Clock) (until uint64, err error) {
	defer func() { l.window, l.read = nil, 0 }()
	for ended := false; !ended && err == nil; {
		until, ended, err = l.stepInWindow(ctx, clock)
	}
	return until, err
}

// stepInWindow calls the function with the next batch of the window. It returns the last change of
// the window once that has ended.
func (l *lane) stepInWindow(ctx context.Context, clock trigger.Clock) (until uint64, ended bool,
	err error) {
	b, next, err := l.gather(ctx)
	defer func() { l.release(&b) }()
	switch {
	case err != nil:
		return 0, false, err
	case l.window == nil && len(b.Records) == 0: // there is nothing for the function
		if next > 0 {
			err = l.advance(next)
		}
		return next, true, err
	case l.window == nil:
		l.window = l.trigger.WindowOf(b.Records[0].Time)
	}
	if len(b.Records) == 0 && next > l.read && !b.last { // the filters passed over some
		l.read = next
		return 0, false, nil
	}
	if ended, err = l.deliverIn(ctx, clock, &b); err != nil {
		return 0, false, err
	}
	l.read = max(l.read, next)
	if !ended {
		return 0, false, nil
	}
	l.release(&b)
	b.Records = nil
	if err := l.trigger.EndWindow(ctx, clock, l.window, b.Batch); err != nil {
		return 0, false, err
	}
	return l.read, true, l.advance(l.read)
}

// deliverIn calls the function with a batch of the window, or waits for more records if the batch
// is empty. It reports whether the window has ended.
func (l *lane) deliverIn(ctx context.Context, clock trigger.Clock, b *collected) (ended bool,
	err error) {
	if len(b.Records) > 0 {
		err := l.trigger.DeliverIn(ctx, clock, l.window, b.Batch,
			func(string) error { return nil })
		return l.window.Full(), err
	}
	left := l.window.End.Sub(clock.Now())
	if b.last || left <= 0 {
		return true, nil
	}
	return false, l.await(ctx, left, func() (bool, error) { return true, nil })
}

// beyond reports whether a time is after the window that the lane's next batch belongs to.
func (l *lane) beyond(b *collected, at time.Time) bool {
	if l.trigger.TumblingWindow == 0 {
		return false
	}
	w := l.window
	if w == nil && len(b.Records) > 0 {
		w = l.trigger.WindowOf(b.Records[0].Time)
	}
	return w != nil && !w.Holds(at)
}
