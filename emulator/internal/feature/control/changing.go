package control

import (
	"slices"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// request is one kind of change that a request asks for while another change is in progress.
type request string

const (
	askIOPS       request = "IOPS"
	askBilling    request = "billing"
	askOnDemand   request = "OnDemandThroughput"
	askStream     request = "stream"
	askClass      request = "class"
	askProtection request = "protection"
	askEncryption request = "encryption"
	askWarm       request = "WarmThroughput"
	askOnline     request = "an index more or less"
	askIndex      request = "throughput of an index"
	askDelete     request = "DeleteTable"
	askOther      request = "other"
)

// admitted means that a change goes on beside the one in progress, or is refused elsewhere.
const admitted = ""

// Texts that several changes have.
const (
	changingIOPS      = "Table IOPS are currently being updated. Table: {table}"
	streamWhileIOPS   = "Can't enable or disable stream while table IOPS are being updated. Table: {table}"
	onlineWhileIOPS   = "Can't create or delete indexes while table IOPS are being updated. Table: {table}"
	deleteWithIndexes = "Cannot delete table while indexes are being created, updated, or deleted."
	deleteWhileUpdate = "Table: {table} is in the process of being updated."
)

// whileChanging has what the requests on a table answer while it changes, by what is being
// changed: the text after "Attempt to change a resource which is still in use: ", or admitted
// (service facts S.1, S.2, S.3 and S.5; ack-api-quirks, DDB-TABLE-119, -175, -286, -369, -375,
// -376, -444, -450, -458 and -462). For what is not here, no answer of the service is known: refuse
// says what Kugiri answers. During the last four changes the table is ACTIVE, and what is not
// here is admitted.
var whileChanging = map[tables.Change]map[request]string{
	tables.ChangesIOPS: {
		askIOPS:       changingIOPS,
		askBilling:    changingIOPS,
		askIndex:      changingIOPS, // inferred
		askStream:     streamWhileIOPS,
		askOnline:     onlineWhileIOPS,
		askProtection: admitted, // DDB-TABLE-063
		askEncryption: admitted,
	},
	tables.ChangesBilling: {
		askIOPS:       changingIOPS,
		askBilling:    changingIOPS,
		askIndex:      changingIOPS, // inferred
		askOnDemand:   "OnDemandThroughput cannot be updated while BillingMode update is in progress",
		askStream:     streamWhileIOPS,
		askOnline:     onlineWhileIOPS,
		askProtection: admitted,
		askEncryption: admitted,
		askWarm:       admitted,
	},
	tables.ChangesStream: {
		askIOPS:       "Can't change table IOPS when stream status is being updated. {stream}",
		askBilling:    "Can't change table IOPS when stream status is being updated. {stream}",
		askOnDemand:   "OnDemandThroughput cannot be updated while stream status update is in progress",
		askStream:     "A stream status change is currently in progress. {stream}",
		askClass:      "Can't update table class when stream status is being updated. {stream}",
		askOnline:     "Can't create or delete an index when stream status is being updated. {stream}",
		askProtection: admitted,
		askEncryption: admitted,
		askWarm:       admitted,
		askDelete:     "Cannot delete table while stream is being enabled/disabled.",
	},
	tables.ChangesClass: {
		// inferred
		askIOPS:       "Can't change table IOPS when a table class update is in progress. {class}",
		askBilling:    "Can't change table IOPS when a table class update is in progress. {class}",
		askOnDemand:   "OnDemandThroughput cannot be updated while TableClass update is in progress. {to class}",
		askStream:     "Can't change stream status when a table class update is in progress. {class}",
		askClass:      "Can't update table class when a table class update is in progress. {class}",
		askOnline:     "Can't create or delete an index when a table class update is in progress. {class}",
		askProtection: admitted,
		askEncryption: admitted,
		askWarm:       admitted,
	},
	tables.ChangesIndexes: {
		askIOPS:     "Can't change table IOPS when an index is being created. {indexes}",
		askBilling:  "Can't change table IOPS when an index is being created. {indexes}",
		askOnDemand: "OnDemandThroughput cannot be updated while index creation is in progress for indexes: {names}",
		askStream:   "Can't change stream status when an index is being created. {indexes}",
		// inferred
		askClass:      "Can't update table class when an index is being created. {indexes}",
		askOnline:     admitted, // checkIndexes and checkOnline refuse it
		askIndex:      admitted, // checkIndexes refuses it
		askProtection: admitted,
		askEncryption: admitted,
		askDelete:     deleteWithIndexes,
	},
	tables.DropsIndexes: {
		askIOPS:     "Can't change table IOPS when an index is being deleted. {indexes}",
		askBilling:  "Can't change table IOPS when an index is being deleted. {indexes}",
		askOnDemand: "OnDemandThroughput cannot be updated while index deletion is in progress for indexes: {names}",
		// inferred
		askStream:     "Can't change stream status when an index is being deleted. {indexes}",
		askClass:      "Can't update table class when an index is being deleted. {indexes}",
		askOnline:     admitted, // checkIndexes and checkOnline refuse it
		askIndex:      admitted, // checkIndexes refuses it
		askProtection: admitted,
		askEncryption: admitted,
		askDelete:     deleteWithIndexes,
	},
	tables.ChangesEncryption: {
		askEncryption: "Server-Side Encryption is still being updated", // DDB-TABLE-444
		askDelete:     deleteWhileUpdate,                               // DDB-TABLE-069; not seen
	},
	tables.ChangesWarm: {
		askDelete: deleteWhileUpdate, // DDB-TABLE-069 and -410; not seen
	},
	tables.ChangesPolicy: {
		askDelete: "Table: {table} has a pending resource-based policy update.", // DDB-TABLE-444
	},
	tables.ChangesTags: {
		askDelete: "Table tags are being updated: {table}", // DDB-TABLE-103
	},
}

// changingTable is a table that another request is changing already.
type changingTable struct {
	table    *storage.Table
	settings *tables.Settings
	now      time.Time
	region   string
}

// refuse returns the error of a request, or nil if the change in progress admits it.
func (b changingTable) refuse(asked request) error {
	text, known := whileChanging[b.settings.Changing][asked]
	switch {
	case known && text == admitted:
		return nil
	case known:
		return errInUse(b.fill(text))
	case asked == askDelete:
		return errInUse(b.fill(deleteWhileUpdate))
	}
	return tables.Busy(b.table.Name, tables.Updating)
}

// refuseBeside returns the error of a request on an ACTIVE table, or nil if the changes in progress
// admit it.
func (b changingTable) refuseBeside(asked request) error {
	for _, change := range b.beside() {
		if text := whileChanging[change][asked]; text != admitted {
			return errInUse(b.fill(text))
		}
	}
	return nil
}

// beside returns the changes that go on while the table is ACTIVE.
func (b changingTable) beside() (changes []tables.Change) {
	s := b.settings
	pending := slices.ContainsFunc(s.Policies, func(p tables.ResourcePolicy) bool {
		return p.Stream == "" && b.now.Before(p.From)
	})
	for _, c := range [...]struct {
		change tables.Change
		is     bool
	}{
		{tables.ChangesEncryption, s.Encryption.State.At(b.now) == tables.Updating},
		{tables.ChangesWarm, s.Capacity.Warm.State.At(b.now) == tables.Updating},
		{tables.ChangesPolicy, pending},
		{tables.ChangesTags, s.Past.Tagging(b.now)},
	} {
		if c.is {
			changes = append(changes, c.change)
		}
	}
	return changes
}

// errReplicaInUse is the error of a member of a global table that is being changed (service facts
// S.10).
var errReplicaInUse = &apierr.Error{
	Type:    apierr.ResourceInUse,
	Message: "The resource which you are attempting to change is in use.",
}

func errInUse(text string) error {
	return &apierr.Error{
		Type:    apierr.ResourceInUse,
		Message: "Attempt to change a resource which is still in use: " + text,
	}
}

// fill writes the names into a text of whileChanging.
func (b changingTable) fill(text string) string {
	s := b.settings
	operation := "DISABLE"
	if s.Stream.Enabled {
		operation = "ENABLE"
	}
	table, names := "Table: "+b.table.Name, tables.Listed(b.onlineIndexes())
	toClass := "TableClassUpdateInProgress: " + string(s.Class.Class)
	return strings.NewReplacer(
		"{stream}", table+" Stream: "+s.Stream.Label()+" Operation: "+operation,
		"{class}", table+" "+toClass,
		"{to class}", toClass,
		"{indexes}", table+" Indexes: "+names,
		"{names}", names,
		"{table}", b.table.Name,
	).Replace(text)
}

// onlineIndexes returns the names of the indexes that are being created or deleted.
func (b changingTable) onlineIndexes() (names []string) {
	add := func(name string, state tables.Transition) {
		if status := state.At(b.now); status == tables.Creating || status == tables.Deleting {
			names = append(names, name)
		}
	}
	for i := range b.settings.Indexes {
		add(b.settings.Indexes[i].Name, b.settings.Indexes[i].State)
	}
	for i := range b.settings.Vectors {
		add(b.settings.Vectors[i].Name, b.settings.Vectors[i].State)
	}
	return names
}

// checkUpdate returns the error of an UpdateTable on a table in a state.
func (b changingTable) checkUpdate(in *api.UpdateTableInput) error {
	status := b.settings.State.At(b.now)
	switch {
	case status == tables.Active:
		for _, asked := range requestsOf(in) {
			if err := b.refuseBeside(asked); err != nil {
				return err
			}
		}
		return b.checkIndexes(in)
	case b.settings.Global != nil:
		return b.refuseMember(in)
	case status != tables.Updating:
		return tables.Busy(b.table.Name, status)
	}
	// before the table: ack-api-quirks, DDB-TABLE-375
	if err := b.checkIndexes(in); err != nil {
		return err
	}
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
		if err := b.refuse(asked); err != nil {
			return err
		}
	}
	return nil
}

// refuseMember returns the error of an UpdateTable on a member of a global table that is being
// changed (service facts S.10; ack-api-quirks, DDB-TABLE-227, 228, 298 and 306).
func (b changingTable) refuseMember(in *api.UpdateTableInput) error {
	if b.settings.State.At(b.now) == tables.Creating {
		return b.refuseNewMember(in)
	}
	if disablesStream(in.StreamSpecification) && !b.settings.Global.Strong {
		return errReplicaStream
	}
	for i := range in.ReplicaUpdates {
		if create := in.ReplicaUpdates[i].Create; create != nil {
			if err := b.refuseReplica(*create.RegionName); err != nil {
				return err
			}
		}
	}
	return errReplicaInUse
}

// refuseNewMember is refuseMember for the table of a replica that is being created. It is not there
// but for changes of replicas.
func (b changingTable) refuseNewMember(in *api.UpdateTableInput) error {
	if len(in.ReplicaUpdates) > 0 {
		gone := in.ReplicaUpdates[0].Delete
		if gone != nil && b.settings.Global.Replica(*gone.RegionName) != nil {
			return errReplicaSource
		}
		return apierr.Invalid("Create/Update/Delete of replica is not allowed while the replica "+
			"is being added to table with name: %s in region %s.", b.table.Name, b.region)
	}
	return &apierr.Error{
		Type:    apierr.ResourceNotFound,
		Message: "Requested resource not found: Table: " + b.table.Name + " not found",
	}
}

// refuseReplica returns the error of a new replica in a region that has one which is being created
// or deleted, or nil.
func (b changingTable) refuseReplica(region string) error {
	global := b.settings.Global
	for i := range global.Replicas {
		r := &global.Replicas[i]
		if r.Region != region {
			continue
		}
		switch r.State.At(b.now) {
		case tables.Deleting:
			return errReplicaExists(b.table.Name)
		case tables.Creating:
			regions := global.Regions()
			slices.Sort(regions)
			return &apierr.Error{Type: apierr.ResourceInUse, Message: "Global table with name: " +
				b.table.Name + " already exists with replicas in regions: " +
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
func (b changingTable) becomesOnDemand(asked request) bool {
	return asked == askOnDemand && b.settings.Changing == tables.ChangesBilling &&
		b.settings.Billing.OnDemandMode()
}

// keepsMode reports whether a request asks for the capacity mode that the table has while its
// indexes change, which is taken (ack-api-quirks, DDB-TABLE-375).
func (b changingTable) keepsMode(asked request, in *api.UpdateTableInput) bool {
	changing := b.settings.Changing
	return asked == askBilling && in.ProvisionedThroughput == nil &&
		(changing == tables.ChangesIndexes || changing == tables.DropsIndexes) &&
		*in.BillingMode == b.settings.Billing.Mode
}

// keepsProvisioned reports whether a request asks for PAY_PER_REQUEST while the table is becoming
// PROVISIONED. The service takes it, and the table becomes PROVISIONED (service facts S.1).
func (b changingTable) keepsProvisioned(in *api.UpdateTableInput) bool {
	s := b.settings
	return s.State.At(b.now) == tables.Updating && s.Changing == tables.ChangesBilling &&
		!s.Billing.OnDemandMode() &&
		s.Global == nil && api.Deref(in.BillingMode) == tables.PayPerRequest &&
		kindsOf(in) == updateKinds{iops: true}
}

// checkDelete returns the error of a DeleteTable on a table in a state.
func (b changingTable) checkDelete() error {
	status := b.settings.State.At(b.now)
	switch {
	case status == tables.Creating && b.settings.Global != nil: // ack-api-quirks, DDB-TABLE-298
		return errInUse("Table: " + b.table.Name + " is being used.")
	case status != tables.Active && b.settings.Global != nil:
		return errReplicaInUse
	case status == tables.Updating:
		return b.refuse(askDelete)
	case status != tables.Active:
		return tables.Busy(b.table.Name, status)
	case b.changesIndexes():
		return errInUse(deleteWithIndexes)
	}
	return b.refuseBeside(askDelete) // service facts S.4
}

// changesIndexes reports whether some index is not ACTIVE.
func (b changingTable) changesIndexes() bool {
	return len(b.onlineIndexes()) > 0 || slices.ContainsFunc(b.settings.Indexes,
		func(ix tables.IndexSettings) bool { return ix.State.At(b.now) == tables.Updating })
}

// checkIndexes returns the error of an update or deletion of an index that is itself being changed,
// and of a new index with the name of one that is being deleted (service facts S.5; ack-api-quirks,
// DDB-TABLE-135, -163, -375 and -444).
func (b changingTable) checkIndexes(in *api.UpdateTableInput) error {
	for _, up := range in.GlobalSecondaryIndexUpdates {
		var name string
		switch {
		case up.Delete != nil:
			name = string(*up.Delete.IndexName)
		case up.Update != nil:
			name = string(*up.Update.IndexName)
		case up.Create != nil:
			name = string(*up.Create.IndexName)
		}
		for i := range b.settings.Indexes {
			ix := &b.settings.Indexes[i]
			if ix.Name != name || up.Create != nil && ix.Gone == nil {
				continue
			}
			if err := b.checkIndex(name, ix.State, ix.Backfill, up.Delete != nil); err != nil {
				return err
			}
		}
	}
	for _, up := range in.VectorIndexUpdates {
		for i := range b.settings.Vectors {
			ix := &b.settings.Vectors[i]
			if up.Delete == nil || up.Delete.IndexName == nil ||
				ix.Name != string(*up.Delete.IndexName) {
				continue
			}
			if err := b.checkIndex(ix.Name, ix.State, ix.Backfill, true); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkIndex returns the error of an update or deletion of an index in a state.
func (b changingTable) checkIndex(name string, state tables.Transition, backfill time.Time,
	deletes bool) error {
	doing := ""
	switch status := state.At(b.now); {
	case status == tables.Creating && !b.now.Before(backfill):
	case status == tables.Creating && deletes:
		return errAllocation(b.table.Name, name)
	case status == tables.Creating:
		doing = "created but is not backfilling yet"
	case status == tables.Updating:
		doing = "updated"
	case status == tables.Deleting:
		doing = "deleted"
	}
	if doing == "" {
		return nil
	}
	return errInUse("Index is being " + doing + ".  Table: " + b.table.Name + " Index: " + name)
}

func errAllocation(table, index string) error {
	return errInUse(
		"Index creation is in resource allocation phase. Retry deletion during backfilling phase or " +
			"when the index is active. Table: " + table + " Index: " + index)
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
func requestsOf(in *api.UpdateTableInput) (asked []request) {
	kinds := kindsOf(in)
	online := updatesOnline(in)
	for _, r := range [...]struct {
		is  bool
		ask request
	}{
		{in.BillingMode != nil, askBilling},
		{in.BillingMode == nil && in.ProvisionedThroughput != nil, askIOPS},
		{in.OnDemandThroughput != nil, askOnDemand},
		{kinds.stream, askStream},
		{kinds.class, askClass},
		{kinds.encryption, askEncryption},
		{kinds.protection, askProtection},
		{kinds.warm, askWarm},
		{online, askOnline},
		{!online && kinds.indexes, askIndex},
	} {
		if r.is {
			asked = append(asked, r.ask)
		}
	}
	if asked == nil {
		return []request{askOther}
	}
	return asked
}

// changeOf returns what keeps a table UPDATING after a request.
func changeOf(in *api.UpdateTableInput) tables.Change {
	switch {
	case updatesOnline(in) && len(droppedIndexes(in)) > 0:
		return tables.DropsIndexes
	case updatesOnline(in):
		return tables.ChangesIndexes
	case in.BillingMode != nil:
		return tables.ChangesBilling
	case in.ProvisionedThroughput != nil:
		return tables.ChangesIOPS
	case in.StreamSpecification != nil:
		return tables.ChangesStream
	case in.TableClass != nil:
		return tables.ChangesClass
	}
	return ""
}
