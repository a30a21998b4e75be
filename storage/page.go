package storage

import "github.com/kugiri-db/kugiri/storage/item"

// PageSpec asks for consecutive items.
type PageSpec struct {
	Index    *Index // nil: the table
	Range    Range
	Reverse  bool
	Limit    int // most items; 0: no limit
	MaxBytes int // the page ends with the item that takes it beyond so many bytes; 0: no limit
}

// Page is the answer: items as the table or index holds them. More is true if the page ended because of a limit.
// A page that reaches a limit ends there, whether anything follows or not.
type Page struct {
	Items []item.Item
	Bytes int
	More  bool
}

// Page reads one page.
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
	from.Ascend(entry{key: r.Lo}, func(e entry) bool {
		return (r.HiOpen || e.key.less(r.Hi)) && p.add(e.item, spec)
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

// add takes an item into the page, and reports whether there may be another. The
// item that crosses MaxBytes is still in: full pages of the service are known to
// cost 128.5 read units, eventually consistent, which is more than 1 MB.
func (p *Page) add(it item.Item, spec *PageSpec) bool {
	p.Items = append(p.Items, it)
	p.Bytes += it.Size()
	p.More = len(p.Items) == spec.Limit || spec.MaxBytes > 0 && p.Bytes > spec.MaxBytes
	return !p.More
}
