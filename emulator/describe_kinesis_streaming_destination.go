package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/storage"
)

// describeKinesisStreamingDestination answers what is true of a table that streams to nowhere.
func describeKinesisStreamingDestination(c *call, in *api.DescribeKinesisStreamingDestinationInput) (*api.DescribeKinesisStreamingDestinationOutput, error) {
	name, err := c.tableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	err = c.store.View(func(tx *storage.Tx) error {
		_, _, err := c.knownTable(tx, name)
		return err
	})
	return &api.DescribeKinesisStreamingDestinationOutput{
		TableName:                     api.Ref(api.TableName(name)),
		KinesisDataStreamDestinations: []api.KinesisDataStreamDestination{},
	}, err
}

func describeKinesisStreamingDestinationTargets(in *api.DescribeKinesisStreamingDestinationInput, ts *targets) {
	ts.add(target{table: tableCalled(in.TableName)})
}
