package emulator

import (
	"fmt"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage"
)

func scan(c *call, in *api.ScanInput) (*api.ScanOutput, error) {
	s, err := newScan(c, in)
	if err != nil {
		return nil, err
	}
	if err := c.store.View(func(tx *storage.Tx) error { return s.run(c, tx) }); err != nil {
		return nil, err
	}
	a, err := s.answer(c)
	if err != nil {
		return nil, err
	}
	s.record(c, int(a.count))
	return &api.ScanOutput{
		Items:            a.items,
		Count:            &a.count,
		ScannedCount:     &a.scanned,
		LastEvaluatedKey: s.last,
		ConsumedCapacity: s.usage.Report(in.TableName),
	}, nil
}

func scanTargets(in *api.ScanInput, ts *targets) {
	ts.add(target{
		table:    arn.TableCalled(in.TableName),
		index:    string(api.Deref(in.IndexName)),
		eventual: !api.IsTrue(in.ConsistentRead),
	})
}

// scanRead is a Scan on its way.
type scanRead struct {
	rangeRead
	segment keys.Segment
}

// newScan applies the rules that need no table.
func newScan(c *call, in *api.ScanInput) (*scanRead, error) {
	s := &scanRead{rangeRead: rangeRead{
		index:      in.IndexName,
		consistent: api.IsTrue(in.ConsistentRead),
		limit:      int(api.Deref(in.Limit)),
		wanted:     api.Deref(in.Select),
		start:      in.ExclusiveStartKey.Item,
		usage:      c.newUsage(in.ReturnConsumedCapacity),
	}}
	var err error
	if s.table, err = c.tableName(*in.TableName); err != nil {
		return nil, err
	}
	p := readParams{
		index:           in.IndexName,
		selection:       in.Select,
		attributesToGet: in.AttributesToGet,
		projection:      in.ProjectionExpression,
		filter:          in.FilterExpression,
		legacyFilter:    legacyFilter{"ScanFilter", in.ScanFilter},
		operator:        in.ConditionalOperator,
		start:           in.ExclusiveStartKey,
		names:           in.ExpressionAttributeNames,
		values:          in.ExpressionAttributeValues,
	}
	params := p.parameters()
	if err := params.check(); err != nil {
		return nil, err
	}
	if err := p.legacy(&s.rangeRead); err != nil {
		return nil, err
	}
	if err := p.checkStart(); err != nil {
		return nil, err
	}
	var scope expr.Scope
	if err := p.open(&scope, false); err != nil {
		return nil, err
	}
	if err := p.expressions(&s.rangeRead, &scope); err != nil {
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
	if s.start == "" {
		return nil
	}
	err := keys.CheckStart(&s.source, s.start)
	if err != nil && s.index == nil {
		return keys.ErrStartSchema
	}
	return err
}

// run checks the scan against its table and reads a page.
func (s *scanRead) run(c *call, tx *storage.Tx) error {
	if err := s.open(c, tx); err != nil {
		return err
	}
	if err := s.checkStart(); err != nil {
		return err
	}
	part := s.segment.Bounds()
	if s.start != "" {
		k, err := keys.Start(&s.source, s.start)
		if err != nil {
			return err
		}
		if !keys.Within(&part, k) {
			return keys.ErrStartBecause(fmt.Sprintf("Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. "+
				"TotalSegments: %d Segment: %d", s.segment.Total, s.segment.Number))
		}
		part = keys.After(part, k, false)
	}
	if err := s.checkAttributes(tx); err != nil {
		return err
	}
	if err := c.watch.read(&s.source, nil); err != nil {
		return err
	}
	return s.page(c, tx, part)
}
