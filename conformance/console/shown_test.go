package console

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestUnseenCharacters: what would not be seen, or turn what follows around, has signs, in keys, in
// names and where it is edited.
func TestUnseenCharacters(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "odd")
	s.putItem(t, "odd", attributes{"pk": str("user\u202etxt.exe"), "sk": str("a\x00b\u200bc"),
		"na\u2066me": str("line\nnext\x1b[0m")})
	p := open(t, s, "#/tables/odd/items")
	p.see("user‹U+202E›txt.exe")
	p.see("a␀b‹U+200B›c")
	p.see("na‹U+2066›me")
	p.accessible()
	p.focus("grid", "Items")
	p.press("Enter")
	p.await("heading", "user‹U+202E›txt.exe · a␀b‹U+200B›c")
	p.see("next␛[0m")
	p.click("button", "Edit the item")
	p.await("paragraph", "With signs for what is not seen: pk")
	p.accessible()
	p.picture("unseen")
}

// TestNumbersWithManyZeros: the exponent form stands beside digits that nobody counts.
func TestNumbersWithManyZeros(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "numbers")
	s.putItem(t, "numbers", attributes{"pk": str("a"), "sk": str("b"), "large": num("9.99E+125"),
		"small": num("-1.5E-20"), "usual": num("1000000")})
	p := open(t, s, "#/tables/numbers/items")
	p.await("gridcell", "9.99E+125")
	p.await("gridcell", "-1.5E-20")
	p.await("gridcell", "1000000")
	p.focus("grid", "Items")
	p.press("Enter")
	p.see("999" + strings.Repeat("0", 123))
	p.see("-0." + strings.Repeat("0", 19) + "15")
	p.accessible()
	p.picture("numbers")
}

// TestEstimateOfAPage: an estimate says that it is of the first page only.
func TestEstimateOfAPage(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "big")
	for i := range 4 {
		s.putItem(t, "big", attributes{"pk": str("a"), "sk": str(string(rune('a' + i))),
			"text": str(strings.Repeat("x", 390_000))})
	}
	p := open(t, s, "#/tables/big/query")
	p.see("about 4 items")
	p.see("the first page reads 3, returns 3")
	p.see("there are more pages")
	p.click("button", "Explanation")
	p.await("columnheader", "Planned, first page")
	p.accessible()
	p.fill("Partition key pk", "b")
	p.see("reads 0, returns 0")
	p.miss("first page")
}

// TestTimeZone: times are in UTC wherever the browser is, and say so.
func TestTimeZone(t *testing.T) {
	t.Parallel()
	s := serve(t, "--clock", "2026-03-04T23:30:00Z")
	s.createTable(t, "orders")
	p := open(t, s, "#/tables/orders/info")
	p.call("Emulation.setTimezoneOverride", map[string]any{"timezoneId": "Asia/Tokyo"}, nil)
	p.reload()
	p.see("Mar 4, 2026, 11:30:00 PM UTC")
	p.see("2026-03-04 23:30:00 UTC")
}

// TestEditsOfAnotherTab: edits that another tab has made are marked.
func TestEditsOfAnotherTab(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "shop")
	p := open(t, s, "#/tables/shop/items")
	add := func(on *page, pk string) {
		on.click("button", "New item")
		on.fill("Value of pk", pk)
		on.fill("Value of sk", "1")
		on.press("Control+Enter")
		on.miss("Add an attribute")
	}
	add(p, "mine")
	other := p.another(s.url + "/_kugiri/console/#/tables/shop/items")
	other.see("1 change")
	add(other, "theirs")
	p.click("button", "2 changes")
	theirs := func(on *page, key string) (yes bool) {
		on.eval(`[...document.querySelectorAll(".edit")].find((e) => e.ariaLabel === `+quoted(key)+
			`).innerText.includes("Other tab")`, &yes)
		return yes
	}
	p.see("theirs · 1")
	assert.False(t, theirs(p, "mine · 1"))
	assert.True(t, theirs(p, "theirs · 1"))
	p.accessible()
	p.picture("other-tab")
	p.reload()
	p.see("theirs · 1")
	assert.False(t, theirs(p, "mine · 1"), "a tab is the same after a reload")
}

// TestEditsAreNotWrittenBack: a tab that hears late of an edit, which another tab has sent since,
// does not keep it again.
func TestEditsAreNotWrittenBack(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "shop")
	p := open(t, s, "#/tables/shop/items")
	p.click("button", "New item")
	p.fill("Value of pk", "a")
	p.fill("Value of sk", "1")
	p.press("Control+Enter")
	p.see("1 change")
	p.eval(`(() => {
		window.place = Object.keys(localStorage).find((key) => key.startsWith("kugiri.edits."));
		window.edits = localStorage.getItem(place);
	})()`, nil)
	p.click("button", "1 change")
	p.click("button", "Send 1 change")
	p.see("There are no changes to send")
	p.eval(`(() => { // what this tab reads may be late as well
		const set = Storage.prototype.setItem;
		set.call(localStorage, place, edits);
		window.writes = 0;
		Storage.prototype.setItem = function (...of) { writes++; return set.apply(this, of) };
		dispatchEvent(new StorageEvent("storage", {key: place, newValue: edits}));
	})()`, nil)
	p.await("button", "Send 1 change")
	var writes int
	p.eval("writes", &writes)
	assert.Zero(t, writes)
}

// TestRefusalOfAPolicy: a refusal is shown as the rules are: the rule, what is wrong, what to do.
func TestRefusalOfAPolicy(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "policy.yaml")
	require.NoError(t, os.WriteFile(file, []byte(`tables:
  - name: orders
    role: data
    entities: [{name: order, prefix: ORDER, sort: "{order:ulid}"}]
`), 0o600))
	s := serve(t, "--shared", "--policy", file)
	s.createTable(t, "orders")
	p := open(t, s, "#/tables/orders/items")
	p.click("button", "New item")
	p.fill("Value of pk", "ORDER#common")
	p.fill("Value of sk", "pending")
	p.press("Control+Enter")
	p.click("button", "1 change")
	p.click("button", "Send 1 change")
	p.see("What to do:")
	p.see("refused")
	p.accessible()
	p.picture("refusal")
	p.clickOn(".refusal a")
	p.await("button", "Rules")
}
