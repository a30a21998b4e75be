package console

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestSelectMany: items that are selected by the keyboard or the mouse are deleted, edited,
// exported and moved together, and all of it is undone.
func TestSelectMany(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	s.createTable(t, "archive")
	before := s.items(t, "shop")
	p := open(t, s, "#/tables/shop/items?p0=CUSTOMER%232&op=begins_with&s=ORDER%231")
	p.see("2 items")
	p.focus("grid", "Items")
	p.press(" ")
	p.see("1 item selected")
	p.press("Shift+ArrowDown")
	p.see("2 items selected")
	p.accessible()
	p.picture("selected")

	lines := string(p.download("shop.jsonl", func() {
		p.click("button", "Export")
		p.eventually(func() bool { return p.count("dialog") == 1 }, "it asks how")
		p.clickOn("dialog footer .primary")
	}))
	assert.Equal(t, 2, strings.Count(lines, "\n"))

	p.click("button", "Edit an attribute")
	p.write("Attribute", "checked")
	p.choose("Type: Value", "BOOL")
	p.see("checked")
	p.accessible()
	p.picture("edit-many")
	p.click("button", "Add to the changes")
	p.click("button", "Send 2 changes")
	p.see("2 changes are applied")
	assert.Len(t, s.order(t, "CUSTOMER#2", "ORDER#1#LINE#1"), 6)
	p.click("button", "Undo")
	p.see("2 items are as they were")
	p.click("button", "Close")

	p.click("checkbox", "Select CUSTOMER#2 · ORDER#1")
	p.see("1 item selected")
	p.click("button", "Move")
	p.await("combobox", "To the table")
	p.choose("To the table", "archive")
	p.accessible()
	p.clickOn("dialog footer .primary")
	p.see("1 item is moved to archive")
	assert.Len(t, s.items(t, "archive"), 1)
	assert.Empty(t, s.order(t, "CUSTOMER#2", "ORDER#1"))
	p.click("button", "Undo")
	p.see("1 item is as it was")
	assert.Empty(t, s.items(t, "archive"))

	p.eventually(func() bool { return p.count(`.rows [role="row"]`) == 3 },
		"the item is back in the list, below the head")
	assert.False(t, p.shows("Changed since"), "nobody else wrote")
	p.click("checkbox", "Select all that are loaded")
	p.see("2 items selected")
	p.clickOn(".selection .button:has(+ .button + .button)")
	p.see("2 changes")
	p.click("button", "Send 2 changes")
	p.see("2 changes are applied")
	assert.Len(t, s.items(t, "shop"), len(before)-2)
	p.click("button", "Undo")
	p.see("2 items are as they were")
	assert.ElementsMatch(t, before, s.items(t, "shop"))
}

// TestSelectAllThatMatch: as many are selected as the list of changes takes, also those that are
// not loaded.
func TestSelectAllThatMatch(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "events")
	s.putMany(t, "events", 1_100)
	p := open(t, s, "#/tables/events/items")
	p.see("100 of about 1,100 items")
	p.click("checkbox", "Select all that are loaded")
	p.click("button", "Select all that match")
	p.see("1,000 items selected")
	p.see("The list of changes takes 1,000: the first ones are selected")
	p.click("button", "Select nothing")
	p.miss("items selected")

	p.click("checkbox", "Select all that are loaded")
	p.click("button", "Select all that match")
	p.see("1,000 items selected")
	p.eval(`(() => { window.writes = 0; const set = Storage.prototype.setItem;
		Storage.prototype.setItem = function (key, text) { if (key.includes(".edits.")) window.writes++; return set.call(this, key, text) } })()`, nil)
	p.click("button", "Delete")
	p.await("button", "Send 1,000 changes")
	var writes int
	p.eval("window.writes", &writes)
	assert.Equal(t, 1, writes, "the list of changes is written once, not for each item")
}

// TestSendNow: an edit is sent with two clicks, or by Ctrl Enter alone.
func TestSendNow(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "shop")
	p := open(t, s, "#/tables/shop/items")
	p.click("button", "Add an item")
	p.fill("Value of pk", "a")
	p.fill("Value of sk", "1")
	p.click("button", "Send now")
	p.see("1 change is applied")
	assert.NotEmpty(t, s.order(t, "a", "1"))

	p.click("button", "New item")
	p.fill("Value of pk", "b")
	p.fill("Value of sk", "1")
	p.press("Control+Enter")
	p.miss("Add an attribute")
	p.press("Control+Enter") // shows what will be sent
	p.await("button", "Send 1 change")
	p.press("Control+Enter")
	p.see("There are no changes to send")
	assert.NotEmpty(t, s.order(t, "b", "1"))
}

// TestSavedQueries: a query is saved under a name, is there after a reload, and has a link.
func TestSavedQueries(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/tables/shop/query")
	p.fill("Partition key pk", "CUSTOMER#2")
	p.click("button", "History")
	p.fill("Name for this query", "orders of 2")
	p.press("Enter")
	p.await("link", "orders of 2")
	p.accessible()
	p.picture("saved")
	p.click("link", "Tables")
	p.reload()
	p.click("link", "shop")
	p.click("link", "Query")
	p.click("button", "History")
	p.click("link", "orders of 2")
	p.see("Query of shop by pk = ?")
	p.click("button", "History")
	p.await("button", "Copy the link of orders of 2")
	p.click("button", "Forget orders of 2")
	p.miss("orders of 2")
}

// TestTablesBeside: the tables are beside every view, with a filter, and another one is shown in
// the same view.
func TestTablesBeside(t *testing.T) {
	t.Parallel()
	s := serve(t)
	const names = "a-one b-two c-three d-four e-five f-six g-seven h-eight i-nine"
	for _, name := range strings.Fields(names) {
		s.createTable(t, name)
	}
	p := open(t, s, "#/tables/a-one/query")
	p.await("link", "i-nine")
	p.fill("Filter the tables", "GHT")
	p.miss("i-nine")
	p.accessible()
	p.picture("beside")
	p.click("link", "h-eight")
	p.await("heading", "h-eight")
	p.await("button", "Run")
}
