package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/expr/partiql"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// What only a SELECT has: API Reference, ExecuteStatement, Limit and NextToken, which
// speak of reads. The texts are unconfirmed.
var (
	errWriteLimit = apierr.Invalid("Limit can only be specified for SELECT statements")
	errWriteToken = apierr.Invalid("NextToken can only be specified for SELECT statements")
)

func executeStatement(c *call, in *api.ExecuteStatementInput) (*api.ExecuteStatementOutput, error) {
	s, err := c.newStatement(in.Statement, in.Parameters)
	if err != nil {
		return nil, err
	}
	switch s.Kind {
	case partiql.Exists:
		return nil, errExistsAlone
	case partiql.Select:
		return c.executeSelect(s, in)
	}
	switch {
	case in.Limit != nil:
		return nil, errWriteLimit
	case in.NextToken != nil:
		return nil, errWriteToken
	}
	set, w := newWrite(s.table, c.newUsage(in.ReturnConsumedCapacity))
	defer set.free()
	s.write(c, w, in.ReturnValuesOnConditionCheckFailure)
	if err := set.commit(c); err != nil {
		return nil, err
	}
	out := &api.ExecuteStatementOutput{Items: []item.JSON{}, ConsumedCapacity: set.tables[0].used.Report(s.requested())}
	if returned := w.change.answer(s.returning(), w.old, w.new); returned != "" {
		out.Items = append(out.Items, returned)
	}
	return out, nil
}

func executeStatementTargets(in *api.ExecuteStatementInput, ts *targets) {
	ts.addStatement(in.Statement, in.Parameters, in.ConsistentRead)
}

func (c *call) executeSelect(s *statement, in *api.ExecuteStatementInput) (*api.ExecuteStatementOutput, error) {
	r := s.newSelect(in.ConsistentRead, c.newUsage(in.ReturnConsumedCapacity))
	r.limit = int(api.Deref(in.Limit))
	if in.NextToken != nil {
		var err error
		if r.start, err = s.readToken(string(*in.NextToken)); err != nil {
			return nil, err
		}
	}
	if err := c.store.View(func(tx *storage.Tx) error { return r.run(c, tx) }); err != nil {
		return nil, err
	}
	items, err := r.selected(c)
	if err != nil {
		return nil, err
	}
	out := &api.ExecuteStatementOutput{
		Items:            items,
		ConsumedCapacity: r.usage.Report(s.requested()),
		LastEvaluatedKey: r.last,
	}
	r.planned.record(r.record(c, len(out.Items)))
	if r.last != "" {
		out.NextToken = api.Ref(api.PartiQLNextToken(s.token(r.last)))
	}
	return out, nil
}
