package kinesis

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
	"github.com/kugiri-db/kugiri/storage"
)

// EnableKinesisStreamingDestination begins to stream. Whether the stream exists shows only in the
// state that follows ENABLING (ack-api-quirks, DDB-TABLE-318, a probe of the service).
func EnableKinesisStreamingDestination(c *serve.Call,
	in *api.KinesisStreamingDestinationInput) (*api.KinesisStreamingDestinationOutput, error) {
	name, err := c.TableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	request := func(tx *storage.Tx) (*destinationRequest, error) {
		x := newDestinationRequest(c, tx, name, in.StreamArn, states.EnableStreaming)
		return x, orderOfEnable.Judge(x)
	}
	err = c.Store.View(func(tx *storage.Tx) error {
		_, err := request(tx)
		return err
	})
	if err != nil {
		return nil, err
	}
	config := in.EnableKinesisStreamingConfiguration
	if config == nil {
		config = new(api.EnableKinesisStreamingConfiguration)
	}
	precision := api.Deref(api.Clone(config.ApproximateCreationDateTimePrecision))
	// may wait for an endpoint, and so is not part of the Update
	why := checkKinesisStream(c, string(*in.StreamArn))
	err = c.Store.Update(func(tx *storage.Tx) error {
		x, err := request(tx)
		if err != nil {
			return err
		}
		s := x.settings()
		s.Kinesis = s.Kinesis.Enable(x.stream, precision, why, c.Now().Add(c.Delays().Update))
		tx.Tables().SetSettings(x.table, s)
		if why == "" {
			openOutbox(tx, x.table, s.Kinesis.Find(x.stream))
		}
		return nil
	})
	return &api.KinesisStreamingDestinationOutput{
		TableName:                           api.Ref(api.TableName(name)),
		StreamArn:                           in.StreamArn,
		DestinationStatus:                   api.Ref(api.DestinationStatus("ENABLING")),
		EnableKinesisStreamingConfiguration: config,
	}, err
}

// orderOfEnable orders the checks of EnableKinesisStreamingDestination.
var orderOfEnable = serve.Order[*destinationRequest]{
	serve.Step("the table and its state", "DDB-TABLE-234, DDB-TABLE-236, DDB-TABLE-455",
		(*destinationRequest).findTable),
	serve.Step("all destinations and their states", "DDB-TABLE-236, DDB-TABLE-299",
		(*destinationRequest).checkDestinations),
}

func EnableKinesisStreamingDestinationTargets(in *api.KinesisStreamingDestinationInput,
	ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableName)})
}
