package emulator

import (
	"context"
	"slices"
	"sync"
	"time"
	"weak"
)

// Clock is a clock that moves only when a test moves it, so that tests need not wait: see
// WithHeldClock. All methods are safe for concurrent use. Several emulators may share a clock.
type Clock struct {
	mu        sync.Mutex
	now       time.Time
	sleepers  []*sleeper // sorted by deadline; equal deadlines by age
	more      chan struct{}
	followers []weak.Pointer[Emulator] // a clock does not keep emulators alive
}

// sleeper waits for a time.
type sleeper struct {
	until time.Time
	wake  chan time.Time // the room is for the only time that is sent
}

// NewClock returns a clock that shows the given time.
func NewClock(at time.Time) *Clock { return &Clock{now: at} }

// Now returns the time that the clock shows.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock forward by d. It panics if d is negative. It wakes the sleepers whose
// deadline has passed, earliest first. Before it returns, it deletes all expired items (see
// Emulator.ExpireItems) in the emulators with this clock. Emulators compute everything else that
// depends on time when they need it, so it has also changed: the states of tables, and the ends of
// iterators, tokens and stream records.
func (c *Clock) Advance(d time.Duration) {
	if d < 0 {
		panic("emulator: Clock.Advance by a negative duration; Set takes a clock back")
	}
	c.mu.Lock()
	c.show(c.now.Add(d))
	c.mu.Unlock()
	c.expire()
}

// Set sets the time and has the effects of Advance. The new time may be earlier. Earlier effects
// then remain.
func (c *Clock) Set(t time.Time) {
	c.SetKeeping(t)
	c.expire()
}

// SetKeeping is Set without the deletion of expired items, which the service deletes later, too:
// within a few days (Developer Guide, "Using time to live (TTL) in DynamoDB").
func (c *Clock) SetKeeping(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.show(t)
}

// show sets the time and wakes the sleepers whose deadline has passed. The caller holds c.mu.
func (c *Clock) show(t time.Time) {
	c.now = t
	due := 0
	for due < len(c.sleepers) && !c.sleepers[due].until.After(t) {
		c.sleepers[due].wake <- t
		due++
	}
	c.sleepers = slices.Delete(c.sleepers, 0, due)
}

// After returns a channel that receives the clock's time after d has passed on the clock. If d is
// not positive it receives the time at once.
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

// Sleep returns nil after d has passed on the clock, or the error of ctx when ctx ends.
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

// AwaitSleepers returns nil as soon as at least n calls of Sleep and After wait for the clock, or
// the error of ctx when ctx ends. A test calls it before it moves the clock. Otherwise a request
// that should wait could begin to wait after the move.
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

// follow makes the clock delete the expired items of e whenever it moves.
func (c *Clock) follow(e *Emulator) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.followers = slices.DeleteFunc(c.followers,
		func(f weak.Pointer[Emulator]) bool { return f.Value() == nil })
	c.followers = append(c.followers, weak.Make(e))
}

func (c *Clock) expire() {
	c.mu.Lock()
	followers := slices.Clone(c.followers)
	c.mu.Unlock()
	for _, f := range followers {
		if e := f.Value(); e != nil {
			e.ExpireItems()
			e.Replicate()
		}
	}
}

// sleep waits until d has passed on the service's clock. If ctx ends first it returns the error of
// ctx. A clock given by WithClock shows the time but cannot wake sleepers, so sleep then waits in
// real time.
func (s *settings) sleep(ctx context.Context, d time.Duration) error {
	if s.held != nil {
		return s.held.Sleep(ctx, d)
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
