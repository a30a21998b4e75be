package statements

import (
	"slices"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/items"
	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/emulator/internal/metering"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/expr/partiql"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// What transactions of statements may not be: service facts 2.3, A.5, A.9.
var errTransactionMixed = apierr.Invalid(
	"ExecuteTransaction API does not support both read and write operations in the same request.")

const (
	errTransactionSelect = partiql.Refusal(
		"Select statements within ExecuteTransaction must specify the primary key in the where clause.")
	errTransactionIndex = partiql.Refusal(
		"Reads on indices are not supported within transactions.")
	errTransactionReturning = partiql.Refusal(
		"RETURNING clause is not supported in ExecuteTransaction.")
	errTransactionExists = partiql.Refusal(
		"EXISTS() must contain a single item read with additional condition")
)

// ExecuteTransaction is TransactWriteItems or TransactGetItems, said by statements.
func ExecuteTransaction(c *serve.Call,
	in *api.ExecuteTransactionInput) (*api.ExecuteTransactionOutput, error) {
	statements := make([]*statement, len(in.TransactStatements))
	for i := range in.TransactStatements {
		t := &in.TransactStatements[i]
		s, err := newStatement(c, t.Statement, t.Parameters)
		if err != nil {
			return nil, refusedAt(i, err)
		}
		s.transact = true
		statements[i] = s
		if s.Kind.IsRead() != statements[0].Kind.IsRead() {
			return nil, errTransactionMixed
		}
	}
	if err := checkTransactStatements(c, statements); err != nil {
		return nil, err
	}
	if statements[0].Kind.IsRead() {
		return transactSelects(c, statements, in)
	}
	return transactWrites(c, statements, in)
}

func ExecuteTransactionTargets(in *api.ExecuteTransactionInput, ts *serve.Targets) {
	for i := range in.TransactStatements {
		s := &in.TransactStatements[i]
		addStatement(ts, s.Statement, s.Parameters, api.Ref(true))
	}
}

// refusedAt is the error of statement i; a refusal says which statement it is of.
func refusedAt(i int, err error) error {
	if r, ok := err.(partiql.Refusal); ok {
		return apierr.Invalid("Validation failed in TransactStatements[%d]: %s", i, r)
	}
	return err
}

// checkTransactStatements finds the tables of the statements. A statement without one cancels
// the transaction, unless another is refused (service facts A.6).
func checkTransactStatements(c *serve.Call, statements []*statement) error {
	reasons := &apierr.Cancellation{Actions: len(statements)}
	err := c.Store.View(func(tx *storage.Tx) error {
		for i, s := range statements {
			t, err := c.ActiveTable(tx, s.table)
			if err != nil {
				reasons.Note(i, "ResourceNotFound", apierr.As(err))
			} else if err := s.checkInTransaction(t); err != nil {
				return refusedAt(i, err)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return reasons.Canceled()
}

// checkInTransaction applies the rules for a statement of a transaction.
func (s *statement) checkInTransaction(t *storage.Table) error {
	switch {
	case s.Returning != "":
		return errTransactionReturning
	case s.Index != "":
		return errTransactionIndex
	case s.Kind == partiql.Exists:
		return s.checkExists(t)
	case s.Kind == partiql.Select:
		return s.checkSelect(t)
	}
	return nil
}

// checkExists wants the key of an item, and a condition.
func (s *statement) checkExists(t *storage.Table) error {
	k, err := s.namedKey(t, equality)
	switch {
	case err != nil:
		return err
	case !k.whole(t) || !k.more:
		return errTransactionExists
	}
	return s.checkOrder(&t.Key)
}

// checkSelect wants the key of an item and nothing else. What is wrong with its type is found
// when the item is read.
func (s *statement) checkSelect(t *storage.Table) error {
	_, err := s.plan(&keys.Source{Table: t})
	if _, refused := err.(partiql.Refusal); refused {
		return err
	}
	if _, ok := s.OnlyKey(t); !ok {
		return errTransactionSelect
	}
	return s.checkOrder(&t.Key)
}

func transactWrites(c *serve.Call, statements []*statement,
	in *api.ExecuteTransactionInput) (*api.ExecuteTransactionOutput, error) {
	without := *in
	without.ClientRequestToken = nil
	without.TransactStatements = slices.Clone(in.TransactStatements)
	for i := range without.TransactStatements {
		t := &without.TransactStatements[i]
		t.ReturnValuesOnConditionCheckFailure = items.WithoutDefault(
			t.ReturnValuesOnConditionCheckFailure)
	}
	x := items.NewWriteTransaction(len(statements))
	defer x.Free()
	x.Reasons.Each, x.Reasons.Empty = true, true
	x.Token = items.NewRequestToken(c, in.ClientRequestToken, &without)
	for i, s := range statements {
		w := &x.Writes[i]
		s.write(c, w, in.TransactStatements[i].ReturnValuesOnConditionCheckFailure)
		if err := x.Name(c, w, s.requested()); err != nil {
			return nil, err
		}
	}
	x.Count(c, in.ReturnConsumedCapacity)
	if err := items.RunTransaction(c, x); err != nil {
		return nil, err
	}
	out := &api.ExecuteTransactionOutput{Responses: api.ItemResponseList{}} // service facts 2.2
	out.ConsumedCapacity, _ = items.ReportTables(x.Tables)
	return out, nil
}

func transactSelects(c *serve.Call, statements []*statement,
	in *api.ExecuteTransactionInput) (*api.ExecuteTransactionOutput, error) {
	x := &items.ReadTransaction{Gets: make([]items.TransactGet, len(statements)), Statements: true}
	for i, s := range statements {
		g := &x.Gets[i]
		g.Statement, g.Projection = s, s.projection()
		var err error
		if g.Table, err = items.NamedTable(c, &x.Tables, s.Table); err != nil {
			return nil, err
		}
	}
	for i := range x.Tables {
		x.Tables[i].Used = c.NewTransactUsage(in.ReturnConsumedCapacity, metering.ReadUsage)
	}
	if err := c.Store.View(func(tx *storage.Tx) error { return x.Run(c, tx) }); err != nil {
		return nil, err
	}
	out := &api.ExecuteTransactionOutput{Responses: x.Answers()}
	out.ConsumedCapacity, _ = items.ReportTables(x.Tables)
	return out, nil
}

// Answer returns what a SELECT shows of the one item that it reads, or "" if its
// condition does not hold.
func (s *statement) Answer(found item.Item) item.JSON {
	r := s.newSelect(nil, metering.Usage{})
	r.Entries = []item.Item{found}
	if selected, _ := r.selected(nil); len(selected) > 0 {
		return selected[0]
	}
	return ""
}
