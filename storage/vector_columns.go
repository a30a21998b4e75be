package storage

import (
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/storage/item"
)

// vectorPartition holds the entries of a vector index with one partition key. Entry i is row
// i%blockRows of block i/blockRows. All blocks but the last are full.
type vectorPartition struct {
	owner  *owner // the index that may modify the partition
	key    Key    // Text is the partition key alone
	count  int
	blocks []*vectorBlock
}

func (p *vectorPartition) less(other *vectorPartition) bool { return p.key.less(other.key) }

// vectorBlock holds a part of the entries in columns, so that a search reads vectors without
// anything in between. The first write to a block after a fork clones it.
type vectorBlock struct {
	owner   *owner
	vectors []float32   // the vectors, one row after another
	lengths []float64   // the vectors' lengths
	sizes   []int32     // the sizes of the entries, in bytes
	filters []uint64    // the hashes of the filter attributes, of one row after another
	items   []item.Item // the other attributes that the index holds; all, if it projects all
}

// A block has at most maxBlockRows rows and, unless vectors are long, blockFloats elements.
const (
	blockFloats  = 16 << 10
	minBlockRows = 4
	maxBlockRows = 256
)

// blockRows returns the number of rows of a full block.
func (ix *VectorIndex) blockRows() int {
	return min(max(blockFloats/ix.Dimensions, minBlockRows), maxBlockRows)
}

// partitionKey returns the key of an encoded partition key, valid until the text changes.
func partitionKey(text []byte) Key { return keyOf(text, len(text)) }

// partition returns the partition with a key, or nil.
func (ix *VectorIndex) partition(k Key) *vectorPartition {
	if len(ix.Hash) == 0 {
		p, _ := ix.partitions.Min()
		return p
	}
	p, _ := ix.partitions.Get(&vectorPartition{key: k})
	return p
}

// writable returns the partition with a key to modify. It makes a missing one, and copies the key's
// text.
func (ix *VectorIndex) writable(k Key) *vectorPartition {
	p := ix.partition(k)
	switch {
	case p == nil:
		p = &vectorPartition{owner: ix.owner, key: Key{k.Hash, strings.Clone(k.Text)}}
	case p.owner == ix.owner:
		return p
	default:
		p = &vectorPartition{
			owner: ix.owner, key: p.key, count: p.count, blocks: slices.Clone(p.blocks),
		}
	}
	ix.partitions.Set(p)
	return p
}

// place returns the block of an entry and its row there.
func (p *vectorPartition) place(ix *VectorIndex, entry int) (*vectorBlock, int) {
	rows := ix.blockRows()
	return p.blocks[entry/rows], entry % rows
}

// writableBlock is place for a block to modify.
func (p *vectorPartition) writableBlock(ix *VectorIndex, entry int) (*vectorBlock, int) {
	b, i := p.place(ix, entry)
	if b.owner != ix.owner {
		b = &vectorBlock{owner: ix.owner, vectors: slices.Clone(b.vectors),
			lengths: slices.Clone(b.lengths),
			sizes:   slices.Clone(b.sizes), filters: slices.Clone(b.filters),
			items: slices.Clone(b.items)}
		p.blocks[entry/ix.blockRows()] = b
	}
	return b, i
}

func (p *vectorPartition) item(ix *VectorIndex, entry int) item.Item {
	b, i := p.place(ix, entry)
	return b.items[i]
}

// size returns the size of an entry.
func (p *vectorPartition) size(ix *VectorIndex, entry int) int {
	b, i := p.place(ix, entry)
	return int(b.sizes[i])
}

// add adds an entry of a size and returns its number.
func (p *vectorPartition) add(ix *VectorIndex, vector []float32, it item.Item, size int) int {
	entry := p.count
	if entry%ix.blockRows() == 0 {
		p.blocks = append(p.blocks, &vectorBlock{owner: ix.owner})
	}
	b, _ := p.writableBlock(ix, entry)
	b.vectors = append(b.vectors, vector...)
	b.lengths = append(b.lengths, length(vector))
	b.sizes = append(b.sizes, int32(size))
	b.filters = ix.appendFilters(b.filters, it)
	b.items = append(b.items, ix.project(it))
	p.count++
	return entry
}

// set replaces an entry and returns its old size.
func (p *vectorPartition) set(ix *VectorIndex, entry int, vector []float32, it item.Item,
	size int) (old int) {
	b, i := p.writableBlock(ix, entry)
	copy(b.vector(ix, i), vector)
	b.lengths[i] = length(vector)
	return p.setItem(ix, entry, it, size)
}

// setItem replaces the item of an entry, which keeps its vector. It returns the entry's old size.
func (p *vectorPartition) setItem(ix *VectorIndex, entry int, it item.Item, size int) (old int) {
	b, i := p.writableBlock(ix, entry)
	old = int(b.sizes[i])
	b.sizes[i] = int32(size)
	if ix.names == nil || !ix.same(b.items[i], it) {
		b.items[i] = ix.project(it)
	}
	ix.appendFilters(b.filters[:i*len(ix.Filters)], it) // over those of the old item
	return old
}

// copyRow copies one entry over another.
func (p *vectorPartition) copyRow(ix *VectorIndex, to, from int) {
	source, s := p.place(ix, from)
	b, i := p.writableBlock(ix, to)
	copy(b.vector(ix, i), source.vector(ix, s))
	b.lengths[i], b.sizes[i], b.items[i] = source.lengths[s], source.sizes[s], source.items[s]
	n := len(ix.Filters)
	copy(b.filters[i*n:(i+1)*n], source.filters[s*n:])
}

// removeLast removes the last entry.
func (p *vectorPartition) removeLast(ix *VectorIndex) {
	p.count--
	if last := len(p.blocks) - 1; p.count%ix.blockRows() == 0 {
		p.blocks[last] = nil
		p.blocks = p.blocks[:last]
		return
	}
	b, i := p.writableBlock(ix, p.count)
	b.items[i] = "" // release the item
	b.vectors, b.lengths, b.sizes = b.vectors[:i*ix.Dimensions], b.lengths[:i], b.sizes[:i]
	b.filters, b.items = b.filters[:i*len(ix.Filters)], b.items[:i]
}

// vector returns the vector of a row.
func (b *vectorBlock) vector(ix *VectorIndex, row int) []float32 {
	return b.vectors[row*ix.Dimensions : (row+1)*ix.Dimensions]
}

// appendFilters appends the hashes of an item's filter attributes.
func (ix *VectorIndex) appendFilters(dst []uint64, it item.Item) []uint64 {
	for i := range ix.Filters {
		dst = append(dst, item.HashKey(string(it.Get(ix.Filters[i].Name))))
	}
	return dst
}
