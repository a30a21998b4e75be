package statements

import (
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

// What batches of statements may not be. API Reference, BatchExecuteStatement.
var (
	errBatchMixed = apierr.Invalid(
		"Read and write requests together in the same batch is not supported.")
	errBatchTwice  = apierr.Invalid("Provided list of item keys contains duplicates")
	errBatchSelect = apierr.Invalid(
		"Select statements within BatchExecuteStatement must specify the primary key in the where clause.")
)

// BatchExecuteStatement executes one statement after the other. Each succeeds or
// fails by itself.
func BatchExecuteStatement(c *serve.Call,
	in *api.BatchExecuteStatementInput) (*api.BatchExecuteStatementOutput, error) {
	statements := make([]*statement, len(in.Statements))
	faults := make([]error, len(in.Statements))
	reads, writes := false, false
	for i := range in.Statements {
		statements[i], faults[i] = newStatement(c, in.Statements[i].Statement,
			in.Statements[i].Parameters)
		if faults[i] == nil {
			reads = reads || statements[i].Kind.IsRead()
			writes = writes || !statements[i].Kind.IsRead()
		}
		if err := c.Caller.Denial(i); err != nil {
			faults[i] = err
		}
	}
	if reads && writes {
		return nil, errBatchMixed
	}
	if err := checkBatchKeys(c, statements, faults); err != nil {
		return nil, err
	}
	out := &api.BatchExecuteStatementOutput{
		Responses: make([]api.BatchStatementResponse, len(statements)),
	}
	var used []tableUsage
	for i, s := range statements {
		answer := &out.Responses[i]
		err := faults[i]
		if err == nil {
			u := usageOf(c, &used, s, in.ReturnConsumedCapacity)
			if err = c.Faults.Refusal(i); err == nil {
				answer.Item, err = executeOne(c, s, &in.Statements[i], i, &u.Usage)
				c.Policy.Settle(err)
			}
			u.succeeded = u.succeeded || err == nil
			if hasRun(err) {
				answer.TableName = (*api.TableName)(&s.table)
			}
		}
		if err != nil {
			if answer.Error = statementError(err); answer.Error == nil {
				return nil, err
			}
		}
	}
	out.ConsumedCapacity = reportUsed(used)
	return out, nil
}

// reportUsed returns what the statements consumed of each table with a successful one (service
// facts P.1 and P.3).
func reportUsed(used []tableUsage) (list []api.ConsumedCapacity) {
	for i := range used {
		if used[i].Total() == 0 { // nothing that was asked of the table got as far as its items
			continue
		}
		if u := used[i].Report(used[i].requested); u != nil && used[i].succeeded {
			list = append(list, *u)
		}
	}
	return list
}

func BatchExecuteStatementTargets(in *api.BatchExecuteStatementInput, ts *serve.Targets) {
	for i := range in.Statements {
		s := &in.Statements[i]
		addStatement(ts, s.Statement, s.Parameters, s.ConsistentRead)
	}
}

// checkBatchKeys refuses a batch that names an item twice. Statements that are refused by
// themselves, which is found later, do not count (service facts A.10).
func checkBatchKeys(c *serve.Call, statements []*statement, faults []error) error {
	type place struct {
		table *storage.Table
		key   storage.Key
	}
	seen := make(map[place]bool, len(statements))
	return c.Store.View(func(tx *storage.Tx) error {
		for i, s := range statements {
			if faults[i] != nil {
				continue
			}
			t, err := c.ActiveTable(tx, s.table)
			if err != nil {
				continue
			}
			k, err := s.itemKey(c, tx, t)
			if err != nil {
				continue
			}
			if seen[place{t, k}] {
				return errBatchTwice
			}
			seen[place{t, k}] = true
		}
		return nil
	})
}

// itemKey is the key of the one item that a statement of a batch is for.
func (s *statement) itemKey(c *serve.Call, tx *storage.Tx, t *storage.Table) (storage.Key, error) {
	if s.Kind == partiql.Select {
		attributes, ok := s.OnlyKey(t)
		if !ok || s.Index != "" {
			return storage.Key{}, errBatchSelect
		}
		return keys.OfTable(c.Memory.Items(), &t.Key, attributes)
	}
	var w items.ItemWrite
	s.write(c, &w, nil)
	return w.Change.Key(c, tx, t)
}

// tableUsage holds the capacity that the statements of a batch consume of one table.
type tableUsage struct {
	metering.Usage
	table     string
	requested *api.TableArn
	succeeded bool // a statement for the table did
}

// usageOf finds the usage of a statement's table, which it adds if it is new.
func usageOf(c *serve.Call, list *[]tableUsage, s *statement,
	r *api.ReturnConsumedCapacity) *tableUsage {
	for i := range *list {
		if (*list)[i].table == s.table {
			return &(*list)[i]
		}
	}
	*list = append(*list,
		tableUsage{Usage: c.NewUsage(r), table: s.table, requested: s.requested()})
	return &(*list)[len(*list)-1]
}

// executeOne executes the statement that is action of a batch, and adds to used what it consumes.
func executeOne(c *serve.Call, s *statement, in *api.BatchStatementRequest, action int,
	used *metering.Usage) (item.JSON, error) {
	switch s.Kind {
	case partiql.Exists:
		return "", errExistsAlone
	case partiql.Select:
		return selectOne(c, s, in, action, used)
	}
	set, w := items.NewWrite(s.table, *used)
	defer set.Free()
	set.Shared = true
	s.write(c, w, in.ReturnValuesOnConditionCheckFailure) // service facts F.40
	err := set.Commit(c)
	*used = set.Tables[0].Used
	if err != nil {
		return "", err
	}
	return w.Change.Answer(s.returning(), w.Old, w.New), nil
}

func selectOne(c *serve.Call, s *statement, in *api.BatchStatementRequest, action int,
	used *metering.Usage) (item.JSON, error) {
	r := s.newSelect(in.ConsistentRead, *used)
	r.Action = action
	r.single = true
	if err := c.Store.View(func(tx *storage.Tx) error { return r.run(c, tx) }); err != nil {
		return "", err
	}
	found, err := r.selected(c)
	if err != nil {
		return "", err
	}
	if page := r.Record(c, len(found)); page != nil {
		r.planned.record(page)
		page.Units -= used.Total()
	}
	*used = r.Usage
	if len(found) > 0 {
		return found[0], nil
	}
	return "", nil
}

// hasRun reports whether a statement got as far as its item, so that its answer names the table
// (service facts P.5).
func hasRun(err error) bool {
	if err == nil {
		return true
	}
	e := apierr.As(err)
	return e != nil && e.Type != apierr.Validation && e.Type != apierr.ResourceNotFound &&
		e.Type != apierr.AccessDenied
}

// statementErrorCodes: API Reference, BatchStatementError, Code.
var statementErrorCodes = map[*apierr.Type]api.BatchStatementErrorCodeEnum{
	apierr.ConditionFailed:      "ConditionalCheckFailed",
	apierr.CollectionTooLarge:   "ItemCollectionSizeLimitExceeded",
	apierr.Validation:           "ValidationError",
	apierr.TransactionConflict:  "TransactionConflict",
	apierr.ResourceNotFound:     "ResourceNotFound",
	apierr.AccessDenied:         "AccessDenied",
	apierr.DuplicateItem:        "DuplicateItem",
	apierr.ThroughputExceeded:   "ProvisionedThroughputExceeded",
	apierr.Throttling:           "ThrottlingError",
	apierr.RequestLimitExceeded: "RequestLimitExceeded",
}

// statementError returns the error as the answer shows it, or nil if no statement caused it.
func statementError(err error) *api.BatchStatementError {
	e := apierr.As(err)
	if e == nil {
		return nil
	}
	code, ok := statementErrorCodes[e.Type]
	if !ok {
		return nil
	}
	return &api.BatchStatementError{Code: &code, Message: &e.Message, Item: e.Item}
}
