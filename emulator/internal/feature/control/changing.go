package control

import (
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// Package states has the answers of requests on a changing table. This file has the changes that
// UpdateTable asks for, and the order of their checks.

// changingTable is a table that another request may be changing already.
type changingTable struct {
	*states.Changing
	table *storage.Table
}

// checkUpdate returns the error of an UpdateTable.
func (b changingTable) checkUpdate(in *api.UpdateTableInput) error {
	switch phase := b.Phase(); {
	case phase == states.AddsReplica, phase == states.MemberUpdates, phase == states.Joins:
		return b.refuseMember(in, phase)
	case phase == "":
		if err := b.refuse(in); err != nil {
			return err
		}
		return b.checkIndexes(in)
	case !states.KeepsUpdating(phase):
		return b.Refuse(states.Update)
	}
	// before the table: ack-api-quirks, DDB-TABLE-375
	if err := b.checkIndexes(in); err != nil {
		return err
	}
	return b.refuse(in)
}

// refuse returns the error of what an UpdateTable asks for.
func (b changingTable) refuse(in *api.UpdateTableInput) error {
	for _, asked := range requestsOf(in) {
		if b.becomesOnDemand(asked) {
			if err := tables.CheckOtherOnDemand(in.OnDemandThroughput, tables.ProvisionedMode,
				"table"); err != nil {
				return err
			}
			continue
		}
		if b.keepsMode(asked, in) {
			continue
		}
		if err := b.Refuse(asked); err != nil {
			return err
		}
	}
	return nil
}

// refuseMember returns the error of an UpdateTable on a member of a global table that is being
// changed (service facts S.10; ack-api-quirks, DDB-TABLE-227, 228, 298 and 306).
func (b changingTable) refuseMember(in *api.UpdateTableInput, phase tables.Change) error {
	global := b.Settings.Global
	if phase == states.Joins {
		if len(in.ReplicaUpdates) == 0 {
			return b.Error(phase, states.Update)
		}
		gone := in.ReplicaUpdates[0].Delete
		if gone != nil && global.Replica(*gone.RegionName) != nil {
			return errReplicaSource
		}
		return b.Error(phase, states.Replicas)
	}
	if disablesStream(in.StreamSpecification) && !global.Strong {
		return errReplicaStream
	}
	for i := range in.ReplicaUpdates {
		if create := in.ReplicaUpdates[i].Create; create != nil {
			if err := b.refuseReplica(*create.RegionName); err != nil {
				return err
			}
		}
	}
	return b.Error(phase, states.Update)
}

// refuseReplica returns the error of a new replica in a region that has one which is being created
// or deleted, or nil.
func (b changingTable) refuseReplica(region string) error {
	global := b.Settings.Global
	for i := range global.Replicas {
		r := &global.Replicas[i]
		if r.Region != region {
			continue
		}
		switch r.State.At(b.Now) {
		case tables.Deleting:
			return errReplicaExists(b.Table)
		case tables.Creating:
			regions := global.Regions()
			slices.Sort(regions)
			return &apierr.Error{Type: apierr.ResourceInUse, Message: "Global table with name: " +
				b.Table + " already exists with replicas in regions: " +
				strings.Join(regions, ", ") + "."}
		}
	}
	return nil
}

func disablesStream(in *api.StreamSpecification) bool {
	return in != nil && in.StreamEnabled != nil && !*in.StreamEnabled
}

// becomesOnDemand reports whether a request asks for maxima of a table that becomes
// PAY_PER_REQUEST, and still counts as PROVISIONED (ack-api-quirks, DDB-TABLE-369).
func (b changingTable) becomesOnDemand(asked states.Request) bool {
	return asked == states.Maxima && b.Phase() == states.BecomesOnDemand
}

// keepsMode reports whether a request asks for the capacity mode that the table has while its
// indexes change, which is taken (ack-api-quirks, DDB-TABLE-375).
func (b changingTable) keepsMode(asked states.Request, in *api.UpdateTableInput) bool {
	changing := b.Settings.Changing
	return asked == states.Billing && in.ProvisionedThroughput == nil &&
		(changing == tables.ChangesIndexes || changing == tables.DropsIndexes) &&
		*in.BillingMode == b.Settings.Billing.Mode
}

// keepsProvisioned reports whether a request asks for PAY_PER_REQUEST while the table is becoming
// PROVISIONED. The service takes it, and the table becomes PROVISIONED (service facts S.1).
func (b changingTable) keepsProvisioned(in *api.UpdateTableInput) bool {
	s := b.Settings
	return s.State.At(b.Now) == tables.Updating && s.Changing == tables.ChangesBilling &&
		!s.Billing.OnDemandMode() &&
		s.Global == nil && api.Deref(in.BillingMode) == tables.PayPerRequest &&
		kindsOf(in) == updateKinds{iops: true}
}

// checkIndexes returns the error of an update or deletion of an index that is itself being changed,
// and of a new index with the name of one that is being deleted (service facts S.5; ack-api-quirks,
// DDB-TABLE-135, -163, -375 and -444).
func (b changingTable) checkIndexes(in *api.UpdateTableInput) error {
	for _, up := range in.GlobalSecondaryIndexUpdates {
		var name string
		var asked states.Request
		switch {
		case up.Delete != nil:
			name, asked = string(*up.Delete.IndexName), states.DropIndex
		case up.Update != nil:
			name, asked = string(*up.Update.IndexName), states.ChangeIndex
		case up.Create != nil:
			name, asked = string(*up.Create.IndexName), states.RemakeIndex
		}
		for i := range b.Settings.Indexes {
			ix := &b.Settings.Indexes[i]
			if ix.Name != name || up.Create != nil && ix.Gone == nil {
				continue
			}
			if err := b.Error(states.IndexPhase(ix, b.Now), asked, "{index}", name); err != nil {
				return err
			}
		}
	}
	for _, up := range in.VectorIndexUpdates {
		for i := range b.Settings.Vectors {
			ix := &b.Settings.Vectors[i]
			if up.Delete == nil || up.Delete.IndexName == nil ||
				ix.Name != string(*up.Delete.IndexName) {
				continue
			}
			if err := b.Error(states.VectorPhase(ix, b.Now), states.DropIndex, "{index}",
				ix.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

// droppedIndexes returns the names of the indexes that a request deletes.
func droppedIndexes(in *api.UpdateTableInput) (names []string) {
	for _, up := range in.GlobalSecondaryIndexUpdates {
		if up.Delete != nil {
			names = append(names, string(*up.Delete.IndexName))
		}
	}
	for _, up := range in.VectorIndexUpdates {
		if up.Delete != nil && up.Delete.IndexName != nil {
			names = append(names, string(*up.Delete.IndexName))
		}
	}
	return names
}

// requestsOf returns the kinds of changes that a request asks for.
func requestsOf(in *api.UpdateTableInput) (asked []states.Request) {
	kinds := kindsOf(in)
	online := updatesOnline(in)
	for _, r := range [...]struct {
		is  bool
		ask states.Request
	}{
		{in.BillingMode != nil, states.Billing},
		{in.BillingMode == nil && in.ProvisionedThroughput != nil, states.IOPS},
		{in.OnDemandThroughput != nil, states.Maxima},
		{kinds.stream, states.Stream},
		{kinds.class, states.Class},
		{kinds.encryption, states.Encryption},
		{kinds.protection, states.Protection},
		{kinds.warm, states.Warm},
		{online, states.Online},
		{!online && kinds.indexes, states.UnitsOf},
		{kinds.replicas, states.Replicas},
	} {
		if r.is {
			asked = append(asked, r.ask)
		}
	}
	if asked == nil {
		return []states.Request{states.Update}
	}
	return asked
}

// changeOf returns the change that a request makes of a table, "" if the table stays ACTIVE
// meanwhile. These do not take it out of ACTIVE: encryption (AWS CLI Command Reference,
// update-table, "To enable server-side encryption"), warm throughput (Developer Guide, "Increase
// your existing DynamoDB table's warm throughput"), and maximum throughput, deletion protection and
// the throughput of indexes (ack-api-quirks, DDB-TABLE-410, a probe of the service). The protection
// of a member of a global table does (DDB-TABLE-230, 263 and 297).
func changeOf(in *api.UpdateTableInput, member bool) tables.Change {
	switch kinds := kindsOf(in); {
	case updatesOnline(in) && len(droppedIndexes(in)) > 0:
		return tables.DropsIndexes
	case updatesOnline(in):
		return tables.ChangesIndexes
	case in.BillingMode != nil:
		return tables.ChangesBilling
	case in.ProvisionedThroughput != nil:
		return tables.ChangesIOPS
	case kinds.stream:
		return tables.ChangesStream
	case kinds.class:
		return tables.ChangesClass
	case kinds.replicas, kinds.settings, kinds.protection && member:
		return tables.ChangesReplicas
	case kinds.encryption:
		return states.ChangesEncryption
	case kinds.warm:
		return states.ChangesWarm
	}
	return ""
}
