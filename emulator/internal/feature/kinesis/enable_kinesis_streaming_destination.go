package kinesis

import (
	"strings"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
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
	err = c.Store.View(func(tx *storage.Tx) error {
		_, _, err := tableToStream(c, tx, name)
		return err
	})
	if err != nil {
		return nil, err
	}
	config := in.EnableKinesisStreamingConfiguration
	if config == nil {
		config = new(api.EnableKinesisStreamingConfiguration)
	}
	stream, precision := strings.Clone(string(*in.StreamArn)), api.Deref(
		api.Clone(config.ApproximateCreationDateTimePrecision))
	// may wait for an endpoint, and so is not part of the Update
	why := checkKinesisStream(c, stream)
	err = c.Store.Update(func(tx *storage.Tx) error {
		t, s, err := tableToStream(c, tx, name)
		if err != nil {
			return err
		}
		s = s.Clone()
		s.Kinesis = s.Kinesis.Enable(stream, precision, why, c.Now().Add(c.Delays().Update))
		tx.Tables().SetSettings(t, s)
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
func tableToStream(c *serve.Call, tx *storage.Tx, name string) (*storage.Table, *tables.Settings,
	error) {
	t, s, err := c.CreatedTable(tx, name)
	if err != nil {
		return nil, nil, err
	}
	now := c.Now()
	return t, s, s.Kinesis.CheckEnable(now, s.State.At(now))
}

func EnableKinesisStreamingDestinationTargets(in *api.KinesisStreamingDestinationInput,
	ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableName)})
}
