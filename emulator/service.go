package emulator

import (
	"context"
	"log/slog"
	"time"

	"github.com/kugiri-db/kugiri/emulator/iam"
	"github.com/kugiri-db/kugiri/emulator/internal/metering"
	"github.com/kugiri-db/kugiri/emulator/internal/wire"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/journal"
)

// serviceSettings are the settings that requests obey.
type serviceSettings struct {
	limits          Limits
	account         string
	shared          bool // all access keys and regions see the same tables
	delays          tableDelays
	ttlInterval     time.Duration
	replicationLag  time.Duration
	policyInterval  time.Duration
	clock           func() time.Time
	logger          *slog.Logger
	transactionHook func(token string)
	iam             *iam.Directory // nil: everybody may do everything
	initial         *accountData   // nil: access keys begin without tables
}

// service is what all requests share.
type service struct {
	serviceSettings
	sleep      func(ctx context.Context, d time.Duration) error // on the clock
	validator  *wire.Validator                                  // with the limits; nil: the model's constraints
	storage    storage.Options
	random     random
	namespaces namespaces
	faults     faults
	throughput *metering.Meter // nil: not enforced
	guard      *policyGuard    // nil: there is no policy
	journal    journal.Journal // of a service that Open made; nil: what it has is in memory only
	parts      [partKinds]any

	stages    []stage // of a request, in their order
	strong    strongReplicas
	newStates func() [stateKinds]accountState // of an empty account
	operation func(name string) *operation
}

// partKind is an index of service.parts: what a feature keeps for all requests.
type partKind int

// The kinds of parts.
const (
	replicatorPart partKind = iota
	couriersPart
	jobRunsPart
	partKinds
)

// strongReplicas brings the replicas of global tables with strong consistency together.
type strongReplicas interface {
	// settle gets the writes of other regions for a strongly consistent read.
	settle(c *call) error

	// commit runs the writes of a call to a table once its replica has the writes of other regions.
	commit(c *call, table string, run func(*call, *storage.Tx) error) error
}

// newService makes a service without tables.
func newService(s serviceSettings) *service {
	sv := &service{serviceSettings: s, validator: s.limits.validator()}
	sv.namespaces.service = sv
	return sv
}
