package emulator

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// naiveAction is one action of a transaction and what the model makes of it.
type naiveAction struct {
	id       [2]string
	body     string
	old, new naiveItem
	reason   string // "None" if it can be done
}

// action draws an action on an item.
func (r *naiveRun) action(key naiveItem) naiveAction {
	a := naiveAction{id: key.id(), old: r.model[key.id()], reason: "None"}
	a.new = a.old
	what, members := `"Key":`+key.json(), ""
	kind := rapid.SampledFrom([]string{"ConditionCheck", "Delete", "Put", "Update"}).Draw(r.T,
		"kind")
	switch kind {
	case "Put":
		a.new = drawAttributes(r.T)
		maps.Copy(a.new, key)
		what = `"Item":` + a.new.json()
	case "Delete":
		a.new = nil
	case "Update":
		a.new = maps.Clone(key)
		maps.Copy(a.new, a.old)
		a.new["n"] = [2]string{"N", "70707"}
		members = `,"UpdateExpression":"SET n = :n","ExpressionAttributeValues":{":n":{"N":"70707"}}`
		if _, has := a.old["a"]; !has && rapid.Bool().Draw(r.T, "bad operand") {
			members, a.reason = `,"UpdateExpression":"SET n = a"`, "ValidationError"
		}
	}
	condition, holds := r.condition(a.old, true)
	if condition == "" && kind == "ConditionCheck" {
		condition, holds = `,"ConditionExpression":"attribute_not_exists(n)"`, a.old["n"][0] == ""
	}
	if !holds {
		a.reason = "ConditionalCheckFailed"
	}
	a.body = `{"` + kind + `":{"TableName":"indexed",` + what + members + condition + `}}`
	return a
}

// transaction sends actions on some of the items and compares answer and price.
func (r *naiveRun) transaction() {
	ids := rapid.Permutation([]string{"px", "py", "pz", "qx", "qy", "qz"}).Draw(r.T, "items")
	var actions []naiveAction
	var bodies, reasons []string
	for _, id := range ids[:rapid.IntRange(1, 4).Draw(r.T, "actions")] {
		a := r.action(naiveItem{"pk": {"S", id[:1]}, "sk": {"S", id[1:]}})
		actions, bodies, reasons = append(actions, a), append(bodies, a.body), append(reasons,
			a.reason)
	}
	// the only reason: service facts 5.9
	if first := slices.Index(reasons, "ValidationError"); first >= 0 {
		for i := range reasons {
			if i != first {
				reasons[i] = "None"
			}
		}
	}
	got := r.x.do("TransactWriteItems",
		`{"ReturnConsumedCapacity":"INDEXES","TransactItems":[`+strings.Join(bodies, ",")+`]}`)
	if slices.ContainsFunc(reasons, func(reason string) bool { return reason != "None" }) {
		require.Equal(r.T,
			canceledText+
				"Transaction cancelled, please refer cancellation reasons for specific reasons ["+
				strings.Join(reasons, ", ")+"]", got)
		return
	}
	var total any = map[string]any{}
	for _, a := range actions {
		r.set(a.id, a.new)
		total = addUnits(total, transacted(naiveCapacity(a.old, a.new)))
	}
	total.(map[string]any)["TableName"] = "indexed"
	text, err := json.Marshal(map[string]any{"ConsumedCapacity": []any{total}})
	require.NoError(r.T, err)
	require.JSONEq(r.T, string(text), got)
}

// transacted makes the capacity of a write that of an action: the item costs twice
// as much, the entries of indexes do not.
func transacted(one map[string]any) map[string]any {
	table := one["Table"].(map[string]any)
	units := table["CapacityUnits"].(int)
	table["CapacityUnits"] = 2 * units
	one["CapacityUnits"] = one["CapacityUnits"].(int) + units
	return one
}

// addUnits adds one action's capacity to a sum, whose units are write units as well.
func addUnits(sum any, one map[string]any) map[string]any {
	all, _ := sum.(map[string]any)
	if all == nil {
		all = map[string]any{}
	}
	for name, v := range one {
		switch v := v.(type) {
		case map[string]any:
			all[name] = addUnits(all[name], v)
		case int:
			before, _ := all[name].(int)
			all[name], all["WriteCapacityUnits"] = before+v, before+v
		}
	}
	return all
}
