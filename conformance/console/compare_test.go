package console

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCompareWithDynamodbAdmin does the same tasks in the console and in dynamodb-admin, whose
// program DYNAMODB_ADMIN names, on the same tables. It logs the clicks, the keys and the time
// of each.
func TestCompareWithDynamodbAdmin(t *testing.T) {
	t.Parallel()
	program := os.Getenv("DYNAMODB_ADMIN")
	if program == "" {
		t.Skip("DYNAMODB_ADMIN names no program: npm install dynamodb-admin")
	}
	for _, task := range append(tasks, moreTasks...) {
		t.Run(task.name, func(t *testing.T) {
			t.Run("in the console", func(t *testing.T) {
				s := serve(t)
				s.compared(t)
				t.Log(attempt(t, s, s.url+"/_kugiri/console/", task.console))
			})
			t.Run("in dynamodb-admin", func(t *testing.T) {
				if task.other == nil {
					t.Skip("it has no such thing")
				}
				s := serve(t)
				s.compared(t)
				t.Log(attempt(t, s, dynamodbAdmin(t, s, program), task.other))
			})
		})
	}
}

// compared creates the table shop, whose numbers all clients can show, and the table exact.
func (s *server) compared(t *testing.T) {
	for _, table := range []string{"archive", "exact", "gone", "old", "shop"} {
		s.createTable(t, table)
	}
	for _, table := range []string{"gone", "old"} {
		s.putItem(t, table, attributes{"pk": str("a"), "sk": str("b")})
	}
	for c := range 6 {
		pk := fmt.Sprintf("CUSTOMER#%d", c)
		s.putItem(t, "shop",
			attributes{
				"pk": str(pk), "sk": str("PROFILE"), "name": str(fmt.Sprintf("Person%d", c)),
				"tags": &types.AttributeValueMemberSS{Value: []string{"loyal", "newsletter"}},
			})
		for o := range 4 {
			s.putItem(t, "shop",
				attributes{
					"pk": str(pk), "sk": str(fmt.Sprintf("ORDER#%d", o)),
					"total": num(fmt.Sprint(20 + o)),
				})
		}
	}
	s.putItem(t, "exact", attributes{"pk": str("a"), "sk": str("b"), "credit": num(digits38)})
}

// dynamodbAdmin starts dynamodb-admin until the test ends, and returns its address.
func dynamodbAdmin(t *testing.T, s *server, program string) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	_, port, err := net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
	l.Close()
	c := exec.CommandContext(t.Context(), program, "--port", port, "--host", "127.0.0.1")
	c.Env = append(os.Environ(), "DYNAMO_ENDPOINT="+s.url, "AWS_REGION=us-east-1",
		"AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test")
	require.NoError(t, c.Start())
	t.Cleanup(func() {
		c.Process.Kill()
		c.Wait()
	})
	at := "http://127.0.0.1:" + port + "/"
	require.Eventually(t, func() bool {
		answer, err := http.Get(at)
		if err == nil {
			answer.Body.Close()
		}
		return err == nil
	}, time.Minute, 50*time.Millisecond)
	return at
}

// A person counts what it takes to get an answer.
type person struct {
	*page
	server       *server
	clicks, keys int
}

// attempt does a task in a page that shows the tables, and returns what it took.
func attempt(t *testing.T, s *server, url string, task func(*person) string) string {
	p := openURL(t, url)
	d := &person{page: p, server: s}
	d.acceptQuestions()
	began := time.Now()
	result := d.begin(task)
	took := time.Since(began)
	p.mu.Lock()
	p.errors = nil // they are the program's
	p.mu.Unlock()
	return fmt.Sprintf("%d clicks, %d keys, %d ms: %s", d.clicks, d.keys, took.Milliseconds(),
		result)
}

// begin does a task in a page that shows the tables.
func (d *person) begin(task func(*person) string) string {
	d.t.Helper()
	d.see("shop")
	d.settle()
	return task(d)
}

// acceptQuestions accepts what a page asks by window.confirm, by a key.
func (d *person) acceptQuestions() {
	d.browser.mu.Lock()
	defer d.browser.mu.Unlock()
	note := d.browser.events[d.session]
	d.browser.events[d.session] = func(m message) {
		note(m)
		if m.Method == "Page.javascriptDialogOpening" {
			d.keys++
			go d.browser.call(d.session, "Page.handleJavaScriptDialog",
				map[string]any{"accept": true}, nil)
		}
	}
}

func (d *person) click(role, name string) {
	d.t.Helper()
	d.clicks++
	d.page.click(role, name)
}

func (d *person) clickOn(selector string) {
	d.t.Helper()
	d.clicks++
	d.eventually(func() bool { return d.count(selector) > 0 }, "there is %s", selector)
	d.page.clickOn(selector)
}

func (d *person) press(key string) {
	d.t.Helper()
	d.keys++
	d.page.press(key)
}

func (d *person) write(text string) {
	d.t.Helper()
	d.keys += len(text)
	d.typed(text)
}

// pick opens a list and clicks on an option.
func (d *person) pick(selector, value string) {
	d.t.Helper()
	d.clicks += 2
	d.eventually(func() bool { return d.count(selector) > 0 }, "there is %s", selector)
	d.eval(fmt.Sprintf(
		`(() => { const e = document.querySelector(%q); e.value = %q; e.dispatchEvent(new Event("change", {bubbles: true})) })()`, selector, value), nil)
}

// clickText clicks on a text of the page, twice on a word to select or edit it.
func (d *person) clickText(text string, times int) {
	d.t.Helper()
	d.clicks += times
	var point []float64
	d.eventually(func() bool {
		const middle = `(() => { const w = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
			while (w.nextNode()) { const at = w.currentNode.data.indexOf(%q); if (at < 0) continue;
				const r = document.createRange(); r.setStart(w.currentNode, at); r.setEnd(w.currentNode, at + %d);
				const b = r.getBoundingClientRect(); if (b.width > 0) return [b.x + b.width / 2, b.y + b.height / 2] }
			return [] })()`
		return d.tryEval(fmt.Sprintf(middle, text, len(text)), &point) == nil && len(point) == 2
	}, "there is %s", text)
	for n := range times {
		for _, kind := range []string{"mousePressed", "mouseReleased"} {
			d.call("Input.dispatchMouseEvent",
				map[string]any{
					"type": kind, "x": point[0], "y": point[1], "button": "left",
					"clickCount": n + 1,
				}, nil)
		}
	}
}

// until waits until the server has what a task is to do.
func (d *person) until(done func() bool) string {
	d.t.Helper()
	d.eventually(done, "the server has it")
	return "done"
}

func (s *server) item(t *testing.T, table, pk, sk string) attributes {
	out, err := s.db.GetItem(t.Context(),
		&dynamodb.GetItemInput{
			TableName: &table, Key: attributes{"pk": str(pk), "sk": str(sk)},
			ConsistentRead: aws.Bool(true),
		})
	require.NoError(t, err)
	return out.Item
}

// view opens the item of the row of dynamodb-admin that has a text.
func (d *person) view(text string) {
	d.t.Helper()
	d.see(text)
	d.eval(fmt.Sprintf(
		`[...document.querySelectorAll("tr")].find((r) => r.innerText.includes(%q)).querySelector("a").id = "wanted"`, text), nil)
	d.clickOn("#wanted")
}

// inRow clicks on a link or a button of the row of dynamodb-admin's list that has a text.
func (d *person) inRow(text, name string) {
	d.t.Helper()
	d.eval(fmt.Sprintf(`[...[...document.querySelectorAll("tr")].find((r) => r.innerText.includes(%q)).querySelectorAll("a, button")]
		.find((e) => e.innerText.trim() === %q).id = "wanted"`, text, name), nil)
	d.clickOn("#wanted")
}

func (d *person) profile(c int) attributes {
	return d.server.item(d.t, "shop", fmt.Sprintf("CUSTOMER#%d", c), "PROFILE")
}

// isNamed reports whether a customer has a name, which tasks change.
func (d *person) isNamed(c int, name string) func() bool {
	return func() bool { return assert.ObjectsAreEqual(str(name), d.profile(c)["name"]) }
}

// A task is done in the console, and in dynamodb-admin if that can do it.
type task struct {
	name           string
	console, other func(d *person) string
}

var tasks = []task{
	{"find an item by its key", func(d *person) string {
		d.click("link", "shop")
		d.click("textbox", "Partition key pk")
		d.write("CUSTOMER#3")
		d.press("Tab")
		d.press("Tab")
		d.write("PROFILE")
		d.press("Enter")
		d.see("1 item")
		d.see("Person3")
		return "done"
	}, func(d *person) string {
		d.click("link", "shop")
		d.click("link", "Get")
		d.clickOn("input[type=text]")
		d.write("CUSTOMER#3")
		d.press("Tab")
		d.write("PROFILE")
		d.press("Enter")
		d.see("Person3")
		return "done"
	}},
	{"read an item collection", func(d *person) string {
		d.click("link", "shop")
		d.click("textbox", "Partition key pk")
		d.write("CUSTOMER#3")
		d.press("Enter")
		d.see("5 items")
		return "done"
	}, func(d *person) string {
		d.click("link", "shop")
		d.see("showing 1 - 25")
		d.pick("select[name=operationType]", "query")
		d.clickOn("#filters-table tr:nth-child(2) .filter-row-value")
		d.write("CUSTOMER#3")
		d.click("button", "Search")
		d.see("showing 1 - 5")
		return "done"
	}},
	{"read a part of it with BETWEEN", func(d *person) string {
		d.click("link", "shop")
		d.click("textbox", "Partition key pk")
		d.write("CUSTOMER#3")
		d.pick(".toolbar .field:nth-of-type(3) select", "between")
		d.click("textbox", "Sort key sk")
		d.write("ORDER#1")
		d.press("Tab")
		d.write("ORDER#2")
		d.press("Enter")
		d.see("2 items")
		return "done"
	}, func(d *person) string {
		d.click("link", "shop")
		d.eventually(func() bool { return d.count(".filter-row-operator option") > 0 },
			"there are operators")
		assert.Zero(d.t,
			d.count(`.filter-row-operator option[value*=etween], .filter-row-operator option[value*=ETWEEN]`))
		return "impossible: it has no such operator"
	}},
	{"change a string", func(d *person) string {
		d.click("link", "shop")
		d.clickText("Person1", 2)
		d.write("Renamed")
		d.press("Control+Enter")
		return d.until(d.isNamed(1, "Renamed"))
	}, func(d *person) string {
		d.click("link", "shop")
		d.view("Person1")
		d.clickText("Person1", 2)
		d.write("Renamed")
		d.click("button", "Save")
		return d.until(d.isNamed(1, "Renamed"))
	}},
	{"change a number of 38 digits", func(d *person) string {
		d.click("link", "exact")
		d.clickText(digits38, 2)
		d.write("98765432109876543210987654321098765432")
		d.press("Control+Enter")
		return d.until(func() bool {
			return assert.ObjectsAreEqual(num("98765432109876543210987654321098765432"),
				d.server.item(d.t, "exact", "a", "b")["credit"])
		})
	}, func(d *person) string {
		d.click("link", "exact")
		d.see("Do not know how to serialize a BigInt")
		return "impossible: it shows an error in place of the table"
	}},
	{"add to a set", func(d *person) string {
		d.click("link", "shop")
		d.clickText("{loyal, newsletter}", 2)
		d.click("button", "Add a member to tags")
		d.write("vip")
		d.click("button", "Send now")
		return d.until(func() bool {
			for c := range 6 { // it is the first one on the page
				set, ok := d.profile(c)["tags"].(*types.AttributeValueMemberSS)
				if ok && len(set.Value) == 3 {
					return true
				}
			}
			return false
		})
	}, func(d *person) string {
		d.click("link", "shop")
		d.view("Person1")
		d.see("\"tags\": {}")
		d.click("button", "Save")
		d.eventually(func() bool {
			_, isSet := d.profile(1)["tags"].(*types.AttributeValueMemberSS)
			return !isSet
		}, "the set is lost")
		return "impossible: it shows a set as {}, and replaces it by an empty map when it saves the item"
	}},
	{"delete an item", func(d *person) string {
		d.click("link", "shop")
		d.clickText("Person4", 1)
		d.press("Shift+Delete")
		return d.until(func() bool { return d.profile(4) == nil })
	}, func(d *person) string {
		d.click("link", "shop")
		d.view("Person4")
		d.click("button", "Delete")
		return d.until(func() bool { return d.profile(4) == nil })
	}},
	{"export a table", func(d *person) string {
		d.click("link", "shop")
		d.click("button", "Export items")
		text := d.download("shop.jsonl", func() { d.click("button", "Export") })
		assert.Equal(d.t, len(d.server.items(d.t, "shop")), strings.Count(string(text), "\n"))
		return "done"
	}, func(d *person) string {
		d.click("link", "shop")
		d.see("showing 1 - 25")
		assert.Empty(d.t, d.find("button", "Export"))
		assert.False(d.t, d.shows("xport"))
		return "impossible: it has no export"
	}},
	{"purge a table", func(d *person) string {
		d.click("button", "Purge old")
		d.await("textbox", "Type old to confirm")
		d.press("Shift+Delete")
		return d.until(func() bool { return d.server.item(d.t, "old", "a", "b") == nil })
	}, func(d *person) string {
		d.inRow("old", "Purge")
		return d.until(func() bool { return d.server.item(d.t, "old", "a", "b") == nil })
	}},
}
