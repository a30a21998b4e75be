package serve

import (
	"errors"
	"log/slog"
	"runtime/debug"
)

// ErrPanic is the error of work that panicked.
var ErrPanic = errors.New("panic")

// Recovering does work that no request waits for. If the work panics, the log has the stack and the
// error is ErrPanic: the process goes on, and so does one that finds the same work at its start.
func (s *Service) Recovering(what string, work func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			s.Logger.Error("panic in the background", slog.String("work", what),
				slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
			err = ErrPanic
		}
	}()
	return work()
}
