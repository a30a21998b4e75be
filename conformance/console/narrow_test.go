package console

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
)

// resize gives the page another size.
func (p *page) resize(width, height int) {
	p.t.Helper()
	p.call("Emulation.setDeviceMetricsOverride",
		map[string]any{
			"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false,
		}, nil)
	p.settle()
}

// cut returns the titles, buttons, links and fields with a part that can neither be seen nor
// reached by scrolling. Lists that scroll by themselves, and texts that end with an ellipsis and
// have a title, are left out.
func (p *page) cut() (names []string) {
	p.t.Helper()
	p.settle()
	p.eval(`(() => {
		const scrolls = (e) => { const s = getComputedStyle(e); return /auto|scroll/.test(s.overflowX + s.overflowY) && (e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight) };
		const within = (e) => { for (let p = e.parentElement; p; p = p.parentElement) if (scrolls(p) && p !== document.documentElement && p !== document.body) return true; return false };
		const list = [];
		for (const e of document.querySelectorAll("h1, h2, h3, button, a[href], input, select, textarea, label")) {
			const box = e.getBoundingClientRect();
			if (!e.checkVisibility({visibilityProperty: true}) || box.width < 2 || box.height < 2 || within(e)) continue;
			const hidden = e.closest(".unseen, .drop") || getComputedStyle(e).clipPath !== "none";
			if (hidden) continue;
			const name = (e.ariaLabel || e.textContent || e.placeholder || e.id).trim().slice(0, 40);
			const outside = box.left < -1 || box.right > innerWidth + 1;
			const inner = !/INPUT|SELECT|TEXTAREA/.test(e.tagName) && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== "visible" && !e.title;
			if (outside || inner) list.push(e.tagName.toLowerCase() + " " + JSON.stringify(name) + " " + Math.round(box.left) + " to " + Math.round(box.right));
		}
		if (document.documentElement.scrollWidth > innerWidth) list.push("the page scrolls sideways: " + document.documentElement.scrollWidth);
		return list;
	})()`, &names)
	return names
}

// inJapanese loads the page again in Japanese.
func (p *page) inJapanese() {
	p.t.Helper()
	p.eval(`void localStorage.setItem("kugiri.language", '"ja"')`, nil)
	p.reload()
	p.eventually(func() bool {
		return p.count("html[lang=ja] main :is(h1, .tabs)") > 0 && p.count(".loading") == 0
	}, "the page is in Japanese")
}

// TestNarrowPages: on a phone, on a tablet and on a screen nothing is cut, in any view.
func TestNarrowPages(t *testing.T) {
	t.Parallel()
	s := serve(t, "--clock", "held")
	s.shop(t)
	s.admin(t, "POST", "faults", `{"do": {"latency": "1ms"}, "when": {"table": "none"}}`)
	s.admin(t, "POST", "forks", `{"accessKey": "a-fork-with-a-long-name", "from": "test"}`)
	tested := map[string]bool{"design": true, "vectors": true} // they have tests of their own
	const item = `&item=%7B"pk":%7B"S":"CUSTOMER%232"%7D,"sk":%7B"S":"ORDER%231"%7D%7D`
	s.vectors(t)
	for i, view := range []struct{ name, address, shows string }{
		{"tables", "#/tables", "shop"},
		{"create", "#/tables?create=form", "Create a table"},
		{"items", "#/tables/shop/items", "CUSTOMER#1"},
		{"item", "#/tables/shop/items?p0=CUSTOMER%232" + item, "Follow"},
		{"query", "#/tables/shop/query?run=1&filter=" +
			`[{"path":"state","op":"=","type":"S","value":"open"}]`, "evaluated"},
		{"stream", "#/tables/shop/stream", "The table has no stream"},
		{"settings", "#/tables/shop/info", "by-state"},
		{"partiql", "#/partiql", "Nothing has been run yet"},
		{"traffic", "#/traffic", "No requests yet"},
		{"transaction", "#/transaction", "A transaction has no actions yet"},
		{"request", "#/request", "UpdateExpression"},
		{"forks", "#/forks", "Clock"},
		{"fork", "#/forks?scope=a-fork-with-a-long-name&as=a-fork-with-a-long-name@us-east-1",
			"Snapshots"},
		{"faults", "#/faults", "Latency"},
		{"explorations", "#/explorations", "No explorations so far"},
		{"cache", "#/cache", "No accelerator"},
		{"design", "#/design", "a month on demand"},
		{"vectors", "#/tables/products/vectors", "Paste a vector"},
	} {
		t.Run(view.name, func(t *testing.T) {
			t.Parallel()
			sample(t, i, 4)
			p := open(t, s, view.address)
			p.see(view.shows)
			for _, size := range [][2]int{{1440, 900}, {768, 1024}, {390, 844}} {
				p.resize(size[0], size[1])
				assert.Empty(t, p.cut(), "what is cut at %d pixels", size[0])
				if !tested[view.name] {
					p.accessible()
				}
				for _, scheme := range []string{"dark", "light"} {
					p.prefers(scheme)
					p.picture(fmt.Sprintf("%s-%d-%s", view.name, size[0], scheme))
				}
			}
			if os.Getenv("KUGIRI_PICTURES") != "" {
				p.inJapanese()
				for _, size := range [][2]int{{1440, 900}, {390, 844}} {
					p.resize(size[0], size[1])
					p.eventually(func() bool { return p.count(".loading") == 0 }, "all is loaded")
					assert.Empty(t, p.cut(), "what is cut in Japanese at %d pixels", size[0])
					p.picture(fmt.Sprintf("%s-%d-japanese", view.name, size[0]))
				}
			}
		})
	}
	t.Run("settings of the page", func(t *testing.T) {
		p := open(t, s, "#/tables")
		p.resize(390, 844)
		p.click("button", "Settings of the page")
		p.click("button", "Dark")
		p.eventually(func() bool { return p.count(`html[data-theme="dark"]`) == 1 }, "it is dark")
		p.accessible()
		p.picture("page-settings-390")
	})
}
