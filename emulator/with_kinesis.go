package emulator

import "github.com/kugiri-db/kugiri/emulator/internal/feature/kinesis"

// KinesisSink takes the records that a service sends to Kinesis data streams: see WithKinesis.
type KinesisSink = kinesis.Sink

// KinesisRecord is a record for a Kinesis data stream.
type KinesisRecord = kinesis.Record

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
func WithKinesis(sink KinesisSink) Option { return func(s *settings) { s.kinesis = sink } }

// ErrNoKinesisStream is returned by a KinesisSink for a stream that cannot take records.
var ErrNoKinesisStream = kinesis.ErrNoKinesisStream
