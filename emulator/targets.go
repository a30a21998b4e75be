package emulator

import (
	"strings"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/expr/partiql"
	"github.com/kugiri-db/kugiri/storage/item"
)

// target is one thing that a request touches: an item, or a part of a table or index.
type target struct {
	table string    // its name, also where the request has its ARN; "" if it is about no table
	index string    // its name, "" if it is the table itself
	write bool      // it may be written; a ConditionCheck or EXISTS only reads
	known item.Item // what the request says of the item: its key, all of a put, what a Query wants to be equal; "" if nothing
}

// targets are what a decoded request touches, in its order: of a batch or a
// transaction one per entry or action, so that target i is of action i, and of all
// others one. Nothing is checked: what is not there or makes no sense is left out
// of its target. It costs a list, and the parsing of what is in expressions and
// statements: it is for those who need to know, and not for every request.
func (c *call) targets(in any) []target {
	switch in := in.(type) {
	case *api.GetItemInput:
		return oneTarget(in.TableName, target{known: in.Key.Item})
	case *api.PutItemInput:
		return oneTarget(in.TableName, target{known: in.Item.Item, write: true})
	case *api.UpdateItemInput:
		return oneTarget(in.TableName, target{known: in.Key.Item, write: true})
	case *api.DeleteItemInput:
		return oneTarget(in.TableName, target{known: in.Key.Item, write: true})
	case *api.QueryInput:
		return oneTarget(in.TableName, target{index: string(deref(in.IndexName)), known: queryKey(in)})
	case *api.ScanInput:
		return oneTarget(in.TableName, target{index: string(deref(in.IndexName))})
	case *api.BatchGetItemInput:
		return batchGetTargets(in)
	case *api.BatchWriteItemInput:
		return batchWriteTargets(in)
	case *api.TransactGetItemsInput:
		return transactGetTargets(in)
	case *api.TransactWriteItemsInput:
		return transactWriteTargets(in)
	case *api.ExecuteStatementInput:
		return []target{c.statementTarget(in.Statement, in.Parameters)}
	case *api.BatchExecuteStatementInput:
		list := make([]target, len(in.Statements))
		for i := range in.Statements {
			list[i] = c.statementTarget(in.Statements[i].Statement, in.Statements[i].Parameters)
		}
		return list
	case *api.ExecuteTransactionInput:
		list := make([]target, len(in.TransactStatements))
		for i := range in.TransactStatements {
			list[i] = c.statementTarget(in.TransactStatements[i].Statement, in.TransactStatements[i].Parameters)
		}
		return list
	}
	return []target{controlTarget(in)}
}

// controlTarget is the target of an operation on tables or streams.
func controlTarget(in any) target {
	switch in := in.(type) {
	case *api.CreateTableInput:
		return target{table: tableCalled(in.TableName), write: true}
	case *api.UpdateTableInput:
		return target{table: tableCalled(in.TableName), write: true}
	case *api.DeleteTableInput:
		return target{table: tableCalled(in.TableName), write: true}
	case *api.DescribeTableInput:
		return target{table: tableCalled(in.TableName)}
	case *api.UpdateTimeToLiveInput:
		return target{table: tableCalled(in.TableName), write: true}
	case *api.DescribeTimeToLiveInput:
		return target{table: tableCalled(in.TableName)}
	case *api.TagResourceInput:
		return target{table: tableCalled(in.ResourceArn), write: true}
	case *api.UntagResourceInput:
		return target{table: tableCalled(in.ResourceArn), write: true}
	case *api.DescribeContinuousBackupsInput:
		return target{table: tableCalled(in.TableName)}
	case *api.DescribeContributorInsightsInput:
		return target{table: tableCalled(in.TableName)}
	case *api.DescribeKinesisStreamingDestinationInput:
		return target{table: tableCalled(in.TableName)}
	case *api.GetResourcePolicyInput:
		return target{table: tableCalled(in.ResourceArn)}
	case *api.ListTagsOfResourceInput:
		return target{table: tableCalled(in.ResourceArn)}
	case *api.ListStreamsInput:
		return target{table: tableCalled(in.TableName)}
	case *api.DescribeStreamInput:
		return target{table: tableCalled(in.StreamArn)}
	case *api.GetShardIteratorInput:
		return target{table: tableCalled(in.StreamArn)}
	case *api.GetRecordsInput:
		return target{table: tableCalled(in.ShardIterator)} // which begins with the stream's ARN
	}
	return target{}
}

// oneTarget completes the only target of a request by its table.
func oneTarget(table *api.TableArn, t target) []target {
	t.table = tableCalled(table)
	return []target{t}
}

// tableCalled is the name of the table that a request calls by its name, its ARN
// or that of its stream; "" for nil.
func tableCalled[T ~string](requested *T) string {
	if requested == nil {
		return ""
	}
	name := string(*requested)
	if !strings.HasPrefix(name, "arn:") {
		return name
	}
	if _, after, ok := strings.Cut(name, ":table/"); ok {
		name, _, _ = strings.Cut(after, "/")
	}
	return name
}

// queryKey is what a Query wants attributes to be equal to.
func queryKey(in *api.QueryInput) item.Item {
	var terms []expr.KeyTerm
	var scope expr.Scope
	if in.KeyConditionExpression == nil {
		terms, _ = legacyKeyTerms(in.KeyConditions)
	} else if err := openScope(&scope, in.ExpressionAttributeNames, in.ExpressionAttributeValues); err == nil {
		terms, _ = scope.KeyCondition(*in.KeyConditionExpression)
	}
	var equal []item.Attribute
	for _, t := range terms {
		if t.Op == "=" {
			equal = append(equal, item.Attribute{Name: t.Name, Value: t.Value})
		}
	}
	return itemOf(equal)
}

// itemOf is the item of attributes, "" if there are none.
func itemOf(attributes []item.Attribute) item.Item {
	if len(attributes) == 0 {
		return ""
	}
	return item.New(attributes...)
}

func batchGetTargets(in *api.BatchGetItemInput) (list []target) {
	for i := range in.RequestItems {
		e := &in.RequestItems[i]
		for _, key := range e.Value.Keys {
			list = append(list, target{table: tableCalled(&e.Key), known: key.Item})
		}
	}
	return list
}

func batchWriteTargets(in *api.BatchWriteItemInput) (list []target) {
	for i := range in.RequestItems {
		e := &in.RequestItems[i]
		for j := range e.Value {
			t := target{table: tableCalled(&e.Key), write: true}
			switch r := &e.Value[j]; {
			case r.PutRequest != nil:
				t.known = r.PutRequest.Item.Item
			case r.DeleteRequest != nil:
				t.known = r.DeleteRequest.Key.Item
			}
			list = append(list, t)
		}
	}
	return list
}

func transactGetTargets(in *api.TransactGetItemsInput) []target {
	list := make([]target, len(in.TransactItems))
	for i := range in.TransactItems {
		if get := in.TransactItems[i].Get; get != nil {
			list[i] = target{table: tableCalled(get.TableName), known: get.Key.Item}
		}
	}
	return list
}

func transactWriteTargets(in *api.TransactWriteItemsInput) []target {
	list := make([]target, len(in.TransactItems))
	for i := range in.TransactItems {
		switch a := &in.TransactItems[i]; {
		case a.Put != nil:
			list[i] = target{table: tableCalled(a.Put.TableName), known: a.Put.Item.Item, write: true}
		case a.Update != nil:
			list[i] = target{table: tableCalled(a.Update.TableName), known: a.Update.Key.Item, write: true}
		case a.Delete != nil:
			list[i] = target{table: tableCalled(a.Delete.TableName), known: a.Delete.Key.Item, write: true}
		case a.ConditionCheck != nil:
			list[i] = target{table: tableCalled(a.ConditionCheck.TableName), known: a.ConditionCheck.Key.Item}
		}
	}
	return list
}

// statementTarget is the target of a PartiQL statement, an empty one if there is none or it cannot be parsed.
func (c *call) statementTarget(text *api.PartiQLStatement, parameters []api.AttributeValue) target {
	if text == nil {
		return target{}
	}
	s, err := c.newStatement(text, parameters)
	if err != nil {
		return target{}
	}
	t := target{table: s.table, index: s.Index, write: !s.Kind.IsRead() && s.Kind != partiql.Exists}
	if s.Kind == partiql.Insert {
		t.known = s.inserted.Item
		return t
	}
	t.known = itemOf(equalities(s))
	return t
}

// equalities are what the WHERE clause wants attributes to be equal to.
func equalities(s *statement) (known []item.Attribute) {
	conjuncts(s.Where, func(e *partiql.Expr) {
		name, constant, ok := equality(e)
		if !ok || named(known, name) {
			return
		}
		if v, err := constant.Value(s.params); err == nil {
			known = append(known, item.Attribute{Name: name, Value: v})
		}
	})
	return known
}

// named reports whether attributes have one with a name.
func named(attributes []item.Attribute, name string) bool {
	for i := range attributes {
		if attributes[i].Name == name {
			return true
		}
	}
	return false
}
