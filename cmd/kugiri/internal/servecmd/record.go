package servecmd

import (
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/traffic/races"
)

// recorded makes the server write its requests to the file of --record. An error of that is logged
// at once. stop ends the recording, and returns the error once more: the command fails with it,
// also after a signal.
func (s *serveSettings) recorded(logger *slog.Logger) (opts []emulator.Option, stop func() error,
	err error) {
	if s.record == "" {
		return nil, func() error { return nil }, nil
	}
	f, err := os.OpenFile(s.record, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, nil, fmt.Errorf("record: %w", err)
	}
	r := races.NewRecorder(f)
	r.OnError(func(err error) { logger.Error("not all requests are recorded", "error", err) })
	stop = func() error {
		if err := errors.Join(r.End(), f.Close()); err != nil {
			return cli.Loss(fmt.Errorf("record: %w", err))
		}
		return nil
	}
	return []emulator.Option{emulator.WithObserver(r.Observe)}, stop, nil
}
