package streams

import (
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/records"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// maxDescribedShards is the largest page of DescribeStream, and the usual one (API Reference,
// DescribeStream, Limit).
const maxDescribedShards = 100

func DescribeStream(c *serve.Call, in *api.DescribeStreamInput) (*api.DescribeStreamOutput, error) {
	limit, err := streamLimit(in.Limit, maxDescribedShards)
	if err != nil {
		return nil, err
	}
	out := new(api.DescribeStreamOutput)
	return out, c.Store.Update(func(tx *storage.Tx) error {
		s, err := stream(c, tx, string(*in.StreamArn))
		if err != nil {
			return err
		}
		tx.Streams().Roll(s)
		out.StreamDescription = &api.StreamDescription{
			StreamArn:               api.Ref(api.StreamArn(c.StreamARN(s.Table, s.Label))),
			StreamLabel:             api.Ref(s.Label),
			StreamStatus:            api.Ref(streamStatus(c, s, c.Now())),
			StreamViewType:          api.Ref(api.StreamViewType(s.View)),
			CreationRequestDateTime: tables.Timestamp(s.Created),
			TableName:               api.Ref(api.TableName(s.Table)),
			KeySchema:               tables.APIKey(s.Key),
		}
		return describeShards(out.StreamDescription, s, in, limit)
	})
}

func DescribeStreamTargets(in *api.DescribeStreamInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.StreamArn)})
}

// streamStatus is the state of a stream; the passing ones last as long as an update of a table
// does.
func streamStatus(c *serve.Call, s *storage.Stream, now time.Time) api.StreamStatus {
	ended, delay := s.Ended(), c.Delays().Update
	switch {
	case ended.IsZero() && now.Before(s.Created.Add(delay)):
		return "ENABLING"
	case ended.IsZero():
		return "ENABLED"
	case now.Before(ended.Add(delay)):
		return "DISABLING"
	}
	return "DISABLED"
}

// describeShards adds a page of the shards that are asked for.
func describeShards(d *api.StreamDescription, s *storage.Stream, in *api.DescribeStreamInput,
	limit int) error {
	d.Shards = []api.Shard{}
	var after, parent uint64
	if in.ExclusiveStartShardId != nil {
		sh := shardOf(s, *in.ExclusiveStartShardId)
		if sh == nil { // service facts 10.2
			return nil
		}
		after = sh.Number
	}
	if f := in.ShardFilter; f != nil {
		sh, err := filteredParent(s, f)
		if err != nil {
			return err
		}
		parent = sh.Number
	}
	for _, sh := range s.Shards() {
		if sh.Number <= after || parent > 0 && sh.Parent != parent {
			continue
		}
		if len(d.Shards) == limit {
			d.LastEvaluatedShardId = d.Shards[limit-1].ShardId
			break
		}
		d.Shards = append(d.Shards, describeShard(s, sh))
	}
	return nil
}

// filteredParent returns the shard whose children a filter asks for.
func filteredParent(s *storage.Stream, f *api.ShardFilter) (*storage.Shard, error) {
	if f.Type == nil || f.ShardId == nil {
		return nil, apierr.Invalid("ShardFilter must have both Type and ShardId")
	}
	sh := shardOf(s, *f.ShardId)
	if sh == nil {
		return nil, errNoShard
	}
	return sh, nil
}

func describeShard(s *storage.Stream, sh *storage.Shard) api.Shard {
	d := api.Shard{
		ShardId: api.Ref(records.ShardID(s, sh.Number)),
		SequenceNumberRange: &api.SequenceNumberRange{
			StartingSequenceNumber: records.SequenceNumber(sh.First),
		},
	}
	if sh.Last > 0 {
		d.SequenceNumberRange.EndingSequenceNumber = records.SequenceNumber(sh.Last)
	}
	if sh.Parent > 0 {
		d.ParentShardId = api.Ref(records.ShardID(s, sh.Parent))
	}
	return d
}
