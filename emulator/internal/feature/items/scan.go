package items

import (
	"fmt"
	"sync"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/judgement"
	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage"
)

func Scan(c *serve.Call, in *api.ScanInput) (*api.ScanOutput, error) {
	s, err := newScan(c, in)
	if err != nil {
		return nil, err
	}
	if err := c.Store.View(func(tx *storage.Tx) error { return s.run(c, tx) }); err != nil {
		return nil, err
	}
	a, err := s.Answer(c)
	if err != nil {
		return nil, err
	}
	s.Record(c, int(a.count))
	return &api.ScanOutput{
		Items:            a.Items,
		Count:            &a.count,
		ScannedCount:     &a.scanned,
		LastEvaluatedKey: s.Last,
		ConsumedCapacity: s.Usage.Report(in.TableName),
	}, nil
}

func ScanTargets(in *api.ScanInput, ts *serve.Targets) {
	ts.Add(serve.Target{
		Table:    arn.TableCalled(in.TableName),
		Index:    string(api.Deref(in.IndexName)),
		Eventual: !api.IsTrue(in.ConsistentRead),
	})
}

// scanRead is a Scan on its way.
type scanRead struct {
	RangeRead
	segment keys.Segment
}

// newScan applies the rules that need no table.
func newScan(c *serve.Call, in *api.ScanInput) (*scanRead, error) {
	s := &scanRead{RangeRead: RangeRead{
		Index:      in.IndexName,
		Consistent: api.IsTrue(in.ConsistentRead),
		Limit:      int(api.Deref(in.Limit)),
		wanted:     api.Deref(in.Select),
		Start:      in.ExclusiveStartKey.Item,
		Usage:      c.NewUsage(in.ReturnConsumedCapacity),
	}}
	var err error
	if s.Table, err = c.TableName(*in.TableName); err != nil {
		return nil, err
	}
	x := scanParses.Get().(*scanParse)
	defer x.free()
	x.scanRead, x.in = s, in
	x.ReadParams = ReadParams{
		index:           in.IndexName,
		selection:       in.Select,
		attributesToGet: in.AttributesToGet,
		Projection:      in.ProjectionExpression,
		Filter:          in.FilterExpression,
		legacyFilter:    legacyFilter{"ScanFilter", in.ScanFilter},
		operator:        in.ConditionalOperator,
		start:           in.ExclusiveStartKey,
		Names:           in.ExpressionAttributeNames,
		Values:          in.ExpressionAttributeValues,
	}
	return s, orderOfScan.Judge(x)
}

// scanParse is a Scan whose parameters are read.
type scanParse struct {
	*scanRead
	ReadParams
	in    *api.ScanInput
	scope expr.Scope // the names and values of the expressions
}

// scanParses are freed ones, for their memory.
var scanParses = sync.Pool{New: func() any { return new(scanParse) }}

func (x *scanParse) free() {
	*x = scanParse{}
	scanParses.Put(x)
}

// orderOfScan orders the checks of Scan that need no table.
var orderOfScan = serve.ByLayers("Scan",
	serve.Step("parameters that do not go together", "", func(x *scanParse) error {
		params := x.Parameters()
		return params.Check()
	}).Of(judgement.Joins),
	serve.Step("AttributesToGet and the legacy filter", "12.3, C.1", func(x *scanParse) error {
		return x.legacy(&x.RangeRead)
	}).Of(judgement.Joins),
	serve.Step("names and values of ExclusiveStartKey", "12.3, F.8", func(x *scanParse) error {
		return x.ReadParams.checkStart()
	}).Of(judgement.Items),
	serve.Step("names and values of expressions", "", func(x *scanParse) error {
		return x.Open(&x.scope, false)
	}).Of(judgement.Values),
	serve.Step("the filter, and then the projection", "12.4", func(x *scanParse) error {
		return x.Expressions(&x.RangeRead, &x.scope)
	}).Of(judgement.Expressions),
	serve.Step("Select", "C.1", func(x *scanParse) error {
		return x.checkSelect()
	}).Of(judgement.Expressions),
	serve.Step("the segment", "", func(x *scanParse) (err error) {
		x.segment, err = keys.NewSegment(x.in.Segment, x.in.TotalSegments)
		return err
	}).Of(judgement.Expressions),
)

// checkStart checks the attributes of ExclusiveStartKey. The text for those of a table is not
// that of Query (service facts 3.13).
func (s *scanRead) checkStart() error {
	if s.Start == "" {
		return nil
	}
	err := keys.CheckStart(&s.Source, s.Start)
	if err != nil && s.Index == nil {
		return keys.ErrStartSchema
	}
	return err
}

// run checks the scan against its table and reads a page.
func (s *scanRead) run(c *serve.Call, tx *storage.Tx) error {
	if err := s.open(c, tx); err != nil {
		return err
	}
	if err := s.checkStart(); err != nil {
		return err
	}
	part := s.segment.Bounds()
	if s.Start != "" {
		k, err := keys.Start(&s.Source, s.Start)
		if err != nil {
			return err
		}
		if !keys.Within(&part, k) {
			return keys.ErrStartBecause(fmt.Sprintf(
				"Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. "+
					"TotalSegments: %d Segment: %d", s.segment.Total, s.segment.Number))
		}
		part = keys.After(part, k, false)
	}
	if err := s.CheckAttributes(tx); err != nil {
		return err
	}
	var err error
	if s.Reading, err = c.Policy.Read(&s.Source, nil); err != nil {
		return err
	}
	return s.page(c, tx, part)
}
