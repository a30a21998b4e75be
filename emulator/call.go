package emulator

import (
	"context"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/metering"
	"github.com/kugiri-db/kugiri/emulator/internal/observe"
	"github.com/kugiri-db/kugiri/emulator/internal/wire"
	"github.com/kugiri-db/kugiri/storage"
)

// call is one request on its way through an operation.
type call struct {
	service   *service
	store     *storage.Store // of the caller's account and region
	account   *accountData   // with the store
	arn.Owner                // of the resources that the request names
	accessKey string
	caller    *caller // nil: there is no WithIAM
	operation *operation
	form      apierr.Form        // of its validation errors, unless the request changes that: see refused
	ctx       context.Context    // ends when the client has gone
	memory    *wire.Memory       // that the next request gets, nil: none
	faults    *appliedFaults     // nil: none
	event     *observe.Recording // nil: nobody observes
	watch     *watch             // nil: there is no policy
	writes    settling           // of other regions

	// atEnd is what the stages do when the operation has run. Each function gets the error of the one
	// before and returns that of the request.
	atEnd []func(in, out any, err error) error
}

// settling says whether a call has the writes of other regions: see errUnsettled.
type settling struct {
	settled bool
	table   string // for which it has not
}

// memoryOfRequest is where the structures of the request are to lie; nil: in memory of their own.
func (c *call) memoryOfRequest() *wire.Memory {
	if c.operation.borrows {
		return c.memory
	}
	return nil
}

// patience is how many items a loop handles between two looks at whether the client has gone.
const patience = 256

// gone returns errNoAnswer if the client has gone, so that a read stops. Loops over items call it
// with the number of the item. A nil call has no client that could go.
func (c *call) gone(i int) error {
	if c == nil || i%patience != 0 || c.ctx == nil || c.ctx.Err() == nil {
		return nil
	}
	return errNoAnswer
}

// now is the time on the service's clock.
func (c *call) now() time.Time { return c.service.clock() }

// tableDelays are how long tables and indexes stay in a passing state.
type tableDelays struct{ create, update, delete time.Duration }

func (c *call) delays() tableDelays { return c.service.delays }

// newTableID makes a random UUID.
func (c *call) newTableID() string { return c.service.random.uuid() }

// throttled is the error of exceeding a limit.
func (c *call) throttled(x apierr.Exceeded) error { return apierr.Throttled(x, c.TableARN(x.Table)) }

// accessDenied is the error of naming a resource of an account that is not the caller's.
func (c *call) accessDenied(arn string) error { return c.deniedOn(c.operation.Name, arn) }

// deniedOn is the error of an action on a resource of an account that does not allow it.
func (c *call) deniedOn(action, arn string) error {
	action = "dynamodb:" + action
	return &apierr.Error{Type: apierr.AccessDenied, Message: "User: " + c.callerARN() +
		" is not authorized to perform: " + action + " on resource: " + arn +
		" because no resource-based policy allows the " + action + " action"}
}

// newUsage returns an empty usage that will report what r asks for, and to observers.
func (c *call) newUsage(r *api.ReturnConsumedCapacity) metering.Usage {
	u := metering.NewUsage(r)
	if c.event != nil {
		u.Recorder = c.event.OfTable()
	}
	return u
}

// newTransactUsage returns an empty usage of a transaction.
func (c *call) newTransactUsage(r *api.ReturnConsumedCapacity, part metering.Part) metering.Usage {
	u := c.newUsage(r)
	u.Part = part
	return u
}
