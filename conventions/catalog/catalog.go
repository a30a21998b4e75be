// Package catalog lists the operations of DynamoDB and DynamoDB Streams and describes each of them.
// The emulator, the gateway, the policy and the traffic reports select their operations from this
// list, so that no list of operations is written twice.
package catalog

import (
	"iter"
	"slices"
	"strings"
)

// Operation describes an operation. The zero Operation stands for an unknown one.
type Operation struct {
	Name    string
	Service Service
	Subject Subject
	Access  Access
	Parts   Parts
	Needs   Permission
	Reach   Reach
}

// Target returns the X-Amz-Target of requests for the operation.
func (o Operation) Target() string { return string(o.Service) + o.Name }

// Service is one of the services. Its value is the prefix of X-Amz-Target.
type Service string

// The services.
const (
	DynamoDB Service = "DynamoDB_20120810."
	Streams  Service = "DynamoDBStreams_20120810."
	// Accelerator has the operations on clusters of DAX, which this list does not describe.
	Accelerator Service = "AmazonDAXV3."
)

// Subject is the kind of thing that an operation reads or changes.
type Subject uint8

// The subjects.
const (
	Unknown Subject = iota
	Items           // items of tables and indexes: the policy checks these operations
	Records         // change records of a stream
	Control         // tables, their settings, streams, backups and the account
	Setup           // the same as Control, but SDKs and tools call it before they work with items
)

// Access says what an operation does to its subject.
type Access uint8

// The kinds of access.
const (
	Reads  Access = iota
	Writes        // a ConditionCheck only reads
	Either        // the statements of the request decide
)

// Parts says what happens to a request if one of its parts fails.
type Parts uint8

// The kinds of parts.
const (
	Single      Parts = iota // the request has one part and fails
	Unprocessed              // the part is returned as unprocessed
	Answered                 // each part has an answer or an error of its own
	Together                 // the request is a transaction and is canceled
)

// Permission says on which resource a caller needs the permission that has the operation's name
// (Service Authorization Reference, "Actions, resources, and condition keys for Amazon DynamoDB").
type Permission uint8

// The permissions.
const (
	Unstated    Permission = iota
	OnAll                  // all resources: "*"
	OnTables               // each table that the request names
	OnAllTables            // all tables of the account: "table/*"
	OnSource               // the table, or the index if the request names one
	// a permission of each action of a transaction, on its table: GetItem, PutItem,
	// ConditionCheckItem, ...
	OnEachAction
	// a permission of each statement, on its table or index: PartiQLSelect, PartiQLInsert, ...
	OnStatements
	OnStream  // the stream
	OnStreams // the streams of the table, or of all tables
	OnBackup  // the backup
	// the backup or the table that is restored, and the table that is created
	OnRestored
	OnExport      // the export
	OnImport      // the import
	OnGlobalTable // the global table
	OnBulk        // the bulk operation
)

// Reach says whether resource-based policies can give the permission of an operation (Developer
// Guide, "DynamoDB API operations supported by resource-based policies").
type Reach uint8

// The reaches.
const (
	Nobody   Reach = iota // only identity-based policies give it
	Account               // principals of the table's account may get it
	Accounts              // also to principals of other accounts
)

// operations are in alphabetical order of their names.
var operations = []Operation{
	{"BatchExecuteStatement", DynamoDB, Items, Either, Answered, OnStatements, Account},
	{"BatchGetItem", DynamoDB, Items, Reads, Unprocessed, OnTables, Accounts},
	{"BatchWriteItem", DynamoDB, Items, Writes, Unprocessed, OnTables, Accounts},
	{"CancelBulkOperation", DynamoDB, Control, Writes, Single, OnBulk, Nobody},
	{"CreateBackup", DynamoDB, Control, Writes, Single, OnTables, Account},
	{"CreateGlobalTable", DynamoDB, Control, Writes, Single, OnGlobalTable, Nobody},
	{"CreateTable", DynamoDB, Control, Writes, Single, OnTables, Nobody},
	{"DeleteBackup", DynamoDB, Control, Writes, Single, OnBackup, Nobody},
	{"DeleteItem", DynamoDB, Items, Writes, Single, OnTables, Accounts},
	{"DeleteResourcePolicy", DynamoDB, Control, Writes, Single, OnTables, Account},
	{"DeleteTable", DynamoDB, Control, Writes, Single, OnTables, Accounts},
	{"DescribeBackup", DynamoDB, Control, Reads, Single, OnBackup, Nobody},
	{"DescribeBulkOperation", DynamoDB, Control, Reads, Single, OnBulk, Nobody},
	{"DescribeContinuousBackups", DynamoDB, Control, Reads, Single, OnTables, Account},
	{"DescribeContributorInsights", DynamoDB, Control, Reads, Single, OnSource, Account},
	{"DescribeEndpoints", DynamoDB, Setup, Reads, Single, OnAll, Nobody},
	{"DescribeExport", DynamoDB, Control, Reads, Single, OnExport, Nobody},
	{"DescribeGlobalTable", DynamoDB, Control, Reads, Single, OnGlobalTable, Nobody},
	{"DescribeGlobalTableSettings", DynamoDB, Control, Reads, Single, OnGlobalTable, Nobody},
	{"DescribeImport", DynamoDB, Control, Reads, Single, OnImport, Nobody},
	{"DescribeKinesisStreamingDestination", DynamoDB, Control, Reads, Single, OnTables, Account},
	{"DescribeLimits", DynamoDB, Setup, Reads, Single, OnAll, Nobody},
	{"DescribeStream", Streams, Control, Reads, Single, OnStream, Accounts},
	{"DescribeTable", DynamoDB, Setup, Reads, Single, OnTables, Accounts},
	{"DescribeTableReplicaAutoScaling", DynamoDB, Control, Reads, Single, OnTables, Account},
	{"DescribeTimeToLive", DynamoDB, Setup, Reads, Single, OnTables, Account},
	{"DisableKinesisStreamingDestination", DynamoDB, Control, Writes, Single, OnTables, Account},
	{"EnableKinesisStreamingDestination", DynamoDB, Control, Writes, Single, OnTables, Account},
	{"ExecuteStatement", DynamoDB, Items, Either, Single, OnStatements, Account},
	{"ExecuteTransaction", DynamoDB, Items, Either, Together, OnStatements, Account},
	{"ExportTableToPointInTime", DynamoDB, Control, Reads, Single, OnTables, Account},
	{"GetItem", DynamoDB, Items, Reads, Single, OnTables, Accounts},
	{"GetRecords", Streams, Records, Reads, Single, OnStream, Accounts},
	{"GetResourcePolicy", DynamoDB, Control, Reads, Single, OnTables, Account},
	{"GetShardIterator", Streams, Control, Reads, Single, OnStream, Accounts},
	{"ImportTable", DynamoDB, Control, Writes, Single, OnTables, Nobody},
	{"ListBackups", DynamoDB, Control, Reads, Single, OnAll, Nobody},
	{"ListBulkOperations", DynamoDB, Control, Reads, Single, OnAll, Nobody},
	{"ListContributorInsights", DynamoDB, Control, Reads, Single, OnAll, Nobody},
	{"ListExports", DynamoDB, Control, Reads, Single, OnAll, Nobody},
	{"ListGlobalTables", DynamoDB, Control, Reads, Single, OnAll, Nobody},
	{"ListImports", DynamoDB, Control, Reads, Single, OnAll, Nobody},
	{"ListStreams", Streams, Control, Reads, Single, OnStreams, Nobody},
	{"ListTables", DynamoDB, Setup, Reads, Single, OnAllTables, Nobody},
	{"ListTagsOfResource", DynamoDB, Control, Reads, Single, OnTables, Accounts},
	{"PutItem", DynamoDB, Items, Writes, Single, OnTables, Accounts},
	{"PutResourcePolicy", DynamoDB, Control, Writes, Single, OnTables, Account},
	{"Query", DynamoDB, Items, Reads, Single, OnSource, Accounts},
	{"RestoreTableFromBackup", DynamoDB, Control, Writes, Single, OnRestored, Nobody},
	{"RestoreTableToPointInTime", DynamoDB, Control, Writes, Single, OnRestored, Account},
	{"Scan", DynamoDB, Items, Reads, Single, OnSource, Accounts},
	{"SearchVectors", DynamoDB, Items, Reads, Single, OnSource, Account},
	{"StartBulkPutItems", DynamoDB, Control, Writes, Single, OnTables, Account},
	{"TagResource", DynamoDB, Control, Writes, Single, OnTables, Accounts},
	{"TransactGetItems", DynamoDB, Items, Reads, Together, OnEachAction, Accounts},
	{"TransactWriteItems", DynamoDB, Items, Writes, Together, OnEachAction, Accounts},
	{"UntagResource", DynamoDB, Control, Writes, Single, OnTables, Accounts},
	{"UpdateContinuousBackups", DynamoDB, Control, Writes, Single, OnTables, Account},
	{"UpdateContributorInsights", DynamoDB, Control, Writes, Single, OnSource, Account},
	{"UpdateGlobalTable", DynamoDB, Control, Writes, Single, OnGlobalTable, Nobody},
	{"UpdateGlobalTableSettings", DynamoDB, Control, Writes, Single, OnGlobalTable, Nobody},
	{"UpdateItem", DynamoDB, Items, Writes, Single, OnTables, Accounts},
	{"UpdateKinesisStreamingDestination", DynamoDB, Control, Writes, Single, OnTables, Account},
	{"UpdateTable", DynamoDB, Control, Writes, Single, OnTables, Accounts},
	{"UpdateTableReplicaAutoScaling", DynamoDB, Control, Writes, Single, OnTables, Account},
	{"UpdateTimeToLive", DynamoDB, Control, Writes, Single, OnTables, Account},
}

// All returns the operations in alphabetical order.
func All() iter.Seq[Operation] { return slices.Values(operations) }

// Named returns the operation with a name. ok is false if no operation has it.
func Named(name string) (o Operation, ok bool) {
	i, ok := slices.BinarySearchFunc(operations, name, func(o Operation, name string) int {
		return strings.Compare(o.Name, name)
	})
	if !ok {
		return Operation{}, false
	}
	return operations[i], true
}

// SubjectOf returns the subject of the operation with a name, or Unknown if no operation has it.
func SubjectOf(name string) Subject {
	o, _ := Named(name)
	return o.Subject
}
