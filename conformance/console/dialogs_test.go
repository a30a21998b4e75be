package console

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestDialogsBeginAtTheirFirstField: a dialog that is opened by a key gives the focus to its first
// field. One without fields gives it to what changes nothing, and so does one that only destroys.
func TestDialogsBeginAtTheirFirstField(t *testing.T) {
	t.Parallel()
	s := serve(t, "--clock", "held")
	s.shop(t)
	s.createTable(t, "users")
	s.admin(t, "POST", "forks", `{"accessKey": "branch", "from": "test"}`)
	const items, settings = "#/tables/shop/items", "#/tables/shop/info"
	for i, c := range []struct{ name, address, button, then string }{
		{"a fault", "#/faults", "Add a fault", "select What happens"},
		{"a table", "#/tables", "Create table", "input Name"},
		{"a table to purge", "#/tables", "Purge users", "input Type users to confirm"},
		{"a table to delete", "#/tables", "Delete users", "input Type users to confirm"},
		{"whose tables", "#/tables", "test us-east-1", "input Access key"},
		{"a new item", items, "New item", "textarea Value of pk"},
		{"columns", items, "Columns", "input pk 54"},
		{"an export", items, "Export items", "button All"},
		{"an import", items, "Import items", "input File to import"},
		{"a fork", "#/forks", "Fork", "input Access key"},
		{"a fork to throw away", "#/forks?scope=branch", "Throw branch away",
			"input Type branch to confirm"},
		{"budgets", "#/traffic", "Budgets", "input Requests"},
		{"a check", settings, "Change Time to live", "input On"},
		{"a list", settings, "Change Stream", "select What records show"},
		{"a text", settings, "Back up", "input Name of the backup"},
		{"a deletion", settings, "Remove the index by-state", "button Cancel"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			sample(t, i, 4)
			p := open(t, s, c.address)
			p.focus("button", c.button)
			before := p.focused()
			p.press("Enter")
			p.eventually(func() bool { return p.count("dialog") == 1 }, "the dialog is there")
			p.eventually(func() bool { return p.focused() == c.then },
				"%s has the focus, and not %s", c.then, p.focused())
			gone := func() {
				p.eventually(func() bool { return p.count("dialog") == 0 }, "the dialog is gone")
				p.eventually(func() bool { return p.focused() == before },
					"the focus is where it was, and not at %s", p.focused())
			}
			p.press("Escape")
			gone()
			p.press("Enter")
			p.click("button", "Close")
			gone()
		})
	}
}

// TestEditorsOfDialogsHaveTheFocus: a dialog whose first field is an editor takes what is typed.
func TestEditorsOfDialogsHaveTheFocus(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	for _, c := range []struct{ name, address, button string }{
		{"tags", "#/tables/shop/info", "Change Tags"},
		{"a policy", "#/tables/shop/info", "Change Resource policy"},
		{"a table", "#/tables?create=json", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := open(t, s, c.address)
			if c.button != "" {
				p.focus("button", c.button)
				p.press("Enter")
			}
			p.eventually(func() bool { return p.count("dialog .editor") == 1 },
				"there is an editor")
			p.key("7")
			p.key("1")
			p.eventually(func() bool {
				var text string
				return p.tryEval(editorText, &text) == nil && len(text) > 2 && text[:2] == "71"
			}, "what is typed is in the editor")
		})
	}
}

// TestKeysList: the list of keys, which has no field, begins at the button that closes it.
func TestKeysList(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t), "#/tables")
	p.see("There are no tables")
	p.press("?")
	p.see("Show this list")
	assert.Equal(t, "button Close", p.focused())
}
