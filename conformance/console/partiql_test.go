package console

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
)

// statements replaces the text of the editor of PartiQL.
func (p *page) statements(text string) {
	p.t.Helper()
	p.focus("textbox", "Statements")
	p.press("Control+a")
	// typing over colored text has Chromium keep its color, which the policy forbids
	p.press("Backspace")
	p.typed(text)
}

// TestPartiQL: a statement is explained before and after, and its pages are read on demand.
func TestPartiQL(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/partiql")
	p.statements(`SELECT * FROM "shop" WHERE pk = ? AND total > ?`)
	p.fill("Parameter 1", "CUSTOMER#1")
	p.choose("Type: Parameter 2", "N")
	p.see("A number is missing.")
	p.fill("Parameter 2", "5")
	p.see("reads 9, returns 4, 0.5 RCU")
	p.accessible()
	p.press("Control+Enter")
	p.see("4 items")
	p.see("0.5 units")
	p.accessible()
	p.picture("partiql")
	p.prefers("dark")
	p.accessible()
	p.picture("partiql-dark")
	p.prefers("light")
	p.click("button", "Explanation")
	p.see("Query of shop by pk = ?")
	p.see("shop: the filter drops 56 % of the items read")
	p.accessible()
	p.picture("partiql-explanation")

	p.statements(`SELECT * FROM "shop"; SELECT nothing FROM`)
	p.see("ValidationException: ")
	p.see("shop: no partition key is given: all items are read")
}

// TestPartiQLStatements: several statements run one by one, up to the first that fails.
func TestPartiQLStatements(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/partiql")
	p.statements(`INSERT INTO "shop" VALUE {'pk': 'a', 'sk': ';?''', 'n': 1}; -- the first; of three
SELECT * FROM "shop" WHERE pk = 'a';
UPDATE "shop" SET n = n + 1 WHERE pk = 'a' AND sk = 'none';
SELECT * FROM "shop"`)
	p.press("Control+Enter")
	p.see("ConditionalCheckFailedException: The conditional request failed")
	p.see("Not run")
	p.clickOn(".outcomes li:nth-child(2) button")
	p.await("gridcell", ";?'")
	p.accessible()
	p.picture("partiql-statements")
}

// TestPartiQLTogether: statements are sent as a batch, whose parts fail by themselves, or as a
// transaction, which says why it failed.
func TestPartiQLTogether(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "shop")
	p := open(t, s, "#/partiql")
	p.statements(
		`INSERT INTO "shop" VALUE {'pk': 'a', 'sk': '1'}; INSERT INTO "shop" VALUE {'pk': 'b', 'sk': ?}`)
	p.fill("Parameter 1", "1")
	p.click("button", "Batch")
	p.see("writes 2 items, 2 WCU")
	p.press("Control+Enter")
	p.eventually(func() bool { return p.count(".outcomes .state.done") == 2 }, "both are done")
	p.press("Control+Enter")
	p.see("DuplicateItem: ")
	p.statements(
		`INSERT INTO "shop" VALUE {'pk': 'c', 'sk': '1'}; INSERT INTO "shop" VALUE {'pk': 'b', 'sk': ?}`)
	p.click("button", "Transaction")
	p.see("TransactionCanceledException")
	p.press("Control+Enter")
	p.see("DuplicateItem: Duplicate primary key exists in table")
	p.see("Canceled with the others")
	p.eventually(func() bool { return p.count(".outcomes .state.failed") == 2 }, "both have failed")
	p.accessible()
	p.picture("partiql-transaction")
	var hash string
	p.eval("location.hash", &hash)
	q := open(t, s, hash)
	q.see("Nothing has been run yet") // a link runs no statements
	var pressed int
	q.eval(`[...document.querySelectorAll("[aria-pressed=true]")].filter((b) => b.textContent === "Transaction").length`, &pressed)
	assert.Equal(t, 1, pressed)
	q.await("textbox", "Parameter 1")
}

// TestCompletion: tables, indexes and attributes are proposed as they are written.
func TestCompletion(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/partiql")
	p.eventually(func() bool {
		var here bool
		const look = `document.querySelector(".editor").shadowRoot.querySelector(".cm-content") !== null`
		return p.tryEval(look, &here) == nil && here
	}, "the editor is there, which proposes")
	p.focus("textbox", "Statements")
	p.keys(`SELECT * FROM sho`)
	p.proposed("shop")
	p.press("Enter")
	p.keys(".")
	p.keys(`"by`)
	p.proposed("by-state")
	p.press("Enter")
	p.keys(` WHERE "sta`)
	p.proposed("state")
	p.press("Enter")
	p.keys(` = 'open'`)
	p.see("reads 12, returns 12")
	p.press("Control+Enter")
	p.see("12 items")
	var text string
	p.eval(`document.querySelector(".editor").shadowRoot.querySelector(".cm-content").textContent`,
		&text)
	assert.Equal(t, `SELECT * FROM "shop"."by-state" WHERE "state" = 'open'`, text)
}

// keys presses a key for each character of a text.
func (p *page) keys(text string) {
	p.t.Helper()
	for _, c := range text {
		p.call("Input.dispatchKeyEvent", map[string]any{"type": "char", "text": string(c)}, nil)
	}
}

// proposed waits until the editor has selected a proposal.
func (p *page) proposed(text string) {
	p.t.Helper()
	p.eventually(func() bool {
		var selected string
		const look = `document.querySelector(".editor").shadowRoot.querySelector(".cm-tooltip-autocomplete [aria-selected] .cm-completionLabel")?.textContent ?? ""`
		return p.tryEval(look, &selected) == nil && selected == text
	}, "the editor proposes %q", text)
	var since bool
	// the editor takes no Enter in the first 75 ms
	p.eval("new Promise((done) => setTimeout(() => done(true), 100))", &since)
}

// TestPartiQLReadsOnly: on another endpoint, statements that write are not run before the switch is
// turned.
func TestPartiQLReadsOnly(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	c := start(t, "console", "--endpoint", s.url, "--port", "0")
	p := open(t, c, c.fragment)
	p.see("shop")
	p.eval(`location.hash = "#/partiql?q=" + encodeURIComponent("DELETE FROM \"shop\" WHERE pk = 'CUSTOMER#1' AND sk = 'PROFILE'")`, nil)
	p.see("Writing is off: turn the switch on to run this.")
	p.press("Control+Enter")
	p.click("switch", "Allow writing")
	p.see("writes 1 item, 1 WCU")
	p.press("Control+Enter")
	p.see("Done")
	p.accessible()
}

// TestQueryOfAnotherService: without plans the page shows what was read, and what would cost less.
func TestQueryOfAnotherService(t *testing.T) {
	t.Parallel()
	s := start(t, "serve", "--port", "0")
	s.shop(t)
	of := start(t, "console", "--endpoint", s.url, "--port", "0")
	p := open(t, of, of.fragment)
	p.see("shop")
	p.eval(`location.hash = "#/tables/shop/query?filter=" + encodeURIComponent('[{"path":"state","op":"=","type":"S","value":"open"}]')`, nil)
	p.click("button", "Explanation")
	p.see("Only Kugiri can say what a request costs before it is sent.")
	p.see("The index by-state has the key that the filter looks for.")
	p.press("Control+Enter")
	p.see("The filter drops 78 % of the items read.")
	p.accessible()
	p.picture("query-elsewhere")
}

// TestCodeOfStatements: the code of a batch and of a transaction in each language, run by its
// tools.
func TestCodeOfStatements(t *testing.T) {
	onlyInFull(t)
	t.Parallel()
	s := serve(t)
	hostileItems(t, s)
	s.putItem(t, "all", attributes{"pk": str(hostileText), "sk": str("1"), "number": num(digits38)})
	text := `SELECT * FROM "all" WHERE pk = ? AND sk = '1'; SELECT * FROM "all" WHERE pk = ? AND sk = '1'`
	parameters := asJSON(
		[]map[string]string{{"type": "S", "value": hostileText}, {"type": "S", "value": "none"}})
	for _, mode := range []string{"each", "batch", "transaction"} {
		p := open(t, s,
			"#/partiql?"+url.Values{
				"q": {text}, "parameters": {parameters}, "mode": {mode},
			}.Encode())
		p.see("reads 1, returns 1")
		p.click("button", "Code")
		for _, one := range programs {
			t.Run(mode+" "+one.language, func(t *testing.T) {
				one.begin(t)
				out := one.output(t, p)
				assert.Contains(t, out, digits38)
			})
		}
	}
}
