package partiql

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage/item"
)

// TestParse compares the statement, printed again, with what it was read from:
// "" is the same text.
func TestParse(t *testing.T) {
	for _, k := range []struct{ name, src, want string }{
		{"all", `SELECT * FROM "t"`, ""},
		{"plain names", `select a, B from t`, `SELECT "a", "B" FROM "t"`},
		{"index", `SELECT * FROM "t"."i"`, ""},
		{"paths", `SELECT a.b[0].c, "d"['e'] FROM t`, `SELECT "a"."b"[0]."c", "d"."e" FROM "t"`},
		{"quotes", `SELECT "a""b" FROM "t" WHERE "c" = 'it''s'`, ""},
		{"comparisons", `SELECT * FROM "t" WHERE "a" = 1 AND "b" <> 2 AND "c" < 3 AND "d" <= 4 AND "e" > 5 AND "f" >= 6`, ""},
		{"not equal", `SELECT * FROM "t" WHERE a != 1`, `SELECT * FROM "t" WHERE "a" <> 1`},
		{"precedence", `SELECT * FROM "t" WHERE a=1 OR b=2 AND NOT c=3`, `SELECT * FROM "t" WHERE "a" = 1 OR "b" = 2 AND NOT "c" = 3`},
		{"parentheses", `SELECT * FROM "t" WHERE ("a" = 1 OR "b" = 2) AND NOT ("c" = 3 AND "d" = 4)`, ""},
		{"superfluous parentheses", `SELECT * FROM t WHERE ((a) = (1))`, `SELECT * FROM "t" WHERE "a" = 1`},
		{"between", `SELECT * FROM "t" WHERE "a" BETWEEN 1 AND 2 AND "b" = 3`, ""},
		{"not between", `SELECT * FROM t WHERE a NOT BETWEEN 1 AND 2`, `SELECT * FROM "t" WHERE NOT "a" BETWEEN 1 AND 2`},
		{"in", `SELECT * FROM "t" WHERE "a" IN [1, 'b', ?]`, ""},
		{"in parentheses", `SELECT * FROM t WHERE a NOT IN (1)`, `SELECT * FROM "t" WHERE NOT "a" IN [1]`},
		{"missing and null", `SELECT * FROM "t" WHERE "a" IS MISSING OR NOT "b" IS NULL`, ""},
		{"is not", `SELECT * FROM t WHERE a IS NOT MISSING`, `SELECT * FROM "t" WHERE NOT "a" IS MISSING`},
		{"functions", `SELECT * FROM "t" WHERE begins_with("a", 'x') AND contains("b", ?) AND attribute_type("c", 'S') AND size("d") > 1`, ""},
		{"functions in capitals", `SELECT * FROM t WHERE SIZE(d) > 1`, `SELECT * FROM "t" WHERE size("d") > 1`},
		{"order", `SELECT * FROM t ORDER BY a ASC, b DESC;`, `SELECT * FROM "t" ORDER BY "a", "b" DESC`},
		{"comments", "SELECT * -- all\nFROM /* from */ t", `SELECT * FROM "t"`},
		{"insert", `INSERT INTO "t" VALUE {'a': 1, 'b': [true, false, null, {}], 'c': <<'x', ?>>, 'd': -1.5e3}`, ""},
		{"update", `UPDATE "t" SET "a" = "b" + 1 SET "c"[0] = list_append("c", [1]) REMOVE "d" WHERE "k" = 'x' RETURNING MODIFIED NEW *`, ""},
		{"update with commas", `update t set a=1, b=2 remove c, d where k=1`, `UPDATE "t" SET "a" = 1 SET "b" = 2 REMOVE "c" REMOVE "d" WHERE "k" = 1`},
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
			assert.Equal(t, s, again)
		})
	}
}

func TestParseErrors(t *testing.T) {
	for _, k := range []struct {
		name, src string
		want      Error
	}{
		{"nothing", ``, errUnexpectedTerm},
		{"no statement", `CREATE TABLE t`, errUnexpectedKeyword},
		{"something after it", `SELECT * FROM t LIMIT 1`, errTrailing},
		{"two statements", `SELECT * FROM t; SELECT * FROM t`, errSecond},
		{"an expression", `GIVE ME ALL`, errTrailing},
		{"a hyphen in a plain name", `UPDATE Payment-dev SET active=? WHERE id=?`, errNoChange},
		{"columns and values", `INSERT INTO urls (key, target) VALUES (?, ?)`, errUnexpectedKeyword},
		{"a subquery", `SELECT * FROM (SELECT * FROM t) AS x`, errIdentifier},
		{"reserved name", `SELECT * FROM t WHERE user = 1`, errUnexpectedKeyword},
		{"no name", `SELECT * FROM 1`, errIdentifier},
		{"empty name", `SELECT * FROM ""`, errIdentifier},
		{"no member", `SELECT a. FROM t`, errPathDot},
		{"number for a member", `SELECT a.[1] FROM t`, errPathDot},
		{"negative index", `SELECT a[-1] FROM t`, errPathComponent},
		{"large index", `SELECT a[99999999999] FROM t`, errIndex},
		{"open string", `SELECT * FROM t WHERE a = 'x`, errUnexpectedTerm},
		{"unknown function", `SELECT * FROM t WHERE attribute_exists(a)`, errFunction + "attribute_exists"},
		{"operands", `SELECT * FROM t WHERE contains(a)`, errOperandCount + "contains"},
		{"update of nothing", `UPDATE t WHERE a = 1`, errNoChange},
		{"deletion of what is new", `DELETE FROM t WHERE a = 1 RETURNING ALL NEW *`, errReturning},
		{"returning some", `DELETE FROM t WHERE a = 1 RETURNING SOME OLD *`, errExpected("ALL")},
		{"names of members", `INSERT INTO t VALUE {a: 1}`, errMember},
		{"no end", `SELECT * FROM t WHERE (a = 1`, errExpected(")")},
		{"deep", `SELECT * FROM t WHERE ` + strings.Repeat("(", 100) + `a = 1` + strings.Repeat(")", 100), errDeep},
		{"deep NOT", `SELECT * FROM t WHERE ` + strings.Repeat("NOT ", 100) + `a = 1`, errDeep},
		{"deep list", `INSERT INTO t VALUE {'a': ` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`, errDeep},
	} {
		t.Run(k.name, func(t *testing.T) {
			_, err := Parse(k.src)
			assert.Equal(t, k.want, err)
		})
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
		{"list", `[1, 'a', [?]]`, `{"L":[{"N":"1"},{"S":"a"},{"L":[{"B":"AQ=="}]}]}`, ""},
		{"map", `{'b': 1, 'a': {}}`, `{"M":{"a":{"M":{}},"b":{"N":"1"}}}`, ""},
		{"set of strings", `<<'b', 'a'>>`, `{"SS":["a","b"]}`, ""},
		{"set of numbers", `<<2, 1.0>>`, `{"NS":["1","2"]}`, ""},
		{"set of binaries", `<<?>>`, `{"BS":["AQ=="]}`, ""},
		{"mixed set", `<<1, 'a'>>`, "", errSetMixed.Error()},
		{"set of lists", `<<[1]>>`, "", errSetMixed.Error()},
		{"empty set", `<<>>`, "", "One or more parameter values were invalid: An string set  may not be empty"},
		{"duplicates", `<<1, 1.0>>`, "", "Input collection contains duplicates"},
		{"large number", `1e200`, "", "Number overflow. Attempting to store a number with magnitude larger than supported range"},
		{"path", `[a]`, "", errNotConstant.Error()},
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

// FuzzParse: no text makes the parser panic, and what it reads it reads again from what it prints.
func FuzzParse(f *testing.F) {
	for _, src := range []string{
		`SELECT a.b[0] FROM "t"."i" WHERE a = 1 AND (b <> 'x' OR NOT c BETWEEN 1 AND ?) ORDER BY k DESC`,
		`INSERT INTO t VALUE {'a': <<1, -2>>, 'b': [null, true]}`,
		`UPDATE t SET a = set_add(a, <<'x'>>) REMOVE b[1] WHERE k = ? AND l IN (1, 2) RETURNING ALL NEW *`,
		`DELETE FROM t WHERE k IS NOT MISSING -- end`, `EXISTS(SELECT * FROM t WHERE size(a) >= 1e5);`,
		`SELECT * FROM t WHERE a IN [1] /*`, `'`, `"`, `<<`, `.5`,
	} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		s, err := Parse(src)
		if err != nil {
			require.IsType(t, Error(""), err)
			return
		}
		again, err := Parse(s.String())
		require.NoError(t, err, s.String())
		require.Equal(t, s.String(), again.String())
	})
}
