package console

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// printable has every character of ASCII that a key types.
func printable() (characters []string) {
	for c := ' '; c <= '~'; c++ {
		characters = append(characters, string(c))
	}
	return characters
}

// shortcuts are the characters that are keys of the console where nobody types, and some others.
func shortcuts() []string { return strings.Split("/ ? 1 4 g t n [ ] ( ' { A ~", " ") }

// key presses a key that types a character, as a person does. press is for keys with names.
func (p *page) key(character string) {
	p.t.Helper()
	down := map[string]any{"type": "keyDown", "key": character, "text": character}
	p.call("Input.dispatchKeyEvent", down, nil)
	p.call("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": character}, nil)
}

// editorText is an expression for the text of the editor that is shown.
const editorText = `[...document.querySelector(".editor").shadowRoot.querySelectorAll(".cm-line")]
	.map((l) => l.textContent).join("\n")`

// TestTyping: fields and editors get all that is typed, also the characters that are shortcuts
// elsewhere, and what an input method composes. An editor may close a bracket by itself.
func TestTyping(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	typed := shortcuts()
	if isFull() {
		typed = printable()
	}
	for i, c := range []struct {
		name, address string
		begin         func(p *page) // focuses the field
		text          string        // expression for what it has
	}{
		{"PartiQL", "#/partiql", func(p *page) {
			p.await("textbox", "Statements")
			p.clickOn(".editor")
		}, editorText},
		{"a request", "#/tables/shop/query", func(p *page) {
			p.request()
			p.clickOn(".editor")
		}, editorText},
		{"a field", "#/tables/shop/query", func(p *page) { p.focus("textbox", "Partition key pk") },
			"document.activeElement.value"},
		{"the palette", "#/tables", func(p *page) { p.press("Control+k") },
			"document.activeElement.value"},
	} {
		t.Run(c.name, func(t *testing.T) {
			sample(t, i, 2)
			p := open(t, s, c.address)
			p.see("Kugiri")
			c.begin(p)
			holds := func(want string) func() bool {
				return func() bool {
					var text string
					return p.tryEval(c.text, &text) == nil && strings.Contains(text, want)
				}
			}
			for _, character := range typed {
				p.press("Control+a")
				p.typed("a")
				p.eventually(holds("a"), "the field is empty but for one letter")
				p.key(character)
				p.key("z")
				p.eventually(holds("a"+character+"z"), "%q is typed", character)
			}
			p.press("Control+a")
			p.call("Input.imeSetComposition",
				map[string]any{"text": "にほん?", "selectionStart": 4, "selectionEnd": 4}, nil)
			p.typed("日本/1g?")
			p.eventually(holds("日本/1g?"), "what an input method composed is there")
			assert.Empty(t, p.find("dialog", "Keys"), "no key was a shortcut")
		})
	}
}
