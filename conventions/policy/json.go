package policy

import (
	"errors"
	"fmt"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/storage/item"
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
		return nil, fmt.Errorf("policy: %s is no operation that the policy knows: use another operation", operation)
	case subject != catalog.Items && operation != "UpdateTimeToLive":
		return r, nil
	case read == nil:
		return nil, fmt.Errorf("policy: %s reads or writes items in a way that the policy cannot check: "+
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
			r.Reads = append(r.Reads, Read{Action: len(r.Reads), Table: nameOfTable(t.name), Key: key})
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
		if err := part.params.need("TableName", part.params.table != "", "Key", part.params.key != ""); err != nil {
			return err
		}
		r.Reads = append(r.Reads, Read{Action: i, Table: part.params.tableName(), Key: part.params.key})
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

// need reports the first parameter that is missing: names, each followed by whether it is there.
func (p *parameters) need(pairs ...any) error {
	for i := 0; i < len(pairs); i += 2 {
		if !pairs[i+1].(bool) {
			return fmt.Errorf("%s is missing", pairs[i])
		}
	}
	return nil
}

// nameOfTable returns the table's name in a parameter that holds a name or an ARN.
func nameOfTable(table string) string {
	if strings.HasPrefix(table, "arn:") {
		if part := strings.SplitN(table, ":", 6); len(part) == 6 {
			if name, ok := strings.CutPrefix(part[5], "table/"); ok {
				return name
			}
		}
	}
	return table
}

func (p *parameters) tableName() string { return nameOfTable(p.table) }

var errTwice = errors.New("is there twice")

// decoder reads parameters from the JSON of a request.
type decoder struct{ s *jsontext.Scanner }

// object reads an object, member by member, or null.
func (d *decoder) object(member func(name string) error) error {
	if d.s.Next('n') {
		return nil
	}
	if !d.s.Next('{') {
		return errors.New("an object is missing")
	}
	if d.s.Next('}') {
		return nil
	}
	seen := make(map[string]bool, 8)
	for {
		name, err := d.text()
		switch {
		case err != nil:
			return err
		case seen[name]:
			return fmt.Errorf("%.100q %w", name, errTwice)
		case !d.s.Next(':'):
			return jsontext.ErrSyntax
		}
		seen[name] = true
		if err := member(name); err != nil {
			return err
		}
		if d.s.Next('}') {
			return nil
		}
		if !d.s.Next(',') {
			return jsontext.ErrSyntax
		}
	}
}

// list reads a list, element by element, or null.
func (d *decoder) list(element func() error) error {
	if d.s.Next('n') {
		return nil
	}
	if !d.s.Next('[') {
		return errors.New("a list is missing")
	}
	if d.s.Next(']') {
		return nil
	}
	for {
		if err := element(); err != nil {
			return err
		}
		if d.s.Next(']') {
			return nil
		}
		if !d.s.Next(',') {
			return jsontext.ErrSyntax
		}
	}
}

// text reads a string.
func (d *decoder) text() (string, error) {
	raw, escaped, err := d.s.String()
	if escaped {
		raw = jsontext.Unquote(raw)
	}
	return raw, err
}

// optionalText reads a string, or null into "".
func (d *decoder) optionalText(into *string) error {
	if d.s.Next('n') {
		return nil
	}
	text, err := d.text()
	*into = text
	return err
}

func (d *decoder) attributes(into *item.Item) error {
	a, err := item.ParseAttributes(d.s)
	if err == nil && a.Invalid != nil {
		err = a.Invalid
	}
	*into = a.Item
	return err
}

func (d *decoder) value(into *item.Value) error {
	v, invalid, err := item.ParseValue(d.s)
	if err == nil && invalid != nil {
		err = invalid
	}
	*into = v
	return err
}

func (d *decoder) values(into *[]item.Value) error {
	return d.list(func() error {
		*into = append(*into, "")
		return d.value(&(*into)[len(*into)-1])
	})
}
