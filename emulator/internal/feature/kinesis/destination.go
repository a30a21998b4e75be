package kinesis

import (
	"strings"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// destinationRequest is a request about a destination of a table. The steps of its order fill in
// the table.
type destinationRequest struct {
	call       *serve.Call
	tx         *storage.Tx
	name       string // the table's name
	stream     string
	asked      states.Request
	configured bool // EnableKinesisStreamingConfiguration is there
	precision  *api.ApproximateCreationDateTimePrecision
	table      *storage.Table
	changing   *states.Changing
}

// newDestinationRequest returns a request. It copies the client's strings.
func newDestinationRequest(c *serve.Call, tx *storage.Tx, name string, stream *api.StreamArn,
	asked states.Request) *destinationRequest {
	return &destinationRequest{
		call: c, tx: tx, name: name, stream: strings.Clone(string(*stream)), asked: asked,
	}
}

// settings returns those of the table, which may be modified.
func (x *destinationRequest) settings() *tables.Settings { return x.changing.Settings.Clone() }

// findTable is the step for the table.
func (x *destinationRequest) findTable() error {
	x.table, x.changing = x.call.Changing(x.tx, x.name)
	err := x.changing.Refuse(x.asked)
	x.changing.Resource = x.stream
	return err
}

// checkDestination is the step for the destination of the stream.
func (x *destinationRequest) checkDestination() error {
	return x.refuse(x.changing.Settings.Kinesis.Find(x.stream))
}

// checkDestinations is the step for all destinations: one at most is live.
func (x *destinationRequest) checkDestinations() error {
	list := x.changing.Settings.Kinesis
	for i := range list {
		if err := x.refuse(&list[i]); err != nil {
			return err
		}
	}
	return nil
}

// refuse returns the error of the request because of a destination, or nil. d is nil for a new one.
func (x *destinationRequest) refuse(d *tables.Destination) error {
	return x.changing.Error(states.DestinationPhase(x.status(d)), x.asked)
}

// status returns the state of a destination, "" for none.
func (x *destinationRequest) status(d *tables.Destination) string {
	if d == nil {
		return ""
	}
	return d.Status(x.call.Now(), x.changing.Phase() == states.Deletes)
}

// checkPrecision is the step for the precision of the destination.
func (x *destinationRequest) checkPrecision() error {
	return x.changing.Settings.Kinesis.Find(x.stream).CheckPrecision(x.table, *x.precision)
}
