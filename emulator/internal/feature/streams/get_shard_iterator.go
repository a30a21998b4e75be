package streams

import (
	"math"
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/records"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage"
)

// errTrimmed: what github.com/ironSource/node-dynamodb-stream/issues/13 has been told.
var errTrimmed = &apierr.Error{
	Type: apierr.TrimmedDataAccess, Message: "The data you are trying to access has been trimmed",
}

func GetShardIterator(c *serve.Call, in *api.GetShardIteratorInput) (*api.GetShardIteratorOutput,
	error) {
	seq, err := iteratorSequenceNumber(in)
	if err != nil {
		return nil, err
	}
	since, err := iteratorTimestamp(in, c.Now())
	if err != nil {
		return nil, err
	}
	out := new(api.GetShardIteratorOutput)
	return out, c.Store.View(func(tx *storage.Tx) error {
		s, err := stream(c, tx, string(*in.StreamArn))
		if err != nil {
			return err
		}
		sh := shardOf(s, *in.ShardId)
		if sh == nil {
			return errNoShard
		}
		it := shardIterator{arn: c.StreamARN(s.Table, s.Label), shard: sh.Number, made: c.Now()}
		switch *in.ShardIteratorType {
		case "TRIM_HORIZON":
			it.next = tx.Streams().Horizon(sh)
		case "LATEST":
			it.next = tx.Streams().LastSeq() + 1
		case "AT_TIMESTAMP":
			it.next = tx.Streams().Since(sh, since)
		default:
			if err := checkInShard(tx, sh, seq); err != nil {
				return err
			}
			it.next = seq
			if *in.ShardIteratorType == "AFTER_SEQUENCE_NUMBER" {
				it.next++
			}
		}
		out.ShardIterator = api.Ref(api.ShardIterator(it.String()))
		return nil
	})
}

func GetShardIteratorTargets(in *api.GetShardIteratorInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.StreamArn)})
}

// iteratorSequenceNumber is the sequence number that the type of an iterator takes.
func iteratorSequenceNumber(in *api.GetShardIteratorInput) (uint64, error) {
	kind := *in.ShardIteratorType
	takes := kind == "AT_SEQUENCE_NUMBER" || kind == "AFTER_SEQUENCE_NUMBER"
	switch {
	case !takes && in.SequenceNumber != nil:
		return 0, apierr.Invalid(
			"SequenceNumber must not be specified when ShardIteratorType is %s", kind)
	case !takes:
		return 0, nil
	case in.SequenceNumber == nil:
		return 0, apierr.Invalid("SequenceNumber must be specified when ShardIteratorType is %s",
			kind)
	}
	seq, ok := records.ParseSequenceNumber(*in.SequenceNumber)
	if !ok {
		return 0, errSequenceNumber
	}
	return seq, nil
}

// iteratorTimestamp is the time of the oldest record that an iterator AT_TIMESTAMP is to reach.
// Records tell their time in whole seconds. (The rules are those of the API model; the texts are
// modelled on those for SequenceNumber.)
func iteratorTimestamp(in *api.GetShardIteratorInput, now time.Time) (time.Time, error) {
	kind := *in.ShardIteratorType
	takes := kind == "AT_TIMESTAMP"
	switch {
	case !takes && in.Timestamp != nil:
		return now, apierr.Invalid("Timestamp must not be specified when ShardIteratorType is %s",
			kind)
	case !takes:
		return now, nil
	case in.Timestamp == nil:
		return now, apierr.Invalid("Timestamp must be specified when ShardIteratorType is %s", kind)
	}
	seconds := float64(*in.Timestamp)
	if seconds*1000 > float64(now.UnixMilli()) {
		return now, apierr.Invalid("Timestamp must not be in the future")
	}
	return time.Unix(int64(math.Ceil(max(seconds, 0))), 0), nil
}

var errSequenceNumber = apierr.Invalid("Invalid SequenceNumber")

// checkInShard checks that a sequence number is one of a shard's, and what it stands for not too
// old.
func checkInShard(tx *storage.Tx, sh *storage.Shard, seq uint64) error {
	if seq < sh.First || sh.Last > 0 && seq > sh.Last || seq > tx.Streams().LastSeq() {
		return errSequenceNumber
	}
	if tx.Streams().Trimmed(sh, seq) {
		return errTrimmed
	}
	return nil
}
