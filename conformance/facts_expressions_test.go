package conformance

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const numberOverflow = "Number overflow. Attempting to store a number with magnitude larger than supported range"

// TestFactsConditionValues tries conditions on one item: each holds, and its negation fails.
func TestFactsConditionValues(t *testing.T) {
	t.Parallel()
	item := `{@pk,"s":{"S":"abÿ"},"u":{"S":"a𝄞€"},"e":{"S":""},"n":{"N":"12"},"m":{"M":{"k":{"S":"𝄞𝄞"}}},"t":{"BOOL":true},"ss":{"SS":["ÿ","𝄞"]},"b":{"B":"w78="}}`
	values := map[string]string{
		":zero": `{"N":"0"}`, ":two": `{"N":"2"}`, ":three": `{"N":"3"}`, ":four": `{"N":"4"}`,
		":S": `{"S":"S"}`, ":N": `{"S":"N"}`, ":L": `{"S":"L"}`, ":NULL": `{"S":"NULL"}`,
		":n": `{"N":"1"}`, ":m": `{"M":{"n":{"N":"12"}}}`, ":null": `{"NULL":true}`, ":yes": `{"BOOL":true}`, ":l": `{"L":[{"N":"12"}]}`, ":txt": `{"S":"𝄞"}`,
	}
	for _, group := range []struct {
		src   string
		exprs []string
	}{
		{"service facts 1.12", []string{
			"size(s) = :three", "size(u) = :four", "size(e) = :zero", "size(m.k) = :four", "size(:txt) = :two", "size(u) > size(s)", "size(s) IN (:two, :three)", "size(m.k) BETWEEN :four AND :four",
			"size(ss) = :two", "size(b) = :two", "size(m) <> :two",
		}},
		{"service facts 8.4", []string{
			"attribute_type(:n, :N)", "attribute_type(:txt, :S)", "attribute_type(:l, :L)", "attribute_type(:null, :NULL)", "NOT attribute_type(:n, :S)", "attribute_type(:n, :N) AND attribute_type(n, :N)",
		}},
		{"service facts B.8", []string{
			"NOT contains(:n, n)", "NOT contains(:m, n)", "NOT contains(size(s), :three)", "NOT contains(:null, t)", "NOT contains(:yes, t)", "NOT contains(n, :n)", "NOT contains(m, :txt)", "contains(:l, n)",
		}},
	} {
		var cases []kase
		for _, expr := range group.exprs {
			members := valuesIn(expr, values)
			cases = append(cases,
				kase{name: expr, given: []string{item}, in: `{@key,"ConditionExpression":"` + expr + `"` + members + `}`, then: "none"},
				kase{name: "NOT " + expr, given: []string{item}, in: `{@key,"ConditionExpression":"NOT (` + expr + `)"` + members + `}`, err: conditionFailed, then: item})
		}
		run(t, defaults{src: group.src, table: "hash", op: "DeleteItem"}, cases)
	}
}

var placeholder = regexp.MustCompile(`:\w+`)

// valuesIn gives the ExpressionAttributeValues that an expression names.
func valuesIn(expr string, values map[string]string) string {
	members := map[string]string{}
	for _, name := range placeholder.FindAllString(expr, -1) {
		members[name] = `"` + name + `":` + values[name]
	}
	if len(members) == 0 {
		return ""
	}
	return `,"ExpressionAttributeValues":{` + strings.Join(slices.Sorted(maps.Values(members)), ",") + `}`
}

// TestFactsOnlyRemoves: what only removes creates no item.
func TestFactsOnlyRemoves(t *testing.T) {
	t.Parallel()
	set := `"ExpressionAttributeValues":{":v":{"SS":["x"]}}`
	number := `"ExpressionAttributeValues":{":v":{"N":"1"}}`
	run(t, defaults{src: "service facts 8.1", table: "hash", op: "UpdateItem"}, []kase{
		{name: "REMOVE", in: `{@key,"UpdateExpression":"REMOVE a"}`, want: `{}`, then: "none"},
		{name: "REMOVE two", in: `{@key,"UpdateExpression":"REMOVE a, b"}`, want: `{}`, then: "none"},
		{name: "REMOVE by a name", in: `{@key,"UpdateExpression":"REMOVE #a","ExpressionAttributeNames":{"#a":"a"}}`, want: `{}`, then: "none"},
		{name: "DELETE", in: `{@key,"UpdateExpression":"DELETE a :v",` + set + `}`, want: `{}`, then: "none"},
		{name: "REMOVE and DELETE", in: `{@key,"UpdateExpression":"REMOVE b DELETE a :v",` + set + `}`, want: `{}`, then: "none"},
		{name: "REMOVE and SET", in: `{@key,"UpdateExpression":"REMOVE b SET a = :v",` + set + `}`, want: `{}`, then: `{@pk,"a":{"SS":["x"]}}`},
		{name: "DELETE and ADD", in: `{@key,"UpdateExpression":"DELETE b :s ADD a :v","ExpressionAttributeValues":{":s":{"SS":["x"]},":v":{"N":"1"}}}`, want: `{}`, then: `{@pk,"a":{"N":"1"}}`},
		{name: "ADD", in: `{@key,"UpdateExpression":"ADD a :v",` + number + `}`, want: `{}`, then: `{@pk,"a":{"N":"1"}}`},
		{name: "ALL_NEW", in: `{@key,"UpdateExpression":"REMOVE a","ReturnValues":"ALL_NEW"}`, want: `{}`, then: "none"},
		{name: "UPDATED_NEW", in: `{@key,"UpdateExpression":"REMOVE a","ReturnValues":"UPDATED_NEW"}`, want: `{}`, then: "none"},
		{name: "ALL_OLD", in: `{@key,"UpdateExpression":"REMOVE a","ReturnValues":"ALL_OLD"}`, want: `{}`, then: "none"},
		{name: "a condition that holds", in: `{@key,"UpdateExpression":"REMOVE a","ConditionExpression":"attribute_not_exists(pk)"}`, want: `{}`, then: "none"},
		{name: "a condition that fails", in: `{@key,"UpdateExpression":"REMOVE a","ConditionExpression":"attribute_exists(pk)"}`, err: conditionFailed, then: "none"},
		{name: "legacy DELETE", in: `{@key,"AttributeUpdates":{"a":{"Action":"DELETE"},"b":{"Action":"DELETE","Value":{"SS":["x"]}}}}`, want: `{}`, then: "none"},
		{name: "nothing at all", in: `{@key}`, want: `{}`, then: `{@pk}`},
		{name: "no AttributeUpdates", in: `{@key,"AttributeUpdates":{}}`, want: `{}`, then: `{@pk}`},
		{name: "in a transaction", op: "TransactWriteItems", in: `{"TransactItems":[{"Update":{"TableName":"@hash",@key,"UpdateExpression":"REMOVE a"}}]}`, want: `{}`, then: "none"},
		{name: "key attribute", in: `{@key,"UpdateExpression":"REMOVE pk"}`, err: "ValidationException: One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the key", then: "none"},
	})
	run(t, defaults{src: "service facts 8.2", table: "hash", op: "UpdateItem"}, []kase{
		{name: "REMOVE in a map of no item", in: `{@key,"UpdateExpression":"REMOVE x.y"}`, want: `{}`, then: "none"},
		{name: "REMOVE in a list of no item", in: `{@key,"UpdateExpression":"REMOVE x[0], y.z[2].a"}`, want: `{}`, then: "none"},
		{name: "DELETE in a map of no item", in: `{@key,"UpdateExpression":"DELETE x.y :v",` + set + `}`, want: `{}`, then: "none"},
		{name: "REMOVE in a map that an item lacks", given: []string{`{@pk,"a":{"N":"1"}}`}, in: `{@key,"UpdateExpression":"REMOVE x.y"}`, err: "ValidationException: " + badPath, then: `{@pk,"a":{"N":"1"}}`},
		{name: "REMOVE in a list that an item lacks", given: []string{`{@pk,"a":{"N":"1"}}`}, in: `{@key,"UpdateExpression":"REMOVE x[0]"}`, err: "ValidationException: " + badPath, then: `{@pk,"a":{"N":"1"}}`},
		{name: "SET in a map of no item", in: `{@key,"UpdateExpression":"SET x.y = :v",` + number + `}`, err: "ValidationException: " + badPath, then: "none"},
	})
}

// TestFactsSums: a sum that is no number overflows.
func TestFactsSums(t *testing.T) {
	t.Parallel()
	big := `"a":{"N":"1` + strings.Repeat("0", 50) + `"}`
	small := `"a":{"N":"1"}`
	runUpdates(t, "service facts 8.5", []update{
		{name: "sum", item: big, expr: "SET a = a + :v", values: `":v":{"N":"1"}`, err: numberOverflow},
		{name: "difference", item: big, expr: "SET b = a - :v", values: `":v":{"N":"1"}`, err: numberOverflow},
		{name: "sum of a small number", item: small, expr: "SET a = a + :v", values: `":v":{"N":"1e-60"}`, err: numberOverflow},
		{name: "ADD", item: big, expr: "ADD a :v", values: `":v":{"N":"-1"}`, err: numberOverflow},
		{name: "sum of values", item: small, expr: "SET b = :v + :w", values: `":v":{"N":"1e20"},":w":{"N":"1e-20"}`, err: numberOverflow},
		{name: "sum out of range", item: small, expr: "SET b = :v + :v", values: `":v":{"N":"9e125"}`, err: numberOverflow},
		{name: "38 digits", item: small, expr: "SET b = :v + :w", values: `":v":{"N":"1e37"},":w":{"N":"1"}`, want: small + `,"b":{"N":"10000000000000000000000000000000000001"}`},
	})
}

// TestFactsNotContains: the legacy NOT_CONTAINS wants the attribute to exist.
func TestFactsNotContains(t *testing.T) {
	t.Parallel()
	item := `{@pk,"s":{"S":"hello"},"n":{"N":"5"}}`
	lacks := `"x":{"ComparisonOperator":"NOT_CONTAINS","AttributeValueList":[{"S":"z"}]}`
	run(t, defaults{src: "service facts 3.12", table: "hash", op: "DeleteItem"}, []kase{
		{name: "missing attribute", given: []string{item}, in: `{@key,"Expected":{` + lacks + `}}`, err: conditionFailed, then: item},
		{name: "missing item", in: `{@key,"Expected":{` + lacks + `}}`, err: conditionFailed, then: "none"},
		{name: "beside one that holds, by OR", given: []string{item}, in: `{@key,"ConditionalOperator":"OR","Expected":{` + lacks + `,"n":{"Value":{"N":"5"}}}}`, want: `{}`, then: "none"},
		{name: "attribute without it", given: []string{item}, in: `{@key,"Expected":{"s":{"ComparisonOperator":"NOT_CONTAINS","AttributeValueList":[{"S":"z"}]}}}`, want: `{}`, then: "none"},
		{name: "NE of a missing attribute", given: []string{item}, in: `{@key,"Expected":{"x":{"ComparisonOperator":"NE","AttributeValueList":[{"S":"z"}]}}}`, want: `{}`, then: "none"},
	})
}

// updating makes a TransactWriteItems of one update, in which texts are bare.
func updating(expr, members string) string {
	return `{"TransactItems":[{"Update":{"TableName":"@hash",@key,"UpdateExpression":` + quote(expr) + members + `}}]}`
}

// TestFactsListAppend: inside of list_append no other function than if_not_exists is allowed.
func TestFactsListAppend(t *testing.T) {
	t.Parallel()
	const refused = "ValidationException: Invalid UpdateExpression: The function is not allowed to be used this way in an expression; function: list_append"
	values := `,"ExpressionAttributeValues":{":a":{"L":[{"N":"1"}]},":b":{"L":[{"N":"2"}]}}`
	run(t, defaults{src: "service facts 8.3", table: "hash", op: "TransactWriteItems"}, []kase{
		{name: "on the left", in: updating("SET a = list_append(list_append(:a, :b), :b)", values), err: refused, then: "none"},
		{name: "on the right", in: updating("SET a = list_append(:a, list_append(a, :b))", values), err: refused, then: "none"},
		{name: "if_not_exists on both sides", in: updating("SET a = list_append(if_not_exists(a, :a), if_not_exists(b, :b))", values), want: `{}`, then: `{@pk,"a":{"L":[{"N":"1"},{"N":"2"}]}}`},
	})
}

// TestFactsUpdateCharge: UpdateItem charges for its statement, which may be over the limit
// where the item is not.
func TestFactsUpdateCharge(t *testing.T) {
	t.Parallel()
	const limit, ofKey = 400 << 10, len("pk") + 12
	tooLarge := "ValidationException: Item size to update has exceeded the maximum allowed size"
	values := func(bytes int) string {
		return `"ExpressionAttributeValues":{":v":{"S":"` + strings.Repeat("x", bytes) + `"}}`
	}
	most := limit - 3 - 19 - len("b")
	flat := limit - ofKey - len("b")
	half := `{@pk,"a":{"S":"` + strings.Repeat("a", limit/2) + `"}}`
	run(t, defaults{src: "service facts 1.11", table: "hash", op: "UpdateItem"}, []kase{
		{name: "SET at the limit", in: `{@key,"UpdateExpression":"SET b = :v",` + values(most) + `}`, want: `{}`},
		{name: "SET over the limit", in: `{@key,"UpdateExpression":"SET b = :v",` + values(most+1) + `}`, err: tooLarge, then: "none"},
		{name: "the name counts, not its placeholder", in: `{@key,"UpdateExpression":"SET #name = :v","ExpressionAttributeNames":{"#name":"b"},` + values(most) + `}`, want: `{}`},
		{name: "a value counts at each use", in: `{@key,"UpdateExpression":"SET b = :v, c = :v",` + values((limit-3-2*(19+1))/2+1) + `}`, err: tooLarge, then: "none"},
		{name: "if_not_exists of what is there counts", given: []string{`{@pk,"b":{"N":"1"}}`}, in: `{@key,"UpdateExpression":"SET b = if_not_exists(b, :v)",` + values(most-39-16+1) + `}`, err: tooLarge, then: `{@pk,"b":{"N":"1"}}`},
		{name: "if_not_exists at the limit", given: []string{`{@pk,"b":{"N":"1"}}`}, in: `{@key,"UpdateExpression":"SET b = if_not_exists(b, :v)",` + values(most-39-16) + `}`, want: `{}`, then: `{@pk,"b":{"N":"1"}}`},
		{name: "a nested target", given: []string{`{@pk,"b":{"M":{}}}`}, in: `{@key,"UpdateExpression":"SET b.cd = :v",` + values(most-4-2+1) + `}`, err: tooLarge, then: `{@pk,"b":{"M":{}}}`},
		{name: "what is read is free", given: []string{half}, in: `{@key,"UpdateExpression":"SET b = a REMOVE a"}`, want: `{}`},
		{name: "members that are there are free", given: []string{`{@pk,"b":{"SS":["` + strings.Repeat("x", most) + `"]}}`}, in: `{@key,"UpdateExpression":"ADD b :v","ExpressionAttributeValues":{":v":{"SS":["` + strings.Repeat("x", most) + `","y"]}}}`, want: `{}`},
		{name: "before the condition", in: `{@key,"UpdateExpression":"SET b = :v","ConditionExpression":"attribute_exists(pk)",` + values(most+1) + `}`, err: tooLarge, then: "none"},
		{name: "the item, too", given: []string{half}, in: `{@key,"UpdateExpression":"SET b = :v",` + values(limit/2) + `}`, err: tooLarge},
		{name: "PutItem is flat", op: "PutItem", in: `{"Item":{@pk,"b":{"S":"` + strings.Repeat("x", flat) + `"}}}`, want: `{}`},
		{name: "AttributeUpdates is flat", in: `{@key,"AttributeUpdates":{"b":{"Value":{"S":"` + strings.Repeat("x", flat) + `"}}}}`, want: `{}`},
		{name: "a transaction is flat", op: "TransactWriteItems", in: updating("SET b = :v", ","+values(flat)), want: `{}`},
	})
}
