package conformance

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const numberOverflow = "Number overflow. Attempting to store a number with magnitude larger than supported range"

// TestFactsConditionValues checks conditions on one item: each is true, and its negation fails.
func TestFactsConditionValues(t *testing.T) {
	t.Parallel()
	item := `{@pk,"s":{"S":"abÿ"},"u":{"S":"a𝄞€"},"e":{"S":""},"n":{"N":"12"},"m":{"M":{"k":{"S":"𝄞𝄞"}}},"t":{"BOOL":true},"ss":{"SS":["ÿ","𝄞"]},"b":{"B":"w78="}}`
	values := map[string]string{
		":zero": `{"N":"0"}`, ":two": `{"N":"2"}`, ":three": `{"N":"3"}`, ":four": `{"N":"4"}`,
		":S": `{"S":"S"}`, ":N": `{"S":"N"}`, ":L": `{"S":"L"}`, ":NULL": `{"S":"NULL"}`,
		":n": `{"N":"1"}`, ":m": `{"M":{"n":{"N":"12"}}}`, ":null": `{"NULL":true}`,
		":yes": `{"BOOL":true}`, ":l": `{"L":[{"N":"12"}]}`, ":txt": `{"S":"𝄞"}`,
	}
	for _, group := range []struct {
		src   string
		exprs []string
	}{
		{"service facts 1.12", []string{
			"size(s) = :three", "size(u) = :four", "size(e) = :zero", "size(m.k) = :four",
			"size(:txt) = :two", "size(u) > size(s)", "size(s) IN (:two, :three)",
			"size(m.k) BETWEEN :four AND :four",
			"size(ss) = :two", "size(b) = :two", "size(m) <> :two",
		}},
		{"service facts 8.4", []string{
			"attribute_type(:n, :N)", "attribute_type(:txt, :S)", "attribute_type(:l, :L)",
			"attribute_type(:null, :NULL)", "NOT attribute_type(:n, :S)",
			"attribute_type(:n, :N) AND attribute_type(n, :N)",
		}},
		{"service facts B.8", []string{
			"NOT contains(:n, n)", "NOT contains(:m, n)", "NOT contains(size(s), :three)",
			"NOT contains(:null, t)", "NOT contains(:yes, t)", "NOT contains(n, :n)",
			"NOT contains(m, :txt)", "contains(:l, n)",
		}},
	} {
		var cases []kase
		for _, expr := range group.exprs {
			members := valuesIn(expr, values)
			cases = append(cases,
				kase{name: expr, given: []string{item},
					in: `{@key,"ConditionExpression":"` + expr + `"` + members + `}`, then: "none"},
				kase{name: "NOT " + expr, given: []string{item},
					in:  `{@key,"ConditionExpression":"NOT (` + expr + `)"` + members + `}`,
					err: conditionFailed, then: item})
		}
		run(t, defaults{src: group.src, table: "hash", op: "DeleteItem"}, cases)
	}
}

var placeholder = regexp.MustCompile(`:\w+`)

// valuesIn returns the ExpressionAttributeValues that an expression uses.
func valuesIn(expr string, values map[string]string) string {
	members := map[string]string{}
	for _, name := range placeholder.FindAllString(expr, -1) {
		members[name] = `"` + name + `":` + values[name]
	}
	if len(members) == 0 {
		return ""
	}
	return `,"ExpressionAttributeValues":{` +
		strings.Join(slices.Sorted(maps.Values(members)), ",") + `}`
}

// TestFactsOnlyRemoves: an update that only removes attributes creates no item.
func TestFactsOnlyRemoves(t *testing.T) {
	t.Parallel()
	set := `"ExpressionAttributeValues":{":v":{"SS":["x"]}}`
	number := `"ExpressionAttributeValues":{":v":{"N":"1"}}`
	run(t, defaults{src: "service facts 8.1", table: "hash", op: "UpdateItem"}, []kase{
		{name: "REMOVE", in: `{@key,"UpdateExpression":"REMOVE a"}`, want: `{}`, then: "none"},
		{name: "REMOVE two", in: `{@key,"UpdateExpression":"REMOVE a, b"}`, want: `{}`,
			then: "none"},
		{name: "REMOVE by a name",
			in:   `{@key,"UpdateExpression":"REMOVE #a","ExpressionAttributeNames":{"#a":"a"}}`,
			want: `{}`, then: "none"},
		{name: "DELETE", in: `{@key,"UpdateExpression":"DELETE a :v",` + set + `}`, want: `{}`,
			then: "none"},
		{name: "REMOVE and DELETE",
			in: `{@key,"UpdateExpression":"REMOVE b DELETE a :v",` + set + `}`, want: `{}`,
			then: "none"},
		{name: "REMOVE and SET", in: `{@key,"UpdateExpression":"REMOVE b SET a = :v",` + set + `}`,
			want: `{}`, then: `{@pk,"a":{"SS":["x"]}}`},
		{name: "DELETE and ADD",
			in: `{@key,"UpdateExpression":"DELETE b :s ADD a :v","ExpressionAttributeValues":{":s":{"SS":["x"]},":v":{"N":"1"}}}`, want: `{}`, then: `{@pk,"a":{"N":"1"}}`},
		{name: "ADD", in: `{@key,"UpdateExpression":"ADD a :v",` + number + `}`, want: `{}`,
			then: `{@pk,"a":{"N":"1"}}`},
		{name: "ALL_NEW", in: `{@key,"UpdateExpression":"REMOVE a","ReturnValues":"ALL_NEW"}`,
			want: `{}`, then: "none"},
		{name: "UPDATED_NEW",
			in: `{@key,"UpdateExpression":"REMOVE a","ReturnValues":"UPDATED_NEW"}`, want: `{}`,
			then: "none"},
		{name: "ALL_OLD", in: `{@key,"UpdateExpression":"REMOVE a","ReturnValues":"ALL_OLD"}`,
			want: `{}`, then: "none"},
		{name: "a condition that holds",
			in: `{@key,"UpdateExpression":"REMOVE a","ConditionExpression":"attribute_not_exists(pk)"}`, want: `{}`, then: "none"},
		{name: "a condition that fails",
			in:  `{@key,"UpdateExpression":"REMOVE a","ConditionExpression":"attribute_exists(pk)"}`,
			err: conditionFailed, then: "none"},
		{name: "legacy DELETE",
			in: `{@key,"AttributeUpdates":{"a":{"Action":"DELETE"},"b":{"Action":"DELETE","Value":{"SS":["x"]}}}}`, want: `{}`, then: "none"},
		{name: "nothing at all", in: `{@key}`, want: `{}`, then: `{@pk}`},
		{name: "no AttributeUpdates", in: `{@key,"AttributeUpdates":{}}`, want: `{}`,
			then: `{@pk}`},
		{name: "in a transaction", op: "TransactWriteItems",
			in: `{"TransactItems":[{"Update":{"TableName":"@hash",@key,"UpdateExpression":"REMOVE a"}}]}`, want: `{}`, then: "none"},
		{name: "key attribute", in: `{@key,"UpdateExpression":"REMOVE pk"}`,
			err: updatedKey, then: "none"},
	})
	run(t, defaults{src: "service facts 8.2", table: "hash", op: "UpdateItem"}, []kase{
		{name: "REMOVE in a map of no item", in: `{@key,"UpdateExpression":"REMOVE x.y"}`,
			want: `{}`, then: "none"},
		{name: "REMOVE in a list of no item",
			in: `{@key,"UpdateExpression":"REMOVE x[0], y.z[2].a"}`, want: `{}`, then: "none"},
		{name: "DELETE in a map of no item",
			in: `{@key,"UpdateExpression":"DELETE x.y :v",` + set + `}`, want: `{}`, then: "none"},
		{name: "in a transaction", op: "TransactWriteItems",
			in: updating("REMOVE x.y, z[1] DELETE u.v :v", ","+set), want: `{}`, then: "none"},
		{name: "REMOVE in a value that is not a map", given: []string{`{@pk,"a":{"L":[]}}`},
			in: `{@key,"UpdateExpression":"REMOVE a.y"}`, err: "ValidationException: " + badPath,
			then: `{@pk,"a":{"L":[]}}`},
		{name: "REMOVE of a missing member of a map", given: []string{`{@pk,"a":{"M":{}}}`},
			in: `{@key,"UpdateExpression":"REMOVE a.y"}`, want: `{}`, then: `{@pk,"a":{"M":{}}}`},
		{name: "DELETE in a map that an item lacks", given: []string{`{@pk}`},
			in:  `{@key,"UpdateExpression":"DELETE x.y :v",` + set + `}`,
			err: "ValidationException: " + badPath, then: `{@pk}`},
		{name: "REMOVE in a map that an item lacks", given: []string{`{@pk,"a":{"N":"1"}}`},
			in: `{@key,"UpdateExpression":"REMOVE x.y"}`, err: "ValidationException: " + badPath,
			then: `{@pk,"a":{"N":"1"}}`},
		{name: "REMOVE in a list that an item lacks", given: []string{`{@pk,"a":{"N":"1"}}`},
			in: `{@key,"UpdateExpression":"REMOVE x[0]"}`, err: "ValidationException: " + badPath,
			then: `{@pk,"a":{"N":"1"}}`},
		{name: "SET in a map of no item",
			in:  `{@key,"UpdateExpression":"SET x.y = :v",` + number + `}`,
			err: "ValidationException: " + badPath, then: "none"},
	})
}

// TestFactsSums: a sum with more than 38 digits overflows.
func TestFactsSums(t *testing.T) {
	t.Parallel()
	big := `"a":{"N":"1` + strings.Repeat("0", 50) + `"}`
	small := `"a":{"N":"1"}`
	runUpdates(t, "service facts 8.5", []update{
		{name: "sum", item: big, expr: "SET a = a + :v", values: `":v":{"N":"1"}`,
			err: numberOverflow},
		{name: "difference", item: big, expr: "SET b = a - :v", values: `":v":{"N":"1"}`,
			err: numberOverflow},
		{name: "sum of a small number", item: small, expr: "SET a = a + :v",
			values: `":v":{"N":"1e-60"}`, err: numberOverflow},
		{name: "ADD", item: big, expr: "ADD a :v", values: `":v":{"N":"-1"}`, err: numberOverflow},
		{name: "sum of values", item: small, expr: "SET b = :v + :w",
			values: `":v":{"N":"1e20"},":w":{"N":"1e-20"}`, err: numberOverflow},
		{name: "difference out of range", item: `"a":{"N":"0.` + strings.Repeat("0", 129) + `1"}`,
			expr: "SET b = :v - a", values: `":v":{"N":"1.5e-130"}`,
			err: "Number underflow. Attempting to store a number with magnitude smaller than supported range"},
		{name: "sum out of range", item: small, expr: "SET b = :v + :v",
			values: `":v":{"N":"9e125"}`, err: numberOverflow},
		{name: "38 digits", item: small, expr: "SET b = :v + :w",
			values: `":v":{"N":"1e37"},":w":{"N":"1"}`,
			want:   small + `,"b":{"N":"10000000000000000000000000000000000001"}`},
	})
}

// TestFactsNotContains: the legacy NOT_CONTAINS requires the attribute to exist.
func TestFactsNotContains(t *testing.T) {
	t.Parallel()
	item := `{@pk,"s":{"S":"hello"},"n":{"N":"5"}}`
	lacks := `"x":{"ComparisonOperator":"NOT_CONTAINS","AttributeValueList":[{"S":"z"}]}`
	run(t, defaults{src: "service facts 3.12", table: "hash", op: "DeleteItem"}, []kase{
		{name: "missing attribute", given: []string{item}, in: `{@key,"Expected":{` + lacks + `}}`,
			err: conditionFailed, then: item},
		{name: "missing item", in: `{@key,"Expected":{` + lacks + `}}`, err: conditionFailed,
			then: "none"},
		{name: "beside one that holds, by OR", given: []string{item},
			in: `{@key,"ConditionalOperator":"OR","Expected":{` + lacks +
				`,"n":{"Value":{"N":"5"}}}}`, want: `{}`, then: "none"},
		{name: "attribute without it", given: []string{item},
			in: `{@key,"Expected":{"s":{"ComparisonOperator":"NOT_CONTAINS","AttributeValueList":[{"S":"z"}]}}}`, want: `{}`, then: "none"},
		{name: "NE of a missing attribute", given: []string{item},
			in: `{@key,"Expected":{"x":{"ComparisonOperator":"NE","AttributeValueList":[{"S":"z"}]}}}`, want: `{}`, then: "none"},
	})
}

// updating makes a TransactWriteItems with one update. Its error texts have no prefix.
func updating(expr, members string) string {
	return `{"TransactItems":[{"Update":{"TableName":"@hash",@key,"UpdateExpression":` +
		quote(expr) + members + `}}]}`
}

// TestFactsListAppend: inside list_append only the function if_not_exists is allowed.
func TestFactsListAppend(t *testing.T) {
	t.Parallel()
	const refused = "ValidationException: Invalid UpdateExpression: The function is not allowed to be used this way in an expression; function: list_append"
	values := `,"ExpressionAttributeValues":{":a":{"L":[{"N":"1"}]},":b":{"L":[{"N":"2"}]}}`
	run(t, defaults{src: "service facts 8.3", table: "hash", op: "TransactWriteItems"}, []kase{
		{name: "on the left", in: updating("SET a = list_append(list_append(:a, :b), :b)", values),
			err: refused, then: "none"},
		{name: "on the right", in: updating("SET a = list_append(:a, list_append(a, :b))", values),
			err: refused, then: "none"},
		{name: "if_not_exists on both sides",
			in: updating("SET a = list_append(if_not_exists(a, :a), if_not_exists(b, :b))",
				values),
			want: `{}`, then: `{@pk,"a":{"L":[{"N":"1"},{"N":"2"}]}}`},
	})
}

// TestFactsUpdateCharge: UpdateItem counts the size of its statement, which may exceed the limit
// even if the item does not.
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
		{name: "SET at the limit",
			in: `{@key,"UpdateExpression":"SET b = :v",` + values(most) + `}`, want: `{}`},
		{name: "SET over the limit",
			in: `{@key,"UpdateExpression":"SET b = :v",` + values(most+1) + `}`, err: tooLarge,
			then: "none"},
		{name: "the name counts, not its placeholder",
			in: `{@key,"UpdateExpression":"SET #name = :v","ExpressionAttributeNames":{"#name":"b"},` + values(most) + `}`, want: `{}`},
		{name: "a value counts at each use",
			in: `{@key,"UpdateExpression":"SET b = :v, c = :v",` +
				values((limit-3-2*(19+1))/2+1) + `}`, err: tooLarge, then: "none"},
		{name: "if_not_exists of an existing attribute counts",
			given: []string{`{@pk,"b":{"N":"1"}}`},
			in: `{@key,"UpdateExpression":"SET b = if_not_exists(b, :v)",` +
				values(most-39-16+1) + `}`, err: tooLarge, then: `{@pk,"b":{"N":"1"}}`},
		{name: "if_not_exists at the limit", given: []string{`{@pk,"b":{"N":"1"}}`},
			in: `{@key,"UpdateExpression":"SET b = if_not_exists(b, :v)",` +
				values(most-39-16) + `}`, want: `{}`, then: `{@pk,"b":{"N":"1"}}`},
		{name: "a nested target", given: []string{`{@pk,"b":{"M":{}}}`},
			in:  `{@key,"UpdateExpression":"SET b.cd = :v",` + values(most-4-2+1) + `}`,
			err: tooLarge, then: `{@pk,"b":{"M":{}}}`},
		{name: "values that are only read are free", given: []string{half},
			in: `{@key,"UpdateExpression":"SET b = a REMOVE a"}`, want: `{}`},
		{name: "members that are there are free",
			given: []string{`{@pk,"b":{"SS":["` + strings.Repeat("x", most) + `"]}}`},
			in:    `{@key,"UpdateExpression":"ADD b :v","ExpressionAttributeValues":{":v":{"SS":["` + strings.Repeat("x", most) + `","y"]}}}`, want: `{}`},
		{name: "only members that are there", given: []string{`{@pk,"c":{"NS":["1","2","3"]}}`},
			in: `{@key,"UpdateExpression":"SET b = :v ADD c :c","ExpressionAttributeValues":{":c":{"NS":["3","1"]},":v":{"S":"` + strings.Repeat("x", most-19-1) + `"}}}`, want: `{}`},
		{name: "a member of a nested set that is new",
			given: []string{`{@pk,"m":{"M":{"c":{"SS":["p"]}}}}`},
			in:    `{@key,"UpdateExpression":"SET b = :v ADD m.c :c","ExpressionAttributeValues":{":c":{"SS":["p","qq"]},":v":{"S":"` + strings.Repeat("x", most-19-1-4-1-2+1) + `"}}}`, err: tooLarge, then: `{@pk,"m":{"M":{"c":{"SS":["p"]}}}}`},
		{name: "a map and its entry",
			in: `{@key,"UpdateExpression":"SET b = :v","ExpressionAttributeValues":{":v":{"M":{"kk":{"S":"` + strings.Repeat("x", most-3-1-2+1) + `"}}}}}`, err: tooLarge, then: "none"},
		{name: "a map and its entry at the limit",
			in: `{@key,"UpdateExpression":"SET b = :v","ExpressionAttributeValues":{":v":{"M":{"kk":{"S":"` + strings.Repeat("x", most-3-1-2) + `"}}}}}`, want: `{}`},
		{name: "REMOVE of paths", given: []string{`{@pk,"m":{"M":{"d":{"N":"1"}}},"l":{"L":[]}}`},
			in: `{@key,"UpdateExpression":"SET b = :v REMOVE c, m.d, l[10]",` +
				values(most-2-7-8+1) + `}`, err: tooLarge},
		{name: "REMOVE of paths at the limit",
			given: []string{`{@pk,"m":{"M":{"d":{"N":"1"}}},"l":{"L":[]}}`},
			in: `{@key,"UpdateExpression":"SET b = :v REMOVE c, m.d, l[10]",` +
				values(most-2-7-8) + `}`, want: `{}`},
		{name: "before the condition",
			in: `{@key,"UpdateExpression":"SET b = :v","ConditionExpression":"attribute_exists(pk)",` + values(most+1) + `}`, err: tooLarge, then: "none"},
		{name: "the item, too", given: []string{half},
			in: `{@key,"UpdateExpression":"SET b = :v",` + values(limit/2) + `}`, err: tooLarge},
		{name: "PutItem is flat", op: "PutItem",
			in: `{"Item":{@pk,"b":{"S":"` + strings.Repeat("x", flat) + `"}}}`, want: `{}`},
		{name: "AttributeUpdates is flat",
			in: `{@key,"AttributeUpdates":{"b":{"Value":{"S":"` +
				strings.Repeat("x", flat) + `"}}}}`, want: `{}`},
		{name: "a transaction is flat", op: "TransactWriteItems",
			in: updating("SET b = :v", ","+values(flat)), want: `{}`},
	})
}

// TestFactsOrderOfChecks uses filters of Scan, whose error texts have no prefix.
func TestFactsOrderOfChecks(t *testing.T) {
	t.Parallel()
	v := `":v":{"S":"a"},":n":{"N":"1"},":2":{"N":"2"}`
	used := v + `,":bad":{"S":"X"},":bool":{"BOOL":true}`
	const reserved = "Attribute name is a reserved keyword; reserved keyword: "
	const undefinedValue = "An expression attribute value used in expression is not defined; attribute value: "
	const undefinedName = "An expression attribute name used in the document path is not defined; attribute name: "
	const distinct = "The first operand must be distinct from the remaining operands for this operator or function; operator: "
	const redundant = "The expression has redundant parentheses;"
	const types = "Incorrect operand type for operator or function; operator or function: "
	both := []failing{
		{name: "unknown function, then a reserved word", expr: "foo(a) AND name = :v", values: v,
			err: "Invalid function name; function: foo"},
		{name: "a reserved word, then an unknown function", expr: "name = :v AND foo(a)", values: v,
			err: reserved + "name"},
		{name: "a reserved word in an unknown function", expr: "foo(status)",
			err: "Invalid function name; function: foo"},
		{name: "misplaced function, then an undefined value", expr: "size(a) AND b = :u",
			err: "The function is not allowed to be used this way in an expression; function: size"},
		{name: "a reserved word in a misplaced function", expr: "contains(data, :v) = :v",
			values: v,
			err:    "The function is not allowed to be used this way in an expression; function: contains"},
		{name: "function of updates, then a reserved word",
			expr: "if_not_exists(a, :v) = :v OR year = :v", values: v,
			err: "The function is not allowed in a condition expression; function: if_not_exists"},
		{name: "not distinct, then a reserved word", expr: "a = a AND name = :v", values: v,
			err: distinct + "=, first operand: [a]"},
		{name: "redundant parentheses, then a reserved word", expr: "((a = :v)) AND name = :v",
			values: v, err: redundant},
		{name: "a reserved word, then redundant parentheses", expr: "name = :v AND ((a = :v))",
			values: v, err: redundant},
	}
	run(t, defaults{src: "service facts 12.5", table: "hash", op: "Scan"},
		refusedExpressions("FilterExpression", `"Limit":1`, both))
	run(t, defaults{
		src: "service facts B.7", table: "hash", op: "Scan",
	}, refusedExpressions("FilterExpression", `"Limit":2`, []failing{
		{name: "type, then an undefined value", expr: "size(:n) = :n AND a = :u",
			values: `":n":{"N":"1"}`, err: types + "size, operand type: N"},
		{name: "an undefined value, then a type", expr: "a = :u AND size(:n) = :n",
			values: `":n":{"N":"1"}`, err: undefinedValue + ":u"},
		{name: "not distinct, then an undefined value", expr: "a = a AND b = :u",
			err: distinct + "=, first operand: [a]"},
		{name: "contains itself, then an undefined name", expr: "contains(a.b, a.b) OR #u = :v",
			values: v, err: distinct + "contains, first operand: [a, b]"},
		{name: "number of operands, then an undefined value", expr: "begins_with(a) AND z = :u",
			err: "Incorrect number of operands for operator or function; operator or function: begins_with, number of operands: 1"},
		{name: "type name, then an undefined value", expr: "attribute_type(a, :bad) AND z = :u",
			values: `":bad":{"S":"X"}`,
			err:    "Invalid attribute type name found; type: X, valid types: {N,BS,L,B,NULL,M,S,SS,NS,BOOL}"},
		{name: "bounds, then an undefined name", expr: "a BETWEEN :2 AND :n AND z = #u", values: v,
			err: "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}"},
		{name: "an undefined name, then bounds", expr: "z = #u AND a BETWEEN :2 AND :n", values: v,
			err: undefinedName + "#u"},
		{name: "no path, then an undefined value", expr: "attribute_exists(:v) AND a = :u",
			values: v,
			err:    "Operator or function requires a document path; operator or function: attribute_exists"},
		{name: "type of a comparator, then a reserved word", expr: "a < :bool AND name = :v",
			values: used, err: types + "<, operand type: BOOL"},
	}))
	run(t, defaults{
		src: "service facts B.12", table: "hash", op: "Scan",
	}, refusedExpressions("FilterExpression", `"Limit":3`, []failing{
		{name: "redundant parentheses, then a syntax error", expr: "((a = b)) and", err: redundant},
		{name: "redundant parentheses in open ones", expr: "(((a = b)) and c = d", err: redundant},
		{name: "redundant parentheses of an operand, then a syntax error", expr: "((a)) = = b",
			err: redundant},
		{name: "a syntax error, then redundant parentheses", expr: "a = = b AND ((c = d))",
			err: `Syntax error; token: "=", near: "= = b"`},
	}))
	run(t, defaults{
		src: "service facts 3.6", table: "comp", op: "Query",
	}, refusedExpressions("KeyConditionExpression", `"Limit":1`, []failing{
		{name: "type, then an undefined value", expr: "begins_with(sk, :n) AND pk = :undefined",
			values: `":n":{"N":"1"}`, err: types + "begins_with, operand type: N"},
		{name: "an undefined value, then a type", expr: "pk = :undefined AND begins_with(sk, :n)",
			values: `":n":{"N":"1"}`, err: undefinedValue + ":undefined"},
		{name: "an undefined name, then bounds", expr: "#u = :v AND sk BETWEEN :2 AND :n",
			values: v, err: undefinedName + "#u"},
		{name: "bounds before the number of conditions",
			expr: "pk = :v AND sk = :v AND x BETWEEN :2 AND :n", values: v,
			err: "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}"},
		{name: "two conditions of the partition key", expr: "pk = :v AND pk = :n",
			values: `":v":{"S":"a"},":n":{"N":"1"}`,
			err:    "KeyConditionExpressions must only contain one condition per key"},
		{name: "two conditions of the sort key", expr: "sk > :v AND pk = :v AND sk < :v",
			values: `":v":{"S":"a"}`,
			err:    "KeyConditionExpressions must only contain one condition per key"},
	}))
	run(t, defaults{src: "service facts 3.6", table: "", op: "Query"}, []kase{
		{name: "type before the table",
			in: `{"TableName":"no-such-table-at-all","KeyConditionExpression":"begins_with(sk, :n) AND pk = :u","ExpressionAttributeValues":{":n":{"N":"1"}}}`,
			err: "ValidationException: Invalid KeyConditionExpression: " + types +
				"begins_with, operand type: N"},
	})
}

// TestFactsTokens shows what the service's lexer accepts as a token.
func TestFactsTokens(t *testing.T) {
	t.Parallel()
	scan := func(source string, fs []failing) {
		run(t, defaults{src: source, table: "hash", op: "Scan"},
			refusedExpressions("FilterExpression", `"Limit":1`, fs))
	}
	projection := func(source string, fs []failing) {
		run(t, defaults{src: source, table: "hash", op: "GetItem"},
			refusedExpressions("ProjectionExpression", `"Key":{"pk":{"S":"any"}}`, fs))
	}
	syntax := func(token, near string) string {
		return `Syntax error; token: "` + token + `", near: "` + near + `"`
	}
	scan("service facts B.5", []failing{
		{name: "filter of a blank", expr: " ", err: syntax("<EOF>", " ")},
		{name: "filter of white space", expr: " \n\t ", err: syntax("<EOF>", " \n\t ")},
	})
	projection("service facts B.5",
		[]failing{{name: "projection of blanks", expr: "   ", err: syntax("<EOF>", "   ")}})
	run(t, defaults{src: "service facts B.5", table: "hash", op: "Query"},
		refusedExpressions("KeyConditionExpression", `"Limit":1`,
			[]failing{{name: "key condition of a blank", expr: " ", err: syntax("<EOF>", " ")}}))
	scan("service facts B.10", []failing{
		{name: "index 00", expr: "a[00] = b", err: syntax("0", "00]")},
		{name: "index 012", expr: "a[012] = b", err: syntax("12", "012]")},
	})
	projection("service facts B.10",
		[]failing{{name: "index 01", expr: "a[01]", err: syntax("1", "01]")}})
	scan("service facts B.11", []failing{
		{name: "SET", expr: "set = b", err: syntax("set", "set =")},
		{name: "REMOVE in a path", expr: "a.Remove = b", err: syntax("Remove", ".Remove =")},
		{name: "ADD in a function", expr: "attribute_exists(ADD)", err: syntax("ADD", "(ADD)")},
		{name: "DELETE on the right", expr: "a = delete", err: syntax("delete", "= delete")},
	})
	projection("service facts B.11", []failing{
		{name: "IN", expr: "in", err: syntax("in", "in")},
		{name: "BETWEEN", expr: "a, Between, b", err: syntax("Between", ", Between,")},
		{name: "DELETE", expr: "a.delete", err: syntax("delete", ".delete")},
	})
	bad := func(message string) string {
		return "ValidationException: Invalid UpdateExpression: " + message
	}
	run(t, defaults{
		src: "service facts B.5, B.10 and B.11", table: "hash", op: "TransactWriteItems",
	}, []kase{
		{name: "update of a blank", in: updating(" ", ""), err: bad(syntax("<EOF>", " "))},
		{name: "index 00 in an update", in: updating("REMOVE a[00]", ""),
			err: bad(syntax("0", "00]"))},
		{name: "BETWEEN in an update", in: updating("SET between = a", ""),
			err: bad(syntax("between", "SET between ="))},
		{name: "NOT in an update", in: updating("REMOVE a.NOT", ""),
			err: bad(syntax("NOT", ".NOT"))},
	})
}

// TestFactsUpdateOrder: paths are checked before operands, names and values before paths.
func TestFactsUpdateOrder(t *testing.T) {
	t.Parallel()
	values := `,"ExpressionAttributeValues":{":s":{"S":"a"},":n":{"N":"1"},":bool":{"BOOL":true}}`
	clash := func(kind, one, two string) string {
		return "ValidationException: Invalid UpdateExpression: Two document paths " + kind +
			" with each other; must remove or rewrite one of these paths; path one: [" +
			one + "], path two: [" + two + "]"
	}
	bad := func(message string) string {
		return "ValidationException: Invalid UpdateExpression: " + message
	}
	clauseType := func(clause, operand string) string {
		return bad("Incorrect operand type for operator or function; operator: " +
			clause + ", operand type: " + operand + ", typeSet: ALLOWED_FOR_ADD_OPERAND")
	}
	run(t, defaults{
		src: "service facts B.9 and 12.5", table: "hash", op: "TransactWriteItems",
	}, []kase{
		{name: "overlap before a type of ADD", in: updating("ADD z :bool, z :n", values),
			err: clash("overlap", "z", "z")},
		{name: "overlap before a type of +",
			in:  updating("SET z = :n, z.a = :n, y = :s + :n", values),
			err: clash("overlap", "z", "z, a")},
		{name: "conflict before a type of +",
			in:  updating("SET b.c = :n, b[0] = :n, d = :s + :n", values),
			err: clash("conflict", "b, c", "b, [0]")},
		{name: "overlap before a number of operands",
			in:  updating("SET z = list_append(a) REMOVE z", values),
			err: clash("overlap", "z", "z")},
		{name: "an undefined value before an overlap", in: updating("SET z = :n, z = :u", values),
			err: bad("An expression attribute value used in expression is not defined; attribute value: :u")},
		{name: "an unknown function before a reserved word",
			in:  updating("SET z = foo(name)", values),
			err: bad("Invalid function name; function: foo")},
	})
	run(t, defaults{src: "service facts B.1", table: "hash", op: "TransactWriteItems"}, []kase{
		{name: "ADD of a string", in: updating("ADD a :s", values),
			err: clauseType("ADD", "STRING")},
		{name: "ADD of a boolean", in: updating("ADD a.b :bool", values),
			err: clauseType("ADD", "BOOL")},
		{name: "DELETE of a number", in: updating("DELETE a :n", values),
			err: clauseType("DELETE", "NUMBER")},
		{name: "DELETE of a list",
			in:  updating("REMOVE b DELETE a :l", `,"ExpressionAttributeValues":{":l":{"L":[]}}`),
			err: clauseType("DELETE", "LIST")},
		{name: "DELETE of a boolean", in: updating("DELETE a :bool", values),
			err: clauseType("DELETE", "BOOL")},
		{name: "before the table",
			in: `{"TransactItems":[{"Update":{"TableName":"no-such-table-at-all",@key,"UpdateExpression":"DELETE a :n","ConditionExpression":"attribute_exists(pk)","ExpressionAttributeValues":{":n":{"N":"1"}}}}]}`, err: clauseType("DELETE", "NUMBER")},
	})
	run(t, defaults{
		src: "service facts 12.5", table: "hash", op: "GetItem",
	}, refusedExpressions("ProjectionExpression", `"Key":{"pk":{"S":"any"}}`, []failing{
		{name: "overlap before a conflict", expr: "a.b, a[0], c, c.d",
			err: "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [c], path two: [c, d]"},
		{name: "conflict", expr: "a.b, a[0], c",
			err: "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, b], path two: [a, [0]]"},
	}))
}

// TestFactsExpressionSize: the service reports the size of conditions only, and before their
// syntax.
func TestFactsExpressionSize(t *testing.T) {
	t.Parallel()
	tooLong := func(parameter, details string) string {
		return "ValidationException: Invalid " + parameter +
			": Expression size has exceeded the maximum allowed size;" + details
	}
	check := func(condition string) string {
		return `{"TransactItems":[{"ConditionCheck":{"TableName":"@hash",@key,"ConditionExpression":` + quote(condition) + `}}]}`
	}
	run(t, defaults{src: "service facts 8.10", table: "hash", op: "TransactWriteItems"}, []kase{
		{name: "condition", in: check("attribute_exists(" + strings.Repeat("a", 4200-18) + ")"),
			err: tooLong("ConditionExpression", " expression size: 4200")},
		{name: "condition in bytes", in: check(strings.Repeat("é", 2049)),
			err: tooLong("ConditionExpression", " expression size: 4098")},
		{name: "condition without meaning", in: check(strings.Repeat("= ", 2100)),
			err: tooLong("ConditionExpression", " expression size: 4200")},
		{name: "update", in: updating("SET a = "+strings.Repeat("b", 4100), ""),
			err: tooLong("UpdateExpression", "")},
		{name: "update without meaning", in: updating(strings.Repeat("( ", 2100), ""),
			err: tooLong("UpdateExpression", "")},
	})
}

// TestFactsPathsIntoKeys: keys are scalars, so no path can lead into them.
func TestFactsPathsIntoKeys(t *testing.T) {
	t.Parallel()
	const scalars = "ValidationException: Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: "
	key := `"Key":{@pk,"sk":{"S":"a"}}`
	update := func(expr, value string) string {
		return `{` + key + `,"UpdateExpression":"` + expr + `","ExpressionAttributeValues":{":v":` +
			value + `}}`
	}
	number := `{"N":"1"}`
	run(t, defaults{src: "service facts 8.8", table: "global", op: "UpdateItem"}, []kase{
		{name: "SET in an index key", in: update("SET gp.x = :v", number),
			err: scalars + "IndexKey: gp"},
		{name: "SET of an element of an index key", in: update("SET a = :v, gb[1] = :v", number),
			err: scalars + "IndexKey: gb"},
		{name: "ADD in an index key", in: update("ADD gs.b :v", number),
			err: scalars + "IndexKey: gs"},
		{name: "DELETE in an index key", in: update("DELETE gp.b :v", `{"SS":["x"]}`),
			err: scalars + "IndexKey: gp"},
		{name: "REMOVE in an index key", in: `{` + key + `,"UpdateExpression":"REMOVE gp.b[2]"}`,
			err: scalars + "IndexKey: gp"},
		{name: "an index key by a name",
			in: `{` + key +
				`,"UpdateExpression":"REMOVE #g.b","ExpressionAttributeNames":{"#g":"gp"}}`,
			err: scalars + "IndexKey: gp"},
		{name: "a local index key", table: "local", in: update("SET lk.x = :v", number),
			err: scalars + "IndexKey: lk"},
		{name: "a map that is no key", given: []string{`{@pk,"sk":{"S":"a"},"m":{"M":{}}}`},
			in: update("SET m.gp = :v", number), want: `{}`},
		{name: "the table's key", in: update("SET sk.x = :v", number),
			err: "ValidationException: One or more parameter values were invalid: Cannot update attribute sk. This attribute is part of the key"},
	})
	run(t, defaults{src: "service facts 8.9", table: "global", op: "UpdateItem"}, []kase{
		{name: "type of an index key before a path",
			given: []string{`{@pk,"sk":{"S":"a"},"a":{"S":"x"}}`},
			in:    update("SET a.b = :v, gp = :v", number),
			err:   "ValidationException: One or more parameter values were invalid: Type mismatch for Index Key gp Expected: S Actual: N IndexName: gall"},
	})
	run(t, defaults{src: "service facts 8.8", table: "global"}, []kase{
		{name: "projection of GetItem", op: "GetItem",
			in: `{` + key + `,"ProjectionExpression":"a, pk.x"}`, err: scalars + "Key: pk"},
		{name: "projection of an element", op: "GetItem",
			in: `{` + key +
				`,"ProjectionExpression":"#s[0]","ExpressionAttributeNames":{"#s":"sk"}}`,
			err: scalars + "Key: sk"},
		{name: "projection of BatchGetItem", op: "BatchGetItem",
			in: `{"RequestItems":{"@global":{"Keys":[{@pk,"sk":{"S":"a"}}],"ProjectionExpression":"sk.x"}}}`, err: scalars + "Key: sk"},
		{name: "projection of an index key by GetItem", op: "GetItem",
			in: `{` + key + `,"ProjectionExpression":"a, gp.x"}`, err: scalars + "IndexKey: gp"},
		{name: "projection of a local index key by BatchGetItem", op: "BatchGetItem",
			in: `{"RequestItems":{"@local":{"Keys":[{@pk,"sk":{"S":"a"}}],"ProjectionExpression":"lk[0]"}}}`, err: scalars + "IndexKey: lk"},
		{name: "projection of an index key by Scan", op: "Scan",
			in: `{"ProjectionExpression":"gb.x"}`, err: scalars + "IndexKey: gb"},
		{name: "projection of a non-key attribute", op: "GetItem",
			in: `{` + key + `,"ProjectionExpression":"a.gp, b[1]"}`, want: `{}`},
		{name: "projection of Query", op: "Query",
			in: `{"KeyConditionExpression":"pk = :p","ProjectionExpression":"sk[1]","ExpressionAttributeValues":{":p":{"S":"$k"}}}`, err: scalars + "Key: sk"},
		{name: "filter of Scan", op: "Scan", in: `{"FilterExpression":"attribute_exists(pk.x)"}`,
			err: scalars + "Key: pk"},
		{name: "filter of Scan on an index", op: "Scan",
			in:  `{"IndexName":"gall","FilterExpression":"attribute_exists(gp[0])"}`,
			err: scalars + "IndexKey: gp"},
		{name: "filter of Scan, key of an index", op: "Scan",
			in: `{"FilterExpression":"attribute_exists(gs.x)"}`, err: scalars + "IndexKey: gs"},
		{name: "filter of Query, key of an index", op: "Query",
			in:  condition("pk = :p", `":p":{"S":"$k"}`, `,"FilterExpression":"gp.x = :p"`),
			err: scalars + "IndexKey: gp"},
		{name: "filter of Query, key of another index", op: "Query",
			in: condition("gp = :p", `":p":{"S":"$k"}`,
				`,"IndexName":"gall","FilterExpression":"gb[1] = :p"`),
			err: scalars + "IndexKey: gb"},
		{name: "filter of Query on an index, table's key", op: "Query",
			in: condition("gp = :p", `":p":{"S":"$k"}`,
				`,"IndexName":"gall","FilterExpression":"sk.x = :p"`), err: scalars + "Key: sk"},
		{name: "Select before the filter", src: "service facts 12.2", op: "Query",
			in: condition("gp = :p", `":p":{"S":"$k"}`,
				`,"IndexName":"gkeys","Select":"ALL_ATTRIBUTES","FilterExpression":"sk.x = :p"`),
			err: "ValidationException: One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index gkeys because its projection type is not ALL"},
		{name: "condition on an index key", op: "PutItem",
			src:  "service facts B.13",
			in:   `{"Item":{@pk,"sk":{"S":"a"}},"ConditionExpression":"attribute_not_exists(gp.x)"}`,
			want: `{}`},
		{name: "condition on the table's key", op: "DeleteItem",
			src:  "service facts B.13",
			in:   `{` + key + `,"ConditionExpression":"attribute_not_exists(pk[0])"}`,
			want: `{}`},
		{name: "condition of a transaction", op: "TransactWriteItems", src: "service facts B.13",
			in: `{"TransactItems":[{"ConditionCheck":{"TableName":"@global",` + key +
				`,"ConditionExpression":"attribute_not_exists(sk.x)"}}]}`, want: `{}`},
		{name: "a legacy ADD of another type than an index key's", src: "service facts B.15", op: "UpdateItem",
			in: `{` + key + `,"AttributeUpdates":{"gp":{"Action":"ADD","Value":{"N":"1"}}}}`,
			err: "ValidationException: One or more parameter values were invalid: Type mismatch for " +
				"Index Key gp Expected: S Actual: N IndexName: gall"},
		{name: "a reserved word left of a second section", src: "service facts B.14", op: "UpdateItem",
			in: update("SET size = :v SET b = :v", number),
			err: one + "Invalid UpdateExpression: Attribute name is a reserved keyword; " +
				"reserved keyword: size"},
		{name: "operand in an index key", op: "UpdateItem",
			in: update("SET a = if_not_exists(gp.x, :v)", number), err: scalars + "IndexKey: gp"},
		{name: "operand in the table's key", op: "UpdateItem",
			in: update("SET a = :v + sk.x", number), err: scalars + "Key: sk"},
	})
}

// TestFactsPlaceholdersFirst: the names of placeholders are checked before their content.
func TestFactsPlaceholdersFirst(t *testing.T) {
	t.Parallel()
	badValue := func(key string) string {
		return `ValidationException: ExpressionAttributeValues contains invalid key: Syntax error; key: "` + key + `"`
	}
	badName := func(key string) string {
		return `ValidationException: ExpressionAttributeNames contains invalid key: Syntax error; key: "` + key + `"`
	}
	filter := func(names, values string) string {
		return `{"FilterExpression":"#a = :v","ExpressionAttributeNames":{` + names +
			`},"ExpressionAttributeValues":{` + values + `}}`
	}
	run(t, defaults{src: "service facts B.6", table: "hash", op: "Scan"}, []kase{
		{name: "key of a value after a bad value",
			in: filter(`"#a":"a"`, `":v":{"N":"x"},"zz":{"N":"1"}`), err: badValue("zz")},
		{name: "key of a value before a bad value",
			in: filter(`"#a":"a"`, `"zz":{"N":"1"},":v":{"SS":[]}`), err: badValue("zz")},
		{name: "key of a bad value", in: filter(`"#a":"a"`, `"v":{"N":"x"}`), err: badValue("v")},
		{name: "key of a value, then an empty name", in: filter(`"#a":""`, `"v":{"N":"1"}`),
			err: badValue("v")},
		{name: "key of a name before the key of a value", in: filter(`"a":"a"`, `"v":{"N":"1"}`),
			err: badName("a")},
		{name: "key of a name before a bad value", in: filter(`"a":"a"`, `":v":{"N":"x"}`),
			err: badName("a")},
		{name: "empty name alone", in: filter(`"#a":""`, `":v":{"N":"1"}`),
			err: "ValidationException: ExpressionAttributeNames contains invalid value: Empty attribute name for key #a"},
		{name: "bad value alone", in: filter(`"#a":"a"`, `":v":{"N":"x"}`),
			err: "ValidationException: ExpressionAttributeValues contains invalid value: The parameter cannot be converted to a numeric value: x for key :v"},
	})
}
