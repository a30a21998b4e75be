package emulator

import (
	"reflect"

	"github.com/kugiri-db/kugiri/emulator/internal/wire"
)

// operation is one entry of the operation table. serve appends the answer's body to dst.
type operation struct {
	name    string
	prefix  string       // of its target
	form    form         // of its validation errors
	reports memberReport // of violations of the model's constraints
	input   reflect.Type // their shapes, structures
	output  reflect.Type
	serve   func(c *call, body string, dst []byte) ([]byte, error)
}

// op makes an entry from a typed function: decoding, the model's constraints and
// encoding are the same for all. Of an operation without output, f returns nil. It
// may keep structures of the request.
func op[In, Out any](name string, f func(*call, *In) (*Out, error)) operation {
	return newOperation(name, f, func(*call) *wire.Memory { return nil })
}

// itemOp is op for an operation on items, most of what there is to be done: f keeps
// nothing of the request, which is decoded into the memory of the call.
func itemOp[In, Out any](name string, f func(*call, *In) (*Out, error)) operation {
	return newOperation(name, f, func(c *call) *wire.Memory { return c.memory })
}

func newOperation[In, Out any](name string, f func(*call, *In) (*Out, error), memory func(*call) *wire.Memory) operation {
	serve := func(c *call, body string, dst []byte) ([]byte, error) {
		in := new(In)
		if err := wire.Decode(body, in, memory(c)); err != nil {
			return dst, err
		}
		if c.event != nil {
			c.event.decoded(c, in)
		}
		if violations := c.emulator.validator.Validate(in); violations != nil {
			return dst, c.refused(in, &finding{about: aboutMembers, members: violations, report: c.reports})
		}
		if active := c.emulator.faults.active.Load(); active != nil {
			if err := c.meet(active, in); err != nil {
				return dst, err
			}
		}
		out, err := f(c, in)
		if c.fate != nil && c.fate.lost {
			return dst, errNoAnswer
		}
		if err != nil || out == nil {
			return dst, c.refused(in, err)
		}
		return wire.Append(dst, out), nil
	}
	return operation{name: name, prefix: dataTarget, input: reflect.TypeFor[In](), output: reflect.TypeFor[Out](), serve: serve}
}

// worded is the operation with another form of validation errors than the old one.
func (o operation) worded(f form) operation {
	o.form = f
	return o
}

// reporting is the operation with another way than to list all violations of the model's constraints.
func (o operation) reporting(r memberReport) operation {
	o.reports = r
	return o
}

// What X-Amz-Target begins with: of the operations on data and tables, and of those on streams.
const (
	dataTarget    = "DynamoDB_20120810."
	streamsTarget = "DynamoDBStreams_20120810."
)

// streamsOp is op for an operation of the streams' service.
func streamsOp[In, Out any](name string, f func(*call, *In) (*Out, error)) operation {
	o := op(name, f)
	o.prefix = streamsTarget
	return o
}

// operations is the table of all operations there are, alphabetically. Adding one is its file, its test and a line here.
var operations = []operation{
	op("BatchExecuteStatement", batchExecuteStatement),
	itemOp("BatchGetItem", batchGetItem).worded(formBare),
	itemOp("BatchWriteItem", batchWriteItem).reporting(reportItemsLast),
	op("CreateTable", createTable).reporting(reportTable),
	itemOp("DeleteItem", deleteItem).worded(formEnveloped),
	op("DeleteTable", deleteTable).reporting(reportTable),
	op("DescribeContinuousBackups", describeContinuousBackups),
	op("DescribeContributorInsights", describeContributorInsights),
	op("DescribeEndpoints", describeEndpoints),
	op("DescribeKinesisStreamingDestination", describeKinesisStreamingDestination),
	op("DescribeLimits", describeLimits),
	streamsOp("DescribeStream", describeStream),
	op("DescribeTable", describeTable).reporting(reportTable),
	op("DescribeTimeToLive", describeTimeToLive).reporting(reportTable),
	op("ExecuteStatement", executeStatement),
	op("ExecuteTransaction", executeTransaction),
	itemOp("GetItem", getItem).worded(formBare),
	streamsOp("GetRecords", getRecords),
	op("GetResourcePolicy", getResourcePolicy),
	streamsOp("GetShardIterator", getShardIterator),
	op("ListBackups", listBackups),
	op("ListContributorInsights", listContributorInsights),
	op("ListExports", listExports),
	op("ListGlobalTables", listGlobalTables),
	op("ListImports", listImports),
	streamsOp("ListStreams", listStreams),
	op("ListTables", listTables),
	op("ListTagsOfResource", listTagsOfResource),
	itemOp("PutItem", putItem).worded(formEnveloped),
	itemOp("Query", query).worded(formBare),
	itemOp("Scan", scan),
	op("TagResource", tagResource),
	itemOp("TransactGetItems", transactGetItems),
	itemOp("TransactWriteItems", transactWriteItems),
	op("UntagResource", untagResource),
	itemOp("UpdateItem", updateItem).worded(formEnveloped).reporting(reportUpdate),
	op("UpdateTable", updateTable).reporting(reportTable),
	op("UpdateTimeToLive", updateTimeToLive).reporting(reportTable),
}

// operationsByTarget finds an operation by what X-Amz-Target says.
var operationsByTarget = func() map[string]*operation {
	m := make(map[string]*operation, len(operations))
	for i := range operations {
		m[operations[i].prefix+operations[i].name] = &operations[i]
	}
	return m
}()
