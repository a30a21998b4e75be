package console

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// withoutEditor loads the page again, and holds the script of the editors until arrives is called.
func (p *page) withoutEditor() (arrives func()) {
	p.t.Helper()
	p.call("Network.setCacheDisabled", map[string]any{"cacheDisabled": true}, nil)
	held := map[string]any{"patterns": []any{map[string]any{"urlPattern": "*codemirror*"}}}
	p.call("Fetch.enable", held, nil)
	p.reload()
	return func() {
		p.t.Helper()
		p.call("Fetch.disable", nil, nil)
		p.eventually(func() bool {
			var here bool
			const loaded = `performance.getEntriesByType("resource").some((r) => r.name.includes("codemirror"))`
			return p.tryEval(loaded, &here) == nil && here
		}, "the script of the editors is here")
	}
}

// TestEditorBeforeItsScript: what is typed into an editor before its script has come is in the
// editor then, with the selection and the focus.
func TestEditorBeforeItsScript(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	keys := func(p *page, characters string) {
		for _, c := range characters {
			p.key(string(c))
		}
	}
	holds := func(p *page, want string) {
		t.Helper()
		p.eventually(func() bool {
			var text string
			return p.tryEval(editorText, &text) == nil && text == want
		}, "the editor has %q", want)
	}
	t.Run("by keys", func(t *testing.T) {
		p := open(t, s, "#/partiql")
		arrives := p.withoutEditor()
		p.await("textbox", "Statements")
		keys(p, `SELECT * FROM "big"`)
		p.press("ArrowLeft")
		for range 3 {
			p.press("Shift+ArrowLeft")
		}
		arrives()
		holds(p, `SELECT * FROM "big"`)
		keys(p, "shop")
		holds(p, `SELECT * FROM "shop"`)
		p.press("Control+Enter")
		p.see("54 items")
		assert.Zero(t, p.count("textarea"), "the field is gone")
	})
	t.Run("by the mouse, and run at once", func(t *testing.T) {
		p := open(t, s, "#/partiql")
		arrives := p.withoutEditor()
		p.await("textbox", "Statements")
		p.clickOn(".editor")
		keys(p, `SELECT * FROM "shop"`)
		p.press("Control+Enter")
		p.see("54 items")
		arrives()
		holds(p, `SELECT * FROM "shop"`)
	})
	t.Run("by an input method", func(t *testing.T) {
		p := open(t, s, "#/partiql")
		arrives := p.withoutEditor()
		p.await("textbox", "Statements")
		keys(p, "-- ")
		p.call("Input.imeSetComposition",
			map[string]any{"text": "にほん", "selectionStart": 3, "selectionEnd": 3}, nil)
		arrives()
		p.typed("日本")
		holds(p, "-- 日本")
		keys(p, "!")
		holds(p, "-- 日本!")
	})
	t.Run("in a dialog", func(t *testing.T) {
		p := open(t, s, "#/tables/shop/info")
		arrives := p.withoutEditor()
		p.click("button", "Change Tags")
		p.await("textbox", "Tags as JSON: keys with their values")
		p.press("Control+a")
		keys(p, `{"a": "b"}`)
		p.see(`"Key": "a"`)
		arrives()
		holds(p, `{"a": "b"}`)
		p.press("Control+Enter")
		p.see("a=b")
	})
	t.Run("somebody who has gone on keeps the focus", func(t *testing.T) {
		p := open(t, s, "#/partiql")
		arrives := p.withoutEditor()
		p.await("textbox", "Statements")
		p.focus("link", "Tables")
		arrives()
		p.eventually(func() bool { return p.count("textarea") == 0 }, "the editor is there")
		assert.Equal(t, "a Tables", p.focused())
	})
}
