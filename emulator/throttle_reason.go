package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// throttlingReason says which limit throttled a request (API Reference, ThrottlingReason).
type throttlingReason struct {
	reason   string // "TableWriteProvisionedThroughputExceeded"
	resource string // the ARN of the table or index
}

// append appends the member of an error answer. Its name differs in case between
// the exceptions (API Reference).
func (r *throttlingReason) append(dst []byte, typ *errorType) []byte {
	name := `,"ThrottlingReasons":[{"reason":`
	if typ == errThrottling {
		name = `,"throttlingReasons":[{"reason":`
	}
	dst = jsontext.AppendQuoted(append(dst, name...), r.reason)
	dst = jsontext.AppendQuoted(append(dst, `,"resource":`...), r.resource)
	return append(dst, `}]`...)
}

// exceeded is a limit of throughput that a request would exceed.
type exceeded struct {
	table    string
	index    string // "": it is a limit of the table
	write    bool
	limit    string // fault.ProvisionedLimit and so on
	onDemand bool   // the capacity mode of the table
}

// throttled is the error of exceeding a limit. Which exception stands for which
// limit: Developer Guide, "Diagnosing throttling". A hot key of an on-demand table
// throttles its writes with the words of a table that is being scaled (API
// Reference, TransactWriteItems, TransactionCanceledException: "when writes get
// throttled on an On-Demand table"), all else with those of a provisioned one.
func (c *call) throttled(x exceeded) error {
	resource, access, arn := "Table", "Read", c.tableARN(x.table)
	if x.index != "" {
		resource, arn = "Index", arn+"/index/"+x.index
	}
	if x.write {
		access = "Write"
	}
	e := &apiError{limit: &throttlingReason{resource + access + x.limit, arn}}
	switch {
	case x.limit == fault.AccountLimit:
		e.typ, e.message = errRequestLimit, accountLimitText
	case x.limit == fault.OnDemandLimit:
		e.typ, e.message = errThrottling, onDemandLimitText
	case x.limit == fault.KeyRangeLimit && x.onDemand && x.write && x.index == "":
		e.typ, e.message = errThrottling, scalingTableText
	case x.limit == fault.KeyRangeLimit && x.onDemand && x.write:
		e.typ, e.message = errThrottling, scalingIndexText
	case x.index != "":
		e.typ, e.message = errThroughput, provisionedIndexText
	default:
		e.typ, e.message = errThroughput, provisionedTableText
	}
	return e
}

// What exceptions say of throttling: API Reference, TransactWriteItems,
// TransactionCanceledException, and RequestLimitExceeded; Developer Guide,
// "Diagnosing throttling".
const (
	provisionedTableText = "The level of configured provisioned throughput for the table was exceeded. " +
		"Consider increasing your provisioning level with the UpdateTable API."
	// Without a full stop, as github.com/grailbio/reflow/issues/101 shows.
	provisionedIndexText = "The level of configured provisioned throughput for one or more global secondary indexes of the table was exceeded. " +
		"Consider increasing your provisioning level for the under-provisioned global secondary indexes with the UpdateTable API"
	// Without a full stop, as github.com/praetorian-inc/chariot-ui/issues/684 shows.
	scalingTableText = "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or index " +
		"so please try again shortly. If exceptions persist, check if you have a hot key: " +
		"https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html"
	scalingIndexText = "Throughput exceeds the current capacity for one or more global secondary indexes. " +
		"DynamoDB is automatically scaling your index so please try again shortly."
	onDemandLimitText = "Throughput exceeds the maximum OnDemandThroughput configured on table or index"
	accountLimitText  = "Throughput exceeds the current throughput quota for your account. " +
		"Please contact AWS Support at https://aws.amazon.com/support to request a quota increase."
)
