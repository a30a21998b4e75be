package serve

import (
	"context"
	"sync"
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/conventions/wire"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/enforce"
	"github.com/kugiri-db/kugiri/emulator/internal/faults"
	"github.com/kugiri-db/kugiri/emulator/internal/metering"
	"github.com/kugiri-db/kugiri/emulator/internal/observe"
	"github.com/kugiri-db/kugiri/storage"
)

// Call is one request on its way through an operation.
type Call struct {
	Service   *Service
	Store     *storage.Store // the store of the caller's account and region
	Data      *Account       // the data that belong to the store
	arn.Owner                // owns the resources that the request names
	AccessKey string
	Caller    *caller // nil: there is no WithIAM
	Operation *Operation
	// the form of its validation errors, unless the request changes that: see refused
	Form   apierr.Form
	Body   string                // the request's body
	Ctx    context.Context       // ends when the client has gone
	Memory *wire.Memory          // memory that the next request gets, nil: none
	Faults *faults.AppliedFaults // nil: none
	Event  *observe.Recording    // nil: nobody observes
	Policy *enforce.Call         // nil: there is no policy
	Writes Settling              // whether it has the writes of other regions
	named  Targets               // memory of NameTables

	// AtEnd has what the interceptors do when the operation has run. Each function gets the error
	// of the one before and returns that of the request.
	AtEnd []func(in, out any, err error) error
}

// calls are calls that have ended.
var calls = sync.Pool{New: func() any { return new(Call) }}

// End ends a call. Its memory goes back to the pool if the operation borrows: see Borrows.
func (c *Call) End() {
	if c.Operation.Borrows {
		*c = Call{} // code that still uses the call panics
		calls.Put(c)
	}
}

// Settling says whether a call has the writes of other regions: see ErrUnsettled.
type Settling struct {
	Settled bool
	Table   string // the table whose writes it lacks
}

// Patience is how many items a loop handles between two looks at whether the client has gone.
const Patience = 256

// Gone returns ErrNoAnswer if the client has gone, so that a read stops. Loops over items call it
// with the number of the item. A nil call has no client that could go.
func (c *Call) Gone(i int) error {
	if c == nil || i%Patience != 0 || c.Ctx == nil || c.Ctx.Err() == nil {
		return nil
	}
	return ErrNoAnswer
}

// Now is the time on the service's clock.
func (c *Call) Now() time.Time { return c.Service.Clock() }

// TableDelays are how long tables and indexes stay in a passing state.
type TableDelays struct{ Create, Update, Delete time.Duration }

func (c *Call) Delays() TableDelays { return c.Service.Delays }

// NewTableID makes a random UUID.
func (c *Call) NewTableID() string { return c.Service.Random.uuid() }

// Throttled is the error of exceeding a limit.
func (c *Call) Throttled(x apierr.Exceeded) error {
	return apierr.Throttled(x, c.TableARN(x.Table))
}

// AccessDenied is the error of naming a resource of an account that is not the caller's. The
// operations on tables and their settings do not say why (see DenyingBriefly).
func (c *Call) AccessDenied(arn string) error {
	if c.Operation.deniesBriefly {
		return &apierr.Error{Type: apierr.AccessDenied, Message: "Access is denied"}
	}
	return c.DeniedOn(c.Operation.Name, arn)
}

// DeniedOn is the error of an action on a resource of an account that does not allow it.
func (c *Call) DeniedOn(action, arn string) error {
	action = "dynamodb:" + action
	return &apierr.Error{Type: apierr.AccessDenied, Message: "User: " + c.CallerARN() +
		" is not authorized to perform: " + action + " on resource: " + arn +
		" because no resource-based policy allows the " + action + " action"}
}

// NewUsage returns an empty usage that will report what r asks for, and to observers.
func (c *Call) NewUsage(r *api.ReturnConsumedCapacity) metering.Usage {
	u := metering.NewUsage(r)
	if c.Event != nil {
		u.Recorder = c.Event.OfTable()
	}
	return u
}

// NewTransactUsage returns an empty usage of a transaction.
func (c *Call) NewTransactUsage(r *api.ReturnConsumedCapacity, part metering.Part) metering.Usage {
	u := c.NewUsage(r)
	u.Part = part
	return u
}
