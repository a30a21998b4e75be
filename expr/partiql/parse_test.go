package partiql

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage/item"
)

// TestParse compares the printed statement with its text. "" is the same text.
func TestParse(t *testing.T) {
	for _, k := range []struct{ name, src, want string }{
		{"all", `SELECT * FROM "t"`, ""},
		{"plain names", `select a, B from t`, `SELECT "a", "B" FROM "t"`},
		{"index", `SELECT * FROM "t"."i"`, ""},
		{"paths", `SELECT a.b[0].c, "d"['e'] FROM t`, `SELECT "a"."b"[0]."c", "d"."e" FROM "t"`},
		{"quotes", `SELECT "a""b" FROM "t" WHERE "c" = 'it''s'`, ""},
		{"comparisons",
			`SELECT * FROM "t" WHERE "a" = 1 AND "b" <> 2 AND "c" < 3 AND "d" <= 4 AND "e" > 5 AND "f" >= 6`, ""},
		{"not equal", `SELECT * FROM "t" WHERE a != 1`, `SELECT * FROM "t" WHERE "a" <> 1`},
		{"precedence", `SELECT * FROM "t" WHERE a=1 OR b=2 AND NOT c=3`,
			`SELECT * FROM "t" WHERE "a" = 1 OR "b" = 2 AND NOT "c" = 3`},
		{"parentheses",
			`SELECT * FROM "t" WHERE ("a" = 1 OR "b" = 2) AND NOT ("c" = 3 AND "d" = 4)`, ""},
		{"update that begins with FROM",
			`from "t" where k='x' AND a=1 set b=1, c=? remove d set e=2 returning all new *`,
			`UPDATE "t" SET "b" = 1 SET "c" = ? REMOVE "d" SET "e" = 2 WHERE "k" = 'x' AND "a" = 1 RETURNING ALL NEW *`},
		{"types", `SELECT * FROM t WHERE a IS STRING AND b IS NOT bool OR c IS NUMERIC`,
			`SELECT * FROM "t" WHERE "a" IS STRING AND NOT "b" IS BOOL OR "c" IS NUMERIC`},
		{"existence",
			`SELECT * FROM "t" WHERE attribute_exists("a"."b") OR NOT attribute_not_exists("c") = true`, ""},
		{"conditions as operands",
			`SELECT * FROM "t" WHERE ("a" BETWEEN 1 AND 2) = true AND true = contains("b", 'x') AND ("a" = 1 OR "b" = 2) IN [true]`, ""},
		{"signs", `SELECT * FROM t WHERE a = - 2 AND b = +5 AND c = - - 1 AND d = -/* c */-1 AND e[-0] IN [-1, - +2]`,
			`SELECT * FROM "t" WHERE "a" = -2 AND "b" = 5 AND "c" = 1 AND "d" = 1 AND "e"[0] IN [-1, -2]`},
		{"superfluous parentheses", `SELECT * FROM t WHERE ((a) = (1))`,
			`SELECT * FROM "t" WHERE "a" = 1`},
		{"between", `SELECT * FROM "t" WHERE "a" BETWEEN 1 AND 2 AND "b" = 3`, ""},
		{"not between", `SELECT * FROM t WHERE a NOT BETWEEN 1 AND 2`,
			`SELECT * FROM "t" WHERE NOT "a" BETWEEN 1 AND 2`},
		{"in", `SELECT * FROM "t" WHERE "a" IN [1, 'b', ?]`, ""},
		{"in parentheses", `SELECT * FROM t WHERE a NOT IN (1)`,
			`SELECT * FROM "t" WHERE NOT "a" IN [1]`},
		{"missing and null", `SELECT * FROM "t" WHERE "a" IS MISSING OR NOT "b" IS NULL`, ""},
		{"is not", `SELECT * FROM t WHERE a IS NOT MISSING`,
			`SELECT * FROM "t" WHERE NOT "a" IS MISSING`},
		{"functions",
			`SELECT * FROM "t" WHERE begins_with("a", 'x') AND contains("b", ?) AND attribute_type("c", 'S') AND size("d") > 1`, ""},
		{"functions in capitals", `SELECT * FROM t WHERE SIZE(d) > 1`,
			`SELECT * FROM "t" WHERE size("d") > 1`},
		{"order", `SELECT * FROM t ORDER BY a ASC, b DESC;`,
			`SELECT * FROM "t" ORDER BY "a", "b" DESC`},
		{"comments", "SELECT * -- all\nFROM /* from */ t", `SELECT * FROM "t"`},
		{"insert",
			`INSERT INTO "t" VALUE {'a': 1, 'b': [true, false, null, {}], 'c': <<'x', ?>>, 'd': -1.5e3}`, ""},
		{"update",
			`UPDATE "t" SET "a" = "b" + 1 SET "c"[0] = list_append("c", [1]) REMOVE "d" WHERE "k" = 'x' RETURNING MODIFIED NEW *`, ""},
		{"update with commas", `update t set a=1, b=2 remove c remove d where k=1`,
			`UPDATE "t" SET "a" = 1 SET "b" = 2 REMOVE "c" REMOVE "d" WHERE "k" = 1`},
		{"sums", `UPDATE "t" SET "a" = "b" - 1 + 2`, ""},
		{"sets", `UPDATE "t" SET "a" = set_add("a", <<1>>) SET "b" = set_delete("b", <<>>) WHERE "k" = ? RETURNING ALL OLD *`, ""},
		{"delete", `DELETE FROM "t" WHERE "k" = 'x' RETURNING ALL OLD *`, ""},
		{"exists", `EXISTS(SELECT * FROM "t" WHERE "k" = 1)`, ""},
	} {
		t.Run(k.name, func(t *testing.T) {
			if k.want == "" {
				k.want = k.src
			}
			s, err := Parse(k.src)
			require.NoError(t, err)
			assert.Equal(t, k.want, s.String())
			again, err := Parse(s.String())
			require.NoError(t, err)
			assert.Equal(t, withoutPlaces(s), withoutPlaces(again))
		})
	}
}

// withoutPlaces removes positions from a statement.
func withoutPlaces(s *Statement) *Statement {
	s.src = ""
	forget(s.Where)
	forget(s.Item)
	for _, c := range s.Changes {
		forget(c.Value)
	}
	return s
}

func forget(e *Expr) {
	if e == nil {
		return
	}
	e.At = Span{}
	for i := range e.Kids {
		forget(&e.Kids[i])
	}
}

func TestParseErrors(t *testing.T) {
	for _, k := range []struct {
		name, src string
		want      Error
	}{
		{"nothing", ``, errUnexpectedTerm},
		{"no statement", `CREATE TABLE t`, errTrailing},
		{"something after it", `SELECT * FROM t LIMIT 1`, errTrailing},
		{"two statements", `SELECT * FROM t; SELECT * FROM t`, errSecond},
		{"an unknown word", `GIVE ME ALL`, errTrailing},
		{"a quoted word", `"SELECT" * FROM t`, errNoChange},
		{"a hyphen in a plain name", `UPDATE Payment-dev SET active=? WHERE id=?`, errNoChange},
		{"columns and values", `INSERT INTO urls (key, target) VALUES (?, ?)`,
			errUnexpectedKeyword},
		{"an alias of an insertion", `INSERT INTO t x VALUE {'a': 1}`, errTrailing},
		{"an alias of an insertion with AS", `INSERT INTO t AS x VALUE {'a': 1}`, errTrailing},
		{"an alias that is no name", `SELECT * FROM t AS 1`, errAliasName},
		{"a subquery", `SELECT * FROM (SELECT * FROM t) AS x`, errIdentifier},
		{"reserved name", `SELECT * FROM t WHERE user = 1`, errUnexpectedKeyword},
		{"no name", `SELECT * FROM 1`, errIdentifier},
		{"no member", `SELECT a. FROM t`, errPathDot},
		{"number for a member", `SELECT a.[1] FROM t`, errPathDot},
		{"a keyword for a member", `SELECT * FROM t WHERE attribute_exists(m.inner)`, errPathDot},
		{"a fraction for an index", `SELECT a[1.5] FROM t`, errPathComponent},
		{"no such type", `SELECT * FROM t WHERE a IS NUMBR`, errTypeName},
		{"the sign of a path", `SELECT * FROM t WHERE a = -b`, errUnexpectedTerm},
		{"the sign of a parameter", `SELECT * FROM t WHERE a = + ?`, errUnexpectedTerm},
		{"update of nothing", `UPDATE t WHERE a = 1`, errNoChange},
		{"FROM alone", `FROM t WHERE a = 1`, errNoChange},
		{"FROM and WHERE last", `FROM t SET b = 1 WHERE a = 1`, errTrailing},
		{"returning some", `DELETE FROM t WHERE a = 1 RETURNING SOME OLD *`, errExpected("ALL")},
		{"names of members", `INSERT INTO t VALUE {a: 1}`, errMember},
		{"no end", `SELECT * FROM t WHERE (a = 1`, errExpected(")")},
		{"deep", `SELECT * FROM t WHERE ` +
			strings.Repeat("(", 100) + `a = 1` + strings.Repeat(")", 100), errDeep},
		{"deep NOT", `SELECT * FROM t WHERE ` + strings.Repeat("NOT ", 100) + `a = 1`, errDeep},
		{"deep list",
			`INSERT INTO t VALUE {'a': ` +
				strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`, errDeep},
		{"open string", `SELECT * FROM t WHERE a = 'x`, errUnreadable},
		{"open name", `SELECT * FROM "t`, errUnreadable},
		{"open comment", `SELECT * FROM t /* WHERE`, errUnreadable},
		{"a comment of another language", `SELECT * FROM t # all`, errUnreadable},
		{"a large exponent", `SELECT * FROM t WHERE a = 3e9999999999`, errUnreadable},
		{"a large scale", `SELECT * FROM t WHERE a = 3.25e-2147483647`, errUnreadable},
		{"no exponent", `SELECT * FROM t WHERE a = 3e`, errUnreadable},
		{"a mistake before what cannot be read", `UPDATE t WHERE a = 'x`, errUnreadable},
	} {
		t.Run(k.name, func(t *testing.T) {
			_, err := Parse(k.src)
			assert.Equal(t, k.want, err)
		})
	}
}

func TestRefusals(t *testing.T) {
	deep := func(n int) string { return strings.Repeat(`{'a':`, n) + "1" + strings.Repeat("}", n) }
	for _, k := range []struct {
		name, src string
		want      Refusal // "" for none
	}{
		{"an alias", `SELECT * FROM t AS x WHERE a = 1`, "Aliasing is not supported"},
		{"an alias without AS", `UPDATE t "x" SET a = 1 WHERE b = 1`, "Aliasing is not supported"},
		{"an alias of FROM", `FROM t x WHERE b = 1 SET a = 1`, "Aliasing is not supported"},
		{"an alias of DELETE", `DELETE FROM t x WHERE b = 1`, "Aliasing is not supported"},
		{"an alias of a column", `SELECT a AS b, c FROM t`, "Aliasing is not supported"},
		{"COUNT", `SELECT COUNT(*) FROM t`, "Unexpected path component at 1:8:5"},
		{"a function as a column", "SELECT a,\n  size(b) FROM t",
			"Unexpected path component at 2:3:4"},
		{"characters are counted", `SELECT "äö", 'ü€' FROM t`,
			"Unexpected path component at 1:14:4"},
		{"an unknown function", `SELECT * FROM t WHERE a = 1 AND Foo(b)`,
			"Unrecognized function: foo at 1:33:3"},
		{"EXISTS as a function", `SELECT * FROM t WHERE NOT EXISTS(x)`,
			"Unrecognized function: exists at 1:27:6"},
		{"set_add in WHERE", `SELECT * FROM t WHERE set_add(a, <<1>>) = 1`,
			"Unrecognized function: set_add at 1:23:7"},
		{"an unknown function in SET", `UPDATE t SET a = foo(b) WHERE k = 1`,
			"Unrecognized function: foo at 1:18:3"},
		{"a function as a value", `INSERT INTO t VALUE {'a': set_add(b, <<1>>)}`,
			"Unsupported data type: set_add under key root at 1:27:7"},
		{"a function in a list", `INSERT INTO t VALUE {'a': [1, size(b)]}`,
			"Unsupported data type: size under key root[1] at 1:31:4"},
		{"a parameter in a list", `UPDATE t SET x = [?] WHERE k = 1`,
			"Unsupported data type: Parameter under key root[0] at 1:19:1"},
		{"a parameter in a map", `INSERT INTO t VALUE {'x': {'m': {'k': ?}}}`,
			"Unsupported data type: Parameter under key root.m.k at 1:39:1"},
		{"whole parameters", `INSERT INTO t VALUE {'x': ?}`, ""},
		{"a parameter in a bag", `UPDATE t SET x = <<?>> WHERE k = 1`,
			refuseMixedBag + " at 1:20:1"},
		{"a bag of two types", `UPDATE t SET x = <<1, 'a'>> WHERE k = 1`, refuseMixedBag},
		{"a bag of lists", `UPDATE t SET x = <<[1]>> WHERE k = 1`, refuseMixedBag + " at 1:20:1"},
		{"an empty bag", `UPDATE t SET x = <<>> WHERE k = 1`, refuseEmptyBag},
		{"an empty bag to add", `UPDATE t SET x = set_add(x, <<>>) WHERE k = 1`, refuseEmptyBag},
		{"equal numbers", `SELECT * FROM t WHERE a = <<2, 2.0>>`,
			"One or more parameter values were invalid: Input collection [2, 2.0] contains duplicates! under root"},
		{"equal strings", `INSERT INTO t VALUE {'a': {'b': <<'x', 'y', 'x'>>}}`,
			"One or more parameter values were invalid: Input collection [x, y, x] contains duplicates! under root.b"},
		{"equal members to add", `UPDATE t SET x = set_add(x, <<1, 1>>) WHERE k = 1`, ""},
		{"a large number", `SELECT * FROM t WHERE a = 1e126`,
			"Number overflow. Attempting to store a number with magnitude larger than supported range under root"},
		{"a small number", `UPDATE t SET a = 1e-131 WHERE k = 1`,
			"Number underflow. Attempting to store a number with magnitude smaller than supported range under root"},
		{"a long number",
			`INSERT INTO t VALUE {'a': {'k': 123456789012345678901234567890123456789}}`,
			"Attempting to store more than 38 significant digits in a Number under root.k"},
		{"a large number in a list", `INSERT INTO t VALUE {'a': [1, 2, -9e999]}`,
			"Number overflow. Attempting to store a number with magnitude larger than supported range under root[2]"},
		{"as deep as can be", `UPDATE t SET x = ` + deep(31) + ` WHERE k = 1`, ""},
		{"too deep", `UPDATE t SET x = ` + deep(32) + ` WHERE k = 1`,
			Refusal("Nesting Levels have exceeded supported limits under root" +
				strings.Repeat(".a", 31))},
		{"a list too deep",
			`INSERT INTO t VALUE {'x': ` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `}`,
			Refusal("Nesting Levels have exceeded supported limits under root" +
				strings.Repeat("[0]", 31))},
		{"as long as a statement can be",
			`INSERT INTO t VALUE {'x': ` +
				strings.Repeat("[", 4000) + strings.Repeat("]", 4000) + `}`,
			Refusal("Nesting Levels have exceeded supported limits under root" +
				strings.Repeat("[0]", 31))},
		{"an index below zero", `SELECT l[-1] FROM t`,
			"List index is not within the allowable range; index: [-1] at 1:11:1"},
		{"a large index", `SELECT l[2147483648] FROM t`,
			"List index is not within the allowable range; index: [2147483648] at 1:10:10"},
		{"what DELETE returns", `DELETE FROM t WHERE a = 1 RETURNING MODIFIED NEW *`,
			"Invalid returning clause: RETURNING MODIFIED NEW *. Only RETURNING ALL OLD * is allowed in DELETE statements."},
		{"set_add of another attribute", `UPDATE "Tt" SET q = set_add(r, <<'x'>>) WHERE k = 1`,
			"The first argument to SET_ADD must equal the assignment value at 1:21:7"},
		{"set_delete from a value", `UPDATE "Tt" SET q = set_delete('q', <<'x'>>) WHERE k = 1`,
			"The first argument to SET_DELETE must equal the assignment value at 1:21:10"},
		{"set_add of a string", `UPDATE "Tt" SET q = set_add(q, 'x') WHERE k = 1`,
			"The second argument to SET_ADD must be a value with type SET at 1:29:1"},
		{"set_add of one operand", `UPDATE "Tt" SET q = set_add(q) WHERE k = 1`,
			"SET_ADD must have exactly two arguments at 1:21:7"},
		{"no tuple", `INSERT INTO t VALUE 'x'`, refuseItem + " at 1:21:3"},
		{"a parameter for a tuple", `INSERT INTO t VALUE ?`, refuseItem + " at 1:21:1"},
		{"a name twice", `INSERT INTO t VALUE {'p': 1, 'p': 2}`,
			"Duplicate keys in tuple. Key: p under root at 1:21:1"},
	} {
		t.Run(k.name, func(t *testing.T) {
			s, err := Parse(k.src)
			require.NoError(t, err)
			assert.Equal(t, k.want, s.Refusal)
		})
	}
}

// TestTables: the name of the table is checked before the table is looked up.
func TestTables(t *testing.T) {
	for src, want := range map[string]error{
		`SELECT * FROM "a"."b"."c"`:        refuseComponents,
		`SELECT * FROM ""`:                 refuseEmptyName,
		`SELECT * FROM "a".""`:             refuseEmptyName,
		`DELETE FROM "" WHERE k = 1`:       refuseEmptyName,
		`UPDATE a.b SET c = 1 WHERE k = 1`: refuseIndex,
		`FROM a.b WHERE k = 1 SET c = 1`:   refuseIndex,
		`DELETE FROM "a"."b" WHERE k = 1`:  refuseIndex,
		`INSERT INTO "a"."b" VALUE {'k': 1}`: Refusal(
			"FROM clause may only contain a single table name in data manipulation statements " +
				"at 1:13:3"),
		`SELECT * FROM "a"."b"."c" WHERE user`: errUnexpectedKeyword,
	} {
		_, err := Parse(src)
		assert.Equal(t, want, err, src)
	}
}

func TestParamsAreCounted(t *testing.T) {
	s, err := Parse(`SELECT * FROM t WHERE a = ? AND b IN [?, ?]`)
	require.NoError(t, err)
	assert.Equal(t, 3, s.Params)
	assert.Equal(t, 2, s.Where.Kids[1].Kids[2].Param)
}

func TestValue(t *testing.T) {
	params := []item.Value{`{"B":"AQ=="}`}
	for _, k := range []struct{ name, src, want, err string }{
		{"string", `'it''s "x"'`, `{"S":"it's \"x\""}`, ""},
		{"number", `-1.50e1`, `{"N":"-15"}`, ""},
		{"true", `TRUE`, `{"BOOL":true}`, ""},
		{"null", `null`, `{"NULL":true}`, ""},
		{"parameter", `?`, `{"B":"AQ=="}`, ""},
		{"list", `[1, 'a', [true]]`, `{"L":[{"N":"1"},{"S":"a"},{"L":[{"BOOL":true}]}]}`, ""},
		{"map", `{'b': 1, 'a': {}}`, `{"M":{"a":{"M":{}},"b":{"N":"1"}}}`, ""},
		{"set of strings", `<<'b', 'a'>>`, `{"SS":["a","b"]}`, ""},
		{"set of numbers", `<<2, 1.0>>`, `{"NS":["1","2"]}`, ""},
		{"duplicates", `<<1, 1.0>>`, "", "Input collection contains duplicates"},
		{"large number", `1e200`, "",
			"Number overflow. Attempting to store a number with magnitude larger than supported range"},
	} {
		t.Run(k.name, func(t *testing.T) {
			s, err := Parse("INSERT INTO t VALUE " + k.src)
			require.NoError(t, err)
			v, err := s.Item.Value(params)
			if k.err != "" {
				assert.EqualError(t, err, k.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, item.Value(k.want), v)
		})
	}
}

// FuzzParse: no text makes the parser panic, and a printed statement parses to the same one.
func FuzzParse(f *testing.F) {
	for _, src := range []string{
		`SELECT a.b[0] FROM "t"."i" WHERE a = 1 AND (b <> 'x' OR NOT c BETWEEN 1 AND ?) ORDER BY k DESC`,
		`INSERT INTO t VALUE {'a': <<1, -2>>, 'b': [null, true]}`,
		`UPDATE t SET a = set_add(a, <<'x'>>) REMOVE b[1] WHERE k = ? AND l IN (1, 2) RETURNING ALL NEW *`,
		`DELETE FROM t WHERE k IS NOT MISSING -- end`,
		`EXISTS(SELECT * FROM t WHERE size(a) >= 1e5);`,
		`FROM t x WHERE k = ? SET a = - 1 REMOVE b`,
		`SELECT COUNT(*) FROM t.i WHERE (attribute_exists(a) = true) IS NOT BOOL`,
		`SELECT * FROM t WHERE a IN [1] /*`, `'`, `"`, `<<`, `.5`, `SELECT a.b[0] FROM "".""."ti"`,
	} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		s, err := Parse(src)
		if err != nil {
			if _, ok := err.(Refusal); !ok { // a Refusal is about the table's name
				require.IsType(t, Error(""), err)
			}
			return
		}
		again, err := Parse(s.String())
		require.NoError(t, err, s.String())
		require.Equal(t, s.String(), again.String())
	})
}
