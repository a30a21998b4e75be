package items

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage/item"
)

// expectedCondition converts the legacy parameter Expected to a condition.
func expectedCondition(expected api.Map[api.ExpectedAttributeValue],
	operator *api.ConditionalOperator) (*expr.Condition, error) {
	terms := make([]expr.LegacyTerm, len(expected))
	for i := range expected {
		e := &expected[i]
		if err := checkNameGiven(e.Key); err != nil {
			return nil, err
		}
		if reason := expectedConflict(&e.Value); reason != "" {
			return nil, apierr.InvalidParameter("One or more parameter values were invalid: " +
				reason + " for Attribute: " + e.Key)
		}
		term, err := expectedTerm(e.Key, &e.Value)
		if err != nil {
			return nil, err
		}
		terms[i] = term
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

// expectedConflict checks that the members of e go together (API Reference,
// ExpectedAttributeValue): either Value and Exists, or ComparisonOperator with its arguments.
func expectedConflict(e *api.ExpectedAttributeValue) string {
	switch {
	case e.Value.Present && e.AttributeValueList != nil:
		return "Value and AttributeValueList cannot be used together"
	case e.AttributeValueList != nil && e.ComparisonOperator == nil:
		return "AttributeValueList can only be used with a ComparisonOperator"
	case e.ComparisonOperator != nil && e.Exists != nil:
		return "Exists and ComparisonOperator cannot be used together"
	case e.ComparisonOperator != nil:
		if !e.Value.Present && e.AttributeValueList == nil &&
			takesArguments(*e.ComparisonOperator) {
			return "Value or AttributeValueList must be used with ComparisonOperator: " +
				string(*e.ComparisonOperator)
		}
	case e.Exists == nil && !e.Value.Present:
		return "Value must be provided when Exists is null"
	case e.Exists != nil && *e.Exists && !e.Value.Present:
		return "Value must be provided when Exists is true"
	case e.Exists != nil && !*e.Exists && e.Value.Present:
		return "Value cannot be used when Exists is false"
	}
	return ""
}

func takesArguments(op api.ComparisonOperator) bool { return op != "NULL" && op != "NOT_NULL" }

func expectedTerm(name string, e *api.ExpectedAttributeValue) (expr.LegacyTerm, error) {
	term := expr.LegacyTerm{Attribute: name, Op: "EQ"}
	arguments := e.AttributeValueList
	if e.Value.Present {
		arguments = []api.AttributeValue{e.Value}
	}
	switch {
	case e.ComparisonOperator != nil:
		term.Op = string(*e.ComparisonOperator)
	case e.Exists != nil && !*e.Exists:
		term.Op = "NULL"
	}
	values, err := LegacyValues(arguments)
	term.Values = values
	return term, err
}

// LegacyValues returns the arguments of a legacy comparison after checking each.
func LegacyValues(arguments []api.AttributeValue) ([]item.Value, error) {
	values := make([]item.Value, len(arguments))
	for i, a := range arguments {
		if a.Invalid != nil {
			return nil, apierr.InvalidValue(a.Invalid)
		}
		values[i] = a.Value
	}
	return values, nil
}

// checkNameGiven checks the name of an attribute in a legacy parameter (service facts 8.6, 8.7).
func checkNameGiven(name string) error {
	switch {
	case name == "":
		return errNoName
	case len(name) > item.MaxNameBytes:
		return errLongName
	}
	return nil
}

// attributeUpdates converts the legacy parameter AttributeUpdates to an update.
func attributeUpdates(updates api.Map[api.AttributeValueUpdate]) (*expr.Update, error) {
	list := make([]expr.LegacyUpdate, len(updates))
	for i, u := range updates {
		if err := checkNameGiven(u.Key); err != nil {
			return nil, err
		}
		if wrong := u.Value.Value.Invalid; wrong != nil {
			return nil, apierr.InvalidValue(wrong)
		}
		list[i] = expr.LegacyUpdate{
			Attribute: u.Key, Action: string(attributeAction(u.Value.Action)),
			Value: u.Value.Value.Value,
		}
	}
	u, err := expr.NewLegacyUpdate(list)
	if err != nil {
		return nil, apierr.InvalidParameter(err.Error())
	}
	return u, nil
}

// attributeAction returns the Action of an attribute update. The default is PUT.
func attributeAction(a *api.AttributeAction) api.AttributeAction {
	if a == nil {
		return "PUT"
	}
	return *a
}
