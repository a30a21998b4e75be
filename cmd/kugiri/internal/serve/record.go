package serve

import (
	"errors"
	"fmt"
	"os"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/traffic/races"
)

// recorded makes the server write its requests to the file of --record. stop closes the file, and
// returns the first error of writing to it.
func (s *serveSettings) recorded() (opts []emulator.Option, stop func() error, err error) {
	if s.record == "" {
		return nil, func() error { return nil }, nil
	}
	f, err := os.OpenFile(s.record, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, nil, fmt.Errorf("record: %w", err)
	}
	r := races.NewRecorder(f)
	stop = func() error {
		if err := errors.Join(r.Err(), f.Close()); err != nil {
			return fmt.Errorf("record: %w", err)
		}
		return nil
	}
	return []emulator.Option{emulator.WithObserver(r.Observe)}, stop, nil
}
