package dax

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/kugiri-db/kugiri/emulator/dax/cache"
)

// TableStats counts what the caches did for a table.
type TableStats = cache.TableStats

// maxTables limits the tables that a node counts one by one. Others are counted under no name.
const maxTables = 10_000

// stats are the counters of a node.
type stats struct {
	mu     sync.Mutex
	tables map[string]*TableStats
}

// of counts for a table.
func (s *stats) of(table string, f func(*TableStats)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.tables[table]
	if t == nil && len(s.tables) >= maxTables {
		table = ""
		t = s.tables[""]
	}
	if t == nil {
		table = strings.Clone(table)
		t = &TableStats{Table: table}
		s.tables[table] = t
	}
	f(t)
}

func (s *stats) addTo(sums map[string]*TableStats) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, t := range s.tables {
		sum := sums[name]
		if sum == nil {
			sum = &TableStats{Table: name}
			sums[name] = sum
		}
		sum.ItemHits += t.ItemHits
		sum.ItemMisses += t.ItemMisses
		sum.ItemEvictions += t.ItemEvictions
		sum.QueryHits += t.QueryHits
		sum.QueryMisses += t.QueryMisses
		sum.QueryEvictions += t.QueryEvictions
	}
}

// Stats returns the counters of all nodes together, by the tables' names, which several callers'
// tables may share.
func (c *Cluster) Stats() []TableStats {
	sums := map[string]*TableStats{}
	for _, n := range c.all() {
		n.stats.addTo(sums)
	}
	list := make([]TableStats, 0, len(sums))
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		list = append(list, *sums[name])
	}
	return list
}

// saving names the emulator and the table whose read units were saved.
type saving struct {
	service uint64
	table   string
}

// savings counts the read units that the caches have saved while somebody observed.
type savings struct {
	mu    sync.Mutex
	units map[saving]float64
}

func (s *savings) add(key saving, units float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.units[key]; !known {
		if len(s.units) >= maxTables {
			key.table = "" // TableStats has no name then, either
		}
		key.table = strings.Clone(key.table)
	}
	if s.units == nil {
		s.units = map[saving]float64{}
	}
	s.units[key] += units
}

// of returns the units of an emulator by table.
func (s *savings) of(service uint64) map[string]float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	sums := map[string]float64{}
	for key, units := range s.units {
		if key.service == service {
			sums[key.table] += units
		}
	}
	return sums
}
