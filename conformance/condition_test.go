package conformance

import (
	"fmt"
	"strings"
	"testing"
)

const conditionFailed = "ConditionalCheckFailedException: The conditional request failed"

// subject is the item that the conditions test.
const subject = `"s":{"S":"hello"},"e":{"S":""},"n":{"N":"5"},"neg":{"N":"-2.5"},"b":{"B":"AQID"},"t":{"BOOL":true},"f":{"BOOL":false},"z":{"NULL":true},
	"ss":{"SS":["x","y"]},"ns":{"NS":["1","2"]},"bs":{"BS":["AQ=="]},"l":{"L":[{"S":"x"},{"N":"1"},{"M":{"k":{"S":"v"}}}]},"m":{"M":{"k":{"S":"v"},"n":{"M":{"d":{"N":"1"}}}}},
	"a.b":{"S":"dotted"},"n2":{"N":"5.0"}`

// The values for conditions. A case sends the ones that it uses.
var conditionValues = map[string]string{
	":hello": `{"S":"hello"}`, ":hell": `{"S":"hell"}`, ":help": `{"S":"help"}`,
	":empty": `{"S":""}`, ":x": `{"S":"x"}`, ":q": `{"S":"q"}`, ":v": `{"S":"v"}`,
	":dotted": `{"S":"dotted"}`,
	":zero":   `{"N":"0"}`, ":one": `{"N":"1"}`, ":two": `{"N":"2"}`, ":three": `{"N":"3"}`,
	":four": `{"N":"4"}`, ":five": `{"N":"5"}`, ":fiveE": `{"N":"0.5e1"}`, ":six": `{"N":"6"}`,
	":ten": `{"N":"10"}`, ":minus": `{"N":"-3"}`, ":sfive": `{"S":"5"}`,
	":bin": `{"B":"AQID"}`, ":binStart": `{"B":"AQ=="}`, ":binHigh": `{"B":"/w=="}`,
	":true": `{"BOOL":true}`, ":false": `{"BOOL":false}`, ":null": `{"NULL":true}`,
	":ss": `{"SS":["y","x"]}`, ":ns": `{"NS":["2.0","1"]}`,
	":l": `{"L":[{"S":"x"},{"N":"1"},{"M":{"k":{"S":"v"}}}]}`,
	":m": `{"M":{"n":{"M":{"d":{"N":"1.0"}}},"k":{"S":"v"}}}`, ":mk": `{"M":{"k":{"S":"v"}}}`,
	":S": `{"S":"S"}`, ":SS": `{"S":"SS"}`, ":N": `{"S":"N"}`, ":NS": `{"S":"NS"}`,
	":B": `{"S":"B"}`, ":BS": `{"S":"BS"}`, ":BOOL": `{"S":"BOOL"}`, ":NULL": `{"S":"NULL"}`,
	":L": `{"S":"L"}`, ":M": `{"S":"M"}`, ":X": `{"S":"X"}`,
}

// valuesOf returns the ExpressionAttributeValues that an expression uses.
func valuesOf(expr string) string {
	seen := map[string]bool{}
	var members []string
	for _, word := range strings.FieldsFunc(expr,
		func(r rune) bool { return !(r == ':' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') }) {
		if value, ok := conditionValues[word]; ok && !seen[word] {
			seen[word] = true
			members = append(members, fmt.Sprintf(`%q:%s`, word, value))
		}
	}
	if members == nil {
		return ""
	}
	return `,"ExpressionAttributeValues":{` + strings.Join(members, ",") + `}`
}

// TestConditions checks conditions on one item. The item does not change: an UpdateItem without an
// update writes the item as it is.
func TestConditions(t *testing.T) {
	t.Parallel()
	holds, fails := true, false
	groups := []struct {
		src   string
		exprs map[string]bool
	}{
		{"Developer Guide, Condition and filter expressions, Making comparisons", map[string]bool{
			"s = :hello": holds, "s = :hell": fails, "s <> :hell": holds, "s <> :hello": fails,
			":hello = s": holds,
			"n = :five":  holds, "n = :fiveE": holds, "n = n2": holds, "n = :sfive": fails,
			"n <> :sfive": holds,
			"n < :six":    holds, "n < :five": fails, "n <= :five": holds, "n > :four": holds,
			"n > :five": fails, "n >= :five": holds, "n < :ten": holds, ":four < n": holds,
			"neg < :zero": holds, "neg > :minus": holds, "neg < :minus": fails,
			"s < :help": holds, "s > :hell": holds, "s >= :hello": holds, "e < :x": holds,
			"e = :empty": holds,
			"b = :bin":   holds, "b > :binStart": holds, "b < :binHigh": holds,
			"t = :true": holds, "t = :false": fails, "z = :null": holds, "ss = :ss": holds,
			"ns = :ns": holds, "l = :l": holds, "m = :m": holds, "m = :mk": fails,
			"n < :sfive": fails, "n > :sfive": fails, "s < :five": fails, "s > :five": fails,
			"gone = :five": fails, "gone <> :five": holds, "gone < :five": fails,
			"gone > :five":  fails,
			"gone = absent": fails, "s = gone": fails, "s <> gone": holds,
			"m.k = :v": holds, "m.n.d = :one": holds, "l[0] = :x": holds, "l[1] = :one": holds,
			"l[2].k = :v": holds, "l[3] = :x": fails, "m.x = :v": fails, "s.k = :v": fails,
			"l.k = :v": fails,
		}},
		{"Developer Guide, Condition and filter expressions, Making comparisons, BETWEEN and IN",
			map[string]bool{
				"n BETWEEN :four AND :six": holds, "n BETWEEN :five AND :five": holds,
				"n BETWEEN :six AND :ten": fails, "n BETWEEN :one AND :four": fails,
				"n between :four and :six":  holds,
				"s BETWEEN :hell AND :help": holds, "s BETWEEN :five AND :six": fails,
				"gone BETWEEN :four AND :six": fails, ":five BETWEEN n AND n2": holds,
				"n BETWEEN neg AND :six": holds,
				"n IN (:five)":           holds, "n IN (:one, :two, :five)": holds,
				"n IN (:one, :two)":     fails,
				"n IN (:sfive, :hello)": fails, "s IN (n, :hello)": holds, "gone IN (:five)": fails,
				":x IN (l[0], s)": holds, "n in (:five)": holds, "n IN(:one,:five)": holds,
			}},
		{"Developer Guide, Condition and filter expressions, Functions", map[string]bool{
			"attribute_exists(s)": holds, "attribute_exists(gone)": fails,
			"attribute_exists(e)": holds, "attribute_exists(z)": holds,
			"attribute_exists(m.k)": holds, "attribute_exists(m.x)": fails,
			"attribute_exists(l[2])": holds, "attribute_exists(l[3])": fails,
			"attribute_exists(m.n.d)": holds, "attribute_exists(pk)": holds,
			"attribute_not_exists(s)": fails, "attribute_not_exists(gone)": holds,
			"attribute_not_exists(m.x)": holds, "attribute_not_exists(s.x)": holds,
			"attribute_not_exists(l[3])": holds, "attribute_not_exists(pk)": fails,
			"attribute_type(s, :S)": holds, "attribute_type(s, :N)": fails,
			"attribute_type(n, :N)": holds, "attribute_type(b, :B)": holds,
			"attribute_type(t, :BOOL)": holds, "attribute_type(z, :NULL)": holds,
			"attribute_type(ss, :SS)": holds, "attribute_type(ns, :NS)": holds,
			"attribute_type(bs, :BS)": holds, "attribute_type(l, :L)": holds,
			"attribute_type(m, :M)": holds, "attribute_type(gone, :S)": fails,
			"attribute_type(m.k, :S)": holds,
			"begins_with(s, :hell)":   holds, "begins_with(s, :hello)": holds,
			"begins_with(s, :help)": fails, "begins_with(s, :empty)": holds,
			"begins_with(b, :binStart)": holds, "begins_with(n, :hell)": fails,
			"begins_with(gone, :hell)": fails, "begins_with(s, :binStart)": fails,
			"contains(s, :hell)": holds, "contains(s, :q)": fails, "contains(s, :five)": fails,
			"contains(ss, :x)": holds, "contains(ss, :q)": fails, "contains(ns, :one)": holds,
			"contains(ns, :three)": fails, "contains(ns, :x)": fails,
			"contains(bs, :binStart)": holds, "contains(b, :binStart)": holds,
			"contains(l, :x)": holds, "contains(l, :one)": holds, "contains(l, :mk)": holds,
			"contains(l, :q)": fails, "contains(m, :x)": fails, "contains(n, :five)": fails,
			"contains(gone, :x)": fails, "contains(:hello, s)": holds, "contains(s, e)": holds,
			"size(s) = :five": holds, "size(e) = :zero": holds, "size(b) = :three": holds,
			"size(ss) = :two": holds, "size(ns) = :two": holds, "size(bs) = :one": holds,
			"size(l) = :three": holds, "size(m) = :two": holds, "size(n) = :one": fails,
			"size(t) = :one": fails, "size(z) = :one": fails, "size(gone) = :zero": fails,
			"size(gone) < :one": fails, "size(s) > size(l)": holds, "size(m.n) = :one": holds,
			":five = size(s)": holds, "size(s) BETWEEN :four AND :six": holds,
			"size(s) IN (:four, :five)": holds, "size(:hello) = :five": holds,
		}},
		{"Developer Guide, Condition and filter expressions, Logical evaluations and parentheses",
			map[string]bool{
				"s = :hello AND n = :five": holds, "s = :hello AND n = :six": fails,
				"s = :q OR n = :five": holds, "s = :q OR n = :six": fails, "NOT s = :q": holds,
				"NOT s = :hello": fails, "not s = :q": holds,
				"s = :hello and n = :five or t = :false":  holds,
				"s = :hello OR n = :six AND t = :false":   holds,
				"(s = :hello OR n = :six) AND t = :false": fails,
				"t = :false AND n = :six OR s = :hello":   holds,
				"t = :false AND (n = :six OR s = :hello)": fails,
				"NOT s = :q AND n = :five":                holds,
				"NOT s = :hello OR n = :five":             holds,
				"NOT (s = :hello OR n = :five)":           fails, "NOT NOT s = :hello": holds,
				"NOT n BETWEEN :one AND :four": holds, "NOT n IN (:one, :two)": holds,
				"NOT attribute_exists(gone)": holds, "(s = :hello)": holds,
				"(((s = :hello) AND n = :five) OR t = :false)": holds, "NOT gone = :five": holds,
				"NOT gone < :five": holds, "NOT contains(s, :q)": holds,
				"n BETWEEN :four AND :six AND s = :hello": holds,
				"n BETWEEN :four AND :six OR s = :q":      holds,
			}},
	}
	key := `"Key":{"pk":{"S":"subject"}}`
	call(t, "PutItem", `{"TableName":"@hash","Item":{"pk":{"S":"subject"},`+subject+`}}`)
	for _, group := range groups {
		var cases []kase
		for expr, holds := range group.exprs {
			k := kase{name: expr, want: `{}`,
				in: `{` + key + `,"ConditionExpression":"` + expr + `"` + valuesOf(expr) + `}`}
			if !holds {
				k.want, k.err = "", conditionFailed
			}
			cases = append(cases, k)
		}
		run(t, defaults{src: group.src, table: "hash", op: "UpdateItem"}, cases)
	}
}

// failing is an expression that the service refuses.
type failing struct {
	name   string
	expr   string
	names  string
	values string
	// without "Invalid: Invalid XExpression: "; "!" at its start: without "Invalid: " only
	err string
}

// refusedExpressions makes cases for a parameter with an expression. members begin each request.
func refusedExpressions(parameter, members string, expressions []failing) []kase {
	cases := make([]kase, len(expressions))
	for i, f := range expressions {
		in := `{` + members + `,"` + parameter + `":` + quote(f.expr)
		if f.names != "" {
			in += `,"ExpressionAttributeNames":{` + f.names + `}`
		}
		if f.values != "" {
			in += `,"ExpressionAttributeValues":{` + f.values + `}`
		}
		if parameter == "ConditionExpression" { // it is of the new layer (service facts F.14)
			f.err = strings.TrimSuffix(f.err, " expression size: 4101")
		}
		var errs []string
		for _, either := range strings.Split(f.err, " || ") {
			if whole, ok := strings.CutPrefix(either, "!"); ok {
				errs = append(errs, "Invalid: "+whole)
			} else {
				errs = append(errs, "Invalid: Invalid "+parameter+": "+either)
			}
		}
		cases[i] = kase{name: f.name, in: in + `}`, err: strings.Join(errs, " || ")}
	}
	return cases
}

// conditionErrors are the same in conditions and filters.
func conditionErrors() []failing {
	v := `":v":{"S":"a"}`
	n := `":v":{"N":"1"}`
	const operands = "Incorrect operand type for operator or function; operator or function: "
	const number = "Incorrect number of operands for operator or function; operator or function: "
	const distinct = "The first operand must be distinct from the remaining operands for this operator or function; operator: "
	many := func(format, sep string, n int) string {
		return strings.TrimSuffix(strings.Repeat(format+sep, n), sep)
	}
	return []failing{
		{name: "empty", err: "The expression can not be empty;"},
		{name: "blank", expr: "  ", err: `Syntax error; token: "<EOF>", near: "  "`},
		{name: "an attribute alone", expr: "a", err: `Syntax error; token: "<EOF>", near: "a"`},
		{name: "a value alone", expr: ":v", values: v,
			err: `Syntax error; token: "<EOF>", near: ":v"`},
		{name: "missing operand", expr: "a =", err: `Syntax error; token: "<EOF>", near: "="`},
		{name: "missing left operand", expr: "= :v", values: v,
			err: `Syntax error; token: "=", near: "= :v"`},
		{name: "two comparators", expr: "a = = :v", values: v,
			err: `Syntax error; token: "=", near: "= = :v"`},
		{name: "equality of programmers", expr: "a == :v", values: v,
			err: `Syntax error; token: "=", near: "== :v"`},
		{name: "inequality of programmers", expr: "a != :v", values: v,
			err: `Syntax error; token: "!", near: "a !="`},
		{name: "unclosed parenthesis", expr: "(a = :v", values: v,
			err: `Syntax error; token: "<EOF>", near: ":v"`},
		{name: "unopened parenthesis", expr: "a = :v)", values: v,
			err: `Syntax error; token: ")", near: ":v)"`},
		{name: "empty parentheses", expr: "()", err: `Syntax error; token: ")", near: "()"`},
		{name: "nothing after AND", expr: "a = :v AND", values: v,
			err: `Syntax error; token: "<EOF>", near: "AND"`},
		{name: "OR AND", expr: "a = :v OR AND b = :v", values: v,
			err: `Syntax error; token: "AND", near: "OR AND b"`},
		{name: "missing AND", expr: "a = :v b = :v", values: v,
			err: `Syntax error; token: "b", near: ":v b ="`},
		{name: "chained comparison", expr: "a < b < :v", values: v,
			err: `Syntax error; token: "<", near: "b < :v"`},
		{name: "literal string", expr: "a = 'x'", err: `Syntax error; token: "'", near: "= 'x"`},
		{name: "literal in quotes", expr: `a = "x"`, err: `Syntax error; token: """, near: "= "x"`},
		{name: "literal number", expr: "a = 5", err: `Syntax error; token: "5", near: "= 5"`},
		{name: "dash in a name", expr: "my-attr = :v", values: v,
			err: `Syntax error; token: "-", near: "my-attr"`},
		{name: "leading underscore", expr: "_a = :v", values: v,
			err: `Syntax error; token: "_", near: "_a"`},
		{name: "BETWEEN without AND", expr: "a BETWEEN :v, :v", values: v,
			err: `Syntax error; token: ",", near: ":v, :v"`},
		{name: "IN without parentheses", expr: "a IN :v", values: v,
			err: `Syntax error; token: ":v", near: "IN :v"`},
		{name: "IN of nothing", expr: "a IN ()", err: `Syntax error; token: ")", near: "()"`},
		{name: "index that is no number", expr: "a[x] = :v", values: v,
			err: `Syntax error; token: "x", near: "[x]"`},
		{name: "index of a value", expr: "a[:v] = :v", values: v,
			err: `Syntax error; token: ":v", near: "[:v]"`},
		{name: "two dots", expr: "a..b = :v", values: v,
			err: `Syntax error; token: ".", near: "..b"`},
		{name: "reserved word", expr: "status = :v", values: v,
			err: "Attribute name is a reserved keyword; reserved keyword: status"},
		{name: "reserved word in a function", expr: "attribute_exists(size)",
			err: "Attribute name is a reserved keyword; reserved keyword: size || Syntax error; token: \")\", near: \"size)\""},
		{name: "reserved word in a path", expr: "a.data = :v", values: v,
			err: "Attribute name is a reserved keyword; reserved keyword: data"},
		{name: "reserved words have no case", expr: "Name = :v", values: v,
			err: "Attribute name is a reserved keyword; reserved keyword: Name"},
		{name: "undefined value", expr: "a = :w", values: v,
			err: "An expression attribute value used in expression is not defined; attribute value: :w"},
		{name: "undefined value without values", expr: "a = :w",
			err: "An expression attribute value used in expression is not defined; attribute value: :w"},
		{name: "undefined name", expr: "#a = :v", values: v,
			err: "An expression attribute name used in the document path is not defined; attribute name: #a"},
		{name: "undefined name in a path", expr: "a.#b = :v", names: `"#a":"a"`, values: v,
			err: "An expression attribute name used in the document path is not defined; attribute name: #b"},
		{name: "unused value", expr: "a = :v", values: v + `,":w":{"S":"b"}`,
			err: "!Value provided in ExpressionAttributeValues unused in expressions: keys: {:w}"},
		{name: "unused name", expr: "a = :v", values: v, names: `"#a":"a"`,
			err: "!Value provided in ExpressionAttributeNames unused in expressions: keys: {#a}"},
		{name: "unknown function", expr: "foo(a)", err: "Invalid function name; function: foo"},
		{name: "function names have case", expr: "ATTRIBUTE_EXISTS(a)",
			err: "Invalid function name; function: ATTRIBUTE_EXISTS"},
		{name: "function of updates", expr: "list_append(a, :v) = :v", values: v,
			err: "The function is not allowed in a condition expression; function: list_append"},
		{name: "if_not_exists", expr: "if_not_exists(a, :v) = :v", values: v,
			err: "The function is not allowed in a condition expression; function: if_not_exists"},
		{name: "size alone", expr: "size(a)",
			err: "The function is not allowed to be used this way in an expression; function: size"},
		{name: "condition function as operand", expr: "attribute_exists(a) = :v", values: v,
			err: `The function is not allowed to be used this way in an expression; function: attribute_exists || Syntax error; token: "=", near: ") = :v"`},
		{name: "begins_with of one", expr: "begins_with(a)",
			err: number + "begins_with, number of operands: 1"},
		{name: "size of two", expr: "size(a, b) = :v", values: v,
			err: number + "size, number of operands: 2"},
		{name: "attribute_exists of two", expr: "attribute_exists(a, b)",
			err: number + "attribute_exists, number of operands: 2"},
		{name: "attribute_type of one", expr: "attribute_type(a)",
			err: number + "attribute_type, number of operands: 1"},
		{name: "contains of three", expr: "contains(a, b, c)",
			err: number + "contains, number of operands: 3"},
		{name: "attribute_exists of a value", expr: "attribute_exists(:v)", values: v,
			err: "Operator or function requires a document path; operator or function: attribute_exists"},
		{name: "attribute_not_exists of a value", expr: "attribute_not_exists(:v)", values: v,
			err: "Operator or function requires a document path; operator or function: attribute_not_exists"},
		{name: "attribute_type of no type", expr: "attribute_type(a, :v)", values: v,
			err: "Invalid attribute type name found; type: a, valid types: *"},
		{name: "attribute_type of a number", expr: "attribute_type(a, :v)", values: n,
			err: operands + "attribute_type, operand type: N"},
		{name: "begins_with of a number", expr: "begins_with(a, :v)", values: n,
			err: operands + "begins_with, operand type: N"},
		{name: "begins_with of a set", expr: "begins_with(a, :v)", values: `":v":{"SS":["a"]}`,
			err: operands + "begins_with, operand type: SS"},
		{name: "size of a number", expr: "size(:v) = :v", values: n,
			err: operands + "size, operand type: N"},
		{name: "less than a set", expr: "a < :v", values: `":v":{"SS":["a"]}`,
			err: operands + "<, operand type: SS"},
		{name: "less than a list", expr: "a <= :v", values: `":v":{"L":[]}`,
			err: operands + "<=, operand type: L"},
		{name: "greater than a map", expr: "a > :v", values: `":v":{"M":{}}`,
			err: operands + ">, operand type: M"},
		{name: "greater than a boolean", expr: "a >= :v", values: `":v":{"BOOL":true}`,
			err: operands + ">=, operand type: BOOL"},
		{name: "between nulls", expr: "a BETWEEN :v AND :w",
			values: `":v":{"NULL":true},":w":{"NULL":true}`,
			err:    operands + "BETWEEN, operand type: NULL"},
		{name: "an attribute and itself", expr: "a = a", err: distinct + "=, first operand: [a]"},
		{name: "a path and itself", expr: "a.b[1] <> a.b[1]",
			err: distinct + "<>, first operand: [a, b, [1]]"},
		{name: "contains itself", expr: "contains(a, a)",
			err: distinct + "contains, first operand: [a]"},
		{name: "between itself", expr: "a BETWEEN a AND :v", values: v,
			err: distinct + "BETWEEN, first operand: [a]"},
		{name: "bounds in the wrong order", expr: "a BETWEEN :v AND :w",
			values: `":v":{"N":"2"},":w":{"N":"1"}`,
			err:    "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}"},
		{name: "strings in the wrong order", expr: "a BETWEEN :v AND :w",
			values: `":v":{"S":"b"},":w":{"S":"a"}`,
			err:    "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {S:b}, upper bound operand: AttributeValue: {S:a}"},
		{name: "bounds of two types", expr: "a BETWEEN :v AND :w",
			values: `":v":{"N":"2"},":w":{"S":"a"}`,
			err:    "The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {S:a}"},
		{name: "redundant parentheses", expr: "((a = :v))", values: v,
			err: "The expression has redundant parentheses;"},
		{name: "redundant parentheses inside", expr: "a = :v AND ((b = :v OR c = :v))", values: v,
			err: "The expression has redundant parentheses;"},
		{name: "101 operands of IN", expr: "a IN (" + many(":v", ", ", 101) + ")", values: v,
			err: "!*"},
		{name: "301 operators", expr: many("a = :v", " OR ", 151), values: v,
			err: "The expression contains too many operators; operator count: 301"},
		{name: "more than 4 KB", expr: "a = :v OR " + strings.Repeat("b", 4087-1) + " = :v",
			values: v,
			err:    "Expression size has exceeded the maximum allowed size; expression size: 4101"},
		{name: "syntax before meaning", expr: "status = :w AND",
			err: `Syntax error; token: "<EOF>", near: "AND"`},
	}
}

func TestConditionExpressionErrors(t *testing.T) {
	t.Parallel()
	for _, op := range []string{"PutItem", "UpdateItem", "DeleteItem"} {
		key := `"Key":{"pk":{"S":"any"}}`
		if op == "PutItem" {
			key = strings.Replace(key, "Key", "Item", 1)
		}
		t.Run(op, func(t *testing.T) {
			t.Parallel()
			run(t, defaults{
				src: "Developer Guide, Condition and filter expressions", table: "hash", op: op,
			}, refusedExpressions("ConditionExpression", key, conditionErrors()))
		})
	}
}

func TestFilterExpressionErrors(t *testing.T) {
	t.Parallel()
	run(t, defaults{
		src: "Developer Guide, Condition and filter expressions", table: "hash", op: "Scan",
	}, refusedExpressions("FilterExpression", `"Limit":1`, conditionErrors()))
}

// Developer Guide, Constraints, Expression parameters: the service accepts values at the limit.
func TestExpressionLimits(t *testing.T) {
	t.Parallel()
	repeat := func(term, sep string, n int) string {
		return strings.TrimSuffix(strings.Repeat(term+sep, n), sep)
	}
	values := `,"ExpressionAttributeValues":{":v":{"S":"a"}}}`
	long := "a = :v OR " + strings.Repeat("b", 4096-len("a = :v OR  = :v")) + " = :v"
	big := strings.Repeat("x", 1<<20)
	run(t, defaults{
		src: "Developer Guide, Constraints, Expression parameters", table: "hash", op: "UpdateItem",
	}, []kase{
		{name: "300 operators", given: []string{`{@pk,"a":{"S":"a"}}`},
			in: `{@key,"ConditionExpression":"NOT ` +
				repeat("a = :v", " OR ", 150) + `"` + values,
			want: `{}`},
		{name: "299 operators", given: []string{`{@pk,"a":{"S":"a"}}`},
			in:   `{@key,"ConditionExpression":"` + repeat("a = :v", " OR ", 150) + `"` + values,
			want: `{}`},
		{name: "100 operands of IN", given: []string{`{@pk,"a":{"S":"a"}}`},
			in:   `{@key,"ConditionExpression":"a IN (` + repeat(":v", ",", 100) + `)"` + values,
			want: `{}`},
		{name: "4096 bytes", given: []string{`{@pk,"a":{"S":"a"}}`},
			in: `{@key,"ConditionExpression":"` + long + `"` + values, want: `{}`},
		{name: "more than 2 MB of values",
			in: `{@key,"ConditionExpression":"a = :v OR a = :w","ExpressionAttributeValues":{":v":{"S":"` + big + `"},":w":{"S":"` + big + `"}}}`, err: "ValidationException: *"},
		// the text has not been seen in public
		{name: "name of 256 bytes",
			in: `{@key,"UpdateExpression":"SET #` + strings.Repeat("n", 255) +
				` = :v","ExpressionAttributeNames":{"#` +
				strings.Repeat("n", 255) + `":"a"}` + values, err: "ValidationException: *"},
		{name: "path of 32 elements",
			in: `{@key,"ConditionExpression":"attribute_not_exists(a` +
				strings.Repeat("[0]", 31) + `)"}`, want: `{}`},
		{name: "path of many elements", src: "Developer Guide, Constraints, Nested attribute depth",
			in: `{@key,"ConditionExpression":"attribute_not_exists(a` +
				strings.Repeat(".b", 60) + `)"}`,
			err: "Invalid: Invalid ConditionExpression: The document path has too many nesting elements; nesting levels: *"},
		{name: "index of many digits",
			in:  `{@key,"ConditionExpression":"attribute_not_exists(a[99999999999])"}`,
			err: "Invalid: Invalid ConditionExpression: List index is not within the allowable range; index: [99999999999]"},
		{name: "name of 255 bytes",
			in: `{@key,"UpdateExpression":"SET #` + strings.Repeat("n", 254) +
				` = :v","ExpressionAttributeNames":{"#` +
				strings.Repeat("n", 254) + `":"a"}` + values, then: `{@pk,"a":{"S":"a"}}`},
	})
}

// Developer Guide, Expression attribute names and Expression attribute values.
func TestExpressionNamesAndValues(t *testing.T) {
	t.Parallel()
	run(t, defaults{
		src: "Developer Guide, Expression attribute names (aliases)", table: "hash",
		op: "UpdateItem",
	}, []kase{
		{name: "empty names",
			in: `{@key,"UpdateExpression":"REMOVE a","ExpressionAttributeNames":{}}`, raw: true,
			err: "Invalid: ExpressionAttributeNames must not be empty"},
		{name: "empty values",
			in: `{@key,"UpdateExpression":"REMOVE a","ExpressionAttributeValues":{}}`, raw: true,
			err: "Invalid: ExpressionAttributeValues must not be empty"},
		{name: "names without expression", in: `{@key,"ExpressionAttributeNames":{"#a":"a"}}`,
			err: "Invalid: ExpressionAttributeNames can only be specified when using expressions"},
		{name: "values without expression",
			in:  `{@key,"ExpressionAttributeValues":{":a":{"S":"a"}}}`,
			err: "Invalid: ExpressionAttributeValues can only be specified when using expressions"},
		{name: "values of a put without expression", op: "PutItem",
			in:  `{"Item":{@pk},"ExpressionAttributeValues":{":a":{"S":"a"}}}`,
			err: "Invalid: ExpressionAttributeValues can only be specified when using expressions"},
		{name: "values of a delete without expression", op: "DeleteItem",
			in:  `{@key,"ExpressionAttributeValues":{":a":{"S":"a"}}}`,
			err: "Invalid: ExpressionAttributeValues can only be specified when using expressions"},
		{name: "names of a put without expression", op: "PutItem",
			in:  `{"Item":{@pk},"ExpressionAttributeNames":{"#a":"a"}}`,
			err: "Invalid: ExpressionAttributeNames can only be specified when using expressions"},
		{name: "name without #",
			in:  `{@key,"UpdateExpression":"REMOVE a","ExpressionAttributeNames":{"a":"a"}}`,
			err: `Invalid: ExpressionAttributeNames contains invalid key: Syntax error; key: "a"`},
		{name: "name of # alone",
			in:  `{@key,"UpdateExpression":"REMOVE a","ExpressionAttributeNames":{"#":"a"}}`,
			err: `Invalid: ExpressionAttributeNames contains invalid key: Syntax error; key: "#"`},
		{name: "name with a dash",
			in:  `{@key,"UpdateExpression":"REMOVE a","ExpressionAttributeNames":{"#a-b":"a"}}`,
			err: `Invalid: ExpressionAttributeNames contains invalid key: Syntax error; key: "#a-b"`},
		{name: "name of nothing",
			src: "Developer Guide, Supported data types and naming rules; the text is one that public applications compare answers of the service with", in: `{@key,"UpdateExpression":"REMOVE #a","ExpressionAttributeNames":{"#a":""}}`, err: "Invalid: ExpressionAttributeNames contains invalid value: Empty attribute name for key #a", then: "none"},
		{name: "value without colon",
			in: `{@key,"UpdateExpression":"SET a = :a","ExpressionAttributeValues":{"a":{"S":"a"}}}`, err: `Invalid: ExpressionAttributeValues contains invalid key: Syntax error; key: "a"`},
		{name: "value of : alone",
			in: `{@key,"UpdateExpression":"SET a = :a","ExpressionAttributeValues":{":":{"S":"a"}}}`, err: `Invalid: ExpressionAttributeValues contains invalid key: Syntax error; key: ":"`},
		{name: "names that start with a digit",
			in: `{@key,"UpdateExpression":"SET #1 = :2","ExpressionAttributeNames":{"#1":"a"},"ExpressionAttributeValues":{":2":{"S":"x"}}}`, then: `{@pk,"a":{"S":"x"}}`},
		{name: "one name used twice",
			in: `{@key,"UpdateExpression":"SET #a = :v","ConditionExpression":"attribute_not_exists(#a)","ExpressionAttributeNames":{"#a":"a"},"ExpressionAttributeValues":{":v":{"S":"x"}}}`, then: `{@pk,"a":{"S":"x"}}`},
		{name: "two names of one attribute",
			in: `{@key,"UpdateExpression":"SET #a = :v","ConditionExpression":"attribute_not_exists(#b)","ExpressionAttributeNames":{"#a":"a","#b":"a"},"ExpressionAttributeValues":{":v":{"S":"x"}}}`, then: `{@pk,"a":{"S":"x"}}`},
		{name: "reserved word by placeholder",
			in: `{@key,"UpdateExpression":"SET #n = :v","ExpressionAttributeNames":{"#n":"name"},"ExpressionAttributeValues":{":v":{"S":"x"}}}`, then: `{@pk,"name":{"S":"x"}}`},
		{name: "bad number among values",
			in: `{@key,"UpdateExpression":"SET a = :v","ExpressionAttributeValues":{":v":{"N":"x"}}}`, err: notNumericFault},
		{name: "empty set among values",
			in: `{@key,"UpdateExpression":"SET a = :v","ExpressionAttributeValues":{":v":{"SS":[]}}}`, raw: true, err: "Invalid: One or more parameter values were invalid: An string set  may not be empty"},
		{name: "value without a type",
			in:  `{@key,"UpdateExpression":"SET a = :v","ExpressionAttributeValues":{":v":{}}}`,
			raw: true, src: "service facts F.7",
			err: wrappedValue(withoutType)},
		{name: "unused in either expression",
			in: `{@key,"UpdateExpression":"SET a = :v","ConditionExpression":"attribute_not_exists(a)","ExpressionAttributeValues":{":v":{"S":"x"},":w":{"S":"y"}}}`, err: "Invalid: Value provided in ExpressionAttributeValues unused in expressions: keys: {:w}"},
		{name: "errors come before the table",
			in:  `{"TableName":"no-such-table",@key,"UpdateExpression":"SET"}`,
			err: `Invalid: Invalid UpdateExpression: Syntax error; token: "<EOF>", near: "SET"`},
	})
}
