package emulatortest

import (
	"github.com/kugiri-db/kugiri/emulator/seed"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Item returns the item of a table that has a key, as Go values (see seed.ItemOf), or nil if the
// table has none. The test fails if there is no such table, or if the key is not one of it.
//
// The item is read without a request: no recording counts it, and no fault or policy prevents it.
func (s *Server) Item(t TB, table string, key seed.Item) seed.Item {
	t.Helper()
	encoded, err := key.Encode()
	var found item.Item
	if err == nil {
		found, err = s.Emulator.Item(s.options.accessKey, s.options.region, table, encoded)
	}
	switch {
	case err != nil:
		t.Fatalf("emulatortest: %v", err)
		return nil
	case found == "":
		return nil
	}
	return seed.ItemOf(found)
}

// Items returns the items of a table in the order of their keys. See Item.
func (s *Server) Items(t TB, table string) []seed.Item {
	t.Helper()
	items, err := s.Emulator.Items(s.options.accessKey, s.options.region, table)
	if err != nil {
		t.Fatalf("emulatortest: %v", err)
		return nil
	}
	list := make([]seed.Item, len(items))
	for i, it := range items {
		list[i] = seed.ItemOf(it)
	}
	return list
}
