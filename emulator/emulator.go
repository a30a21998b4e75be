// Package emulator is an in-memory server that speaks DynamoDB's protocol.
package emulator

import (
	"crypto/rand"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/kugiri-db/kugiri/storage"
)

// Emulator is a DynamoDB-compatible service whose data is in memory and lives as
// long as it does. It may be served in several places at once, by way of Handler
// or Start; all of them show the same data. Its methods are safe for concurrent use.
type Emulator struct {
	limits          limits
	account         string
	shared          bool
	delays          tableDelays
	clock           func() time.Time
	ttlInterval     time.Duration
	storage         storage.Options
	random          random
	logger          *slog.Logger
	transactionHook func(token string)
	namespaces      namespaces
	handler         http.Handler
	others          http.Handler // of requests that are no calls of operations
}

// limits are the service's limits, in one place so that they can be scaled down.
type limits struct {
	PageBytes       int   // Query and Scan: 1 MB
	ItemBytes       int   // 400 KB
	CollectionBytes int64 // 10 GB
	BatchGetBytes   int   // 16 MB of 1000² bytes: 52 items of 300 KB (API Reference, BatchGetItem)
	BodyBytes       int64 // 16 MB, as sent and as decompressed
}

// New makes a service without any tables. Without options it behaves as if
// everything in AWS happened at once: tables are ACTIVE as soon as they are
// created. It panics if the source of randomness fails.
func New(opts ...Option) *Emulator {
	s := settings{
		account: "000000000000",
		clock:   time.Now,
		random:  rand.Reader,
		logger:  slog.Default(),
		limits: limits{
			PageBytes:       1 << 20,
			ItemBytes:       400 << 10,
			CollectionBytes: 10 << 30,
			BatchGetBytes:   16_000_000,
			BodyBytes:       16 << 20,
		},
	}
	for _, o := range opts {
		o(&s)
	}
	e := &Emulator{
		limits:          s.limits,
		account:         s.account,
		shared:          s.shared,
		delays:          s.delays,
		clock:           s.clock,
		ttlInterval:     s.ttlInterval,
		storage:         storage.Options{Now: s.clock, OpenShards: s.openShards, ShardLife: s.shardLife},
		logger:          s.logger,
		transactionHook: s.transactionHook,
	}
	e.random.seed(s.random)
	e.namespaces.emulator = e
	e.others = e.routes()
	e.handler = http.HandlerFunc(e.route)
	return e
}

// Handler returns the service as an http.Handler, for a server or a test of one's own.
func (e *Emulator) Handler() http.Handler { return e.handler }

// settings are what options set.
type settings struct {
	limits          limits
	account         string
	shared          bool
	delays          tableDelays
	openShards      int
	shardLife       time.Duration
	ttlInterval     time.Duration
	clock           func() time.Time
	random          io.Reader
	logger          *slog.Logger
	transactionHook func(token string)
}
