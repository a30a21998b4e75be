package emulator

import (
	"strings"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
)

// replicaAction is one of the actions of a ReplicationGroupUpdate.
type replicaAction struct {
	spec tables.ReplicaSpec
	kind string // create, update, delete, disassociate
}

// actionsOf returns all actions of a ReplicationGroupUpdate, of which there should be one.
func actionsOf(up *api.ReplicationGroupUpdate) (actions []replicaAction) {
	if a := up.Create; a != nil {
		actions = append(actions, replicaAction{tables.ReplicaSpec{Region: region(a.RegionName), Key: a.KMSMasterKeyId, Provisioned: a.ProvisionedThroughputOverride,
			OnDemand: a.OnDemandThroughputOverride, Class: a.TableClassOverride, Indexes: a.GlobalSecondaryIndexes}, "create"})
	}
	if a := up.Update; a != nil {
		actions = append(actions, replicaAction{tables.ReplicaSpec{Region: region(a.RegionName), Key: a.KMSMasterKeyId, Provisioned: a.ProvisionedThroughputOverride,
			OnDemand: a.OnDemandThroughputOverride, Class: a.TableClassOverride, Indexes: a.GlobalSecondaryIndexes}, "update"})
	}
	if a := up.Delete; a != nil {
		actions = append(actions, replicaAction{tables.ReplicaSpec{Region: region(a.RegionName)}, "delete"})
	}
	if a := up.Disassociate; a != nil && *a.DisassociationMode != "" {
		actions = append(actions, replicaAction{tables.ReplicaSpec{Region: region(a.RegionName)}, "disassociate"})
	}
	return actions
}

// region copies the name of a region, "" if there is none.
func region(name *string) string { return strings.Clone(api.Deref(name)) }

// witnessUpdate returns the regions of the witness that a request adds and removes, "" for none.
func witnessUpdate(in *api.UpdateTableInput) (created, deleted string) {
	for _, up := range in.GlobalTableWitnessUpdates {
		if up.Create != nil {
			created = region(up.Create.RegionName)
		}
		if up.Delete != nil {
			deleted = region(up.Delete.RegionName)
		}
	}
	return created, deleted
}

// updatesWitness reports whether a request adds or removes a witness. The service takes one without a
// region for none (ack-api-quirks, DDB-TABLE-457).
func updatesWitness(in *api.UpdateTableInput) bool {
	created, deleted := witnessUpdate(in)
	return created != "" || deleted != ""
}
