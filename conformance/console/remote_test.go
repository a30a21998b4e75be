package console

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestRemoteEndpoint: the console of another endpoint says on every page which one it is, and what
// it has consumed there, reads only until somebody wants more, and asks before it reads a lot.
func TestRemoteEndpoint(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "big")
	for i := range 14 {
		s.putItem(t, "big", attributes{"pk": str("a"), "sk": str(fmt.Sprintf("%02d", i)),
			"text": str(strings.Repeat("x", 390_000))})
	}
	of := start(t, "console", "--endpoint", s.url, "--port", "0")
	p := open(t, of, of.fragment)
	p.see(s.url)
	p.see("account 000000000000")
	p.see("region us-east-1")
	p.see("0 RCU and 0 WCU consumed by this page")
	p.accessible()
	p.picture("remote")
	p.click("link", "big")
	p.see("RCU and 0 WCU consumed by this page")
	p.eventually(func() bool {
		var text string
		return p.tryEval(`document.querySelector(".spent").textContent`, &text) == nil &&
			!strings.HasPrefix(text, "0 RCU")
	}, "what was read is counted")
	p.await("button", "Read on, up to 500 RCU more")
	p.see("of about 14 items")
	p.accessible()
	p.click("button", "Read on, up to 500 RCU more")
	p.miss("of about 14 items")
	assert.False(t, p.tryClick(p.await("button", "New item")))
	p.click("button", "Export items")
	p.click("button", "Export")
	p.see("This reads about 667 RCU of the endpoint.")
	p.accessible()
	p.await("button", "Export nonetheless")
	p.press("Escape")
	p.click("switch", "Allow writing")
	p.see("Writing is on")
	p.accessible()
	p.prefers("dark")
	p.accessible()
	p.picture("remote-writes-dark")
}
