package request

import (
	"errors"
	"fmt"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/conventions/wire"
	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
	"github.com/kugiri-db/kugiri/storage/jsontree"
)

// maxActions bounds the actions of a batch or transaction. The service accepts at most 100 in any
// of them.
const maxActions = 100

// FromJSON reads the JSON body of a request, as the server reads it. An operation that neither
// reads nor writes items gives a Request without actions. An unknown operation is an error. So is a
// body that DynamoDB would reject, for example one with a duplicate member: the database could use
// the other of the two values. An operation on items that FromJSON cannot read is an error too.
func FromJSON(operation string, body []byte) (*Request, error) {
	r := &Request{Operation: operation}
	subject, view := catalog.SubjectOf(operation), views[operation]
	switch {
	case subject == catalog.Setup && len(body) > 0:
		view = viewSetup
	case subject == catalog.Unknown:
		return nil, fmt.Errorf(
			"policy: %s is no operation that the policy knows: use another operation", operation)
	case subject != catalog.Items && view == nil:
		return r, nil
	case view == nil:
		return nil, fmt.Errorf(
			"policy: %s reads or writes items in a way that the policy cannot check: "+
				"use another operation", operation)
	}
	if err := view(r, string(body)); err != nil {
		return nil, fmt.Errorf("policy: %s: %w", operation, err)
	}
	return r, nil
}

// A view fills a request from the body of an operation.
type view func(*Request, string) error

// views has the view of each operation that the policy looks into.
var views = map[string]view{
	"GetItem":               viewOf((*Request).viewGet),
	"PutItem":               viewOf((*Request).viewPut),
	"UpdateItem":            viewOf((*Request).viewUpdate),
	"DeleteItem":            viewOf((*Request).viewDelete),
	"Query":                 viewOf((*Request).viewQuery),
	"Scan":                  viewOf((*Request).viewScan),
	"SearchVectors":         viewOf((*Request).viewSearch),
	"BatchGetItem":          viewOf((*Request).viewBatchGet),
	"BatchWriteItem":        viewOf((*Request).viewBatchWrite),
	"TransactGetItems":      viewOf((*Request).viewTransactGet),
	"TransactWriteItems":    viewOf((*Request).viewTransactWrite),
	"ExecuteStatement":      viewOf((*Request).viewStatement),
	"BatchExecuteStatement": viewOf((*Request).viewStatements),
	"ExecuteTransaction":    viewOf((*Request).viewTransaction),
	"UpdateTimeToLive":      viewOf((*Request).viewTimeToLive),
	"CreateTable":           viewOf((*Request).viewCreateTable),
	"UpdateTable":           viewOf((*Request).viewUpdateTable),
	"ImportTable":           viewOf((*Request).viewImportTable),
}

// viewOf returns the view of an operation whose requests have the shape In.
func viewOf[In any](fill func(*Request, *In) error) view {
	return func(r *Request, body string) error {
		in := new(In)
		if err := decode(body, in); err != nil {
			return err
		}
		return fill(r, in)
	}
}

// viewSetup is the view of the operations whose requests tell the policy no more than a table.
var viewSetup = viewOf(func(r *Request, in *struct {
	TableName *api.TableArn `wire:"TableName"`
}) error {
	r.Table = tableName(in.TableName)
	return nil
})

// decode decodes a body. Its errors say what is wrong in the words of the policy, where those of
// the service say nothing or tell of its classes.
func decode(body string, in any) error {
	s := jsontext.NewScanner(body)
	if s.Peek() != '{' {
		return errors.New("an object is missing")
	}
	err := wire.Decode(body, in, nil)
	if err == item.ErrSyntax {
		return jsontext.ErrSyntax
	}
	if name, twice := item.DuplicateName(err); twice {
		return fmt.Errorf("%.100q %w", name, jsontree.ErrTwice)
	}
	return err
}

// missing returns the error of a request without a member.
func missing(member string) error { return fmt.Errorf("%s is missing", member) }

// attributes returns the attributes of a member that has to be there.
func attributes(member string, a item.Attributes) (item.Item, error) {
	switch {
	case a.Invalid != nil:
		return "", fmt.Errorf("%s: %w", member, a.Invalid)
	case a.Item == "":
		return "", missing(member)
	}
	return a.Item, nil
}

// values returns attribute values.
func values(list []api.AttributeValue) ([]item.Value, error) {
	all := make([]item.Value, len(list))
	for i, v := range list {
		switch {
		case v.Invalid != nil:
			return nil, v.Invalid
		case !v.Present:
			return nil, missing("a value")
		}
		all[i] = v.Value
	}
	return all, nil
}

func checkActions(n int) error {
	if n == 0 || n > maxActions {
		return fmt.Errorf("%d parts: there are 1 to %d", n, maxActions)
	}
	return nil
}

func (r *Request) viewTimeToLive(in *api.UpdateTimeToLiveInput) error {
	if r.Table = tableName(in.TableName); r.Table == "" {
		return missing("TableName")
	}
	if in.TimeToLiveSpecification != nil && api.IsTrue(in.TimeToLiveSpecification.Enabled) {
		r.Expires = r.Table
	}
	return nil
}
