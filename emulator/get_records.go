package emulator

import (
	"encoding/binary"
	"encoding/hex"
	"hash/fnv"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/storage"
)

func getRecords(c *call, in *api.GetRecordsInput) (*api.GetRecordsOutput, error) {
	limit, err := streamLimit(in.Limit, c.service.limits.StreamRecords)
	if err != nil {
		return nil, err
	}
	it, err := parseShardIterator(*in.ShardIterator)
	if err != nil {
		return nil, err
	}
	if c.now().Sub(it.made) >= iteratorLife {
		return nil, errExpired
	}
	out := &api.GetRecordsOutput{Records: []api.Record{}}
	return out, c.store.View(func(tx *storage.Tx) error {
		s, err := c.stream(tx, it.arn)
		if err != nil {
			return err
		}
		sh := s.Shard(it.shard)
		if sh == nil {
			return errTrimmed // as all of its changes
		}
		if c.faults != nil {
			limit = min(limit, c.faults.records)
		}
		return c.readRecords(out, tx, s, sh, it, limit)
	})
}

func getRecordsTargets(in *api.GetRecordsInput, ts *targets) {
	ts.add(target{table: arn.TableCalled(in.ShardIterator)}) // which begins with the stream's ARN
}

// maxHiddenRecords is how many records that are not the caller's a page passes over before it ends.
// The next one goes on there.
const maxHiddenRecords = 1000

// readRecords adds a page of records, and the iterator for the next one unless the shard has ended.
func (c *call) readRecords(out *api.GetRecordsOutput, tx *storage.Tx, s *storage.Stream, sh *storage.Shard, it shardIterator, limit int) error {
	bytes, hidden, more := 0, 0, false
	tooOld := tx.Changes(s, sh, it.next, func(ch *storage.Change) bool {
		if !c.watch.sees(s.Table, ch.Keys) {
			it.next = ch.Seq + 1
			hidden++
			more = hidden == maxHiddenRecords
			return !more
		}
		record := c.record(s, ch)
		size := int(*record.Dynamodb.SizeBytes)
		if len(out.Records) == limit || len(out.Records) > 0 && bytes+size > c.service.limits.StreamBytes {
			more = true
			return false
		}
		bytes += size
		out.Records = append(out.Records, record)
		it.next = ch.Seq + 1
		return true
	})
	if tooOld {
		return errTrimmed
	}
	if !more && sh.Last > 0 {
		return nil
	}
	it.arn, it.made = c.StreamARN(s.Table, s.Label), c.now()
	out.NextShardIterator = api.Ref(api.ShardIterator(it.String()))
	return nil
}

// record is a change as its stream shows it (API Reference, Record).
func (c *call) record(s *storage.Stream, ch *storage.Change) api.Record {
	d := &api.StreamRecord{
		ApproximateCreationDateTime: api.Ref(api.Timestamp(ch.Time.Unix())),
		Keys:                        ch.Keys.JSON(),
		SequenceNumber:              sequenceNumber(ch.Seq),
		StreamViewType:              api.Ref(api.StreamViewType(s.View)),
	}
	size := ch.Keys.Size()
	if ch.New != "" && (s.View == "NEW_IMAGE" || s.View == "NEW_AND_OLD_IMAGES") {
		d.NewImage = ch.New.JSON()
		size += ch.New.Size()
	}
	if ch.Old != "" && (s.View == "OLD_IMAGE" || s.View == "NEW_AND_OLD_IMAGES") {
		d.OldImage = ch.Old.JSON()
		size += ch.Old.Size()
	}
	d.SizeBytes = api.Ref(api.PositiveLongObject(size))
	r := api.Record{
		EventID:      api.Ref(eventID(s, ch.Seq)),
		EventName:    api.Ref(eventName(ch)),
		EventVersion: api.Ref("1.1"),
		EventSource:  api.Ref("aws:dynamodb"),
		AwsRegion:    api.Ref(c.Region),
		Dynamodb:     d,
	}
	if ch.Expired { // Developer Guide, "DynamoDB Streams and Time to Live"
		r.UserIdentity = &api.Identity{PrincipalId: api.Ref("dynamodb.amazonaws.com"), Type: api.Ref("Service")}
	}
	return r
}

func eventName(ch *storage.Change) api.OperationType {
	switch {
	case ch.Old == "":
		return "INSERT"
	case ch.New == "":
		return "REMOVE"
	}
	return "MODIFY"
}

// eventID is the same whenever the record is read.
func eventID(s *storage.Stream, seq uint64) string {
	h := fnv.New128a()
	h.Write([]byte(s.TableID))
	h.Write([]byte(s.Label))
	h.Write(binary.BigEndian.AppendUint64(nil, seq))
	return hex.EncodeToString(h.Sum(nil))
}
