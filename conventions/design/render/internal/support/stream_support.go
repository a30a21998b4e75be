package support

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"maps"
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// StreamConsumer does what writes leave to the consumer of the table's stream: it changes counters,
// copies and last values, and puts items into feeds. A record that it gets twice changes nothing a
// second time, except counters that are kept by the stream without "once".
type StreamConsumer struct {
	Client StreamAPIClient
	// Unknown gets the records of items that are of no model. Without it such a record is an error,
	// and the consumer goes no further.
	Unknown func(ctx context.Context, r StreamRecord) error
}

// StreamAPIClient is a client of DynamoDB.
type StreamAPIClient interface {
	WriteAPIClient
	dynamodb.QueryAPIClient
	GetItem(context.Context, *dynamodb.GetItemInput,
		...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error)
	BatchWriteItem(context.Context, *dynamodb.BatchWriteItemInput,
		...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error)
}

// StreamEvent is a batch of records as Lambda has it in JSON.
type StreamEvent struct{ Records []StreamRecord }

// StreamRecord is a record of the stream, whose view type is NEW_AND_OLD_IMAGES. One that you read
// by GetRecords has its images from attributevalue.FromDynamoDBStreamsMap.
type StreamRecord struct {
	EventID, EventName, SequenceNumber string
	OldImage, NewImage                 map[string]types.AttributeValue
}

// StreamResponse says where Lambda has to go on.
type StreamResponse struct {
	BatchItemFailures []StreamFailure `json:"batchItemFailures"`
}

// StreamFailure is the first record that failed.
type StreamFailure struct {
	ItemIdentifier string `json:"itemIdentifier"` // a sequence number
}

// Handle is the handler of a Lambda function: lambda.Start(consumer.Handle). It logs an error, and
// answers where to go on. The event source mapping must have FunctionResponseTypes:
// [ReportBatchItemFailures], because without it Lambda takes a batch that has failed as done.
func (c *StreamConsumer) Handle(ctx context.Context,
	event StreamEvent) (StreamResponse, error) {
	failed, err := c.Consume(ctx, event.Records)
	if err != nil {
		slog.ErrorContext(ctx, "a record of the stream failed", "table", TableName,
			"sequenceNumber", failed, "error", err)
	}
	return responseOf(failed, err), nil
}

// responseOf returns the response of a batch whose record with a sequence number failed, if there
// is an error.
func responseOf(failed string, err error) StreamResponse {
	out := StreamResponse{BatchItemFailures: []StreamFailure{}}
	if err != nil {
		out.BatchItemFailures = append(out.BatchItemFailures, StreamFailure{failed})
	}
	return out
}

// Consume does what records cause, in their order. After an error it returns the sequence number of
// the record that failed: go on there, AT_SEQUENCE_NUMBER. Nothing was done of the records after
// it.
func (c *StreamConsumer) Consume(ctx context.Context,
	records []StreamRecord) (failed string, err error) {
	all := consumer{table: own(), client: c.Client, unknown: c.Unknown, effects: effects,
		shapes: shapes(), now: time.Now, wait: wait}
	return all.consume(ctx, records)
}

// consumer does what the records of a table's stream cause. What differs between tables is a value
// here, and what a test replaces: a proof runs it for any plan.
type consumer struct {
	table

	client  StreamAPIClient
	unknown func(context.Context, StreamRecord) error
	effects map[string]effect // what records cause, by event and model
	shapes  []shape
	now     func() time.Time
	wait    func(context.Context, time.Duration) error
}

func (c *consumer) consume(ctx context.Context,
	records []StreamRecord) (failed string, err error) {
	for i := range records {
		if err := c.record(ctx, &records[i]); err != nil {
			return records[i].SequenceNumber, err
		}
	}
	return "", nil
}

// effect does what a record causes.
type effect = func(*streaming, *StreamRecord)

// shape has the patterns that attributes of an item match if the item is of a model.
type shape struct {
	model string
	keys  map[string]*regexp.Regexp
}

// modelOf returns the model of an item, or "".
func (c *consumer) modelOf(item attributes) string {
	for _, s := range c.shapes {
		fits := true
		for name, pattern := range s.keys {
			v, ok := item[name].(*types.AttributeValueMemberS)
			fits = fits && ok && pattern.MatchString(v.Value)
		}
		if fits {
			return s.model
		}
	}
	return ""
}

// record does what a record causes.
func (c *consumer) record(ctx context.Context, r *StreamRecord) error {
	image := r.NewImage
	if r.EventName == "REMOVE" {
		image = r.OldImage
	}
	if image == nil || r.EventName == "MODIFY" && r.OldImage == nil {
		return errors.New(
			"a record lacks an image: the stream needs the view type NEW_AND_OLD_IMAGES")
	}
	model := c.modelOf(image)
	if model == "" && c.unknown != nil {
		return c.unknown(ctx, *r)
	}
	if model == "" {
		return fmt.Errorf("the item %s is of no model: set Unknown for items of others",
			shown(c.key(image)))
	}
	s := &streaming{consumer: c, ctx: ctx}
	if effect := c.effects[r.EventName+" "+model]; effect != nil {
		effect(s, r)
	}
	return s.err
}

// shown writes a key for an error.
func shown(key attributes) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(key)) {
		switch v := key[name].(type) {
		case *types.AttributeValueMemberS:
			all = append(all, fmt.Sprintf("%s %q", name, v.Value))
		case *types.AttributeValueMemberN:
			all = append(all, name+" "+v.Value)
		}
	}
	return strings.Join(all, ", ")
}

// streaming does what one record causes. It remembers the first error, and does nothing after that.
type streaming struct {
	*consumer

	ctx   context.Context // the context of the record
	batch []types.WriteRequest
	err   error
}

const (
	batchSize = 25 // the most items of a BatchWriteItem
	// A request is tried so often while it leaves items unprocessed, or conflicts with a
	// transaction.
	streamTries = 10
	streamWait  = 50 * time.Millisecond // the wait before the second try; it doubles
	markStays   = 24 * time.Hour        // how long the stream has a record
)

func (s *streaming) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// differs reports whether two values differ.
func differs(a, b any) bool { return !reflect.DeepEqual(a, b) }

// imageOf reads an item of a model.
func imageOf[T any](s *streaming, item attributes, of func(attributes) (T, error)) T {
	v, err := of(item)
	s.fail(err)
	return v
}

// found returns the item that a request finds, or nil.
func (s *streaming) found(in *dynamodb.GetItemInput, err error) attributes {
	s.fail(err)
	if s.err != nil {
		return nil
	}
	out, err := s.client.GetItem(s.ctx, in)
	if err != nil {
		s.fail(err)
		return nil
	}
	return out.Item
}

// whole returns all of an item, or nil if it was deleted.
func (s *streaming) whole(item attributes) attributes {
	return s.found(&dynamodb.GetItemInput{TableName: &s.name, Key: s.key(item),
		ConsistentRead: aws.Bool(true)}, nil)
}

// only returns the item that a request finds as a sequence.
func (s *streaming) only(in *dynamodb.GetItemInput, err error) iter.Seq[attributes] {
	return func(yield func(attributes) bool) {
		if item := s.found(in, err); item != nil {
			yield(item)
		}
	}
}

// each returns the items that a request finds, page by page.
func (s *streaming) each(in *dynamodb.QueryInput, err error) iter.Seq[attributes] {
	return s.eachOf([]*dynamodb.QueryInput{in}, err)
}

// eachOf returns the items that several requests find.
func (s *streaming) eachOf(all []*dynamodb.QueryInput, err error) iter.Seq[attributes] {
	return func(yield func(attributes) bool) {
		s.fail(err)
		for _, in := range all {
			for more := true; more; {
				if s.err != nil {
					return
				}
				out, err := s.client.Query(s.ctx, in)
				if err != nil {
					s.fail(err)
					return
				}
				for _, item := range out.Items {
					if !yield(item) || s.err != nil {
						return
					}
				}
				in.ExclusiveStartKey, more = out.LastEvaluatedKey, out.LastEvaluatedKey != nil
			}
		}
	}
}

// update changes an item. It returns false if the condition does not hold: then the item was
// deleted or changed.
func (s *streaming) update(in *dynamodb.UpdateItemInput) (done bool) {
	err := s.again(func() error {
		_, err := s.client.UpdateItem(s.ctx, in)
		return err
	})
	if refused := (*types.ConditionalCheckFailedException)(nil); errors.As(err, &refused) {
		return false
	}
	s.fail(err)
	return s.err == nil
}

// again sends a request, and sends it again while it conflicts with a transaction.
func (s *streaming) again(send func() error) (err error) {
	for try, wait := 1, streamWait; s.err == nil; try++ {
		if err = send(); try == streamTries || !conflicts(err) {
			return err
		}
		s.sleep(wait)
		wait *= 2
	}
	return s.err
}

// conflicts reports whether an error is a conflict with a transaction.
func conflicts(err error) bool {
	if refused := (*types.TransactionCanceledException)(nil); errors.As(err, &refused) {
		return slices.ContainsFunc(refused.CancellationReasons,
			func(r types.CancellationReason) bool {
				return aws.ToString(r.Code) == "TransactionConflict"
			})
	}
	conflict := (*types.TransactionConflictException)(nil)
	return errors.As(err, &conflict)
}

// refresh changes an item that has some attributes as they were from one state to another one. It
// returns false if they are not.
func (s *streaming) refresh(same []string, was, is storable) (done bool) {
	w := s.writer()
	w.change(same, was, is)
	s.fail(w.err)
	if s.err != nil {
		return false
	}
	if update := w.items[0].Update; update != nil {
		return s.update(updateInput(update))
	}
	return true // nothing differs
}

// follow changes a copy that is stored beside other values of its item: it reads the item, and does
// so again if somebody has changed it since.
func (s *streaming) follow(item attributes, same []string,
	change func(whole attributes) (was, is storable)) {
	for range streamTries {
		whole := s.whole(item)
		if whole == nil {
			return
		}
		if was, is := change(whole); s.refresh(same, was, is) {
			return
		}
	}
	s.fail(fmt.Errorf("the item %s changes all the time", shown(s.key(item))))
}

// set gives an item, if it is there, other values of attributes.
func (s *streaming) set(item, values attributes) {
	is, was := filled(values), attributes{}
	for name := range values {
		was[name] = nil // unlike each value, so that it is set, or removed
	}
	e := &valueExpressions{}
	update := e.Update(was, is, sameValue)
	s.update(&dynamodb.UpdateItemInput{TableName: &s.name, Key: s.key(item),
		UpdateExpression: &update, ConditionExpression: s.there(e, nil, nil),
		ExpressionAttributeNames: e.Names, ExpressionAttributeValues: e.Values})
}

// newer gives the item with a key, if it is there, the values of a new one, unless it has those of
// a newer one: order is the attribute that says so.
func (s *streaming) newer(k *keys, order string, key, values attributes) {
	for _, v := range key {
		k.need(v)
	}
	s.fail(k.err)
	if s.err != nil {
		return
	}
	is, was := filled(values), attributes{}
	for name := range values {
		was[name] = nil // unlike each value, so that it is set, or removed
	}
	e := &valueExpressions{}
	update := e.Update(was, is, sameValue)
	condition := *s.there(e, nil, nil) + " AND " + e.Older(order, is[order])
	s.update(&dynamodb.UpdateItemInput{TableName: &s.name, Key: key,
		UpdateExpression: &update, ConditionExpression: &condition,
		ExpressionAttributeNames: e.Names, ExpressionAttributeValues: e.Values})
}

// put puts an item with others.
func (s *streaming) put(item attributes, err error) {
	s.add(item, types.WriteRequest{PutRequest: &types.PutRequest{Item: item}}, err)
}

// remove deletes an item with others.
func (s *streaming) remove(item attributes, err error) {
	s.add(item, types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: s.key(item)}}, err)
}

// add adds a request for an item to the batch. A batch has an item once.
func (s *streaming) add(item attributes, r types.WriteRequest, err error) {
	s.fail(err)
	known := func(other types.WriteRequest) bool {
		if other.PutRequest != nil {
			return s.sameKey(other.PutRequest.Item, item)
		}
		return s.sameKey(other.DeleteRequest.Key, item)
	}
	if s.err != nil || slices.ContainsFunc(s.batch, known) {
		return
	}
	if s.batch = append(s.batch, r); len(s.batch) == batchSize {
		s.flush()
	}
}

// flush sends the batch. It sends again what is left unprocessed.
func (s *streaming) flush() {
	left, wait := s.batch, streamWait
	s.batch = nil
	for try := 0; s.err == nil && len(left) > 0; try++ {
		if try == streamTries {
			s.fail(fmt.Errorf("BatchWriteItem left %d items unprocessed", len(left)))
			return
		}
		if try > 0 {
			s.sleep(wait)
			wait *= 2
		}
		out, err := s.client.BatchWriteItem(s.ctx, &dynamodb.BatchWriteItemInput{
			RequestItems: map[string][]types.WriteRequest{s.name: left}})
		if err != nil {
			s.fail(err)
			return
		}
		left = out.UnprocessedItems[s.name]
	}
}

// sleep waits, at most until the record has no more time.
func (s *streaming) sleep(wait time.Duration) {
	s.fail(s.wait(s.ctx, wait))
}

// wait waits, unless a context ends before.
func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// writer returns what collects the items of a write.
func (s *streaming) writer() *writer { return &writer{table: s.table} }

// counted returns the counters of a write, each item once: a transaction cannot change it twice.
func (s *streaming) counted(w *writer) (all []*adding) {
	for _, a := range w.adds {
		i := slices.IndexFunc(all, func(other *adding) bool { return s.sameKey(other.key, a.key) })
		if i < 0 {
			all = append(all, a)
			continue
		}
		for j, name := range a.names {
			if at := slices.Index(all[i].names, name); at >= 0 {
				all[i].sums[at] = new(big.Rat).Add(all[i].sums[at], a.sums[j])
				continue
			}
			all[i].names, all[i].sums = append(all[i].names, name), append(all[i].sums, a.sums[j])
		}
	}
	return all
}

// count adds to counters. The counters of an item are one update.
func (s *streaming) count(w *writer) {
	s.fail(w.err)
	for _, a := range s.counted(w) {
		s.update(updateInput(a.update()))
	}
}

// countOnce adds to counters in one transaction with the item that marks the record as counted. It
// does nothing if that is there. It leaves out counters of items that were deleted.
func (s *streaming) countOnce(w *writer) {
	s.fail(w.err)
	for adds := s.counted(w); s.err == nil && len(adds) > 0; {
		items := slices.Clone(w.items)
		for _, a := range adds {
			items = append(items, types.TransactWriteItem{Update: a.update()})
		}
		err := s.again(func() error {
			_, err := s.client.TransactWriteItems(s.ctx,
				&dynamodb.TransactWriteItemsInput{TransactItems: items})
			return err
		})
		refused := (*types.TransactionCanceledException)(nil)
		if !errors.As(err, &refused) || len(refused.CancellationReasons) != len(items) {
			s.fail(err)
			return
		}
		fails := func(i int) bool {
			return aws.ToString(refused.CancellationReasons[i].Code) == "ConditionalCheckFailed"
		}
		if fails(0) {
			return
		}
		var there []*adding
		for i, a := range adds {
			if !fails(len(w.items) + i) {
				there = append(there, a)
			}
		}
		if len(there) == len(adds) { // it was refused for another reason
			s.fail(err)
		}
		adds = there
	}
}

// marked returns when the item expires that marks a record as counted.
func (s *streaming) marked() Number { return Int(s.now().Add(markStays).Unix()) }

// orZero returns a number to add: an item without it adds nothing.
func orZero(n Number) Number {
	if n == "" {
		return "0"
	}
	return n
}

// UnmarshalJSON reads a record of Lambda's event.
func (r *StreamRecord) UnmarshalJSON(text []byte) error {
	var in struct {
		EventID   string `json:"eventID"`
		EventName string `json:"eventName"`
		Dynamodb  struct {
			SequenceNumber     string
			OldImage, NewImage map[string]attributeJSON
		} `json:"dynamodb"`
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	*r = StreamRecord{in.EventID, in.EventName, in.Dynamodb.SequenceNumber,
		valuesOf(in.Dynamodb.OldImage), valuesOf(in.Dynamodb.NewImage)}
	return nil
}

// valuesOf returns attributes, or nil.
func valuesOf(in map[string]attributeJSON) attributes {
	if in == nil {
		return nil
	}
	out := attributes{}
	for name, v := range in {
		out[name] = v.value
	}
	return out
}

// attributeJSON is an attribute value in DynamoDB's JSON.
type attributeJSON struct{ value types.AttributeValue }

// UnmarshalJSON reads an attribute value.
func (v *attributeJSON) UnmarshalJSON(text []byte) error {
	var in struct {
		S, N       *string
		B          []byte
		BOOL, NULL *bool
		L          []attributeJSON
		M          map[string]attributeJSON
		SS, NS     []string
		BS         [][]byte
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	switch {
	case in.S != nil:
		v.value = &types.AttributeValueMemberS{Value: *in.S}
	case in.N != nil:
		v.value = &types.AttributeValueMemberN{Value: *in.N}
	case in.B != nil:
		v.value = &types.AttributeValueMemberB{Value: in.B}
	case in.BOOL != nil:
		v.value = &types.AttributeValueMemberBOOL{Value: *in.BOOL}
	case in.NULL != nil:
		v.value = &types.AttributeValueMemberNULL{Value: *in.NULL}
	case in.M != nil:
		v.value = &types.AttributeValueMemberM{Value: valuesOf(in.M)}
	case in.SS != nil:
		v.value = &types.AttributeValueMemberSS{Value: in.SS}
	case in.NS != nil:
		v.value = &types.AttributeValueMemberNS{Value: in.NS}
	case in.BS != nil:
		v.value = &types.AttributeValueMemberBS{Value: in.BS}
	case in.L != nil:
		all := make([]types.AttributeValue, len(in.L))
		for i := range in.L {
			all[i] = in.L[i].value
		}
		v.value = &types.AttributeValueMemberL{Value: all}
	default:
		return fmt.Errorf("%s is no attribute value", text)
	}
	return nil
}
