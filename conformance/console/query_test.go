package console

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// write replaces the text of a field that proposes texts.
func (p *page) write(name, text string) {
	p.t.Helper()
	p.focus("combobox", name)
	p.eval("document.activeElement.select()", nil)
	p.typed(text)
}

// request returns the request that the page of a query shows as JSON.
func (p *page) request() (in map[string]any) {
	p.t.Helper()
	p.click("button", "Request")
	p.eventually(func() bool {
		var text string
		err := p.tryEval(
			`[...document.querySelector(".editor").shadowRoot.querySelectorAll(".cm-line")].map((l) => l.textContent).join("\n")`, &text)
		return err == nil && json.Unmarshal([]byte(text), &in) == nil
	}, "the editor has the request")
	return in
}

// TestQuery: a key condition with a filter is built, explained before and after, run, and shared.
func TestQuery(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/tables/shop/query")
	p.see("this is a Scan, which reads all of shop: about 54 items")
	p.see("Scan of shop")
	p.see("reads 54, returns 54")
	p.accessible()
	p.fill("Partition key pk", "CUSTOMER#3")
	p.miss("this is a Scan")
	p.choose("Comparison of sk", "begins_with")
	p.fill("Sort key sk", "ORDER#")
	p.see("Query of shop by pk = ? AND begins_with(sk, ?)")
	p.click("button", "Add a condition")
	p.write("Attribute of condition 1", "address.city")
	p.fill("Value of condition 1", "Kyoto")
	p.write("Attributes to return", "address.lines[0]")
	p.press("Enter")
	p.write("Attributes to return", "total")
	p.click("button", "Add an attribute")
	p.see("reads 8, returns 4, 0.5 RCU")
	p.click("button", "Descending")
	p.click("button", "Run")
	p.see("4 items")
	p.see("8 evaluated")
	p.see("0.5 RCU")
	p.accessible()
	p.picture("query")
	p.prefers("dark")
	p.accessible()
	p.picture("query-dark")
	assert.Equal(t, map[string]any{
		"TableName":              "shop",
		"KeyConditionExpression": "#pk = :pk AND begins_with(#sk, :sk)",
		"FilterExpression":       "#address.#city = :city",
		"ProjectionExpression":   "#address.#lines[0], #total",
		"ExpressionAttributeNames": map[string]any{"#pk": "pk", "#sk": "sk", "#address": "address",
			"#city": "city", "#lines": "lines", "#total": "total"},
		"ExpressionAttributeValues": map[string]any{":pk": map[string]any{"S": "CUSTOMER#3"},
			":sk": map[string]any{"S": "ORDER#"}, ":city": map[string]any{"S": "Kyoto"}},
		"ScanIndexForward": false,
	}, p.request())
	p.accessible()
	p.picture("query-request-dark")

	p.click("button", "Explanation")
	p.see("The filter drops 50 % of the items read.")
	p.see("An index with the partition key pk and the sort key address.city")
	p.accessible()
	p.picture("query-explanation-dark")
	p.prefers("light")
	p.accessible()
	p.picture("query-explanation")

	var hash string
	p.eval("location.hash", &hash)
	q := open(t, s, hash) // somebody else follows the link
	q.see("8 evaluated")
	q.see("Query of shop by pk = ? AND begins_with(sk, ?)")
	q.await("button", "Leave out address.lines[0]")
}

// TestQueryByAnIndex: the explanation of a scan finds the index that answers it, and the form takes
// it.
func TestQueryByAnIndex(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/tables/shop/query")
	p.click("button", "Add a condition")
	p.write("Attribute of condition 1", "state")
	p.fill("Value of condition 1", "open")
	p.click("button", "Add a condition")
	p.write("Attribute of condition 2", "placed")
	p.choose("Comparison of condition 2", ">=")
	p.fill("Value of condition 2", "2026-01-02")
	p.see("reads 54, returns 6")
	p.click("button", "Explanation")
	p.see("No partition key is given")
	p.see("The index by-state has the key that the filter looks for.")
	p.accessible()
	p.picture("query-scan-explanation")
	p.click("button", "Apply")
	p.see("Query of by-state by state = ? AND placed >= ?")
	p.see("reads 6, returns 6, 0.5 RCU")
	p.see("All items that are read are returned.")
	p.press("Control+Enter")
	p.click("button", "Result")
	p.see("6 evaluated")
	p.see("CUSTOMER#5")
	assert.Equal(t, "#state = :state AND #placed >= :placed", p.request()["KeyConditionExpression"])
}

// TestQueryByHand: the request can be written, and is sent as it is.
func TestQueryByHand(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/tables/shop/query")
	p.request()
	p.clickOn(".editor")
	p.press("Control+a")
	p.typed(`{"TableName": "shop", "KeyConditionExpression": "pk = :p AND state = :s"`)
	p.see("This is no JSON object.")
	p.press("Control+a")
	p.typed(`{"TableName": "shop", "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"N": "1"}}}`)
	p.see("The request was written by hand.")
	p.see("ValidationException: ")
	p.press("Control+a")
	p.typed(`{"TableName": "shop", "Select": "COUNT"}`)
	p.see("Scan of shop")
	p.press("Control+Enter")
	p.see("54 items are counted")
	p.accessible()
	p.click("button", "Back to the form")
	p.see("this is a Scan")
	p.miss("The request was written by hand.")
}

// TestQueryPages: a page has as many items as Limit says, and the next is read on demand. A scan in
// segments reads a page of each.
func TestQueryPages(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/tables/shop/query")
	p.fill("Limit", "5")
	p.click("button", "Run")
	p.see("5 evaluated")
	p.see("1 page")
	p.click("button", "Next page")
	p.see("10 evaluated")
	p.see("2 pages")
	p.fill("Limit", "none")
	p.see("This is no number above 0: none")
	p.fill("Limit", "")
	p.fill("Segments", "4")
	p.click("button", "Run")
	p.see("54 evaluated")
	p.see("4 pages")
	p.request()
	p.see("It is sent 4 times, once for each segment.")
}

// TestFilters: each comparison of the filter with each type that it takes makes a request that
// finds the one item that has everything.
func TestFilters(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "all")
	s.putItem(t, "all", everything("found"))
	s.putItem(t, "all",
		attributes{"pk": str("other"), "sk": str("1"), "status": str("x"), "gone": num("1")})
	cases := []struct{ path, op, kind, value, to, want string }{
		{"text", "=", "S", "it's \"quoted\"\\", "", "#text = :text"},
		{"status", "<>", "S", "x", "", "#status <> :status"},
		{"number", "=", "N", digits38, "", "#number = :number"},
		{"number", "<", "N", "1e38", "", "#number < :number"},
		{"number", "between", "N", "-1", "9.9E+37", "#number BETWEEN :number AND :number2"},
		{"binary", "=", "B", "AP8n", "", "#binary = :binary"},
		{"yes", "=", "BOOL", "true", "", "#yes = :yes"},
		{"nothing", "=", "NULL", "", "", "#nothing = :nothing"},
		{"texts", "=", "SS", `["b,c", "a"]`, "", "#texts = :texts"},
		{"numbers", "=", "NS", "2.5, 1", "", "#numbers = :numbers"},
		{"binaries", "=", "BS", "AA==, /w==", "", "#binaries = :binaries"},
		{"list", "=", "L", `[{"S":"x"},{"N":"1"}]`, "", "#list = :list"},
		{"map", "=", "M", `{"a.b":{"L":[{"S":"deep"}]}}`, "", "#map = :map"},
		{`map."a.b"[0]`, "begins_with", "S", "de", "", "begins_with(#map.#a_b[0], :a_b)"},
		{"text", "contains", "S", "quoted", "", "contains(#text, :text)"},
		{"status", "in", "S", "new, open", "", "#status IN (:status, :status2)"},
		{"text", "attribute_exists", "", "", "", "attribute_exists(#text)"},
		{"gone", "attribute_not_exists", "", "", "", "attribute_not_exists(#gone)"},
		{"list", "attribute_type", "", "L", "", "attribute_type(#list, :list)"},
		{"list", "size >=", "N", "2", "", "size(#list) >= :list"},
		{"status", "=", "path", "same", "", "#status = #same"},
	}
	p := open(t, s, "#/tables/all/query")
	for i, c := range cases {
		t.Run(strings.TrimSpace(c.path+" "+c.op+" "+c.kind), func(t *testing.T) {
			sample(t, i, 5)
			// an empty form
			p.eval(`location.hash = "#/tables/all/query?filter=[]&limit=" + (location.hash.includes("limit=100") ? 200 : 100)`, nil)
			p.eventually(func() bool { return p.count(".condition") == 0 }, "the form is empty")
			p.click("button", "Add a condition")
			p.write("Attribute of condition 1", c.path)
			p.choose("Comparison of condition 1", c.op)
			p.giveValue("Value of condition 1", c.kind, c.value)
			if c.to != "" {
				p.fill("End of condition 1", c.to)
			}
			var in map[string]any
			p.eventually(func() bool {
				in = p.request()
				return in["FilterExpression"] == c.want && p.shows("Scan of all")
			}, "the filter is %s", c.want)
			var out struct{ Items []map[string]map[string]any }
			answer, err := s.send("Scan", strings.NewReader(asJSON(in)))
			require.NoError(t, err)
			require.NoError(t, json.Unmarshal(answer, &out))
			require.Len(t, out.Items, 1, "%v", in)
			assert.Equal(t, "found", out.Items[0]["pk"]["S"])
		})
	}
}

// giveValue fills in a value of a type: "" if there is no type to choose.
func (p *page) giveValue(name, kind, value string) {
	p.t.Helper()
	if kind != "" {
		p.choose("Type: "+name, kind)
	}
	switch {
	case kind == "NULL" || kind == "" && value == "":
	case kind == "" || kind == "BOOL":
		p.choose(name, value)
	case kind == "path":
		p.write(name, value)
	default:
		p.fill(name, value)
	}
}

// everything is an item that has an attribute of each type.
func everything(pk string) attributes {
	return attributes{
		"pk": str(pk), "sk": str("1"), "text": str(`it's "quoted"\`), "status": str("new"),
		"same": str("new"), "number": num(digits38),
		"binary":   &types.AttributeValueMemberB{Value: []byte{0, 0xff, '\''}},
		"yes":      &types.AttributeValueMemberBOOL{Value: true},
		"nothing":  &types.AttributeValueMemberNULL{Value: true},
		"texts":    &types.AttributeValueMemberSS{Value: []string{"a", "b,c"}},
		"numbers":  &types.AttributeValueMemberNS{Value: []string{"1", "2.5"}},
		"binaries": &types.AttributeValueMemberBS{Value: [][]byte{{0}, {0xff}}},
		"list":     &types.AttributeValueMemberL{Value: []types.AttributeValue{str("x"), num("1")}},
		"map": &types.AttributeValueMemberM{
			Value: attributes{
				"a.b": &types.AttributeValueMemberL{Value: []types.AttributeValue{str("deep")}},
			},
		},
	}
}

// TestQueryOfKeysOfSeveralAttributes: each attribute of the key of an index has a field.
func TestQueryOfKeysOfSeveralAttributes(t *testing.T) {
	t.Parallel()
	s := serve(t)
	names := []string{"pk", "country", "city", "year", "month"}
	var definitions []types.AttributeDefinition
	for i, name := range names {
		kind := types.ScalarAttributeTypeS
		if i > 2 {
			kind = types.ScalarAttributeTypeN
		}
		definitions = append(definitions,
			types.AttributeDefinition{AttributeName: aws.String(name), AttributeType: kind})
	}
	key := func(name string, kind types.KeyType) types.KeySchemaElement {
		return types.KeySchemaElement{AttributeName: aws.String(name), KeyType: kind}
	}
	_, err := s.db.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("visits"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: definitions,
		KeySchema:            []types.KeySchemaElement{key("pk", types.KeyTypeHash)},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
			IndexName:  aws.String("by-place"),
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
			KeySchema: []types.KeySchemaElement{key("country", types.KeyTypeHash),
				key("city", types.KeyTypeHash), key("year", types.KeyTypeRange),
				key("month", types.KeyTypeRange)},
		}},
	})
	require.NoError(t, err)
	for i := range 12 {
		s.putItem(t, "visits",
			attributes{
				"pk": str(fmt.Sprint(i)), "country": str("JP"), "city": str("Kyoto"),
				"year": num("2026"), "month": num(fmt.Sprint(i + 1)),
			})
	}
	p := open(t, s, "#/tables/visits/query")
	p.choose("Table or index", "by-place")
	p.fill("Partition key country", "JP")
	p.see("this is a Scan")
	p.fill("Partition key city", "Kyoto")
	p.fill("Sort key year", "2026")
	p.choose("Comparison of month", "between")
	p.fill("Sort key month", "3")
	p.fill("End of the sort key month", "5")
	p.see("Query of by-place by country = ? AND city = ? AND year = ? AND month BETWEEN ? AND ?")
	p.click("button", "Run")
	p.see("3 evaluated")
	p.accessible()
	p.picture("query-several")
}

// TestHostileQuery: names and values that try to be code are data in the form, the request and the
// address.
func TestHostileQuery(t *testing.T) {
	onlyInFull(t)
	t.Parallel()
	s := serve(t)
	s.createTable(t, "hostile")
	const script = `<img src=x onerror="window.hurt=1">`
	deep := str("the bottom")
	for range 31 {
		deep = &types.AttributeValueMemberM{Value: attributes{"d": deep}}
	}
	s.putItem(t, "hostile",
		attributes{
			"pk": str(script), "sk": str("1"), script: str("</script>"),
			"__proto__": str("polluted"), "deep": deep, "long": str(strings.Repeat("界", 120_000)),
		})
	p := open(t, s, "#/tables/hostile/query")
	p.fill("Partition key pk", script)
	p.click("button", "Add a condition")
	p.write("Attribute of condition 1", "__proto__")
	p.fill("Value of condition 1", "polluted")
	p.write("Attributes to return", `"`+strings.ReplaceAll(script, `"`, `""`)+`"`)
	p.press("Enter")
	p.write("Attributes to return", "pk")
	p.press("Enter")
	p.click("button", "Run")
	p.see("1 evaluated")
	p.see("</script>")
	p.see("onerror")
	assert.Equal(t, "#__proto__ = :__proto__", p.request()["FilterExpression"])
	p.accessible()
	p.picture("query-hostile")
	for _, pane := range []string{"Code", "History"} {
		p.click("button", pane)
		p.see("onerror")
	}
	p.eval(`location.hash = "#/partiql?q=" + encodeURIComponent('SELECT * FROM "hostile" WHERE "pk" = \'<img src=x onerror="window.hurt=1">\'; SELECT 1')`, nil)
	p.see("ValidationException")
	p.press("Control+Enter")
	p.see("polluted")
	p.accessible()
	var hurt bool
	p.eval("window.hurt === 1 || ({}).polluted !== undefined", &hurt)
	assert.False(t, hurt)
}

func asJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func quoted(text string) string { return asJSON(text) }

// TestHistoryOfQueries: what was run is there again after the page is, and its link runs it again.
func TestHistoryOfQueries(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/tables/shop/query")
	p.click("button", "History")
	p.see("Nothing has been run here yet")
	for _, customer := range []string{"CUSTOMER#1", "CUSTOMER#2", "CUSTOMER#1"} {
		p.fill("Partition key pk", customer)
		p.see("reads 9, returns 9")
		p.click("button", "Run")
		p.see("9 evaluated")
	}
	p.reload()
	p.see("9 evaluated")
	p.click("button", "History")
	p.see("Query pk = CUSTOMER#2")
	assert.Equal(t, 2, p.count(".history li"), "what is run again is not there twice")
	p.accessible()
	p.picture("query-history")
	p.clickOn(".history li:last-child a")
	p.await("gridcell", "CUSTOMER#2")
	p.click("button", "History")
	p.click("button", "Forget this history")
	p.see("Nothing has been run here yet")
}

// TestJoinedFilters: conditions are joined by AND or OR, and each can be negated.
func TestJoinedFilters(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/tables/shop/query")
	p.click("button", "Add a condition")
	p.write("Attribute of condition 1", "state")
	p.fill("Value of condition 1", "open")
	p.see("reads 54, returns 12")
	p.click("button", "Add a condition")
	p.write("Attribute of condition 2", "gift")
	p.choose("Comparison of condition 2", "attribute_exists")
	p.see("reads 54, returns 0")
	p.click("button", "OR")
	p.see("reads 54, returns 36")
	p.click("button", "NOT")
	p.see("reads 54, returns 42")
	assert.Equal(t, "NOT #state = :state OR attribute_exists(#gift)",
		p.request()["FilterExpression"])
	p.click("button", "Remove condition 1")
	p.see("reads 54, returns 24")
}

// TestExplanationOfALocalIndex: attributes that an index lacks are read from the table, at a cost.
func TestExplanationOfALocalIndex(t *testing.T) {
	t.Parallel()
	s := serve(t)
	key := func(name string, kind types.KeyType) types.KeySchemaElement {
		return types.KeySchemaElement{AttributeName: aws.String(name), KeyType: kind}
	}
	text := func(name string) types.AttributeDefinition {
		return types.AttributeDefinition{
			AttributeName: aws.String(name), AttributeType: types.ScalarAttributeTypeS,
		}
	}
	_, err := s.db.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("notes"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{text("pk"), text("sk"), text("day")},
		KeySchema: []types.KeySchemaElement{key("pk", types.KeyTypeHash),
			key("sk", types.KeyTypeRange)},
		LocalSecondaryIndexes: []types.LocalSecondaryIndex{{
			IndexName:  aws.String("by-day"),
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly},
			KeySchema: []types.KeySchemaElement{key("pk", types.KeyTypeHash),
				key("day", types.KeyTypeRange)},
		}},
	})
	require.NoError(t, err)
	for i := range 4 {
		s.putItem(t, "notes",
			attributes{
				"pk": str("a"), "sk": str(fmt.Sprint(i)), "day": str(fmt.Sprint(i)),
				"text": str("x"),
			})
	}
	p := open(t, s, "#/tables/notes/query?index=by-day&p0=a")
	p.click("button", "Explanation")
	p.see("All items that are read are returned.")
	p.write("Attributes to return", "text")
	p.press("Enter")
	p.see("by-day lacks attributes, so each item is read from the table as well.")
	p.see("reads 4, returns 4, 2.5 RCU")
	p.clickOn("input[type=checkbox]")
	p.see("A strongly consistent read consumes twice the units.")
	p.see("reads 4, returns 4, 5 RCU")
	p.press("Control+Enter")
	p.await("cell", "5")
	p.accessible()

	p = open(t, s,
		`#/tables/notes/query?p0=a&s=2&op=>&filter=[{"path":"day","op":">=","type":"S","value":"1"}]`)
	p.see("reads 1, returns 1")
	p.click("button", "Explanation")
	p.see("All items that are read are returned.")
	p.fill("Value of condition 1", "9")
	p.see("The index by-day has the key that the filter looks for. It has only some of the attributes.")
	p.click("button", "Apply")
	p.see("Query of by-day by pk = ? AND day >= ?")
	p.see("reads 0, returns 0")
	p.see("All items that are read are returned.")
	assert.Equal(t, "#sk > :sk", p.request()["FilterExpression"])
}

// TestQueryOfWhatItemsShow: what the view of items shows is opened in the form.
func TestQueryOfWhatItemsShow(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/tables/shop/items?index=by-state&p0=open&op=%3E%3D&s=2026-01-02&desc=1")
	p.see("6 items")
	p.click("button", "Open as a query")
	p.see("6 evaluated")
	p.see("Query of by-state by state = ? AND placed >= ?")
	assert.Equal(t, false, p.request()["ScanIndexForward"])
}

// TestQueryInJapanese: the form, its plan and its explanation speak Japanese.
func TestQueryInJapanese(t *testing.T) {
	onlyInFull(t)
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s,
		`#/tables/shop/query?limit=20&filter=[{"path":"state","op":"=","type":"S","value":"open"}]`)
	p.choose("Language", "ja")
	p.see("パーティションキーがないため、Scan で shop 全体 (約 54 項目、")
	p.click("button", "説明")
	p.see("フィルターの条件は、インデックス by-state のキーで探せます。")
	p.see("続きがあります。1 ページは 20 項目までです。")
	p.accessible()
	p.picture("query-ja")
}

// TestConditionWithoutAttribute: a new condition has the focus, and nothing runs while a part of
// the form would be left out.
func TestConditionWithoutAttribute(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/tables/shop/query")
	p.click("button", "Add a condition")
	p.hasFocus("Attribute of condition 1")
	p.typed("gift")
	p.choose("Comparison of condition 1", "attribute_exists")
	p.click("button", "Add a condition")
	p.hasFocus("Attribute of condition 2")
	p.click("button", "Run")
	p.see("Condition 2 has no attribute: choose one, or remove the condition.")
	p.see("Nothing has been run yet")
	p.hasFocus("Attribute of condition 2")
	p.accessible()
	p.picture("query-incomplete")
	p.click("button", "Remove condition 2")
	p.miss("has no attribute")
	p.fill("Sort key sk", "PROFILE")
	p.press("Control+Enter")
	p.see("The key lacks pk: without it the rest of the key would be left out.")
	p.see("Nothing has been run yet")
	p.hasFocus("Partition key pk")
	p.fill("Sort key sk", "")
	p.write("Attributes to return", "gift")
	p.press("Control+Enter")
	p.see("Add this attribute, or clear the field.")
	p.click("button", "Run") // leaving the field has added it
	p.see("54 evaluated")

	p = open(t, s, "#/tables/shop/items")
	p.see("54 items")
	p.fill("Sort key sk", "PROFILE")
	p.press("Enter")
	p.see("The key lacks pk")
	p.hasFocus("Partition key pk")
	p.typed("CUSTOMER#3")
	p.press("Enter")
	p.see("1 item")
}

// TestConditionWithoutItsNumber: a condition whose number nobody has typed says what is missing.
func TestConditionWithoutItsNumber(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "shop")
	p := open(t, s,
		`#/tables/shop/query?filter=[{"path":"total","op":">","type":"N","value":""}]`)
	p.see("A number is missing.")
	p.fill("Value of condition 1", "x1")
	p.see("This is no number: x1")
}
