package records

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"strconv"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/storage"
)

// ShardID is the id of a shard. Its number makes it unique. Ids of the service have a time before
// the number, too. The time of a parent is not known any more once the parent is trimmed, so it is
// the stream's.
func ShardID(s *storage.Stream, number uint64) api.ShardId {
	return api.ShardId(fmt.Sprintf("shardId-%020d-%08x", s.Created.UnixMilli(), number))
}

// SequenceNumber writes a Seq as a number of 21 digits, which order as the Seqs do.
func SequenceNumber(seq uint64) *api.SequenceNumber {
	return api.Ref(api.SequenceNumber(fmt.Sprintf("1%020d", seq)))
}

// ParseSequenceNumber is the reverse of SequenceNumber.
func ParseSequenceNumber(n api.SequenceNumber) (seq uint64, ok bool) {
	if len(n) != 21 || n[0] != '1' {
		return 0, false
	}
	seq, err := strconv.ParseUint(string(n[1:]), 10, 64)
	return seq, err == nil
}

// NewRecord returns a change as its stream shows it (API Reference, Record).
func NewRecord(region string, s *storage.Stream, ch *storage.Change) api.Record {
	d := &api.StreamRecord{
		ApproximateCreationDateTime: api.Ref(api.Timestamp(ch.Time.Unix())),
		Keys:                        ch.Keys.JSON(),
		SequenceNumber:              SequenceNumber(ch.Seq),
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
		EventName:    api.Ref(EventName(ch)),
		EventVersion: api.Ref("1.1"),
		EventSource:  api.Ref("aws:dynamodb"),
		AwsRegion:    api.Ref(region),
		Dynamodb:     d,
	}
	if ch.Expired { // Developer Guide, "DynamoDB Streams and Time to Live"
		r.UserIdentity = &api.Identity{
			PrincipalId: api.Ref("dynamodb.amazonaws.com"), Type: api.Ref("Service"),
		}
	}
	return r
}

func EventName(ch *storage.Change) api.OperationType {
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
