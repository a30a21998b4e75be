package console

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// undone presses the button of the latest sending, and waits until the page says how many items are
// as they were, and lists that in its place.
func (p *page) undone(says string) {
	p.t.Helper()
	const latest = `document.querySelector(".history > ul > li time").dateTime`
	var before, after string
	p.eval(latest, &before)
	p.clickOn(".history > ul > li:first-child > .button")
	p.eventually(func() bool { return p.tryEval(latest, &after) == nil && after != before },
		"what was undone is in the place of what was sent at %s", before)
	p.see(says)
}

// toldVersions waits until the server has told the page twice more what was written.
func (p *page) toldVersions() {
	p.t.Helper()
	const told = `performance.getEntriesByType("resource").filter((e) => e.name.endsWith("/versions")).length`
	var before, now int
	p.eval(told, &before)
	p.eventually(func() bool { return p.tryEval(told, &now) == nil && now > before+1 },
		"the server tells what was written")
}

// TestUndoOfAnImport: an import says before it begins that it can be undone, and it then is: new
// items go, and replaced ones come back. One of too many items says that it cannot be undone.
func TestUndoOfAnImport(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	before := s.items(t, "shop")
	p := open(t, s, "#/tables/shop/items?p0=CUSTOMER%232")
	p.dropFile(".grid", writeFile(t, "two.jsonl",
		`{"pk": {"S": "CUSTOMER#2"}, "sk": {"S": "ORDER#1"}, "placed": {"S": "replaced"}}
{"pk": {"S": "CUSTOMER#2"}, "sk": {"S": "ORDER#9"}}
{"pk": {"S": "CUSTOMER#2"}, "sk": {"S": "ORDER#9"}, "placed": {"S": "later"}}
{"pk": {"S": "CUSTOMER#2"}, "sk": {"S": ""}}
`, false))
	p.await("checkbox", "Can be undone: what is there is read before and after")
	p.accessible()
	p.picture("import-undoable")
	p.click("button", "Import")
	p.see("3 items are put")
	p.click("button", "Close")
	p.eventually(func() bool { return p.count("dialog") == 0 }, "the dialog is closed")
	assert.Equal(t, str("later"), s.order(t, "CUSTOMER#2", "ORDER#9")["placed"])
	p.click("button", "Changes")
	p.see("CUSTOMER#2 · ORDER#1")
	p.see("CUSTOMER#2 · ORDER#9")
	p.accessible()
	p.picture("import-sent")
	p.undone("2 items are as they were")
	assert.ElementsMatch(t, before, s.items(t, "shop"))
	p.undone("2 items are as they were") // what was undone can be done again
	assert.Equal(t, str("replaced"), s.order(t, "CUSTOMER#2", "ORDER#1")["placed"])

	p.click("button", "Close")
	p.dropFile(".grid", writeFile(t, "many.jsonl",
		strings.Repeat(`{"pk": {"S": "a"}, "sk": {"S": "b"}}`+"\n", 1_001), false))
	p.see("This cannot be undone: it is too much to read what is there first (1,000 items at most).")
	p.accessible()
}

// TestUndoOfStatements: what statements of PartiQL write is undone, whether they are sent one by
// one, as a batch or as a transaction; a statement that nobody understands says that it cannot be.
func TestUndoOfStatements(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	before := s.items(t, "shop")
	p := open(t, s, "#/partiql")
	const text = `INSERT INTO "shop" VALUE {'pk': 'it''s', 'sk': 'a', 'm': {'pk': 'not'}}; -- a key
		UPDATE shop SET "placed" = 'x' WHERE "sk" = 'ORDER#1' AND (pk = 'CUSTOMER#2');
		DELETE FROM "shop" WHERE 'CUSTOMER#2' = pk AND sk = 'PROFILE' AND size(name) > 1`
	for i, mode := range []string{"One by one", "Batch", "Transaction"} {
		p.statements(text)
		p.click("button", mode)
		p.await("checkbox", "Can be undone: what is there is read before and after")
		p.click("button", "Run")
		p.eventually(func() bool { return p.count(".history > ul > li") == i+1 },
			"the list has what was sent")
		p.see("shop · it's · a")
		p.see("shop · CUSTOMER#2 · ORDER#1")
		p.see("shop · CUSTOMER#2 · PROFILE")
		p.accessible()
		p.picture("partiql-sent")
		assert.Equal(t, str("x"), s.order(t, "CUSTOMER#2", "ORDER#1")["placed"])
		assert.Empty(t, s.order(t, "CUSTOMER#2", "PROFILE"))
		p.undone("3 items are as they were")
		assert.ElementsMatch(t, before, s.items(t, "shop"), mode)
		p.reload()
	}
	p.statements(`UPDATE shop SET placed = 'x' WHERE pk = 'CUSTOMER#2' OR sk = 'ORDER#1'`)
	p.see("This cannot be undone: it does not say which items it writes.")
}

// TestUndoOfAMove: items that were moved to another table go back, from the list of either table;
// one that somebody has changed since stays, with the others.
func TestUndoOfAMove(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.compared(t)
	before := s.items(t, "shop")
	d := &person{page: open(t, s, "#/tables"), server: s}
	d.selectOrders()
	d.click("button", "Move")
	d.await("combobox", "To the table")
	d.clickOn("dialog footer .primary")
	d.see("4 items are moved to archive")
	d.eval(`void (location.hash = "#/tables/archive/items?changes=1")`, nil)
	d.see("shop · ")
	d.toldVersions()
	assert.False(t, d.shows("Changed since"), "the page itself has moved the items")
	d.accessible()
	d.picture("move-sent")
	d.page.undone("4 items are as they were")
	assert.ElementsMatch(t, before, s.items(t, "shop"))
	assert.Empty(t, s.items(t, "archive"))
	d.page.undone("4 items are as they were")
	assert.Len(t, s.items(t, "archive"), 4)
	moved := s.items(t, "archive")[0]
	moved["total"] = num("7") // changed since
	s.putItem(t, "archive", moved)
	d.clickOn(".history > ul > li:first-child > .button")
	d.see("ConditionalCheckFailed")
	assert.Len(t, s.items(t, "archive"), 4)
}

// TestAnotherKey: a duplicate that deletes the other item gives it another key, in one transaction
// that can be undone.
func TestAnotherKey(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	before := s.items(t, "shop")
	p := open(t, s, "#/tables/shop/items?p0=CUSTOMER%232&item="+customer2Order1)
	p.click("button", "Duplicate the item")
	p.fill("Value of sk", "ORDER#9")
	p.click("checkbox", "Delete the other one: the item gets this key")
	p.accessible()
	p.picture("another-key")
	p.click("button", "Send now")
	p.see("2 changes are applied")
	assert.Empty(t, s.order(t, "CUSTOMER#2", "ORDER#1"))
	assert.Equal(t, str("2026-01-02"), s.order(t, "CUSTOMER#2", "ORDER#9")["placed"])
	p.click("button", "Changes")
	p.undone("2 items are as they were")
	assert.ElementsMatch(t, before, s.items(t, "shop"))
}
