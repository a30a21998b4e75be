package verdict

import (
	"encoding/json"
	"fmt"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
)

// object is a JSON object. Its members stay as they were read.
type object = map[string]json.RawMessage

// The members of a request that an amendment changes.
const (
	memberCondition = "ConditionExpression"
	memberNames     = "ExpressionAttributeNames"
	memberValues    = "ExpressionAttributeValues"
)

// amend puts the conditions of the rules on versions and latest items on a request. It returns nil
// without such conditions.
func amend(e *policy.Engine, r *request.Request, body []byte) ([]byte, error) {
	amendments := e.Amendments(r)
	if len(amendments) == 0 {
		return nil, nil
	}
	var request object
	if err := json.Unmarshal(body, &request); err != nil {
		return nil, err
	}
	if r.Operation == "TransactWriteItems" {
		if err := amendTransaction(request, amendments); err != nil {
			return nil, err
		}
		return encode(request), nil
	}
	for _, a := range amendments {
		if err := amendWrite(request, a); err != nil {
			return nil, err
		}
	}
	return encode(request), nil
}

// maxTransaction is how many actions the service takes in a transaction.
const maxTransaction = 100

// amendTransaction amends the actions of a transaction. The checks of items that it has no action
// on come behind them.
func amendTransaction(request object, amendments []policy.Amendment) error {
	var actions []object
	if err := json.Unmarshal(request["TransactItems"], &actions); err != nil {
		return err
	}
	type place struct {
		table string
		key   item.Item
	}
	added := map[place]int{}
	for _, a := range amendments {
		at := a.Action
		if a.Key != "" {
			var ok bool
			if at, ok = added[place{a.Table, a.Key}]; !ok {
				at, added[place{a.Table, a.Key}] = len(actions), len(actions)
				actions = append(actions, checkOf(a))
			}
		}
		if err := amendAction(actions[at], a); err != nil {
			return err
		}
	}
	if len(actions) > maxTransaction {
		return fmt.Errorf(
			"the transaction has %d actions with the checks of other versions that are added to it, and the service takes %d", len(actions), maxTransaction)
	}
	request["TransactItems"] = encode(actions)
	return nil
}

// checkOf is a ConditionCheck without its condition.
func checkOf(a policy.Amendment) object {
	return object{
		"ConditionCheck": encode(
			object{"TableName": encode(a.Table), "Key": json.RawMessage(a.Key.JSON())}),
	}
}

// amendAction amends the one write or check of a transaction's action.
func amendAction(action object, a policy.Amendment) error {
	for _, kind := range [...]string{"Put", "Update", "Delete", "ConditionCheck"} {
		var write object
		if err := json.Unmarshal(action[kind], &write); action[kind] == nil || err == nil &&
			write == nil {
			continue
		} else if err != nil {
			return err
		}
		if err := amendWrite(write, a); err != nil {
			return err
		}
		action[kind] = encode(write)
	}
	return nil
}

func amendWrite(write object, a policy.Amendment) error {
	condition := ""
	if own := write[memberCondition]; own != nil {
		if err := json.Unmarshal(own, &condition); err != nil {
			return err
		}
	}
	if condition == "" {
		condition = a.Expression
	} else {
		condition = "(" + condition + ") AND (" + a.Expression + ")"
	}
	write[memberCondition] = encode(condition)
	names, values := object{}, object{}
	for placeholder, attribute := range a.Names {
		names[placeholder] = encode(attribute)
	}
	for placeholder, v := range a.Values {
		values[placeholder] = json.RawMessage(v)
	}
	if err := add(write, memberNames, names); err != nil {
		return err
	}
	return add(write, memberValues, values)
}

// add adds placeholders to a member of a write.
func add(write object, member string, placeholders object) error {
	if len(placeholders) == 0 {
		return nil
	}
	var all object
	if own := write[member]; own != nil {
		if err := json.Unmarshal(own, &all); err != nil {
			return err
		}
	}
	if all == nil {
		all = object{}
	}
	for name, v := range placeholders {
		if all[name] != nil && string(all[name]) != string(v) {
			return fmt.Errorf(
				"%s has %s, which is kept for the conditions of the rules on versions", member,
				name)
		}
		all[name] = v
	}
	write[member] = encode(all)
	return nil
}
