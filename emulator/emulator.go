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
	"github.com/kugiri-db/kugiri/emulator/iam"
	"github.com/kugiri-db/kugiri/emulator/internal/auth"
	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
	"github.com/kugiri-db/kugiri/emulator/internal/metering"
	"github.com/kugiri-db/kugiri/emulator/internal/peer"
	"github.com/kugiri-db/kugiri/emulator/internal/wire"
	"github.com/kugiri-db/kugiri/emulator/trigger"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/journal"
)

// Emulator is a DynamoDB-compatible service whose data is in memory and lives as
// long as it does. It may be served in several places at once, by way of Handler
// or Start; all of them show the same data. Its methods are safe for concurrent use.
type Emulator struct {
	settings                   // what it was made with, and its forks are
	validator  *wire.Validator // with the limits; nil: the model's constraints
	storage    storage.Options
	random     random
	hosts      peer.Hosts // allowed; nil: any
	transit    *httpd.Transit
	namespaces namespaces
	couriers   couriers
	triggers   triggers
	delegates  delegates
	faults     faults

	replicator replicator
	throughput *metering.Meter // nil: not enforced
	guard      *policyGuard    // nil: there is no policy
	journal    journal.Journal // of a service that Open made; nil: what it has is in memory only
	observers  observers
	jobRuns    jobRuns
	handler    http.Handler
	others     func() http.Handler // of requests that are no calls of operations; made for the first of them
}

// New makes a service without any tables. Without options it behaves as if
// everything in AWS happened at once: tables are ACTIVE as soon as they are
// created. It panics if the source of randomness fails.
func New(opts ...Option) *Emulator {
	s := settings{
		account:       "000000000000",
		clock:         time.Now,
		randomness:    rand.Reader,
		logger:        slog.Default(),
		limits:        standardLimits,
		streamMemory:  standardStreamMemory,
		pitrMemory:    standardPITRMemory,
		kinesisMemory: standardKinesisMemory,
	}
	for _, o := range opts {
		o(&s)
	}
	s.checkIAM()
	e := newEmulator(s)
	e.random.seed(s.randomness)
	return e
}

// newEmulator makes a service without tables and without randomness.
func newEmulator(s settings) *Emulator {
	e := &Emulator{
		settings:  s,
		validator: s.limits.validator(),
		storage: storage.Options{Now: s.clock, OpenShards: s.openShards, ShardLife: s.shardLife, StreamMemory: s.streamMemory,
			RecoveryMemory: s.pitrMemory, OutboxMemory: s.kinesisMemory},
		hosts:   s.allowedHosts,
		transit: httpd.NewTransit(max(httpd.TransitMemory, s.limits.BodyBytes)),
	}
	e.storage.Replicate = e.replicate
	e.replicator.keptDeleted = standardKeptDeleted
	if e.origins != nil && e.hosts == nil {
		e.hosts = peer.Hosts{}
	}
	if s.enforced != nil {
		e.throughput = metering.NewMeter(metering.Limits(*s.enforced))
	}
	for _, f := range s.observing {
		e.Observe(f)
	}
	e.guard = newGuard(&s)
	e.initial = e.guard.counted(s.initial)
	e.namespaces.emulator = e
	e.couriers.emulator, e.storage.Unsent = e, e.couriers.wake
	e.triggers.emulator = e
	if len(s.mappings) > 0 {
		e.storage.Recorded = e.triggers.wake
	}
	e.faults.stores = e.namespaces.allStores
	e.faults.healed = func() {
		e.Replicate()
		e.couriers.nudge()
	}
	e.SetFaults(s.injected...)
	e.others = sync.OnceValue(e.routes)
	e.handler = http.HandlerFunc(e.route)
	if e.held != nil {
		e.held.follow(e)
	}
	return e
}

// Handler returns the service as an http.Handler, for a server or a test of one's own.
func (e *Emulator) Handler() http.Handler { return e.handler }

// settings hold what the options set.
type settings struct {
	limits          Limits
	account         string
	shared          bool
	delays          tableDelays
	openShards      int
	streamMemory    int64
	pitrMemory      int64
	shardLife       time.Duration
	kinesis         KinesisSink // nil: there is none
	kinesisMemory   int64
	mappings        []*trigger.Trigger // see OnRecords
	ttlInterval     time.Duration
	replicationLag  time.Duration
	policyInterval  time.Duration
	clock           func() time.Time
	held            *Clock // nil: clock goes by itself
	randomness      io.Reader
	logger          *slog.Logger
	transactionHook func(token string)
	credentials     auth.Secrets   // nil: signatures are not verified
	iam             *iam.Directory // nil: everybody may do everything
	origins         httpd.Origins  // nil: all
	allowedHosts    peer.Hosts
	injected        []fault.Fault
	enforced        *Throughput // nil: not enforced
	observing       []func(*Event)
	policy          *policy.Engine    // nil: there is none
	made            map[string]string // see guard; never modified
	initial         *accountData      // nil: access keys begin without tables
	prefixes        []prefixRoute
	health          http.Handler // nil: the service's own
	buckets         Buckets      // nil: there are none
}
