package item

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// compare orders attributes by name, as if the closing quote were part of the name.
func (c *canon) compare(a, b span) int {
	if a.prefix != b.prefix {
		return cmp.Compare(a.prefix, b.prefix)
	}
	return strings.Compare(c.text(a)[:a.quoted], c.text(b)[:b.quoted])
}

// sorted reports whether each name is greater than the one before.
func (c *canon) sorted(fields []span) bool {
	for i := 1; i < len(fields); i++ {
		a, b := &fields[i-1], &fields[i]
		if a.prefix > b.prefix || a.prefix == b.prefix && c.compare(*a, *b) >= 0 {
			return false
		}
	}
	return true
}

func (c *canon) sort(fields []span) error {
	c.order(fields)
	for i := range len(fields) - 1 {
		if f := fields[i]; f.prefix == fields[i+1].prefix && c.compare(f, fields[i+1]) == 0 {
			return ErrDuplicateName(jsontext.Unquote(c.text(f)[1 : f.quoted-1]))
		}
	}
	return nil
}

// order sorts fields. A short list is sorted by insertion, which rarely calls compare.
func (c *canon) order(fields []span) {
	if len(fields) > 24 {
		slices.SortFunc(fields, c.compare)
		return
	}
	for i := 1; i < len(fields); i++ {
		f, at := fields[i], i
		for ; at > 0; at-- {
			before := &fields[at-1]
			if before.prefix < f.prefix || before.prefix == f.prefix && c.compare(*before, f) <= 0 {
				break
			}
			fields[at] = *before
		}
		fields[at] = f
	}
}

// ascend reports whether each element is greater than the one before.
func (c *canon) ascend(t Type, elems []span) bool {
	order := elementOrder(t)
	for i := range len(elems) - 1 {
		if before := elems[i].prefix; t == SS && before != 0 && before < elems[i+1].prefix {
			continue // only plain elements have a prefix
		}
		if order(c.inQuotes(elems[i]), c.inQuotes(elems[i+1])) >= 0 {
			return false
		}
	}
	return true
}

func (c *canon) inQuotes(elem span) string {
	text := c.text(elem)
	return text[1 : len(text)-1]
}

// asGiven returns the texts of the elements.
func (c *canon) asGiven(elems []span) []string {
	texts := make([]string, len(elems))
	for i := range elems {
		texts[i] = jsontext.Unquote(strings.Clone(c.inQuotes(elems[i])))
	}
	return texts
}
