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

	// Partitions is into how many parts with as many hashes the page counts its bytes. It counts
	// none if there is one, or if it reads in reverse.
	Partitions int
}

// PartitionOf returns in which of so many equal partitions a hash is.
func PartitionOf(hash uint64, partitions int) int {
	n, _ := bits.Mul64(hash, uint64(partitions))
	return int(n)
}

// Page holds the items as the table or index holds them. More is set if the page ended because of a
// limit, whether or not another item follows.
type Page struct {
	Items []item.Item
	Bytes int
	Parts []int // the bytes of each partition, if they were to be counted
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
	r := &spec.Range
	if spec.Partitions > 1 {
		p.Parts = make([]int, spec.Partitions)
	}
	from.Ascend(entry{key: r.Lo}, func(e entry) bool {
		if !r.HiOpen && !e.key.less(r.Hi) {
			return false
		}
		before := p.Bytes
		more := p.add(e.item, spec)
		if p.Parts != nil {
			p.Parts[PartitionOf(e.key.Hash, spec.Partitions)] += p.Bytes - before
		}
		return more
	})
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
