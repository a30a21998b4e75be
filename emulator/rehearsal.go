package emulator

import "log/slog"

// Rehearsal returns a Fork to try requests on. Neither e nor its observers nor its log notice them.
// The fork has the policy of e, and none of its faults, limits of throughput, transaction hooks,
// credentials and routes.
func (e *Emulator) Rehearsal() *Emulator {
	return e.Fork(func(s *settings) {
		s.injected, s.enforced, s.TransactionHook, s.observing = nil, nil, nil, nil
		s.credentials, s.origins, s.allowedHosts, s.prefixes = nil, nil, nil, nil
		s.kinesis = nil
		s.Logger = slog.New(slog.DiscardHandler)
	})
}
