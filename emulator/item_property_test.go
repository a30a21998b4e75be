package emulator

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// naiveItem is an item of the model: the type and text of each attribute.
type naiveItem map[string][2]string

// naiveTable is the model of the table "indexed": items by pk and sk.
type naiveTable map[[2]string]naiveItem

// naiveIndexes are the indexes of the table: their key attributes and their projections ("*" means
// all).
var naiveIndexes = []struct {
	name, kind string
	key        []string
	projected  []string
}{
	{"gsi1", "GlobalSecondaryIndexes", []string{"gh", "gr"}, []string{"*"}},
	{"gsi2", "GlobalSecondaryIndexes", []string{"gr"}, []string{"pk", "sk", "gr"}},
	{"lsi1", "LocalSecondaryIndexes", []string{"pk", "lr"}, []string{"pk", "sk", "lr", "a"}},
}

func (it naiveItem) json() string {
	if it == nil {
		return ""
	}
	wire := map[string]map[string]string{}
	for name, v := range it {
		wire[name] = map[string]string{v[0]: v[1]}
	}
	text, err := json.Marshal(wire)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func (it naiveItem) only(names []string) naiveItem {
	if names[0] == "*" {
		return it
	}
	part := naiveItem{}
	for _, name := range names {
		if v, ok := it[name]; ok {
			part[name] = v
		}
	}
	return part
}

// size is the size in the Developer Guide, for the values in use.
func (it naiveItem) size() int {
	n := 0
	for name, v := range it {
		n += len(name)
		switch v[0] {
		case "S":
			n += len(v[1])
		case "N":
			n += 1 + (len(v[1])+1)/2
		case "B":
			n++
		}
	}
	return n
}

func naiveUnits(bytes int) int { return max(1, (bytes+1023)/1024) }

// entry returns the item's entry in an index and its key there. The entry is nil if the item is not
// in the index.
func (it naiveItem) entry(key, projected []string) (naiveItem, string) {
	for _, name := range key {
		if _, ok := it[name]; !ok {
			return nil, ""
		}
	}
	return it.only(projected), it.only(key).json()
}

// naiveCapacity is the ConsumedCapacity of replacing old by new in the table "indexed".
func naiveCapacity(old, new naiveItem) map[string]any {
	table := naiveUnits(max(old.size(), new.size()))
	total := table
	answer := map[string]any{"Table": map[string]any{"CapacityUnits": table}}
	for _, ix := range naiveIndexes {
		before, from := old.entry(ix.key, ix.projected)
		after, to := new.entry(ix.key, ix.projected)
		units := 0
		switch {
		case maps.Equal(before, after):
			continue
		case before != nil && after != nil && from == to:
			units = naiveUnits(max(before.size(), after.size()))
		default:
			if before != nil {
				units += naiveUnits(before.size())
			}
			if after != nil {
				units += naiveUnits(after.size())
			}
		}
		if answer[ix.kind] == nil {
			answer[ix.kind] = map[string]any{}
		}
		answer[ix.kind].(map[string]any)[ix.name] = map[string]any{"CapacityUnits": units}
		total += units
	}
	answer["CapacityUnits"] = total
	answer["TableName"] = "indexed"
	return answer
}

var naiveValues = map[string][]string{
	"gh": {"S", "g", "h"}, "gr": {"N", "1", "2"}, "lr": {"B", "AA==", "AQ=="},
	"a": {"S", "", "a", strings.Repeat("a", 1100)},
	"v": {"S", "x", strings.Repeat("v", 1010), strings.Repeat("v", 2100)}, "n": {"N", "7", "70707"},
}

func drawAttributes(t *rapid.T) naiveItem {
	it := naiveItem{}
	for _, name := range slices.Sorted(maps.Keys(naiveValues)) {
		if i := rapid.IntRange(0, len(naiveValues[name])-1).Draw(t, name); i > 0 {
			it[name] = [2]string{naiveValues[name][0], naiveValues[name][i]}
		}
	}
	return it
}

func drawKey(t *rapid.T) naiveItem {
	return naiveItem{
		"pk": {"S", rapid.SampledFrom([]string{"p", "q"}).Draw(t, "pk")},
		"sk": {"S", rapid.SampledFrom([]string{"x", "y", "z"}).Draw(t, "sk")},
	}
}

func (it naiveItem) id() [2]string { return [2]string{it["pk"][1], it["sk"][1]} }

// naiveRun drives one emulator and its model.
type naiveRun struct {
	*rapid.T
	x     *requestTest
	model naiveTable
}

const naiveFailed = conditionFailed

// condition draws a condition. It returns its parameters and whether old satisfies it. If
// expression is set it has the form of an expression.
func (r *naiveRun) condition(old naiveItem, expression bool) (params string, holds bool) {
	_, hasA := old["a"]
	switch n := rapid.IntRange(0, 4).Draw(r.T, "condition"); {
	case n == 0:
		return `,"ConditionExpression":"attribute_exists(pk)"`, old != nil
	case n == 1:
		return `,"ConditionExpression":"attribute_not_exists(a)"`, !hasA
	case n == 2 && !expression:
		return `,"Expected":{"a":{"Exists":false},"pk":{"ComparisonOperator":"NULL"}},"ConditionalOperator":"OR"`, !hasA || old == nil
	}
	return "", true
}

// write sends a single write and compares the answer and the capacity. updated lists the attributes
// of UPDATED_OLD and UPDATED_NEW; nil if the operation has none.
func (r *naiveRun) write(operation, body string, id [2]string, new naiveItem, updated []string) {
	old := r.model[id]
	condition, holds := r.condition(old, updated != nil)
	values := []string{"NONE", "ALL_OLD"}
	if updated != nil {
		values = append(values, "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW")
	}
	returns := rapid.SampledFrom(values).Draw(r.T, "ReturnValues")
	got := r.x.do(operation,
		`{"TableName":"indexed","ReturnConsumedCapacity":"INDEXES","ReturnValuesOnConditionCheckFailure":"ALL_OLD","ReturnValues":"`+
			returns+`",`+body+condition+`}`)
	if !holds {
		require.Equal(r.T, strings.TrimSpace(naiveFailed+" "+old.json()), got)
		return
	}
	from := old
	if strings.HasSuffix(returns, "NEW") {
		from = new
	}
	if strings.HasPrefix(returns, "UPDATED") {
		from = from.only(append(updated, "none"))
	}
	want := map[string]any{"ConsumedCapacity": naiveCapacity(old, new)}
	if returns != "NONE" && len(from) > 0 {
		want["Attributes"] = json.RawMessage(from.json())
	}
	text, err := json.Marshal(want)
	require.NoError(r.T, err)
	require.JSONEq(r.T, string(text), got)
	r.set(id, new)
}

func (r *naiveRun) set(id [2]string, it naiveItem) {
	if it == nil {
		delete(r.model, id)
	} else {
		r.model[id] = it
	}
}

func (r *naiveRun) put() {
	it := drawAttributes(r.T)
	maps.Copy(it, drawKey(r.T))
	r.write("PutItem", `"Item":`+it.json(), it.id(), it, nil)
}

func (r *naiveRun) delete() {
	key := drawKey(r.T)
	r.write("DeleteItem", `"Key":`+key.json(), key.id(), nil, nil)
}

// update sets some attributes and removes others.
func (r *naiveRun) update() {
	key, set := drawKey(r.T), drawAttributes(r.T)
	new := maps.Clone(r.model[key.id()])
	if new == nil {
		new = maps.Clone(key)
	}
	var sets, removes []string
	values, updated := map[string]map[string]string{}, []string{}
	for _, name := range slices.Sorted(maps.Keys(naiveValues)) {
		if v, ok := set[name]; ok {
			sets = append(sets, name+" = :"+name)
			values[":"+name] = map[string]string{v[0]: v[1]}
			new[name] = v
		} else if rapid.Bool().Draw(r.T, "remove "+name) {
			removes = append(removes, name)
			delete(new, name)
		} else {
			continue
		}
		updated = append(updated, name)
	}
	body := `"Key":` + key.json()
	expression := ""
	if len(sets) > 0 {
		expression = "SET " + strings.Join(sets, ", ") + " "
		text, err := json.Marshal(values)
		require.NoError(r.T, err)
		body += `,"ExpressionAttributeValues":` + string(text)
	}
	if len(removes) > 0 {
		expression += "REMOVE " + strings.Join(removes, ", ")
	}
	if expression == "" {
		return
	}
	if len(sets) == 0 && r.model[key.id()] == nil {
		new = nil // service facts 8.1
	}
	r.write("UpdateItem", body+`,"UpdateExpression":"`+expression+`"`, key.id(), new, updated)
}

func (r *naiveRun) batch() {
	var requests []string
	seen := map[[2]string]bool{}
	for range rapid.IntRange(1, 6).Draw(r.T, "batch") {
		key := drawKey(r.T)
		if seen[key.id()] {
			continue
		}
		seen[key.id()] = true
		if rapid.Bool().Draw(r.T, "delete") {
			requests = append(requests, `{"DeleteRequest":{"Key":`+key.json()+`}}`)
			r.set(key.id(), nil)
			continue
		}
		it := drawAttributes(r.T)
		maps.Copy(it, key)
		requests = append(requests, `{"PutRequest":{"Item":`+it.json()+`}}`)
		r.set(key.id(), it)
	}
	got := r.x.do("BatchWriteItem",
		`{"RequestItems":{"indexed":[`+strings.Join(requests, ",")+`]}}`)
	require.JSONEq(r.T, `{"UnprocessedItems":{}}`, got)
}

// compare reads every possible item, one by one and all at once.
func (r *naiveRun) compare() {
	var keys, items, gets, responses []string
	for _, pk := range []string{"p", "q"} {
		for _, sk := range []string{"x", "y", "z"} {
			key := naiveItem{"pk": {"S", pk}, "sk": {"S", sk}}
			keys = append(keys, key.json())
			want := `{}`
			if it := r.model[key.id()]; it != nil {
				items = append(items, it.json())
				want = `{"Item":` + it.json() + `}`
			}
			got := r.x.do("GetItem", `{"TableName":"indexed","Key":`+key.json()+`}`)
			require.JSONEq(r.T, want, got)
			gets = append(gets, `{"Get":{"TableName":"indexed","Key":`+key.json()+`}}`)
			responses = append(responses, want)
		}
	}
	got := r.x.do("BatchGetItem",
		`{"RequestItems":{"indexed":{"Keys":[`+strings.Join(keys, ",")+`]}}}`)
	require.JSONEq(r.T,
		fmt.Sprintf(`{"Responses":{"indexed":[%s]},"UnprocessedKeys":{}}`,
			strings.Join(items, ",")), got)
	got = r.x.do("TransactGetItems", `{"TransactItems":[`+strings.Join(gets, ",")+`]}`)
	require.JSONEq(r.T, `{"Responses":[`+strings.Join(responses, ",")+`]}`, got)
}

func TestItemsAgainstModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := &naiveRun{T: rt, x: newItemTest(t), model: naiveTable{}}
		rt.Repeat(map[string]func(*rapid.T){
			"put":         func(rt *rapid.T) { r.T = rt; r.put() },
			"delete":      func(rt *rapid.T) { r.T = rt; r.delete() },
			"update":      func(rt *rapid.T) { r.T = rt; r.update() },
			"batch":       func(rt *rapid.T) { r.T = rt; r.batch() },
			"transaction": func(rt *rapid.T) { r.T = rt; r.transaction() },
			"":            func(rt *rapid.T) { r.T = rt; r.compare() },
		})
	})
}
