package control

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/replication"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
)

// CreateGlobalTable makes a global table of version 2017.11.29 of empty tables.
func CreateGlobalTable(c *serve.Call, in *api.CreateGlobalTableInput) (*api.CreateGlobalTableOutput,
	error) {
	x := &newGlobalTable{call: c, in: in}
	if err := orderOfGlobal.Judge(x); err != nil {
		return nil, err
	}
	name, regions := string(*in.GlobalTableName), x.regions
	out := new(api.CreateGlobalTableOutput)
	return out, inGroup(c, name, c.InRegions(regions), func(g *ReplicaGroup) error {
		if _, err := g.legacy(); err == nil {
			return &apierr.Error{
				Type: apierr.GlobalTableAlreadyExists,
				Message: "Global table already exists: Global table with name: '" +
					name + "' already exists.",
			}
		}
		global := &tables.GlobalTable{Version: tables.LegacyGlobal, Created: c.Now()}
		if err := g.join(global, regions); err != nil {
			return err
		}
		g.setGlobal(global, c.Now())
		out.GlobalTableDescription = g.describeLegacy(global)
		return nil
	})
}

// newGlobalTable is a request for a global table.
type newGlobalTable struct {
	call    *serve.Call
	in      *api.CreateGlobalTableInput
	regions []string // once they have been judged
}

// orderOfGlobal orders the checks of CreateGlobalTable that need no tables. After it come a global
// table of that name, and the tables of the regions (orderOfMember).
var orderOfGlobal = serve.Order[*newGlobalTable]{
	serve.Step("the name", "",
		func(x *newGlobalTable) error { return checkGlobalName(x.in.GlobalTableName) }),
	serve.Step("the regions", "", func(x *newGlobalTable) (err error) {
		name := string(*x.in.GlobalTableName)
		for _, r := range x.in.ReplicationGroup {
			if x.regions, err = addRegion(x.call, name, x.regions, r.RegionName); err != nil {
				return err
			}
		}
		return nil
	}),
	serve.Step("no region", "", func(x *newGlobalTable) error {
		if len(x.regions) == 0 {
			return apierr.BadParameter("ReplicationGroup must have at least one replica")
		}
		return nil
	}),
}

// addRegion adds the region of a replica of a table to others.
func addRegion(c *serve.Call, table string, regions []string, name *string) ([]string, error) {
	switch {
	case name == nil || !c.CanReplicate(table, *name):
		return nil, apierr.BadParameter("Invalid region: %s", api.Deref(name))
	case c.Service.Shared:
		return nil, errUnsupported("A global table of tables that all regions share")
	}
	for _, other := range regions {
		if other == *name {
			return nil, apierr.BadParameter("Duplicate region: %s", *name)
		}
	}
	return append(regions, replication.Region(name)), nil
}

func CreateGlobalTableTargets(in *api.CreateGlobalTableInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.GlobalTableName)})
}
