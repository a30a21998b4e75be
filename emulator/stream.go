package emulator

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/storage"
)

// streamOfARN returns the table and the label in a stream's ARN.
func (c *call) streamOfARN(arn string) (table, label string, err error) {
	at := strings.LastIndex(arn, "/stream/")
	if at < 0 {
		return "", "", errStreamARN(arn)
	}
	if table, err = c.tableOfARN(arn[:at]); err != nil {
		if apierr.As(err).Type == apierr.Validation {
			err = errStreamARN(arn)
		}
		return "", "", err
	}
	return table, arn[at+len("/stream/"):], nil
}

func errStreamARN(arn string) error {
	return apierr.Invalid("Invalid StreamArn: Invalid ResourceArn provided as input %s", arn)
}

// stream returns the stream that an ARN names.
func (c *call) stream(tx *storage.Tx, arn string) (*storage.Stream, error) {
	table, label, err := c.streamOfARN(arn)
	if err != nil {
		return nil, err
	}
	s := tx.Stream(table, label)
	if s == nil {
		return nil, &apierr.Error{Type: apierr.ResourceNotFound, Message: "Requested resource not found: Stream: " + arn + " not found"}
	}
	return s, nil
}

// errNoShard: what github.com/ironSource/node-dynamodb-stream/issues/16 has been told.
var errNoShard = &apierr.Error{Type: apierr.ResourceNotFound, Message: "Requested resource not found: Shard does not exist"}

// shardID is the id of a shard. Its number makes it unique; the time before it is
// what the ids of the service begin with, too. That of a parent is not known any
// more once the parent is trimmed, and so the time is the stream's.
func shardID(s *storage.Stream, number uint64) api.ShardId {
	return api.ShardId(fmt.Sprintf("shardId-%020d-%08x", s.Created.UnixMilli(), number))
}

// shardOf returns the shard of a stream with an id, or nil.
func shardOf(s *storage.Stream, id api.ShardId) *storage.Shard {
	for _, sh := range s.Shards() {
		if shardID(s, sh.Number) == id {
			return sh
		}
	}
	return nil
}

// sequenceNumber writes a Seq as a number of 21 digits, which order as the Seqs do.
func sequenceNumber(seq uint64) *api.SequenceNumber {
	return api.Ref(api.SequenceNumber(fmt.Sprintf("1%020d", seq)))
}

// parseSequenceNumber is the reverse of sequenceNumber.
func parseSequenceNumber(n api.SequenceNumber) (seq uint64, ok bool) {
	if len(n) != 21 || n[0] != '1' {
		return 0, false
	}
	seq, err := strconv.ParseUint(string(n[1:]), 10, 64)
	return seq, err == nil
}

// streamLimit is the Limit of a page of a streams operation, whose largest, and
// usual, value the public model does not have.
func streamLimit(given *api.PositiveIntegerObject, most int) (int, error) {
	if given == nil {
		return most, nil
	}
	if int(*given) > most {
		return 0, apierr.Invalid("1 validation error detected: Value '%d' at 'limit' failed to satisfy constraint: "+
			"Member must have value less than or equal to %d", *given, most)
	}
	return int(*given), nil
}
