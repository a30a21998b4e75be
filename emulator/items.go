package emulator

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// TableNames returns the names of the tables of an access key and a region, sorted. It reads as
// Items does.
func (e *Emulator) TableNames(accessKey, region string) (names []string) {
	ns := e.service.Namespaces.Borrow(e.HTTPClient(accessKey, region).caller)
	defer ns.GiveBack()
	ns.Store.View(func(tx *storage.Tx) error {
		for _, name := range tx.Tables().Names() {
			if tables.Seen(tx, name, e.service.Clock()) != nil {
				names = append(names, name)
			}
		}
		return nil
	})
	slices.Sort(names)
	return names
}

// Items returns the items of a table of an access key and a region, in the order of their keys.
// They are those of one moment. No request is made: no capacity is consumed, and neither faults nor
// a policy get in the way. The error says that there is no such table.
func (e *Emulator) Items(accessKey, region, table string) ([]item.Item, error) {
	_, items, ok := e.itemsByKey(accessKey, region, table)
	if !ok {
		return nil, e.errNoTable(accessKey, region, table)
	}
	return items, nil
}

// Item returns the item that has a key, or "" if the table has none. It reads as Items does. The
// error says that there is no such table, or that the attributes of key are not those of its key.
func (e *Emulator) Item(accessKey, region, table string, key item.Item) (found item.Item,
	err error) {
	ns := e.service.Namespaces.Borrow(e.HTTPClient(accessKey, region).caller)
	defer ns.GiveBack()
	known := true
	err = ns.Store.View(func(tx *storage.Tx) error {
		t := tables.Seen(tx, table, e.service.Clock())
		if t == nil {
			known = false
			return nil
		}
		k, err := keys.OfTable(nil, &t.Key, key)
		if err != nil {
			return fmt.Errorf("emulator: table %q: %w", table, err)
		}
		found = tx.Get(t, k)
		return nil
	})
	if !known {
		return "", e.errNoTable(accessKey, region, table)
	}
	return found, err
}

// maxNamed is the most tables that an error names.
const maxNamed = 20

// errNoTable returns the error for a table that does not exist. It names those that do.
func (e *Emulator) errNoTable(accessKey, region, table string) error {
	names, there := e.TableNames(accessKey, region), "it has no tables"
	switch n := len(names); {
	case n > maxNamed:
		there = fmt.Sprintf("it has %d tables, the first are %s", n,
			strings.Join(names[:maxNamed], ", "))
	case n > 0:
		there = "it has " + strings.Join(names, ", ")
	}
	return fmt.Errorf("emulator: no table %q of the access key %q in %s: %s", table, accessKey,
		region, there)
}

// Dump writes the items of a table of an access key and a region as text for
// people, which is the same for the same items. Items are ordered by their keys,
// attributes by their names but for the keys, which come first, one to a line:
//
//	pk: "user#1"
//	sk: 42
//	  active: true
//	  address: {city: "Springfield", zip: "12345"}
//	  avatar: b"iVBORw0KGgo="
//	  history: [1, "two", null]
//	  tags: <<"a", "b">>
//
// Strings are quoted as in Go, numbers bare, binaries in base64, sets in <<>>.
// Between two items is an empty line; a table without items is no text at all. The
// items are those of one moment. The error is that of w, or says that there is no
// such table.
func (e *Emulator) Dump(w io.Writer, accessKey, region, table string) error {
	key, items, ok := e.itemsByKey(accessKey, region, table)
	if !ok {
		return e.errNoTable(accessKey, region, table)
	}
	out := bufio.NewWriter(w)
	for i, it := range items {
		if i > 0 {
			out.WriteByte('\n')
		}
		dumpItem(out, &key, it)
	}
	return out.Flush()
}

// itemsByKey returns a table's items, in the order of their keys.
func (e *Emulator) itemsByKey(accessKey, region, table string) (key storage.KeySchema,
	items []item.Item, ok bool) {
	ns := e.service.Namespaces.Borrow(e.HTTPClient(accessKey, region).caller)
	defer ns.GiveBack()
	ns.Store.View(func(tx *storage.Tx) error {
		t := tables.Seen(tx, table, e.service.Clock())
		if t == nil {
			return nil
		}
		key, ok = t.Key, true
		items = tx.Page(t, storage.PageSpec{Range: storage.Range{HiOpen: true}}).Items
		return nil
	})
	sortByKey(items, &key)
	return key, items, ok
}
