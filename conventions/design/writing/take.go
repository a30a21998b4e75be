package writing

import (
	"fmt"
	"strings"
)

// take returns the request by which an item has as much less, or more, as a row says.
func (o writer) take(a *Action, row Row) (r Request, err error) {
	item, err := o.Item(a.Model, row)
	if err != nil {
		return r, err
	}
	var e expressions[any]
	sign, conditions := "+", []string{}
	if a.Minus {
		sign = "-"
	}
	if a.If == MustExist {
		conditions = append(conditions, o.condition(&e, a, nil))
	}
	var sets []string
	for _, attribute := range a.Takes {
		n, err := number(row[attribute])
		if err != nil || n <= 0 {
			return r, fmt.Errorf("the row of %s does not say how much of %s it takes, or gives: "+
				"want a number above 0", a.Model, attribute)
		}
		assignment, enough := e.Amount(o.Alone(a.Model, attribute), sign, whole(n))
		if sets = append(sets, assignment); a.If == MustHave {
			conditions = append(conditions, enough)
		}
	}
	in := map[string]any{"TableName": o.Name, "Key": o.keyOf(item),
		"UpdateExpression": "SET " + strings.Join(sets, ", ")}
	if len(conditions) > 0 {
		in["ConditionExpression"] = strings.Join(conditions, " AND ")
	}
	o.into(in, &e)
	return Request{"UpdateItem", in}, nil
}
