package console

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// holdCall holds the answer to the next call of an operation.
func (p *page) holdCall(operation string) {
	p.t.Helper()
	p.hold(`new Headers(init?.headers).get("X-Amz-Target")?.endsWith(".` + operation + `")`)
}

// holdAgain holds the answer to the next request that hold was told of.
func (p *page) holdAgain() {
	p.t.Helper()
	p.eval("void (window.letGo = undefined)", nil)
}

// has waits until a field has a value.
func (p *page) has(field, value string) {
	p.t.Helper()
	p.eventually(func() bool {
		var yes bool
		err := p.tryEval(`[...document.querySelectorAll("input")].some((e) => (e.ariaLabel ?? e.labels[0]?.textContent) === `+
			quoted(field)+` && e.value === `+quoted(value)+`)`, &yes)
		return err == nil && yes
	}, "%q has %q", field, value)
}

// TestDesignMeanwhile: a change of a form is made in the text as it is when the answer comes. If
// that has another value there, the page says so, and the field keeps what was typed.
func TestDesignMeanwhile(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := open(t, s, "#/design")
	p.await("region", "posts")
	p.dropFile(".design .query-result", writeFile(t, "design.yaml", written, false))
	p.await("region", "notes")
	p.hold(`String(path).includes("do=edit")`)
	p.fill("Items of Note", "77")
	p.press("Enter")
	p.held()
	p.click("button", "YAML")
	p.focus("textbox", "Design in YAML")
	p.press("Control+a")
	p.typed("# seen\n" + strings.Replace(written, "rate: 10", "rate: 11", 1))
	p.release()
	p.click("button", "Models")
	p.has("Items of Note", "77")
	text := string(p.download("design.yaml", func() { p.click("button", "Download") }))
	for _, part := range []string{"# seen", "rate: 11", "items: 77", "- author   # who"} {
		assert.Contains(t, text, part)
	}

	// The form has not heard of the first change yet when the second is made.
	p.click("button", "Patterns")
	p.holdAgain()
	p.click("button", "Remove note")
	p.held()
	p.fill("Requests a second of open notes", "5")
	p.press("Enter")
	p.release()
	p.has("Requests a second of open notes", "5")
	p.click("button", "Undo")
	p.has("Requests a second of open notes", "1")
	assert.Zero(t, p.count(`section.form[aria-label="note"]`), "the first change stays")
	p.click("button", "Models")

	// Somebody writes another value where the form puts one.
	p.holdAgain()
	p.fill("Items of Note", "88")
	p.press("Enter")
	p.held()
	p.click("button", "YAML")
	p.focus("textbox", "Design in YAML")
	p.press("Control+a")
	p.typed(strings.Replace(written, "1_000", "99", 1))
	p.release()
	p.see(`The design has changed meanwhile, and this was not done: models[0].items: 88`)
	p.accessible()
	p.click("button", "Models")
	p.has("Items of Note", "99")

	// A field is left by the button that makes the table.
	p.holdAgain()
	p.fill("Table of the design", "late")
	p.click("button", "Create this table")
	p.release()
	p.eventually(func() bool { return s.has("late") }, "the table has the name that was typed")
}

// TestEditsMeanwhile: an item that is edited again while its edit is sent, and edits of another tab
// then, are neither lost nor sent twice.
func TestEditsMeanwhile(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "shop")
	s.putItem(t, "shop", attributes{
		"pk": str("a"), "sk": str("1"), "city": str("Kyoto"), "name": str("Ann"),
	})
	p := open(t, s, "#/tables/shop/items")
	p.see("Kyoto")
	edit := func(right int, to string) {
		p.focus("grid", "Items")
		for range right { // the first press chooses the first cell
			p.press("ArrowRight")
		}
		p.press("F2")
		p.typed(to)
	}
	p.holdCall("TransactWriteItems")
	edit(3, "Osaka")
	p.press("Control+Enter")
	p.held()
	other := p.another(s.url + "/_kugiri/console/#/tables/shop/items")
	other.see("1 change")
	other.click("button", "New item")
	other.fill("Value of pk", "theirs")
	other.fill("Value of sk", "1")
	other.press("Control+Enter")
	p.see("2 changes")
	edit(1, "Beth") // the change is of the same item
	p.release()
	p.await("textbox", "Value of name")
	p.press("Enter")
	p.see("2 changes")
	p.click("button", "2 changes")
	p.click("button", "Send 2 changes")
	p.see("2 changes are applied")
	assert.Equal(t, attributes{
		"pk": str("a"), "sk": str("1"), "city": str("Osaka"), "name": str("Beth"),
	}, s.item(t, "shop", "a", "1"))
	assert.NotNil(t, s.item(t, "shop", "theirs", "1"))
}

// TestFormsMeanwhile: what is wrong with what a form has sent is said when the form is gone, and an
// answer to it closes no other form.
func TestFormsMeanwhile(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "orders")
	p := open(t, s, "#/tables/orders/info")
	p.holdCall("UpdateTimeToLive")
	gone := func() {
		p.press("Escape")
		p.eventually(func() bool { return p.count("dialog") == 0 }, "the form is gone")
	}
	p.click("button", "Change Time to live")
	p.click("checkbox", "On")
	p.fill("Attribute of time to live", "expires")
	p.press("Control+Enter")
	p.held()
	gone()
	p.click("button", "Add an index")
	p.fill("Name of the index", "by-state")
	p.release()
	p.see("ENABLED") // the page shows the answer
	p.has("Name of the index", "by-state")
	p.press("Escape")
	p.click("button", "Throw away")
	p.eventually(func() bool { return p.count("dialog") == 0 }, "the form is gone")
	p.holdAgain()
	p.click("button", "Change Time to live")
	p.has("Attribute of time to live", "expires")
	p.fill("Attribute of time to live", "another")
	p.press("Control+Enter")
	p.held()
	gone()
	p.release()
	p.see("ValidationException")
}

// TestLateItem: the answer to the read of an item that comes when another one is open shows
// nothing.
func TestLateItem(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/tables/shop/items?p0=CUSTOMER%232")
	p.see("9 items")
	p.holdCall("GetItem")
	at := func(text string) {
		d := &person{page: p, server: s}
		d.clickText(text, 1)
		p.eventually(func() bool {
			var shown string
			const name = `document.querySelector(".panel h2")?.innerText ?? ""`
			return p.tryEval(name, &shown) == nil && shown == "CUSTOMER#2 · "+text
		}, "the panel is that of %s", text)
	}
	at("ORDER#1")
	at("PROFILE")
	p.release()
	var shown string
	p.eval(`document.querySelector(".panel .panel-body").innerText`, &shown)
	assert.Contains(t, shown, "PROFILE")
	assert.NotContains(t, shown, "ORDER#1")
}

// TestLateSnapshots: a side of a comparison offers the snapshots of what it has, not those of a
// fork that was chosen before and answers late.
func TestLateSnapshots(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "orders")
	s.admin(t, "POST", "forks", `{"accessKey": "try", "from": "test"}`)
	s.admin(t, "POST", "forks/try/snapshots", `{"name": "fork-1"}`)
	s.admin(t, "POST", "snapshots", `{"name": "server-1"}`)
	p := open(t, s, "#/forks?compare=1&before=test&after=test")
	p.see("The two are the same")
	p.hold(`String(path).includes("forks/try")`)
	p.choose("Access key", "try")
	p.held()
	p.choose("Access key", "test")
	offers := func(snapshot string) (sides int) {
		const all = `[...document.querySelectorAll(".state option")].filter((o) => o.text === %q).length`
		if p.tryEval(fmt.Sprintf(all, snapshot), &sides) != nil {
			return -1
		}
		return sides
	}
	p.eventually(func() bool { return offers("server-1") == 2 }, "both sides offer it")
	p.release()
	assert.Zero(t, offers("fork-1"))
}
