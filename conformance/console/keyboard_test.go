package console

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// focused returns the element that has the focus: its tag, and its name or its text.
func (p *page) focused() (text string) {
	p.t.Helper()
	p.eval(`(() => { const e = document.activeElement; return e.localName + " " + (e.getAttribute("aria-label") ?? e.labels?.[0]?.innerText ?? e.innerText).trim() })()`, &text)
	return text
}

// TestKeyboardOnly: a table is found, an item is opened and left, and tabs are changed, all by
// keys.
func TestKeyboardOnly(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	s.createTable(t, "users")
	p := open(t, s, "#/tables")
	p.see("2 tables")
	p.press("/")
	p.typed("sho")
	p.see("shop")
	p.eventually(func() bool { return p.count(".grid .row") == 1 }, "the other table is left out")
	p.press("Escape")
	p.press("Control+k")
	p.await("combobox", "Go to…")
	p.typed("shop")
	p.press("Enter")
	p.see("54 items")
	p.eventually(func() bool { return p.focused() == "div Items" },
		"the list of items has the focus")
	p.see("CUSTOMER#1")
	p.press("ArrowDown")
	p.press("Enter")
	p.await("complementary", "Item")
	assert.Equal(t, "div Items", p.focused())
	p.press("Enter")
	assert.Equal(t, "button Attributes", p.focused(), "the second Enter goes into the panel")
	p.press("Escape")
	p.eventually(func() bool { return len(p.find("complementary", "Item")) == 0 },
		"the panel is closed")
	assert.Equal(t, "div Items", p.focused())
	p.press("Enter")
	p.await("complementary", "Item")
	p.press("Escape")
	p.eventually(func() bool { return len(p.find("complementary", "Item")) == 0 },
		"the panel is closed from the grid, too")

	p.press("?")
	p.see("Show this list")
	p.accessible()
	p.prefers("dark")
	p.accessible()
	p.picture("keys-dark")
	p.press("Escape")
	p.miss("Show this list")
	assert.Equal(t, "div Items", p.focused())
	p.press("2")
	p.eventually(func() bool { return p.count(`.tabs a:nth-child(2)[aria-current=page]`) == 1 },
		"the second tab is shown")
	p.press("g")
	p.await("combobox", "Go to…")
	p.press("Escape")
	p.press("1")
	p.eventually(func() bool { return p.focused() == "div Items" },
		"the list of items is there again, and has the focus")
	p.press("/")
	p.typed("CUSTOMER#3")
	p.press("Enter")
	p.see("9 items")
}

// TestFocusIsKept: when what has the focus goes away, something near it has it.
func TestFocusIsKept(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	for _, c := range []struct{ name, address, see, button, then string }{
		{"a list that is left by Enter", "#/tables", "shop", "", "div Items"},
		{"a button that clears", "#/tables/shop/items?p0=CUSTOMER%233", "9 items", "Clear",
			"input Partition key pk"},
		{"a button for another", "#/traffic", "No requests yet", "Stop recording",
			"button Budgets"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := open(t, s, c.address)
			p.see(c.see)
			if c.button == "" {
				p.focus("grid", "Tables")
			} else {
				p.focus("button", c.button)
			}
			p.press("Enter")
			p.eventually(func() bool { return p.focused() == c.then }, "%s has the focus", c.then)
		})
	}
}

// TestTabsGoToTheNextInput: in a filter the Tab key goes on to the value, and from the field of a
// key it is near to the list.
func TestTabsGoToTheNextInput(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/tables/shop/query")
	p.click("button", "Add a condition")
	p.typed("total")
	p.press("Tab")
	assert.Equal(t, "select Comparison of condition 1", p.focused())
	p.press("Tab")
	p.typed("19.99")
	p.see("returns 24") // total is a number, as items have it
	p.press("Control+Enter")
	p.see("24 items")
	p.accessible()
	p.picture("filter")

	p = open(t, s, "#/tables/shop/items?p0=CUSTOMER%232")
	p.see("9 items")
	p.focus("textbox", "Partition key pk")
	tabs := 0
	for ; p.focused() != "div Items" && tabs < 20; tabs++ {
		p.press("Tab")
	}
	assert.LessOrEqual(t, tabs, 3, "Tabs from the field of the key to the list")
	p.press("/")
	p.press("Control+a")
	p.typed("CUSTOMER#3")
	p.press("Enter")
	p.see("CUSTOMER#3")
}

// TestTabsToTheList: from the field of a key the list is at most three Tabs away, in every view of
// items. Where a key has more fields, Tab goes through them first: what is counted begins at the
// next one. The arrow down goes to the list at once.
func TestTabsToTheList(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	for _, c := range []struct{ name, address, count, field string }{
		{"items", "items?p0=CUSTOMER%232", "9 items", "Partition key pk"},
		{"items between two keys", "items?p0=CUSTOMER%232&op=between&s=A&s2=Z", "9 items",
			"Sort key sk"},
		{"items of an index", "items?index=by-state&p0=paid", "items", "Partition key state"},
		{"a filter of items", "items?p0=CUSTOMER%232&filter=" +
			`[{"path":"state","op":"<>","type":"S","value":"none"}]`, "9 items", "Partition key pk"},
		{"a query", "query?p0=CUSTOMER%232&run=1", "9 items", "Partition key pk"},
		{"a query between two keys", "query?p0=CUSTOMER%232&op=between&s=A&s2=Z&run=1",
			"9 items", "Sort key sk"},
		{"a query of an index", "query?index=by-state&p0=paid&run=1", "items",
			"Partition key state"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := open(t, s, "#/tables/shop/"+c.address)
			p.see(c.count)
			p.eventually(func() bool { return p.count("#main .grid") == 1 }, "the list is there")
			if strings.Contains(c.address, "filter") {
				p.await("form", "Filter")
			}
			p.focus("textbox", c.field)
			tabs := 0
			isThere := func(at string) bool {
				return strings.HasPrefix(at, "div ") || at == "button Go to the list"
			}
			for at := p.focused(); !isThere(at); tabs++ {
				require.Less(t, tabs, 4, "it is at %s", at)
				p.press("Tab")
				at = p.focused()
			}
			assert.LessOrEqual(t, tabs, 3)
			if p.focused() == "button Go to the list" {
				p.accessible()
				p.picture("to-list")
				p.press("Enter")
			}
			assert.Regexp(t, "^div (Items|Result)", p.focused())
			p.focus("textbox", c.field)
			p.press("ArrowDown")
			assert.Regexp(t, "^div (Items|Result)", p.focused())
		})
	}
}

// everyView returns the addresses of all views: those in the navigation, and the tabs of a table.
func (p *page) everyView(table string) (addresses []string) {
	p.t.Helper()
	p.eval(`location.hash = "#/tables/`+table+`"`, nil)
	p.eventually(func() bool { return p.count(".tabs a") > 0 }, "there are tabs")
	p.eval(`[...document.querySelectorAll(".side ul a, .tabs a")].map((a) => a.getAttribute("href"))`, &addresses)
	return addresses
}

// show goes to one of every view, and waits until its script and what it reads have come.
func (p *page) show(view string) {
	p.t.Helper()
	p.eval("location.hash = "+strconv.Quote(view), nil)
	p.eventually(func() bool {
		return p.count("[aria-current=page][href="+strconv.Quote(view)+"]") > 0 &&
			p.count("[aria-busy=true], .loading") == 0
	}, "%s is shown", view)
	p.settle()
}

// TestJapaneseInEveryView: every view speaks Japanese, and no English is left in it.
func TestJapaneseInEveryView(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/tables")
	p.see("54")
	p.choose("Language", "ja")
	p.see("テーブルを作成")
	views := p.everyView("shop")
	require.Greater(t, len(views), 4)
	for i, view := range views {
		t.Run(view, func(t *testing.T) {
			sample(t, i, 4)
			p.show(view)
			var english []string
			p.eval(`[...document.querySelector("main").innerText.matchAll(/[A-Za-z]{2,}(?: [A-Za-z]{2,})+/g)].map((m) => m[0]).filter((m) => !/^[A-Z ]+$/.test(m) && !/^(Ctrl|Customer|Amazon|AWS|PartiQL|DynamoDB)/.test(m))`, &english)
			assert.Empty(t, english, "English in %s", view)
			p.accessible()
			p.picture("japanese-" + strings.NewReplacer("#", "", "/", "-").Replace(view))
		})
	}
}

// TestHostileTableInEveryView: the name of a table and what is in it is shown, and never run.
func TestHostileTableInEveryView(t *testing.T) {
	t.Parallel()
	const script = `<img src=x onerror="window.hurt=1"><script>window.hurt=1</script>`
	s := serve(t)
	s.createTable(t, "a..b-_.c")
	s.putItem(t, "a..b-_.c",
		attributes{
			"pk": str(script), "sk": str("javascript:window.hurt=1"), script: str(script),
			"__proto__": str("polluted"), "constructor": str("x"),
		})
	p := open(t, s, "#/tables")
	p.see("a..b-_.c")
	for _, view := range p.everyView("a..b-_.c") {
		p.show(view)
		var hurt bool
		p.eval("window.hurt === 1 || ({}).polluted !== undefined", &hurt)
		assert.False(t, hurt, view)
	}
}

// TestDoubleClick: the second click edits a cell, though the first has opened a panel in its place.
func TestDoubleClick(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.compared(t)
	for _, text := range []string{"Person1", "CUSTOMER#1", "{loyal, newsletter}"} {
		t.Run(text, func(t *testing.T) {
			d := &person{page: open(t, s, "#/tables/shop/items"), server: s}
			d.see("30 items")
			d.clickText(text, 2)
			switch text {
			case "Person1":
				d.await("textbox", "Value of name")
			case "CUSTOMER#1":
				d.see("An item keeps its key.")
			default:
				d.click("button", "Add a member to tags")
				d.eventually(
					func() bool { return strings.HasSuffix(d.focused(), " Value of tags[2]") },
					"the new member has the focus")
			}
		})
	}
}
