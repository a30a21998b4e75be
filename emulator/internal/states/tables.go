package states

import (
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
)

// Row describes a table during one change, or one phase of it.
type Row struct {
	Change tables.Change
	While  string // the change in words
	Status string // the table's status, as DescribeTable shows it
	// Shows has members that descriptions have meanwhile, by the request for them. What a change
	// shows of itself is not all: an answer of UpdateTable also shows the state that begins.
	Shows   map[Request]string
	Answers Answers
}

// The phases of creations, updates and deletions. How long they last is in Changing.Phase.
const (
	Missing         tables.Change = "MISSING"
	BecomesOnDemand tables.Change = "BECOMES ON DEMAND"
	CreatesUnseen   tables.Change = "CREATES UNSEEN"
	CreatesSeen     tables.Change = "CREATES SEEN"
	CreatesTagged   tables.Change = "CREATES TAGGED"
	Restores        tables.Change = "RESTORES"
	Joins           tables.Change = "JOINS"
	AddsReplica     tables.Change = "ADDS REPLICA"
	MemberUpdates   tables.Change = "MEMBER UPDATES"
	DeletesSeen     tables.Change = "DELETES SEEN"
	Deletes         tables.Change = "DELETES"
)

// Texts that several rows have.
const (
	changingIOPS      = "Table IOPS are currently being updated. Table: {table}"
	streamWhileIOPS   = "Can't enable or disable stream while table IOPS are being updated. Table: {table}"
	onlineWhileIOPS   = "Can't create or delete indexes while table IOPS are being updated. Table: {table}"
	deleteWithIndexes = "Cannot delete table while indexes are being created, updated, or deleted."
	deleteWhileUpdate = "Table: {table} is in the process of being updated."
	beingCreated      = "Table is being created: {table}"
	beingUpdated      = "Table is being updated: {table}"
	beingDeleted      = "Table is being deleted: {table}"
	memberInUse       = "The resource which you are attempting to change is in use."
	noInsights        = "Table or Index is not in a valid state to update Key Access Insights: "
	noTableInsights   = noInsights + "TableStatus must be ACTIVE to enable ContributorInsights."
	noTTL             = "Cannot describe time to live while table is in {status} state: " +
		"Current table state is {status}"
)

// backupsBegin is the Answer of requests on backups that are not enabled yet (ack-api-quirks,
// DDB-TABLE-115).
var backupsBegin = Answer{apierr.BackupsUnavailable,
	"Backups are being enabled for the table: {table}. Please retry later"}

// always has the answers about the name of any table (ack-api-quirks, DDB-TABLE-005, -219 and
// -275).
var always = Answers{
	Create:    inUse("Table already exists: {table}"),
	Import:    inUse("Table already exists: {table}"),
	RestoreTo: {apierr.TableAlreadyExists, "Table already exists: {table}"},
}

// unseen has the answers of a table that only few operations find.
var unseen = each(missing, Items, Tag, Untag, SameTags, ListTags, UpdateTTL, Recovery,
	DescribeBackups, Backup, RestoreFrom, Export, EnableInsights, DisableInsights,
	DescribeInsights, ListInsights, PutPolicy, SamePolicy, DeletePolicy, GetPolicy, EnableStreaming,
	DisableStreaming, UpdateStreaming, DescribeStreaming).
	with(each(busy(beingCreated), Create, Import, Update, Delete, BulkPut, Scale)).
	with(Answers{DescribeTTL: invalid(noTTL)})

// seen is unseen in the second part of a creation. What changes policies and destinations was not
// tried then (ack-api-quirks, DDB-TABLE-233 and -234).
var seen = unseen.
	with(each(admitted, DisableInsights, DescribeInsights, ListInsights, GetPolicy,
		DescribeStreaming, DescribeBackups, Export)).
	with(each(backupsBegin, Recovery, Backup, RestoreFrom)).
	with(Answers{
		UpdateTTL:      busy("Table {table} is being created"), // the service has other words here
		EnableInsights: invalid(noTableInsights),
	})

// tablesThatPass has the rows of tables that are not there, are being created, or are being
// deleted.
var tablesThatPass = []Row{
	{ // ack-api-quirks, DDB-TABLE-070, -098, -187, -446 and -447
		Change: Missing, While: "there is no such table",
		Answers: Answers{
			Items:  notFound("Requested resource not found"),
			Scale:  notFound("Global table with name: '{table}' does not exist."),
			Export: {apierr.TableNotFound, "Table not found: {resource}"},
		}.
			with(each(notFound("Requested resource not found: ResourceArn: {resource} not found"),
				Tag, Untag, SameTags, ListTags)).
			with(each(Answer{apierr.TableNotFound, "Table not found: {table}"},
				Recovery, DescribeBackups, Backup, RestoreFrom)).
			with(each(notFound("Requested resource not found: Table: {table} not found"),
				Describe, Update, Delete, UpdateTTL, DescribeTTL, EnableInsights, DisableInsights,
				DescribeInsights, ListInsights, PutPolicy, SamePolicy, DeletePolicy, GetPolicy,
				EnableStreaming, DisableStreaming, UpdateStreaming, DescribeStreaming, BulkPut)),
	},
	{ // service facts S.7 and S.11; ack-api-quirks, DDB-TABLE-001, -005, -101, -115 and -234
		Change: CreatesUnseen, While: "a table is in the first half of its creation", Status: tables.Creating,
		Shows: map[Request]string{
			Describe: `{"Table":{"TableStatus":"CREATING","BillingModeSummary":{"LastUpdateToPayPerRequestDateTime":null}}}`,
		},
		Answers: unseen,
	},
	{
		Change: CreatesSeen, While: "a table is in the second half of its creation", Status: tables.Creating,
		Shows: map[Request]string{
			Describe:          `{"Table":{"TableStatus":"CREATING"}}`,
			DescribeBackups:   `{"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"DISABLED"}}`,
			DescribeInsights:  `{"ContributorInsightsStatus":"DISABLED"}`,
			DescribeStreaming: `{"KinesisDataStreamDestinations":[]}`,
		},
		Answers: seen,
	},
	{ // ack-api-quirks, DDB-TABLE-101
		Change: CreatesTagged, While: "a table is in the last sixth of its creation", Status: tables.Creating,
		Shows: map[Request]string{
			Describe: `{"Table":{"TableStatus":"CREATING"}}`,
			ListTags: `{"Tags":[]}`,
		},
		Answers: seen.with(each(admitted, Untag, ListTags)).
			with(each(busy(beingCreated), Tag, SameTags)),
	},
	{ // ack-api-quirks, DDB-TABLE-217, -219 and -275
		Change: Restores, While: "the table is being restored", Status: tables.Creating,
		Shows: map[Request]string{
			Describe: `{"Table":{"TableStatus":"CREATING","RestoreSummary":{"RestoreInProgress":true}}}`,
		},
		Answers: unseen.with(each(missing, Update, DescribeTTL)).
			with(each(busy("Table is being used: {table}"), Create, Import)).
			with(Answers{RestoreTo: {apierr.TableInUse,
				"Table: {table} is already being restored from backup: {source}"}}),
	},
	{ // ack-api-quirks, DDB-TABLE-298 and -442
		Change: Joins, While: "the table is that of a replica which is being created",
		Status: tables.Creating,
		Shows: map[Request]string{
			Describe: `{"Table":{"TableStatus":"CREATING"}}`,
		},
		Answers: unseen.with(each(missing, Update, DescribeTTL)).with(Answers{
			Delete: busy("Table: {table} is being used."),
			Replicas: invalid("Create/Update/Delete of replica is not allowed while the replica is " +
				"being added to table with name: ‘{table}’ in region: ‘{region}’."),
		}),
	},
	{ // the first second of five: ack-api-quirks, DDB-TABLE-104, -118, -122, -374, -453 to -455
		Change: DeletesSeen, While: "a table is in the first quarter of its deletion", Status: tables.Deleting,
		Shows: map[Request]string{
			Describe:         `{"Table":{"TableStatus":"DELETING","KeySchema":null}}`,
			DescribeInsights: `{"ContributorInsightsStatus":"DISABLED"}`,
		},
		Answers: each(busy(beingDeleted), Update, Delete, Tag, Untag, PutPolicy, DeletePolicy,
			BulkPut, Scale).
			with(Answers{Items: missing, DescribeTTL: invalid(noTTL)}),
	},
	{ // service facts S.6 and S.9; ack-api-quirks, DDB-TABLE-097, -104, -236, -374 and -454
		Change: Deletes, While: "a table is in the rest of its deletion", Status: tables.Deleting,
		Shows: map[Request]string{
			Describe:         `{"Table":{"TableStatus":"DELETING","KeySchema":null}}`,
			DescribeInsights: `{"ContributorInsightsStatus":"DISABLED"}`,
		},
		Answers: each(busy(beingDeleted), Update, Delete, UpdateTTL, PutPolicy, SamePolicy,
			DeletePolicy, BulkPut, Scale).
			with(each(missing, Items, Tag, Untag, SameTags, ListTags, Recovery, DescribeBackups,
				Backup, RestoreFrom, Export)).
			with(Answers{
				DescribeTTL:     invalid(noTTL),
				EnableInsights:  invalid(noTableInsights),
				EnableStreaming: invalid(notDisabled),
			}),
	},
}

// updated has the answers of all tables that are UPDATING.
var updated = Answers{
	Update: busy(beingUpdated), Delete: busy(deleteWhileUpdate), Scale: busy(beingUpdated),
}

// besides has the answers for changes that go on beside most others.
var besides = updated.with(each(admitted, Protection, Encryption))

// whileIOPS has the answers of changes of throughput during others. That of an index is inferred.
var whileIOPS = each(busy(changingIOPS), IOPS, Billing, UnitsOf)

// switching has the answers of a table whose billing mode is being switched.
var switching = besides.with(whileIOPS).with(Answers{
	Stream: busy(streamWhileIOPS), Online: busy(onlineWhileIOPS), Warm: admitted,
})

// tablesThatUpdate has the rows of tables that are UPDATING.
var tablesThatUpdate = []Row{
	{ // service facts S.2; ack-api-quirks, DDB-TABLE-063 and -119
		Change: tables.ChangesIOPS, While: "the throughput is being changed",
		Status: tables.Updating,
		Shows: map[Request]string{
			Describe: `{"Table":{"TableStatus":"UPDATING","ProvisionedThroughput":{"ReadCapacityUnits":1}}}`,
		},
		Answers: besides.with(whileIOPS).
			with(Answers{Stream: busy(streamWhileIOPS), Online: busy(onlineWhileIOPS)}),
	},
	{ // service facts S.1; ack-api-quirks, DDB-TABLE-369 and -450
		Change: tables.ChangesBilling, While: "the table is becoming PROVISIONED",
		Status: tables.Updating,
		Shows: map[Request]string{
			Describe: `{"Table":{"TableStatus":"UPDATING","BillingModeSummary":{"BillingMode":"PROVISIONED"}}}`,
		},
		Answers: switching.with(Answers{
			Maxima:  busy("OnDemandThroughput cannot be updated while BillingMode update is in progress"),
			UnitsOf: admitted, // what the index answers: see indexesThatChange
		}),
	},
	{ // service facts S.1; ack-api-quirks, DDB-TABLE-369
		Change: BecomesOnDemand, While: "the table is becoming PAY_PER_REQUEST",
		Status: tables.Updating,
		Shows: map[Request]string{
			Describe: `{"Table":{"TableStatus":"UPDATING","BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST","LastUpdateToPayPerRequestDateTime":null}}}`,
		},
		Answers: switching.with(Answers{Maxima: admitted}), // the old mode refuses it
	},
	{ // service facts S.2; ack-api-quirks, DDB-TABLE-119, -234 and -450
		Change: tables.ChangesStream, While: "the stream is being switched",
		Status: tables.Updating,
		Shows: map[Request]string{
			Describe: `{"Table":{"TableStatus":"UPDATING","StreamSpecification":{"StreamEnabled":true}}}`,
		},
		Answers: besides.with(each(busy(
			"Can't change table IOPS when stream status is being updated. {stream}"), IOPS, Billing)).
			with(Answers{
				Maxima: busy("OnDemandThroughput cannot be updated while stream status update is in progress"),
				Stream: busy("A stream status change is currently in progress. {stream}"),
				Class:  busy("Can't update table class when stream status is being updated. {stream}"),
				Online: busy("Can't create or delete an index when stream status is being updated. {stream}"),
				Warm:   admitted,
				Delete: busy("Cannot delete table while stream is being enabled/disabled."),
			}),
	},
	{ // service facts S.3; ack-api-quirks, DDB-TABLE-286 and -450
		Change: tables.ChangesClass, While: "the class is being switched",
		Status: tables.Updating,
		Shows: map[Request]string{
			Describe: `{"Table":{"TableStatus":"UPDATING","TableClassSummary":null}}`,
		},
		Answers: besides.with(each(busy( // inferred
			"Can't change table IOPS when a table class update is in progress. {class}"), IOPS,
			Billing)).
			with(Answers{
				Maxima: busy("OnDemandThroughput cannot be updated while TableClass update is in progress. {to class}"),
				Stream: busy("Can't change stream status when a table class update is in progress. {class}"),
				Class:  busy("Can't update table class when a table class update is in progress. {class}"),
				Online: busy("Can't create or delete an index when a table class update is in progress. {class}"),
				Warm:   admitted,
			}),
	},
	{ // service facts S.5; ack-api-quirks, DDB-TABLE-135, -163, -175 and -458
		Change: tables.ChangesIndexes, While: "an index is being allocated",
		Status: tables.Updating,
		Shows: map[Request]string{
			Describe: `{"Table":{"TableStatus":"UPDATING","GlobalSecondaryIndexes":[{"IndexStatus":"ACTIVE"},{"IndexStatus":"CREATING","Backfilling":false}]}}`,
		},
		Answers: besides.with(each(busy(
			"Can't change table IOPS when an index is being created. {indexes}"), IOPS, Billing)).
			with(each(admitted, Online, UnitsOf)). // what the index answers: see indexesThatChange
			with(Answers{
				Maxima: busy("OnDemandThroughput cannot be updated while index creation is in progress for indexes: {names}"),
				Stream: busy("Can't change stream status when an index is being created. {indexes}"),
				// inferred
				Class:  busy("Can't update table class when an index is being created. {indexes}"),
				Delete: busy(deleteWithIndexes),
			}),
	},
	{ // ack-api-quirks, DDB-TABLE-166, -375 and -376
		Change: tables.DropsIndexes, While: "an index is being deleted",
		Status: tables.Updating,
		Shows: map[Request]string{
			Describe: `{"Table":{"TableStatus":"UPDATING","GlobalSecondaryIndexes":[{"IndexStatus":"ACTIVE"},{"IndexStatus":"DELETING"}]}}`,
		},
		Answers: besides.with(each(busy(
			"Can't change table IOPS when an index is being deleted. {indexes}"), IOPS, Billing)).
			with(each(admitted, Online, UnitsOf)). // what the index answers: see indexesThatChange
			with(Answers{
				Maxima: busy("OnDemandThroughput cannot be updated while index deletion is in progress for indexes: {names}"),
				// inferred
				Stream: busy("Can't change stream status when an index is being deleted. {indexes}"),
				Class:  busy("Can't update table class when an index is being deleted. {indexes}"),
				Delete: busy(deleteWithIndexes),
			}),
	},
	{ // service facts S.10; ack-api-quirks, DDB-TABLE-227, -306 and -442
		Change: AddsReplica, While: "the table is getting a replica",
		Status: tables.Updating,
		Shows: map[Request]string{
			Describe: `{"Table":{"TableStatus":"UPDATING","Replicas":[{"ReplicaStatus":"CREATING"}]}}`,
		},
		Answers: updated.with(each(inUse(memberInUse), Update, Delete)).with(Answers{
			UpdateTTL: invalid("Create/Update/Delete of replica is not allowed while the replica is " +
				"being added to table with name: ‘{table}’ in region: ‘{replica}’."),
		}),
	},
	{ // service facts S.10; ack-api-quirks, DDB-TABLE-228, -230 and -263
		Change: MemberUpdates,
		While:  "a replica is being deleted, or another setting of a global table changes",
		Status: tables.Updating,
		Shows: map[Request]string{
			Describe: `{"Table":{"TableStatus":"UPDATING"}}`,
		},
		Answers: updated.with(each(inUse(memberInUse), Update, Delete)),
	},
	{ // no answer of the service is known
		Change: tables.ChangesReplicas, While: "a setting for replicas of a table in one region is being changed",
		Status: tables.Updating,
		Shows: map[Request]string{
			Describe: `{"Table":{"TableStatus":"UPDATING"}}`,
		},
		Answers: updated,
	},
}
