package emulator

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// State holds what the callers with an access key see, now or in a snapshot.
type State struct {
	Emulator  *Emulator
	Snapshot  *Snapshot // a snapshot of Emulator, or of what it is a fork of; nil: now
	AccessKey string    // it does not matter with WithSharedData
}

// TableComparison says how a table differs between two states.
type TableComparison struct {
	Region, Table  string // the region is "" with WithSharedData
	Before, After  bool   // whether the state has the table
	Added, Changed int64  // items
	Removed        int64
}

// Compare returns the tables that differ between two states, sorted by region and name: those that
// only one state has, and those with different items. It compares all items.
func Compare(before, after State) []TableComparison {
	var list []TableComparison
	compare(before, after, func(c *comparison, region string) {
		for _, name := range c.names() {
			t := c.table(name)
			x := TableComparison{
				Region: region, Table: name, Before: t.before != nil, After: t.after != nil,
			}
			storage.Differences(t.before, t.after, storage.Key{}, x.count)
			if x.Before != x.After || x.Added+x.Changed+x.Removed > 0 {
				list = append(list, x)
			}
		}
	})
	return list
}

func (x *TableComparison) count(d storage.Difference) bool {
	switch {
	case d.Before == "":
		x.Added++
	case d.After == "":
		x.Removed++
	default:
		x.Changed++
	}
	return true
}

// ItemComparison is an item that differs between two states.
type ItemComparison struct {
	Key           item.Item
	Before, After item.Item // "" if the state does not have the item
}

// maxCompared is how many bytes of items CompareItems returns before it ends.
const maxCompared = 1 << 20

// ErrPlace is the error of CompareItems for a place that it has not returned.
var ErrPlace = errors.New("the place is not one that a comparison has returned")

// CompareItems returns items of a table that differ between two states, in the order of a Scan: at
// most limit of them, and those after the one that exceeds 1 MB come next time. They begin at a
// place, which is "" for the first. next is the place to go on at, "" for the end.
func CompareItems(before, after State, region, table, place string,
	limit int) (items []ItemComparison, next string, err error) {
	from, err := parsePlace(place)
	if err != nil {
		return nil, "", err
	}
	compare(before, after, func(c *comparison, in string) {
		if in != region {
			return
		}
		t := c.table(table)
		size := 0
		storage.Differences(t.before, t.after, from, func(d storage.Difference) bool {
			if len(items) == limit || size > maxCompared {
				next = placeOf(d.Key)
				return false
			}
			items = append(items, ItemComparison{t.key(d), d.Before, d.After})
			size += d.Before.Size() + d.After.Size()
			return true
		})
	})
	return items, next, nil
}

// placeOf returns the text of a key.
func placeOf(k storage.Key) string {
	return base64.RawURLEncoding.EncodeToString(
		append(binary.BigEndian.AppendUint64(nil, k.Hash), k.Text...))
}

func parsePlace(text string) (storage.Key, error) {
	if text == "" {
		return storage.Key{}, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(b) < 8 {
		return storage.Key{}, ErrPlace
	}
	return storage.Key{Hash: binary.BigEndian.Uint64(b), Text: string(b[8:])}, nil
}

// comparison reads the same region of two states.
type comparison struct {
	before, after reading
}

// reading reads the tables of a region.
type reading struct {
	tx       *storage.Tx // nil if the state has nothing there
	emulator *Emulator
}

// comparedTable is a table in both states. It is nil in a state that does not have it.
type comparedTable struct{ before, after *storage.Table }

// compare calls f for each region, in order, in which a state has data. The data are copies, so
// that nothing waits for the comparison.
func compare(before, after State, f func(c *comparison, region string)) {
	was, is := before.regions(), after.regions()
	all := maps.Clone(was)
	maps.Copy(all, is)
	for _, region := range slices.Sorted(maps.Keys(all)) {
		view(was[region], func(b *storage.Tx) {
			view(is[region], func(a *storage.Tx) {
				f(&comparison{reading{b, before.Emulator}, reading{a, after.Emulator}}, region)
			})
		})
	}
}

// view runs f in a View, or with nil if there is no data. A copy has no journal that could fail.
func view(a *serve.Account, f func(*storage.Tx)) {
	if a == nil {
		f(nil)
		return
	}
	a.Store.View(func(tx *storage.Tx) error {
		f(tx)
		return nil
	})
}

// regions returns a copy of the data of a state, by region.
func (s State) regions() map[string]*serve.Account {
	from := &s.Emulator.service.Namespaces
	if s.Snapshot != nil {
		from = &s.Snapshot.namespaces
	}
	found := map[string]*serve.Account{}
	for key, a := range from.Fork(s.Emulator.service.Storage) {
		owner, region, _ := strings.Cut(key, "/")
		if s.Emulator.service.Shows(key) &&
			(s.Emulator.service.Shared || owner == s.Emulator.service.Owner(s.AccessKey)) {
			found[region] = a
		}
	}
	return found
}

// names returns the names of the tables that one of the states has, sorted.
func (c *comparison) names() []string {
	var all []string
	for _, r := range [...]reading{c.before, c.after} {
		if r.tx != nil {
			all = append(all, r.tx.Tables().Names()...)
		}
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all),
		func(name string) bool { return c.table(name) == comparedTable{} })
}

func (c *comparison) table(name string) comparedTable {
	return comparedTable{c.before.table(name), c.after.table(name)}
}

// table returns a table that requests see, or nil.
func (r reading) table(name string) *storage.Table {
	if r.tx == nil {
		return nil
	}
	return tables.Seen(r.tx, name, r.emulator.service.Clock())
}

// key returns the key of an item that differs.
func (t comparedTable) key(d storage.Difference) item.Item {
	if d.After != "" {
		return d.After.Only(keys.NamesOf(&t.after.Key)...)
	}
	return d.Before.Only(keys.NamesOf(&t.before.Key)...)
}
