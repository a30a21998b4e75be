package console

import (
	"net/http"
	"net/http/httptest"
	"os/exec"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPlayground opens the playground as a server of files serves it. It reads and writes without
// any other request, and obeys a policy.
func TestPlayground(t *testing.T) {
	onlyInFull(t)
	t.Parallel()
	browser(t)
	dir := t.TempDir()
	build := exec.Command("go", "run", "./conformance/cmd/playground", "-out", dir)
	build.Dir = "../.."
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	var mu sync.Mutex
	var asked []string // what the page asked this server besides files
	files := http.FileServer(http.Dir(dir))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			mu.Lock()
			asked = append(asked, r.URL.Path)
			mu.Unlock()
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)

	p := openURL(t, s.URL+"/")
	p.see("shop-data")
	p.eventually(func() bool { return p.count("html[data-started]") == 1 }, "the console starts")
	var started string
	p.eval("document.documentElement.dataset.started", &started)
	t.Logf("started in %s ms", started)

	put := func(sk string) (text string) {
		p.eval(`fetch("dynamodb", {method: "POST", headers: {"X-Amz-Target": "DynamoDB_20120810.PutItem"}, body: JSON.stringify(
			{TableName: "shop-data", Item: {pk: {S: "ORDER#tenant001"}, sk: {S: "`+sk+
			`"}, version: {N: "0"}}})}).then(r => r.text())`, &text)
		return text
	}
	assert.Equal(t, "{}", put("ORDER#pending"))
	var plan string
	p.eval(`fetch("/_kugiri/explain", {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({accessKey: "test",
		region: "us-east-1", operation: "ExecuteStatement", request: {Statement: "SELECT * FROM \"shop-data\".\"by-customer\" WHERE customer = 'aki'"}})}).then(r => r.text())`, &plan)
	assert.Contains(t, plan, "by-customer")
	var took float64
	p.eval(`(async () => {
		const start = performance.now();
		for (let i = 0; i < 50; i++) await fetch("dynamodb", {method: "POST", headers: {"X-Amz-Target": "DynamoDB_20120810.GetItem"},
			body: JSON.stringify({TableName: "shop-data", Key: {pk: {S: "USER#common"}, sk: {S: "local#aki"}}})});
		return (performance.now() - start) / 50;
	})()`, &took)
	t.Logf("GetItem takes %.2f ms", took)
	p.await("region", "Three steps")
	p.accessible()
	p.picture("playground-guide")
	p.click("link", "Ask for orders")
	p.await("textbox", "Partition key pk")
	p.click("button", "Close")
	p.eventually(func() bool { return p.focused() == "button Three steps" }, "the focus is near")
	p.resize(390, 844)
	p.press("Enter")
	p.await("region", "Three steps")
	assert.Empty(t, p.cut())
	p.accessible()
	p.picture("playground-390")
	p.click("link", "Look at the items")
	p.eventually(func() bool { return len(p.find("region", "Three steps")) == 0 },
		"the steps do not lie over what they lead to")
	p.eventually(func() bool { return p.focused() == "div Items" }, "the items have the focus")
	p.click("button", "Three steps")
	p.click("button", "Apply a policy")
	p.await("textbox", "Policy in YAML")
	p.press("Escape")
	p.eventually(func() bool { return p.focused() == "button Policy" }, "the focus is near")
	p.press("Enter")
	p.await("textbox", "Policy in YAML")
	assert.Empty(t, p.cut())
	p.accessible()
	p.picture("playground-policy-390")
	p.click("button", "Cancel")
	p.resize(1280, 800)
	p.click("button", "Policy")
	p.picture("playground-policy")
	p.loadsAgain(func() { p.click("button", "Apply") })
	p.eventually(func() bool { return p.count("html[data-started]") == 1 },
		"the console starts again")
	p.see("shop-data")
	assert.Contains(t, put("ORDER#pending"), "key-mutable")
	p.accessible()
	p.picture("playground")
	mu.Lock()
	defer mu.Unlock()
	assert.Empty(t, asked)
}
