package emulator

import (
	"context"
	"slices"
	"sync"
	"time"
	"weak"
)

// Clock is a clock that stands still until it is moved, for tests in which time
// is to pass without being waited for: see WithHeldClock. All methods are safe
// for concurrent use. One clock may be given to several emulators.
type Clock struct {
	mu        sync.Mutex
	now       time.Time
	sleepers  []*sleeper // by deadline, of one deadline by age
	more      chan struct{}
	followers []weak.Pointer[Emulator] // a clock does not keep emulators alive
}

// sleeper waits for a time.
type sleeper struct {
	until time.Time
	wake  chan time.Time // has room for the one time that is sent
}

// NewClock returns a clock that shows a time.
func NewClock(at time.Time) *Clock { return &Clock{now: at} }

// Now returns the time that the clock shows.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock forward by d, and panics if d is negative. What waits
// for a time that has come is woken, earliest first, and before Advance returns
// all items that have expired are deleted (see Emulator.ExpireItems) in the
// emulators that have the clock. Everything else that depends on the time is
// worked out when it is asked for, and so has happened as well: the states of
// tables, the ends of iterators, tokens and stream records.
func (c *Clock) Advance(d time.Duration) {
	if d < 0 {
		panic("emulator: Clock.Advance by a negative duration; Set takes a clock back")
	}
	c.mu.Lock()
	c.show(c.now.Add(d))
	c.mu.Unlock()
	c.expire()
}

// Set has the clock show a time, and does what Advance does. A time that has
// passed may be set; what was done by then stays done.
func (c *Clock) Set(t time.Time) {
	c.setQuietly(t)
	c.expire()
}

// setQuietly is Set less the deletion of expired items.
func (c *Clock) setQuietly(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.show(t)
}

// show sets the time and wakes those for whom it has come. c.mu is held.
func (c *Clock) show(t time.Time) {
	c.now = t
	due := 0
	for due < len(c.sleepers) && !c.sleepers[due].until.After(t) {
		c.sleepers[due].wake <- t
		due++
	}
	c.sleepers = slices.Delete(c.sleepers, 0, due)
}

// After returns a channel on which the clock's time is sent once d has passed on
// it; that is at once if d is not positive.
func (c *Clock) After(d time.Duration) <-chan time.Time { return c.sleeper(d).wake }

func (c *Clock) sleeper(d time.Duration) *sleeper {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := &sleeper{c.now.Add(d), make(chan time.Time, 1)}
	if d <= 0 {
		s.wake <- c.now
		return s
	}
	at := len(c.sleepers)
	for at > 0 && c.sleepers[at-1].until.After(s.until) {
		at--
	}
	c.sleepers = slices.Insert(c.sleepers, at, s)
	if c.more != nil {
		close(c.more)
		c.more = nil
	}
	return s
}

// Sleep returns nil once d has passed on the clock, or when ctx ends its error.
func (c *Clock) Sleep(ctx context.Context, d time.Duration) error {
	s := c.sleeper(d)
	select {
	case <-s.wake:
		return nil
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sleepers = slices.DeleteFunc(c.sleepers, func(other *sleeper) bool { return other == s })
	return ctx.Err()
}

// AwaitSleepers returns nil once at least n calls of Sleep and After wait for the
// clock, or when ctx ends its error. A test whose request is to wait for a time
// calls it before it moves the clock there: otherwise the request might begin to
// wait only then.
func (c *Clock) AwaitSleepers(ctx context.Context, n int) error {
	for {
		c.mu.Lock()
		if len(c.sleepers) >= n {
			c.mu.Unlock()
			return nil
		}
		if c.more == nil {
			c.more = make(chan struct{})
		}
		more := c.more
		c.mu.Unlock()
		select {
		case <-more:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// follow has the expired items of e deleted whenever the clock is moved.
func (c *Clock) follow(e *Emulator) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.followers = slices.DeleteFunc(c.followers, func(f weak.Pointer[Emulator]) bool { return f.Value() == nil })
	c.followers = append(c.followers, weak.Make(e))
}

func (c *Clock) expire() {
	c.mu.Lock()
	followers := slices.Clone(c.followers)
	c.mu.Unlock()
	for _, f := range followers {
		if e := f.Value(); e != nil {
			e.ExpireItems()
		}
	}
}

// sleep waits until d has passed on the service's clock, or until ctx ends, whose
// error it then returns. Of a clock given by WithClock only the time is known, not
// when it moves: there, real time passes.
func (e *Emulator) sleep(ctx context.Context, d time.Duration) error {
	if e.held != nil {
		return e.held.Sleep(ctx, d)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
