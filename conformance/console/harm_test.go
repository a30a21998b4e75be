package console

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestWritingElsewhere: the switch has one label, and its state says whether writing is on; writing
// to an endpoint of another machine is asked for once, with its name.
func TestWritingElsewhere(t *testing.T) {
	t.Parallel()
	of := start(t, "console", "--endpoint", "http://tables.invalid:8000", "--port", "0")
	p := open(t, of, of.fragment)
	isOn := func() (on bool) {
		p.eval(`document.querySelector("[role=switch]").checked`, &on)
		return on
	}
	p.await("switch", "Allow writing")
	p.see("Read only")
	assert.False(t, isOn())
	p.click("switch", "Allow writing")
	p.see("Allow writing to http://tables.invalid:8000?")
	assert.False(t, isOn(), "nothing is allowed yet")
	p.accessible()
	p.picture("writing-elsewhere")
	p.press("Escape")
	p.miss("Allow writing to http://tables.invalid:8000?")
	assert.False(t, isOn())
	p.see("Read only")
	p.click("switch", "Allow writing")
	p.click("button", "Allow writing")
	p.see("Writing is on")
	assert.True(t, isOn())
	p.click("switch", "Allow writing")
	p.see("Read only")
	p.click("switch", "Allow writing")
	p.see("Writing is on") // it is asked for once
	assert.Equal(t, 0, p.count("dialog"))
}

// TestWorkIsNotThrownAway: what somebody has typed goes once they say so.
func TestWorkIsNotThrownAway(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/tables/shop/items?p0=CUSTOMER%232&item="+customer2Order1)
	p.click("button", "Edit the item")
	p.await("textbox", "Value of placed")
	p.press("Escape") // nothing is changed
	p.eventually(func() bool { return p.count("dialog") == 0 }, "the editor is closed")
	p.click("button", "Edit the item")
	p.fill("Value of placed", "typed")
	p.press("Escape")
	p.see("Throw away what you have changed?")
	p.accessible()
	p.picture("throw-away")
	p.press("Escape")
	p.miss("Throw away what you have changed?")
	var kept string
	p.eval(`document.querySelector('dialog [aria-label="Value of placed"]').value`, &kept)
	assert.Equal(t, "typed", kept)
	p.press("Escape")
	p.click("button", "Go on editing")
	p.click("button", "Add to the changes")
	p.see("1 change")

	p.click("button", "1 change")
	p.click("button", "Discard all")
	p.see("Discard 1 change?")
	p.accessible()
	p.press("Escape")
	p.await("button", "Send 1 change")
	p.click("button", "Discard all")
	p.click("button", "Discard")
	p.see("There are no changes to send")
	p.click("button", "Close")

	p.focus("grid", "Items")
	p.press("End")
	p.press("Home")
	p.press("ArrowDown")
	p.press("ArrowDown") // ORDER#1 follows ORDER#0 and its line
	p.press("Enter")
	p.click("button", "Edit the item")
	p.fill("Value of placed", "typed")
	p.press("Escape")
	p.click("button", "Throw away")
	p.eventually(func() bool { return p.count("dialog") == 0 }, "the editor is closed")
	p.see("2026-01-02")

	p.eval(`void (location.hash = "#/tables/shop/info")`, nil)
	p.click("button", "Add an index")
	p.fill("Name of the index", "typed")
	p.press("Escape")
	p.see("Throw away what you have changed?")
	p.click("button", "Go on editing")
	p.await("textbox", "Name of the index")
}

// TestDuplicateWithTheSameKey: a duplicate has another key, and says so at the field of it.
func TestDuplicateWithTheSameKey(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/tables/shop/items?p0=CUSTOMER%232&item="+customer2Order1)
	for _, button := range []string{"Send now", "Add to the changes"} {
		p.click("button", "Duplicate the item")
		p.await("textbox", "Value of sk")
		p.click("button", button)
		p.see("This key is that of the item that you duplicate")
		p.accessible()
		var label string
		p.eval(`document.querySelector("dialog [aria-invalid]").getAttribute("aria-label")`, &label)
		assert.Equal(t, "Value of sk", label)
		p.click("button", "Cancel")
	}
	p.click("button", "Duplicate the item")
	p.fill("Value of sk", "ORDER#9")
	p.click("button", "Send now")
	p.see("1 change is applied")
	assert.NotEmpty(t, s.order(t, "CUSTOMER#2", "ORDER#9"))
}

// TestMoreThanTheListTakes: the page says what is wrong with many changes, and the key Delete is
// for all that is selected.
func TestMoreThanTheListTakes(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "many")
	s.putMany(t, "many", 1_100)
	p := open(t, s, "#/tables/many/items")
	p.focus("grid", "Items")
	p.eventually(func() bool {
		p.press("End")
		return p.count(".status") == 1 && !p.shows("of about") && p.shows("1,100 items")
	}, "all items are read")
	p.press("Control+a")
	p.see("1,100 items selected")
	p.press("Delete")
	p.see("1,100 items are selected, and the list of changes takes 1,000")
	p.miss("is full")
	p.click("button", "Select nothing")
	p.focus("grid", "Items")
	p.press("Home")
	for range 2 {
		p.press("Shift+ArrowDown")
	}
	p.see("3 items selected")
	p.press("Delete")
	p.click("button", "Send 3 changes")
	p.see("3 changes are applied")
	assert.Len(t, s.items(t, "many"), 1_097)
}

// TestUndoOfEverySending: each sending says which items it changed, and is undone by itself.
func TestUndoOfEverySending(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/tables/shop/items?p0=CUSTOMER%232&item="+customer2Order1)
	for i, order := range []string{"ORDER#1", "ORDER#2"} {
		item := strings.ReplaceAll(customer2Order1, "ORDER%231", fmt.Sprintf("ORDER%%23%d", i+1))
		p.eval(`void (location.hash = "#/tables/shop/items?p0=CUSTOMER%232&item=`+
			strings.ReplaceAll(item, `"`, `\"`)+`")`, nil)
		p.click("button", "Edit the item")
		p.fill("Value of placed", "sent of "+order)
		p.click("button", "Send now")
		p.see("1 change is applied")
		p.see("sent of " + order)
	}
	p.click("button", "Changes")
	p.see("CUSTOMER#2 · ORDER#1")
	p.see("CUSTOMER#2 · ORDER#2")
	assert.Len(t, p.find("button", "Undo"), 2)
	p.accessible()
	p.picture("sent")
	p.clickOn(".history li:nth-child(2) .button")
	p.see("1 item is as it was")
	assert.Equal(t, str("2026-01-02"), s.order(t, "CUSTOMER#2", "ORDER#1")["placed"])
	assert.Equal(t, str("sent of ORDER#2"), s.order(t, "CUSTOMER#2", "ORDER#2")["placed"])
	var latest string
	p.eval(`document.querySelector(".history li ul").innerText`, &latest)
	assert.Contains(t, latest, "ORDER#1", "what was undone can be done again")
	assert.Len(t, p.find("button", "Undo"), 2)
}
