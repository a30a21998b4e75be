package storage

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// BucketNames describes the buckets of a journal in words. It learns the names of stores and tables
// from the journal's entries.
type BucketNames struct {
	stores   map[uint32]string
	tables   map[uint32]map[uint64]string // the names of tables, by number
	shards   map[uint32]map[uint64]string // the tables' names, by number of a shard
	outboxes map[uint32]map[uint64]string // likewise of an outbox
}

// NewBucketNames returns a BucketNames that has not seen any entry.
func NewBucketNames() *BucketNames {
	return &BucketNames{map[uint32]string{}, map[uint32]map[uint64]string{},
		map[uint32]map[uint64]string{},
		map[uint32]map[uint64]string{}}
}

// Entry takes an entry of the journal.
func (n *BucketNames) Entry(bucket, key, value []byte) {
	if len(bucket) != bucketLen || bucket[4] != kindSchema {
		return
	}
	space := binary.BigEndian.Uint32(bucket)
	if n.tables[space] == nil {
		n.tables[space], n.shards[space], n.outboxes[space] =
			map[uint64]string{}, map[uint64]string{}, map[uint64]string{}
	}
	switch kind := string(key[:min(1, len(key))]); {
	case string(key) == keyName:
		n.stores[space] = string(value)
	case len(key) == 9 && kind == keyTable:
		var r tableRecord
		if parseRecord(value, &r) == nil {
			n.tables[space][binary.BigEndian.Uint64(key[1:])] = r.Name
		}
	case len(key) == 9 && kind == keyBackup:
		var r backupRecord
		if parseRecord(value, &r) == nil {
			n.tables[space][binary.BigEndian.Uint64(key[1:])] = r.Table.Name
		}
	case len(key) == 9 && kind == keyOutbox:
		var r outboxRecord
		if parseRecord(value, &r) == nil {
			n.outboxes[space][binary.BigEndian.Uint64(key[1:])] = r.Table
		}
	case len(key) == 9 && kind == keyStream:
		var r streamRecord
		if parseRecord(value, &r) == nil {
			for _, sh := range r.Shards {
				n.shards[space][sh.Number] = r.Table
			}
		}
	}
}

// Of describes a bucket.
func (n *BucketNames) Of(bucket []byte) string {
	if len(bucket) != bucketLen {
		return fmt.Sprintf("the bucket %x", bucket)
	}
	space, number := binary.BigEndian.Uint32(bucket), binary.BigEndian.Uint64(bucket[5:])
	of := n.store(space)
	switch bucket[4] {
	case kindSchema:
		return "the definitions of " + of
	case kindChanges:
		return fmt.Sprintf("the stream of %s, of %s", named(n.shards[space], number, "a table"), of)
	case kindItems:
		return fmt.Sprintf("the items of %s, of %s", named(n.tables[space], number, "a table"), of)
	case kindUnsent:
		return fmt.Sprintf("the unsent changes of %s, of %s",
			named(n.outboxes[space], number, "a table"), of)
	case kindUndo:
		return fmt.Sprintf("the past of %s, of %s", named(n.tables[space], number, "a table"), of)
	case kindVersions:
		return fmt.Sprintf("the versions of the items of %s, of %s",
			named(n.tables[space], number, "a table"), of)
	case kindOutgoing:
		return fmt.Sprintf("the changes for other replicas of %s, of %s",
			named(n.tables[space], number, "a table"), of)
	case kindKept:
		return "the tokens of transactions of " + of
	}
	return fmt.Sprintf("the bucket %x", bucket)
}

// named returns the name of a table or, if it is not known, a description with its number.
func named(names map[uint64]string, number uint64, what string) string {
	if name := names[number]; name != "" {
		return "table " + name
	}
	return fmt.Sprintf("%s whose name is lost (number %d)", what, number)
}

// store describes a store.
func (n *BucketNames) store(space uint32) string {
	name, known := n.stores[space]
	switch accessKey, region, ok := strings.Cut(name, "/"); {
	case !known:
		return fmt.Sprintf("an access key that is lost (number %d)", space)
	case !ok:
		return "all access keys"
	default:
		return fmt.Sprintf("access key %s in %s", accessKey, region)
	}
}
