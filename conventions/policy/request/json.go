package request

import (
	"fmt"

	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/expr/partiql"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// maxActions bounds the actions of a batch or transaction. The service accepts at most 100 in any
// of them.
const maxActions = 100

// FromJSON reads the JSON body of a request. An operation that neither reads nor writes items gives
// a Request without actions. An unknown operation is an error. So is a body that DynamoDB would
// reject, for example one with a duplicate member: the database could use the other of the two
// values. An operation on items that FromJSON cannot read is an error too. The Request refers to
// parts of body.
func FromJSON(operation string, body []byte) (*Request, error) {
	r := &Request{Operation: operation}
	subject, read := catalog.SubjectOf(operation), readers[operation]
	switch {
	case subject == catalog.Setup && len(body) > 0:
		read = readSetup
	case subject == catalog.Unknown:
		return nil, fmt.Errorf(
			"policy: %s is no operation that the policy knows: use another operation", operation)
	case subject != catalog.Items && read == nil:
		return r, nil
	case read == nil:
		return nil, fmt.Errorf(
			"policy: %s reads or writes items in a way that the policy cannot check: "+
				"use another operation", operation)
	}
	s := jsontext.NewScanner(string(body))
	d := &decoder{s: &s}
	p, err := d.parameters(topLevel)
	if err == nil {
		err = s.End()
	}
	if err == nil {
		err = read(r, p)
	}
	if err != nil {
		return nil, fmt.Errorf("policy: %s: %w", operation, err)
	}
	return r, nil
}

// readers fill a request from its parameters, by operation.
var readers = map[string]func(*Request, *parameters) error{
	"GetItem":               readGet,
	"PutItem":               readWrite(Put),
	"UpdateItem":            readWrite(Update),
	"DeleteItem":            readWrite(Delete),
	"Query":                 readQuery,
	"Scan":                  readScan,
	"SearchVectors":         readSearch,
	"BatchGetItem":          readBatchGet,
	"BatchWriteItem":        readBatchWrite,
	"TransactGetItems":      readTransactGet,
	"TransactWriteItems":    readTransactWrite,
	"ExecuteStatement":      readStatement,
	"BatchExecuteStatement": readStatements(false),
	"ExecuteTransaction":    readStatements(true),
	"UpdateTimeToLive":      readTimeToLive,
	"CreateTable":           readDefinition,
	"UpdateTable":           readDefinition,
	"ImportTable":           readDefinition,
}

func readTimeToLive(r *Request, p *parameters) error {
	r.Table = p.tableName()
	if p.expires {
		r.Expires = r.Table
	}
	return p.need("TableName", p.table != "")
}

func readSetup(r *Request, p *parameters) error {
	r.Table = p.tableName()
	return nil
}

func readGet(r *Request, p *parameters) error {
	r.Reads = append(r.Reads, Read{Table: p.tableName(), Key: p.key})
	return p.need("TableName", p.table != "", "Key", p.key != "")
}

func readWrite(kind WriteKind) func(*Request, *parameters) error {
	return func(r *Request, p *parameters) error { return r.addWrite(0, kind, p) }
}

func (r *Request) addWrite(action int, kind WriteKind, p *parameters) error {
	w := Write{Action: action, Table: p.tableName(), Kind: kind, Key: p.key, Item: p.item}
	part, has := "Key", p.key != ""
	if kind == Put {
		part, has, w.Key = "Item", p.item != "", ""
	} else {
		w.Item = ""
	}
	if err := p.need("TableName", p.table != "", part, has); err != nil {
		return err
	}
	if err := p.bind(&w); err != nil {
		return err
	}
	r.Writes = append(r.Writes, w)
	return nil
}

func readQuery(r *Request, p *parameters) error {
	terms, err := p.keyTerms()
	if err != nil {
		return err
	}
	r.Reads = append(r.Reads, Read{Table: p.tableName(), Index: p.index, Terms: terms})
	return p.need("TableName", p.table != "", "KeyConditionExpression", terms != nil)
}

func readScan(r *Request, p *parameters) error {
	r.Reads = append(r.Reads, Read{Table: p.tableName(), Index: p.index})
	return p.need("TableName", p.table != "")
}

// readSearch reads a search in a vector index. Its condition compares the partition key and inline
// filters with values. Without a condition it is a scan of the index.
func readSearch(r *Request, p *parameters) error {
	terms, err := p.searchTerms()
	if err != nil {
		return err
	}
	r.Reads = append(r.Reads, Read{Table: p.tableName(), Index: p.index, Terms: terms})
	return p.need("TableName", p.table != "", "IndexName", p.index != "")
}

func readBatchGet(r *Request, p *parameters) error {
	for _, t := range p.requestTables {
		for _, key := range t.params.keys {
			r.Reads = append(r.Reads,
				Read{Action: len(r.Reads), Table: tableName(t.name), Key: key})
		}
	}
	return checkActions(len(r.Reads))
}

func readBatchWrite(r *Request, p *parameters) error {
	for _, t := range p.requestTables {
		for _, part := range t.writes {
			part.params.table = t.name
			if err := r.addWrite(len(r.Writes), part.kind, part.params); err != nil {
				return err
			}
			r.Writes[len(r.Writes)-1].Fixed = true
		}
	}
	return checkActions(len(r.Writes))
}

func readTransactGet(r *Request, p *parameters) error {
	for i, part := range p.transact {
		if err := part.params.need("TableName", part.params.table != "", "Key",
			part.params.key != ""); err != nil {
			return err
		}
		r.Reads = append(r.Reads,
			Read{Action: i, Table: part.params.tableName(), Key: part.params.key})
	}
	return checkActions(len(p.transact))
}

func readTransactWrite(r *Request, p *parameters) error {
	r.Transaction = true
	for i, part := range p.transact {
		if err := r.addWrite(i, part.kind, part.params); err != nil {
			return err
		}
	}
	return checkActions(len(p.transact))
}

func readStatement(r *Request, p *parameters) error { return r.addStatement(0, p) }

// addStatement adds the read or write in the text of a statement.
func (r *Request) addStatement(action int, p *parameters) error {
	s, err := partiql.Parse(p.statement)
	if err != nil {
		return err
	}
	if s.Refusal != "" {
		return s.Refusal
	}
	if s.Params > len(p.statementValues) {
		return fmt.Errorf("%d parameters for a statement with %d", len(p.statementValues), s.Params)
	}
	return r.AddStatement(action, s, p.statementValues)
}

func readStatements(transaction bool) func(*Request, *parameters) error {
	return func(r *Request, p *parameters) error {
		r.Transaction = transaction
		for i, part := range p.statements {
			if err := r.addStatement(i, part); err != nil {
				return err
			}
		}
		return checkActions(len(p.statements))
	}
}

func checkActions(n int) error {
	if n == 0 || n > maxActions {
		return fmt.Errorf("%d parts: there are 1 to %d", n, maxActions)
	}
	return nil
}
