package emulator

import "time"

// Fork returns an independent service with everything that e has at this moment:
// the tables, indexes and streams of all namespaces, and the tokens of
// transactions. It takes the same time whatever the amount of data, which both
// share until one of them changes it, and may be called while requests run, each
// of which is in the fork whole or not at all. Servers of e go on serving e.
//
//   - The options are those of e, changed by opts. WithSharedData can not be among them if e has
//     not got it: Fork then panics.
//   - A held clock is forked as well: the fork has one of its own, which shows the same time (see
//     Emulator.Clock). Any other is shared.
//   - The fork makes the same ids for the same requests as e would, unless opts have WithRandom.
//   - The faults that are injected are injected into the fork anew: they count from the start.
//   - Transactions that are open (see WithTransactionHook) are not part of the fork, and their
//     items are free there.
func (e *Emulator) Fork(opts ...Option) *Emulator {
	s := e.settings
	if s.held != nil {
		WithHeldClock(NewClock(s.held.Now()))(&s)
	}
	s.randomness = nil
	s.injected = e.service.Faults.List()
	for _, o := range opts {
		o(&s)
	}
	if s.Shared != e.service.Shared {
		panic("emulator: a fork shows the same tables to all access keys and regions only if its original does: WithSharedData")
	}
	s.checkIAM()
	f := newEmulator(s)
	if s.randomness == nil {
		f.service.Random.Fork(&e.service.Random)
	} else {
		f.service.Random.Seed(s.randomness)
	}
	f.service.Namespaces.Stores = e.service.Namespaces.Fork(f.service.Storage)
	return f
}

// Clock returns the clock that the service goes by if it was given by
// WithHeldClock, or is a fork's copy of such a clock, and otherwise nil.
func (e *Emulator) Clock() *Clock { return e.settings.held }

// Now returns the time on the service's clock.
func (e *Emulator) Now() time.Time { return e.service.Clock() }
