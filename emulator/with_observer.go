package emulator

import "slices"

// WithObserver makes the service call f for each call of an operation: see Emulator.Observe. Forks
// call f as well. Several observers may be given.
func WithObserver(f func(*Event)) Option {
	return func(s *settings) { s.observing = append(slices.Clip(s.observing), f) }
}
