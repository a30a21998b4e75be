package streams

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/records"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage"
)

func GetRecords(c *serve.Call, in *api.GetRecordsInput) (*api.GetRecordsOutput, error) {
	limit, err := streamLimit(in.Limit, c.Service.Limits.StreamRecords)
	if err != nil {
		return nil, err
	}
	it, err := parseShardIterator(*in.ShardIterator)
	if err != nil {
		return nil, err
	}
	if c.Now().Sub(it.made) >= iteratorLife {
		return nil, serve.ErrExpired
	}
	out := &api.GetRecordsOutput{Records: []api.Record{}}
	return out, c.Store.View(func(tx *storage.Tx) error {
		s, err := stream(c, tx, it.arn)
		if err != nil {
			return err
		}
		sh := s.Shard(it.shard)
		if sh == nil {
			return errTrimmed // all changes of the shard are trimmed
		}
		if c.Faults != nil {
			limit = min(limit, c.Faults.Records)
		}
		return readRecords(c, out, tx, s, sh, it, limit)
	})
}

func GetRecordsTargets(in *api.GetRecordsInput, ts *serve.Targets) {
	// an iterator begins with the stream's ARN
	ts.Add(serve.Target{Table: arn.TableCalled(in.ShardIterator)})
}

// maxHiddenRecords is how many records that are not the caller's a page passes over before it ends.
// The next one goes on there.
const maxHiddenRecords = 1000

// readRecords adds a page of records, and the iterator for the next one unless the shard has ended.
func readRecords(c *serve.Call, out *api.GetRecordsOutput, tx *storage.Tx, s *storage.Stream,
	sh *storage.Shard, it shardIterator, limit int) error {
	bytes, hidden, more := 0, 0, false
	hide := func(seq uint64) bool {
		it.next = seq + 1
		hidden++
		more = hidden == maxHiddenRecords
		return !more
	}
	show := func(ch *storage.Change) bool {
		record := records.NewRecord(c.Region, s, ch)
		size := int(*record.Dynamodb.SizeBytes)
		if len(out.Records) == limit || len(out.Records) > 0 &&
			bytes+size > c.Service.Limits.StreamBytes {
			more = true
			return false
		}
		bytes += size
		out.Records = append(out.Records, record)
		it.next = ch.Seq + 1
		return true
	}
	if c.Policy.Shown(tx).Changes(s, sh, it.next, show, hide) {
		return errTrimmed
	}
	if !more && sh.Last > 0 {
		return nil
	}
	it.arn, it.made = c.StreamARN(s.Table, s.Label), c.Now()
	out.NextShardIterator = api.Ref(api.ShardIterator(it.String()))
	return nil
}
