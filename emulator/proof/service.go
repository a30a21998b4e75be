package proof

import (
	"context"
	"net/http"
	"time"

	"github.com/kugiri-db/kugiri/emulator"
)

// Service is where a verification makes its table, loads rows and reads them. Nobody else writes
// there, and the table is not there before.
type Service interface {
	// Do sends a request without host and signature, whose header names the operation.
	Do(r *http.Request) (*http.Response, error)

	// Settle lets time pass until tables are ACTIVE.
	Settle() error

	// Fork returns an independent service with the same tables, where time passes by Settle only.
	Fork() (Service, error)

	Now() (time.Time, error)

	// Expire deletes the items whose time to live is over.
	Expire() error

	// Close removes the service. The error is that of the service itself, as when a request found
	// no server, and not an answer to a request.
	Close() error
}

// open returns the service of a verification.
func (o *Options) open() (Service, error) {
	if o.Open != nil {
		return o.Open()
	}
	return own{emulator.New()}, nil
}

// within calls do with a service, and closes the service after that. The error is the service's.
func (o *Options) within(do func(Service)) error {
	s, err := o.open()
	if err != nil {
		return err
	}
	do(o.until(s))
	return s.Close()
}

// ended returns the error of the context, if it has ended.
func (o *Options) ended() error {
	if o.Context == nil {
		return nil
	}
	return o.Context.Err()
}

// until returns a service that sends no requests once the context has ended.
func (o *Options) until(s Service) Service {
	if o.Context == nil {
		return s
	}
	return ending{s, o.Context}
}

// ending is a Service until a context ends.
type ending struct {
	Service
	ctx context.Context
}

func (s ending) Do(r *http.Request) (*http.Response, error) {
	if err := s.ctx.Err(); err != nil {
		return nil, err
	}
	return s.Service.Do(r.WithContext(s.ctx))
}

func (s ending) Fork() (Service, error) {
	f, err := s.Service.Fork()
	if err != nil {
		return nil, err
	}
	return ending{f, s.ctx}, nil
}

// own is a Service in this process.
type own struct{ emulator *emulator.Emulator }

func (s own) Do(r *http.Request) (*http.Response, error) {
	return s.emulator.HTTPClient(accessKey, region).Do(r)
}

func (s own) Settle() error { return nil }

func (s own) Fork() (Service, error) {
	return own{s.emulator.Fork(emulator.WithHeldClock(emulator.NewClock(s.emulator.Now())))}, nil
}

func (s own) Now() (time.Time, error) { return s.emulator.Now(), nil }

func (s own) Expire() error {
	s.emulator.ExpireItems()
	return nil
}

func (s own) Close() error { return nil }
