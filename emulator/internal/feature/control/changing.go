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
	askNewIndex   request = "new index"
	askDropIndex  request = "drop index"
	askDelete     request = "DeleteTable"
	askOther      request = "other"
)

// admitted means that a change goes on beside the one in progress, or is refused elsewhere.
const admitted = ""

// whileChanging has what the requests on a table answer while it is UPDATING, by what is being
// changed: the text after "Attempt to change a resource which is still in use: ", or admitted
// (service facts S.1, S.2, S.3 and S.5). For what is not here, no answer of the service is known:
// refuse says what Kugiri answers.
var whileChanging = map[tables.Change]map[request]string{
	tables.ChangesIOPS: {
		askIOPS:    "Table IOPS are currently being updated. Table: {table}",
		askBilling: "Table IOPS are currently being updated. Table: {table}",
		askStream:  "Can't enable or disable stream while table IOPS are being updated. Table: {table}",
		// ack-api-quirks, DDB-TABLE-063
		askProtection: admitted,
	},
	tables.ChangesBilling: {
		askIOPS:       "Table IOPS are currently being updated. Table: {table}",
		askBilling:    "Table IOPS are currently being updated. Table: {table}",
		askOnDemand:   "OnDemandThroughput cannot be updated while BillingMode update is in progress",
		askStream:     "Can't enable or disable stream while table IOPS are being updated. Table: {table}",
		askProtection: admitted,
		askWarm:       admitted,
	},
	tables.ChangesStream: {
		askIOPS:    "Can't change table IOPS when stream status is being updated. {stream}",
		askBilling: "Can't change table IOPS when stream status is being updated. {stream}",
		// inferred
		askOnDemand: "OnDemandThroughput cannot be updated while stream status update is in progress",
		askStream:   "A stream status change is currently in progress. {stream}",
		// inferred
		askClass:      "Can't update table class when stream status is being updated. {stream}",
		askProtection: admitted,
		askEncryption: admitted,
		askWarm:       admitted,
		askDelete:     "Cannot delete table while stream is being enabled/disabled.",
	},
	tables.ChangesClass: {
		askOnDemand: "OnDemandThroughput cannot be updated while TableClass update is in progress",
		// inferred
		askStream:     "Can't change stream status when a table class update is in progress. {class}",
		askClass:      "Can't update table class when a table class update is in progress. {class}",
		askProtection: admitted,
	},
	tables.ChangesIndexes: {
		askIOPS:      "Can't change table IOPS when an index is being created. {indexes}",
		askBilling:   "Can't change table IOPS when an index is being created. {indexes}",
		askStream:    "Can't change stream status when an index is being created. {indexes}",
		askNewIndex:  admitted, // checkOnline refuses it
		askDropIndex: admitted, // errAllocating and checkOnline refuse it
		askDelete:    deleteWithIndexes,
	},
}

const deleteWithIndexes = "Cannot delete table while indexes are being created, updated, or deleted."

// changingTable is a table that another request is changing already.
type changingTable struct {
	table    *storage.Table
	settings *tables.Settings
	now      time.Time
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
		return errInUse("Table: " + b.table.Name + " is in the process of being updated.")
	}
	return tables.Busy(b.table.Name, tables.Updating)
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
	table := "Table: " + b.table.Name
	return strings.NewReplacer(
		"{stream}", table+" Stream: "+s.Stream.Label()+" Operation: "+operation,
		"{class}", table+" TableClassUpdateInProgress: "+string(s.Class.Class),
		"{indexes}", table+" Indexes: "+tables.Listed(b.onlineIndexes()),
		"{table}", b.table.Name,
	).Replace(text)
}

// onlineIndexes returns the names of the indexes that are not ACTIVE.
func (b changingTable) onlineIndexes() (names []string) {
	add := func(name string, state tables.Transition) {
		if status := state.At(b.now); status != tables.Active && status != "" {
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
	case status == tables.Active && in.SSESpecification != nil && b.encrypting():
		return errInUse("Server-Side Encryption is still being updated") // ack-api-quirks, DDB-TABLE-444
	case status == tables.Active:
		return b.errAllocating(in)
	case b.settings.Global != nil:
		return errReplicaInUse
	case status != tables.Updating:
		return tables.Busy(b.table.Name, status)
	}
	for _, asked := range requestsOf(in) {
		if err := b.refuse(asked); err != nil {
			return err
		}
	}
	return b.errAllocating(in)
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

// encrypting reports whether the encryption is being changed, during which the table is ACTIVE.
func (b changingTable) encrypting() bool {
	return b.settings.Encryption.State.At(b.now) == tables.Updating
}

// checkDelete returns the error of a DeleteTable on a table in a state.
func (b changingTable) checkDelete() error {
	status := b.settings.State.At(b.now)
	switch {
	case status != tables.Active && b.settings.Global != nil:
		return errReplicaInUse
	case status == tables.Updating:
		return b.refuse(askDelete)
	case status != tables.Active:
		return tables.Busy(b.table.Name, status)
	case len(b.onlineIndexes()) > 0:
		return errInUse(deleteWithIndexes)
	// service facts S.4, and ack-api-quirks, DDB-TABLE-410; the text was not seen
	case b.encrypting(),
		b.settings.Capacity.Warm.State.At(b.now) == tables.Updating:
		return b.refuse(askDelete)
	}
	return nil
}

// errAllocating returns the error of a deletion of an index whose resources are still being
// allocated (service facts S.5).
func (b changingTable) errAllocating(in *api.UpdateTableInput) error {
	allocating := func(state tables.Transition, backfill time.Time) bool {
		return state.At(b.now) == tables.Creating && b.now.Before(backfill)
	}
	dropped := droppedIndexes(in)
	for i := range b.settings.Indexes {
		if ix := &b.settings.Indexes[i]; slices.Contains(dropped, ix.Name) &&
			allocating(ix.State, ix.Backfill) {
			return errAllocation(b.table.Name, ix.Name)
		}
	}
	for i := range b.settings.Vectors {
		if ix := &b.settings.Vectors[i]; slices.Contains(dropped, ix.Name) &&
			allocating(ix.State, ix.Backfill) {
			return errAllocation(b.table.Name, ix.Name)
		}
	}
	return nil
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
	drops := len(droppedIndexes(in)) > 0
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
		{drops, askDropIndex},
		{!drops && updatesOnline(in), askNewIndex},
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
