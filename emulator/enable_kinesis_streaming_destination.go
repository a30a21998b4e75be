package emulator

import (
	"strings"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// enableKinesisStreamingDestination begins to stream. Whether the stream exists shows only in the
// state that follows ENABLING (ack-api-quirks, DDB-TABLE-318, a probe of the service).
func enableKinesisStreamingDestination(c *call, in *api.KinesisStreamingDestinationInput) (*api.KinesisStreamingDestinationOutput, error) {
	name, err := c.tableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	err = c.store.View(func(tx *storage.Tx) error {
		_, _, err := c.tableToStream(tx, name)
		return err
	})
	if err != nil {
		return nil, err
	}
	config := in.EnableKinesisStreamingConfiguration
	if config == nil {
		config = new(api.EnableKinesisStreamingConfiguration)
	}
	stream, precision := strings.Clone(string(*in.StreamArn)), api.Deref(api.Clone(config.ApproximateCreationDateTimePrecision))
	why := c.checkKinesisStream(stream) // may wait for an endpoint, and so is not part of the Update
	err = c.store.Update(func(tx *storage.Tx) error {
		t, s, err := c.tableToStream(tx, name)
		if err != nil {
			return err
		}
		s = s.Clone()
		s.Kinesis = s.Kinesis.Enable(stream, precision, why, c.now().Add(c.delays().update))
		tx.SetSettings(t, s)
		if why == "" {
			openOutbox(tx, t, s.Kinesis.Find(stream))
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

// tableToStream returns a table for which a destination can be enabled.
func (c *call) tableToStream(tx *storage.Tx, name string) (*storage.Table, *tables.Settings, error) {
	t, s, err := c.createdTable(tx, name)
	if err != nil {
		return nil, nil, err
	}
	now := c.now()
	return t, s, s.Kinesis.CheckEnable(now, s.State.At(now))
}

func enableKinesisStreamingDestinationTargets(in *api.KinesisStreamingDestinationInput, ts *targets) {
	ts.add(target{table: arn.TableCalled(in.TableName)})
}
