package items

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage/item"
)

// ReadParams are the parameters by which Query and Scan alike say what they
// want of the items that they read. They are checked without any table.
type ReadParams struct {
	index           *api.IndexName
	selection       *api.Select
	attributesToGet api.AttributeNameList
	Projection      *string
	Filter          *string
	legacyFilter    legacyFilter
	operator        *api.ConditionalOperator
	start           item.Attributes
	Names           api.Map[api.AttributeName]
	Values          item.Attributes
}

// Parameters says which of the parameters were given.
func (p *ReadParams) Parameters() expressionParams {
	return expressionParams{
		legacy: []Parameter{
			{"AttributesToGet", p.attributesToGet != nil},
			{p.legacyFilter.name, p.legacyFilter.conditions != nil},
			{"ConditionalOperator", p.operator != nil},
		},
		valueless:  []Parameter{{"ProjectionExpression", p.Projection != nil}},
		WithValues: []Parameter{{"FilterExpression", p.Filter != nil}},
		names:      p.Names != nil,
		values:     Given(p.Values),
	}
}

// checkStart checks the names and the values of ExclusiveStartKey by themselves.
func (p *ReadParams) checkStart() error {
	if err := checkNames(p.start); err != nil {
		return err
	}
	if p.start.Invalid != nil {
		return &apierr.ParameterError{About: apierr.AboutStartValue, Value: p.start.Invalid}
	}
	return nil
}

// checkSelect: API Reference, Query, Select.
func (p *ReadParams) checkSelect() error {
	chosen := ""
	switch {
	case p.attributesToGet != nil:
		chosen = "AttributesToGet"
	case p.Projection != nil:
		chosen = "ProjectionExpression"
	}
	switch api.Deref(p.selection) {
	case "":
		return nil
	case "SPECIFIC_ATTRIBUTES":
		if chosen == "" {
			return errSelect(
				"Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES")
		}
		return nil
	}
	if chosen == "" {
		if *p.selection == "ALL_PROJECTED_ATTRIBUTES" && p.index == nil {
			return errSelect(
				"ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName")
		}
		return nil
	}
	wanted := string(*p.selection)
	if wanted == "COUNT" {
		wanted = "only the Count"
	}
	return errSelect("Cannot specify the " + chosen + " when choosing to get " + wanted)
}

func errSelect(text string) error {
	return &apierr.ParameterError{About: apierr.AboutSelect, Text: text}
}

// Open opens the scope of the expressions, which is zero, if there are any; more says that
// there is one besides the projection and the filter.
func (p *ReadParams) Open(scope *expr.Scope, more bool) error {
	if p.Projection == nil && p.Filter == nil && !more {
		return nil
	}
	return openScope(scope, p.Names, p.Values)
}

// checkEmpty refuses an empty filter and an empty projection, which Query reports before faults in
// the key condition (service facts M.1).
func (p *ReadParams) checkEmpty() error {
	if p.Filter != nil && *p.Filter == "" {
		return emptyExpression(expr.KindFilter)
	}
	if p.Projection != nil && *p.Projection == "" {
		return emptyExpression(expr.KindProjection)
	}
	return nil
}

func emptyExpression(kind expr.Kind) error {
	return apierr.InvalidParameter(expr.Check(kind, "").Error())
}

// Expressions reads the filter and then the projection (service facts 12.4), and leaves them
// in r. They are the last of the scope's expressions, so that all its names and values must
// be used by then.
func (p *ReadParams) Expressions(r *RangeRead, scope *expr.Scope) (err error) {
	if p.Filter != nil {
		if r.Filter, err = scope.Condition(expr.KindFilter, *p.Filter); err != nil {
			return apierr.InvalidParameter(err.Error())
		}
		r.FilterName = "Filter Expression"
	}
	if p.Projection != nil {
		if r.Projection, err = scope.Projection(*p.Projection); err != nil {
			return apierr.InvalidParameter(err.Error())
		}
	}
	return checkUnused(scope)
}

// legacy reads the legacy filter and AttributesToGet. Faults in them come before those of
// any other parameter that is not one of them (service facts 12.3 and C.1).
func (p *ReadParams) legacy(r *RangeRead) (err error) {
	if r.Projection, err = attributesToGet(p.attributesToGet); err != nil {
		return err
	}
	if err = checkConditionalOperator(p.operator, len(p.legacyFilter.conditions)); err != nil {
		return err
	}
	r.FilterName = p.legacyFilter.name
	r.Filter, err = p.legacyFilter.condition(p.operator)
	return err
}

// checkUnused wants all names and values of a scope used.
func checkUnused(scope *expr.Scope) error {
	if err := scope.Unused(); err != nil {
		return apierr.InvalidParameter(err.Error())
	}
	return nil
}
