package dax

import (
	"time"

	"github.com/kugiri-db/kugiri/emulator/dax/protocol"
	"github.com/kugiri-db/kugiri/emulator/internal/acceleration"
)

// accelerator is the cluster as the operations on clusters know it.
type accelerator struct{ *Cluster }

func (a accelerator) TTLs() (item, query time.Duration) {
	return a.config.ItemTTL, a.config.QueryTTL
}

func (a accelerator) Grow(nodes int) error { return a.grow(nodes) }

// Port is asked for the nodes of clusters. One out of a data directory or a snapshot may have more
// than the settings: the accelerator grows when somebody looks at it.
func (a accelerator) Port(node int, secure bool) int {
	if !a.reach(node) {
		return 0
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, f := range a.fronts {
		if (f.tls != nil) == secure && node < len(f.ports) {
			return f.ports[node]
		}
	}
	return 0
}

func (a accelerator) Host() string {
	if a.config.Advertise == nil {
		return ""
	}
	return a.config.Advertise.String()
}

func (a accelerator) Leave(node int, forget bool, whose func(acceleration.Scope) bool) {
	nodes := a.all()
	if node >= len(nodes) {
		return
	}
	nodes[node].drop(whose)
	if forget {
		nodes[node].clear(whose)
	}
}

func (a accelerator) Saved(service uint64) map[string]float64 { return a.savings.of(service) }

func (a accelerator) Clear(whose func(acceleration.Scope) bool) {
	for _, n := range a.all() {
		n.clear(whose)
	}
}

// Cached lists what the caches of nodes hold: at most limit entries of each, the most recently used
// ones first.
func (a accelerator) Cached(limit int, whose func(acceleration.Scope) bool,
	ttls func(acceleration.Scope) (item, query time.Duration)) (list []acceleration.Entry) {
	for _, n := range a.all() {
		before := len(list)
		n.items.Each(func(k itemKey, it protocol.Stored, size int64, written time.Time) bool {
			if whose(k.scope) {
				item, _ := a.ttls(ttls(k.scope))
				list = append(list, acceleration.Entry{Scope: k.scope, Node: n.number,
					Table: k.table, Key: "{" + k.key + "}", Missing: it == "", Bytes: size,
					Written: written, Life: item})
			}
			return len(list)-before < limit
		})
		before = len(list)
		n.queries.Each(func(k queryKey, r result, size int64, written time.Time) bool {
			if whose(k.scope) {
				_, query := a.ttls(ttls(k.scope))
				list = append(list, acceleration.Entry{Scope: k.scope, Node: n.number,
					Table: k.table, Query: k.same, Bytes: size, Written: written, Life: query})
			}
			return len(list)-before < limit
		})
	}
	return list
}

// ttls are the TTLs that count for a caller whose cluster has certain ones, or negative ones for
// those of the settings.
func (c *Cluster) ttls(item, query time.Duration) (itemTTL, queryTTL time.Duration) {
	if item < 0 {
		item = c.config.ItemTTL
	}
	if query < 0 {
		query = c.config.QueryTTL
	}
	return item, query
}
