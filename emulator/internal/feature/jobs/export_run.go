package jobs

import (
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/items"
	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/emulator/transfers"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// exportRun is an export that runs.
type exportRun struct {
	*jobRun
	in     *api.ExportTableToPointInTimeInput
	filter *exportFilter
	key    *storage.KeySchema

	from, to time.Time // the period; from is zero for a full export
	known    time.Time // the first moment whose content is known
	at       *storage.TableAt
	before   *storage.TableAt          // the table at from, for an incremental export
	changed  map[storage.Key]time.Time // likewise
}

func (x *exportRun) incremental() bool { return !x.from.IsZero() }

// take takes what the export reads, so that later writes do not matter.
func (x *exportRun) take(tx *storage.Tx, t *storage.Table) {
	if !x.incremental() {
		x.at = tx.Recovery().At(t, x.notBeforeKnown(x.to))
		return
	}
	x.at = tx.Recovery().At(t, x.notBeforeKnown(x.to.Add(-time.Millisecond)))
	x.before = tx.Recovery().At(t, x.notBeforeKnown(x.from.Add(-time.Millisecond)))
	x.changed = tx.Recovery().ChangedBetween(t, x.from, x.to)
}

// notBeforeKnown returns a moment, or the first one whose content is known.
func (x *exportRun) notBeforeKnown(at time.Time) time.Time {
	if at.Before(x.known) {
		return x.known
	}
	return at
}

// write writes the export.
func (x *exportRun) write() error {
	if err := x.checkKey(); err != nil {
		return err
	}
	buckets, err := buckets(x.call)
	if err != nil {
		return err
	}
	w, err := buckets.Export(x.ctx, x.description())
	if err != nil {
		return err
	}
	j, err := x.writeRecords(w)
	if err != nil {
		w.Abort()
		return err
	}
	if j.Manifest, err = w.Close(&transfers.ExportSum{
		Ended: x.call.Now(), BilledBytes: j.Bytes,
	}); err != nil {
		return err
	}
	return x.account.Store.Update(func(tx *storage.Tx) error {
		x.keep(tx, j)
		return nil
	})
}

// checkKey returns an error if the key of the objects is of another region (ack-api-quirks,
// DDB-EXPORT-005). The text has not been seen.
func (x *exportRun) checkKey() error {
	part := strings.Split(string(api.Deref(x.in.S3SseKmsKeyId)), ":")
	if len(part) < 4 || part[3] == x.call.Region || x.call.Service.Shared {
		return nil
	}
	return &jobFailure{"KmsNotFoundException", "Invalid arn " + part[3]}
}

// description returns what the manifest says of the export.
func (x *exportRun) description() *transfers.Export {
	in, j := x.in, x.begun
	e := &transfers.Export{
		Location: transfers.Location{Bucket: string(*in.S3Bucket),
			Owner: string(api.Deref(in.S3BucketOwner)), Prefix: string(api.Deref(in.S3Prefix))},
		Encryption: transfers.Encryption{Algorithm: string(api.Deref(in.S3SseAlgorithm)),
			KMSKeyID: string(api.Deref(in.S3SseKmsKeyId))},
		ID: j.ID, ARN: j.arn(x.call.Owner), TableARN: x.call.TableARN(j.Table),
		TableID: j.TableID,
		Format:  string(exportFormat(in)), Started: j.Started.Time(),
	}
	if !x.incremental() {
		e.Time = x.to
		return e
	}
	e.From, e.To, e.View = x.from, x.to, string(exportView(in.IncrementalExportSpecification))
	return e
}

// exportFormat returns the format of an export. The default is DYNAMODB_JSON (Developer Guide,
// "Requesting a table export in DynamoDB").
func exportFormat(in *api.ExportTableToPointInTimeInput) api.ExportFormat {
	if in.ExportFormat == nil {
		return transfers.FormatJSON
	}
	return *in.ExportFormat
}

// exportView returns the images of an incremental export. The default is NEW_AND_OLD_IMAGES (API
// Reference, IncrementalExportSpecification, ExportViewType).
func exportView(spec *api.IncrementalExportSpecification) api.ExportViewType {
	if spec.ExportViewType == nil {
		return "NEW_AND_OLD_IMAGES"
	}
	return *spec.ExportViewType
}

// writeRecords writes the records and returns the job with its counts.
func (x *exportRun) writeRecords(w transfers.ExportWriter) (*Job, error) {
	j := *x.begun
	records := x.full()
	if x.incremental() {
		records = x.changes()
	}
	for r, bytes := range records {
		if err := x.ctx.Err(); err != nil {
			return nil, err
		}
		j.Bytes += bytes
		if r == nil {
			continue
		}
		if err := w.Write(r); err != nil {
			return nil, err
		}
		j.Written++
	}
	return &j, nil
}

// full yields the items of a full export, nil for those that the filter drops, with the bytes that
// were read for each.
func (x *exportRun) full() iter.Seq2[*transfers.ExportRecord, int64] {
	return func(yield func(*transfers.ExportRecord, int64) bool) {
		for it := range x.at.Items(x.filter.keys) {
			var r *transfers.ExportRecord
			if x.filter.wants(it) {
				r = &transfers.ExportRecord{New: x.filter.image(it)}
			}
			if !yield(r, int64(it.Size())) {
				return
			}
		}
	}
}

// changes yields the items of an incremental export in the order of their keys. An item that was
// not there before the period and is not there after it is left out (Developer Guide, "DynamoDB
// table export output format").
func (x *exportRun) changes() iter.Seq2[*transfers.ExportRecord, int64] {
	return func(yield func(*transfers.ExportRecord, int64) bool) {
		names := keys.NamesOf(x.key)
		for _, k := range slices.SortedFunc(maps.Keys(x.changed), compareKeys) {
			old, new := x.before.Get(k), x.at.Get(k)
			if !yield(x.change(k, names, old, new), int64(old.Size()+new.Size())) {
				return
			}
		}
	}
}

// change returns the record of an item that changed, or nil if the export does not have it.
func (x *exportRun) change(k storage.Key, names []string, old,
	new item.Item) *transfers.ExportRecord {
	last := new
	if last == "" {
		last = old
	}
	if last == "" || !x.filter.has(k) || !x.filter.wants(last) {
		return nil
	}
	r := &transfers.ExportRecord{Keys: last.Only(names...).JSON(), Written: x.changed[k]}
	if new != "" {
		r.New = x.filter.image(new)
	}
	if old != "" && exportView(x.in.IncrementalExportSpecification) == "NEW_AND_OLD_IMAGES" {
		r.Old = x.filter.image(old)
	}
	return r
}

func compareKeys(a, b storage.Key) int {
	switch {
	case keys.Less(a, b):
		return -1
	case keys.Less(b, a):
		return 1
	}
	return 0
}

// exportFilter is the FilterSpecification of an export.
type exportFilter struct {
	terms      []expr.KeyTerm
	condition  *expr.Condition  // nil: none
	projection *expr.Projection // nil: whole items
	keys       storage.Range    // set by open
}

// newExportFilter parses a FilterSpecification, which may be nil.
func newExportFilter(s *api.FilterSpecification) (*exportFilter, error) {
	f := &exportFilter{keys: storage.Range{HiOpen: true}}
	if s == nil {
		return f, nil
	}
	if reflect.ValueOf(*s).IsZero() { // ack-api-quirks, DDB-EXPORT-008
		return nil, apierr.Invalid(
			"Invalid Request: Invalid FilterSpecification: The specification can not be empty")
	}
	p := items.ReadParams{Projection: s.ProjectionExpression, Filter: s.FilterExpression,
		Names: s.ExpressionAttributeNames, Values: s.ExpressionAttributeValues}
	params := p.Parameters()
	params.WithValues = append(params.WithValues,
		items.Parameter{Name: "KeyConditionExpression", Given: s.KeyConditionExpression != nil})
	if err := params.Check(); err != nil {
		return nil, err
	}
	var scope expr.Scope
	if err := p.Open(&scope, s.KeyConditionExpression != nil); err != nil {
		return nil, err
	}
	if s.KeyConditionExpression != nil {
		var err error
		if f.terms, err = scope.KeyCondition(*s.KeyConditionExpression); err != nil {
			return nil, apierr.InvalidParameter(err.Error())
		}
	}
	var r items.RangeRead
	err := p.Expressions(&r, &scope)
	f.condition, f.projection = r.Filter, r.Projection
	return f, err
}

// open checks the filter against the table.
func (f *exportFilter) open(tx *storage.Tx, t *storage.Table) error {
	if err := keys.CheckScalars(tx, t, f.condition); err != nil {
		return err
	}
	if err := keys.CheckScalars(tx, t, f.projection); err != nil {
		return err
	}
	if f.terms == nil {
		return nil
	}
	source := keys.Source{Table: t}
	condition, err := keys.NewCondition(&source, f.terms)
	if err != nil {
		return err
	}
	q := items.QueryRead{
		RangeRead: items.RangeRead{Filter: f.condition, FilterName: "Filter Expression",
			Source: source},
	}
	if err := q.CheckFilter(); err != nil {
		return err
	}
	f.keys = condition.Locate(&source).Range
	return nil
}

// has reports whether a key is in the range of the key condition.
func (f *exportFilter) has(k storage.Key) bool { return keys.Within(&f.keys, k) }

// wants reports whether the condition holds for an item.
func (f *exportFilter) wants(it item.Item) bool {
	return f.condition == nil || f.condition.Match(it)
}

// image returns what the export has of an item.
func (f *exportFilter) image(it item.Item) item.JSON {
	if f.projection == nil {
		return it.JSON()
	}
	return item.JSON(f.projection.AppendJSON(nil, it))
}
