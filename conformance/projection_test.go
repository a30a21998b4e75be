package conformance

import "testing"

func TestProjectionExpression(t *testing.T) {
	t.Parallel()
	call(t, "PutItem",
		`{"TableName":"@hash","Item":{"pk":{"S":"projected"},"a":{"N":"1"},"b":{"S":"x"},"m":{"M":{"p":{"N":"1"},"q":{"M":{"r":{"N":"2"},"s":{"N":"3"}}}}},
		"l":{"L":[{"N":"0"},{"N":"1"},{"L":[{"N":"20"},{"N":"21"}]},{"M":{"k":{"S":"v"},"j":{"S":"w"}}}]},"a.b":{"S":"dotted"},"ss":{"SS":["x"]}}}`)
	rows := []struct{ name, expr, names, want string }{
		{"one", "a", "", `{"Item":{"a":{"N":"1"}}}`},
		{"two", "b, a", "", `{"Item":{"a":{"N":"1"},"b":{"S":"x"}}}`},
		{"no white space", "a,b", "", `{"Item":{"a":{"N":"1"},"b":{"S":"x"}}}`},
		{"the key", "pk", "", `{"Item":{"pk":{"S":"projected"}}}`},
		{"missing", "x", "", `{"Item":{}}`},
		{"missing and present", "x, a", "", `{"Item":{"a":{"N":"1"}}}`},
		{"path", "m.p", "", `{"Item":{"m":{"M":{"p":{"N":"1"}}}}}`},
		{"deep path", "m.q.r", "", `{"Item":{"m":{"M":{"q":{"M":{"r":{"N":"2"}}}}}}}`},
		{"siblings", "m.q.r, m.p", "",
			`{"Item":{"m":{"M":{"p":{"N":"1"},"q":{"M":{"r":{"N":"2"}}}}}}}`},
		{"missing path", "m.x", "", `{"Item":{}}`},
		{"path into a scalar", "a.x", "", `{"Item":{}}`},
		{"name into a list", "l.x", "", `{"Item":{}}`},
		{"index into a map", "m[0]", "", `{"Item":{}}`},
		{"index into a set", "ss[0]", "", `{"Item":{}}`},
		{"element", "l[1]", "", `{"Item":{"l":{"L":[{"N":"1"}]}}}`},
		{"elements in the order of the list", "l[1], l[0]", "",
			`{"Item":{"l":{"L":[{"N":"0"},{"N":"1"}]}}}`},
		{"elements with a gap", "l[0], l[2]", "",
			`{"Item":{"l":{"L":[{"N":"0"},{"L":[{"N":"20"},{"N":"21"}]}]}}}`},
		{"element of an element", "l[2][1]", "", `{"Item":{"l":{"L":[{"L":[{"N":"21"}]}]}}}`},
		{"attribute of an element", "l[3].k", "", `{"Item":{"l":{"L":[{"M":{"k":{"S":"v"}}}]}}}`},
		{"element out of range", "l[9]", "", `{"Item":{}}`},
		{"elements of which one is out of range", "l[0], l[9]", "",
			`{"Item":{"l":{"L":[{"N":"0"}]}}}`},
		{"placeholder", "#a", `"#a":"a"`, `{"Item":{"a":{"N":"1"}}}`},
		{"placeholder of a name with a dot", "#a", `"#a":"a.b"`, `{"Item":{"a.b":{"S":"dotted"}}}`},
		{"placeholders in a path", "#m.#q.s", `"#m":"m","#q":"q"`,
			`{"Item":{"m":{"M":{"q":{"M":{"s":{"N":"3"}}}}}}}`},
	}
	var cases []kase
	for _, row := range rows {
		in := `{"Key":{"pk":{"S":"projected"}},"ConsistentRead":true,"ProjectionExpression":"` +
			row.expr + `"`
		if row.names != "" {
			in += `,"ExpressionAttributeNames":{` + row.names + `}`
		}
		cases = append(cases, kase{name: row.name, in: in + `}`, want: row.want})
	}
	run(t, defaults{src: "Developer Guide, Projection expressions", table: "hash", op: "GetItem"},
		cases)

}

func TestProjectionErrors(t *testing.T) {
	t.Parallel()
	const overlap = "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: "
	errors := []failing{
		{name: "empty", err: "The expression can not be empty;"},
		{name: "trailing comma", expr: "a,", err: `Syntax error; token: "<EOF>", near: ","`},
		{name: "missing comma", expr: "a b", err: `Syntax error; token: "b", near: "a b"`},
		{name: "value", expr: ":v", err: `Syntax error; token: ":v", near: ":v"`},
		// a reserved word and a syntax error at once
		{name: "function", expr: "size(a)", err: "!*"},
		{name: "star", expr: "*", err: `Syntax error; token: "*", near: "*"`},
		{name: "open index", expr: "a[0", err: `Syntax error; token: "<EOF>", near: "0"`},
		{name: "dash", expr: "my-name", err: `Syntax error; token: "-", near: "my-name"`},
		{name: "reserved word", expr: "name",
			err: "Attribute name is a reserved keyword; reserved keyword: name"},
		{name: "undefined name", expr: "#x",
			err: "An expression attribute name used in the document path is not defined; attribute name: #x"},
		{name: "unused name", expr: "a", names: `"#x":"x"`,
			err: "!Value provided in ExpressionAttributeNames unused in expressions: keys: {#x}"},
		{name: "same path", expr: "a, a", err: overlap + "[a], path two: [a]"},
		{name: "path in another", expr: "a, a.b", err: overlap + "[a], path two: [a, b]"},
		{name: "element and list", expr: "l[0], l", err: overlap + "[l, [0]], path two: [l]"},
		{name: "index and name", expr: "a[0], a.b",
			err: "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, [0]], path two: [a, b]"},
	}
	for _, op := range []string{"GetItem", "Scan"} {
		members := `"Key":{"pk":{"S":"projected"}}`
		if op == "Scan" {
			members = `"Limit":1`
		}
		t.Run(op+" errors", func(t *testing.T) {
			t.Parallel()
			run(t, defaults{src: "Developer Guide, Projection expressions", table: "hash", op: op},
				refusedExpressions("ProjectionExpression", members, errors))
		})
	}
}

func TestAttributesToGet(t *testing.T) {
	t.Parallel()
	given := []string{
		`{@pk,"a":{"N":"1"},"b":{"S":"x"},"m":{"M":{"p":{"N":"1"}}},"a.b":{"S":"dotted"}}`,
	}
	run(t, defaults{
		src: "Developer Guide, Legacy conditional parameters, AttributesToGet", table: "hash",
		op: "GetItem",
	}, []kase{
		{name: "whole names", given: given,
			in:   `{@key,"ConsistentRead":true,"AttributesToGet":["a","a.b","x"]}`,
			want: `{"Item":{"a":{"N":"1"},"a.b":{"S":"dotted"}}}`},
		{name: "no paths", given: given,
			in: `{@key,"ConsistentRead":true,"AttributesToGet":["m.p"]}`, want: `{"Item":{}}`},
		{name: "none", in: `{@key,"AttributesToGet":[]}`, raw: true,
			err: "ValidationException: 1 validation error detected: Value at 'AttributesToGet' failed to satisfy constraint: Member must have length greater than or equal to 1"},
		{name: "one twice", in: `{@key,"AttributesToGet":["a","a"]}`,
			err: "ValidationException: One or more parameter values were invalid: Duplicate value in attribute name: a"},
		{name: "names without expression", in: `{@key,"ExpressionAttributeNames":{"#a":"a"}}`,
			err: "Invalid: ExpressionAttributeNames can only be specified when using expressions"},
	})
}
