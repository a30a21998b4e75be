package console

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// docs runs "kugiri docs" until the test ends.
func docs(t *testing.T) *server { return start(t, "docs", "--port", "0") }

// TestDocs: links are told by more than their color, and what scrolls has a stop of the Tab key.
func TestDocs(t *testing.T) {
	t.Parallel()
	s := docs(t)
	for i, path := range []string{
		"emulator/docs/console.html", "", "emulator/docs/differences.html",
	} {
		t.Run(path, func(t *testing.T) {
			sample(t, i, 3)
			p := openURL(t, s.url+path)
			p.await("link", "Kugiri")
			p.accessible()
			p.prefers("dark")
			p.accessible()
		})
	}
}

// TestSearchOfDocs: the search knows the stems of words and what they are short for, forgives
// typing errors, and begins with what says most of it.
func TestSearchOfDocs(t *testing.T) {
	t.Parallel()
	s := docs(t)
	p := openURL(t, s.url)
	p.await("searchbox", "Search")
	for _, c := range []struct{ typed, first string }{
		{"TTL", "ttl"},
		{"throtling", "throttl"},
		{"snapshotted", "snapshot"},
		{"transacton", "transact"},
	} {
		p.focus("searchbox", "Search")
		p.press("Control+a")
		p.typed(c.typed)
		p.eventually(func() bool {
			var right bool
			return p.tryEval(`(() => { const first = document.querySelector("#results li")?.textContent.toLowerCase() ?? "";
				return first.includes(`+quoted(c.first)+`) })()`, &right) == nil && right
		}, "the first result of %q has %q", c.typed, c.first)
		p.accessible()
	}
	p.picture("docs-search")
	p.press("Control+a")
	p.typed("xyzzyplugh")
	p.see("Nothing found.")
}

// TestDocsOnAPhone: the list of pages is a touch away from any place of a page.
func TestDocsOnAPhone(t *testing.T) {
	t.Parallel()
	s := docs(t)
	p := openURL(t, s.url)
	p.resize(390, 844)
	p.await("link", "Pages")
	assert.Empty(t, p.cut())
	p.picture("docs-390")
	p.click("link", "Pages")
	p.await("link", "Close")
	p.accessible()
	p.picture("docs-pages-390")
	p.click("link", "Go tests")
	p.await("heading", "Go tests")
	p.eventually(func() bool { return len(p.find("link", "Close")) == 0 }, "the list is gone")
	assert.Empty(t, p.cut())
}
