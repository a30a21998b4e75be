package emulator

import (
	"fmt"
	"reflect"

	"github.com/kugiri-db/kugiri/emulator/internal/serve"
)

// Limits are the service's limits on requests and answers. A field of 0 means DynamoDB's limit.
// WithLimits can reduce them: then four items are enough to test paging, instead of a megabyte.
// Error messages that contain a limit contain the current one.
type Limits struct {
	// Query, Scan and SELECT: 1 MB; the item that exceeds it is the last of the page
	PageBytes int
	ItemBytes int // an item: 400 KB
	// an item collection, in tables with local secondary indexes, including the entries of these:
	// 10 GB
	CollectionBytes int64
	BatchGetItems   int // keys of a BatchGetItem: 100
	// items of its answer: 16 MB of 1000² bytes, for it returns 52 items of 300 KB (API Reference,
	// BatchGetItem)
	BatchGetBytes   int
	BatchWriteItems int // requests of a BatchWriteItem: 25
	TransactItems   int // actions or statements of a transaction: 100
	// items of a transaction: 4 MB (API Reference, TransactWriteItems and TransactGetItems)
	TransactBytes   int
	BatchStatements int   // statements of a BatchExecuteStatement: 25
	StreamRecords   int   // records of a GetRecords: 1000 (API Reference, GetRecords)
	StreamBytes     int   // bytes of its records: 1 MB
	BodyBytes       int64 // a request's body, as sent and as decompressed: 16 MB

	// The service itself has no limits like these three. Each is in bytes, for all tables of an
	// account and region together; math.MaxInt64 is no limit, and the default is 128 MiB, which
	// holds a few hundred thousand changes of items of common sizes.

	// StreamMemory bounds the memory of streams. Beyond it the oldest changes are trimmed even if
	// they are less than 24 hours old, and whoever reads them gets a TrimmedDataAccessException.
	StreamMemory int64
	// PITRMemory bounds the memory that tables keep for point-in-time recovery: for each change in
	// the recovery period the item from before it. Beyond it the oldest changes are dropped, and
	// EarliestRestorableDateTime moves forward. The system backups of deleted tables have a limit
	// of the same size.
	PITRMemory int64
	// KinesisMemory bounds the changes that wait to be sent to Kinesis data streams. Beyond it the
	// oldest changes of the table with the most are dropped, and the log says how many.
	KinesisMemory int64
	// Memory bounds what the whole process holds on its heap after a garbage collection, for all
	// tables of all accounts and for the program around the emulator: by default there is no limit.
	// Beyond it writes that add or replace items get a RequestLimitExceeded; deletions and reads do
	// not.
	Memory int64
}

// WithLimits sets the limits. Fields of l that are 0 leave a limit unchanged. New and Fork panic if
// a field is negative.
func WithLimits(l Limits) Option {
	return func(s *settings) {
		to, from := reflect.ValueOf(&s.Limits).Elem(), reflect.ValueOf(serve.Limits(l))
		for i := range from.NumField() {
			n := from.Field(i).Int()
			if n < 0 {
				panic(fmt.Sprintf("emulator: the limit %s is negative: %d",
					from.Type().Field(i).Name, n))
			}
			if n > 0 {
				to.Field(i).SetInt(n)
			}
		}
	}
}
