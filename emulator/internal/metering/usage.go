package metering

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Developer Guide, "Capacity unit consumption": a read costs a unit for each started 4 KB, or half
// of that if it is eventually consistent; a write costs a unit for each started 1 KB.
const (
	ReadUnitBytes  = 4096
	writeUnitBytes = 1024
)

// ReadUnits returns the read capacity units of one read of bytes. A read of nothing costs as much
// as one block.
func ReadUnits(bytes int, consistent bool) float64 {
	units := Blocks(bytes, ReadUnitBytes)
	if consistent {
		return units
	}
	return units / 2
}

// WriteUnits returns the write capacity units of a write or delete of bytes.
func WriteUnits(bytes int) float64 {
	return Blocks(bytes, writeUnitBytes)
}

func Blocks(bytes, size int) float64 {
	return float64(max(1, (bytes+size-1)/size))
}

// Usage adds up the capacity units that a request consumes of one table. The zero usage counts
// nothing and reports nothing. Requests without ReturnConsumedCapacity have it unless there are
// observers, so that they skip the cost of counting.
type Usage struct {
	mode    usageMode
	Part    Part
	Table   float64
	Refused float64 // units of writes that their conditions refused, in a batch of statements
	Indexes []IndexUsage
	Vectors []VectorUsage

	Recorder Recorder // nil: nobody observes
}

// Recorder records what a usage counts.
type Recorder interface {
	// Get records the read of an item by its key. found is "" if the item does not exist.
	Get(t *storage.Table, keyed, found item.Item, units float64)

	// Write records the write of an item of a table. keyed has the attributes of the key: a delete
	// of a missing item has neither an old nor a new item.
	Write(t *storage.Table, keyed, old, new item.Item, units float64)

	// WriteIndex records how the write of an item changes an index.
	WriteIndex(t *storage.Table, e storage.Effect, old, new item.Item, units float64)

	// Charge records all units of the usage. requested is the request's name of the table.
	Charge(u Usage, requested *api.TableArn)
}

type usageMode uint8

const (
	usageNone    usageMode = iota
	usageTotal             // ReturnConsumedCapacity TOTAL
	usageIndexes           // ReturnConsumedCapacity INDEXES
)

// Part is the kind of the units of a transaction. Each item of a transaction costs TransactTimes as
// much as otherwise: once for the prepare and once for the commit. Index entries are only written
// at the end ("Once a transaction completes, its changes start propagating to global secondary
// indexes"), and cost the same as always. (Developer Guide, "Amazon DynamoDB Transactions: How it
// works", "TransactWriteItems API" and "Capacity management for transactions".)
type Part uint8

const (
	notTransactional Part = iota
	ReadUsage
	WriteUsage
)

const TransactTimes = 2

type IndexUsage struct {
	Index *storage.Index
	Units float64
}

// NewUsage returns an empty usage that reports as r requests.
func NewUsage(r *api.ReturnConsumedCapacity) Usage {
	if r == nil {
		return Usage{}
	}
	switch *r {
	case "TOTAL":
		return Usage{mode: usageTotal}
	case "INDEXES":
		return Usage{mode: usageIndexes}
	}
	return Usage{}
}

// Counting reports whether the answer or an observer needs the units.
func (u *Usage) Counting() bool { return u.mode != usageNone || u.Recorder != nil }

// AddTable counts units for the table itself, and returns how many it counted. units is the cost
// outside of a transaction.
func (u *Usage) AddTable(units float64) float64 {
	if u.Part != notTransactional {
		units *= TransactTimes
	}
	if u.Counting() {
		u.Table += units
	}
	return units
}

// AddRefused is AddTable for a write that its condition refuses. The units are part of the whole,
// but not of what the answer shows of the table (service facts P.2).
func (u *Usage) AddRefused(units float64) float64 {
	if u.Counting() {
		u.Refused += units
	}
	return units
}

// AddGet counts the read of the item with the key attributes of keyed. found is "" if the item does
// not exist.
func (u *Usage) AddGet(t *storage.Table, keyed, found item.Item, consistent bool) {
	if !u.Counting() {
		return
	}
	units := u.AddTable(ReadUnits(found.Size(), consistent))
	if u.Recorder != nil {
		u.Recorder.Get(t, keyed, found, units)
	}
}

// AddReplay counts the read of an item by the replay of a transaction. bytes is the size for which
// the transaction was charged, or 0 if it was small; found is the item that is stored now.
func (u *Usage) AddReplay(t *storage.Table, found item.Item, bytes int) {
	if !u.Counting() {
		return
	}
	units := u.AddTable(ReadUnits(bytes, true))
	if u.Recorder != nil {
		u.Recorder.Get(t, found, found, units)
	}
}

// AddIndex counts units for an index. The answer lists every index for which units were counted,
// even 0.
func (u *Usage) AddIndex(ix *storage.Index, units float64) {
	if !u.Counting() {
		return
	}
	for i := range u.Indexes {
		if u.Indexes[i].Index == ix {
			u.Indexes[i].Units += units
			return
		}
	}
	u.Indexes = append(u.Indexes, IndexUsage{ix, units})
}

// AddWrite counts the replacement of old by new at a key, which tx has made. Either item may be "".
// It counts the larger of the two for the table, and the changed entries for each index. keyed has
// the attributes of the key. The usage must be Counting.
func (u *Usage) AddWrite(tx *storage.Tx, t *storage.Table, k storage.Key, keyed, old,
	new item.Item) {
	units := u.AddTable(
		WriteUnits(max(tx.Vectors().WrittenSize(t, old), tx.Vectors().WrittenSize(t, new))))
	if u.Recorder != nil {
		u.Recorder.Write(t, keyed, old, new, units)
	}
	for _, e := range tx.Effects(t, old, new) {
		units := IndexWriteUnits(e)
		u.AddIndex(e.Index, units)
		if u.Recorder != nil {
			u.Recorder.WriteIndex(t, e, old, new, units)
		}
	}
	if len(tx.Vectors().Indexes(t)) > 0 && old != new {
		u.addVectors(tx, t, k)
	}
}

// IndexWriteUnits returns the units of a change to an index entry. An entry whose key changes is
// deleted and put again (Developer Guide, "Provisioned throughput considerations for global
// secondary indexes").
func IndexWriteUnits(e storage.Effect) float64 {
	if e.Moved {
		return WriteUnits(e.Old) + WriteUnits(e.New)
	}
	return WriteUnits(max(e.Old, e.New))
}

// Total returns the units of the table and its indexes.
func (u *Usage) Total() float64 {
	total := u.Table + u.Refused
	for i := range u.Indexes {
		total += u.Indexes[i].Units
	}
	return total
}

// Report returns the answer's ConsumedCapacity, or nil if the request does not ask for it. It also
// tells observers, so the caller must call it once for each usage. table is the request's name of
// the table: the answer to an ARN has the ARN (API Reference, ConsumedCapacity, TableName).
func (u *Usage) Report(table *api.TableArn) *api.ConsumedCapacity {
	if u.Recorder != nil {
		u.Recorder.Charge(*u, table)
	}
	if u.mode == usageNone {
		return nil
	}
	all := u.capacity(u.Total())
	r := &api.ConsumedCapacity{
		TableName:          table,
		CapacityUnits:      all.CapacityUnits,
		ReadCapacityUnits:  all.ReadCapacityUnits,
		WriteCapacityUnits: all.WriteCapacityUnits,
	}
	if u.mode == usageTotal {
		return r
	}
	r.Table = api.Ref(u.capacity(u.Table))
	for i := range u.Indexes {
		ix := &u.Indexes[i]
		entry := api.Entry[api.Capacity]{Key: ix.Index.Name, Value: u.capacity(ix.Units)}
		if ix.Index.Local {
			r.LocalSecondaryIndexes = append(r.LocalSecondaryIndexes, entry)
		} else {
			r.GlobalSecondaryIndexes = append(r.GlobalSecondaryIndexes, entry)
		}
	}
	r.VectorIndexes = u.reportVectors()
	return r
}

// capacity returns units in the form of the answer. The units of a transaction are also given by
// their kind (AWS CLI Command Reference, transact-write-items and transact-get-items, Examples).
func (u *Usage) capacity(units float64) api.Capacity {
	switch u.Part {
	case ReadUsage:
		return api.Capacity{CapacityUnits: &units, ReadCapacityUnits: &units}
	case WriteUsage:
		return api.Capacity{CapacityUnits: &units, WriteCapacityUnits: &units}
	}
	return api.Capacity{CapacityUnits: &units}
}
