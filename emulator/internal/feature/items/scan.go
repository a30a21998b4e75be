package items

import (
	"fmt"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
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
	p := ReadParams{
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
	params := p.Parameters()
	if err := params.Check(); err != nil {
		return nil, err
	}
	if err := p.legacy(&s.RangeRead); err != nil {
		return nil, err
	}
	if err := p.checkStart(); err != nil {
		return nil, err
	}
	var scope expr.Scope
	if err := p.Open(&scope, false); err != nil {
		return nil, err
	}
	if err := p.Expressions(&s.RangeRead, &scope); err != nil {
		return nil, err
	}
	if err := p.checkSelect(); err != nil {
		return nil, err
	}
	s.segment, err = keys.NewSegment(in.Segment, in.TotalSegments)
	return s, err
}

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
	if err := c.Watch.Read(&s.Source, nil); err != nil {
		return err
	}
	return s.page(c, tx, part)
}
