package storage

import (
	"strings"
)

// collection is the size of an item collection: of all items with one partition key in a table and
// its local indexes.
type collection struct {
	key   Key // Text is the partition key alone
	bytes int64
}

// collections holds the item collections of a table, except those of 0 bytes.
type collections struct {
	tree sorted[collection]
}

func newCollections() *collections {
	return &collections{
		newSorted(func(a, b collection) bool { return a.key.less(b.key) })}
}

func (c *collections) fork() *collections {
	if c == nil {
		return nil
	}
	return &collections{c.tree.Copy()}
}

// of returns the collection of key k. The text of the collection's key is a prefix of the text of
// k, and no other collection's key lies between the two, because no encoded partition key is a
// prefix of another.
func (c *collections) of(k Key) (found collection, ok bool) {
	c.tree.Descend(collection{key: k}, func(last collection) bool {
		if last.key.Hash == k.Hash && strings.HasPrefix(k.Text, last.key.Text) {
			found, ok = last, true
		}
		return false
	})
	return found, ok
}

// add changes the size of the collection with a partition key.
func (c *collections) add(partition Key, bytes int64) {
	found, ok := c.tree.Get(collection{key: partition})
	if !ok {
		found.key = Key{partition.Hash, strings.Clone(partition.Text)}
	}
	found.bytes += bytes
	if found.bytes == 0 {
		c.tree.Delete(found)
		return
	}
	c.tree.Set(found)
}
