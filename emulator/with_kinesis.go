package emulator

import (
	"context"

	"github.com/kugiri-db/kugiri/emulator/internal/feature/kinesis"
)

// KinesisSink sends records to Kinesis data streams: see WithKinesis. Command kugiri has one for an
// endpoint of Kinesis; a test can have one in memory. Its methods must be safe for concurrent use.
type KinesisSink interface {
	// CheckStream returns ErrNoKinesisStream if the stream does not exist or cannot take records.
	// Any other error means that this is not known: the destination then becomes ACTIVE, and
	// records wait until the stream takes them.
	CheckStream(ctx context.Context, streamARN string) error

	// PutRecords sends at most 500 records with at most 5 MB of data. It returns those that the
	// stream did not take, which are sent again. After an error all are sent again. It must not
	// change records.
	PutRecords(ctx context.Context, streamARN string,
		records []KinesisRecord) (rejected []KinesisRecord,
		err error)
}

// KinesisRecord is the record of a change.
type KinesisRecord struct {
	PartitionKey string // the same for all changes of an item
	Data         []byte // JSON
}

// WithKinesis makes the service send the changes of tables to Kinesis data streams: see the
// operation EnableKinesisStreamingDestination. Without a sink all destinations end up in the state
// ENABLE_FAILED.
//
// The service sends each change at least once, in the background, after it is durable. Changes that
// wait to be sent are in memory and, with Open, in the journal, so that the next Open sends them.
// Writes never wait for a sink. While a stream takes no records, the service tries again at growing
// intervals on its clock, up to 10 seconds.
//
// Forks send their own changes to the same sink, and leave those from before to the original.
// Restore and Reset drop the changes that wait.
func WithKinesis(sink KinesisSink) Option {
	return func(s *settings) {
		s.kinesis = nil
		if sink != nil {
			s.kinesis = kinesisSink{sink}
		}
	}
}

// kinesisSink is a KinesisSink as package kinesis calls it.
type kinesisSink struct{ KinesisSink }

func (k kinesisSink) PutRecords(ctx context.Context, streamARN string,
	records []kinesis.Record) (rejected []kinesis.Record, err error) {
	sent := make([]KinesisRecord, len(records))
	for i, r := range records {
		sent[i] = KinesisRecord(r)
	}
	back, err := k.KinesisSink.PutRecords(ctx, streamARN, sent)
	for _, r := range back {
		rejected = append(rejected, kinesis.Record(r))
	}
	return rejected, err
}

// ErrNoKinesisStream is returned by a KinesisSink for a stream that cannot take records.
var ErrNoKinesisStream = kinesis.ErrNoKinesisStream
