package serve

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/kugiri-db/kugiri/conventions/wire"
	"github.com/kugiri-db/kugiri/emulator/iam"
	"github.com/kugiri-db/kugiri/emulator/internal/acceleration"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/enforce"
	"github.com/kugiri-db/kugiri/emulator/internal/faults"
	"github.com/kugiri-db/kugiri/emulator/internal/metering"
	"github.com/kugiri-db/kugiri/emulator/transfers"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/journal"
)

// ServiceSettings are the settings that requests obey.
type ServiceSettings struct {
	Limits          Limits
	Account         string
	Shared          bool // all access keys and regions see the same tables
	Delays          TableDelays
	TTLInterval     time.Duration
	ReplicationLag  time.Duration
	PolicyInterval  time.Duration
	Quotas          bool // changes of a table have quotas
	Clock           func() time.Time
	Logger          *slog.Logger
	TransactionHook func(token string)
	IAM             *iam.Directory     // nil: everybody may do everything
	Initial         *Account           // nil: access keys begin without tables
	Buckets         transfers.Buckets  // nil without buckets
	Accelerator     *acceleration.Link // shared with forks
}

// Service holds what all requests share.
type Service struct {
	ServiceSettings
	ID    uint64                                           // no other Service of the process has it
	Sleep func(ctx context.Context, d time.Duration) error // sleeps by the clock
	// checks with the limits; nil: the model's constraints
	Validator  *wire.Validator
	Storage    storage.Options
	Random     random
	Namespaces Namespaces
	Faults     faults.Faults
	Throughput *metering.Meter // nil: not enforced
	Policy     *enforce.Policy // nil: there is no policy
	Journal    journal.Journal // kept by a service that Open made; nil: all data is in memory only
	Runs       Runs

	Interceptors []Interceptor // see each request, in their order
	Replicator   replicator
	NewStates    func() [Kinds]State // makes the states of an empty account
	Operation    func(name string) *Operation

	// asks for a Kinesis data stream by its ARN; nil: there is nobody to ask
	CheckStream func(ctx context.Context, arn string) error
}

// replicator brings the replicas of global tables together.
type replicator interface {
	// Settle gets the writes of other regions for a strongly consistent read.
	Settle(c *Call) error

	// Commit runs the writes of a call to a table once its replica has the writes of other regions.
	Commit(c *Call, table string, run func(*Call, *storage.Tx) error) error

	// DeliverAll delivers all changes of the replicas of a table, whatever the lag and the faults.
	DeliverAll(c *Call, table string, owners []arn.Owner)

	// ReplicateAll delivers the changes of all replicas that are due and that no fault holds back.
	ReplicateAll() (delivered int)
}

// lastID is the ID of the Service that was made last.
var lastID atomic.Uint64

// NewService makes a service without tables.
func NewService(s ServiceSettings) *Service {
	sv := &Service{ServiceSettings: s, ID: lastID.Add(1), Validator: s.Limits.validator()}
	sv.Namespaces.service = sv
	sv.Namespaces.Dismiss = append(sv.Namespaces.Dismiss, sv.Runs.stop)
	return sv
}
