package serve

import (
	"context"
	"log/slog"
	"time"

	"github.com/kugiri-db/kugiri/conventions/wire"
	"github.com/kugiri-db/kugiri/emulator/iam"
	"github.com/kugiri-db/kugiri/emulator/internal/enforce"
	"github.com/kugiri-db/kugiri/emulator/internal/faults"
	"github.com/kugiri-db/kugiri/emulator/internal/metering"
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
	IAM             *iam.Directory // nil: everybody may do everything
	Initial         *Account       // nil: access keys begin without tables
}

// Service holds what all requests share.
type Service struct {
	ServiceSettings
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
	parts      [partKinds]any

	Interceptors []Interceptor // see each request, in their order
	Strong       strongReplicas
	NewStates    func() [Kinds]State // makes the states of an empty account
	Operation    func(name string) *Operation
}

// partKind is an index of Service.parts.
type partKind int

// Part is the place of what one feature keeps for all requests of a Service. A feature declares its
// Part once, with its type.
type Part[T any] struct{ Kind partKind }

// Set gives a service its part. Call it before the service answers.
func (p Part[T]) Set(s *Service, part T) { s.parts[p.Kind] = part }

// Of returns the part of a service.
func (p Part[T]) Of(s *Service) T { return s.parts[p.Kind].(T) }

// The kinds of parts.
const (
	ReplicatorPart partKind = iota
	SendersPart
	JobRunsPart
	AcceleratorPart
	partKinds
)

// strongReplicas brings the replicas of global tables with strong consistency together.
type strongReplicas interface {
	// Settle gets the writes of other regions for a strongly consistent read.
	Settle(c *Call) error

	// Commit runs the writes of a call to a table once its replica has the writes of other regions.
	Commit(c *Call, table string, run func(*Call, *storage.Tx) error) error
}

// NewService makes a service without tables.
func NewService(s ServiceSettings) *Service {
	sv := &Service{ServiceSettings: s, Validator: s.Limits.validator()}
	sv.Namespaces.service = sv
	return sv
}
