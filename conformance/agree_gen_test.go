package conformance

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// requestGen makes requests. Many are at the edge of what is valid, and some beyond.
type requestGen struct{ *rand.Rand }

func newRequestGen(seed uint64) *requestGen {
	return &requestGen{rand.New(rand.NewPCG(seed, 0))}
}

func (g *requestGen) one(of ...string) string { return of[g.IntN(len(of))] }

// mostly returns one of the valid ones, and once in twenty times one of the others.
func (g *requestGen) mostly(valid []string, others ...string) string {
	if g.rarely(20) {
		return g.one(others...)
	}
	return g.one(valid...)
}

// rarely is true once in n times.
func (g *requestGen) rarely(n int) bool { return g.IntN(n) == 0 }

// text returns a text, which may be empty or strange.
func (g *requestGen) text() string {
	return g.one("a", "b", "c", "a", "b", "", " ", "é", "e\u0301", "日本", "\U0001F600", "a\x00b",
		"\\\"'", "<&>", "\u2028", strings.Repeat("x", 255))
}

func (g *requestGen) number() string {
	return g.mostly([]string{"0", "1", "2", "-1", "1.5", "1.50", "-0", "007", "1e2", "+3", ".5",
		"99999999999999999999999999999999999999", "1e125", "1e-130",
		"-9.9999999999999999999999999999999999999e125",
		"0.00000000000000000000000000000000000001"},
		"999999999999999999999999999999999999999", "1e126", "1e-131", "", "x", "NaN", "1_0", " 1")
}

// value returns an attribute value, nested at most so deep.
func (g *requestGen) value(depth int) string {
	switch g.IntN(14) {
	case 0, 1, 2:
		return `{"S":` + quoted(g.text()) + `}`
	case 3, 4, 5:
		return `{"N":` + quoted(g.number()) + `}`
	case 6:
		return g.mostly([]string{`{"B":"AA=="}`, `{"B":""}`, `{"B":"AQI="}`}, `{"B":"A"}`)
	case 7:
		return g.mostly([]string{`{"BOOL":true}`, `{"BOOL":false}`, `{"NULL":true}`},
			`{"NULL":false}`)
	case 8:
		return g.mostly([]string{`{"SS":["a","b"]}`, `{"SS":["b","c"]}`, `{"SS":[""]}`},
			`{"SS":["a","a"]}`, `{"SS":[]}`)
	case 9:
		return g.mostly([]string{`{"NS":["1","2"]}`, `{"NS":["2"]}`, `{"BS":["AA=="]}`},
			`{"NS":["1","1.0"]}`, `{"NS":["x"]}`)
	case 10:
		return g.mostly([]string{`{"S":"a"}`}, `{}`, `{"S":"a","N":"1"}`, `{"X":"a"}`, `{"S":null}`,
			`{"S":1}`)
	}
	if depth == 0 {
		return `{"S":"leaf"}`
	}
	if g.rarely(2) {
		return `{"L":[` + g.list(g.IntN(3), func() string { return g.value(depth - 1) }) + `]}`
	}
	return `{"M":{` + g.members(g.IntN(3), depth-1) + `}}`
}

// deep returns a list that is nested so deep.
func (g *requestGen) deep() string {
	n := g.IntN(3) + 30
	return strings.Repeat(`{"L":[`, n) + `{"S":"a"}` + strings.Repeat(`]}`, n)
}

func (g *requestGen) list(n int, f func() string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = f()
	}
	return strings.Join(parts, ",")
}

// members returns members with names, each once.
func (g *requestGen) members(n, depth int) string {
	names := g.Perm(len(attributeNames))
	i := 0
	return g.list(n, func() string {
		i++
		return quoted(attributeNames[names[i-1]]) + `:` + g.value(depth)
	})
}

var attributeNames = []string{"a", "b", "c", "status", "name", "a.b", "#x", ":y", "é", "l", "m",
	"n"}

// key returns a key, and now and then something that is no key of the table.
func (g *requestGen) key(table string) string {
	pk := `"pk":{"S":` + quoted(g.one("p", "p", "q", "r", "é")) + `}`
	if g.rarely(40) {
		pk = g.one(`"pk":{"S":""}`, `"pk":{"N":"1"}`, `"pk":{"NULL":true}`, `"pq":{"S":"p"}`)
	}
	if table == "plain" {
		return `{` + pk + g.mostly([]string{""}, `,"sk":{"N":"1"}`) + `}`
	}
	sk := `,"sk":{"N":` + quoted(g.one("1", "2", "3", "-1", "1.0", "0", "1e2")) + `}`
	if g.rarely(40) {
		sk = g.one("", `,"sk":{"S":"1"}`, `,"sk":{"N":"x"}`, `,"sk":{"N":"1"},"x":{"S":"a"}`)
	}
	return `{` + pk + sk + `}`
}

// item returns an item.
func (g *requestGen) item(table string) string {
	it := strings.TrimSuffix(g.key(table), "}")
	if !g.rarely(3) {
		it += `,"a":` + g.mostly([]string{`{"S":"a"}`, `{"S":"b"}`}, `{"S":""}`, `{"N":"1"}`)
	}
	for _, name := range []string{"b", "status", "l", "n", "m"} {
		if g.rarely(2) {
			it += `,"` + name + `":` + g.value(2)
		}
	}
	if g.rarely(3) {
		it += `,"v":` + g.vector()
	}
	if g.rarely(30) {
		it += `,"d":` + g.deep()
	}
	return it + `}`
}

// vector returns a vector of two dimensions, and now and then something else.
func (g *requestGen) vector() string {
	return g.mostly([]string{`{"L":[{"N":"1"},{"N":"2"}]}`, `{"L":[{"N":"-0.5"},{"N":"1e30"}]}`},
		`{"L":[{"N":"1"}]}`, `{"L":[{"N":"1"},{"S":"2"}]}`, `{"L":[{"N":"1"},{"N":"1e39"}]}`,
		`{"NS":["1","2"]}`, `{"L":[]}`)
}

// path returns a document path, which may be reserved, undefined or wrong.
func (g *requestGen) path() string {
	return g.mostly([]string{"a", "b", "l", "l[0]", "l[1]", "m.a", "m.b[0]", "#n", "#s", "n", "c",
		"m.#n", "l[0].a", "b", "#s"}, "status", "#u", "a.", "l[-1]", "l[99999999999]", "pk", "sk")
}

func (g *requestGen) placeholder() string { return g.mostly([]string{":a", ":b", ":one"}, ":u") }

// condition returns a condition, nested at most so deep.
func (g *requestGen) condition(depth int) string {
	p, v := g.path(), g.placeholder()
	switch g.IntN(13) {
	case 0, 1:
		return p + g.mostly([]string{" = ", " <> ", " < ", " >= ", "="}, " == ") + v
	case 2:
		return g.mostly([]string{"attribute_exists", "attribute_not_exists"}, "ATTRIBUTE_EXISTS") +
			"(" + p + ")"
	case 3:
		return "attribute_type(" + p + ", " + v + ")"
	case 4:
		return g.one("begins_with", "contains") + "(" + p + ", " + g.one(v, p) + ")"
	case 5:
		return "size(" + p + ") " + g.one("=", ">") + " " + v
	case 6:
		return p + " BETWEEN " + v + " AND " + g.placeholder()
	case 7:
		return p + " IN (" + g.list(g.IntN(4), g.placeholder) + ")"
	case 8:
		return g.mostly([]string{"NOT " + p + " = " + v, "(" + p + " = " + v + ")"}, "", "(", "a =",
			"NOT", ":a", p+" = "+p, "(("+p+" = "+v+"))")
	}
	if depth == 0 {
		return "attribute_exists(a)"
	}
	if g.rarely(3) {
		return g.mostly([]string{"NOT "}, "NOT (") + g.condition(depth-1)
	}
	return g.mostly([]string{""}, "(") + g.condition(depth-1) + g.one(" AND ", " OR ") +
		g.condition(depth-1)
}

// update returns an UpdateExpression.
func (g *requestGen) update() string {
	p, q, v := g.path(), g.path(), g.placeholder()
	set := "SET " + p + " = " + g.one(v, v, q, "if_not_exists("+q+", "+v+")", q+" + :one",
		":one - "+q, g.mostly([]string{v}, "list_append("+q+", "+v+")"))
	switch g.IntN(8) {
	case 0, 1, 2:
		return set
	case 3:
		return set + " REMOVE " + q
	case 4:
		return "ADD " + p + " " + g.mostly([]string{":one"}, v)
	case 5:
		return "DELETE " + p + " " + v
	case 6:
		return "REMOVE " + p + g.one("", ", "+q)
	}
	return g.mostly([]string{"SET a = :a, b = :b", "REMOVE a, b"}, "SET ", "",
		"SET a = :a SET b = :b")
}

// names returns ExpressionAttributeNames and ExpressionAttributeValues that an expression may use.
func (g *requestGen) names(expression string) string {
	names, values := []string{}, []string{}
	for _, name := range [][2]string{{"#n", "name"}, {"#s", "status"}} {
		if strings.Contains(expression, name[0]) && !g.rarely(60) || g.rarely(200) {
			names = append(names, quoted(name[0])+`:`+quoted(name[1]))
		}
	}
	for _, name := range []string{":a", ":b", ":one"} {
		if strings.Contains(expression, name) && !g.rarely(60) || g.rarely(200) {
			v := g.one(g.value(1), `{"S":"a"}`, `{"N":"1"}`, `{"S":"S"}`)
			if name == ":one" {
				v = `{"N":"1"}`
			}
			values = append(values, quoted(name)+`:`+v)
		}
	}
	all := ""
	if len(names) > 0 || g.rarely(200) {
		all += `,"ExpressionAttributeNames":{` + strings.Join(names, ",") + `}`
	}
	if len(values) > 0 || g.rarely(200) {
		all += `,"ExpressionAttributeValues":{` + strings.Join(values, ",") + `}`
	}
	return all
}

// request returns an operation on items and its body.
func (g *requestGen) request() (op, body string) {
	table := g.mostly([]string{"both", "plain"}, "none")
	members := []string{`"TableName":` + quoted(table)}
	used := ""
	add := func(name, expression string) {
		used += " " + expression
		members = append(members, quoted(name)+`:`+quoted(expression))
	}
	op = g.one("PutItem", "PutItem", "UpdateItem", "UpdateItem", "DeleteItem", "GetItem", "Query",
		"Scan")
	switch op {
	case "PutItem":
		members = append(members, `"Item":`+g.item(table))
	case "UpdateItem":
		members = append(members, `"Key":`+g.key(table))
		add("UpdateExpression", g.update())
	case "DeleteItem", "GetItem":
		members = append(members, `"Key":`+g.key(table))
	case "Query":
		add("KeyConditionExpression", g.one("pk = :a", "pk = :a AND sk > :one", "a = :a",
			"pk = :a AND sk = :one"))
	}
	switch {
	case op == "GetItem":
	case op == "Query" || op == "Scan":
		if g.rarely(2) {
			add("FilterExpression", g.condition(2))
		}
		members = append(members, g.mostly([]string{`"Limit":2`, `"Limit":1`, `"Select":"COUNT"`,
			`"ReturnConsumedCapacity":"INDEXES"`, `"IndexName":"by-a"`}, `"Limit":0`,
			`"ScanIndexForward":false`, `"IndexName":"none"`))
	default:
		if g.rarely(2) {
			add("ConditionExpression", g.condition(2))
		}
		members = append(members, `"ReturnValues":`+quoted(g.returnValues(op)),
			`"ReturnConsumedCapacity":`+quoted(g.one("NONE", "TOTAL", "INDEXES")))
	}
	if (op == "GetItem" || op == "Query" || op == "Scan") && g.rarely(3) {
		add("ProjectionExpression", g.path()+", "+g.path())
	}
	return op, `{` + strings.Join(members, ",") + g.names(used) + `}`
}

func (g *requestGen) returnValues(op string) string {
	if op == "UpdateItem" {
		return g.mostly([]string{"NONE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"}, "X")
	}
	return g.mostly([]string{"NONE", "ALL_OLD"}, "ALL_NEW")
}

// statement returns a statement on one item with its parameters.
func (g *requestGen) statement() string {
	where := fmt.Sprintf(" WHERE pk = '%s' AND sk = %s", g.one("p", "q", "r", ""), g.one("1", "2",
		"-1", "1.0"))
	more := g.one("", "", " AND a = 'a'", " AND b = ?", " AND attribute_type(a, 'S')",
		" AND size(b) > 1")
	text := g.one(`SELECT * FROM "both"`+where,
		`SELECT a, b FROM both`+where, `DELETE FROM "both"`+where+more,
		`DELETE FROM "both"`+where+` RETURNING ALL OLD *`,
		`UPDATE "both" SET b = `+g.one("1", "'x'", "?", "[1, 'a']", "{'a': 1}", "<<1, 2>>",
			"n + 1")+where+more,
		`UPDATE "both" SET v = `+g.one("[1, 2]", "[1]", "'x'", "[1, 'a']")+where,
		`UPDATE "both" REMOVE b`+where, `UPDATE "both" SET pk = 'x'`+where,
		`SELECT * FROM "none"`+where,
		fmt.Sprintf(`INSERT INTO "both" VALUE {'pk': '%s', 'sk': %s, 'b': %s}`, g.one("p", "q", "new"),
			g.one("1", "7", "'x'"), g.one("1", "?", "null", "true", "<<'a'>>")),
		fmt.Sprintf(`INSERT INTO "both" VALUE {'pk': '%s', 'sk': 1, 'v': %s}`, g.one("q", "new"),
			g.one("[1, 2]", "[1, 2, 3]", "[1, 'a']", "'x'")),
		g.mostly([]string{`SELECT * FROM "both"` + where}, `SELEC * FROM "both"`,
			`UPDATE "both" SET b = `))
	parameters := ""
	if strings.Contains(text, "?") && !g.rarely(10) || g.rarely(30) {
		parameters = `,"Parameters":[` + g.value(1) + `]`
	}
	return `{"Statement":` + quoted(text) + parameters + `}`
}

// keyCondition returns a condition on a key, the index of the key, and the values.
func (g *requestGen) keyCondition() (condition, index, values string) {
	number := func() string {
		return `{"N":` + quoted(g.one("1", "2", "-1", "0", "100", "1.5")) +
			`}`
	}
	if g.rarely(4) {
		return "a = :a", "by-a", `{":a":{"S":` + quoted(g.one("a", "b", "c")) + `}}`
	}
	values = `":p":{"S":` + quoted(g.one("p", "q", "r", "é")) + `},":x":` + number()
	switch sort := g.one("", "sk = :x", "sk < :x", "sk <= :x", "sk > :x", "sk >= :x",
		"BETWEEN"); sort {
	case "":
		return "pk = :p", "", `{` + strings.SplitN(values, `,":x"`, 2)[0] + `}`
	case "BETWEEN":
		return "pk = :p AND sk BETWEEN :x AND :y", "", `{` + values + `,":y":` + number() + `}`
	default:
		return "pk = :p AND " + sort, "", `{` + values + `}`
	}
}
