package kinesis

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
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
		_, s, err := c.BornTable(tx, name)
		if err != nil {
			return err
		}
		now := c.Now()
		out.KinesisDataStreamDestinations = s.Kinesis.Describe(now, s.State.At(now))
		return nil
	})
}

func DescribeKinesisStreamingDestinationTargets(in *api.DescribeKinesisStreamingDestinationInput,
	ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableName)})
}
