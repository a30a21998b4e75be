package control

import (
	"slices"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
)

// UpdateGlobalTable adds replicas to a global table of version 2017.11.29 and removes others, whose
// tables stay (Developer Guide, "Global tables: How it works").
func UpdateGlobalTable(c *serve.Call, in *api.UpdateGlobalTableInput) (*api.UpdateGlobalTableOutput,
	error) {
	if err := checkGlobalName(in.GlobalTableName); err != nil {
		return nil, err
	}
	name := string(*in.GlobalTableName)
	var added, removed []string
	for _, up := range in.ReplicaUpdates {
		if up.Create == nil && up.Delete == nil {
			return nil, errParameters
		}
		var err error
		if up.Create != nil {
			added, err = addRegion(c, name, added, up.Create.RegionName)
		}
		if up.Delete != nil && err == nil {
			removed, err = addRegion(c, name, removed, up.Delete.RegionName)
		}
		if err != nil {
			return nil, err
		}
	}
	out := new(api.UpdateGlobalTableOutput)
	return out, inGroup(c, name, c.InRegions(added), func(g *ReplicaGroup) error {
		global, err := g.legacy()
		if err != nil {
			return err
		}
		if global, err = g.rejoin(global.Clone(), added, removed); err != nil {
			return err
		}
		g.setGlobal(global, c.Now())
		out.GlobalTableDescription = g.describeLegacy(global)
		return nil
	})
}

// rejoin adds and removes replicas.
func (g *ReplicaGroup) rejoin(global *tables.GlobalTable, added,
	removed []string) (*tables.GlobalTable, error) {
	for _, region := range added {
		if global.Replica(region) != nil {
			return nil, &apierr.Error{
				Type: apierr.ReplicaAlreadyExists,
				Message: "Replica already exists: Replica in region '" + region +
					"' is already part of global table '" + g.name + "'.",
			}
		}
	}
	for _, region := range removed {
		if global.Replica(region) == nil {
			return nil, &apierr.Error{
				Type: apierr.ReplicaNotFound,
				Message: "Replica not found: Replica in region '" + region +
					"' is not part of global table '" + g.name + "'.",
			}
		}
		if !g.Member(g.Local.In(region)).delivered(g.name) {
			return nil, errUndelivered
		}
		global.Replicas = slices.DeleteFunc(global.Replicas,
			func(r tables.Replica) bool { return r.Region == region })
	}
	return global, g.join(global, added)
}

func UpdateGlobalTableTargets(in *api.UpdateGlobalTableInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.GlobalTableName)})
}
