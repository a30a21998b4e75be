package items

import (
	"strings"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Parameter says of a request parameter whether it was given.
type Parameter struct {
	Name  string
	Given bool
}

// expressionParams says which of an operation's parameters a request uses, in
// the order in which the service names them.
type expressionParams struct {
	legacy     []Parameter // AttributesToGet, Expected, ...
	valueless  []Parameter // expressions that take no values: ProjectionExpression
	WithValues []Parameter // UpdateExpression, ConditionExpression, ...
	names      bool        // ExpressionAttributeNames was given
	values     bool        // ExpressionAttributeValues was given
}

// Check applies the rules against mixing the two ways of saying things, and
// against names and values that no expression could use.
func (p *expressionParams) Check() error {
	withValues := anyGiven(p.WithValues)
	expressions := withValues || anyGiven(p.valueless)
	switch {
	case expressions && anyGiven(p.legacy):
		return apierr.InvalidParameter(
			"Can not use both expression and non-expression parameters in the same request: " +
				"Non-expression parameters: {" + givenNames(p.legacy) + "} " +
				"Expression parameters: {" + givenNames(p.valueless, p.WithValues) + "}")
	case p.names && !expressions:
		return apierr.InvalidParameter(
			"ExpressionAttributeNames can only be specified when using expressions")
	case p.values && !withValues:
		return &apierr.ParameterError{About: apierr.AboutUselessValues, Text: areNull(p.WithValues)}
	}
	return nil
}

func anyGiven(ps []Parameter) bool {
	for i := range ps {
		if ps[i].Given {
			return true
		}
	}
	return false
}

func givenNames(lists ...[]Parameter) string {
	var names []string
	for _, ps := range lists {
		for _, p := range ps {
			if p.Given {
				names = append(names, p.Name)
			}
		}
	}
	return strings.Join(names, ", ")
}

func areNull(ps []Parameter) string {
	if len(ps) == 1 {
		return ps[0].Name + " is null"
	}
	names := make([]string, len(ps))
	for i, p := range ps {
		names[i] = p.Name
	}
	return strings.Join(names, " and ") + " are null"
}

// openScope opens the scope of a request's expressions with its
// ExpressionAttributeNames and ExpressionAttributeValues.
func openScope(scope *expr.Scope, names api.Map[api.AttributeName], values item.Attributes) error {
	var few [4]expr.Name
	var ns []expr.Name
	if names != nil {
		ns = few[:0]
		for i := range names {
			ns = append(ns, expr.Name{Placeholder: names[i].Key, Attribute: string(names[i].Value)})
		}
	}
	if values.Invalid != nil {
		if err := expr.CheckPlaceholders(ns, values.Invalid.Names); err != nil {
			return apierr.InvalidParameter(err.Error())
		}
	}
	if err := scope.Open(ns, values.Item); err != nil {
		return apierr.InvalidParameter(err.Error())
	}
	if values.Invalid != nil {
		return &apierr.ParameterError{About: apierr.AboutExpressionValue, Value: values.Invalid}
	}
	return nil
}

// Given reports whether an attribute map was in the request.
func Given(a item.Attributes) bool { return a.Item != "" || a.Invalid != nil }

// checkConditionalOperator checks ConditionalOperator against the number of
// conditions that it would join.
func checkConditionalOperator(op *api.ConditionalOperator, conditions int) error {
	switch {
	case op == nil || conditions > 1:
		return nil
	case conditions == 0:
		return apierr.InvalidParameter(
			"ConditionalOperator cannot be used without Filter or Expected")
	}
	return apierr.InvalidParameter(
		"ConditionalOperator can only be used when Filter or Expected has two or more elements")
}

// attributesToGet is the projection of the legacy parameter AttributesToGet; nil
// if it was not given.
func attributesToGet(list api.AttributeNameList) (*expr.Projection, error) {
	if list == nil {
		return nil, nil
	}
	names := make([]string, len(list))
	seen := make(map[string]bool, len(list))
	for i, n := range list {
		name := string(n)
		if name == "" {
			return nil, errNoName
		}
		if seen[name] {
			return nil, apierr.InvalidParameter(
				"One or more parameter values were invalid: Duplicate value in attribute name: " +
					name)
		}
		seen[name] = true
		names[i] = name
	}
	return expr.NewProjection(names...), nil
}
