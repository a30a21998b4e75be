// Package fault describes faults to inject into an emulator: which requests they apply to, and what
// they do to these requests.
//
// A Fault is a plain value without state. It can be passed to emulator.WithFaults,
// Emulator.SetFaults or Emulator.AddFault any number of times. Each installation has its own
// counters and its own random numbers. A Fault has a text form in JSON, which String writes and
// Parse reads:
//
//	{"when":{"operation":"PutItem","table":"users","first":2},"do":{"throttle":{}}}
//
// Faults are deterministic: all random numbers come from the seed of the fault, so the same faults
// apply to the same requests in the same order. Only the order of requests that are sent
// concurrently is not determined.
package fault

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Fault says what happens to some requests.
type Fault struct {
	When Matcher // the requests that it may hit; nil: all that the effect can apply to
	Do   Effect
	Seed uint64 // the seed of all random numbers of the fault

	// MustHit says that it is a mistake if the fault hits no request: emulatortest then fails the
	// test, and the admin API marks the fault as missed.
	MustHit bool
}

// MustHit returns the fault with MustHit set.
func MustHit(f Fault) Fault {
	f.MustHit = true
	return f
}

// Kind is the kind of an effect.
type Kind string

// The kinds of effects, by their names in the text form. An effect applies only to the operations
// named beside it. Other requests do not count as matched.
const (
	KindThrottle            Kind = "throttle"            // all operations on items
	KindInternalServerError Kind = "internalServerError" // all operations
	KindServiceUnavailable  Kind = "serviceUnavailable"  // all operations
	KindLatency             Kind = "latency"             // all operations
	KindDropConnection      Kind = "dropConnection"      // all operations
	KindLoseResponse        Kind = "loseResponse"        // all operations
	KindUnprocessed         Kind = "unprocessed"         // BatchGetItem, BatchWriteItem
	// writes of items, and TransactGetItems
	KindTransactionConflict Kind = "transactionConflict"
	// TransactWriteItems, ExecuteTransaction
	KindTransactionInProgress Kind = "transactionInProgress"
	// reads of tables that are not ConsistentRead
	KindStaleReads      Kind = "staleReads"
	KindLaggingIndexes  Kind = "laggingIndexes"  // reads of global and vector indexes
	KindRecall          Kind = "recall"          // SearchVectors
	KindShortPages      Kind = "shortPages"      // GetRecords
	KindExpiredIterator Kind = "expiredIterator" // GetRecords
	KindLimitExceeded   Kind = "limitExceeded"   // GetRecords, and operations on tables
	KindRateExceeded    Kind = "rateExceeded"    // operations on tables, backups and settings

	// writes of single items and batches
	KindReplicatedWriteConflict Kind = "replicatedWriteConflict"
	// changes on their way to other replicas
	KindPartitionRegion Kind = "partitionRegion"
	// changes on their way to other replicas
	KindDelayReplication       Kind = "delayReplication"
	KindDuplicateKinesisRecord Kind = "duplicateKinesisRecord" // changes on their way to Kinesis
	KindDisorderKinesisRecord  Kind = "disorderKinesisRecord"  // changes on their way to Kinesis
)

// Sends reports whether an effect applies to the records of changes that are sent to a Kinesis data
// stream, and not to requests. To matchers such a record is a write to its table with the key of
// its item. It counts once.
func (k Kind) Sends() bool {
	return k == KindDuplicateKinesisRecord || k == KindDisorderKinesisRecord
}

// Replicates reports whether an effect applies to changes that replicas of a global table send each
// other, and not to requests. To matchers such a change is a write to its table with the key of its
// item. It counts each time that it could be delivered: after every write to the table in its
// region, and whenever the clock moves.
func (k Kind) Replicates() bool { return k == KindPartitionRegion || k == KindDelayReplication }

// Effect says what happens to a request. The functions of this package make effects.
type Effect struct {
	Kind   Kind
	Reason string // Throttle: the reason or its limit; "" for the usual one
	// Throttle: the index that has the limit; "" for the table, or for the index that is read
	Index   string
	Delay   time.Duration // Latency and DelayReplication
	Share   float64       // Unprocessed and Recall: above 0 and at most 1
	Behind  Bound         // StaleReads and LaggingIndexes
	Records int           // ShortPages: the most records
	Region  string        // PartitionRegion and DelayReplication; "" for all
}

// Bound limits how far a read may be behind. At least one of the two is set. If both are set, both
// limits hold. Within the bound, how far a read is behind is random.
type Bound struct {
	Writes int           // commits that wrote to the table; a batch or a transaction is one commit
	Time   time.Duration // a time on the emulator's clock
}

// Throttle refuses a request before it does anything, with the exception and the ThrottlingReasons
// that the service has for the reason. A reason is complete, such as
// "TableWriteProvisionedThroughputExceeded", or only the name of its limit (see Limits). Then the
// request determines the rest: table or index, and read or write. With "" the reason is the usual
// one of the table's capacity mode. A throttled transaction is canceled.
func Throttle(reason string) Effect { return Effect{Kind: KindThrottle, Reason: reason} }

// ThrottleIndex is Throttle for the limit of a global index. It also refuses writes to the table
// (back-pressure).
func ThrottleIndex(reason, index string) Effect {
	return Effect{Kind: KindThrottle, Reason: reason, Index: index}
}

// RequestLimitExceeded refuses a request because of the account's quota.
func RequestLimitExceeded() Effect { return Throttle(AccountLimit) }

// InternalServerError answers with status 500 before the request does anything.
func InternalServerError() Effect { return Effect{Kind: KindInternalServerError} }

// ServiceUnavailable answers with status 503 before the request does anything.
func ServiceUnavailable() Effect { return Effect{Kind: KindServiceUnavailable} }

// Latency delays a request, on the emulator's clock, before it does anything. Other faults may
// apply to the same request.
func Latency(d time.Duration) Effect { return Effect{Kind: KindLatency, Delay: d} }

// DropConnection closes the connection before the request does anything.
func DropConnection() Effect { return Effect{Kind: KindDropConnection} }

// LoseResponse closes the connection after the request has been carried out. A write is committed,
// but its client gets no answer.
func LoseResponse() Effect { return Effect{Kind: KindLoseResponse} }

// Unprocessed returns a share of the matching entries of a batch in UnprocessedItems or
// UnprocessedKeys. It rounds the number up and chooses the entries at random. If these are all
// entries of the batch, the batch is throttled instead, as in the service.
func Unprocessed(share float64) Effect { return Effect{Kind: KindUnprocessed, Share: share} }

// TransactionConflict makes the matching items part of another transaction in progress.
// Transactions with these items are canceled, single writes fail with TransactionConflictException,
// and writes in a batch are unprocessed.
func TransactionConflict() Effect { return Effect{Kind: KindTransactionConflict} }

// TransactionInProgress refuses a transaction as if an earlier one with the same token were still
// in progress.
func TransactionInProgress() Effect { return Effect{Kind: KindTransactionInProgress} }

// StaleReads makes eventually consistent reads of tables and their local indexes return older data,
// at most as old as the bound. The emulator keeps the last 1024 commits of a table at most. It
// starts when the fault is installed, and starts again when the table's indexes or settings change.
func StaleReads(b Bound) Effect { return Effect{Kind: KindStaleReads, Behind: b} }

// LaggingIndexes is StaleReads for global and vector indexes. They lag independently of their
// tables.
func LaggingIndexes(b Bound) Effect { return Effect{Kind: KindLaggingIndexes, Behind: b} }

// Recall makes a vector search approximate, as that of the service is. It finds a share of the TopK
// nearest entries, and the next nearest ones in place of the others, which it chooses at random. It
// rounds the number of entries that it misses up.
func Recall(share float64) Effect { return Effect{Kind: KindRecall, Share: share} }

// ShortPages makes GetRecords return at most n records. With 0 its pages are empty, and only the
// iterators advance.
func ShortPages(n int) Effect { return Effect{Kind: KindShortPages, Records: n} }

// ExpiredIterator makes a shard iterator expire early.
func ExpiredIterator() Effect { return Effect{Kind: KindExpiredIterator} }

// LimitExceeded refuses requests of streams and of tables with LimitExceededException.
func LimitExceeded() Effect { return Effect{Kind: KindLimitExceeded} }

// RateExceeded refuses requests of the control plane, those on tables, backups and settings, with
// ThrottlingException, as DynamoDB does when an account sends many of them.
func RateExceeded() Effect { return Effect{Kind: KindRateExceeded} }

// ReplicatedWriteConflict makes the matching items of a global table with strong consistency be
// written in another region at the same time: a write fails with ReplicatedWriteConflictException.
// It applies to other tables too.
func ReplicatedWriteConflict() Effect { return Effect{Kind: KindReplicatedWriteConflict} }

// PartitionRegion holds back the changes of global tables from and to a region until the fault is
// removed. With "" it separates all regions from each other. With a matcher it holds back only the
// changes that the matcher chooses; a random one brings them in another order, but never those of
// the same item. In a global table with strong consistency, writes and strongly consistent reads
// fail in the region.
func PartitionRegion(region string) Effect {
	return Effect{Kind: KindPartitionRegion, Region: region}
}

// DelayReplication delays the changes of global tables from and to a region, on the emulator's
// clock, in addition to the emulator's replication lag. With "" it delays all changes.
func DelayReplication(region string, d time.Duration) Effect {
	return Effect{Kind: KindDelayReplication, Region: region, Delay: d}
}

// DuplicateKinesisRecord sends the records of changes to their Kinesis data stream twice, as the
// service does now and then. The second one comes later, and has the same eventID.
func DuplicateKinesisRecord() Effect { return Effect{Kind: KindDuplicateKinesisRecord} }

// DisorderKinesisRecord sends the records of changes after the next record of the table that the
// fault does not match. They wait for it until the fault is removed.
func DisorderKinesisRecord() Effect { return Effect{Kind: KindDisorderKinesisRecord} }

// The limits that a ThrottlingReason can end with (API Reference, ThrottlingReason).
const (
	ProvisionedLimit = "ProvisionedThroughputExceeded"
	KeyRangeLimit    = "KeyRangeThroughputExceeded"
	AccountLimit     = "AccountLimitExceeded"
	OnDemandLimit    = "MaxOnDemandThroughputExceeded"
)

// Limits lists all limits.
var Limits = [...]string{ProvisionedLimit, KeyRangeLimit, AccountLimit, OnDemandLimit}

// SplitReason splits a reason into "Table" or "Index", "Read" or "Write", and the limit. The first
// two are "" if the reason is only the name of a limit.
func SplitReason(reason string) (resource, access, limit string, ok bool) {
	rest := reason
	for _, r := range [...]string{"Table", "Index"} {
		for _, a := range [...]string{"Read", "Write"} {
			if after, found := strings.CutPrefix(reason, r+a); found {
				resource, access, rest = r, a, after
			}
		}
	}
	for _, l := range Limits {
		if rest == l {
			return resource, access, l, true
		}
	}
	return "", "", "", false
}

// Validate returns an error if a fault is not valid.
func (f Fault) Validate() error {
	if err := f.check(); err != nil {
		return fmt.Errorf("fault: %w", err)
	}
	return nil
}

func (f Fault) check() error {
	if f.When != nil {
		if err := f.When.validate(0); err != nil {
			return fmt.Errorf("when: %w", err)
		}
	}
	if err := f.Do.validate(); err != nil {
		return fmt.Errorf("do: %w", err)
	}
	return f.checkPossible()
}

func (e Effect) validate() error {
	if e.Kind == "" {
		return errors.New("no effect is given")
	}
	form, known := forms[e.Kind]
	if !known {
		return fmt.Errorf("there is no effect %q", e.Kind)
	}
	if err := form.check(e); err != nil {
		return fmt.Errorf("%s: %w", e.Kind, err)
	}
	return nil
}

func checkThrottle(e Effect) error {
	if e.Reason == "" {
		return nil
	}
	resource, _, _, ok := SplitReason(e.Reason)
	switch {
	case !ok:
		return fmt.Errorf("%q is no reason for throttling, such as TableWrite%s", e.Reason,
			ProvisionedLimit)
	case resource == "Table" && e.Index != "":
		return fmt.Errorf("the reason %s is none of an index", e.Reason)
	}
	return nil
}

func checkBehind(e Effect) error {
	switch {
	case e.Behind.Writes < 0 || e.Behind.Time < 0:
		return fmt.Errorf("a bound cannot be negative")
	case e.Behind == Bound{}:
		return fmt.Errorf("without a bound, of writes, time or both")
	}
	return nil
}

func checkDelay(e Effect) error {
	if e.Delay <= 0 {
		return fmt.Errorf("the duration must be positive")
	}
	return nil
}

func checkShare(e Effect) error {
	if !(e.Share > 0 && e.Share <= 1) {
		return fmt.Errorf("the share must be above 0 and at most 1")
	}
	return nil
}

func checkRecords(e Effect) error {
	if e.Records < 0 {
		return fmt.Errorf("the number of records cannot be negative")
	}
	return nil
}
