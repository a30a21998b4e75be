package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/storage"
)

// disableKinesisStreamingDestination ends streaming. Changes from before are still sent.
func disableKinesisStreamingDestination(c *call, in *api.KinesisStreamingDestinationInput) (*api.KinesisStreamingDestinationOutput, error) {
	name, err := c.tableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	if in.EnableKinesisStreamingConfiguration != nil { // ack-api-quirks, DDB-TABLE-301
		return nil, apierr.Invalid("Stream cannot be disabled using EnableKinesisStreamingConfiguration parameters")
	}
	err = c.store.Update(func(tx *storage.Tx) error {
		t, s, err := c.createdTable(tx, name)
		if err != nil {
			return err
		}
		now := c.now()
		list, changed, err := s.Kinesis.Disable(string(*in.StreamArn), now, now.Add(c.delays().update), s.State.At(now))
		if err != nil || !changed {
			return err
		}
		s = s.Clone()
		s.Kinesis = list
		tx.SetSettings(t, s)
		tx.CloseOutboxes(t)
		return nil
	})
	return &api.KinesisStreamingDestinationOutput{
		TableName:         api.Ref(api.TableName(name)),
		StreamArn:         in.StreamArn,
		DestinationStatus: api.Ref(api.DestinationStatus("DISABLING")),
	}, err
}

func disableKinesisStreamingDestinationTargets(in *api.KinesisStreamingDestinationInput, ts *targets) {
	ts.add(target{table: arn.TableCalled(in.TableName)})
}
