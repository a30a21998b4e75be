package emulator

import (
	"log/slog"
	"maps"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/emulator/internal/acceleration"
	"github.com/kugiri-db/kugiri/emulator/internal/enforce"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
)

// Fork returns an independent service with everything that e has at this moment:
// the tables, indexes and streams of all namespaces, and the tokens of
// transactions. It takes the same time whatever the amount of data, which both
// share until one of them changes it, and may be called while requests run. The fork has each of
// them whole or not at all. Servers of e go on serving e.
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

// ForkAs returns a fork of the tables of the access key from, in all regions. In the fork they
// belong to the access key as. Together with Delegate, as then sees them in place of its own. With
// WithSharedData the fork has all data of e. If the policy has no tenant for as, it uses that of
// from, unless WithTenant among opts names another one. Without either (from is "", say) as is of
// no tenant, and a policy with tenants refuses it.
//
// With WithIAM the fork has the tables of all accounts, and as acts as the principal of from unless
// it has a principal of its own.
func (e *Emulator) ForkAs(from, as string, opts ...Option) *Emulator {
	opts = append([]Option{forgetting(as)}, opts...)
	f := e.Fork(append(opts, e.inheriting(from, as), inheritingPrincipal(from, as))...)
	if f.service.Shared || f.service.IAM != nil {
		return f
	}
	kept := map[string]*serve.Account{}
	for key, h := range f.service.Namespaces.Stores {
		if accessKey, region, _ := strings.Cut(key, "/"); accessKey == from {
			kept[as+"/"+region] = h
		}
	}
	f.service.Namespaces.Stores = kept
	return f
}

// Rehearsal returns a Fork to try requests on. Neither e nor its observers nor its log notice them.
// The fork has the policy of e, and none of its faults, limits of throughput, transaction hooks,
// credentials and routes.
func (e *Emulator) Rehearsal() *Emulator {
	return e.Fork(func(s *settings) {
		s.injected, s.enforced, s.TransactionHook, s.observing = nil, nil, nil, nil
		s.credentials, s.origins, s.allowedHosts, s.prefixes = nil, nil, nil, nil
		s.kinesis, s.Accelerator = nil, new(acceleration.Link)
		s.Logger = slog.New(slog.DiscardHandler)
	})
}

// forgetting makes the policy take an access key for nobody else.
func forgetting(as string) Option {
	return func(s *settings) {
		s.callers = maps.Clone(s.callers)
		delete(s.callers, as)
	}
}

// inheriting makes the policy treat the access key as like from, if neither the policy nor
// WithTenant names it.
func (e *Emulator) inheriting(from, as string) Option {
	taken, ok := e.settings.callers[from]
	if !ok {
		taken = enforce.As{AccessKey: from}
	}
	return func(s *settings) {
		_, named := s.callers[as]
		if from != "" && !named && s.policy != nil && !slices.Contains(s.policy.AccessKeys(), as) {
			s.takeFor(as, taken)
		}
	}
}

// inheritingPrincipal makes an access key that has no principal one of the principal of another.
func inheritingPrincipal(from, as string) Option {
	return func(s *settings) {
		if s.IAM == nil || s.IAM.Principal(as) != nil {
			return
		}
		if p := s.IAM.Principal(from); p != nil {
			s.IAM = s.IAM.With(as, p)
		}
	}
}
