package kinesis

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
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
	if err := orderOfUpdate.Judge(in); err != nil {
		return nil, err
	}
	config := in.UpdateKinesisStreamingConfiguration
	stream := string(*in.StreamArn)
	err = c.Store.Update(func(tx *storage.Tx) error {
		t, s, err := c.CreatedTable(tx, name)
		if err != nil {
			return err
		}
		now := c.Now()
		s = s.Clone()
		s.Kinesis, err = s.Kinesis.Update(t, stream, *config.ApproximateCreationDateTimePrecision,
			now, now.Add(c.Delays().Update), s.State.At(now))
		if err != nil {
			return err
		}
		tx.Tables().SetSettings(t, s)
		tx.Outboxes().CloseAll(t)
		openOutbox(tx, t, s.Kinesis.Find(stream))
		return nil
	})
	return &api.UpdateKinesisStreamingDestinationOutput{
		TableName:                           api.Ref(api.TableName(name)),
		StreamArn:                           in.StreamArn,
		DestinationStatus:                   api.Ref(api.DestinationStatus("UPDATING")),
		UpdateKinesisStreamingConfiguration: config,
	}, err
}

// orderOfUpdate is what UpdateKinesisStreamingDestination judges before the table. For its
// destination see tables.Destinations.
var orderOfUpdate = serve.Order[*api.UpdateKinesisStreamingDestinationInput]{
	serve.Step("a configuration of nothing", "DDB-TABLE-300",
		func(in *api.UpdateKinesisStreamingDestinationInput) error {
			config := in.UpdateKinesisStreamingConfiguration
			if config == nil || config.ApproximateCreationDateTimePrecision == nil {
				return apierr.Invalid(
					"Streaming destination cannot be updated with given parameters: " +
						"UpdateKinesisStreamingConfiguration cannot be null or contain only null values")
			}
			return nil
		}),
}

func UpdateKinesisStreamingDestinationTargets(in *api.UpdateKinesisStreamingDestinationInput,
	ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableName)})
}
