package console

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestWorkOnWhatWasFound: what a Query, a Scan with a filter or a statement of PartiQL found is
// opened, edited and deleted where it was found.
func TestWorkOnWhatWasFound(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	for i, c := range []struct {
		name, address string
		run           func(p *page, pk string)
	}{
		{"a query", "#/tables/shop/query?p0=CUSTOMER%23{}&s=ORDER%231",
			func(p *page, pk string) { p.click("button", "Run") }},
		{"a scan with a filter", "#/tables/shop/query?filter=" +
			`[{"path":"placed","op":"=","type":"S","value":"2026-01-02"},` +
			`{"path":"pk","op":"=","type":"S","value":"CUSTOMER%23{}"}]`,
			func(p *page, pk string) { p.click("button", "Run") }},
		{"some attributes of an index", "#/tables/shop/query?index=by-state&p0=paid&filter=" +
			`[{"path":"pk","op":"=","type":"S","value":"CUSTOMER%23{}"}]`,
			func(p *page, pk string) { p.click("button", "Run") }},
		{"PartiQL", "#/partiql", func(p *page, pk string) {
			p.statements(`SELECT pk, sk, placed FROM "shop"` +
				` WHERE pk = '` + pk + `' AND sk = 'ORDER#1'`)
			p.press("Control+Enter")
		}},
		{"a filter of the items", "#/tables/shop/items?p0=CUSTOMER%23{}", func(p *page, pk string) {
			p.click("button", "Filter")
			p.await("combobox", "Attribute of condition 1")
			p.write("Attribute of condition 1", "placed")
			p.fill("Value of condition 1", "2026-01-02")
			p.press("Enter")
			p.see("1 item")
			p.hasFocus("Value of condition 1")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			pk := fmt.Sprint("CUSTOMER#", i+1)
			p := open(t, s, strings.ReplaceAll(c.address, "{}", fmt.Sprint(i+1)))
			c.run(p, pk)
			p.see("1 item")
			p.see("2026-01-02")
			p.clickOn(`#row-0-0`)
			p.see("Kyoto") // all of the item
			p.accessible()
			p.picture("found-" + c.name)
			if c.address == "#/partiql" {
				var text string
				p.eval(editorText, &text)
				assert.Contains(t, text, pk, "the statement stays")
			}
			p.click("button", "Edit the item")
			p.fill("Value of placed", "edited")
			p.click("button", "Send now")
			p.see("1 change is applied")
			p.see("edited")
			assert.Equal(t, str("edited"), s.order(t, pk, "ORDER#1")["placed"])
			assert.NotEmpty(t, s.order(t, pk, "ORDER#1")["address"])
			p.click("checkbox", "Select "+pk+" · ORDER#1")
			p.click("button", "Delete")
			p.click("button", "Send 1 change")
			p.eventually(func() bool { return s.order(t, pk, "ORDER#1") == nil }, "it is deleted")
			p.eventually(func() bool { return p.count(".row") == 0 }, "it is shown no more")
		})
	}
}

// TestSortAndArrange: a list is sorted by a column of what is read, columns are dragged, a panel is
// made wider, a cell is copied, and a menu has what can be done. Moments are shown as dates.
func TestSortAndArrange(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "jobs")
	for i, n := range []string{"10", "9", "0.99999999999999999999", "1"} {
		s.putItem(t, "jobs", attributes{"pk": str("a"), "sk": str(fmt.Sprint(i)), "n": num(n),
			"expires": num("1767225600")})
	}
	p := open(t, s, "#/tables/jobs/items?p0=a")
	p.see("4 items")
	column := func() (rows []string) {
		p.eval(`[...document.querySelectorAll(".grid .row")]
			.sort((a, b) => a.ariaRowIndex - b.ariaRowIndex)
			.map((r) => r.querySelector("[id$='-1']").innerText)`, &rows)
		return rows
	}
	sorted := func(want ...string) {
		t.Helper()
		p.eventually(func() bool { return fmt.Sprint(column()) == fmt.Sprint(want) },
			"the rows are %v", want)
	}
	sorted("0", "1", "2", "3")
	p.clickOn(`[data-column="n"] .title`)
	sorted("2", "3", "1", "0")
	p.see("sorted by n")
	p.clickOn(`[data-column="n"] .title`)
	sorted("0", "1", "3", "2")
	p.accessible()
	p.clickOn(`[data-column="n"] .title`)
	sorted("0", "1", "2", "3")

	heads := func() (names []string) {
		p.eval(`[...document.querySelectorAll("[data-column]")].map((e) => e.dataset.column)`, &names)
		return names
	}
	p.drag(`[data-column="n"] .title`, `[data-column="pk"] .title`)
	p.eventually(func() bool { return heads()[0] == "n" }, "the column is the first")
	p.reload()
	p.see("4 items")
	p.eventually(func() bool { return len(heads()) == 4 && heads()[0] == "n" }, "it stays there")

	p.focus("grid", "Items")
	p.press("ArrowRight")
	p.press("ArrowRight")
	p.press("Control+c")
	p.see("Copied")
	p.press("Shift+F10")
	p.await("menu", "What can be done")
	p.accessible()
	p.picture("menu")
	p.press("Escape")
	p.eventually(func() bool { return len(p.find("menu", "What can be done")) == 0 }, "it is gone")
	p.press("Shift+F10")
	p.click("menuitem", "Open the item")
	p.see("Jan 1, 2026, 12:00:00")
	before := p.width(".panel")
	p.focus("separator", "Width of the panel")
	p.press("ArrowLeft")
	p.press("ArrowLeft")
	p.eventually(func() bool { return p.width(".panel") == before+32 }, "the panel is wider")
	p.accessible()
	p.picture("arranged")
}
