package items

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/expr"
)

// legacyFilter is the legacy parameter QueryFilter or ScanFilter.
type legacyFilter struct {
	name       string
	conditions api.Map[api.Condition]
}

// condition is the filter's condition, nil if it has none.
func (f *legacyFilter) condition(operator *api.ConditionalOperator) (*expr.Condition, error) {
	if len(f.conditions) == 0 {
		return nil, nil
	}
	terms, err := legacyTerms(f.conditions)
	if err != nil {
		return nil, err
	}
	joined := "AND"
	if operator != nil {
		joined = string(*operator)
	}
	cond, err := expr.NewLegacyCondition(terms, joined)
	if err != nil {
		return nil, apierr.InvalidParameter(err.Error())
	}
	return cond, nil
}

// legacyKeyTerms are the terms of the legacy parameter KeyConditions.
func legacyKeyTerms(conditions api.Map[api.Condition]) ([]expr.KeyTerm, error) {
	terms, err := legacyTerms(conditions)
	if err != nil {
		return nil, err
	}
	keys, err := expr.NewLegacyKeyCondition(terms)
	if err != nil {
		return nil, apierr.InvalidParameter(err.Error())
	}
	return keys, nil
}

func legacyTerms(conditions api.Map[api.Condition]) ([]expr.LegacyTerm, error) {
	terms := make([]expr.LegacyTerm, len(conditions))
	for i := range conditions {
		c := &conditions[i]
		if err := checkNameGiven(c.Key); err != nil {
			return nil, err
		}
		values, err := LegacyValues(c.Value.AttributeValueList)
		if err != nil {
			return nil, err
		}
		terms[i] = expr.LegacyTerm{
			Attribute: c.Key, Op: string(*c.Value.ComparisonOperator), Values: values,
		}
	}
	return terms, nil
}
