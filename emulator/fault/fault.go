// Package fault describes faults to inject into an emulator: which requests they
// hit, and what becomes of those.
//
// A Fault is a plain value without state, to be given to emulator.WithFaults,
// Emulator.SetFaults or Emulator.AddFault as often as one likes; each of its
// installations counts and draws for itself. It has a text form, JSON, which
// String writes and Parse reads:
//
//	{"when":{"operation":"PutItem","table":"users","first":2},"do":{"throttle":{}}}
//
// Faults are deterministic: all chance comes from the seed of the fault, so that
// the same requests in the same order meet the same faults. What is not
// determined is the order of requests that are sent concurrently.
package fault

import (
	"fmt"
	"strings"
	"time"
)

// Fault is what is to become of some requests.
type Fault struct {
	When Matcher // which requests; nil: all to which the effect can apply
	Do   Effect
	Seed uint64 // of all chance in the fault
}

// Kind is the kind of an effect.
type Kind string

// The kinds of effects, by their names in the text form. An effect happens only
// to requests of the operations that can meet it; others do not count as matched.
const (
	KindThrottle              Kind = "throttle"              // of all operations on items
	KindInternalServerError   Kind = "internalServerError"   // of all
	KindServiceUnavailable    Kind = "serviceUnavailable"    // of all
	KindLatency               Kind = "latency"               // of all
	KindDropConnection        Kind = "dropConnection"        // of all
	KindLoseResponse          Kind = "loseResponse"          // of all
	KindUnprocessed           Kind = "unprocessed"           // BatchGetItem, BatchWriteItem
	KindTransactionConflict   Kind = "transactionConflict"   // of writes of items, and TransactGetItems
	KindTransactionInProgress Kind = "transactionInProgress" // TransactWriteItems, ExecuteTransaction
	KindStaleReads            Kind = "staleReads"            // reads of tables that are not ConsistentRead
	KindLaggingIndexes        Kind = "laggingIndexes"        // Query, Scan and SELECT of global indexes
	KindShortPages            Kind = "shortPages"            // GetRecords
	KindExpiredIterator       Kind = "expiredIterator"       // GetRecords
	KindLimitExceeded         Kind = "limitExceeded"         // GetRecords, and operations on tables
)

// Effect is what happens to a request. Use the functions that make one.
type Effect struct {
	Kind    Kind
	Reason  string        // of Throttle: what ThrottlingReason calls the limit, "" for the usual one
	Index   string        // of Throttle: the index whose limit it is, "" for the table or the index that is read
	Delay   time.Duration // of Latency
	Share   float64       // of Unprocessed: of the entries, above 0 and at most 1
	Behind  Bound         // of StaleReads and LaggingIndexes
	Records int           // of ShortPages: at most so many
}

// Bound is how far a read may be behind. At least one of the two is set, and what
// is set holds; within it, how far a read is behind is left to chance.
type Bound struct {
	Writes int           // commits that wrote to the table: a batch or a transaction is one
	Time   time.Duration // on the emulator's clock
}

// Throttle refuses a request before it does anything, with the exception and the
// ThrottlingReasons that the service has for a reason. A reason is a whole one,
// "TableWriteProvisionedThroughputExceeded", or the name of its limit alone, as in
// Limits, for the table or index and the kind of access that the request is; "" is
// the usual one of the table's capacity mode. A transaction is canceled for it.
func Throttle(reason string) Effect { return Effect{Kind: KindThrottle, Reason: reason} }

// ThrottleIndex is Throttle because of the limit of a global index, which also
// refuses writes to the table: back-pressure.
func ThrottleIndex(reason, index string) Effect {
	return Effect{Kind: KindThrottle, Reason: reason, Index: index}
}

// RequestLimitExceeded refuses a request because of the account's quota.
func RequestLimitExceeded() Effect { return Throttle(AccountLimit) }

// InternalServerError answers 500 and does nothing else.
func InternalServerError() Effect { return Effect{Kind: KindInternalServerError} }

// ServiceUnavailable answers 503 and does nothing else.
func ServiceUnavailable() Effect { return Effect{Kind: KindServiceUnavailable} }

// Latency lets a request wait, on the emulator's clock, before it does anything.
// Other faults may hit it as well.
func Latency(d time.Duration) Effect { return Effect{Kind: KindLatency, Delay: d} }

// DropConnection closes the connection before the request does anything.
func DropConnection() Effect { return Effect{Kind: KindDropConnection} }

// LoseResponse closes the connection once the request has done all that it does:
// a write is committed, and its client does not know.
func LoseResponse() Effect { return Effect{Kind: KindLoseResponse} }

// Unprocessed leaves a share of the matching entries of a batch, rounded up and
// chosen by chance, to UnprocessedItems or UnprocessedKeys. If these are all
// entries of the batch, it is throttled instead, as with the service.
func Unprocessed(share float64) Effect { return Effect{Kind: KindUnprocessed, Share: share} }

// TransactionConflict has the matching items be in the hands of a transaction:
// transactions of them are canceled, single writes fail with
// TransactionConflictException and those in a batch are unprocessed.
func TransactionConflict() Effect { return Effect{Kind: KindTransactionConflict} }

// TransactionInProgress refuses a transaction because the one before, with the
// same token, were still going on.
func TransactionInProgress() Effect { return Effect{Kind: KindTransactionInProgress} }

// StaleReads has eventually consistent reads of tables, and of their local
// indexes, see what was there up to a bound ago. At most the last 1024 commits of
// a table are remembered, from when the fault was installed or the table's indexes
// or settings were changed last.
func StaleReads(b Bound) Effect { return Effect{Kind: KindStaleReads, Behind: b} }

// LaggingIndexes is StaleReads for global indexes, which lag independently of their tables.
func LaggingIndexes(b Bound) Effect { return Effect{Kind: KindLaggingIndexes, Behind: b} }

// ShortPages has GetRecords return at most n records. With 0 its pages are
// empty, and only their iterators move on.
func ShortPages(n int) Effect { return Effect{Kind: KindShortPages, Records: n} }

// ExpiredIterator has a shard iterator expire early.
func ExpiredIterator() Effect { return Effect{Kind: KindExpiredIterator} }

// LimitExceeded refuses requests of streams and of tables with LimitExceededException.
func LimitExceeded() Effect { return Effect{Kind: KindLimitExceeded} }

// The limits that a ThrottlingReason ends with (API Reference, ThrottlingReason).
const (
	ProvisionedLimit = "ProvisionedThroughputExceeded"
	KeyRangeLimit    = "KeyRangeThroughputExceeded"
	AccountLimit     = "AccountLimitExceeded"
	OnDemandLimit    = "MaxOnDemandThroughputExceeded"
)

// Limits are all of them.
var Limits = [...]string{ProvisionedLimit, KeyRangeLimit, AccountLimit, OnDemandLimit}

// SplitReason takes a reason apart: "Table" or "Index", "Read" or "Write", and the
// limit. The first two are "" if the reason is the name of a limit alone.
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

// Validate returns what is wrong with a fault, nil if nothing is.
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
	return nil
}

func (e Effect) validate() error {
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
		return fmt.Errorf("%q is no reason for throttling", e.Reason)
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
