package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/pflag"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/admin"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

// adminSettings hold the flags for a server that one test suite has for itself.
type adminSettings struct {
	enabled     bool
	allowRemote bool
	token       string
	clock       string
	seeds       []string
}

func (s *adminSettings) registerSeeds(f *pflag.FlagSet) {
	f.StringSliceVar(&s.seeds, "seed", nil, "`files` and directories of tables and items, with commas between: what every access key begins with")
}

func (s *adminSettings) registerClock(f *pflag.FlagSet) {
	f.StringVar(&s.clock, "clock", "real", "`clock` to go by: real, held at the time of the start, or held at a time such as 2026-01-02T03:04:05Z")
}

func (s *adminSettings) register(f *pflag.FlagSet) {
	f.BoolVar(&s.enabled, "admin", false, "serve the admin API, below "+admin.Prefix+", for this machine")
	f.BoolVar(&s.allowRemote, "admin-allow-remote", false, "serve the admin API for other machines, too, and through proxies")
	f.StringVar(&s.token, "admin-token", "", "`token` that requests to the admin API must have: Authorization: Bearer TOKEN")
}

func (s *adminSettings) check() error {
	if s.allowRemote && !s.enabled {
		return errors.New("admin-allow-remote: there is no admin API without --admin")
	}
	if s.token != "" && !s.enabled {
		return errors.New("admin-token: there is no admin API without --admin")
	}
	_, err := s.heldClock()
	return err
}

// heldClock is nil if the clock goes by itself.
func (s *adminSettings) heldClock() (*emulator.Clock, error) {
	switch s.clock {
	case "real":
		return nil, nil
	case "held":
		return emulator.NewClock(emulator.New().Now()), nil
	}
	at, err := time.Parse(time.RFC3339, s.clock)
	if err != nil {
		return nil, fmt.Errorf("clock %q: a clock is real, held, or a time such as 2026-01-02T03:04:05Z", s.clock)
	}
	return emulator.NewClock(at), nil
}

// options returns the options that the settings add to others. What --seed loads has to follow the
// policy, unless that is nil.
func (s *adminSettings) options(ctx context.Context, others []emulator.Option, p *policy.Engine, logger *slog.Logger) (opts []emulator.Option, err error) {
	clock, err := s.heldClock()
	if err != nil {
		return nil, err
	}
	if clock != nil {
		opts = append(opts, emulator.WithHeldClock(clock))
	}
	if len(s.seeds) > 0 {
		data, err := seed.ReadFiles(s.seeds...)
		if err != nil {
			return nil, fmt.Errorf("seed: %w", err)
		}
		at := append(append(others[:len(others):len(others)], opts...), emulator.WithTableDelays(0, 0, 0))
		seeded := emulator.New(at...)
		if err := data.Load(seeded.HTTPClient("seed", "us-east-1")); err != nil {
			return nil, fmt.Errorf("seed: %w", err)
		}
		if err := checkSeed(ctx, seeded, p, logger); err != nil {
			return nil, fmt.Errorf("seed: %w", err)
		}
		opts = append(opts, emulator.WithInitialData(seeded, "seed", "us-east-1"))
	}
	if s.enabled {
		opts = append(opts, admin.Enable(admin.Options{AllowRemote: s.allowRemote, Token: s.token}))
	}
	return opts, nil
}
