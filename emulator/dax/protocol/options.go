package protocol

import (
	"strconv"

	"github.com/kugiri-db/kugiri/emulator/dax/cbor"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// options are those of a request.
type options struct {
	expressions map[int][]byte // expressions by the number of the option
	projection  []Path
	consistent  bool
	capacity    string
	metrics     string
	returned    string
	startKey    []byte
	index       string
	choice      string // Select
	token       string
	// nil if they are not given
	limit, segment, segments *int
	forward                  *bool
}

// readOptions reads {number: value, ...}, or null for none.
func readOptions(r *cbor.Reader) (*options, error) {
	o := &options{expressions: map[int][]byte{}}
	if r.Is(cbor.Null) {
		return o, nil
	}
	err := r.Pairs(func(int, int) error {
		n, err := number(r)
		if err != nil {
			return err
		}
		return o.read(n, r)
	})
	return o, err
}

// read reads the value of an option. An unknown one is refused: what it asks for would not be done.
func (o *options) read(n int, r *cbor.Reader) (err error) {
	switch n {
	case optProjection:
		o.projection, err = optionalProjection(r)
	case optCondition, optUpdate, optFilter, optKeyCondition:
		o.expressions[n], err = r.Bytes()
	case optNames, optValues:
		// these belong to the text of expressions, which comes without them
		_, err = r.Item()
	case optConsistentRead:
		o.consistent, err = r.Bool()
	case optCapacity:
		o.capacity, err = oneOf(r, capacityValues)
	case optMetrics:
		o.metrics, err = oneOf(r, metricsValues)
	case optReturnValues:
		o.returned, err = oneOf(r, returnValues)
	case optSelect:
		o.choice, err = oneOf(r, selectValues)
	case optStartKey:
		o.startKey, err = r.Bytes()
	case optIndex:
		o.index, err = bounded(r.Name())
	case optToken:
		o.token, err = bounded(r.Name())
	case optLimit:
		o.limit, err = pointer(number(r))
	case optSegment:
		o.segment, err = pointer(number(r))
	case optTotalSegments:
		o.segments, err = pointer(number(r))
	case optForward:
		o.forward, err = pointer(r.Bool())
	default:
		err = cbor.ErrMalformed
	}
	return err
}

func pointer[T any](v T, err error) (*T, error) { return &v, err }

// tell tells the request what its answer depends on.
func (o *options) tell(q *Request) {
	q.Consistent = q.Consistent || o.consistent
	if o.capacity != "NONE" {
		q.Capacity = o.capacity
	}
	q.Indexed = o.index != ""
	q.Paths = o.projection
	q.Count = o.choice == "COUNT"
	q.partial = o.returned == "UPDATED_OLD" || o.returned == "UPDATED_NEW"
}

// end ends the JSON of a request with its last option.
func (o *options) end(dst []byte) []byte {
	if o.capacity != "" {
		dst = append(append(append(dst, `,"ReturnConsumedCapacity":"`...), o.capacity...), '"')
	}
	return append(dst, '}')
}

// appendTo appends the options but that of end as members of a request. s is the key of the table.
func (o *options) appendTo(dst []byte, s Schema) ([]byte, error) {
	texts := [...]struct{ name, value string }{
		{"IndexName", o.index}, {"Select", o.choice}, {"ReturnValues", o.returned},
		{"ReturnItemCollectionMetrics", o.metrics}, {"ClientRequestToken", o.token},
	}
	for _, t := range texts {
		if t.value != "" {
			dst = append(append(append(dst, `,"`...), t.name...), `":`...)
			dst = jsontext.AppendQuoted(dst, t.value)
		}
	}
	for _, x := range [...]struct {
		name string
		n    *int
	}{{"Limit", o.limit}, {"Segment", o.segment}, {"TotalSegments", o.segments}} {
		if x.n != nil {
			dst = appendInt(dst, x.name, *x.n)
		}
	}
	if o.consistent {
		dst = append(dst, `,"ConsistentRead":true`...)
	}
	if o.forward != nil {
		dst = strconv.AppendBool(append(dst, `,"ScanIndexForward":`...), *o.forward)
	}
	dst, err := o.appendStart(dst, s)
	if err != nil {
		return dst, err
	}
	return o.appendExpressions(dst)
}

// appendStart appends the ExclusiveStartKey. That of an index says the names of its attributes.
func (o *options) appendStart(dst []byte, s Schema) (_ []byte, err error) {
	if o.startKey == nil {
		return dst, nil
	}
	dst = append(dst, `,"ExclusiveStartKey":`...)
	if len(o.startKey) > maxText {
		return dst, cbor.ErrTooLarge
	}
	if o.index == "" {
		if dst, err = s.appendKey(append(dst, '{'), o.startKey); err != nil {
			return dst, err
		}
		return append(dst, '}'), nil
	}
	r := cbor.NewReader(o.startKey)
	dst = append(dst, '{')
	err = r.Pairs(func(i, _ int) error {
		name, err := r.Name()
		if err == nil {
			dst, err = appendValue(appendName(comma(dst, i), name), r, nil)
		}
		return err
	})
	if err == nil && !r.Done() {
		err = cbor.ErrMalformed
	}
	return append(dst, '}'), err
}

// appendExpressions appends the expressions with their placeholders.
func (o *options) appendExpressions(dst []byte) ([]byte, error) {
	var p scope
	for _, x := range [...]struct {
		option int
		name   string
		letter byte
	}{
		{optCondition, "ConditionExpression", 'c'}, {optFilter, "FilterExpression", 'f'},
		{optKeyCondition, "KeyConditionExpression", 'k'}, {optUpdate, "UpdateExpression", 'u'},
	} {
		data := o.expressions[x.option]
		if data == nil {
			continue
		}
		var text string
		var err error
		if x.option == optUpdate {
			text, err = p.update(data)
		} else {
			text, err = p.condition(data, x.letter)
		}
		if err != nil {
			return dst, err
		}
		dst = append(append(append(dst, `,"`...), x.name...), `":`...)
		dst = jsontext.AppendQuoted(dst, text)
	}
	if o.projection != nil {
		dst = append(dst, `,"ProjectionExpression":`...)
		dst = jsontext.AppendQuoted(dst, p.project(o.projection))
	}
	if err := p.check(); err != nil {
		return dst, err
	}
	return p.appendTo(dst), nil
}
