package storage

import (
	"math/bits"

	"github.com/kugiri-db/kugiri/storage/item"
)

// PageSpec says which consecutive items a page has.
type PageSpec struct {
	Index    *Index // nil reads the table
	Range    Range
	Reverse  bool
	Limit    int // the most items; 0 is no limit
	MaxBytes int // the page ends with the item that makes it larger than this; 0 is no limit

	// Partitions is the number of partitions of the table. If there are several, the page counts
	// the bytes of each that it reads. A page in reverse does not.
	Partitions int
}

// partitionOf returns the partition of a hash. All partitions have the same number of hashes.
func partitionOf(hash uint64, partitions int) int {
	n, _ := bits.Mul64(hash, uint64(partitions))
	return int(n)
}

// firstOf returns the smallest hash in a partition.
func firstOf(partition, partitions int) uint64 {
	n, rest := bits.Div64(uint64(partition), 0, uint64(partitions))
	if rest > 0 {
		n++
	}
	return n
}

// Page holds the items as the table or index holds them. More is set if the page ended because of a
// limit, whether or not another item follows.
type Page struct {
	Items []item.Item
	Bytes int
	Parts []int // the bytes of each partition that was read, in order; nil: see Partitions
	More  bool
}

// Page reads one page of a table, or of one of its indexes.
func (tx *Tx) Page(t *Table, spec PageSpec) Page {
	tx.mustHave(t)
	from := t.tree
	if spec.Index != nil {
		from = spec.Index.tree
	}
	var page Page
	if spec.Reverse {
		page.descend(from, &spec)
	} else {
		page.ascend(from, &spec)
	}
	return page
}

func (p *Page) ascend(from *tree, spec *PageSpec) {
	if spec.Partitions > 1 {
		p.ascendParts(from, spec)
		return
	}
	p.ascendIn(from, &spec.Range, spec)
}

func (p *Page) ascendIn(from *tree, r *Range, spec *PageSpec) {
	from.Ascend(entry{key: r.Lo}, func(e entry) bool {
		return (r.HiOpen || e.key.less(r.Hi)) && p.add(e.item, spec)
	})
}

// ascendParts reads one partition after the other. To find the partition of each item would cost
// more.
func (p *Page) ascendParts(from *tree, spec *PageSpec) {
	p.Parts = make([]int, 0, spec.Partitions)
	rest := spec.Range
	for i := partitionOf(rest.Lo.Hash, spec.Partitions); ; i++ {
		part, last := rest, i == spec.Partitions-1
		if !last {
			end := Key{Hash: firstOf(i+1, spec.Partitions)}
			if last = !rest.HiOpen && !end.less(rest.Hi); !last {
				part.Hi, part.HiOpen, rest.Lo = end, false, end
			}
		}
		before := p.Bytes
		p.ascendIn(from, &part, spec)
		p.Parts = append(p.Parts, p.Bytes-before)
		if p.More || last {
			return
		}
	}
}

func (p *Page) descend(from *tree, spec *PageSpec) {
	r := &spec.Range
	add := func(e entry) bool { return !e.key.less(r.Lo) && p.add(e.item, spec) }
	if r.HiOpen {
		from.Reverse(add)
		return
	}
	from.Descend(entry{key: r.Hi}, func(e entry) bool {
		return e.key == r.Hi || add(e)
	})
}

// add adds an item to the page and reports whether another one may follow. The item that exceeds
// MaxBytes is still part of the page: full pages of the service cost 128.5 read units when read
// eventually consistently, which is more than 1 MB.
func (p *Page) add(it item.Item, spec *PageSpec) bool {
	p.Items = append(p.Items, it)
	p.Bytes += it.Size()
	p.More = len(p.Items) == spec.Limit || spec.MaxBytes > 0 && p.Bytes > spec.MaxBytes
	return !p.More
}
