package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Developer Guide, "Capacity unit consumption": reads are charged by started
// 4 KB, eventually consistent ones half of that, writes by started 1 KB.
const (
	readUnitBytes  = 4096
	writeUnitBytes = 1024
)

// readUnits are the read capacity units of reading bytes at once; reading
// nothing costs as much as reading one block.
func readUnits(bytes int, consistent bool) float64 {
	units := blocks(bytes, readUnitBytes)
	if consistent {
		return units
	}
	return units / 2
}

// writeUnits are the write capacity units of writing or deleting bytes.
func writeUnits(bytes int) float64 {
	return blocks(bytes, writeUnitBytes)
}

func blocks(bytes, size int) float64 {
	return float64(max(1, (bytes+size-1)/size))
}

// usage adds up the capacity units that a request consumes of one table. The
// zero usage counts nothing and answers nothing: it is what a request gets that
// does not ask for ReturnConsumedCapacity, so counting costs it nothing, unless
// there are observers.
type usage struct {
	mode    usageMode
	part    usagePart
	table   float64
	indexes []indexUsage

	seen *tableEvent // nil: nobody observes
}

type usageMode uint8

const (
	usageNone    usageMode = iota
	usageTotal             // ReturnConsumedCapacity TOTAL
	usageIndexes           // ReturnConsumedCapacity INDEXES
)

// usagePart is the kind of the units of a transaction, of which each item costs
// transactTimes what it does otherwise: once to prepare it, once to commit it.
// Index entries are only written at the end ("Once a transaction completes, its
// changes start propagating to global secondary indexes"), and cost what they
// always do. (Developer Guide, "Amazon DynamoDB Transactions: How it works",
// "TransactWriteItems API" and "Capacity management for transactions".)
type usagePart uint8

const (
	notTransactional usagePart = iota
	readUsage
	writeUsage
)

const transactTimes = 2

type indexUsage struct {
	index *storage.Index
	units float64
}

// newUsage returns an empty usage that will report what r asks for.
func newUsage(r *api.ReturnConsumedCapacity) usage {
	if r == nil {
		return usage{}
	}
	switch *r {
	case "TOTAL":
		return usage{mode: usageTotal}
	case "INDEXES":
		return usage{mode: usageIndexes}
	}
	return usage{}
}

// newUsage returns an empty usage that will report what r asks for, and to observers.
func (c *call) newUsage(r *api.ReturnConsumedCapacity) usage {
	u := newUsage(r)
	if c.event != nil {
		u.seen = c.event.ofTable()
	}
	return u
}

// newTransactUsage returns an empty usage of a transaction.
func (c *call) newTransactUsage(r *api.ReturnConsumedCapacity, part usagePart) usage {
	u := c.newUsage(r)
	u.part = part
	return u
}

// counting reports whether anybody will be told what was used.
func (u *usage) counting() bool { return u.mode != usageNone || u.seen != nil }

// addTable counts units against the table itself, given as many as it takes outside
// of a transaction, and returns how many that makes.
func (u *usage) addTable(units float64) float64 {
	if u.part != notTransactional {
		units *= transactTimes
	}
	if u.counting() {
		u.table += units
	}
	return units
}

// addGet counts the read of the item with the key attributes of keyed; found is "" if there is none.
func (u *usage) addGet(t *storage.Table, keyed, found item.Item, consistent bool) {
	if !u.counting() {
		return
	}
	units := u.addTable(readUnits(found.Size(), consistent))
	if u.seen != nil {
		u.seen.get(t, keyed, found, units)
	}
}

// addIndex counts units against an index. An index is named in the answer once
// anything, even 0, was counted against it.
func (u *usage) addIndex(ix *storage.Index, units float64) {
	if !u.counting() {
		return
	}
	for i := range u.indexes {
		if u.indexes[i].index == ix {
			u.indexes[i].units += units
			return
		}
	}
	u.indexes = append(u.indexes, indexUsage{ix, units})
}

// addWrite counts the replacement of old by new (either may be ""), in the
// table by the larger of the two and in every index whose entry it changes.
func (u *usage) addWrite(tx *storage.Tx, t *storage.Table, old, new item.Item) {
	if !u.counting() {
		return
	}
	units := u.addTable(writeUnits(max(old.Size(), new.Size())))
	if u.seen != nil {
		u.seen.write(t, old, new, units)
	}
	for _, e := range tx.Effects(t, old, new) {
		units := indexWriteUnits(e)
		u.addIndex(e.Index, units)
		if u.seen != nil {
			u.seen.writeIndex(t, e, old, new, units)
		}
	}
}

// indexWriteUnits: an entry that moves, because its key changes, is deleted and
// put (Developer Guide, "Provisioned throughput considerations for global
// secondary indexes").
func indexWriteUnits(e storage.Effect) float64 {
	if e.Moved {
		return writeUnits(e.Old) + writeUnits(e.New)
	}
	return writeUnits(max(e.Old, e.New))
}

// total are the units of the table and its indexes.
func (u *usage) total() float64 {
	total := u.table
	for i := range u.indexes {
		total += u.indexes[i].units
	}
	return total
}

// report is the answer's ConsumedCapacity, nil if it was not asked for; observers
// get it anyhow, so that it is called once for each usage. table is
// what the request called the table: an ARN is answered by the ARN (API
// Reference, ConsumedCapacity, TableName).
func (u *usage) report(table *api.TableArn) *api.ConsumedCapacity {
	if u.seen != nil {
		u.seen.event.charge(u, table)
	}
	if u.mode == usageNone {
		return nil
	}
	all := u.capacity(u.total())
	r := &api.ConsumedCapacity{
		TableName:          table,
		CapacityUnits:      all.CapacityUnits,
		ReadCapacityUnits:  all.ReadCapacityUnits,
		WriteCapacityUnits: all.WriteCapacityUnits,
	}
	if u.mode == usageTotal {
		return r
	}
	r.Table = new(u.capacity(u.table))
	for i := range u.indexes {
		ix := &u.indexes[i]
		entry := api.Entry[api.Capacity]{Key: ix.index.Name, Value: u.capacity(ix.units)}
		if ix.index.Local {
			r.LocalSecondaryIndexes = append(r.LocalSecondaryIndexes, entry)
		} else {
			r.GlobalSecondaryIndexes = append(r.GlobalSecondaryIndexes, entry)
		}
	}
	return r
}

// capacity is what the answer says of units. Those of a transaction are also given
// by their kind (AWS CLI Command Reference, transact-write-items and transact-get-items, Examples).
func (u *usage) capacity(units float64) api.Capacity {
	switch u.part {
	case readUsage:
		return api.Capacity{CapacityUnits: &units, ReadCapacityUnits: &units}
	case writeUsage:
		return api.Capacity{CapacityUnits: &units, WriteCapacityUnits: &units}
	}
	return api.Capacity{CapacityUnits: &units}
}
