package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// What transactions of statements may not be. API Reference, ExecuteTransaction.
var (
	errTransactionMixed = invalid("The entire transaction must consist of either read statements or write statements, " +
		"you cannot mix both in one transaction.")
	errTransactionSelect = invalid("Select statements within ExecuteTransaction must specify the primary key in the where clause.")

	// Developer Guide, "Performing transactions with PartiQL for DynamoDB", Return
	// values: there are none for writes, as TransactWriteItems has none. A statement
	// that asks for them is refused; that it is, and the text, are unconfirmed.
	errTransactionReturning = invalid("Statements within ExecuteTransaction cannot have a RETURNING clause.")
)

// executeTransaction is TransactWriteItems or TransactGetItems, said by statements.
func executeTransaction(c *call, in *api.ExecuteTransactionInput) (*api.ExecuteTransactionOutput, error) {
	statements := make([]*statement, len(in.TransactStatements))
	for i := range in.TransactStatements {
		t := &in.TransactStatements[i]
		var err error
		if statements[i], err = c.newStatement(t.Statement, t.Parameters); err != nil {
			return nil, err
		}
		if statements[i].Kind.IsRead() != statements[0].Kind.IsRead() {
			return nil, errTransactionMixed
		}
	}
	if statements[0].Kind.IsRead() {
		return c.transactSelects(statements, in)
	}
	return c.transactWrites(statements, in)
}

func (c *call) transactWrites(statements []*statement, in *api.ExecuteTransactionInput) (*api.ExecuteTransactionOutput, error) {
	without := *in
	without.ClientRequestToken = nil
	x := newWriteTransaction(len(statements))
	defer x.free()
	x.capacity, x.token = in.ReturnConsumedCapacity, newRequestToken(in.ClientRequestToken, &without)
	for i, s := range statements {
		if s.Returning != "" {
			return nil, errTransactionReturning
		}
		a := &x.actions[i]
		if err := s.write(c, &a.itemWrite, in.TransactStatements[i].ReturnValuesOnConditionCheckFailure); err != nil {
			return nil, err
		}
		if err := x.name(c, a, s.requested()); err != nil {
			return nil, err
		}
	}
	if err := c.runTransaction(x); err != nil {
		return nil, err
	}
	out := &api.ExecuteTransactionOutput{Responses: make(api.ItemResponseList, len(statements))} // all without an item
	out.ConsumedCapacity, _ = reportTables(x.tables)
	return out, nil
}

func (c *call) transactSelects(statements []*statement, in *api.ExecuteTransactionInput) (*api.ExecuteTransactionOutput, error) {
	x := &readTransaction{gets: make([]transactGet, len(statements))}
	for i, s := range statements {
		if s.Index != "" || s.Where == nil {
			return nil, errTransactionSelect
		}
		g := &x.gets[i]
		g.statement = s
		var err error
		if g.in, err = namedTable(c, &x.tables, s.Table); err != nil {
			return nil, err
		}
	}
	for i := range x.tables {
		x.tables[i].used = c.newTransactUsage(in.ReturnConsumedCapacity, readUsage)
	}
	if err := c.store.View(func(tx *storage.Tx) error { return x.run(c, tx) }); err != nil {
		return nil, err
	}
	out := &api.ExecuteTransactionOutput{Responses: x.answers()}
	out.ConsumedCapacity, _ = reportTables(x.tables)
	return out, nil
}

// answer is what a SELECT answers of the one item that it reads, "" if its
// condition does not hold.
func (s *statement) answer(found item.Item) item.JSON {
	r := s.newSelect(nil, usage{})
	r.entries = []item.Item{found}
	if selected := r.selected(); len(selected) > 0 {
		return selected[0]
	}
	return ""
}
