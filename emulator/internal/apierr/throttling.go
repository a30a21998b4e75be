package apierr

import (
	"strings"

	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// ThrottlingReason says which limit throttled a request (API Reference, ThrottlingReason).
type ThrottlingReason struct {
	reason   string // "TableWriteProvisionedThroughputExceeded"
	resource string // ARN of the table or index
}

// append appends the member of an error answer. The case of its name differs between the exceptions
// (API Reference).
func (r *ThrottlingReason) append(dst []byte, typ *Type) []byte {
	name := `,"ThrottlingReasons":[{"reason":`
	if typ == Throttling {
		name = `,"throttlingReasons":[{"reason":`
	}
	dst = jsontext.AppendQuoted(append(dst, name...), r.reason)
	dst = jsontext.AppendQuoted(append(dst, `,"resource":`...), r.resource)
	return append(dst, `}]`...)
}

// Throttles reports whether action i of a request was throttled, other than by an index that it
// writes to.
func (e *Error) Throttles(i int) bool {
	if e.Throttled != nil {
		return !strings.HasPrefix(e.Throttled.reason, "IndexWrite")
	}
	if i >= len(e.reasons) {
		return false
	}
	code := e.reasons[i].code
	return code == reasonCodes[ThroughputExceeded] || code == reasonCodes[Throttling]
}

// Exceeded is a limit of throughput that a request would exceed.
type Exceeded struct {
	Table    string
	Index    string // "" for a limit of the table
	Write    bool
	Limit    string // fault.ProvisionedLimit and so on
	OnDemand bool   // the capacity mode of the table
}

// Throttled returns the error for a limit of the table with the ARN. The Developer Guide,
// "Diagnosing throttling", says which exception belongs to which limit. If a hot key throttles
// writes to an on-demand table, the text is the one for a table that is scaling (API Reference,
// TransactWriteItems, TransactionCanceledException: "when writes get throttled on an On-Demand
// table"). In all other cases the text is the one for a provisioned table.
func Throttled(x Exceeded, tableARN string) error {
	resource, access, arn := "Table", "Read", tableARN
	if x.Index != "" {
		resource, arn = "Index", arn+"/index/"+x.Index
	}
	if x.Write {
		access = "Write"
	}
	e := &Error{Throttled: &ThrottlingReason{resource + access + x.Limit, arn}}
	switch {
	case x.Limit == fault.AccountLimit:
		e.Type, e.Message = RequestLimitExceeded, accountLimitText
	case x.Limit == fault.OnDemandLimit:
		e.Type, e.Message = Throttling, onDemandLimitText
	case x.Limit == fault.KeyRangeLimit && x.OnDemand && x.Write && x.Index == "":
		e.Type, e.Message = Throttling, scalingTableText
	case x.Limit == fault.KeyRangeLimit && x.OnDemand && x.Write:
		e.Type, e.Message = Throttling, scalingIndexText
	case x.Index != "":
		e.Type, e.Message = ThroughputExceeded, provisionedIndexText
	default:
		e.Type, e.Message = ThroughputExceeded, provisionedTableText
	}
	return e
}

// The texts of throttling exceptions, from API Reference, TransactWriteItems,
// TransactionCanceledException, and RequestLimitExceeded, and from Developer Guide, "Diagnosing
// throttling".
const (
	provisionedTableText = "The level of configured provisioned throughput for the table was exceeded. " +
		"Consider increasing your provisioning level with the UpdateTable API."
	// No full stop, as in github.com/grailbio/reflow/issues/101.
	provisionedIndexText = "The level of configured provisioned throughput for one or more global secondary indexes of the table was exceeded. " +
		"Consider increasing your provisioning level for the under-provisioned global secondary indexes with the UpdateTable API"
	// No full stop, as in github.com/praetorian-inc/chariot-ui/issues/684.
	scalingTableText = "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or index " +
		"so please try again shortly. If exceptions persist, check if you have a hot key: " +
		"https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html"
	scalingIndexText = "Throughput exceeds the current capacity for one or more global secondary indexes. " +
		"DynamoDB is automatically scaling your index so please try again shortly."
	onDemandLimitText = "Throughput exceeds the maximum OnDemandThroughput configured on table or index"
	accountLimitText  = "Throughput exceeds the current throughput quota for your account. " +
		"Please contact AWS Support at https://aws.amazon.com/support to request a quota increase."
)
