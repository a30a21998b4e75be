package serve

import (
	"math"
	"reflect"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/wire"
)

// Limits are the service's limits on requests and answers. They are in one place so that WithLimits
// can reduce them: then four items are enough to test paging, instead of a megabyte. A field of 0
// means DynamoDB's limit. Error messages that contain a limit contain the current one.
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

	// StreamMemory is what streams hold. Beyond it the oldest changes are trimmed even if they are
	// less than 24 hours old, and whoever reads them gets a TrimmedDataAccessException.
	StreamMemory int64
	// PITRMemory is what tables keep for point-in-time recovery: for each change in the recovery
	// period the item from before it. Beyond it the oldest changes are dropped, and
	// EarliestRestorableDateTime moves forward. The system backups of deleted tables have a limit
	// of the same size.
	PITRMemory int64
	// KinesisMemory is what waits to be sent to Kinesis data streams. Beyond it the oldest changes
	// of the table with the most are dropped, and the log says how many.
	KinesisMemory int64
	// Memory is what the whole process holds on its heap after a garbage collection, for all tables
	// of all accounts and for the program around the emulator: by default there is no limit. Beyond
	// it writes that add or replace items get a RequestLimitExceeded; deletions and reads do not.
	Memory int64
}

// StandardLimits are the limits of DynamoDB.
var StandardLimits = Limits{
	PageBytes:       1 << 20,
	ItemBytes:       400 << 10,
	CollectionBytes: 10 << 30,
	BatchGetItems:   100,
	BatchGetBytes:   16_000_000,
	BatchWriteItems: 25,
	TransactItems:   100,
	TransactBytes:   4 << 20,
	BatchStatements: 25,
	StreamRecords:   1000,
	StreamBytes:     1 << 20,
	BodyBytes:       16 << 20,
	StreamMemory:    128 << 20,
	PITRMemory:      128 << 20,
	KinesisMemory:   128 << 20,
	Memory:          math.MaxInt64,
}

// validator checks the model's constraints with the limits in place of the model's own. It is nil
// if they are equal.
func (l *Limits) validator() *wire.Validator {
	standard := &StandardLimits
	if l.BatchGetItems == standard.BatchGetItems && l.BatchWriteItems == standard.BatchWriteItems &&
		l.TransactItems == standard.TransactItems && l.BatchStatements == standard.BatchStatements {
		return nil
	}
	return wire.NewValidator(map[reflect.Type]int64{
		reflect.TypeFor[api.KeyList]():                  int64(l.BatchGetItems),
		reflect.TypeFor[api.BatchGetRequestMap]():       int64(l.BatchGetItems),
		reflect.TypeFor[api.WriteRequests]():            int64(l.BatchWriteItems),
		reflect.TypeFor[api.BatchWriteItemRequestMap](): int64(l.BatchWriteItems),
		reflect.TypeFor[api.TransactWriteItemList]():    int64(l.TransactItems),
		reflect.TypeFor[api.TransactGetItemList]():      int64(l.TransactItems),
		reflect.TypeFor[api.ParameterizedStatements]():  int64(l.TransactItems),
		reflect.TypeFor[api.PartiQLBatchRequest]():      int64(l.BatchStatements),
	})
}
