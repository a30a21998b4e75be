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
}

// Target returns the X-Amz-Target of requests for the operation.
func (o Operation) Target() string { return string(o.Service) + o.Name }

// Service is one of the two services. Its value is the prefix of X-Amz-Target.
type Service string

// The services.
const (
	DynamoDB Service = "DynamoDB_20120810."
	Streams  Service = "DynamoDBStreams_20120810."
)

// Subject is the kind of thing that an operation reads or changes.
type Subject uint8

// The subjects.
const (
	Unknown Subject = iota
	Items           // items of tables and indexes: the policy checks these operations
	Records         // change records of a stream
	Control         // tables, their settings, streams, backups and the account
	Setup           // as Control, and SDKs and tools call it before they work with items
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

// operations are in alphabetical order of their names.
var operations = []Operation{
	{"BatchExecuteStatement", DynamoDB, Items, Either, Answered},
	{"BatchGetItem", DynamoDB, Items, Reads, Unprocessed},
	{"BatchWriteItem", DynamoDB, Items, Writes, Unprocessed},
	{"CancelBulkOperation", DynamoDB, Control, Writes, Single},
	{"CreateBackup", DynamoDB, Control, Writes, Single},
	{"CreateGlobalTable", DynamoDB, Control, Writes, Single},
	{"CreateTable", DynamoDB, Control, Writes, Single},
	{"DeleteBackup", DynamoDB, Control, Writes, Single},
	{"DeleteItem", DynamoDB, Items, Writes, Single},
	{"DeleteResourcePolicy", DynamoDB, Control, Writes, Single},
	{"DeleteTable", DynamoDB, Control, Writes, Single},
	{"DescribeBackup", DynamoDB, Control, Reads, Single},
	{"DescribeBulkOperation", DynamoDB, Control, Reads, Single},
	{"DescribeContinuousBackups", DynamoDB, Control, Reads, Single},
	{"DescribeContributorInsights", DynamoDB, Control, Reads, Single},
	{"DescribeEndpoints", DynamoDB, Setup, Reads, Single},
	{"DescribeExport", DynamoDB, Control, Reads, Single},
	{"DescribeGlobalTable", DynamoDB, Control, Reads, Single},
	{"DescribeGlobalTableSettings", DynamoDB, Control, Reads, Single},
	{"DescribeImport", DynamoDB, Control, Reads, Single},
	{"DescribeKinesisStreamingDestination", DynamoDB, Control, Reads, Single},
	{"DescribeLimits", DynamoDB, Setup, Reads, Single},
	{"DescribeStream", Streams, Control, Reads, Single},
	{"DescribeTable", DynamoDB, Setup, Reads, Single},
	{"DescribeTableReplicaAutoScaling", DynamoDB, Control, Reads, Single},
	{"DescribeTimeToLive", DynamoDB, Setup, Reads, Single},
	{"DisableKinesisStreamingDestination", DynamoDB, Control, Writes, Single},
	{"EnableKinesisStreamingDestination", DynamoDB, Control, Writes, Single},
	{"ExecuteStatement", DynamoDB, Items, Either, Single},
	{"ExecuteTransaction", DynamoDB, Items, Either, Together},
	{"ExportTableToPointInTime", DynamoDB, Control, Reads, Single},
	{"GetItem", DynamoDB, Items, Reads, Single},
	{"GetRecords", Streams, Records, Reads, Single},
	{"GetResourcePolicy", DynamoDB, Control, Reads, Single},
	{"GetShardIterator", Streams, Control, Reads, Single},
	{"ImportTable", DynamoDB, Control, Writes, Single},
	{"ListBackups", DynamoDB, Control, Reads, Single},
	{"ListBulkOperations", DynamoDB, Control, Reads, Single},
	{"ListContributorInsights", DynamoDB, Control, Reads, Single},
	{"ListExports", DynamoDB, Control, Reads, Single},
	{"ListGlobalTables", DynamoDB, Control, Reads, Single},
	{"ListImports", DynamoDB, Control, Reads, Single},
	{"ListStreams", Streams, Control, Reads, Single},
	{"ListTables", DynamoDB, Setup, Reads, Single},
	{"ListTagsOfResource", DynamoDB, Control, Reads, Single},
	{"PutItem", DynamoDB, Items, Writes, Single},
	{"PutResourcePolicy", DynamoDB, Control, Writes, Single},
	{"Query", DynamoDB, Items, Reads, Single},
	{"RestoreTableFromBackup", DynamoDB, Control, Writes, Single},
	{"RestoreTableToPointInTime", DynamoDB, Control, Writes, Single},
	{"Scan", DynamoDB, Items, Reads, Single},
	{"SearchVectors", DynamoDB, Items, Reads, Single},
	{"StartBulkPutItems", DynamoDB, Control, Writes, Single},
	{"TagResource", DynamoDB, Control, Writes, Single},
	{"TransactGetItems", DynamoDB, Items, Reads, Together},
	{"TransactWriteItems", DynamoDB, Items, Writes, Together},
	{"UntagResource", DynamoDB, Control, Writes, Single},
	{"UpdateContinuousBackups", DynamoDB, Control, Writes, Single},
	{"UpdateContributorInsights", DynamoDB, Control, Writes, Single},
	{"UpdateGlobalTable", DynamoDB, Control, Writes, Single},
	{"UpdateGlobalTableSettings", DynamoDB, Control, Writes, Single},
	{"UpdateItem", DynamoDB, Items, Writes, Single},
	{"UpdateKinesisStreamingDestination", DynamoDB, Control, Writes, Single},
	{"UpdateTable", DynamoDB, Control, Writes, Single},
	{"UpdateTableReplicaAutoScaling", DynamoDB, Control, Writes, Single},
	{"UpdateTimeToLive", DynamoDB, Control, Writes, Single},
}

// All returns the operations in alphabetical order.
func All() iter.Seq[Operation] { return slices.Values(operations) }

// Named returns the operation with a name. ok is false if there is none.
func Named(name string) (o Operation, ok bool) {
	i, ok := slices.BinarySearchFunc(operations, name, func(o Operation, name string) int {
		return strings.Compare(o.Name, name)
	})
	if !ok {
		return Operation{}, false
	}
	return operations[i], true
}

// SubjectOf returns the subject of the operation with a name, or Unknown if there is none.
func SubjectOf(name string) Subject {
	o, _ := Named(name)
	return o.Subject
}
