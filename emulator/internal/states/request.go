package states

import (
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
)

// Request is a kind of request on a table: the name of an operation, and what it asks for where
// that matters.
type Request string

// The requests. Those that begin with "UpdateTable " are kinds of UpdateTable: what a line says of
// UpdateTable holds for those that it does not name.
const (
	Items     Request = "requests on items"
	Create    Request = "CreateTable"
	Import    Request = "ImportTable"
	RestoreTo Request = "RestoreTableFromBackup to this name"
	Describe  Request = "DescribeTable"
	Delete    Request = "DeleteTable"

	Update     Request = "UpdateTable"
	IOPS       Request = "UpdateTable ProvisionedThroughput"
	Billing    Request = "UpdateTable BillingMode"
	Maxima     Request = "UpdateTable OnDemandThroughput"
	Stream     Request = "UpdateTable StreamSpecification"
	Class      Request = "UpdateTable TableClass"
	Protection Request = "UpdateTable DeletionProtectionEnabled"
	Encryption Request = "UpdateTable SSESpecification"
	Warm       Request = "UpdateTable WarmThroughput"
	Online     Request = "UpdateTable to create or delete an index"
	UnitsOf    Request = "UpdateTable to change the throughput of an index"
	Replicas   Request = "UpdateTable ReplicaUpdates"

	Tag      Request = "TagResource"
	Untag    Request = "UntagResource"
	SameTags Request = "TagResource that changes nothing more"
	ListTags Request = "ListTagsOfResource"

	UpdateTTL   Request = "UpdateTimeToLive"
	DescribeTTL Request = "DescribeTimeToLive"

	Recovery        Request = "UpdateContinuousBackups"
	DescribeBackups Request = "DescribeContinuousBackups"
	Backup          Request = "CreateBackup"
	RestoreFrom     Request = "RestoreTableToPointInTime from it"
	Export          Request = "ExportTableToPointInTime"

	EnableInsights   Request = "UpdateContributorInsights ENABLE"
	DisableInsights  Request = "UpdateContributorInsights DISABLE"
	DescribeInsights Request = "DescribeContributorInsights"
	ListInsights     Request = "ListContributorInsights"

	PutPolicy    Request = "PutResourcePolicy"
	SamePolicy   Request = "PutResourcePolicy that changes nothing"
	DeletePolicy Request = "DeleteResourcePolicy"
	GetPolicy    Request = "GetResourcePolicy"

	EnableStreaming   Request = "EnableKinesisStreamingDestination"
	DisableStreaming  Request = "DisableKinesisStreamingDestination"
	UpdateStreaming   Request = "UpdateKinesisStreamingDestination"
	DescribeStreaming Request = "DescribeKinesisStreamingDestination"

	BulkPut Request = "StartBulkPutItems"
	Scale   Request = "UpdateTableReplicaAutoScaling"
)

// Requests on an index that changes.
const (
	ReadIndex    Request = "Query or Scan of the index"
	SearchIndex  Request = "SearchVectors of the index"
	ChangeIndex  Request = "UpdateTable to change the index"
	DropIndex    Request = "UpdateTable to delete the index"
	RemakeIndex  Request = "UpdateTable to create an index of its name"
	AnotherIndex Request = "UpdateTable to create or delete another index"
	IndexKeys    Request = "UpdateContributorInsights ENABLE of the index"
)

// all lists the requests on tables, and onIndexes those on indexes, in the order of the page.
var (
	all = []Request{Items, Create, Import, RestoreTo,
		IOPS, Billing, Maxima, Stream, Class, Protection, Encryption, Warm, Online, UnitsOf,
		Replicas, Delete, Tag, Untag, SameTags, ListTags, UpdateTTL, DescribeTTL,
		Recovery, DescribeBackups, Backup, RestoreFrom, Export,
		EnableInsights, DisableInsights, DescribeInsights, ListInsights,
		PutPolicy, SamePolicy, DeletePolicy, GetPolicy,
		EnableStreaming, DisableStreaming, UpdateStreaming, DescribeStreaming, BulkPut, Scale}
	onIndexes = []Request{ReadIndex, SearchIndex, ChangeIndex, DropIndex, RemakeIndex,
		AnotherIndex, IndexKeys, BulkPut, Delete}
)

// Answer is the answer to a request: an error, or, if it is zero, the answer that the request would
// have without the change. The text may have names in braces.
type Answer struct {
	Type *apierr.Type
	Text string
}

// admitted is the Answer of a request that goes on beside the change in progress, or is refused
// elsewhere.
var admitted = Answer{}

// missing is the Answer of a request that does not find the table: it stands for what a request
// answers without one.
var missing = Answer{Text: "as if there were no such table"}

const stillInUse = "Attempt to change a resource which is still in use: "

// busy is the Answer of a resource that is in use.
func busy(text string) Answer { return Answer{apierr.ResourceInUse, stillInUse + text} }

func inUse(text string) Answer    { return Answer{apierr.ResourceInUse, text} }
func invalid(text string) Answer  { return Answer{apierr.Validation, text} }
func notFound(text string) Answer { return Answer{apierr.ResourceNotFound, text} }
func limit(text string) Answer {
	return Answer{apierr.LimitExceeded, "Subscriber limit exceeded: " + text}
}

// Answers are those of a Row.
type Answers map[Request]Answer

// with returns the answers with others in place of some.
func (a Answers) with(more Answers) Answers {
	sum := make(Answers, len(a)+len(more))
	for r, answer := range a {
		sum[r] = answer
	}
	for r, answer := range more {
		sum[r] = answer
	}
	return sum
}

// each returns an answer for all of some requests.
func each(answer Answer, requests ...Request) Answers {
	a := make(Answers, len(requests))
	for _, r := range requests {
		a[r] = answer
	}
	return a
}
