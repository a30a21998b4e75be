package kinesis

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// DisableKinesisStreamingDestination ends streaming. Changes from before are still sent.
func DisableKinesisStreamingDestination(c *serve.Call,
	in *api.KinesisStreamingDestinationInput) (*api.KinesisStreamingDestinationOutput, error) {
	name, err := c.TableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	err = c.Store.Update(func(tx *storage.Tx) error {
		x := newDestinationRequest(c, tx, name, in.StreamArn, states.DisableStreaming)
		x.configured = in.EnableKinesisStreamingConfiguration != nil
		if err := orderOfDisable.Judge(x); err != nil {
			return err
		}
		s := x.settings()
		if x.status(s.Kinesis.Find(x.stream)) != tables.Active { // it is being disabled already
			return nil
		}
		s.Kinesis = s.Kinesis.Disable(x.stream, c.Now().Add(c.Delays().Update))
		tx.Tables().SetSettings(x.table, s)
		tx.Outboxes().CloseAll(x.table)
		return nil
	})
	return &api.KinesisStreamingDestinationOutput{
		TableName:         api.Ref(api.TableName(name)),
		StreamArn:         in.StreamArn,
		DestinationStatus: api.Ref(api.DestinationStatus("DISABLING")),
	}, err
}

// orderOfDisable orders the checks of DisableKinesisStreamingDestination.
var orderOfDisable = serve.Order[*destinationRequest]{
	serve.Step("a configuration", "DDB-TABLE-301", func(x *destinationRequest) error {
		if x.configured {
			return apierr.Invalid(
				"Stream cannot be disabled using EnableKinesisStreamingConfiguration parameters")
		}
		return nil
	}),
	serve.Step("the table and its state", "DDB-TABLE-234, DDB-TABLE-236",
		(*destinationRequest).findTable),
	serve.Step("the destination and its state", "DDB-TABLE-236, DDB-TABLE-301",
		(*destinationRequest).checkDestination),
}

func DisableKinesisStreamingDestinationTargets(in *api.KinesisStreamingDestinationInput,
	ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableName)})
}
