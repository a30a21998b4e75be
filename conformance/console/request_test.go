package console

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/catalog"
)

// TestRequestForm: a request is written by its shape. What is wrong with it is said at the field
// that has it, whoever finds it; the answer is shown; what it wrote is undone.
func TestRequestForm(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/request")
	p.await("combobox", "Operation")
	p.see("The key is pk, sk.")
	p.accessible()
	wrong := func(field, says string) {
		t.Helper()
		p.see(says)
		p.hasFocus(field)
		p.accessible()
	}
	p.fill("Key", `{"pk": "CUSTOMER#2"`)
	p.press("Control+Enter")
	wrong("Key", "Expected")
	p.fill("Key", `{"pk": "CUSTOMER#2", "sk": "ORDER#1"}`)
	p.fill("UpdateExpression", "SET #p = ")
	p.fill("ExpressionAttributeNames", `{"#p": "placed"}`)
	p.press("Control+Enter")
	wrong("UpdateExpression", "Invalid UpdateExpression: Syntax error")
	p.picture("request-wrong")
	p.fill("UpdateExpression", "SET #p = :p ADD visits :n")
	p.fill("ExpressionAttributeValues", `{":p": "now", ":n": {"N": "1"}}`)
	p.fill("ConditionExpression", "attribute_not_exists(pk)")
	p.press("Control+Enter")
	wrong("ConditionExpression", "ConditionalCheckFailedException")
	p.fill("ConditionExpression", "attribute_exists(pk)")
	p.choose("ReturnValues", "UPDATED_NEW")
	p.press("Control+Enter")
	p.await("heading", "Answer")
	p.see(`"visits": {`)
	assert.Equal(t, str("now"), s.order(t, "CUSTOMER#2", "ORDER#1")["placed"])
	p.see("shop · CUSTOMER#2 · ORDER#1")
	p.accessible()
	p.picture("request")
	p.prefers("dark")
	p.accessible()
	p.resize(390, 844)
	assert.Empty(t, p.cut())
	p.picture("request-sent-390-dark")
	p.undone("1 item is as it was")
	assert.Equal(t, str("2026-01-02"), s.order(t, "CUSTOMER#2", "ORDER#1")["placed"])
	assert.Nil(t, s.order(t, "CUSTOMER#2", "ORDER#1")["visits"])
	p.reload()
	p.has("UpdateExpression", "SET #p = :p ADD visits :n") // what was written stays
}

// TestRequestParts: requests of several parts, over two tables, are sent and undone; a transaction
// says which part was refused, at its field.
func TestRequestParts(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	s.createTable(t, "stock")
	before := s.items(t, "shop")
	p := open(t, s, "#/request")
	p.choose("Operation", "BatchWriteItem")
	p.click("button", "Add a part")
	p.choose("TableName 1", "stock")
	p.fill("Item 1", `{"pk": "A-1", "sk": "HEAD", "left": 1}`)
	p.click("button", "Add a part")
	p.choose("TableName 2", "shop")
	p.clickOn(`[aria-label="PutRequest 2"] .choice button:nth-child(2)`)
	p.fill("Key 2", `{"pk": "CUSTOMER#2", "sk": "ORDER#1"}`)
	p.see(`"DeleteRequest": {`)
	p.accessible()
	p.picture("request-parts")
	p.press("Control+Enter")
	p.see(`"UnprocessedItems": {}`)
	assert.Equal(t, num("1"), s.item(t, "stock", "A-1", "HEAD")["left"])
	p.see("shop · CUSTOMER#2 · ORDER#1")
	p.undone("2 items are as they were")
	assert.ElementsMatch(t, before, s.items(t, "shop"))
	assert.Empty(t, s.items(t, "stock"))

	p.choose("Operation", "TransactWriteItems")
	for i, id := range []string{"1", "2"} {
		p.click("button", "Add a part")
		p.choose("TableName "+id, []string{"stock", "shop"}[i])
		p.fill("Item "+id, `{"pk": "CUSTOMER#2", "sk": "ORDER#1", "t": 1}`)
	}
	p.fill("ConditionExpression 2", "attribute_not_exists(pk)")
	p.press("Control+Enter")
	p.see("ConditionalCheckFailed: The conditional request failed")
	p.hasFocus("ConditionExpression 2")
	p.fill("ConditionExpression 2", "")
	p.press("Control+Enter")
	p.see("stock · CUSTOMER#2 · ORDER#1")
	p.undone("2 items are as they were")
	assert.ElementsMatch(t, before, s.items(t, "shop"))

	p.choose("Operation", "TransactGetItems")
	p.miss("Can be undone")
	p.click("button", "Add a part")
	p.choose("TableName 1", "shop")
	p.fill("Key 1", `{"pk": "CUSTOMER#2", "sk": "ORDER#1"}`)
	p.fill("ProjectionExpression 1", "placed")
	p.press("Control+Enter")
	p.see(`"2026-01-02"`)

	// a batch names each table once: a second part would take the place of the first
	p.choose("Operation", "BatchGetItem")
	for _, id := range []string{"1", "2"} {
		p.click("button", "Add a part")
		p.choose("TableName "+id, "shop")
		p.fill("Keys "+id, `[{"pk": "CUSTOMER#2", "sk": "ORDER#1"}]`)
	}
	p.press("Control+Enter")
	p.see("It is there twice")
	p.hasFocus("TableName 2")
	p.accessible()
	p.choose("TableName 2", "stock")
	p.press("Control+Enter")
	p.see(`"UnprocessedKeys": {}`)
}

// TestRequestShapes: the form has every member of the API model but those for old programs, and
// every operation on items has a form.
func TestRequestShapes(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../conventions/api/model/dynamodb-2012-08-10.json")
	require.NoError(t, err)
	var model struct {
		Operations map[string]struct{ Input struct{ Shape string } }
		Shapes     map[string]struct{ Members map[string]any }
	}
	require.NoError(t, json.Unmarshal(text, &model))
	others := []string{"AttributesToGet", "AttributeUpdates", "Expected", "ConditionalOperator",
		"ReturnConsumedCapacity",        // which the page adds
		"RequestItems", "TransactItems"} // the parts
	membersOf := func(shape string) (names []string) {
		require.NotEmpty(t, model.Shapes[shape].Members, shape)
		for name := range model.Shapes[shape].Members {
			if !slices.Contains(others, name) {
				names = append(names, name)
			}
		}
		return names
	}
	s := serve(t)
	s.createTable(t, "shop")
	p := open(t, s, "#/request")
	var operations []string
	p.await("combobox", "Operation")
	p.eval(`[...document.querySelector("main select").options].map((o) => o.value)`, &operations)
	const labels = `[...document.querySelectorAll("main :is(%s) :is(label, .label)")].map((e) => e.innerText.replace(/ \d+$/, ""))`
	for _, operation := range operations {
		p.choose("Operation", operation)
		p.eventually(func() bool { return p.count(`pre[aria-label="`+operation+`"]`) == 1 },
			"the form is that of %s", operation)
		var own []string
		p.eval(strings.Replace(labels, "%s", ".scroll > .members", 1), &own)
		assert.ElementsMatch(t, membersOf(model.Operations[operation].Input.Shape), own, operation)
		if len(p.find("button", "Add a part")) == 0 {
			continue
		}
		p.click("button", "Add a part")
		p.await("button", "Remove action 1")
		var kinds []string
		p.eval(`[...document.querySelectorAll(".action-card .choice button, .action-card strong")].map((e) => e.innerText)`, &kinds)
		for i, kind := range kinds {
			if len(kinds) > 1 {
				p.clickOn(`.action-card .choice button:nth-child(` + string(rune('1'+i)) + `)`)
			}
			p.await("region", kind+" 1")
			var members []string
			p.eval(strings.Replace(labels, "%s", ".action-card .members", 1), &members)
			wanted := membersOf(kind)
			if !slices.Contains(wanted, "TableName") { // where the table is the name of a member
				wanted = append(wanted, "TableName")
			}
			assert.ElementsMatch(t, wanted, members, operation+" "+kind)
		}
	}
	page, err := os.ReadFile("../../emulator/docs/console.md")
	require.NoError(t, err)
	for of := range catalog.All() {
		if of.Subject == catalog.Items {
			inForm := slices.Contains(operations, of.Name)
			assert.Equal(t, inForm, strings.Contains(string(page), "`"+of.Name+"` in **Request**"),
				of.Name)
			assert.Contains(t, string(page), "`"+of.Name+"` in **")
		}
	}
}
