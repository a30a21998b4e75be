package verdict

import (
	"encoding/json"
	"fmt"

	"github.com/kugiri-db/kugiri/conventions/policy"
)

// object is a JSON object. Its members stay as they were read.
type object = map[string]json.RawMessage

// The members of a request that an amendment changes.
const (
	memberCondition = "ConditionExpression"
	memberNames     = "ExpressionAttributeNames"
	memberValues    = "ExpressionAttributeValues"
)

// amend adds the conditions of the rules on versions to the writes of a request. It returns nil if
// there are none to add.
func amend(e *policy.Engine, r *policy.Request, body []byte) ([]byte, error) {
	amendments := map[int]policy.Amendment{}
	for i := range r.Writes {
		if a, ok := e.VersionCondition(&r.Writes[i]); ok {
			amendments[r.Writes[i].Action] = a
		}
	}
	if len(amendments) == 0 {
		return nil, nil
	}
	var request object
	if err := json.Unmarshal(body, &request); err != nil {
		return nil, err
	}
	if r.Operation != "TransactWriteItems" {
		if err := amendWrite(request, amendments[0]); err != nil {
			return nil, err
		}
		return encode(request), nil
	}
	var actions []object
	if err := json.Unmarshal(request["TransactItems"], &actions); err != nil {
		return nil, err
	}
	for i, a := range amendments {
		if err := amendAction(actions[i], a); err != nil {
			return nil, err
		}
	}
	request["TransactItems"] = encode(actions)
	return encode(request), nil
}

// amendAction amends the write of one action of a transaction.
func amendAction(action object, a policy.Amendment) error {
	for _, kind := range [...]string{"Put", "Update"} {
		var write object
		if err := json.Unmarshal(action[kind], &write); action[kind] == nil || err == nil && write == nil {
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
		if all[name] != nil {
			return fmt.Errorf("%s has %s, which is kept for the conditions of the rules on versions", member, name)
		}
		all[name] = v
	}
	write[member] = encode(all)
	return nil
}
