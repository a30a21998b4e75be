package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/storage"
)

func describeKinesisStreamingDestination(c *call, in *api.DescribeKinesisStreamingDestinationInput) (*api.DescribeKinesisStreamingDestinationOutput, error) {
	name, err := c.tableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	out := &api.DescribeKinesisStreamingDestinationOutput{TableName: api.Ref(api.TableName(name))}
	return out, c.store.View(func(tx *storage.Tx) error {
		_, s, err := c.knownTable(tx, name)
		if err != nil {
			return err
		}
		now := c.now()
		out.KinesisDataStreamDestinations = s.Kinesis.Describe(now, s.State.At(now))
		return nil
	})
}

func describeKinesisStreamingDestinationTargets(in *api.DescribeKinesisStreamingDestinationInput, ts *targets) {
	ts.add(target{table: arn.TableCalled(in.TableName)})
}
