package permit

import (
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/replication"
)

// alsoOnReplicas adds what a request needs on the tables of replicas, besides the permission of its
// operation on the table that it names (Developer Guide, "DynamoDB global tables security").
func (a *accessList) alsoOnReplicas(table string) {
	switch in := a.in.Addr().Interface().(type) {
	case *api.UpdateTableInput:
		a.onReplicaUpdates(table, in)
	case *api.UpdateTimeToLiveInput:
		for _, region := range a.replicaRegions(table) {
			if region != a.call.Region {
				a.inRegion(region, table, "UpdateTimeToLive")
			}
		}
	case *api.DeleteTableInput:
		if a.call.GlobalTable(a.ownTable(table)).SeveralAccounts() {
			a.action("DeleteTableReplica", table)
		}
	}
}

// onReplicaUpdates adds what the creation and the deletion of replicas and of a witness need.
func (a *accessList) onReplicaUpdates(table string, in *api.UpdateTableInput) {
	type change struct{ kind, region string }
	regions, seen := []string{a.call.Region}, map[change]bool{}
	for i := range in.ReplicaUpdates {
		for _, up := range replication.ActionsOf(&in.ReplicaUpdates[i]) {
			of := change{up.Kind, up.Spec.Region}
			if seen[of] {
				continue
			}
			seen[of] = true
			regions = append(regions, up.Spec.Region)
			switch up.Kind {
			case "create":
				a.inRegion(up.Spec.Region, table,
					append([]string{"CreateTable", "CreateTableReplica"}, actionsOnItems...)...)
			case "delete":
				a.inRegion(up.Spec.Region, table, "DeleteTable", "DeleteTableReplica")
			}
		}
	}
	created, deleted := replication.WitnessUpdate(in)
	a.onWitness(created, "CreateGlobalTableWitness", table, regions)
	a.onWitness(deleted, "DeleteGlobalTableWitness", table, regions)
}

// onWitness adds an action on a witness, if there is one, and on its replicas.
func (a *accessList) onWitness(witness, action, table string, replicas []string) {
	if witness == "" {
		return
	}
	for _, region := range append(replicas, witness) {
		a.inRegion(region, table, action)
	}
}

// onAdded adds the tables of all replicas of a global table of version 2017.11.29 that gets another
// one.
func (a *accessList) onAdded(name, global string, in *api.UpdateGlobalTableInput) {
	var added []string
	for i := range in.ReplicaUpdates {
		if create := in.ReplicaUpdates[i].Create; create != nil {
			added = append(added, api.Deref(create.RegionName))
		}
	}
	if added == nil {
		return
	}
	table := a.arnOf(name)
	a.action("CreateGlobalTable", global)
	slices.Sort(added)
	for _, region := range append(a.replicaRegions(table), slices.Compact(added)...) {
		a.inRegion(region, table, "CreateGlobalTable")
	}
}

// inRegion adds actions on the table that has the ARN of another one in a region. It leaves out
// what the operation refuses: a region that DynamoDB does not have.
func (a *accessList) inRegion(region, table string, actions ...string) {
	part := strings.SplitN(table, ":", 6)
	if len(part) < 6 || region != a.call.Region && !a.call.CanReplicate(a.ownTable(table), region) {
		return
	}
	part[3] = region
	for _, action := range actions {
		a.action(action, strings.Join(part, ":"))
		if region != a.call.Region {
			a.list[len(a.list)-1].region = region
		}
	}
}

// ownTable returns the name of a table of the caller's account, or "" if it is another account's.
func (a *accessList) ownTable(table string) string {
	name, _ := strings.CutPrefix(table, a.call.TableARN(""))
	return name
}

// replicaRegions returns the regions in which the caller's account has replicas of a table.
func (a *accessList) replicaRegions(table string) (regions []string) {
	c := a.call
	for _, o := range c.GroupOwners(a.ownTable(table), nil) {
		if o.Account == c.Account {
			regions = append(regions, o.Region)
		}
	}
	return regions
}
