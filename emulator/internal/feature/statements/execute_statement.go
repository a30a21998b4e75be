package statements

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/items"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
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

func ExecuteStatement(c *serve.Call, in *api.ExecuteStatementInput) (*api.ExecuteStatementOutput,
	error) {
	s, err := newStatement(c, in.Statement, in.Parameters)
	if err != nil {
		return nil, err
	}
	switch s.Kind {
	case partiql.Exists:
		return nil, errExistsAlone
	case partiql.Select:
		return executeSelect(c, s, in)
	}
	switch {
	case in.Limit != nil:
		return nil, errWriteLimit
	case in.NextToken != nil:
		return nil, errWriteToken
	}
	set, w := items.NewWrite(s.table, c.NewUsage(in.ReturnConsumedCapacity))
	defer set.Free()
	s.write(c, w, in.ReturnValuesOnConditionCheckFailure)
	if err := set.Commit(c); err != nil {
		return nil, err
	}
	out := &api.ExecuteStatementOutput{
		Items: []item.JSON{}, ConsumedCapacity: set.Tables[0].Used.Report(s.requested()),
	}
	if returned := w.Change.Answer(s.returning(), w.Old, w.New); returned != "" {
		out.Items = append(out.Items, returned)
	}
	return out, nil
}

func ExecuteStatementTargets(in *api.ExecuteStatementInput, ts *serve.Targets) {
	addStatement(ts, in.Statement, in.Parameters, in.ConsistentRead)
}

func executeSelect(c *serve.Call, s *statement,
	in *api.ExecuteStatementInput) (*api.ExecuteStatementOutput, error) {
	r := s.newSelect(in.ConsistentRead, c.NewUsage(in.ReturnConsumedCapacity))
	r.Limit = int(api.Deref(in.Limit))
	if in.NextToken != nil {
		var err error
		if r.Start, err = s.readToken(string(*in.NextToken)); err != nil {
			return nil, err
		}
	}
	if err := c.Store.View(func(tx *storage.Tx) error { return r.run(c, tx) }); err != nil {
		return nil, err
	}
	items, err := r.selected(c)
	if err != nil {
		return nil, err
	}
	out := &api.ExecuteStatementOutput{
		Items:            items,
		ConsumedCapacity: r.Usage.Report(s.requested()),
		LastEvaluatedKey: r.Last,
	}
	r.planned.record(r.Record(c, len(out.Items)))
	if r.Last != "" {
		out.NextToken = api.Ref(api.PartiQLNextToken(s.token(r.Last)))
	}
	return out, nil
}
