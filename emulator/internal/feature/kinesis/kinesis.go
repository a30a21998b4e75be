package kinesis

import (
	"context"
	"errors"
	"log/slog"
	"strings"

	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// Sink has the methods of emulator.KinesisSink, which documents them.
type Sink interface {
	CheckStream(ctx context.Context, streamARN string) error
	PutRecords(ctx context.Context, streamARN string, records []Record) (rejected []Record,
		err error)
}

// ErrNoKinesisStream is returned by a Sink for a stream that cannot take records.
var ErrNoKinesisStream = errors.New("the Kinesis data stream does not exist or is not active")

// Record is the record of a change.
type Record struct {
	PartitionKey string // the same for all changes of an item
	Data         []byte // JSON
}

// Descriptions of the state ENABLE_FAILED (ack-api-quirks, DDB-TABLE-318, a probe of the service).
const (
	NoPermission = "User does not have a permission to use kinesis stream"
	OtherRegion  = "The kinesis Arn used to enable kinesis replication belongs to a stream which is not in the current region"
	NotActive    = "The kinesis Arn used to enable kinesis replication belongs to a stream which is not in Active state"
)

// checkKinesisStream returns why a stream cannot be enabled, or "".
func checkKinesisStream(c *serve.Call, arn string) (why string) {
	// arn:partition:kinesis:region:account:stream/name
	part := strings.SplitN(arn, ":", 6)
	if len(part) < 6 || part[2] == "dynamodb" {
		return NoPermission
	}
	name, isStream := strings.CutPrefix(part[5], "stream/")
	switch {
	case part[2] != "kinesis", part[3] == c.Region && part[4] != c.Account:
		return NotActive
	case part[3] != c.Region:
		return OtherRegion
	case !isStream, strings.Contains(name, "/"):
		return NoPermission
	}
	return askKinesis(c, arn)
}

// askKinesis asks the sink for a stream of the caller's account and region.
func askKinesis(c *serve.Call, arn string) (why string) {
	if c.Service.CheckStream == nil {
		c.Service.Logger.Warn("there is no Kinesis endpoint, so a destination cannot be enabled",
			slog.String("stream", arn))
		return NoPermission
	}
	err := c.Service.CheckStream(c.Ctx, arn)
	if errors.Is(err, ErrNoKinesisStream) {
		return NoPermission
	}
	if err != nil {
		c.Service.Logger.Warn("a Kinesis stream could not be checked", slog.String("stream", arn),
			slog.Any("error", err))
	}
	return ""
}

// openOutbox begins to collect the changes for a destination.
func openOutbox(tx *storage.Tx, t *storage.Table, d *tables.Destination) {
	tx.Outboxes().Open(t, string(d.Precision)+" "+d.Stream)
}

// destinationOf returns the stream of an outbox and the precision, "" if none was given.
func destinationOf(o *storage.Outbox) (stream, precision string) {
	precision, stream, _ = strings.Cut(o.Label, " ")
	return stream, precision
}
