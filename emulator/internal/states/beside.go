package states

import (
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
)

// The changes during which a table is ACTIVE.
const (
	EnablesBackups    tables.Change = "ENABLES BACKUPS"
	BacksUp           tables.Change = "BACKS UP"
	ChangesEncryption tables.Change = "ENCRYPTION"
	ChangesWarm       tables.Change = "WARM"
	ChangesPolicy     tables.Change = "POLICY"
	PolicyRests       tables.Change = "POLICY RESTS"
	ChangesTags       tables.Change = "TAGS"
	ProtectionRests   tables.Change = "PROTECTION RESTS"
	ChangesTTL        tables.Change = "TTL"
	TTLRests          tables.Change = "TTL RESTS"
	BulkPuts          tables.Change = "BULK PUTS"
)

// The phases of an index, which is of a table that is UPDATING or ACTIVE.
const (
	Allocates     tables.Change = "INDEX ALLOCATES"
	Backfills     tables.Change = "INDEX BACKFILLS"
	IndexUpdates  tables.Change = "INDEX UPDATES"
	IndexDeletes  tables.Change = "INDEX DELETES"
	VectorFills   tables.Change = "VECTOR INDEX BACKFILLS"
	VectorWaits   tables.Change = "VECTOR INDEX ALLOCATES"
	VectorArrives tables.Change = "VECTOR INDEX ARRIVES"
	VectorDeletes tables.Change = "VECTOR INDEX DELETES"
)

// The states of a Kinesis destination of a table.
const (
	NoDestination       tables.Change = "NO DESTINATION"
	DestinationEnables  tables.Change = "DESTINATION ENABLES"
	DestinationActive   tables.Change = "DESTINATION ACTIVE"
	DestinationUpdates  tables.Change = "DESTINATION UPDATES"
	DestinationDisables tables.Change = "DESTINATION DISABLES"
	DestinationDisabled tables.Change = "DESTINATION DISABLED"
	DestinationFailed   tables.Change = "DESTINATION FAILED"
)

// The texts about destinations (ack-api-quirks, DDB-TABLE-299, -300, -301 and -442; service facts
// M.8).
const (
	noDestination = "Table is not in a valid state to enable Kinesis Streaming Destination: "
	notDisabled   = noDestination +
		"EnableKinesisStreamingDestination must be DISABLED or ENABLE_FAILED to perform ENABLE operation."
	notEnabled = noDestination +
		"KinesisStreamingDestination must be ACTIVE to perform DISABLE operation."
	notActive = noDestination + "Kinesis streaming is not in ACTIVE state. " +
		"Updates are only allowed in ACTIVE state. TableName: {table}, kdsArn: {resource}"
	notKnown = noDestination +
		"No streaming destination with streamArn: {resource} found for table with tableName: {table}"
)

// policyPending is the end of the text about a policy of {place}, a table or a stream
// (ack-api-quirks, DDB-TABLE-347 and -444).
const policyPending = "{Place} is pending previous resource-based policy update: {name}"

// tablesThatAreActive has the rows of changes beside which a table is ACTIVE.
var tablesThatAreActive = []Row{
	{ // service facts S.7; ack-api-quirks, DDB-TABLE-115 and DDB-BACKUP-002
		Change: EnablesBackups, While: "the backups of a new table are being enabled",
		Status: tables.Active,
		Shows: map[Request]string{
			Describe:        `{"Table":{"TableStatus":"ACTIVE"}}`,
			DescribeBackups: `{"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"DISABLED","PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"DISABLED"}}}`,
		},
		Answers: each(backupsBegin, Recovery, Backup, RestoreFrom),
	},
	{ // Developer Guide, "Using on-demand backup and restore for DynamoDB", "Backups"
		Change: BacksUp, While: "a backup is being made", Status: tables.Active,
		Shows: map[Request]string{
			Describe: `{"Table":{"TableStatus":"ACTIVE"}}`,
		},
		Answers: Answers{
			Backup: {apierr.BackupInUse, "There is another ongoing conflicting backup control plane " +
				"operation on the table. The backup is either being created, deleted or restored " +
				"to a table."},
			Delete: busy("Table: {table} is in the process of being backed up."),
		},
	},
	{ // service facts S.4; ack-api-quirks, DDB-TABLE-069 and -444
		Change: ChangesEncryption, While: "the encryption is being switched",
		Status: tables.Active,
		Shows: map[Request]string{
			Describe: `{"Table":{"TableStatus":"ACTIVE","SSEDescription":{"Status":"UPDATING"}}}`,
		},
		Answers: Answers{
			Encryption: busy("Server-Side Encryption is still being updated"),
			Delete:     busy(deleteWhileUpdate), // not seen
			Replicas: invalid("Operation cannot be performed while replica server-side encryption " +
				"status is in UPDATING state. Please retry the request after the status is updated to ENABLED."),
		},
	},
	{ // ack-api-quirks, DDB-TABLE-069 and -410
		Change: ChangesWarm, While: "the warm throughput is being raised", Status: tables.Active,
		Shows: map[Request]string{
			Describe: `{"Table":{"TableStatus":"ACTIVE","WarmThroughput":{"Status":"UPDATING","ReadUnitsPerSecond":12000}}}`,
		},
		Answers: Answers{Delete: busy(deleteWhileUpdate)}, // not seen
	},
	{ // ack-api-quirks, DDB-TABLE-347 and -444
		Change: ChangesPolicy, While: "the policy is being changed", Status: tables.Active,
		Shows: map[Request]string{
			Describe: `{"Table":{"TableStatus":"ACTIVE"}}`,
		},
		Answers: each(busy(policyPending), PutPolicy, DeletePolicy).
			with(Answers{Delete: busy("Table: {table} has a pending resource-based policy update.")}),
	},
	{ // ack-api-quirks, DDB-TABLE-206, -347 and -445: with --policy-interval
		Change: PolicyRests, While: "the policy changed within --policy-interval",
		Status: tables.Active,
		Shows: map[Request]string{
			Describe: `{"Table":{"TableStatus":"ACTIVE"}}`,
		},
		Answers: each(Answer{apierr.Throttling, "Resource-based policy for {place} {name} " +
			"modified within the previous {interval} milliseconds. Please try again after {next}."},
			PutPolicy, DeletePolicy),
	},
	{ // service facts T.10; ack-api-quirks, DDB-TABLE-103 and -172: with --quotas
		Change: ChangesTags, While: "the tags are being changed, with --quotas",
		Status: tables.Active,
		Shows: map[Request]string{ // the tags of before: ack-api-quirks, DDB-TABLE-102
			Describe: `{"Table":{"TableStatus":"ACTIVE"}}`,
			ListTags: `{"Tags":[{"Key":"a","Value":"1"}]}`,
		},
		Answers: each(limit("Table tags are being updated: {table}"), Tag, Untag).
			with(Answers{Delete: busy("Table tags are being updated: {table}")}),
	},
	{ // service facts T.10; ack-api-quirks, DDB-TABLE-003 and -057: with --quotas
		Change: ProtectionRests, While: "the protection changed in the last 15 seconds, with --quotas",
		Status: tables.Active,
		Shows: map[Request]string{
			Describe: `{"Table":{"TableStatus":"ACTIVE","DeletionProtectionEnabled":true}}`,
		},
		Answers: Answers{Protection: {apierr.Throttling, "Deletion protection setting for table " +
			"{table} modified within the previous 15000 milliseconds. Please try again after {next}"}},
	},
	{ // API Reference, UpdateTimeToLive; ack-api-quirks, DDB-TABLE-143
		Change: ChangesTTL, While: "TTL is ENABLING or DISABLING", Status: tables.Active,
		Shows: map[Request]string{
			Describe:    `{"Table":{"TableStatus":"ACTIVE"}}`,
			DescribeTTL: `{"TimeToLiveDescription":{"TimeToLiveStatus":"ENABLING","AttributeName":"t"}}`,
		},
		Answers: Answers{UpdateTTL: invalid(ttlChanges)},
	},
	{ // ack-api-quirks, DDB-TABLE-143: with --ttl-interval
		Change: TTLRests, While: "TTL changed within --ttl-interval", Status: tables.Active,
		Shows: map[Request]string{
			DescribeTTL: `{"TimeToLiveDescription":{"TimeToLiveStatus":"ENABLED"}}`,
		},
		Answers: Answers{UpdateTTL: invalid(ttlChanges)},
	},
	{ // Developer Guide, "Bulk put items considerations, quotas, and permissions"; not seen
		Change: BulkPuts, While: "a bulk put is in progress", Status: tables.Active,
		Answers: Answers{
			Replicas: inUse("A bulk put items operation is in progress on the table"),
		},
	},
}

const ttlChanges = "Time to live has been modified multiple times within a fixed interval"

// indexesThatChange has the rows of one index; what the table answers meanwhile is in others.
var indexesThatChange = []Row{
	{ // service facts S.5; ack-api-quirks, DDB-TABLE-116, -135, -163 and -442
		Change: Allocates, While: "the index is being allocated", Status: tables.Creating,
		Answers: fills.with(Answers{
			ChangeIndex: busy("Index is being created but is not backfilling yet.  Table: {table} Index: {index}"),
			DropIndex: busy("Index creation is in resource allocation phase. Retry deletion during " +
				"backfilling phase or when the index is active. Table: {table} Index: {index}"),
			IndexKeys: notFound("Requested resource not found: Index: {index} not found for table: {table}"),
		}),
	},
	{ // API Reference, GlobalSecondaryIndexDescription, Backfilling; ack-api-quirks, DDB-TABLE-150
		Change: Backfills, While: "the index is being backfilled", Status: tables.Creating,
		Answers: fills,
	},
	{ // ack-api-quirks, DDB-TABLE-135 and -150
		Change: IndexUpdates, While: "the throughput of the index is being changed",
		Status: tables.Updating,
		Answers: each(busy("Index is being updated.  Table: {table} Index: {index}"), ChangeIndex, DropIndex).
			with(Answers{Delete: busy(deleteWithIndexes)}),
	},
	{ // ack-api-quirks, DDB-TABLE-163, -375 and -442
		Change: IndexDeletes, While: "the index is being deleted", Status: tables.Deleting,
		Answers: each(busy("Index is being deleted.  Table: {table} Index: {index}"),
			ChangeIndex, DropIndex, RemakeIndex).with(Answers{
			ReadIndex:    invalid("The table does not have the specified index: {index}"),
			AnotherIndex: limit(oneOnline),
			IndexKeys:    invalid(noInsights + "IndexStatus must be ACTIVE to enable ContributorInsights."),
			Delete:       busy(deleteWithIndexes),
		}),
	},
	{ // service facts V.2.1, S.5; Developer Guide, "Troubleshooting vector indexes"
		Change: VectorWaits, While: "the vector index is being allocated", Status: tables.Creating,
		Answers: Answers{
			SearchIndex: invalid("The table does not have the specified index: {index}"),
			DropIndex: busy("Index creation is in resource allocation phase. Retry deletion during " +
				"backfilling phase or when the index is active. Table: {table} Index: {index}"),
			AnotherIndex: limit(oneOnline),
			Delete:       busy(deleteWithIndexes),
		},
	},
	{
		Change: VectorFills, While: "the vector index is being backfilled", Status: tables.Creating,
		Answers: Answers{
			SearchIndex:  invalid("Cannot search backfilling vector index: {index}"),
			AnotherIndex: limit(oneOnline),
			Delete:       busy(deleteWithIndexes),
		},
	},
	{
		Change: VectorArrives, While: "the vector index is ACTIVE and cannot be searched yet",
		Status: tables.Active,
		Answers: Answers{
			SearchIndex: invalid("The table does not have the specified index: {index}"),
		},
	},
	{
		Change: VectorDeletes, While: "the vector index is being deleted", Status: tables.Deleting,
		Answers: Answers{
			ReadIndex:    invalid("The table does not have the specified index: {index}"),
			RemakeIndex:  limit(oneOnline),
			SearchIndex:  invalid("The table does not have the specified index: {index}"),
			DropIndex:    busy("Index is being deleted.  Table: {table} Index: {index}"),
			AnotherIndex: limit(oneOnline),
			Delete:       busy(deleteWithIndexes),
		},
	},
}

const oneOnline = "Only 1 online index can be created or deleted simultaneously per table"

// fills has the answers of an index that is being created.
var fills = Answers{
	ReadIndex:    invalid("Cannot read from backfilling global secondary index: {index}"),
	AnotherIndex: limit(oneOnline),
	IndexKeys:    invalid(noInsights + "IndexStatus must be ACTIVE to enable ContributorInsights."),
	BulkPut:      busy("Index is being created: {index}"), // not seen
	Delete:       busy(deleteWithIndexes),
}

// destinations has the rows of a stream that is, was or shall be a destination of a table.
var destinations = []Row{
	{
		Change: NoDestination, While: "the stream is no destination",
		Answers: Answers{
			DisableStreaming: invalid(notEnabled), UpdateStreaming: invalid(notKnown),
		},
	},
	{
		Change: DestinationEnables, While: "the destination is being enabled", Status: "ENABLING",
		Answers: passing,
	},
	{
		Change: DestinationActive, While: "the destination is enabled", Status: tables.Active,
		Answers: Answers{EnableStreaming: invalid(notDisabled)},
	},
	{
		Change: DestinationUpdates, While: "the destination is being updated",
		Status: tables.Updating, Answers: passing,
	},
	{ // ack-api-quirks, DDB-TABLE-301
		Change: DestinationDisables, While: "the destination is being disabled",
		Status: "DISABLING", Answers: passing.with(Answers{DisableStreaming: admitted}),
	},
	{
		Change: DestinationDisabled, While: "the destination is disabled", Status: "DISABLED",
		Answers: passing.with(Answers{EnableStreaming: admitted}),
	},
	{
		Change: DestinationFailed, While: "the destination could not be enabled",
		Status: "ENABLE_FAILED", Answers: passing.with(Answers{EnableStreaming: admitted}),
	},
}

// passing has the answers of a destination that changes.
var passing = Answers{
	EnableStreaming: invalid(notDisabled), DisableStreaming: invalid(notEnabled),
	UpdateStreaming: invalid(notActive),
}
