package trigger

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// MaxEvent is how many bytes an event has at most (Lambda quotas, Invocation payload).
const MaxEvent = 6 << 20

// A failed batch is tried again after a pause that begins with the first and doubles up to the
// last.
const (
	firstPause = 100 * time.Millisecond
	lastPause  = 10 * time.Second
)

// Record is a record of a stream.
type Record struct {
	SequenceNumber string
	Time           time.Time // the time of the change
	JSON           []byte    // the record as Lambda passes it
}

// Batch has records of one shard, in their order.
type Batch struct {
	StreamARN string
	ShardID   string
	Records   []Record
}

// Trigger is a mapping with its function.
type Trigger struct {
	Mapping
	name     string
	function Function
	filters  []filter
}

// New returns a trigger, or an error if the mapping is not valid. The name is that of the function.
// It tells triggers of the same table apart, also those of an earlier process.
func New(m Mapping, name string, f Function) (*Trigger, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	filters, err := newFilters(m.Filters)
	return &Trigger{Mapping: m, name: name, function: f, filters: filters}, err
}

// Name returns the table and the name of the function.
func (t *Trigger) Name() string { return t.Table + " -> " + t.name }

// Wants reports whether the function gets a record.
func (t *Trigger) Wants(record []byte) bool { return matchesAny(t.filters, record) }

// Full reports whether a batch has as many records as a call gets, or would have too many bytes
// with another record.
func (t *Trigger) Full(records, bytes, next int) bool {
	return records >= t.batchSize() || records > 0 && bytes+next > MaxEvent-64
}

// BatchesPerShard returns how many batches of a shard the function may have at a time: the
// ParallelizationFactor.
func (t *Trigger) BatchesPerShard() int { return t.factor() }

// Clock gives a delivery the time, and takes its logs. All functions must be set.
type Clock struct {
	Now func() time.Time
	// returns an error if ctx ends before d has passed
	Sleep func(ctx context.Context, d time.Duration) error
	Log   func(text string, err error) // called for each call that failed
}

// delivery is the delivery of a batch.
type delivery struct {
	*Trigger
	clock Clock
	batch Batch
	done  func(sequenceNumber string) error

	window *Window // the window that the records are in; nil for none
}

// piece is a part of a batch: the records of one call.
type piece struct {
	records []Record
	retries int
	calls   int
	last    error // the error of the last call
}

// Deliver calls the function with a batch until all of its records are handled or given up. It
// calls done whenever that advances, with the sequence number of the last such record. It returns
// an error if ctx ends before, or if done returns one.
func (t *Trigger) Deliver(ctx context.Context, clock Clock, b Batch,
	done func(sequenceNumber string) error) error {
	return (&delivery{t, clock, b, done, nil}).run(ctx)
}

// run calls the function until the batch is delivered.
func (d *delivery) run(ctx context.Context) error {
	pieces := []piece{{records: d.batch.Records}}
	pause := firstPause
	for len(pieces) > 0 {
		next, failed, err := d.try(ctx, pieces[0])
		if err != nil {
			return err
		}
		pieces = append(next, pieces[1:]...)
		if !failed {
			pause = firstPause
			continue
		}
		if err := d.clock.Sleep(ctx, pause); err != nil {
			return err
		}
		pause = min(2*pause, lastPause)
	}
	return nil
}

// try calls the function with a piece. It returns what is left of it, and whether there was an
// error after which to wait.
func (d *delivery) try(ctx context.Context, p piece) (left []piece, failed bool, err error) {
	if old := d.tooOld(p.records); old > 0 {
		if err := d.discard(ctx, p, old, "RecordAgeExceeded"); err != nil || old == len(p.records) {
			return nil, false, err
		}
		p.records = p.records[old:]
	}
	handled, why := d.call(ctx, p.records)
	if ctx.Err() != nil {
		return nil, false, ctx.Err()
	}
	p.calls++
	p.last = why
	if handled > 0 {
		if err := d.done(p.records[handled-1].SequenceNumber); err != nil {
			return nil, false, err
		}
	}
	if why == nil {
		return nil, false, nil
	}
	d.clock.Log(
		fmt.Sprintf("%s failed with %d records of %s", d.Name(), len(p.records)-handled,
			d.batch.ShardID), why)
	if handled > 0 { // the record that failed has its own attempts
		return []piece{{records: p.records[handled:]}}, true, nil
	}
	if half := len(p.records) / 2; d.BisectBatchOnFunctionError && half > 0 && !isPartial(why) {
		return []piece{{records: p.records[:half], retries: p.retries},
			{records: p.records[half:], retries: p.retries}}, true, nil
	}
	if d.MaxRetries != Forever && p.retries >= d.MaxRetries {
		return nil, false, d.discard(ctx, p, len(p.records), "RetryAttemptsExhausted")
	}
	p.retries++
	return []piece{p}, true, nil
}

// tooOld returns how many of the first records are too old.
func (d *delivery) tooOld(records []Record) (n int) {
	for d.MaxRecordAge > 0 && n < len(records) &&
		d.clock.Now().Sub(records[n].Time) > d.MaxRecordAge {
		n++
	}
	return n
}

// errPartial is the error of a response that names a record.
type errPartial struct{ sequenceNumber string }

func (e errPartial) Error() string { return "the response names the record " + e.sequenceNumber }

func isPartial(err error) bool {
	_, is := err.(errPartial)
	return is
}

// call calls the function. It returns how many of the first records were handled, and why not all.
func (d *delivery) call(ctx context.Context, records []Record) (handled int, err error) {
	response, err := d.ask(ctx, records)
	if err != nil {
		return 0, err
	}
	if !d.ReportBatchItemFailures {
		return len(records), nil
	}
	failures, err := failuresOf(response)
	if err != nil {
		return 0, err
	}
	if len(failures) == 0 {
		return len(records), nil
	}
	places := make(map[string]int, len(records))
	for i := range records {
		places[records[i].SequenceNumber] = i
	}
	first := len(records)
	for _, id := range failures {
		at, there := places[id]
		if !there {
			return 0, fmt.Errorf("the response names %q, which is no record of the batch", id)
		}
		first = min(first, at)
	}
	return first, errPartial{records[first].SequenceNumber}
}

// ask calls the function, and takes the state from its response if there is a window.
func (d *delivery) ask(ctx context.Context, records []Record) (response []byte, err error) {
	if d.window == nil {
		return d.function(ctx, event(records))
	}
	response, err = d.function(ctx, d.window.event(&d.batch, records, false))
	if err == nil {
		err = d.window.take(response)
	}
	return response, err
}

// event returns the JSON that a function gets.
func event(records []Record) []byte {
	parts := make([][]byte, len(records))
	for i := range records {
		parts[i] = records[i].JSON
	}
	return fmt.Appendf(nil, `{"Records":[%s]}`, bytes.Join(parts, []byte(",")))
}

// failuresOf returns the records that a response names. An error means that all failed (Lambda
// Developer Guide, "Configuring partial batch response with DynamoDB and Lambda").
func failuresOf(response []byte) (ids []string, err error) {
	if text := strings.TrimSpace(string(response)); text == "" || text == "null" || text == "{}" {
		return nil, nil
	}
	var r struct {
		Failures failures `json:"batchItemFailures"`
	}
	if err := json.Unmarshal(response, &r); err != nil {
		return nil, fmt.Errorf("the response is not of the form of partial failures: %w", err)
	}
	return r.Failures, nil
}

// failures are the identifiers of a list of failures.
type failures []string

// UnmarshalJSON reads the list failure by failure, so that it takes no more memory than the
// identifiers.
func (f *failures) UnmarshalJSON(list []byte) error {
	d := json.NewDecoder(bytes.NewReader(list))
	begin, err := d.Token()
	if err != nil || begin == nil { // null
		return err
	}
	if begin != json.Delim('[') {
		return errors.New("batchItemFailures is no list")
	}
	for d.More() {
		var failure map[string]any
		if err := d.Decode(&failure); err != nil {
			return err
		}
		id, _ := failure["itemIdentifier"].(string)
		if id == "" {
			return errors.New("the response has a failure without itemIdentifier")
		}
		*f = append(*f, id)
	}
	return nil
}

// discard gives up the first n records of a piece.
func (d *delivery) discard(ctx context.Context, p piece, n int, condition string) error {
	given := p.records[:n]
	if d.OnFailure != nil {
		if err := d.OnFailure(ctx, d.invocation(given, &p, condition)); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			d.clock.Log(d.Name()+" gave up records that the destination of failures did not take",
				err)
		}
	}
	return d.done(given[n-1].SequenceNumber)
}

// invocation is the JSON that a destination of failures gets (Lambda Developer Guide, "Retain
// discarded records for a DynamoDB event source in Lambda"; service facts M.12).
func (d *delivery) invocation(records []Record, p *piece, condition string) []byte {
	type object = map[string]any
	var fault any // null if the function named what it did not handle
	if p.last != nil && !isPartial(p.last) {
		fault = "Unhandled"
	}
	first, last := records[0], records[len(records)-1]
	const layout = "2006-01-02T15:04:05Z"
	members := object{
		"requestContext": object{"requestId": newRequestID(), "functionArn": d.name,
			"condition": condition, "approximateInvokeCount": p.calls},
		"responseContext": object{
			"statusCode": 200, "executedVersion": "$LATEST", "functionError": fault,
		},
		"version":   "1.0",
		"timestamp": d.clock.Now().UTC().Format("2006-01-02T15:04:05.000Z"),
		"DDBStreamBatchInfo": object{
			"shardId": d.batch.ShardID, "startSequenceNumber": first.SequenceNumber,
			"endSequenceNumber":               last.SequenceNumber,
			"approximateArrivalOfFirstRecord": first.Time.UTC().Format(layout),
			"approximateArrivalOfLastRecord":  last.Time.UTC().Format(layout),
			"batchSize":                       len(records), "streamArn": d.batch.StreamARN,
		},
	}
	if d.OnFailurePayload {
		members["payload"] = json.RawMessage(event(records))
	}
	text, err := json.Marshal(members)
	if err != nil {
		panic(err) // all members have a form in JSON
	}
	return append(text, '\n')
}

// newRequestID returns an ID in the form of those of Lambda's calls.
func newRequestID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // this never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
