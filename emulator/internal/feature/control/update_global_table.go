package control

import (
	"slices"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
)

// UpdateGlobalTable adds replicas to a global table of version 2017.11.29 and removes others, whose
// tables stay (Developer Guide, "Global tables: How it works").
func UpdateGlobalTable(c *serve.Call, in *api.UpdateGlobalTableInput) (*api.UpdateGlobalTableOutput,
	error) {
	x := &globalUpdate{call: c, in: in}
	if err := orderOfGlobalUpdate.Judge(x); err != nil {
		return nil, err
	}
	name, added, removed := string(*in.GlobalTableName), x.added, x.removed
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

// globalUpdate is a request for other replicas of a global table.
type globalUpdate struct {
	call           *serve.Call
	in             *api.UpdateGlobalTableInput
	added, removed []string // regions, once they have been judged
}

// orderOfGlobalUpdate orders the checks of UpdateGlobalTable that need no tables. After it come the
// global table, its replicas, and the tables of new ones (orderOfMember).
var orderOfGlobalUpdate = serve.Order[*globalUpdate]{
	serve.Step("the name", "DDB-GLOBALTABLE-004",
		func(x *globalUpdate) error { return checkGlobalName(x.in.GlobalTableName) }),
	serve.Step("no update", "DDB-GLOBALTABLE-004", func(x *globalUpdate) error {
		if len(x.in.ReplicaUpdates) == 0 {
			return errParameters
		}
		return nil
	}),
	serve.Step("each update", "DDB-GLOBALTABLE-004", (*globalUpdate).checkEach),
}

func (x *globalUpdate) checkEach() (err error) {
	name := string(*x.in.GlobalTableName)
	for _, up := range x.in.ReplicaUpdates {
		if up.Create == nil && up.Delete == nil {
			return errParameters
		}
		if up.Create != nil {
			x.added, err = addRegion(x.call, name, x.added, up.Create.RegionName)
		}
		if up.Delete != nil && err == nil {
			x.removed, err = addRegion(x.call, name, x.removed, up.Delete.RegionName)
		}
		if err != nil {
			return err
		}
	}
	return nil
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
