package servecmd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/spf13/pflag"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/console"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/definition"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/parameters"
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/admin"
)

// adminSettings hold the flags for a server that one test suite has for itself.
type adminSettings struct {
	enabled     bool
	allowRemote bool
	token       string
	console     bool   // serve the console, and the API for it
	remoteToken string // the token of other machines that "kugiri serve" made up, "" for none
	clock       string
	seeds       []string
	definitions parameters.Flags
}

func (s *adminSettings) registerSeeds(f *pflag.FlagSet) {
	f.StringSliceVar(&s.seeds, "seed", nil,
		"`files` and directories of tables and items, with commas between: what every access key begins with. They may be templates of CloudFormation, SAM, CDK, Serverless or Terraform: see \"kugiri apply --help\"")
	s.definitions.Register(f)
}

func (s *adminSettings) registerClock(f *pflag.FlagSet) {
	f.StringVar(&s.clock, "clock", "real",
		"`clock` to go by: real, held at the time of the start, or held at a time such as 2026-01-02T03:04:05Z")
}

func (s *adminSettings) register(f *pflag.FlagSet) {
	f.BoolVar(&s.enabled, "admin", false,
		"serve the admin API, below "+admin.Prefix+", for this machine")
	f.BoolVar(&s.allowRemote, "admin-allow-remote", false,
		"serve the admin API for other machines, too, and through proxies")
	f.BoolVar(&s.console, consoleFlag, false,
		"serve the console at "+console.Path+
			", and the admin API (default true at a terminal, unless --host lets other machines in)")
	f.StringVar(&s.token, "admin-token", "",
		"`token` that requests to the admin API must have: Authorization: Bearer TOKEN")
}

func (s *adminSettings) check() error {
	if s.allowRemote && !s.serves() {
		return errors.New("admin-allow-remote: there is no admin API without --admin or --console")
	}
	if s.token != "" && !s.serves() {
		return errors.New("admin-token: there is no admin API without --admin or --console")
	}
	_, err := s.heldClock()
	return err
}

// serves reports whether there is an admin API.
func (s *adminSettings) serves() bool { return s.enabled || s.console }

// api returns who may use the admin API.
func (s *adminSettings) api() admin.Options {
	return admin.Options{
		AllowRemote: s.allowRemote, Token: s.token, RemoteToken: s.remoteToken, OwnPages: s.console,
	}
}

// authorize has a handler answer the requests that the admin API answers.
func (s *adminSettings) authorize(next http.Handler) http.Handler {
	return admin.Authorize(s.api(), next)
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
		return nil, fmt.Errorf(
			"clock %q: a clock is real, held, or a time such as 2026-01-02T03:04:05Z", s.clock)
	}
	return emulator.NewClock(at), nil
}

// options returns the options that the settings add to others. What --seed loads has to follow the
// policy, unless that is nil.
func (s *adminSettings) options(ctx context.Context, account string, others []emulator.Option,
	p *policy.Engine, logger *slog.Logger) (opts []emulator.Option, err error) {
	clock, err := s.heldClock()
	if err != nil {
		return nil, err
	}
	if clock != nil {
		opts = append(opts, emulator.WithHeldClock(clock))
	}
	if len(s.seeds) > 0 {
		atOnce := []emulator.Option{emulator.WithTableDelays(0, 0, 0)}
		seeded := emulator.New(slices.Concat(others, opts, atOnce)...)
		if err := s.seed(ctx, account, seeded, logger); err != nil {
			return nil, fmt.Errorf("seed: %w", err)
		}
		if err := checkSeed(ctx, seeded, p, logger); err != nil {
			return nil, fmt.Errorf("seed: %w", err)
		}
		opts = append(opts, emulator.WithInitialData(seeded, seedKey, seedRegion))
	}
	if s.serves() {
		opts = append(opts, admin.Enable(s.api()))
	}
	return opts, nil
}

// Whose tables those of seeds are at first.
const (
	seedKey    = "seed"
	seedRegion = "us-east-1"
)

// seed creates the tables and writes the items of seeds.
func (s *adminSettings) seed(ctx context.Context, account string, e *emulator.Emulator,
	logger *slog.Logger) error {
	v, err := s.definitions.Values(account, seedRegion)
	if err != nil {
		return err
	}
	d, err := definition.Read(ctx, v, s.seeds...)
	if err != nil {
		return err
	}
	d.Home()
	data, err := d.Seeds(ctx)
	if err != nil {
		return err
	}
	for _, w := range data.Warnings() {
		d.Notes = append(d.Notes, definition.Note{Place: w.Place, Message: w.Message})
	}
	if err := d.LeftOut(); err != nil {
		return err
	}
	if s.definitions.Strict {
		if err := d.Strict(); err != nil {
			return err
		}
	}
	for _, n := range d.Notes {
		logger.Warn("seed: " + n.String())
	}
	own := e.HTTPClient(seedKey, seedRegion)
	client := dynamodb.New(dynamodb.Options{BaseEndpoint: aws.String("http://kugiri/"),
		Region: seedRegion, HTTPClient: own,
		Credentials: credentials.NewStaticCredentialsProvider(seedKey, seedKey, "")})
	for i := range d.Tables {
		plan, err := definition.NewPlan(ctx, client, &d.Tables[i])
		if err != nil {
			return err
		}
		if _, err := plan.Apply(ctx, client, cli.Pause); err != nil {
			return err
		}
	}
	return definition.Load(ctx, data, own)
}
