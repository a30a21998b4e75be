package conformance

import (
	"fmt"
	"strings"
	"testing"
)

// update is a case of an update expression on one item. Its items are written without the key.
type update struct {
	name   string
	item   string // the item before; "" for none
	expr   string
	names  string
	values string
	want   string // the item after
	err    string // the error without "ValidationException: "
}

func (u update) kase() kase {
	k := kase{name: u.name}
	if u.item != "" {
		k.given = []string{`{@pk,` + u.item + `}`}
		k.then = `{@pk,` + u.item + `}`
	}
	k.in = `{@key,"UpdateExpression":` + quote(u.expr)
	if u.names != "" {
		k.in += `,"ExpressionAttributeNames":{` + u.names + `}`
	}
	if u.values != "" {
		k.in += `,"ExpressionAttributeValues":{` + u.values + `}`
	}
	k.in += `}`
	switch {
	case u.err != "":
		code := "ValidationException: "
		if strings.HasPrefix(u.err, "Invalid UpdateExpression: ") ||
			strings.HasPrefix(u.err, "Value provided in ") {
			code = "Invalid: "
		}
		k.err = code + strings.ReplaceAll(u.err, " || ", " || "+code)
	case u.want == "":
		k.then = `{@pk}`
	default:
		k.then = `{@pk,` + u.want + `}`
	}
	if u.err != "" && u.item == "" {
		k.then = "none"
	}
	return k
}

func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\r",
		`\r`).Replace(s) + `"`
}

func runUpdates(t *testing.T, src string, updates []update) {
	t.Helper()
	cases := make([]kase, len(updates))
	for i, u := range updates {
		cases[i] = u.kase()
	}
	run(t, defaults{src: src, table: "hash", op: "UpdateItem"}, cases)
}

const (
	noAttribute = "The provided expression refers to an attribute that does not exist in the item"
	badPath     = "The document path provided in the update expression is invalid for update"
	badOperand  = "An operand in the update expression has an incorrect data type"
)

func TestUpdateSet(t *testing.T) {
	t.Parallel()
	runUpdates(t, "Developer Guide, Update expressions, SET", []update{
		{name: "creates the item", expr: "SET a = :a", values: `":a":{"S":"x"}`,
			want: `"a":{"S":"x"}`},
		{name: "adds an attribute", item: `"b":{"N":"1"}`, expr: "SET a = :a",
			values: `":a":{"S":"x"}`, want: `"a":{"S":"x"},"b":{"N":"1"}`},
		{name: "replaces an attribute of another type", item: `"a":{"N":"1"}`, expr: "SET a = :a",
			values: `":a":{"L":[{"S":"x"}]}`, want: `"a":{"L":[{"S":"x"}]}`},
		{name: "lower case keyword", expr: "set a = :a", values: `":a":{"S":"x"}`,
			want: `"a":{"S":"x"}`},
		{name: "any white space", expr: "\n SET\ta\r\n=\t:a ", values: `":a":{"S":"x"}`,
			want: `"a":{"S":"x"}`},
		{name: "no white space where none is needed", expr: "SET a=:a,b=:a",
			values: `":a":{"S":"x"}`, want: `"a":{"S":"x"},"b":{"S":"x"}`},
		{name: "two attributes", expr: "SET a = :a, b = :b",
			values: `":a":{"S":"x"},":b":{"N":"2"}`, want: `"a":{"S":"x"},"b":{"N":"2"}`},
		{name: "copies an attribute", item: `"a":{"S":"x"}`, expr: "SET b = a",
			want: `"a":{"S":"x"},"b":{"S":"x"}`},
		{name: "operands are of the old item", item: `"a":{"N":"1"},"b":{"N":"2"}`,
			expr: "SET a = b, b = a", want: `"a":{"N":"2"},"b":{"N":"1"}`},
		{name: "copies from a path", item: `"m":{"M":{"l":{"L":[{"S":"x"}]}}}`,
			expr: "SET b = m.l[0]", want: `"m":{"M":{"l":{"L":[{"S":"x"}]}}},"b":{"S":"x"}`},
		{name: "sets in a map", item: `"m":{"M":{"a":{"N":"1"}}}`, expr: "SET m.b = :v",
			values: `":v":{"N":"2"}`, want: `"m":{"M":{"a":{"N":"1"},"b":{"N":"2"}}}`},
		{name: "sets in a map of a map", item: `"m":{"M":{"n":{"M":{}}}}`, expr: "SET m.n.o = :v",
			values: `":v":{"N":"2"}`, want: `"m":{"M":{"n":{"M":{"o":{"N":"2"}}}}}`},
		{name: "sets a list element", item: `"l":{"L":[{"N":"1"},{"N":"2"}]}`,
			expr: "SET l[1] = :v", values: `":v":{"S":"x"}`,
			want: `"l":{"L":[{"N":"1"},{"S":"x"}]}`},
		{name: "an index past the end appends", item: `"l":{"L":[{"N":"1"}]}`,
			expr: "SET l[10] = :v", values: `":v":{"S":"x"}`,
			want: `"l":{"L":[{"N":"1"},{"S":"x"}]}`},
		{name: "several indexes past the end append in order", item: `"l":{"L":[]}`,
			expr: "SET l[7] = :b, l[5] = :a", values: `":a":{"S":"a"},":b":{"S":"b"}`,
			want: `"l":{"L":[{"S":"a"},{"S":"b"}]}`},
		{name: "list in a list", item: `"l":{"L":[{"L":[{"N":"1"}]}]}`, expr: "SET l[0][0] = :v",
			values: `":v":{"N":"2"}`, want: `"l":{"L":[{"L":[{"N":"2"}]}]}`},
		{name: "placeholders for names with dots", item: `"m":{"M":{}}`, expr: "SET #m.#d = :v",
			names: `"#m":"m","#d":"a.b"`, values: `":v":{"N":"2"}`,
			want: `"m":{"M":{"a.b":{"N":"2"}}}`},
		{name: "a name of a placeholder is one name", expr: "SET #d = :v", names: `"#d":"a.b[0]"`,
			values: `":v":{"N":"2"}`, want: `"a.b[0]":{"N":"2"}`},
		{name: "missing operand", item: `"a":{"N":"1"}`, expr: "SET b = c", err: noAttribute},
		{name: "missing operand of a new item", expr: "SET b = c", err: noAttribute},
		{name: "missing path as operand", item: `"m":{"M":{}}`, expr: "SET b = m.c",
			err: noAttribute},
		{name: "index out of range as operand", item: `"l":{"L":[{"N":"1"}]}`, expr: "SET b = l[1]",
			err: noAttribute},
		{name: "into a missing map", item: `"a":{"N":"1"}`, expr: "SET m.b = :v",
			values: `":v":{"N":"2"}`, err: badPath},
		{name: "into a missing list", item: `"a":{"N":"1"}`, expr: "SET l[0] = :v",
			values: `":v":{"N":"2"}`, err: badPath},
		{name: "into a new item's map", expr: "SET m.b = :v", values: `":v":{"N":"2"}`,
			err: badPath},
		{name: "name into a list", item: `"l":{"L":[]}`, expr: "SET l.b = :v",
			values: `":v":{"N":"2"}`, err: badPath},
		{name: "index into a map", item: `"m":{"M":{}}`, expr: "SET m[0] = :v",
			values: `":v":{"N":"2"}`, err: badPath},
		{name: "into a scalar", item: `"a":{"S":"x"}`, expr: "SET a.b = :v",
			values: `":v":{"N":"2"}`, err: badPath},
		{name: "into a set", item: `"a":{"SS":["x"]}`, expr: "SET a[0] = :v",
			values: `":v":{"S":"y"}`, err: badPath},
		{name: "two levels missing", item: `"m":{"M":{}}`, expr: "SET m.n.o = :v",
			values: `":v":{"N":"2"}`, err: badPath},
		{name: "all or nothing", item: `"a":{"N":"1"}`, expr: "SET a = :v, b = c",
			values: `":v":{"N":"2"}`, err: noAttribute},
		{name: "partition key", expr: "SET pk = :v", values: `":v":{"S":"x"}`,
			err: "One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the key"},
		{name: "partition key by placeholder", expr: "SET #k = :v", names: `"#k":"pk"`,
			values: `":v":{"S":"x"}`,
			err:    "One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the key"},
		{name: "partition key as operand", expr: "SET a = pk", want: `"a":{"S":"$k"},"b":{"N":"1"}`,
			item: `"b":{"N":"1"}`},
	})
}

func TestUpdateArithmetic(t *testing.T) {
	t.Parallel()
	runUpdates(t,
		"Developer Guide, Update expressions, Incrementing and decrementing numeric attributes",
		[]update{
			{name: "plus a value", item: `"a":{"N":"1"}`, expr: "SET a = a + :n",
				values: `":n":{"N":"2"}`, want: `"a":{"N":"3"}`},
			{name: "minus a value", item: `"a":{"N":"1"}`, expr: "SET a = a - :n",
				values: `":n":{"N":"2"}`, want: `"a":{"N":"-1"}`},
			{name: "value first", item: `"a":{"N":"1"}`, expr: "SET a = :n - a",
				values: `":n":{"N":"2"}`, want: `"a":{"N":"1"}`},
			{name: "two attributes", item: `"a":{"N":"1"},"b":{"N":"2"}`, expr: "SET c = a + b",
				want: `"a":{"N":"1"},"b":{"N":"2"},"c":{"N":"3"}`},
			{name: "two values", item: `"z":{"N":"0"}`, expr: "SET a = :n + :m",
				values: `":n":{"N":"2"},":m":{"N":"3"}`, want: `"a":{"N":"5"},"z":{"N":"0"}`},
			{name: "no space around the operator", item: `"a":{"N":"1"}`, expr: "SET a=a+:n",
				values: `":n":{"N":"2"}`, want: `"a":{"N":"3"}`},
			{name: "decimals are exact", item: `"a":{"N":"0.1"}`, expr: "SET a = a + :n",
				values: `":n":{"N":"0.2"}`, want: `"a":{"N":"0.3"}`},
			{name: "38 digits are exact",
				item: `"a":{"N":"12345678901234567890123456789012345678"}`,
				expr: "SET a = a + :n", values: `":n":{"N":"1"}`,
				want: `"a":{"N":"12345678901234567890123456789012345679"}`},
			{name: "far apart", item: `"a":{"N":"100000000000000000000"}`, expr: "SET a = a - :n",
				values: `":n":{"N":"0.1"}`, want: `"a":{"N":"99999999999999999999.9"}`},
			{name: "across zero", item: `"a":{"N":"-12345678901234567890.5"}`,
				expr:   "SET a = a + :n",
				values: `":n":{"N":"12345678901234567891.25"}`, want: `"a":{"N":"0.75"}`},
			{name: "borrowing over many digits",
				item: `"a":{"N":"10000000000000000000000000000000000000"}`, expr: "SET a = a - :n",
				values: `":n":{"N":"0.1"}`,
				want:   `"a":{"N":"9999999999999999999999999999999999999.9"}`},
			{name: "two negatives", item: `"a":{"N":"-99999999999999999999"}`,
				expr:   "SET a = a - :n",
				values: `":n":{"N":"1"}`, want: `"a":{"N":"-100000000000000000000"}`},
			{name: "to zero", item: `"a":{"N":"-1"}`, expr: "SET a = a + :n",
				values: `":n":{"N":"1"}`,
				want:   `"a":{"N":"0"}`},
			{name: "default by if_not_exists", item: `"z":{"N":"0"}`,
				expr: "SET a = if_not_exists(a, :z) + :n", values: `":z":{"N":"10"},":n":{"N":"1"}`,
				want: `"a":{"N":"11"},"z":{"N":"0"}`},
			{name: "if_not_exists on the right", item: `"a":{"N":"5"}`,
				expr: "SET a = :n + if_not_exists(a, :z)", values: `":z":{"N":"10"},":n":{"N":"1"}`,
				want: `"a":{"N":"6"}`},
			{name: "missing attribute", item: `"z":{"N":"0"}`, expr: "SET a = a + :n",
				values: `":n":{"N":"1"}`, err: noAttribute},
			{name: "attribute of another type", item: `"a":{"S":"1"}`, expr: "SET a = a + :n",
				values: `":n":{"N":"1"}`, err: badOperand},
			{name: "attribute on the right of another type", item: `"a":{"S":"1"}`,
				expr: "SET b = :n + a", values: `":n":{"N":"1"}`, err: badOperand},
			{name: "value of another type", item: `"a":{"N":"1"}`, expr: "SET a = a + :n",
				values: `":n":{"S":"1"}`,
				err:    "Invalid UpdateExpression: Incorrect operand type for operator or function; operator or function: +, operand type: S"},
			{name: "subtrahend of another type", item: `"a":{"N":"1"}`, expr: "SET a = a - :n",
				values: `":n":{"L":[]}`,
				err:    "Invalid UpdateExpression: Incorrect operand type for operator or function; operator or function: -, operand type: L"},
			{name: "multiplication", item: `"a":{"N":"1"}`, expr: "SET a = a * :n",
				values: `":n":{"N":"1"}`,
				err:    `Invalid UpdateExpression: Syntax error; token: "*", near: "a * :n"`},
			{name: "overflow",
				item: `"a":{"N":"` + strings.Repeat("9", 38) + strings.Repeat("0", 88) + `"}`,
				expr: "SET a = a + :n", values: `":n":{"N":"9E+125"}`,
				err: "Number overflow. Attempting to store a number with magnitude larger than supported range"},
			{name: "more than 38 digits", item: `"a":{"N":"1` + strings.Repeat("0", 50) + `"}`,
				expr: "SET a = a + :n", values: `":n":{"N":"1"}`, err: numberOverflow},
		})
}

func TestUpdateFunctions(t *testing.T) {
	t.Parallel()
	runUpdates(t, "Developer Guide, Update expressions, SET", []update{
		{name: "if_not_exists of a missing attribute", item: `"z":{"N":"0"}`,
			expr: "SET a = if_not_exists(a, :v)", values: `":v":{"S":"x"}`,
			want: `"a":{"S":"x"},"z":{"N":"0"}`},
		{name: "if_not_exists of an attribute", item: `"a":{"N":"1"}`,
			expr: "SET a = if_not_exists(a, :v)", values: `":v":{"S":"x"}`, want: `"a":{"N":"1"}`},
		{name: "if_not_exists of another attribute", item: `"b":{"N":"1"}`,
			expr: "SET a = if_not_exists(b, :v)", values: `":v":{"S":"x"}`,
			want: `"a":{"N":"1"},"b":{"N":"1"}`},
		{name: "if_not_exists with an attribute as default", item: `"b":{"N":"1"}`,
			expr: "SET a = if_not_exists(a, b)", want: `"a":{"N":"1"},"b":{"N":"1"}`},
		{name: "if_not_exists with a missing default", item: `"b":{"N":"1"}`,
			expr: "SET a = if_not_exists(a, c)", err: noAttribute},
		{name: "if_not_exists of a path", item: `"m":{"M":{"b":{"N":"1"}}}`,
			expr: "SET m.a = if_not_exists(m.a, m.b)",
			want: `"m":{"M":{"a":{"N":"1"},"b":{"N":"1"}}}`},
		{name: "if_not_exists needs a path", item: `"b":{"N":"1"}`,
			expr: "SET a = if_not_exists(:v, :v)", values: `":v":{"S":"x"}`,
			err: "Invalid UpdateExpression: Operator or function requires a document path; operator or function: if_not_exists"},
		{name: "if_not_exists of one operand", item: `"b":{"N":"1"}`,
			expr: "SET a = if_not_exists(a)",
			err:  "Invalid UpdateExpression: Incorrect number of operands for operator or function; operator or function: if_not_exists, number of operands: 1"},
		{name: "list_append at the end", item: `"l":{"L":[{"N":"1"}]}`,
			expr: "SET l = list_append(l, :v)", values: `":v":{"L":[{"N":"2"}]}`,
			want: `"l":{"L":[{"N":"1"},{"N":"2"}]}`},
		{name: "list_append at the beginning", item: `"l":{"L":[{"N":"1"}]}`,
			expr: "SET l = list_append(:v, l)", values: `":v":{"L":[{"N":"2"}]}`,
			want: `"l":{"L":[{"N":"2"},{"N":"1"}]}`},
		{name: "list_append of two values", item: `"z":{"N":"0"}`,
			expr: "SET l = list_append(:v, :v)", values: `":v":{"L":[{"N":"2"}]}`,
			want: `"l":{"L":[{"N":"2"},{"N":"2"}]},"z":{"N":"0"}`},
		{name: "list_append of an empty list", item: `"l":{"L":[{"N":"1"}]}`,
			expr: "SET l = list_append(l, :v)", values: `":v":{"L":[]}`,
			want: `"l":{"L":[{"N":"1"}]}`},
		{name: "list_append of if_not_exists", item: `"z":{"N":"0"}`,
			expr:   "SET l = list_append(if_not_exists(l, :e), :v)",
			values: `":e":{"L":[]},":v":{"L":[{"N":"2"}]}`,
			want:   `"l":{"L":[{"N":"2"}]},"z":{"N":"0"}`},
		{name: "list_append to a missing list", item: `"z":{"N":"0"}`,
			expr: "SET l = list_append(l, :v)", values: `":v":{"L":[{"N":"2"}]}`, err: noAttribute},
		{name: "list_append to a string", item: `"l":{"S":"x"}`, expr: "SET l = list_append(l, :v)",
			values: `":v":{"L":[{"N":"2"}]}`, err: badOperand},
		{name: "list_append of a value that is no list", item: `"l":{"L":[]}`,
			expr: "SET l = list_append(l, :v)", values: `":v":{"S":"x"}`,
			err: "Invalid UpdateExpression: Incorrect operand type for operator or function; operator or function: list_append, operand type: S"},
		{name: "list_append of a map", item: `"l":{"L":[]}`, expr: "SET l = list_append(l, :v)",
			values: `":v":{"M":{}}`,
			err:    "Invalid UpdateExpression: Incorrect operand type for operator or function; operator or function: list_append, operand type: M"},
		{name: "list_append of three", item: `"l":{"L":[]}`, expr: "SET l = list_append(l, :v, :v)",
			values: `":v":{"L":[]}`,
			err:    "Invalid UpdateExpression: Incorrect number of operands for operator or function; operator or function: list_append, number of operands: 3"},
		{name: "unknown function", item: `"l":{"L":[]}`, expr: "SET l = foo(l)",
			err: "Invalid UpdateExpression: Invalid function name; function: foo"},
		{name: "function names have case", item: `"l":{"L":[]}`, expr: "SET l = List_Append(l, l)",
			err: "Invalid UpdateExpression: Invalid function name; function: List_Append"},
		{name: "function of conditions", item: `"l":{"L":[]}`, expr: "SET a = size(l)",
			err: "Invalid UpdateExpression: The function is not allowed in an update expression; function: size"},
		{name: "attribute_exists", item: `"l":{"L":[]}`, expr: "SET a = attribute_exists(l)",
			err: "Invalid UpdateExpression: The function is not allowed in an update expression; function: attribute_exists"},
	})
}

func TestUpdateRemove(t *testing.T) {
	t.Parallel()
	runUpdates(t, "Developer Guide, Update expressions, REMOVE", []update{
		{name: "an attribute", item: `"a":{"N":"1"},"b":{"N":"2"}`, expr: "REMOVE a",
			want: `"b":{"N":"2"}`},
		{name: "the last attribute", item: `"a":{"N":"1"}`, expr: "REMOVE a"},
		{name: "two attributes", item: `"a":{"N":"1"},"b":{"N":"2"},"c":{"N":"3"}`,
			expr: "REMOVE a, c", want: `"b":{"N":"2"}`},
		{name: "a missing attribute", item: `"a":{"N":"1"}`, expr: "REMOVE b",
			want: `"a":{"N":"1"}`},
		{name: "in a map", item: `"m":{"M":{"a":{"N":"1"},"b":{"N":"2"}}}`, expr: "REMOVE m.a",
			want: `"m":{"M":{"b":{"N":"2"}}}`},
		{name: "the last of a map", item: `"m":{"M":{"a":{"N":"1"}}}`, expr: "REMOVE m.a",
			want: `"m":{"M":{}}`},
		{name: "a list element", item: `"l":{"L":[{"N":"0"},{"N":"1"},{"N":"2"}]}`,
			expr: "REMOVE l[1]", want: `"l":{"L":[{"N":"0"},{"N":"2"}]}`},
		{name: "several list elements by their old positions",
			item: `"l":{"L":[{"N":"0"},{"N":"1"},{"N":"2"},{"N":"3"}]}`, expr: "REMOVE l[0], l[2]",
			want: `"l":{"L":[{"N":"1"},{"N":"3"}]}`},
		{name: "the only list element", item: `"l":{"L":[{"N":"0"}]}`, expr: "REMOVE l[0]",
			want: `"l":{"L":[]}`},
		{name: "an index past the end", item: `"l":{"L":[{"N":"0"}]}`, expr: "REMOVE l[3]",
			want: `"l":{"L":[{"N":"0"}]}`},
		{name: "a missing name in a map", item: `"m":{"M":{}}`, expr: "REMOVE m.a",
			want: `"m":{"M":{}}`},
		{name: "in a missing map", item: `"a":{"N":"1"}`, expr: "REMOVE m.a", err: badPath},
		{name: "in a scalar", item: `"a":{"N":"1"}`, expr: "REMOVE a.b", err: badPath},
		{name: "the key", item: `"a":{"N":"1"}`, expr: "REMOVE pk",
			err: "One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the key"},
		{name: "and SET in one list", item: `"l":{"L":[{"N":"0"},{"N":"1"}]}`,
			expr: "SET l[1] = :v REMOVE l[0]", values: `":v":{"S":"x"}`,
			want: `"l":{"L":[{"S":"x"}]}`},
	})
}

func TestUpdateAdd(t *testing.T) {
	t.Parallel()
	runUpdates(t, "Developer Guide, Update expressions, ADD", []update{
		{name: "to a number", item: `"a":{"N":"1"}`, expr: "ADD a :v", values: `":v":{"N":"-3"}`,
			want: `"a":{"N":"-2"}`},
		{name: "to a missing number", item: `"z":{"N":"0"}`, expr: "ADD a :v",
			values: `":v":{"N":"5"}`, want: `"a":{"N":"5"},"z":{"N":"0"}`},
		{name: "to no item", expr: "ADD a :v", values: `":v":{"N":"5"}`, want: `"a":{"N":"5"}`},
		{name: "to a set", item: `"a":{"SS":["x"]}`, expr: "ADD a :v",
			values: `":v":{"SS":["y","x"]}`, want: `"a":{"SS":["x","y"]}`},
		{name: "to a number set by value", item: `"a":{"NS":["1"]}`, expr: "ADD a :v",
			values: `":v":{"NS":["1.0","2"]}`, want: `"a":{"NS":["1","2"]}`},
		{name: "to a binary set", item: `"a":{"BS":["AQ=="]}`, expr: "ADD a :v",
			values: `":v":{"BS":["Ag=="]}`, want: `"a":{"BS":["AQ==","Ag=="]}`},
		{name: "a missing set", item: `"z":{"N":"0"}`, expr: "ADD a :v",
			values: `":v":{"SS":["y"]}`, want: `"a":{"SS":["y"]},"z":{"N":"0"}`},
		{name: "in a map", item: `"m":{"M":{"a":{"N":"1"}}}`, expr: "ADD m.a :v",
			values: `":v":{"N":"1"}`, want: `"m":{"M":{"a":{"N":"2"}}}`},
		{name: "two", item: `"a":{"N":"1"}`, expr: "ADD a :v, b :v", values: `":v":{"N":"1"}`,
			want: `"a":{"N":"2"},"b":{"N":"1"}`},
		{name: "a number to a string", item: `"a":{"S":"x"}`, expr: "ADD a :v",
			values: `":v":{"N":"1"}`, err: badOperand},
		{name: "a set to a number", item: `"a":{"N":"1"}`, expr: "ADD a :v",
			values: `":v":{"SS":["x"]}`, err: badOperand},
		{name: "a set to a set of another type", item: `"a":{"NS":["1"]}`, expr: "ADD a :v",
			values: `":v":{"SS":["x"]}`, err: badOperand},
		{name: "a string", item: `"a":{"S":"x"}`, expr: "ADD a :v", values: `":v":{"S":"y"}`,
			err: "Invalid UpdateExpression: Incorrect operand type for operator or function; operator: ADD, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND"},
		{name: "a list", item: `"a":{"L":[]}`, expr: "ADD a :v", values: `":v":{"L":[]}`,
			err: "Invalid UpdateExpression: Incorrect operand type for operator or function; operator: ADD, operand type: LIST, typeSet: ALLOWED_FOR_ADD_OPERAND"},
		{name: "a map", item: `"a":{"M":{}}`, expr: "ADD a :v", values: `":v":{"M":{}}`,
			err: "Invalid UpdateExpression: Incorrect operand type for operator or function; operator: ADD, operand type: MAP, typeSet: ALLOWED_FOR_ADD_OPERAND"},
		{name: "an attribute", item: `"a":{"N":"1"}`, expr: "ADD a b",
			err: `Invalid UpdateExpression: Syntax error; token: "b", near: "a b"`},
		{name: "in a missing map", item: `"a":{"N":"1"}`, expr: "ADD m.a :v",
			values: `":v":{"N":"1"}`, err: badPath},
		{name: "to the key", item: `"a":{"N":"1"}`, expr: "ADD pk :v", values: `":v":{"N":"1"}`,
			err: "One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the key"},
	})
}

func TestUpdateDelete(t *testing.T) {
	t.Parallel()
	runUpdates(t, "Developer Guide, Update expressions, DELETE", []update{
		{name: "elements", item: `"a":{"SS":["x","y","z"]}`, expr: "DELETE a :v",
			values: `":v":{"SS":["x","q","z"]}`, want: `"a":{"SS":["y"]}`},
		{name: "numbers by value", item: `"a":{"NS":["1","2"]}`, expr: "DELETE a :v",
			values: `":v":{"NS":["1.00"]}`, want: `"a":{"NS":["2"]}`},
		{name: "all elements remove the attribute", item: `"a":{"SS":["x"]},"b":{"N":"1"}`,
			expr: "DELETE a :v", values: `":v":{"SS":["x"]}`, want: `"b":{"N":"1"}`},
		{name: "of a missing set", item: `"b":{"N":"1"}`, expr: "DELETE a :v",
			values: `":v":{"SS":["x"]}`, want: `"b":{"N":"1"}`},
		{name: "in a map", item: `"m":{"M":{"a":{"SS":["x","y"]}}}`, expr: "DELETE m.a :v",
			values: `":v":{"SS":["x"]}`, want: `"m":{"M":{"a":{"SS":["y"]}}}`},
		{name: "all elements in a map", item: `"m":{"M":{"a":{"SS":["x"]}}}`, expr: "DELETE m.a :v",
			values: `":v":{"SS":["x"]}`, want: `"m":{"M":{}}`},
		{name: "from a set of another type", item: `"a":{"NS":["1"]}`, expr: "DELETE a :v",
			values: `":v":{"SS":["1"]}`, err: badOperand},
		{name: "from a number", item: `"a":{"N":"1"}`, expr: "DELETE a :v",
			values: `":v":{"SS":["1"]}`, err: badOperand},
		{name: "a number", item: `"a":{"N":"1"}`, expr: "DELETE a :v", values: `":v":{"N":"1"}`,
			err: "Invalid UpdateExpression: Incorrect operand type for operator or function; operator: DELETE, operand type: NUMBER, typeSet: ALLOWED_FOR_ADD_OPERAND"},
		{name: "a string", item: `"a":{"SS":["x"]}`, expr: "DELETE a :v", values: `":v":{"S":"x"}`,
			err: "Invalid UpdateExpression: Incorrect operand type for operator or function; operator: DELETE, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND"},
	})
}

func TestUpdateClauses(t *testing.T) {
	t.Parallel()
	conflict := func(kind, one, two string) string {
		return fmt.Sprintf(
			"Invalid UpdateExpression: Two document paths %s with each other; must remove or rewrite one of these paths; path one: [%s], path two: [%s]", kind, one, two)
	}
	once := func(clause string) string {
		return `Invalid UpdateExpression: The "` + clause +
			`" section can only be used once in an update expression;`
	}
	v := `":v":{"N":"1"}`
	runUpdates(t, "Developer Guide, Update expressions", []update{
		{name: "all four clauses",
			item:   `"a":{"N":"1"},"b":{"N":"1"},"c":{"N":"1"},"d":{"SS":["x","y"]}`,
			expr:   "SET a = :v REMOVE b ADD c :v DELETE d :s",
			values: `":v":{"N":"2"},":s":{"SS":["x"]}`,
			want:   `"a":{"N":"2"},"c":{"N":"3"},"d":{"SS":["y"]}`},
		{name: "any order of clauses", item: `"a":{"N":"1"},"b":{"N":"1"}`,
			expr: "delete d :s add a :v remove b set c = :v", values: v + `,":s":{"SS":["x"]}`,
			want: `"a":{"N":"2"},"c":{"N":"1"}`},
		{name: "clause names as attributes", item: `"z":{"N":"1"}`, expr: "SET set = :v", values: v,
			err: "Invalid UpdateExpression: Syntax error; token: \"set\", near: \"SET set =\""},
		{name: "SET twice", expr: "SET a = :v SET b = :v", values: v, err: once("SET")},
		{name: "REMOVE twice", expr: "REMOVE a REMOVE b", err: once("REMOVE")},
		{name: "ADD twice", expr: "ADD a :v ADD b :v", values: v, err: once("ADD")},
		{name: "DELETE twice", expr: "DELETE a :v DELETE b :v", values: `":v":{"SS":["x"]}`,
			err: once("DELETE")},
		{name: "same path", expr: "SET a = :v, a = :v", values: v,
			err: conflict("overlap", "a", "a")},
		{name: "path inside another", expr: "SET a = :v, a.b = :v", values: v,
			err: conflict("overlap", "a", "a, b")},
		{name: "path around another", expr: "SET a.b.c = :v, a.b = :v", values: v,
			err: conflict("overlap", "a, b, c", "a, b")},
		{name: "element and list", expr: "SET a[1] = :v REMOVE a", values: v,
			err: conflict("overlap", "a, [1]", "a")},
		{name: "same element", expr: "REMOVE a[1], a[1]",
			err: conflict("overlap", "a, [1]", "a, [1]")},
		{name: "name and index", expr: "SET a[1] = :v, a.b = :v", values: v,
			err: conflict("conflict", "a, [1]", "a, b")},
		{name: "same path by placeholder", expr: "SET a = :v, #a = :v", names: `"#a":"a"`,
			values: v, err: conflict("overlap", "a", "a")},
		{name: "siblings", item: `"m":{"M":{}},"l":{"L":[]}`,
			expr: "SET m.a = :v, m.b = :v, l[0] = :v, l[1] = :v", values: v,
			want: `"m":{"M":{"a":{"N":"1"},"b":{"N":"1"}}},"l":{"L":[{"N":"1"},{"N":"1"}]}`},
		{name: "empty", expr: "",
			err: "Invalid UpdateExpression: The expression can not be empty;"},
		{name: "no clause", expr: "a = :v", values: v,
			err: `Invalid UpdateExpression: Syntax error; token: "a", near: "a ="`},
		{name: "unknown clause", expr: "PUT a = :v", values: v,
			err: `Invalid UpdateExpression: Syntax error; token: "PUT", near: "PUT a"`},
		{name: "nothing after SET", expr: "SET",
			err: `Invalid UpdateExpression: Syntax error; token: "<EOF>", near: "SET"`},
		{name: "nothing after =", expr: "SET a =",
			err: `Invalid UpdateExpression: Syntax error; token: "<EOF>", near: "="`},
		{name: "trailing comma", expr: "SET a = :v,", values: v,
			err: `Invalid UpdateExpression: Syntax error; token: "<EOF>", near: ","`},
		{name: "missing comma", expr: "SET a = :v b = :v", values: v,
			err: `Invalid UpdateExpression: Syntax error; token: "b", near: ":v b ="`},
		{name: "comma between clauses", expr: "SET a = :v, REMOVE b", values: v,
			err: `Invalid UpdateExpression: Syntax error; token: "REMOVE", near: ", REMOVE b" || Invalid UpdateExpression: Syntax error; token: "b", near: "REMOVE b"`},
		{name: "stray colon", expr: "ADD hits : incr", values: `":incr":{"N":"1"}`,
			err: `Invalid UpdateExpression: Syntax error; token: ":", near: "hits : incr"`},
		{name: "stray hash", expr: "SET a = :v, #, b = :v", values: v,
			err: `Invalid UpdateExpression: Syntax error; token: "#", near: ", #,"`},
		{name: "literal number", expr: "SET a = 1",
			err: `Invalid UpdateExpression: Syntax error; token: "1", near: "= 1"`},
		{name: "value as target", expr: "SET :v = :v", values: v,
			err: `Invalid UpdateExpression: Syntax error; token: ":v", near: "SET :v ="`},
		{name: "negative index", expr: "SET a[-1] = :v", values: v,
			err: `Invalid UpdateExpression: Syntax error; token: "-", near: "[-1"`},
		{name: "redundant parentheses", item: `"a":{"N":"1"}`, expr: "SET a = ((a + :v))",
			values: v, err: "Invalid UpdateExpression: The expression has redundant parentheses;"},
		{name: "parentheses", item: `"a":{"N":"1"}`, expr: "SET a = (a + :v)", values: v,
			want: `"a":{"N":"2"}`},
		{name: "reserved word", expr: "SET name = :v", values: v,
			err: "Invalid UpdateExpression: Attribute name is a reserved keyword; reserved keyword: name"},
		{name: "reserved word in a path", expr: "SET a.size = :v", values: v,
			err: "Invalid UpdateExpression: Attribute name is a reserved keyword; reserved keyword: size"},
		{name: "reserved words have no case", expr: "SET StAtUs = :v", values: v,
			err: "Invalid UpdateExpression: Attribute name is a reserved keyword; reserved keyword: StAtUs"},
		{name: "undefined value", expr: "SET a = :w", values: `":v":{"N":"1"}`,
			err: "Invalid UpdateExpression: An expression attribute value used in expression is not defined; attribute value: :w"},
		{name: "no values", expr: "SET a = :w",
			err: "Invalid UpdateExpression: An expression attribute value used in expression is not defined; attribute value: :w"},
		{name: "undefined name", expr: "SET #a = :v", values: v,
			err: "Invalid UpdateExpression: An expression attribute name used in the document path is not defined; attribute name: #a"},
		{name: "unused value", expr: "SET a = :v", values: `":v":{"N":"1"},":w":{"N":"1"}`,
			err: "Value provided in ExpressionAttributeValues unused in expressions: keys: {:w}"},
		{name: "unused name", expr: "SET a = :v", names: `"#b":"b"`, values: v,
			err: "Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}"},
	})
}
