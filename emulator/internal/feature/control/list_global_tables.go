package control

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// maxListedGlobalTables is the usual page of ListGlobalTables (API Reference, ListGlobalTables,
// Limit).
const maxListedGlobalTables = 100

// ListGlobalTables lists the global tables of version 2017.11.29 that have a replica in the
// caller's region and, if there is one, in the region of the request. Those of the current version
// are not listed.
func ListGlobalTables(c *serve.Call, in *api.ListGlobalTablesInput) (*api.ListGlobalTablesOutput,
	error) {
	limit := maxListedGlobalTables
	if in.Limit != nil {
		limit = int(*in.Limit)
	}
	start := api.Deref(in.ExclusiveStartGlobalTableName)
	out := &api.ListGlobalTablesOutput{GlobalTables: []api.GlobalTable{}}
	return out, c.Store.View(func(tx *storage.Tx) error {
		for _, name := range c.Policy.Shown(tx).Tables(string(start)) {
			g := tables.SettingsOf(tx, tx.Table(name)).Global
			if !g.IsLegacy() || in.RegionName != nil && g.Replica(*in.RegionName) == nil {
				continue
			}
			if len(out.GlobalTables) == limit {
				out.LastEvaluatedGlobalTableName = out.GlobalTables[limit-1].GlobalTableName
				break
			}
			listed := api.GlobalTable{GlobalTableName: api.Ref(api.TableName(name))}
			for _, region := range g.Regions() {
				listed.ReplicationGroup = append(listed.ReplicationGroup,
					api.Replica{RegionName: api.Ref(region)})
			}
			out.GlobalTables = append(out.GlobalTables, listed)
		}
		return nil
	})
}
