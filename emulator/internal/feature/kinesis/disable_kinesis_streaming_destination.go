package kinesis

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage"
)

// DisableKinesisStreamingDestination ends streaming. Changes from before are still sent.
func DisableKinesisStreamingDestination(c *serve.Call,
	in *api.KinesisStreamingDestinationInput) (*api.KinesisStreamingDestinationOutput, error) {
	name, err := c.TableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	if err := orderOfDisable.Judge(in); err != nil {
		return nil, err
	}
	err = c.Store.Update(func(tx *storage.Tx) error {
		t, s, err := c.CreatedTable(tx, name)
		if err != nil {
			return err
		}
		now := c.Now()
		list, changed, err := s.Kinesis.Disable(string(*in.StreamArn), now,
			now.Add(c.Delays().Update), s.State.At(now))
		if err != nil || !changed {
			return err
		}
		s = s.Clone()
		s.Kinesis = list
		tx.Tables().SetSettings(t, s)
		tx.Outboxes().CloseAll(t)
		return nil
	})
	return &api.KinesisStreamingDestinationOutput{
		TableName:         api.Ref(api.TableName(name)),
		StreamArn:         in.StreamArn,
		DestinationStatus: api.Ref(api.DestinationStatus("DISABLING")),
	}, err
}

// orderOfDisable is what DisableKinesisStreamingDestination judges before the table and its
// destination.
var orderOfDisable = serve.Order[*api.KinesisStreamingDestinationInput]{
	serve.Step("a configuration", "DDB-TABLE-301",
		func(in *api.KinesisStreamingDestinationInput) error {
			if in.EnableKinesisStreamingConfiguration != nil {
				return apierr.Invalid(
					"Stream cannot be disabled using EnableKinesisStreamingConfiguration parameters")
			}
			return nil
		}),
}

func DisableKinesisStreamingDestinationTargets(in *api.KinesisStreamingDestinationInput,
	ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableName)})
}
