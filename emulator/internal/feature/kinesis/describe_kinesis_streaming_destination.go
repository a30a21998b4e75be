package kinesis

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
	"github.com/kugiri-db/kugiri/storage"
)

func DescribeKinesisStreamingDestination(c *serve.Call,
	in *api.DescribeKinesisStreamingDestinationInput) (
	*api.DescribeKinesisStreamingDestinationOutput, error) {
	name, err := c.TableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	out := &api.DescribeKinesisStreamingDestinationOutput{TableName: api.Ref(api.TableName(name))}
	return out, c.Store.View(func(tx *storage.Tx) error {
		_, s, err := c.TableFor(tx, name, states.DescribeStreaming)
		if err != nil {
			return err
		}
		_, changing := c.Changing(tx, name)
		out.KinesisDataStreamDestinations = s.Kinesis.Describe(c.Now(),
			changing.Phase() == states.Deletes)
		return nil
	})
}

func DescribeKinesisStreamingDestinationTargets(in *api.DescribeKinesisStreamingDestinationInput,
	ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableName)})
}
