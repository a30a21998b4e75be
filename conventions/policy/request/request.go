package request

import (
	"strings"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Request describes the reads and writes of a request. A check reads its slices, and what they
// point to, only while it runs. So a caller can keep all of it and fill it again.
type Request struct {
	Operation   string // PutItem
	Caller      Caller
	Reads       []Read
	Writes      []Write
	Transaction bool // all of Writes happen or none

	// Table names the table of an operation on tables or streams, or is "".
	Table string

	// Expires is the table in which the request enables TTL, or "" if it enables none.
	Expires string

	// Defines are the keys that the request gives a table and its indexes.
	Defines []Definition

	// Images says that policy.Engine.CheckWrites will see the writes too, with the items before and
	// after. CheckRequest then leaves to it what only the items show.
	Images bool

	// Amends says that the sender will add the conditions of policy.Engine.Amendments to the
	// request.
	Amends bool
}

// Puts reports whether the request is a transaction that puts an item under a key.
func (r *Request) Puts(table string, key item.Item, names KeySchema) bool {
	if !r.Transaction {
		return false
	}
	for i := range r.Writes {
		w := &r.Writes[i]
		if w.Kind == Put && w.Table == table && names.KeyOf(w.Item) == key {
			return true
		}
	}
	return false
}

// Read is a read of items: of one by its Key, of a partition or a part of it by Terms, or, without
// either, a scan.
type Read struct {
	Action int
	Table  string // name, not ARN
	Index  string // "" for the table
	Key    item.Item

	// Terms are a key condition. An Op "IN", which key conditions do not have, means one of the
	// values in the list Value: PartiQL reads several partitions that way. Terms may be on
	// attributes outside of the key. Rules ignore those.
	Terms []expr.KeyTerm

	// Loose says that Terms may be on attributes outside of keys, as in a statement. For an
	// undeclared index, only the Terms on the table's key then count.
	Loose bool
}

// KeySchema names the attributes of a primary key. Without Sort there is no sort key.
type KeySchema struct{ Partition, Sort string }

// String lists the attributes.
func (k KeySchema) String() string {
	if k.Sort == "" {
		return k.Partition
	}
	return k.Partition + ", " + k.Sort
}

// KeyOf returns the key attributes among the attributes of an item.
func (k KeySchema) KeyOf(it item.Item) item.Item { return it.Only(k.Partition, k.Sort) }

// tableName returns the table's name in a member that holds a name or an ARN, "" without one.
func tableName(member *api.TableArn) string {
	table := string(api.Deref(member))
	if strings.HasPrefix(table, "arn:") {
		if part := strings.SplitN(table, ":", 6); len(part) == 6 {
			if name, ok := strings.CutPrefix(part[5], "table/"); ok {
				return name
			}
		}
	}
	return table
}
