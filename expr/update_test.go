package expr

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage/item"
)

func TestUpdateChecks(t *testing.T) {
	const (
		typ      = "Incorrect operand type for operator or function; operator or function: "
		overlap  = "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: "
		conflict = "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: "
	)
	var many []string
	for i := range 20 {
		many = append(many, fmt.Sprintf("a%d.b[%d]", i%3, i))
	}
	tests := []struct{ name, input, err string }{
		{"any value", "SET a = :m, b = :null, c = :ss", ""},
		{"undefined name", "SET #b = :s",
			"An expression attribute name used in the document path is not defined; attribute name: #b"},
		{"undefined value", "SET a = :x",
			"An expression attribute value used in expression is not defined; attribute value: :x"},
		{"adding a string", "SET a = b + :s", typ + "+, operand type: S"},
		{"subtracting a list", "SET a = :l - b", typ + "-, operand type: L"},
		{"adding a list_append", "SET a = list_append(a, :l) + :n", typ + "+, operand type: L"},
		{"appending a map", "SET a = list_append(a, :m)", typ + "list_append, operand type: M"},
		{"appending one", "SET a = list_append(a)",
			"Incorrect number of operands for operator or function; operator or function: list_append, number of operands: 1"},
		{"if_not_exists of a value", "SET a = if_not_exists(:s, :s)",
			"Operator or function requires a document path; operator or function: if_not_exists"},
		{"if_not_exists of three", "SET a = if_not_exists(a, :s, :s)",
			"Incorrect number of operands for operator or function; operator or function: if_not_exists, number of operands: 3"},
		{"ADD of a string", "ADD a :s",
			"Incorrect operand type for operator or function; operator: ADD, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND"},
		{"ADD of a list", "ADD a :l",
			"Incorrect operand type for operator or function; operator: ADD, operand type: LIST, typeSet: ALLOWED_FOR_ADD_OPERAND"},
		{"ADD of numbers and sets", "ADD a :n, b :ss, c :ns, d :bs", ""},
		{"DELETE of a number", "DELETE a :n",
			"Incorrect operand type for operator or function; operator: DELETE, operand type: NUMBER, typeSet: ALLOWED_FOR_ADD_OPERAND"},
		{"DELETE of sets", "DELETE a :ss, b :ns, c :bs", ""},

		{"the same path", "SET a = :s REMOVE a", overlap + "[a], path two: [a]"},
		{"the same path by name", "SET x = :s, #a = :s", overlap + "[x], path two: [x]"},
		{"a path within", "SET a = :s, a.b[1] = :s", overlap + "[a], path two: [a, b, [1]]"},
		{"a path around", "SET a.b = :s REMOVE a", overlap + "[a, b], path two: [a]"},
		{"a map and a list", "SET a.b = :s, a[0] = :s", conflict + "[a, b], path two: [a, [0]]"},
		{"side by side", "SET a.b = :s, a.c = :s, d[0] = :s, d[1] = :s", ""},
		{"many side by side", "REMOVE " + strings.Join(many, ","), ""},
		{"overlap among many", "REMOVE " + strings.Join(many, ",") + ", a2.b",
			overlap + "[a2, b, [2]], path two: [a2, b]"},
		{"conflict among many", "REMOVE " + strings.Join(many, ",") + ", a1.b.c",
			conflict + "[a1, b, [1]], path two: [a1, b, c]"},
		{"overlap before a type", "SET a = :s, a = b + :s", overlap + "[a], path two: [a]"},
		{"overlap before a type of ADD", "ADD a :bool, a :n", overlap + "[a], path two: [a]"},
		{"conflict before a type", "SET b.c = :s, b[0] = :s, d = :s + :s",
			conflict + "[b, c], path two: [b, [0]]"},
		{"overlap before a number of operands", "SET a = list_append(b), a.c = :s",
			overlap + "[a], path two: [a, c]"},
		{"conflict before an overlap further right", "SET b.c = :s, b[0] = :s, b.c = :s",
			conflict + "[b, c], path two: [b, [0]]"},
		{"undefined before an overlap", "SET a = :s, a = :x",
			"An expression attribute value used in expression is not defined; attribute value: :x"},
		{"reserved word before an overlap", "SET a = :s, a = name",
			"Attribute name is a reserved keyword; reserved keyword: name"},
		{"function before a reserved word inside", "SET a = foo(name)",
			"Invalid function name; function: foo"},
		{"reserved word before a function", "SET a = name, b = size(c)",
			"Attribute name is a reserved keyword; reserved keyword: name"},
		{"target before a function", "SET name = size(c)",
			"Attribute name is a reserved keyword; reserved keyword: name"},
		{"ADD of a boolean", "ADD a :bool",
			"Incorrect operand type for operator or function; operator: ADD, operand type: BOOL, typeSet: ALLOWED_FOR_ADD_OPERAND"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := newScope(t, "#a=x", checkValues).Update(tt.input)
			want := tt.err
			if want != "" {
				want = "Invalid UpdateExpression: " + want
			}
			requireError(t, want, err)
		})
	}
}

const updateValues = `{":s":{"S":"new"},":1":{"N":"1"},":big":{"N":"9.9E+125"},":digits":{"N":"0.00000000000000000000000000000000000000000000001"},
	":ss":{"SS":["b","c"]},":ns":{"NS":["2","3"]},":all":{"SS":["a","b"]},":l":{"L":[{"S":"new"}]},":e":{"L":[]},":m":{"M":{"x":{"N":"1"}}}}`

func TestApply(t *testing.T) {
	tests := []struct {
		name, old, input string
		want             string // the item, or an error
		touched          string // the touched parts of the new item: UPDATED_NEW
	}{
		{"set", `{"pk":{"S":"k"},"a":{"N":"1"}}`, "SET a = :s, b = :l",
			`{"pk":{"S":"k"},"a":{"S":"new"},"b":{"L":[{"S":"new"}]}}`,
			`{"a":{"S":"new"},"b":{"L":[{"S":"new"}]}}`},
		{"set from an attribute", `{"a":{"N":"1"},"m":{"M":{"x":{"S":"y"}}}}`, "SET b = a, c = m.x",
			`{"a":{"N":"1"},"b":{"N":"1"},"c":{"S":"y"},"m":{"M":{"x":{"S":"y"}}}}`,
			`{"b":{"N":"1"},"c":{"S":"y"}}`},
		{"swap: all is read before anything is written", `{"a":{"N":"1"},"b":{"N":"2"}}`,
			"SET a = b, b = a", `{"a":{"N":"2"},"b":{"N":"1"}}`, `{"a":{"N":"2"},"b":{"N":"1"}}`},
		{"set what a REMOVE takes away", `{"a":{"N":"1"}}`, "SET b = a REMOVE a", `{"b":{"N":"1"}}`,
			`{"b":{"N":"1"}}`},
		{"count up", `{"a":{"N":"41"}}`, "SET a = a + :1", `{"a":{"N":"42"}}`, `{"a":{"N":"42"}}`},
		{"count down", `{"a":{"N":"0.5"}}`, "SET a = :1 - a", `{"a":{"N":"0.5"}}`,
			`{"a":{"N":"0.5"}}`},
		{"count from nothing", `{"pk":{"S":"k"}}`, "SET a = if_not_exists(a, :1) + :1",
			`{"pk":{"S":"k"},"a":{"N":"2"}}`, `{"a":{"N":"2"}}`},
		{"if_not_exists", `{"a":{"N":"5"}}`,
			"SET a = if_not_exists(a, :1), b = if_not_exists(b, a), c = if_not_exists(a.b, :s)",
			`{"a":{"N":"5"},"b":{"N":"5"},"c":{"S":"new"}}`,
			`{"a":{"N":"5"},"b":{"N":"5"},"c":{"S":"new"}}`},
		{"list_append", `{"a":{"L":[{"N":"1"}]}}`,
			"SET a = list_append(a, :l), b = list_append(:l, a), c = list_append(:e, :l), d = list_append(a, :e), e = list_append(if_not_exists(e, :e), :e)",
			`{"a":{"L":[{"N":"1"},{"S":"new"}]},"b":{"L":[{"S":"new"},{"N":"1"}]},"c":{"L":[{"S":"new"}]},"d":{"L":[{"N":"1"}]},"e":{"L":[]}}`,
			`{"a":{"L":[{"N":"1"},{"S":"new"}]},"b":{"L":[{"S":"new"},{"N":"1"}]},"c":{"L":[{"S":"new"}]},"d":{"L":[{"N":"1"}]},"e":{"L":[]}}`},
		{"in parentheses", `{"a":{"N":"1"}}`, "SET a = (a + :1)", `{"a":{"N":"2"}}`,
			`{"a":{"N":"2"}}`},
		{"remove", `{"a":{"N":"1"},"b":{"N":"1"}}`, "REMOVE a, c", `{"b":{"N":"1"}}`, ``},
		{"add a number", `{"a":{"N":"1"}}`, "ADD a :1, b :1", `{"a":{"N":"2"},"b":{"N":"1"}}`,
			`{"a":{"N":"2"},"b":{"N":"1"}}`},
		{"add to sets", `{"a":{"SS":["a","b"]}}`, "ADD a :ss, b :ns",
			`{"a":{"SS":["a","b","c"]},"b":{"NS":["2","3"]}}`,
			`{"a":{"SS":["a","b","c"]},"b":{"NS":["2","3"]}}`},
		{"delete from sets", `{"a":{"SS":["a","b"]},"pk":{"S":"k"}}`, "DELETE a :ss, b :ns",
			`{"a":{"SS":["a"]},"pk":{"S":"k"}}`, `{"a":{"SS":["a"]}}`},
		{"delete a whole set", `{"a":{"SS":["a","b"]},"pk":{"S":"k"}}`, "DELETE a :all",
			`{"pk":{"S":"k"}}`, ``},

		{"set a member", `{"m":{"M":{"a":{"N":"1"},"c":{"N":"3"}}}}`, "SET m.b = :s, m.a = :1",
			`{"m":{"M":{"a":{"N":"1"},"b":{"S":"new"},"c":{"N":"3"}}}}`,
			`{"m":{"M":{"a":{"N":"1"},"b":{"S":"new"}}}}`},
		{"set deep", `{"m":{"M":{"l":{"L":[{"N":"1"},{"M":{}}]}}}}`, "SET m.l[1].x = m.l[0]",
			`{"m":{"M":{"l":{"L":[{"N":"1"},{"M":{"x":{"N":"1"}}}]}}}}`,
			`{"m":{"M":{"l":{"L":[{"M":{"x":{"N":"1"}}}]}}}}`},
		{"set an element", `{"l":{"L":[{"N":"1"},{"N":"2"}]}}`, "SET l[1] = :s",
			`{"l":{"L":[{"N":"1"},{"S":"new"}]}}`, `{"l":{"L":[{"S":"new"}]}}`},
		{"set beyond the end", `{"l":{"L":[{"N":"1"}]}}`, "SET l[9] = :s, l[5] = :1, l[0] = :ss",
			`{"l":{"L":[{"SS":["b","c"]},{"N":"1"},{"S":"new"}]}}`,
			`{"l":{"L":[{"SS":["b","c"]}]}}`},
		{"remove elements", `{"l":{"L":[{"N":"0"},{"N":"1"},{"N":"2"},{"N":"3"}]}}`,
			"REMOVE l[0], l[2], l[7]", `{"l":{"L":[{"N":"1"},{"N":"3"}]}}`,
			`{"l":{"L":[{"N":"1"}]}}`},
		{"set and remove elements", `{"l":{"L":[{"N":"0"},{"N":"1"},{"N":"2"}]}}`,
			"REMOVE l[0] SET l[1] = :s", `{"l":{"L":[{"S":"new"},{"N":"2"}]}}`,
			`{"l":{"L":[{"S":"new"},{"N":"2"}]}}`},
		{"remove members", `{"m":{"M":{"a":{"N":"1"},"b":{"N":"2"}}}}`, "REMOVE m.a, m.x",
			`{"m":{"M":{"b":{"N":"2"}}}}`, ``},
		{"remove the last member", `{"m":{"M":{"a":{"N":"1"}}}}`, "REMOVE m.a", `{"m":{"M":{}}}`,
			``},
		{"add and delete inside", `{"m":{"M":{"n":{"N":"1"},"s":{"SS":["a","b"]}}}}`,
			"ADD m.n :1, m.o :1 DELETE m.s :all, m.p :ss",
			`{"m":{"M":{"n":{"N":"2"},"o":{"N":"1"}}}}`,
			`{"m":{"M":{"n":{"N":"2"},"o":{"N":"1"}}}}`},
		{"delete from a missing element", `{"l":{"L":[]}}`, "DELETE l[3] :ss", `{"l":{"L":[]}}`,
			``},
		{"inside and beside", `{"a":{"N":"1"},"m":{"M":{}}}`, "SET m.x = a, b = a REMOVE a",
			`{"b":{"N":"1"},"m":{"M":{"x":{"N":"1"}}}}`,
			`{"b":{"N":"1"},"m":{"M":{"x":{"N":"1"}}}}`},
		{"in two maps", `{"m":{"M":{"a":{"M":{}},"b":{"M":{}}}},"n":{"M":{}}}`,
			"SET n.x = :1, m.b.y = :1, m.a.z = :1",
			`{"m":{"M":{"a":{"M":{"z":{"N":"1"}}},"b":{"M":{"y":{"N":"1"}}}}},"n":{"M":{"x":{"N":"1"}}}}`, `{"m":{"M":{"a":{"M":{"z":{"N":"1"}}},"b":{"M":{"y":{"N":"1"}}}}},"n":{"M":{"x":{"N":"1"}}}}`},

		{"missing attribute", `{"a":{"N":"1"}}`, "SET b = c", string(errMissingAttribute), ""},
		{"missing in a sum", `{"a":{"N":"1"}}`, "SET b = a + c", string(errMissingAttribute), ""},
		{"missing in a list_append", `{"a":{"N":"1"}}`, "SET b = list_append(b, :l)",
			string(errMissingAttribute), ""},
		{"sum with a string", `{"a":{"S":"1"}}`, "SET a = a + :1", string(errOperandType), ""},
		{"append to a string", `{"a":{"S":"1"}}`, "SET a = list_append(a, :l)",
			string(errOperandType), ""},
		{"if_not_exists of a wrong type", `{"a":{"S":"1"}}`, "SET a = if_not_exists(a, :1) + :1",
			string(errOperandType), ""},
		{"ADD of a number to a string", `{"a":{"S":"1"}}`, "ADD a :1", string(errOperandType), ""},
		{"ADD of a set to another", `{"a":{"NS":["1"]}}`, "ADD a :ss", string(errOperandType), ""},
		{"DELETE from another set", `{"a":{"NS":["1"]}}`, "DELETE a :ss", string(errOperandType),
			""},
		{"overflow", `{"a":{"N":"9E+125"}}`, "ADD a :big",
			"Number overflow. Attempting to store a number with magnitude larger than supported range", ""},
		{"too many digits", `{"a":{"N":"1"}}`, "SET a = a + :digits",
			"Number overflow. Attempting to store a number with magnitude larger than supported range", ""},
		{"set in a missing map", `{"a":{"N":"1"}}`, "SET m.a = :1", string(errUpdatePath), ""},
		{"set in a scalar", `{"a":{"N":"1"}}`, "SET a.b = :1", string(errUpdatePath), ""},
		{"set a member of a list", `{"a":{"L":[]}}`, "SET a.b = :1", string(errUpdatePath), ""},
		{"set an element of a map", `{"a":{"M":{}}}`, "SET a[0] = :1", string(errUpdatePath), ""},
		{"set an element of a set", `{"a":{"SS":["a"]}}`, "SET a[0] = :1", string(errUpdatePath),
			""},
		{"set below a missing member", `{"a":{"M":{}}}`, "SET a.b.c = :1", string(errUpdatePath),
			""},
		{"set below a missing element", `{"a":{"L":[]}}`, "SET a[0].c = :1", string(errUpdatePath),
			""},
		{"set below an element", `{"a":{"L":[{"S":"x"}]}}`, "SET a[0].c = :1",
			string(errUpdatePath), ""},
		{"remove from a missing map", `{"a":{"N":"1"}}`, "REMOVE m.a", string(errUpdatePath), ""},
		{"add in a missing map", `{"a":{"N":"1"}}`, "ADD m.a :1", string(errUpdatePath), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newScope(t, "", updateValues)
			u, err := s.Update(tt.input)
			require.NoError(t, err)
			old := newItem(t, tt.old)
			got, err := u.Apply(old)
			require.Equal(t, newItem(t, tt.old), old, "the old item is as it was")
			if !strings.HasPrefix(tt.want, "{") {
				requireError(t, tt.want, err)
				require.Empty(t, got)
				return
			}
			require.NoError(t, err)
			require.Equal(t, newItem(t, tt.want), got)
			if tt.touched == "" {
				require.Empty(t, u.Touched(got))
				return
			}
			require.JSONEq(t, tt.touched, string(u.Touched(got)))
		})
	}
}

func TestApplyNesting(t *testing.T) {
	deep := func(n int) string {
		return strings.Repeat(`{"M":{"a":`, n) + `{"M":{}}` + strings.Repeat(`}}`, n)
	}
	old := newItem(t, `{"a":`+deep(15)+`}`) // 16 levels
	apply := func(levels int) error {
		u, err := newScope(t, "",
			`{":v":`+deep(levels-1)+`}`).Update("SET a" + strings.Repeat(".a", 16) + " = :v")
		require.NoError(t, err)
		_, err = u.Apply(old)
		return err
	}
	require.NoError(t, apply(15)) // service facts 1.8
	requireError(t, string(errNesting), apply(16))
}

func TestUpdateAttributes(t *testing.T) {
	u, err := newScope(t, "#a=x",
		`{":v":{"N":"1"}}`).Update("SET #a.b = c + :v, x.c = :v REMOVE d[0] ADD e :v")
	require.NoError(t, err)
	require.Equal(t, []string{"x", "d", "e"}, u.Attributes())
}

func TestTouchedOld(t *testing.T) {
	u, err := newScope(t, "", `{":v":{"N":"1"}}`).Update("SET a = :v, m.b = :v REMOVE m.c, l[1]")
	require.NoError(t, err)
	require.Empty(t, u.Touched(""))
	require.JSONEq(t, `{"a":{"N":"0"},"m":{"M":{"c":{"S":"x"}}},"l":{"L":[{"N":"2"}]}}`,
		string(u.Touched(
			newItem(t,
				`{"a":{"N":"0"},"m":{"M":{"c":{"S":"x"},"d":{"S":"y"}}},"l":{"L":[{"N":"1"},{"N":"2"}]},"z":{"N":"1"}}`))))
}

func TestProjection(t *testing.T) {
	tests := []struct{ name, input, want string }{
		{"attributes", "s, n, absent", `{"s":{"S":"hello"},"n":{"N":"5"}}`},
		{"nothing", "absent, nowhere.x", `{}`},
		{"a member", "m.k", `{"m":{"M":{"k":{"S":"v"}}}}`},
		{"members", "m.n, s, m.k, m.zzz",
			`{"s":{"S":"hello"},"m":{"M":{"k":{"S":"v"},"n":{"N":"7"}}}}`},
		{"a missing member", "m.zzz, l[9], s", `{"s":{"S":"hello"}}`},
		{"an escaped member", "m.#q.x", `{"m":{"M":{"quo\"te":{"M":{"x":{"N":"1"}}}}}}`},
		{"elements in their order", "l[2], l[0], l[7]",
			`{"l":{"L":[{"S":"x"},{"L":[{"S":"deep"}]}]}}`},
		{"an element of an element", "l[2][0], l[1]",
			`{"l":{"L":[{"N":"1"},{"L":[{"S":"deep"}]}]}}`},
		{"below a scalar", "s.x, n[0], ss[0], l.x, m[0]", `{}`},
		{"overlap", "a, b, a.c",
			"Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a, c]"},
		{"twice", "a, a",
			"Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]"},
		{"conflict", "a[1], a.c",
			"Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, [1]], path two: [a, c]"},
		{"undefined name", "a, #x",
			"An expression attribute name used in the document path is not defined; attribute name: #x"},
	}
	it := newItem(t, testItem)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := newScope(t, `#q=quo"te`, "").Projection(tt.input)
			if !strings.HasPrefix(tt.want, "{") {
				requireError(t, "Invalid ProjectionExpression: "+tt.want, err)
				return
			}
			require.NoError(t, err)
			got := string(p.AppendJSON([]byte("x"), it))
			require.JSONEq(t, tt.want, got[1:])
			require.Equal(t, "x"+string(newItem(t, tt.want).JSON()), got, "canonical")
			require.Equal(t, "{}", string(p.AppendJSON(nil, "")))
		})
	}
}

func TestProjectionAttributes(t *testing.T) {
	p, err := newScope(t, "#a=x", "").Projection("#a.b, c, x.d[0]")
	require.NoError(t, err)
	require.Equal(t, []string{"x", "c"}, p.Attributes())
	p = NewProjection("pk", "n")
	require.Equal(t, []string{"pk", "n"}, p.Attributes())
	require.Equal(t, item.JSON(`{"n":{"N":"5"}}`),
		item.JSON(p.AppendJSON(nil, newItem(t, testItem))))
}

func TestUpdateNests(t *testing.T) {
	values := `{":v":{"N":"1"}}`
	for _, c := range []struct{ expr, inside, beside string }{
		{"SET a.b = :v", "a", "b"},
		{"REMOVE c, a[0]", "a", "c"},
		{"SET c = a.b", "a", "c"},
		{"SET c = :v + if_not_exists(#a[1], :v)", "a", "c"},
	} {
		u, err := newScope(t, "#a=a", values).Update(c.expr)
		require.NoError(t, err, c.expr)
		require.True(t, u.Nests(), c.expr)
		require.True(t, u.Nested(c.inside), c.expr)
		require.False(t, u.Nested(c.beside), c.expr)
	}
	u, err := newScope(t, "", values).Update("SET a = if_not_exists(b, :v) + c ADD d :v")
	require.NoError(t, err)
	require.False(t, u.Nests())
}
