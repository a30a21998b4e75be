package request

import (
	"errors"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage/item"
)

// addGet adds a read of an item by its key.
func (r *Request) addGet(table string, key item.Attributes) error {
	it, err := attributes("Key", key)
	if table == "" {
		err = missing("TableName")
	}
	r.Reads = append(r.Reads, Read{Action: len(r.Reads), Table: table, Key: it})
	return err
}

func (r *Request) viewGet(in *api.GetItemInput) error {
	return r.addGet(tableName(in.TableName), in.Key)
}

func (r *Request) viewBatchGet(in *api.BatchGetItemInput) error {
	for _, e := range in.RequestItems {
		table := api.TableArn(e.Key)
		for _, key := range e.Value.Keys {
			if err := r.addGet(tableName(&table), key); err != nil {
				return err
			}
		}
	}
	return checkActions(len(r.Reads))
}

func (r *Request) viewTransactGet(in *api.TransactGetItemsInput) error {
	for _, part := range in.TransactItems {
		if part.Get == nil {
			return errPart
		}
		if err := r.addGet(tableName(part.Get.TableName), part.Get.Key); err != nil {
			return err
		}
	}
	return checkActions(len(r.Reads))
}

// addRange adds a read of a range of a table or an index.
func (r *Request) addRange(table *api.TableArn, index *api.IndexName, terms []expr.KeyTerm) error {
	r.Reads = append(r.Reads,
		Read{Table: tableName(table), Index: string(api.Deref(index)), Terms: terms})
	if r.Reads[0].Table == "" {
		return missing("TableName")
	}
	return nil
}

func (r *Request) viewScan(in *api.ScanInput) error {
	return r.addRange(in.TableName, in.IndexName, nil)
}

func (r *Request) viewQuery(in *api.QueryInput) error {
	terms, err := queryTerms(in)
	if err != nil {
		return err
	}
	if err := r.addRange(in.TableName, in.IndexName, terms); err != nil {
		return err
	}
	if terms == nil {
		return missing("KeyConditionExpression")
	}
	return nil
}

// errMixed is the error of expressions beside the parameters that they replace.
var errMixed = errors.New("expressions and legacy parameters cannot be mixed")

// queryTerms returns the key condition of a query as terms, nil without any.
func queryTerms(in *api.QueryInput) ([]expr.KeyTerm, error) {
	condition := api.Deref(in.KeyConditionExpression)
	switch {
	case condition != "" && len(in.KeyConditions) > 0:
		return nil, errMixed
	case condition != "":
		scope, err := newScope(in.ExpressionAttributeNames, in.ExpressionAttributeValues)
		if err != nil {
			return nil, err
		}
		return scope.KeyCondition(condition)
	case len(in.KeyConditions) == 0:
		return nil, nil
	}
	terms := make([]expr.LegacyTerm, len(in.KeyConditions))
	for i, e := range in.KeyConditions {
		list, err := values(e.Value.AttributeValueList)
		if err != nil {
			return nil, err
		}
		terms[i] = expr.LegacyTerm{
			Attribute: e.Key, Op: string(api.Deref(e.Value.ComparisonOperator)), Values: list,
		}
	}
	return expr.NewLegacyKeyCondition(terms)
}

// viewSearch is the view of a search in a vector index. Its condition compares the partition key
// and inline filters with values. Without a condition it is a scan of the index.
func (r *Request) viewSearch(in *api.SearchVectorsInput) (err error) {
	var terms []expr.KeyTerm
	if condition := api.Deref(in.SearchConditionExpression); condition != "" {
		scope, err := newScope(in.ExpressionAttributeNames, in.ExpressionAttributeValues)
		if err != nil {
			return err
		}
		if terms, err = scope.SearchCondition(condition); err != nil {
			return err
		}
	}
	if err := r.addRange(in.TableName, in.IndexName, terms); err != nil {
		return err
	}
	if r.Reads[0].Index == "" {
		return missing("IndexName")
	}
	return nil
}

// newScope returns the scope of the expressions of a request.
func newScope(names api.Map[api.AttributeName], values item.Attributes) (*expr.Scope, error) {
	if values.Invalid != nil {
		return nil, values.Invalid
	}
	var list []expr.Name
	for _, e := range names {
		list = append(list, expr.Name{Placeholder: e.Key, Attribute: string(e.Value)})
	}
	return expr.NewScope(list, values.Item)
}
