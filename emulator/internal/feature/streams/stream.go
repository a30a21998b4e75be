package streams

import (
	"strings"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/records"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage"
)

// streamOfARN returns the table and the label in a stream's ARN.
func streamOfARN(c *serve.Call, arn string) (table, label string, err error) {
	at := strings.LastIndex(arn, "/stream/")
	if at < 0 {
		return "", "", errStreamARN(arn)
	}
	if table, err = c.TableOfARN(arn[:at]); err != nil {
		switch apierr.As(err).Type {
		case apierr.Validation:
			err = errStreamARN(arn)
		case apierr.AccessDenied: // the refusal names the stream, not its table
			err = c.AccessDenied(arn)
		}
		return "", "", err
	}
	return table, arn[at+len("/stream/"):], nil
}

func errStreamARN(arn string) error {
	return apierr.Invalid("Invalid StreamArn: Invalid ResourceArn provided as input %s", arn)
}

// stream returns the stream that an ARN names.
func stream(c *serve.Call, tx *storage.Tx, arn string) (*storage.Stream, error) {
	table, label, err := streamOfARN(c, arn)
	if err != nil {
		return nil, err
	}
	s := tx.Streams().ByLabel(table, label)
	if s == nil {
		return nil, &apierr.Error{
			Type:    apierr.ResourceNotFound,
			Message: "Requested resource not found: Stream: " + arn + " not found",
		}
	}
	return s, nil
}

// errNoShard: what github.com/ironSource/node-dynamodb-stream/issues/16 has been told.
var errNoShard = &apierr.Error{
	Type: apierr.ResourceNotFound, Message: "Requested resource not found: Shard does not exist",
}

// shardOf returns the shard of a stream with an id, or nil.
func shardOf(s *storage.Stream, id api.ShardId) *storage.Shard {
	for _, sh := range s.Shards() {
		if records.ShardID(s, sh.Number) == id {
			return sh
		}
	}
	return nil
}

// streamLimit is the Limit of a page of a streams operation, whose largest, and
// usual, value the public model does not have.
func streamLimit(given *api.PositiveIntegerObject, most int) (int, error) {
	if given == nil {
		return most, nil
	}
	if int(*given) > most {
		return 0, apierr.Invalid(
			"1 validation error detected: Value '%d' at 'limit' failed to satisfy constraint: "+
				"Member must have value less than or equal to %d", *given, most)
	}
	return int(*given), nil
}
