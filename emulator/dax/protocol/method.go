package protocol

// Service is the number before a method's number in each call.
const Service = 1

// Method is the number of a method.
type Method int64

// The methods that clients call.
const (
	AuthorizeConnection   Method = 1489122155
	Endpoints             Method = 455855874
	DefineKeySchema       Method = -742646399
	DefineAttributeList   Method = 670678385
	DefineAttributeListID Method = -1230579644
	GetItem               Method = 263244906
	PutItem               Method = -2106490455
	UpdateItem            Method = 1425579023
	DeleteItem            Method = 1013539361
	Query                 Method = -931250863
	Scan                  Method = -1875390620
	BatchGetItem          Method = -697851100
	BatchWriteItem        Method = 116217951
	TransactGetItems      Method = 1866287579
	TransactWriteItems    Method = -1160037738
)

// Arguments returns how many data items follow the method's number, or -1 for an unknown method.
func (m Method) Arguments() int {
	switch m {
	case Endpoints:
		return 0
	case DefineKeySchema, DefineAttributeList, DefineAttributeListID:
		return 1
	case Scan, BatchGetItem, BatchWriteItem:
		return 2
	case GetItem, UpdateItem, DeleteItem, Query:
		return 3
	case PutItem, TransactGetItems:
		return 4
	case AuthorizeConnection:
		return 5
	case TransactWriteItems:
		return 9
	}
	return -1
}

// Operation returns the name of the operation that the method calls, or "" if it calls none.
func (m Method) Operation() string {
	switch m {
	case GetItem:
		return "GetItem"
	case PutItem:
		return "PutItem"
	case UpdateItem:
		return "UpdateItem"
	case DeleteItem:
		return "DeleteItem"
	case Query:
		return "Query"
	case Scan:
		return "Scan"
	case BatchGetItem:
		return "BatchGetItem"
	case BatchWriteItem:
		return "BatchWriteItem"
	case TransactGetItems:
		return "TransactGetItems"
	case TransactWriteItems:
		return "TransactWriteItems"
	}
	return ""
}

// Numbers of the options of a request.
const (
	optProjection = iota
	optNames
	optConsistentRead
	optCapacity
	optCondition
	optValues
	optMetrics
	optReturnValues
	optUpdate
	optStartKey
	optFilter
	optIndex
	optKeyCondition
	optLimit
	optForward
	optSelect
	optSegment
	optTotalSegments
	optRequestItems
	optToken
)

// Numbers of the parts of an answer.
const (
	ansItem     = 0
	ansCapacity = 1
	ansAttrs    = 2
	ansMetrics  = 3
	ansItems    = 7
	ansCount    = 8
	ansLastKey  = 9
	ansScanned  = 10
)

// Values of options, by their numbers.
var (
	capacityValues = []string{"NONE", "TOTAL", "INDEXES"}
	metricsValues  = []string{"NONE", "SIZE"}
	returnValues   = []string{"", "NONE", "ALL_OLD", "UPDATED_OLD", "ALL_NEW", "UPDATED_NEW"}
	selectValues   = []string{"", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES", "COUNT",
		"SPECIFIC_ATTRIBUTES"}
)

// Kinds of the writes of a transaction.
const (
	opPut    = 2
	opDelete = 7
	opUpdate = 9
	opCheck  = 12
)
