package emulator

import (
	"crypto/rand"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/emulator/internal/auth"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/control"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/kinesis"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/transfer"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/triggers"
	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
	"github.com/kugiri-db/kugiri/emulator/internal/metering"
	"github.com/kugiri-db/kugiri/emulator/internal/observe"
	"github.com/kugiri-db/kugiri/emulator/internal/peer"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/watch"
	"github.com/kugiri-db/kugiri/emulator/trigger"
	"github.com/kugiri-db/kugiri/storage"
)

// Emulator is a DynamoDB-compatible service whose data is in memory and lives as
// long as it does. It may be served in several places at once, by way of Handler
// or Start; all of them show the same data. Its methods are safe for concurrent use.
type Emulator struct {
	settings  settings // what it was made with, and its forks are
	service   *serve.Service
	hosts     peer.Hosts // allowed; nil: any
	transit   *httpd.Transit
	couriers  *kinesis.Couriers
	triggers  *triggers.Triggers
	runs      *transfer.JobRuns
	delegates delegates
	observers observe.Observers
	handler   http.Handler
	// of requests that are no calls of operations; made for the first of them
	others func() http.Handler
}

// New makes a service without any tables. Without options it behaves as if
// everything in AWS happened at once: tables are ACTIVE as soon as they are
// created. It panics if the source of randomness fails.
func New(opts ...Option) *Emulator {
	s := settings{
		ServiceSettings: serve.ServiceSettings{
			Account: "000000000000",
			Clock:   time.Now,
			Logger:  slog.Default(),
			Limits:  serve.StandardLimits,
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
	hosts := s.allowedHosts
	if s.origins != nil && hosts == nil {
		hosts = peer.Hosts{}
	}
	e := &Emulator{
		settings: s,
		hosts:    hosts,
		transit:  httpd.NewTransit(max(httpd.TransitMemory, s.Limits.BodyBytes)),
		service:  serve.NewService(s.ServiceSettings),
	}
	e.service.Sleep = s.sleep
	e.service.Guard = watch.NewGuard(s.policy, s.made, s.Clock, s.Logger)
	e.service.Initial = s.Initial.Counted(e.service.Guard)
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
	e.others = sync.OnceValue(e.routes)
	e.handler = http.HandlerFunc(e.route)
	if s.held != nil {
		s.held.follow(e)
	}
	return e
}

// furnish adds the features to the service.
func (e *Emulator) furnish() {
	e.service.Stages = newStages(&e.settings)
	e.service.NewStates = newStates
	e.service.Operation = operationNamed
	replicator := control.AddReplicator(e.service, e.settings.held != nil)
	e.couriers = kinesis.AddCouriers(e.service, e.settings.kinesis)
	e.triggers = triggers.Add(e.service, e.settings.mappings)
	e.runs = transfer.AddJobRuns(e.service, e.settings.buckets)
	e.service.Faults.Stores = e.service.Namespaces.AllStores
	e.service.Faults.Healed = func() {
		replicator.ReplicateAll()
		e.couriers.Nudge()
	}
}

// Handler returns the service as an http.Handler, for a server or a test of one's own.
func (e *Emulator) Handler() http.Handler { return e.handler }

// settings hold what the options set.
type settings struct {
	serve.ServiceSettings
	openShards   int
	shardLife    time.Duration
	kinesis      kinesis.Sink       // nil: there is none
	mappings     []*trigger.Trigger // see WithRecords
	held         *Clock             // nil: clock goes by itself
	randomness   io.Reader
	credentials  auth.Secrets  // nil: signatures are not verified
	origins      httpd.Origins // nil: all
	allowedHosts peer.Hosts
	injected     []fault.Fault
	enforced     *Throughput // nil: not enforced
	observing    []func(*Event)
	policy       *policy.Engine    // nil: there is none
	made         map[string]string // see guard; never modified
	prefixes     []prefixRoute
	health       http.Handler     // nil: the service's own
	buckets      transfer.Buckets // nil: there are none
}
