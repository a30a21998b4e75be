package jobs

import (
	"errors"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/conventions/wire"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/items"
	"github.com/kugiri-db/kugiri/emulator/internal/metering"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/transfers"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// loader puts the records of a source into the table of a job: an import or a bulk put. It writes
// in batches, so that other requests wait only for a batch.
type loader struct {
	*jobRun
	// finds the table, or says why not to write to it
	table      func(tx *storage.Tx) (*storage.Table, error)
	conditions bool // records may have conditions
	// the most write units a second; 0 is no limit
	unitsRate int64

	// refused is told of a record that is not written, after its outcome is kept. keepRefused may
	// keep it too, within the same Update; nil: there is nothing to keep.
	refused     func(r *loadRecord) error
	keepRefused func(tx *storage.Tx, r *loadRecord)

	counts Job     // what is kept of the records so far
	units  float64 // written in this run
	since  time.Time
}

// The limits of a batch.
const (
	loadBatch      = 100
	loadBatchBytes = 1 << 20
)

// conflictPause is how long a loader waits for an item that a transaction holds.
const conflictPause = 100 * time.Millisecond

// loadRecord is a record on its way into the table.
type loadRecord struct {
	key       string // the object's key
	index     int64
	item      item.Item
	condition *expr.Condition
	err       error         // why it cannot be written
	ofSet     bool          // err is of the table as a whole, and the record of no object
	refusal   *apierr.Error // err as the service words it; set with the outcome

	old, new item.Item
	effects  []storage.Effect
	vectors  []storage.VectorEffect
}

// loadShape is a record as it is written in an object.
type loadShape struct {
	Item                      item.Attributes            `wire:"Item"`
	ConditionExpression       *string                    `wire:"ConditionExpression"`
	ExpressionAttributeNames  api.Map[api.AttributeName] `wire:"ExpressionAttributeNames"`
	ExpressionAttributeValues item.Attributes            `wire:"ExpressionAttributeValues"`
}

var errNoItem = apierr.Invalid("The record has no Item")

// run loads all records. A job that an earlier process has begun goes on after the last record
// whose outcome was kept.
func (l *loader) run(source transfers.SourceReader) error {
	objects := source.Progress().Objects
	if l.begun.Processed > 0 && l.begun.Source != "" && l.begun.Source != objects {
		return errSourceChanged
	}
	l.since = l.call.Now()
	l.counts = *l.begun
	l.counts.Source = objects
	l.counts.Used, l.counts.Vectors = maps.Clone(l.counts.Used), maps.Clone(l.counts.Vectors)
	for {
		batch, end, err := l.read(source)
		if err != nil {
			return err
		}
		p := source.Progress()
		l.counts.Bytes, l.counts.Stored, l.counts.Total = p.Unpacked, p.Stored, p.Total
		if err := l.write(batch); err != nil {
			return err
		}
		if end {
			return l.judgeSet()
		}
		if err := l.pace(); err != nil {
			return err
		}
	}
}

// errSourceChanged is the failure of a job that cannot go on, because the objects changed after it
// had read a part of them. S3 answers a read with the condition If-Match so.
var errSourceChanged = &transfers.Error{Code: "PreconditionFailed",
	Message: "At least one of the pre-conditions you specified did not hold " +
		"(Service: Amazon S3; Status Code: 412; Error Code: PreconditionFailed): the objects have changed since the operation began to read them"}

// read reads the records of a batch.
func (l *loader) read(source transfers.SourceReader) (batch []loadRecord, end bool, err error) {
	for bytes := 0; len(batch) < loadBatch && bytes < loadBatchBytes; {
		if err := l.ctx.Err(); err != nil {
			return nil, false, err
		}
		found, err := source.Next()
		if errors.Is(err, io.EOF) {
			return batch, true, nil
		}
		if err != nil {
			return nil, false, err
		}
		if l.begun.hasRead(found) {
			continue
		}
		batch = append(batch, l.parse(found))
		bytes += len(found.Text)
	}
	return batch, false, nil
}

// parse makes the checks of a record that need no table.
func (l *loader) parse(found *transfers.SourceRecord) loadRecord {
	r := loadRecord{key: found.Key, index: found.Index, err: found.Err}
	if r.err != nil {
		return r
	}
	var shape loadShape
	if r.err = wire.Decode(found.Text, &shape, nil); r.err != nil {
		return r
	}
	r.item = shape.Item.Item
	if !items.Given(shape.Item) {
		r.err = errNoItem
		return r
	}
	if r.err = items.CheckNewItem(l.call, shape.Item); r.err != nil || !l.conditions {
		return r
	}
	p := items.ConditionParams{
		Source: shape.ConditionExpression, Names: shape.ExpressionAttributeNames,
		Values: shape.ExpressionAttributeValues,
	}
	params := p.Parameters()
	if r.err = params.Check(); r.err == nil {
		_, r.condition, r.err = p.Read(nil)
	}
	return r
}

// errAgain rolls a batch back, whose records are then written one by one.
var errAgain = errors.New("one by one")

// hasRead reports whether the outcome of a record is kept in the job. A source yields its objects
// in the order of their keys.
func (j *Job) hasRead(r *transfers.SourceRecord) bool {
	return j.Processed > 0 && (r.Key < j.Object || r.Key == j.Object && r.Index <= j.Index)
}

// write writes a batch. What becomes of a record is kept in the same Update in which it is written:
// a job that goes on in another process neither writes a record twice nor leaves one out.
func (l *loader) write(batch []loadRecord) (err error) {
	if l.call.Policy == nil { // a policy counts what it has accepted
		batch, err = l.writeTogether(batch)
		if !errors.Is(err, errAgain) {
			return err
		}
	}
	return l.writeSingly(batch)
}

// update runs an Update with the table.
func (l *loader) update(f func(*storage.Tx, *storage.Table) error) error {
	return l.account.Store.Update(func(tx *storage.Tx) error {
		t, err := l.table(tx)
		if err != nil {
			return err
		}
		return f(tx, t)
	})
}

// writeTogether writes as many records as it can in one Update, and then the next. It returns those
// that are left and errAgain if one of them is refused.
func (l *loader) writeTogether(batch []loadRecord) (left []loadRecord, err error) {
	for len(batch) > 0 {
		n := 0
		if err := l.update(func(tx *storage.Tx, t *storage.Table) (err error) {
			if n, err = l.putDistinct(tx, t, batch); err == nil {
				l.keepOutcomes(tx, batch[:n])
			}
			return err
		}); err != nil {
			return batch, err
		}
		if err := l.tell(batch[:n]); err != nil {
			return nil, err
		}
		batch = batch[n:]
	}
	return nil, nil
}

// putDistinct puts the records up to the second one of an item, because a commit makes one change
// of an item. It skips those that are refused already, and returns errAgain if it finds another.
func (l *loader) putDistinct(tx *storage.Tx, t *storage.Table, batch []loadRecord) (n int,
	err error) {
	seen := make(map[storage.Key]bool, len(batch))
	for i := range batch {
		r := &batch[i]
		if r.err != nil {
			continue
		}
		k, ok := t.Key.Encode(r.item)
		if seen[k] {
			return i, nil
		}
		if err := l.put(tx, t, r); err != nil || !ok {
			return 0, errAgain
		}
		seen[k] = true
	}
	return len(batch), nil
}

// writeSingly writes each record in an Update of its own. The outcomes of those that are refused
// are kept with the next one that is written, or at the end.
func (l *loader) writeSingly(batch []loadRecord) error {
	first := 0 // the first record whose outcome is not kept
	for i := range batch {
		if batch[i].err != nil {
			continue
		}
		if err := l.writeLast(batch[first : i+1]); err != nil {
			return err
		}
		if batch[i].err == nil {
			first = i + 1
		}
	}
	if first == len(batch) {
		return nil
	}
	return l.keepBatch(batch[first:])
}

// keepBatch keeps what became of records that are refused, and how much has been read.
func (l *loader) keepBatch(refused []loadRecord) error {
	if err := l.update(func(tx *storage.Tx, _ *storage.Table) error {
		l.keepOutcomes(tx, refused)
		return nil
	}); err != nil {
		return err
	}
	return l.tell(refused)
}

// judgeSet ends a load: what items need of each other is judged when all are there, whatever their
// order. What is missing counts as an error of the job.
func (l *loader) judgeSet() error {
	var missing []loadRecord
	if err := l.update(func(tx *storage.Tx, t *storage.Table) error {
		missing = nil
		for _, err := range l.call.Policy.JudgeSet(tx, t) {
			missing = append(missing, loadRecord{key: l.counts.Object, err: err, ofSet: true})
		}
		l.keepOutcomes(tx, missing)
		return nil
	}); err != nil {
		return err
	}
	return l.tell(missing)
}

// writeLast writes the last of some records, after the others were refused, and keeps the outcomes
// of all. If the last is refused too it only says so in the record.
func (l *loader) writeLast(records []loadRecord) error {
	r := &records[len(records)-1]
	for {
		err := l.update(func(tx *storage.Tx, t *storage.Table) error {
			err := l.put(tx, t, r)
			if err == nil {
				l.keepOutcomes(tx, records)
			}
			return err
		})
		l.call.Policy.Settle(err)
		e := apierr.As(err)
		switch {
		case err == nil:
			return l.tell(records)
		case e == nil || errors.Is(err, errJobTable):
			return err
		case e.Type != apierr.TransactionConflict:
			r.err = err
			return nil
		}
		if err := l.sleep(conflictPause); err != nil {
			return err
		}
	}
}

// put puts a record.
func (l *loader) put(tx *storage.Tx, t *storage.Table, r *loadRecord) error {
	s, w := items.NewWrite(t.Name, metering.Usage{})
	defer s.Free()
	s.Loading, s.Tables[0].Table = true, t
	w.SetPut(l.call, r.item)
	w.Condition, w.FailedOld = r.condition, true
	if err := s.Run(l.call, tx); err != nil {
		return err
	}
	r.old, r.new = w.Old, w.New
	r.effects, r.vectors = tx.Effects(t, w.Old, w.New), nil
	if w.Old != w.New {
		r.vectors = slices.Clone(tx.Vectors().Effects(t, w.Key))
	}
	return nil
}

// keepOutcomes keeps what became of records, within the Update that writes them.
func (l *loader) keepOutcomes(tx *storage.Tx, records []loadRecord) {
	for i := range records {
		l.count(tx, &records[i])
	}
	j := *l.job
	n := &l.counts
	j.Processed, j.Written, j.Errors = n.Processed, n.Written, n.Errors
	j.Bytes, j.Stored, j.Total = n.Bytes, n.Stored, n.Total
	j.Object, j.Index, j.Source = n.Object, n.Index, n.Source
	if len(records) > 0 {
		serve.AttemptsOf(l.account).GotOn(tx, j.Key())
	}
	j.Used, j.Vectors = maps.Clone(n.Used), maps.Clone(n.Vectors)
	l.keep(tx, &j)
}

// count counts a record, and keeps it if it is refused.
func (l *loader) count(tx *storage.Tx, r *loadRecord) {
	if !r.ofSet {
		l.counts.Processed++
		l.counts.Object, l.counts.Index = r.key, r.index
	}
	if r.err == nil {
		l.counts.Written++
		l.measure(r)
		return
	}
	if r.condition == nil || !items.RefusedByCondition(r.err) {
		l.counts.Errors++
	}
	r.refusal = asRefusal(r.err)
	if l.keepRefused != nil {
		l.keepRefused(tx, r)
	}
}

// tell tells of those of some records that are refused.
func (l *loader) tell(records []loadRecord) error {
	for i := range records {
		if records[i].refusal != nil {
			if err := l.refused(&records[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// asRefusal returns the error of a record as the service words it.
func asRefusal(err error) *apierr.Error {
	if e := apierr.As(apierr.OldForm.Worded(err)); e != nil {
		return e
	}
	return &apierr.Error{Type: apierr.Validation, Message: err.Error()}
}

// measure counts the bytes and units of a written record.
func (l *loader) measure(r *loadRecord) {
	if l.counts.Used == nil {
		l.counts.Used, l.counts.Vectors = map[string]int64{}, map[string]int64{}
	}
	l.counts.Used[""] += int64(r.new.Size())
	l.units += metering.WriteUnits(max(r.old.Size(), r.new.Size()))
	for _, e := range r.effects {
		l.counts.Used[e.Index.Name] += int64(e.New)
		l.units += metering.IndexWriteUnits(e)
	}
	for _, e := range r.vectors {
		l.counts.Vectors[e.Index.Name] += int64(e.New)
	}
}

// pace waits until the rate allows another batch.
func (l *loader) pace() error {
	if l.unitsRate == 0 {
		return nil
	}
	for {
		rate := float64(l.unitsRate)
		over := l.units - rate*(1+l.call.Now().Sub(l.since).Seconds())
		if over <= 0 {
			return nil
		}
		if err := l.sleep(
			time.Duration(over/rate*float64(time.Second)) + time.Millisecond); err != nil {
			return err
		}
	}
}

// errJobTable is the error of a job whose table is gone or cannot be written any more.
var errJobTable = &jobFailure{"ResourceNotFoundException",
	"The table was deleted or replaced while the operation was in progress"}
