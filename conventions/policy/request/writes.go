package request

import (
	"errors"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage/item"
)

// errPart is the error of a part of a batch or transaction that is no action, or several.
var errPart = errors.New("a part asks for one thing exactly")

// written has the members of a write, whatever its operation.
type written struct {
	kind              WriteKind
	table             *api.TableArn
	of                item.Attributes // the item of a Put, and otherwise the key
	condition, update *string
	names             api.Map[api.AttributeName]
	values            item.Attributes

	// The legacy parameters are members of operations on one item only.
	expected api.Map[api.ExpectedAttributeValue]
	operator *api.ConditionalOperator
	updates  api.Map[api.AttributeValueUpdate]
}

func (r *Request) viewPut(in *api.PutItemInput) error {
	return r.addWrite(&written{kind: Put, table: in.TableName, of: in.Item,
		condition: in.ConditionExpression, names: in.ExpressionAttributeNames,
		values: in.ExpressionAttributeValues, expected: in.Expected,
		operator: in.ConditionalOperator})
}

func (r *Request) viewUpdate(in *api.UpdateItemInput) error {
	return r.addWrite(&written{kind: Update, table: in.TableName, of: in.Key,
		condition: in.ConditionExpression, update: in.UpdateExpression,
		names: in.ExpressionAttributeNames, values: in.ExpressionAttributeValues,
		expected: in.Expected, operator: in.ConditionalOperator, updates: in.AttributeUpdates})
}

func (r *Request) viewDelete(in *api.DeleteItemInput) error {
	return r.addWrite(&written{kind: Delete, table: in.TableName, of: in.Key,
		condition: in.ConditionExpression, names: in.ExpressionAttributeNames,
		values: in.ExpressionAttributeValues, expected: in.Expected,
		operator: in.ConditionalOperator})
}

func (r *Request) viewBatchWrite(in *api.BatchWriteItemInput) error {
	for _, e := range in.RequestItems {
		table := api.TableArn(e.Key)
		for _, part := range e.Value {
			w := &written{table: &table}
			switch put, del := part.PutRequest, part.DeleteRequest; {
			case put != nil && del == nil:
				w.kind, w.of = Put, put.Item
			case del != nil && put == nil:
				w.kind, w.of = Delete, del.Key
			default:
				return errPart
			}
			if err := r.addWrite(w); err != nil {
				return err
			}
			r.Writes[len(r.Writes)-1].Fixed = true
		}
	}
	return checkActions(len(r.Writes))
}

func (r *Request) viewTransactWrite(in *api.TransactWriteItemsInput) error {
	r.Transaction = true
	for i := range in.TransactItems {
		actions := actionsOf(&in.TransactItems[i])
		if len(actions) != 1 {
			return errPart
		}
		if err := r.addWrite(&actions[0]); err != nil {
			return err
		}
	}
	return checkActions(len(r.Writes))
}

// actionsOf returns the actions that a part of a transaction asks for.
func actionsOf(in *api.TransactWriteItem) (all []written) {
	if a := in.Put; a != nil {
		all = append(all, written{kind: Put, table: a.TableName, of: a.Item,
			condition: a.ConditionExpression, names: a.ExpressionAttributeNames,
			values: a.ExpressionAttributeValues})
	}
	if a := in.Update; a != nil {
		all = append(all, written{kind: Update, table: a.TableName, of: a.Key,
			condition: a.ConditionExpression, update: a.UpdateExpression,
			names: a.ExpressionAttributeNames, values: a.ExpressionAttributeValues})
	}
	if a := in.Delete; a != nil {
		all = append(all, written{kind: Delete, table: a.TableName, of: a.Key,
			condition: a.ConditionExpression, names: a.ExpressionAttributeNames,
			values: a.ExpressionAttributeValues})
	}
	if a := in.ConditionCheck; a != nil {
		all = append(all, written{kind: Check, table: a.TableName, of: a.Key,
			condition: a.ConditionExpression, names: a.ExpressionAttributeNames,
			values: a.ExpressionAttributeValues})
	}
	return all
}

// addWrite adds a write.
func (r *Request) addWrite(in *written) error {
	w := Write{Action: len(r.Writes), Table: tableName(in.table), Kind: in.kind}
	if w.Table == "" {
		return missing("TableName")
	}
	member, into := "Key", &w.Key
	if w.Kind == Put {
		member, into = "Item", &w.Item
	}
	var err error
	if *into, err = attributes(member, in.of); err != nil {
		return err
	}
	w.Fixed = len(in.expected) > 0 || in.updates != nil
	if err := in.bind(&w); err != nil {
		return err
	}
	r.Writes = append(r.Writes, w)
	return nil
}

// bind parses the expressions of a write, or its legacy parameters.
func (in *written) bind(w *Write) error {
	condition, update := api.Deref(in.condition), api.Deref(in.update)
	switch {
	case w.Fixed && (condition != "" || update != ""):
		return errMixed
	case w.Fixed:
		return in.bindLegacy(w)
	case condition == "" && update == "":
		return nil
	}
	scope, err := newScope(in.names, in.values)
	if err != nil {
		return err
	}
	if condition != "" {
		if w.Condition, err = scope.Condition(expr.KindCondition, condition); err != nil {
			return err
		}
	}
	if update != "" {
		w.Update, err = scope.Update(update)
	}
	return err
}

func (in *written) bindLegacy(w *Write) (err error) {
	if len(in.expected) > 0 {
		operator := "AND"
		if in.operator != nil {
			operator = string(*in.operator)
		}
		terms := make([]expr.LegacyTerm, len(in.expected))
		for i, e := range in.expected {
			if terms[i], err = expectedTerm(e.Key, &e.Value); err != nil {
				return err
			}
		}
		if w.Condition, err = expr.NewLegacyCondition(terms, operator); err != nil {
			return err
		}
	}
	if in.updates == nil {
		return nil
	}
	updates := make([]expr.LegacyUpdate, len(in.updates))
	for i, e := range in.updates {
		if e.Value.Value.Invalid != nil {
			return e.Value.Value.Invalid
		}
		updates[i] = expr.LegacyUpdate{Attribute: e.Key, Action: "PUT", Value: e.Value.Value.Value}
		if e.Value.Action != nil {
			updates[i].Action = string(*e.Value.Action)
		}
	}
	w.Update, err = expr.NewLegacyUpdate(updates)
	return err
}

// expectedTerm returns what the legacy parameter Expected says of an attribute.
func expectedTerm(attribute string, e *api.ExpectedAttributeValue) (t expr.LegacyTerm, err error) {
	t = expr.LegacyTerm{Attribute: attribute, Op: "EQ"}
	arguments := e.AttributeValueList
	if e.Value.Present {
		arguments = []api.AttributeValue{e.Value}
	}
	switch {
	case e.Exists != nil && !*e.Exists:
		t.Op = "NULL"
	case e.ComparisonOperator != nil:
		t.Op = string(*e.ComparisonOperator)
	}
	t.Values, err = values(arguments)
	return t, err
}
