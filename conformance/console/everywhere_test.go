package console

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// showsPlaced waits until a page shows a value of the attribute placed in the row of the opened
// item, and in the panel beside it, and none of another, and nothing waits to be sent.
func (p *page) showsPlaced(value string) {
	p.t.Helper()
	p.showsPlacedIn(value, ".row.opened", ".panel .panel-body")
}

// showsPlacedIn waits until a page shows a value of the attribute placed, and no other one, in the
// first element of each selector.
func (p *page) showsPlacedIn(value string, selectors ...string) {
	p.t.Helper()
	shown := "[" + quoted(strings.Join(selectors, "|")) + `.split("|")].flat().map((s) => {
		const text = document.querySelector(s + ":not(.edit-changed)")?.innerText ?? "";
		return [...new Set(text.match(/(place|2026-)[-#\w]*\d/g) ?? [])].join(" ") })`
	var got []string
	p.eventually(func() bool {
		other := func(one string) bool { return one != value }
		return p.tryEval(shown, &got) == nil && len(got) == len(selectors) &&
			!slices.ContainsFunc(got, other)
	}, "the row and the panel show %q: they show %q", value, lazy(func() string {
		return strings.Join(got, ", ")
	}))
}

// lazy is a text that is made when it is printed.
type lazy func() string

func (f lazy) String() string { return f() }

// TestShownEverywhere: whatever changes an item, here or in another tab, the list, the panel beside
// it, and those of an index show what it is now; and the next edit begins with that.
func TestShownEverywhere(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	s.admin(t, "POST", "snapshots", `{"name": "start"}`)
	console := s.url + "/_kugiri/console/"
	item := "&item=" + customer2Order1
	p := open(t, s, "#/tables/shop/items?p0=CUSTOMER%232&op=begins_with&s=ORDER%231"+item)
	// the index has a partition for the state
	index := p.another(console + "#/tables/shop/items?index=by-state&p0=paid" + item)
	other := p.another(console + "#/partiql")
	query := p.another(console + "#/tables/shop/query?p0=CUSTOMER%232&s=ORDER%231&run=1")
	found := p.another(console + "#/partiql")
	found.statements(`SELECT * FROM "shop" WHERE pk = 'CUSTOMER#2' AND sk = 'ORDER#1'`)
	found.press("Control+Enter")
	for _, result := range []*page{query, found} {
		result.resize(2200, 800) // all columns have room
		result.see("1 item")
	}
	query.clickOn("#row-0-0")
	rows := p.another(console + "#/tables/shop/query?p0=CUSTOMER%232&s=ORDER%231&run=1")
	rows.resize(2200, 800)
	everywhere := func(value string) {
		t.Helper()
		for _, one := range []*page{p, index, query} {
			one.showsPlaced(value)
		}
		for _, one := range []*page{rows, found} { // nothing is open beside them
			one.showsPlacedIn(value, ".grid .row:not(.head)")
		}
	}
	everywhere("2026-01-02")
	values := 0
	next := func() string {
		values++
		return fmt.Sprint("place-", values)
	}
	form := func(on *page, value string) {
		on.click("button", "Edit the item")
		on.await("textbox", "Value of placed")
		on.fill("Value of placed", value)
		on.click("button", "Send now")
	}
	reopen := func() { // the panel of the item in place of the list of changes
		p.click("button", "Close")
		p.clickOn(".row.active")
	}
	column := func() (id string) {
		p.eval(`(() => {
			const heads = document.querySelectorAll(".head [role=columnheader]:not(.select)")
			const at = [...heads].findIndex((e) => e.ariaLabel === "placed");
			return document.querySelector(".row.opened").id + "-" + at })()`, &id)
		return id
	}
	var undone string
	for _, way := range []struct {
		name string
		do   func(value string)
	}{
		{name: "the form of the panel", do: func(v string) { form(p, v) }},
		{name: "the form again", do: func(v string) { form(p, v) }},
		{name: "a cell", do: func(v string) {
			p.clickOn("#" + column())
			p.focus("grid", "Items")
			p.press("F2")
			p.press("Control+a")
			p.typed(v)
			p.press("Control+Enter")
		}},
		{name: "JSON", do: func(v string) {
			p.click("button", "Edit the item")
			p.see("Add to the changes")
			p.clickOn("dialog .choice button:nth-child(2)")
			p.writeJSON(`{"pk": {"S": "CUSTOMER#2"}, "sk": {"S": "ORDER#1"}, "state": {"S": "paid"},
				"placed": {"S": "` + v + `"}}`)
			p.click("button", "Send now")
		}},
		{name: "several items", do: func(v string) {
			p.click("checkbox", "Select CUSTOMER#2 · ORDER#1")
			p.click("button", "Edit an attribute")
			p.write("Attribute", "placed")
			p.fill("Value", v)
			p.click("button", "Add to the changes")
			p.click("button", "Send 1 change")
			p.see("There are no changes to send")
			undone = fmt.Sprint("place-", values-1)
			reopen()
		}},
	} {
		value := next()
		t.Log(way.name, value)
		way.do(value)
		everywhere(value)
	}
	p.click("button", "Changes")
	p.click("button", "Undo")
	p.see("1 item is as it was")
	reopen()
	everywhere(undone)

	value := next()
	other.statements(`UPDATE "shop" SET placed = '` + value +
		`' WHERE pk = 'CUSTOMER#2' AND sk = 'ORDER#1'`)
	other.press("Control+Enter")
	everywhere(value)
	form(p, next())
	everywhere(fmt.Sprint("place-", values))

	form(index, next())
	everywhere(fmt.Sprint("place-", values))

	value = next()
	p.dropFile(".grid", writeFile(t, "one.jsonl",
		`{"pk": {"S": "CUSTOMER#2"}, "sk": {"S": "ORDER#1"},`+
			` "state": {"S": "paid"}, "placed": {"S": "`+value+`"}}`, false))
	p.click("button", "Import")
	p.see("1 item is put")
	everywhere(value)

	before := fmt.Sprint("place-", values-1)
	p.click("button", "Changes")
	p.undone("1 item is as it was") // the import
	reopen()
	everywhere(before)

	value = next()
	other.eval(`void (location.hash = "#/request")`, nil)
	other.fill("Key", `{"pk": "CUSTOMER#2", "sk": "ORDER#1"}`)
	other.fill("UpdateExpression", "SET placed = :p")
	other.fill("ExpressionAttributeValues", `{":p": "`+value+`"}`)
	other.press("Control+Enter")
	everywhere(value)
	other.undone("1 item is as it was")
	everywhere(before)

	value = next()
	other.eval(`void (location.hash = "#/transaction")`, nil)
	other.click("button", "Add an action")
	other.clickOn(`[aria-label="Action 1"] .choice button:nth-child(2)`) // Update
	other.fill("Key of action 1", `{"pk": "CUSTOMER#2", "sk": "ORDER#1"}`)
	other.fill("Set by action 1, as JSON", `{"placed": "`+value+`"}`)
	other.press("Control+Enter")
	everywhere(value)

	other.eval(`void (location.hash = "#/forks")`, nil)
	other.click("button", "Go back to start")
	other.fill("Type start to confirm", "start")
	other.press("Enter")
	everywhere("2026-01-02")
	form(p, next())
	everywhere(fmt.Sprint("place-", values))
	require.Equal(t, str(fmt.Sprint("place-", values)),
		s.order(t, "CUSTOMER#2", "ORDER#1")["placed"])
}

// TestCountsOfAPart: what nobody has counted is not said, and a part does not look like all of it.
func TestCountsOfAPart(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	var b strings.Builder
	for i := range 390 {
		fmt.Fprintf(&b, `{"pk":{"S":"CUSTOMER#9"},"sk":{"S":"ORDER#%03d"},"state":{"S":"late"},`+
			`"placed":{"S":"%03d"}}`+"\n", i, i)
	}
	p := open(t, s, "#/tables/shop/items?p0=CUSTOMER%239")
	p.dropFile(".empty", writeFile(t, "orders.jsonl", b.String(), false))
	p.click("button", "Import")
	for _, address := range []string{"p0=CUSTOMER%239", "index=by-state&p0=late"} {
		p = open(t, s, "#/tables/shop/items?"+address)
		p.see("100 items read, and there are more")
		p.miss("about")
		p.click("checkbox", "Select all that are loaded")
		p.see("100 items selected")
		var ticked bool
		p.eval(`document.querySelector(".head input").checked`, &ticked)
		require.False(t, ticked, "not all that match are selected")
		p.click("button", "Select all that match")
		p.see("390 items selected")
	}
}
