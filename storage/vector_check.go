package storage

import (
	"fmt"
	"slices"

	"github.com/kugiri-db/kugiri/storage/item"
)

// check computes the index from the entries of its table and compares it.
func (ix *VectorIndex) check(table []entry) error {
	var bytes int64
	count := 0
	for _, e := range table {
		text, ok := ix.appendPartition(nil, e.item)
		vector, fits := e.item.Get(ix.Attribute).AppendFloats(nil)
		at, found := ix.rows.Get(vectorRow{key: e.key})
		if has := ok && fits && len(vector) == ix.Dimensions; has != found {
			return fmt.Errorf("has an entry of %s: %t, not %t", e.item.JSON(), found, has)
		}
		if !found {
			continue
		}
		bytes += int64(ix.size(e.item))
		count++
		if err := ix.checkRow(partitionKey(text), at.row, e.item, vector); err != nil {
			return fmt.Errorf("the entry of %s: %w", e.item.JSON(), err)
		}
	}
	if ix.rows.Len() != count || ix.bytes != bytes {
		return fmt.Errorf("has %d entries of %d bytes, not %d of %d", ix.rows.Len(), ix.bytes,
			count, bytes)
	}
	return ix.checkPartitions(count)
}

// checkRow compares a row with the item and the vector that it should have.
func (ix *VectorIndex) checkRow(partition Key, row int, it item.Item, vector []float32) error {
	p := ix.partition(partition)
	if p == nil || row >= p.count {
		return fmt.Errorf("has no row %d", row)
	}
	b, i := p.place(ix, row)
	n := len(ix.Filters)
	switch {
	case !slices.Equal(b.vector(ix, i), vector) || b.lengths[i] != length(vector):
		return fmt.Errorf("has the vector %v, not %v", b.vector(ix, i), vector)
	case b.sizes[i] != int32(ix.size(it)):
		return fmt.Errorf("has a size of %d, not %d", b.sizes[i], ix.size(it))
	case b.items[i] != ix.project(it):
		return fmt.Errorf("has the item %s", b.items[i].JSON())
	case ix.names == nil && !sameMemory(b.items[i], it):
		return fmt.Errorf("has a copy of the item")
	case !slices.Equal(b.filters[i*n:(i+1)*n], ix.appendFilters(nil, it)):
		return fmt.Errorf("has the filters %v", b.filters[i*n:(i+1)*n])
	}
	return nil
}

// checkPartitions verifies the form of the partitions, which have count entries together.
func (ix *VectorIndex) checkPartitions(count int) error {
	for _, p := range ix.partitions.Items() {
		count -= p.count
		rows := 0
		for i, b := range p.blocks {
			n := len(b.items)
			if n == 0 || n > ix.blockRows() || i < len(p.blocks)-1 && n < ix.blockRows() {
				return fmt.Errorf("a block has %d rows", n)
			}
			if len(b.vectors) != n*ix.Dimensions || len(b.lengths) != n || len(b.sizes) != n ||
				len(b.filters) != n*len(ix.Filters) {
				return fmt.Errorf("a block has columns of different lengths")
			}
			rows += n
		}
		if rows != p.count || rows == 0 {
			return fmt.Errorf("a partition has %d rows, not %d", rows, p.count)
		}
	}
	if count != 0 {
		return fmt.Errorf("partitions lack %d entries", count)
	}
	return nil
}
