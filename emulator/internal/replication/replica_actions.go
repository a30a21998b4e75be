package replication

import (
	"strings"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
)

// ReplicaAction is one of the actions of a ReplicationGroupUpdate.
type ReplicaAction struct {
	Spec tables.ReplicaSpec
	Kind string // create, update, delete, disassociate
}

func specOf(a *api.CreateReplicationGroupMemberAction) tables.ReplicaSpec {
	return tables.ReplicaSpec{Region: Region(a.RegionName),
		Key: a.KMSMasterKeyId, Provisioned: a.ProvisionedThroughputOverride,
		OnDemand: a.OnDemandThroughputOverride, Class: a.TableClassOverride,
		Indexes: a.GlobalSecondaryIndexes}
}

// ActionsOf returns all actions of a ReplicationGroupUpdate. It should have one.
func ActionsOf(up *api.ReplicationGroupUpdate) (actions []ReplicaAction) {
	if a := up.Create; a != nil {
		actions = append(actions, ReplicaAction{specOf(a), "create"})
	}
	if a := up.Update; a != nil {
		same := api.CreateReplicationGroupMemberAction(*a)
		actions = append(actions, ReplicaAction{specOf(&same), "update"})
	}
	if a := up.Delete; a != nil {
		actions = append(actions,
			ReplicaAction{tables.ReplicaSpec{Region: Region(a.RegionName)}, "delete"})
	}
	if a := up.Disassociate; a != nil && *a.DisassociationMode != "" {
		actions = append(actions,
			ReplicaAction{tables.ReplicaSpec{Region: Region(a.RegionName)}, "disassociate"})
	}
	return actions
}

// Region copies the name of a region. It returns "" for nil.
func Region(name *string) string { return strings.Clone(api.Deref(name)) }

// WitnessUpdate returns the regions of the witness that a request adds and removes, "" for none.
func WitnessUpdate(in *api.UpdateTableInput) (created, deleted string) {
	for _, up := range in.GlobalTableWitnessUpdates {
		if up.Create != nil {
			created = Region(up.Create.RegionName)
		}
		if up.Delete != nil {
			deleted = Region(up.Delete.RegionName)
		}
	}
	return created, deleted
}

// UpdatesWitness reports whether a request adds or removes a witness. The service takes one without
// a region for none (ack-api-quirks, DDB-TABLE-457).
func UpdatesWitness(in *api.UpdateTableInput) bool {
	created, deleted := WitnessUpdate(in)
	return created != "" || deleted != ""
}
