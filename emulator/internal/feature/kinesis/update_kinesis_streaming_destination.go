package kinesis

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
	"github.com/kugiri-db/kugiri/storage"
)

// UpdateKinesisStreamingDestination changes the precision of later changes. An outbox has one
// precision, so that earlier changes keep theirs.
func UpdateKinesisStreamingDestination(c *serve.Call,
	in *api.UpdateKinesisStreamingDestinationInput) (*api.UpdateKinesisStreamingDestinationOutput,
	error) {
	name, err := c.TableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	config := in.UpdateKinesisStreamingConfiguration
	err = c.Store.Update(func(tx *storage.Tx) error {
		x := newDestinationRequest(c, tx, name, in.StreamArn, states.UpdateStreaming)
		if config != nil {
			x.precision = config.ApproximateCreationDateTimePrecision
		}
		if err := orderOfUpdate.Judge(x); err != nil {
			return err
		}
		s := x.settings()
		s.Kinesis = s.Kinesis.Update(x.stream, *x.precision, c.Now().Add(c.Delays().Update))
		tx.Tables().SetSettings(x.table, s)
		tx.Outboxes().CloseAll(x.table)
		openOutbox(tx, x.table, s.Kinesis.Find(x.stream))
		return nil
	})
	return &api.UpdateKinesisStreamingDestinationOutput{
		TableName:                           api.Ref(api.TableName(name)),
		StreamArn:                           in.StreamArn,
		DestinationStatus:                   api.Ref(api.DestinationStatus("UPDATING")),
		UpdateKinesisStreamingConfiguration: config,
	}, err
}

// orderOfUpdate orders the checks of UpdateKinesisStreamingDestination.
var orderOfUpdate = serve.Order[*destinationRequest]{
	serve.Step("a configuration of nothing", "DDB-TABLE-300", func(x *destinationRequest) error {
		if x.precision == nil {
			return apierr.Invalid("Streaming destination cannot be updated with given parameters: " +
				"UpdateKinesisStreamingConfiguration cannot be null or contain only null values")
		}
		return nil
	}),
	serve.Step("the table and its state", "DDB-TABLE-234, DDB-TABLE-236",
		(*destinationRequest).findTable),
	serve.Step("the destination and its state", "DDB-TABLE-300, M.8",
		(*destinationRequest).checkDestination),
	serve.Step("the precision that it has", "DDB-TABLE-300",
		(*destinationRequest).checkPrecision),
}

func UpdateKinesisStreamingDestinationTargets(in *api.UpdateKinesisStreamingDestinationInput,
	ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableName)})
}
