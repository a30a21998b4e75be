package emulator

import (
	"context"
	"crypto/rand"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/emulator/internal/acceleration"
	"github.com/kugiri-db/kugiri/emulator/internal/auth"
	"github.com/kugiri-db/kugiri/emulator/internal/enforce"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/accelerators"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/control"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/kinesis"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/triggers"
	"github.com/kugiri-db/kugiri/emulator/internal/front"
	"github.com/kugiri-db/kugiri/emulator/internal/hostcheck"
	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
	"github.com/kugiri-db/kugiri/emulator/internal/metering"
	"github.com/kugiri-db/kugiri/emulator/internal/observe"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/trigger"
	"github.com/kugiri-db/kugiri/storage"
)

// Emulator is a DynamoDB-compatible service whose data is in memory and lives as
// long as it does. It may be served in several places at once, by way of Handler
// or Start; all of them show the same data. Its methods are safe for concurrent use.
type Emulator struct {
	settings   settings // what it was made with, and its forks are
	service    *serve.Service
	replicator *control.Replicator
	senders    *kinesis.Senders
	triggers   *triggers.Triggers
	delegates  delegates
	observers  observe.Observers
	front      *front.Front
	handler    http.Handler // front, but for tests
}

// New makes a service without any tables. Without options it behaves as if
// everything in AWS happened at once: tables are ACTIVE as soon as they are
// created. It panics if the source of randomness fails.
func New(opts ...Option) *Emulator {
	s := settings{
		ServiceSettings: serve.ServiceSettings{
			Account:     "000000000000",
			Clock:       time.Now,
			Logger:      slog.Default(),
			Limits:      serve.StandardLimits,
			Accelerator: new(acceleration.Link),
		},
		randomness: rand.Reader,
	}
	for _, o := range opts {
		o(&s)
	}
	s.checkIAM()
	e := newEmulator(s)
	e.service.Random.Seed(s.randomness)
	return e
}

// newEmulator makes a service without tables and without randomness.
func newEmulator(s settings) *Emulator {
	s.checkTenants()
	e := &Emulator{
		settings: s,
		service:  serve.NewService(s.ServiceSettings),
	}
	e.service.Sleep = s.sleep
	e.service.Policy = enforce.New(s.policy, s.callers, s.Clock, s.Logger)
	e.service.Initial = s.Initial.Counted(e.service.Policy)
	e.service.Storage = storage.Options{Now: s.Clock, OpenShards: s.openShards,
		ShardLife:    s.shardLife,
		StreamMemory: s.Limits.StreamMemory, RecoveryMemory: s.Limits.PITRMemory,
		OutboxMemory: s.Limits.KinesisMemory,
	}
	if s.enforced != nil {
		e.service.Throughput = metering.NewMeter(metering.Limits(*s.enforced))
	}
	e.furnish()
	for _, f := range s.observing {
		e.Observe(f)
	}
	e.SetFaults(s.injected...)
	e.front = newFront(e)
	e.handler = e.front
	if s.held != nil {
		s.held.follow(e)
	}
	return e
}

// newFront makes the HTTP side of a service.
func newFront(e *Emulator) *front.Front {
	s := &e.settings
	f := &front.Front{
		Service:    e.service,
		Operations: operationsByTarget,
		Clusters:   accelerators.Operations,
		Secrets:    s.credentials,
		Origins:    s.origins,
		Hosts:      s.allowedHosts,
		Transit:    httpd.NewTransit(max(httpd.TransitMemory, s.Limits.BodyBytes)),
		Aside:      httpd.NewTransit(httpd.TransitMemory),
		Observers:  &e.observers,
		Answering: func(accessKey string) *serve.Service {
			return answering(e, accessKey).service
		},
	}
	if s.origins != nil && s.allowedHosts == nil {
		f.Hosts = hostcheck.Hosts{}
	}
	if s.hints != nil {
		f.Missing = (&hints{of: e, log: s.hints, said: map[[3]string]bool{}}).missing
	}
	f.Others = sync.OnceValue(func() http.Handler { return newRouter(e, f) })
	return f
}

// furnish adds the features to the service.
func (e *Emulator) furnish() {
	e.service.Interceptors = newInterceptors(&e.settings)
	e.service.NewStates = newStates
	e.service.Operation = operationNamed
	e.replicator = control.AddReplicator(e.service, e.settings.held != nil)
	e.senders = kinesis.AddSenders(e.service, e.settings.kinesis)
	e.triggers = triggers.Add(e.service, e.settings.mappings)
	e.service.Faults.Stores = e.service.Namespaces.AllStores
	e.service.Faults.Healed = func() {
		e.replicator.ReplicateAll()
		e.senders.Nudge()
	}
}

// Handler returns the service as an http.Handler, for a server or a test of one's own.
func (e *Emulator) Handler() http.Handler { return e.handler }

// HTTPClient returns a client for the tables of an access key in a region. Both
// are names that do not contain a slash; anything else panics.
func (e *Emulator) HTTPClient(accessKey, region string) *HTTPClient {
	for _, name := range [...]string{accessKey, region} {
		if name == "" || strings.Contains(name, "/") {
			panic("emulator: no name of an access key or region: " + strconv.Quote(name))
		}
	}
	return &HTTPClient{e, auth.NewCaller(accessKey, region)}
}

// Observe makes the service call f for each call of an operation, besides other observers, until
// stop is called. Forks do not call f. f runs in the goroutine that serves the request, before the
// client gets the answer. A client that has the answer can thus rely on f having returned. f must
// be safe for concurrent use. The service may or may not call f for requests in progress when
// Observe or stop is called.
//
// While there are observers, the service counts the capacity of all requests. Without observers a
// request loads one pointer.
func (e *Emulator) Observe(f func(*Event)) (stop func()) {
	return e.observers.Add(tell(f))
}

// Delegate makes another service, such as a fork, answer the requests to e that are signed with an
// access key. With nil, e answers them again. So each of many tests, in any language, can have a
// service of its own behind one port. It does not affect requests in progress.
//
// e itself does what comes before an operation, such as checking the signature and the size of a
// request. The tables, limits, clock and faults are those of the other service. Forks and snapshots
// of e have no delegates. Delegates of a delegate have no effect. Servers of e also delete expired
// items in delegates without a held clock.
func (e *Emulator) Delegate(accessKey string, to *Emulator) { e.delegates.Set(accessKey, to) }

// Intercept makes a handler answer the calls of operations that are signed with an access key, in
// place of e. With nil, e answers them again. The handler gets the request as it came: nothing was
// checked but the names of hosts, and no body was read. It is called concurrently. Requests that
// have no good signature are not intercepted. Forks and snapshots of e intercept nothing.
func (e *Emulator) Intercept(accessKey string, handler http.Handler) {
	e.front.Intercepted.Set(accessKey, handler)
}

// Findings returns the findings of the policy in requests since the service was made or Reset, the
// most recent first. It keeps at most 1000 kinds and forgets the oldest. It is empty without a
// policy.
func (e *Emulator) Findings() []Finding { return e.Inspect().Findings() }

// Inspect returns an Inspector of the service.
func (e *Emulator) Inspect() Inspector {
	return Inspector{e.service, e.settings.credentials != nil, &e.delegates}
}

// Clock returns the clock that the service goes by if it was given by
// WithHeldClock, or is a fork's copy of such a clock, and otherwise nil.
func (e *Emulator) Clock() *Clock { return e.settings.held }

// Now returns the time on the service's clock.
func (e *Emulator) Now() time.Time { return e.service.Clock() }

// Replicate delivers the changes of all replicas that are due by the clock and that no fault holds
// back. It returns how many. A Server calls it every second, a held Clock whenever it is moved, and
// every write for its own changes.
func (e *Emulator) Replicate() (delivered int) {
	return e.replicator.ReplicateAll()
}

// AwaitRecords waits until the functions of WithRecords have handled, or given up, all records. It
// returns the error of ctx if that ends before.
func (e *Emulator) AwaitRecords(ctx context.Context) error { return e.triggers.Await(ctx) }

// settings hold what the options set.
type settings struct {
	serve.ServiceSettings
	openShards   int
	shardLife    time.Duration
	kinesis      kinesis.Sink       // nil without a sink
	mappings     []*trigger.Trigger // see WithRecords
	held         *Clock             // nil: clock goes by itself
	randomness   io.Reader
	credentials  auth.Secrets  // nil: signatures are not verified
	origins      httpd.Origins // nil: all
	allowedHosts hostcheck.Hosts
	injected     []fault.Fault
	enforced     *Throughput // nil: not enforced
	observing    []func(*Event)
	policy       *policy.Engine        // nil without a policy
	callers      map[string]enforce.As // how the policy sees access keys; never modified
	prefixes     []prefixRoute
	health       http.Handler // nil: the service's own
	hints        *slog.Logger // nil: none are logged
}
