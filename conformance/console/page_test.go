package console

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// page is a tab of the browser.
type page struct {
	t       *testing.T
	browser *chromium
	context string // the profile
	session string
	target  string
	number  int // the number of another tab of a page
	tabs    int // how many others there are

	mu     sync.Mutex
	errors []string // what the page has reported
}

// open opens the console of a server at an address such as "#/tables".
func open(t *testing.T, s *server, address string) *page {
	t.Helper()
	return openURL(t, s.url+"/_kugiri/console/"+address)
}

// openURL opens a page in a profile of its own. The page ends with the test.
func openURL(t *testing.T, url string) *page {
	t.Helper()
	p := &page{t: t, browser: browser(t)}
	var context struct{ BrowserContextID string }
	p.browserCall("Target.createBrowserContext", nil, &context)
	p.context = context.BrowserContextID
	p.begin(url)
	return p
}

// another opens a page in another tab of the same profile.
func (p *page) another(url string) *page {
	p.t.Helper()
	p.tabs++
	other := &page{t: p.t, browser: p.browser, context: p.context, number: p.tabs}
	other.begin(url)
	return other
}

// begin opens the tab of a page, which ends with the test.
func (p *page) begin(url string) {
	p.t.Helper()
	var target struct{ TargetID string }
	p.browserCall("Target.createTarget",
		map[string]any{
			"url": "about:blank", "browserContextId": p.context, "newWindow": true, "width": 1280,
			"height": 800,
		}, &target)
	var attached struct{ SessionID string }
	p.browserCall("Target.attachToTarget",
		map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	p.session, p.target = attached.SessionID, target.TargetID
	origin := strings.Join(strings.SplitN(url, "/", 4)[:3], "/")
	p.browser.mu.Lock()
	p.browser.events[p.session] = func(m message) { p.note(m, origin) }
	p.browser.mu.Unlock()
	p.t.Cleanup(p.end)
	for _, domain := range []string{"Page", "Runtime", "Log", "Network", "DOM", "Accessibility"} {
		p.call(domain+".enable", nil, nil)
	}
	p.call("Emulation.setDeviceMetricsOverride",
		map[string]any{"width": 1280, "height": 800, "deviceScaleFactor": 1, "mobile": false}, nil)
	// Pages of tests that run at the same time all have the focus.
	p.call("Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}, nil)
	p.slowDown()
	p.call("Page.navigate", map[string]any{"url": url}, nil)
}

// slowDown makes the page slow if the environment says so: each request waits for CONSOLE_LATENCY
// milliseconds, and the page's processor is CONSOLE_CPU times slower. What depends on the order of
// answers and clicks shows there.
func (p *page) slowDown() {
	if text := os.Getenv("CONSOLE_LATENCY"); text != "" {
		latency, err := strconv.Atoi(text)
		require.NoError(p.t, err, "CONSOLE_LATENCY")
		p.latency(latency)
	}
	if factor := slower(); factor > 1 {
		p.call("Emulation.setCPUThrottlingRate", map[string]any{"rate": factor}, nil)
	}
}

// latency has each request of the page wait for so many milliseconds.
func (p *page) latency(milliseconds int) {
	p.t.Helper()
	p.call("Network.emulateNetworkConditions", map[string]any{"offline": false,
		"latency": milliseconds, "downloadThroughput": -1, "uploadThroughput": -1}, nil)
}

// reload loads the page again, and waits until the new document is there: Chromium answers before
// that, and what a test then sees and presses would still be of the old one.
func (p *page) reload() {
	p.t.Helper()
	p.loadsAgain(func() { p.call("Page.reload", nil, nil) })
}

// loadsAgain does what loads the page again, and waits until the new document is there.
func (p *page) loadsAgain(act func()) {
	p.t.Helper()
	p.eval("void (window.old = true)", nil)
	act()
	p.eventually(func() bool {
		var loaded bool
		err := p.tryEval(`!window.old && document.readyState === "complete"`, &loaded)
		return err == nil && loaded
	}, "the page is loaded again")
}

// end closes the page. It must have reported no error.
func (p *page) end() {
	p.mu.Lock()
	assert.Empty(p.t, p.errors, "what the page reported")
	p.mu.Unlock()
	if p.t.Failed() {
		name := strings.ReplaceAll(p.t.Name(), "/", "_")
		if p.number > 0 {
			name += fmt.Sprint("-", p.number)
		}
		file := filepath.Join(os.TempDir(), name+".png")
		if png := p.png(); png == nil {
			p.t.Log("there is no picture of the page: the browser gave none")
		} else if err := os.WriteFile(file, png, 0o644); err == nil {
			p.t.Log("a picture of the page is at", file)
		}
	}
	// it may have ended
	if p.number > 0 {
		p.browser.call("", "Target.closeTarget", map[string]any{"targetId": p.target}, nil)
		return
	}
	p.browser.call("", "Target.disposeBrowserContext",
		map[string]any{"browserContextId": p.context}, nil)
}

// note notes errors of the page, and requests to other servers.
func (p *page) note(m message, origin string) {
	var event struct {
		ExceptionDetails struct {
			Text      string
			Exception struct{ Description string }
		}
		Entry   struct{ Level, Source, Text, URL string }
		Request struct{ URL string }
	}
	if json.Unmarshal(m.Params, &event) != nil {
		return
	}
	problem := ""
	switch m.Method {
	case "Runtime.exceptionThrown":
		problem = event.ExceptionDetails.Text + " " + event.ExceptionDetails.Exception.Description
	case "Log.entryAdded":
		// answers with errors are shown
		if event.Entry.Level == "error" && event.Entry.Source != "network" {
			problem = event.Entry.Text + " " + event.Entry.URL
		}
	case "Network.requestWillBeSent":
		if u := event.Request.URL; !strings.HasPrefix(u, origin+"/") &&
			!strings.HasPrefix(u, "data:") && !strings.HasPrefix(u, "blob:"+origin) {
			problem = "a request to another server: " + u
		}
	}
	if problem != "" {
		p.mu.Lock()
		p.errors = append(p.errors, problem)
		p.mu.Unlock()
	}
}

func (p *page) browserCall(method string, params, result any) {
	p.t.Helper()
	require.NoError(p.t, p.browser.call("", method, params, result))
}

func (p *page) call(method string, params, result any) {
	p.t.Helper()
	require.NoError(p.t, p.browser.call(p.session, method, params, result))
}

// eval returns the value of an expression in the page, after its promise if it is one.
func (p *page) eval(expression string, into any) {
	p.t.Helper()
	require.NoError(p.t, p.tryEval(expression, into))
}

func (p *page) tryEval(expression string, into any) error {
	var out struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	params := map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true}
	if err := p.browser.call(p.session, "Runtime.evaluate", params, &out); err != nil {
		return err
	}
	if e := out.ExceptionDetails; e != nil {
		return fmt.Errorf("%s: %s", e.Text, e.Exception.Description)
	}
	if into == nil || out.Result.Value == nil {
		return nil
	}
	return json.Unmarshal(out.Result.Value, into)
}

// hold holds the answer to the next request that fits an expression of its path and init, until
// release is called.
func (p *page) hold(fits string) {
	p.t.Helper()
	p.eval(`(() => {
		const send = window.fetch;
		window.fetch = async (path, init) => {
			const answer = await send(path, init);
			if (!window.letGo && (`+fits+`)) await new Promise((done) => { window.letGo = done; });
			return answer;
		};
	})()`, nil)
}

// release waits until an answer is held, and gives it to the page. It returns when the page has
// shown what it makes of it.
func (p *page) release() {
	p.t.Helper()
	p.held()
	p.eval(`(async () => {
		letGo();
		for (let i = 0; i < 5; i++) await new Promise(requestAnimationFrame);
	})()`, nil)
}

// held waits until an answer is held.
func (p *page) held() {
	p.t.Helper()
	p.eventually(func() bool {
		var held bool
		return p.tryEval("window.letGo !== undefined", &held) == nil && held
	}, "an answer is held")
}

// eventually waits until a condition holds. It looks at once, and then ever more rarely: looking
// makes the page lay itself out. It gives up after patience, counted in pauses: on a busy machine
// looking takes longer, and so does patience. Where the browser has ended it gives up at once.
func (p *page) eventually(holds func() bool, what string, args ...any) {
	p.t.Helper()
	var waited time.Duration
	for pause := 5 * time.Millisecond; !holds(); pause = min(pause*3/2, 150*time.Millisecond) {
		if err := p.browser.hasEnded(); err != nil {
			require.NoError(p.t, err, "waiting until "+fmt.Sprintf(what, args...))
		}
		if waited > patience() {
			require.Fail(p.t, "it never came that "+fmt.Sprintf(what, args...))
		}
		time.Sleep(pause)
		waited += pause
	}
}

// see waits until the page shows a text.
func (p *page) see(text string) {
	p.t.Helper()
	p.eventually(func() bool { return p.shows(text) }, "the page shows %q", text)
}

// miss waits until the page does not show a text.
func (p *page) miss(text string) {
	p.t.Helper()
	p.eventually(func() bool { return !p.shows(text) }, "the page does not show %q", text)
}

func (p *page) shows(text string) (yes bool) {
	quoted, _ := json.Marshal(text)
	err := p.tryEval("document.body.innerText.includes("+string(quoted)+")", &yes)
	return err == nil && yes
}

// node is an element with a role and a name, as screen readers say them.
type node struct{ Backend int }

// find returns the elements with a role and a name, in the order of the page.
func (p *page) find(role, name string) (found []node) {
	var root struct{ Root struct{ NodeID int } }
	if p.browser.call(p.session, "DOM.getDocument", map[string]any{"depth": 0}, &root) != nil {
		return nil
	}
	var out struct {
		Nodes []struct {
			Ignored          bool
			BackendDOMNodeID int
		}
	}
	params := map[string]any{"nodeId": root.Root.NodeID, "role": role, "accessibleName": name}
	if p.browser.call(p.session, "Accessibility.queryAXTree", params, &out) != nil {
		return nil // the page changed meanwhile
	}
	for _, n := range out.Nodes {
		if !n.Ignored {
			found = append(found, node{n.BackendDOMNodeID})
		}
	}
	return found
}

// await waits for an element with a role and a name, and returns the first.
func (p *page) await(role, name string) (n node) {
	p.t.Helper()
	p.eventually(func() bool {
		found := p.find(role, name)
		if len(found) > 0 {
			n = found[0]
		}
		return len(found) > 0
	}, "there is a %s %q", role, name)
	return n
}

// click clicks on an element as a mouse does. It waits until the element is there and can be hit.
func (p *page) click(role, name string) {
	p.t.Helper()
	p.eventually(func() bool {
		found := p.find(role, name)
		return len(found) > 0 && p.tryClick(found[0])
	}, "a %s %q can be clicked on", role, name)
}

// tryClick clicks on an element and returns true, if it can be hit. Where the element moves away
// below the mouse, the button goes up elsewhere: nothing is clicked on.
func (p *page) tryClick(n node) bool {
	x, y, ok := p.center(n)
	if !ok {
		return false
	}
	p.mouse("mouseMoved", x, y)
	p.mouse("mousePressed", x, y)
	var missed bool
	if p.tryEval("window.pressedBeside === true", &missed) == nil && missed {
		p.mouse("mouseMoved", 0, 0)
		p.mouse("mouseReleased", 0, 0)
		return false
	}
	p.mouse("mouseReleased", x, y)
	return true
}

func (p *page) mouse(kind string, x, y float64) {
	p.t.Helper()
	params := map[string]any{"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}
	if kind == "mouseMoved" {
		params["button"] = "none"
	}
	p.call("Input.dispatchMouseEvent", params, nil)
}

// drag presses the mouse on the first element of a selector, and lets it go on that of another.
func (p *page) drag(from, to string) {
	p.t.Helper()
	x, y := p.middle(from)
	p.mouse("mousePressed", x, y)
	x, y = p.middle(to)
	p.mouse("mouseMoved", x-4, y)
	p.mouse("mouseMoved", x, y)
	p.mouse("mouseReleased", x, y)
}

// center returns the middle of an element, if the element is there and not disabled or covered. The
// page notes in pressedBeside whether the mouse is next pressed beside the element.
func (p *page) center(n node) (x, y float64, ok bool) {
	var object struct{ Object struct{ ObjectID string } }
	if p.browser.call(p.session, "DOM.resolveNode", map[string]any{"backendNodeId": n.Backend},
		&object) != nil {
		return 0, 0, false
	}
	const middle = `function() {
		this.scrollIntoView({block: "nearest", inline: "nearest"});
		const box = this.getBoundingClientRect();
		const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
		const hit = this.getRootNode().elementFromPoint(x, y);
		window.pressedBeside = false;
		addEventListener("pointerdown", (e) => {
			const path = e.composedPath();
			window.pressedBeside = !path.includes(this) && !path[0].contains(this);
		}, {capture: true, once: true});
		return !this.disabled && hit && (this.contains(hit) || hit.contains(this)) ? [x, y] : [];
	}`
	var out struct{ Result struct{ Value []float64 } }
	params := map[string]any{
		"objectId": object.Object.ObjectID, "functionDeclaration": middle, "returnByValue": true,
	}
	if p.browser.call(p.session, "Runtime.callFunctionOn", params, &out) != nil ||
		len(out.Result.Value) != 2 {
		return 0, 0, false
	}
	return out.Result.Value[0], out.Result.Value[1], true
}

// fill replaces the text of a field by typing another.
func (p *page) fill(name, text string) {
	p.t.Helper()
	p.focus("textbox", name)
	p.eval("document.activeElement.select()", nil)
	if text == "" {
		p.press("Backspace")
		return
	}
	p.typed(text)
}

// focus gives an element the focus. It looks again if another one takes the place of the element.
func (p *page) focus(role, name string) {
	p.t.Helper()
	p.eventually(func() bool {
		found := p.find(role, name)
		return len(found) > 0 && p.browser.call(p.session, "DOM.focus",
			map[string]any{"backendNodeId": found[0].Backend}, nil) == nil
	}, "the %s %q can have the focus", role, name)
}

// hasFocus waits until the element that has the focus has a name.
func (p *page) hasFocus(name string) {
	p.t.Helper()
	const label = `(() => { const e = document.activeElement; return e.ariaLabel ?? e.labels?.[0]?.textContent ?? "" })()`
	var got string
	p.eventually(func() bool { return p.tryEval(label, &got) == nil && got == name },
		"%q has the focus", name)
}

// focusOn gives the focus to the first element of a selector, once no dialog is there: a dialog
// gives the focus back when it goes, which is after it has closed.
func (p *page) focusOn(selector string) {
	p.t.Helper()
	const focus = `(() => { const e = document.querySelector(%q); if (!e || document.querySelector("dialog")) return false;
		e.focus(); return e === document.activeElement })()`
	p.eventually(func() bool {
		var focused bool
		return p.tryEval(fmt.Sprintf(focus, selector), &focused) == nil && focused
	}, "%s has the focus", selector)
}

// typed types a text where the focus is.
func (p *page) typed(text string) {
	p.t.Helper()
	p.call("Input.insertText", map[string]any{"text": text}, nil)
}

// choose chooses an option of a list by its value.
func (p *page) choose(name, value string) {
	p.t.Helper()
	p.focus("combobox", name)
	quoted, _ := json.Marshal(value)
	p.eval(`(() => { const e = document.activeElement; e.value = `+string(quoted)+
		`; e.dispatchEvent(new Event("change", {bubbles: true})) })()`, nil)
}

// codes has the numbers of keys that browsers still want.
var codes = map[string]int{"Enter": 13, "Escape": 27, "Backspace": 8, "Tab": 9, "ArrowUp": 38,
	"ArrowDown": 40, "ArrowLeft": 37,
	"ArrowRight": 39, "Home": 36, "End": 35, "PageUp": 33, "PageDown": 34}

// press presses keys such as "Enter", "/" or "Control+k".
func (p *page) press(keys string) {
	p.t.Helper()
	modifiers, key := 0, keys
	if rest, ok := strings.CutPrefix(keys, "Control+"); ok {
		modifiers, key = 2, rest
	}
	if rest, ok := strings.CutPrefix(key, "Shift+"); ok {
		modifiers, key = modifiers+8, rest
	}
	params := map[string]any{
		"type": "keyDown", "key": key, "modifiers": modifiers, "windowsVirtualKeyCode": codes[key],
	}
	if keys == "Control+a" {
		params["commands"] = []string{"selectAll"} // the operating system's keymap has it so
	}
	switch {
	case key == "Enter":
		params["text"] = "\r"
	case len(key) == 1 && modifiers == 0:
		params["text"] = key
	}
	p.call("Input.dispatchKeyEvent", params, nil)
	p.call("Input.dispatchKeyEvent",
		map[string]any{
			"type": "keyUp", "key": key, "modifiers": modifiers,
			"windowsVirtualKeyCode": codes[key],
		}, nil)
}

// png takes a picture of the page.
func (p *page) png() []byte {
	var out struct{ Data string }
	if p.browser.call(p.session, "Page.captureScreenshot", map[string]any{"format": "png"},
		&out) != nil {
		return nil
	}
	png, _ := base64.StdEncoding.DecodeString(out.Data)
	return png
}

// picture writes a picture of the page into the directory of KUGIRI_PICTURES, if that is set. With
// EVERY_PICTURE it writes the same on a screen and a phone, light and dark, in both languages as
// well: a test that drags or measures may then fail.
func (p *page) picture(name string) {
	p.t.Helper()
	if os.Getenv("KUGIRI_PICTURES") == "" {
		return
	}
	p.takePicture(name)
	if os.Getenv("EVERY_PICTURE") == "" {
		return
	}
	var size [2]int
	p.eval("[innerWidth, innerHeight]", &size)
	for _, language := range []string{"ja", "en"} {
		p.eval(`(() => {
			const select = document.querySelector('select:has(option[value="ja"])');
			select.value = `+quoted(language)+`;
			select.dispatchEvent(new Event("change", { bubbles: true }));
		})()`, nil)
		for _, wide := range [][2]int{{1440, 900}, {390, 844}} {
			p.resize(wide[0], wide[1])
			for _, scheme := range []string{"dark", "light"} {
				p.prefers(scheme)
				p.takePicture(fmt.Sprintf("%s-%d-%s-%s", name, wide[0], scheme, language))
			}
		}
	}
	p.resize(size[0], size[1])
}

// takePicture takes a picture of the page as it is.
func (p *page) takePicture(name string) {
	p.t.Helper()
	p.settle()
	path := filepath.Join(os.Getenv("KUGIRI_PICTURES"), name+".png")
	require.NoError(p.t, os.WriteFile(path, p.png(), 0o644))
}

// settle waits until nothing moves any more.
func (p *page) settle() {
	p.t.Helper()
	p.eval("new Promise(requestAnimationFrame).then(() => Promise.all(document.getAnimations().map((a) => a.finished.catch(() => null)))).then(() => null)", nil)
}

// prefers has the page prefer a color scheme, "light" or "dark".
func (p *page) prefers(scheme string) {
	p.t.Helper()
	p.call("Emulation.setEmulatedMedia",
		map[string]any{
			"features": []any{map[string]any{"name": "prefers-color-scheme", "value": scheme}},
		}, nil)
}

// axeFile is axe-core, as npm installs it for the console.
const axeFile = "../../cmd/kugiri/internal/console/web/node_modules/axe-core/axe.min.js"

// accessible checks the page as it is with axe: contrast, names, roles, focus.
func (p *page) accessible() {
	p.t.Helper()
	axe, err := os.ReadFile(axeFile)
	if err != nil {
		p.t.Log("accessibility is not checked: run npm ci in cmd/kugiri/internal/console/web")
		return
	}
	// the sidebar is there before the rest of the page
	p.eventually(func() bool { return p.count("h1") > 0 }, "the page has its heading")
	p.settle()
	var there bool // a check before may have left it
	if p.eval(`"axe" in window`, &there); !there {
		p.eval(string(axe)+"; null", nil)
	}
	var found []string
	p.eval(`axe.run().then((r) => r.violations.map((v) => v.id + ": " + v.help + "\n" + v.nodes.map((n) => "  " + n.html + " " + n.failureSummary).join("\n")))`, &found)
	assert.Empty(p.t, found, "what axe found")
}

// count returns how many elements a selector has, -1 while the page loads.
func (p *page) count(selector string) int {
	n := -1
	if p.tryEval(fmt.Sprintf("document.querySelectorAll(%q).length", selector), &n) != nil {
		return -1
	}
	return n
}

// width returns the width of the first element of a selector, 0 while the page loads.
func (p *page) width(selector string) (w float64) {
	const width = "document.querySelector(%q)?.getBoundingClientRect().width ?? 0"
	_ = p.tryEval(fmt.Sprintf(width, selector), &w)
	return w
}

// clickOn clicks on the first element of a selector, where a role and a name are not enough.
func (p *page) clickOn(selector string) {
	p.t.Helper()
	p.eventually(func() bool {
		n, ok := p.first(selector)
		return ok && p.tryClick(n)
	}, "%s can be clicked on", selector)
}

// first returns the first element of a selector.
func (p *page) first(selector string) (n node, ok bool) {
	var found struct{ Result struct{ ObjectID string } }
	quoted, _ := json.Marshal(selector)
	if p.browser.call(p.session, "Runtime.evaluate", map[string]any{
		"expression": "document.querySelector(" + string(quoted) + ")"}, &found) != nil ||
		found.Result.ObjectID == "" {
		return n, false
	}
	var out struct{ Node struct{ BackendNodeID int } }
	err := p.browser.call(p.session, "DOM.describeNode",
		map[string]any{"objectId": found.Result.ObjectID}, &out)
	return node{out.Node.BackendNodeID}, err == nil
}

// middle returns the middle of the first element of a selector, once it does not move.
func (p *page) middle(selector string) (x, y float64) {
	p.t.Helper()
	const middle = `(async () => { const e = document.querySelector(%q); if (!e) return []; e.scrollIntoView({block: "nearest"});
		const at = () => { const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2] };
		const before = at(); await new Promise(requestAnimationFrame); const now = at();
		return before[0] === now[0] && before[1] === now[1] ? now : [] })()`
	var point []float64
	p.eventually(func() bool {
		return p.tryEval(fmt.Sprintf(middle, selector), &point) == nil && len(point) == 2
	}, "%s is there, and does not move", selector)
	return point[0], point[1]
}

// giveFile gives a file to a field for files.
func (p *page) giveFile(selector, file string) {
	p.t.Helper()
	var root struct{ Root struct{ NodeID int } }
	p.call("DOM.getDocument", map[string]any{"depth": 0}, &root)
	var found struct{ NodeID int }
	p.call("DOM.querySelector", map[string]any{"nodeId": root.Root.NodeID, "selector": selector},
		&found)
	p.call("DOM.setFileInputFiles", map[string]any{"nodeId": found.NodeID, "files": []string{file}},
		nil)
}

// dropFile drags a file over an element, and drops it there.
func (p *page) dropFile(selector, file string) {
	p.t.Helper()
	p.eventually(func() bool { return p.count("dialog") == 0 }, "no dialog is there")
	x, y := p.middle(selector)
	data := map[string]any{"items": []any{}, "files": []string{file}, "dragOperationsMask": 1}
	for _, kind := range []string{"dragEnter", "dragOver", "drop"} {
		p.call("Input.dispatchDragEvent",
			map[string]any{"type": kind, "x": x, "y": y, "data": data}, nil)
	}
}

// download does what makes the page save a file, and returns the file.
func (p *page) download(name string, act func()) []byte {
	p.t.Helper()
	dir := p.t.TempDir()
	p.browserCall("Browser.setDownloadBehavior",
		map[string]any{"behavior": "allow", "downloadPath": dir, "browserContextId": p.context},
		nil)
	act()
	var text []byte
	p.eventually(func() (saved bool) {
		// Chromium takes the name with an empty file, and renames the complete one over that.
		text, _ = os.ReadFile(filepath.Join(dir, name))
		return len(text) > 0
	}, "%s is saved", name)
	return text
}
