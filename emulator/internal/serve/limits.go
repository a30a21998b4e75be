package serve

import (
	"math"
	"reflect"
	"runtime/metrics"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/conventions/wire"
)

// Limits has the fields of emulator.Limits, which documents them. They are in one place so that
// WithLimits can reduce them. Error messages that contain a limit contain the current one.
type Limits struct {
	PageBytes       int
	ItemBytes       int
	CollectionBytes int64
	BatchGetItems   int
	BatchGetBytes   int
	BatchWriteItems int
	TransactItems   int
	TransactBytes   int
	BatchStatements int
	StreamRecords   int
	StreamBytes     int
	BodyBytes       int64
	StreamMemory    int64
	PITRMemory      int64
	KinesisMemory   int64
	Memory          int64
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

// MemoryFull reports whether the process holds more memory than it may. Without a limit it costs
// one comparison.
func (l *Limits) MemoryFull() bool {
	if l.Memory == math.MaxInt64 {
		return false
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}} // what the last collection kept
	metrics.Read(live)
	return live[0].Value.Uint64() >= uint64(l.Memory)
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
