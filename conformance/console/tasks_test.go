package console

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTasks does tasks of the table in console.md, in one page, and takes what it says: five of
// them, and in full all. A page whose requests wait for 200 ms each takes the same.
func TestTasks(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../emulator/docs/console.md")
	require.NoError(t, err)
	for _, latency := range []int{0, 200} {
		t.Run(fmt.Sprint(latency, " ms"), func(t *testing.T) {
			t.Parallel()
			s := serve(t)
			s.compared(t)
			p := open(t, s, "#/tables")
			p.see("shop")
			if latency > 0 {
				p.latency(latency)
			}
			doTasks(t, s, p, string(text))
		})
	}
}

// doTasks does the tasks, and compares what they take with the table of a page.
func doTasks(t *testing.T, s *server, p *page, table string) {
	all := append(slices.Clone(tasks), moreTasks...)
	require.Len(t, all, 32)
	few := []string{"find an item by its key", "change a string", "purge a table",
		"delete four items", "add an index"}
	done := 0
	for _, task := range all {
		if !isFull() && !slices.Contains(few, task.name) {
			continue
		}
		done++
		d := &person{page: p, server: s}
		d.begin(task.console)
		row := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(task.name) +
			` \| (?:(\d+) clicks?)?(?:, )?(?:(\d+) keys?)? \|`).FindStringSubmatch(table)
		if assert.NotNil(t, row, "%s: %d clicks, %d keys", task.name, d.clicks, d.keys) {
			clicks, _ := strconv.Atoi(row[1])
			keys, _ := strconv.Atoi(row[2])
			assert.Equal(t, [2]int{clicks, keys}, [2]int{d.clicks, d.keys}, task.name)
		}
		p.eventually(func() bool { return p.count("dialog") == 0 }, "no dialog is there")
		p.eval(`void (location.hash = "#/tables")`, nil)
		p.await("heading", "Tables")
	}
	assert.True(t, isFull() || done == len(few), "each of the few is a task")
}

// TestNoMoreClicks: no task of the table in console.md takes more clicks in the console than in
// another tool.
func TestNoMoreClicks(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../emulator/docs/console.md")
	require.NoError(t, err)
	clicks := regexp.MustCompile(`^(\d+) clicks?\b`)
	measured := 0
	for _, task := range append(slices.Clone(tasks), moreTasks...) {
		row := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(task.name) + ` \| (.*) \|$`).
			FindStringSubmatch(string(text))
		require.NotNil(t, row, task.name)
		cells := strings.Split(row[1], " | ")
		require.Len(t, cells, 3, task.name)
		own := clicks.FindStringSubmatch(cells[0])
		require.NotNil(t, own, task.name)
		most, _ := strconv.Atoi(own[1])
		for _, cell := range cells[1:] {
			if other := clicks.FindStringSubmatch(cell); other != nil {
				n, _ := strconv.Atoi(other[1])
				assert.LessOrEqual(t, most, n, "%s: %s", task.name, cell)
				measured++
			}
		}
	}
	assert.Greater(t, measured, 15)
}

// selectOrders opens the table shop, and selects the four orders of the first customer who has
// some.
func (d *person) selectOrders() {
	d.t.Helper()
	d.click("link", "shop")
	d.clickText("ORDER#0", 1)
	d.press(" ")
	for range 3 {
		d.press("Shift+ArrowDown")
	}
	d.see("4 items selected")
}

// settings opens the settings of the table shop.
func (d *person) settings() {
	d.t.Helper()
	d.click("link", "shop")
	d.click("link", "Settings")
}

// moreTasks are tasks that dynamodb-admin can hardly do.
var moreTasks = []task{
	{"find items by an attribute", func(d *person) string {
		d.click("link", "shop")
		d.click("link", "Query")
		d.click("button", "Add a condition")
		d.write("name")
		d.click("textbox", "Value of condition 1")
		d.write("Person3")
		d.press("Control+Enter")
		d.see("1 item")
		return "done"
	}, func(d *person) string {
		d.click("link", "shop")
		d.clickOn(".filter-row-key")
		d.write("name")
		d.clickOn(".filter-row-value")
		d.write("Person3")
		d.press("Enter")
		d.see("showing 1 - 1")
		return "done"
	}},
	{"edit what a filter found", func(d *person) string {
		d.click("link", "shop")
		d.click("button", "Filter")
		d.await("combobox", "Attribute of condition 1")
		d.click("combobox", "Attribute of condition 1")
		d.write("name")
		d.click("textbox", "Value of condition 1")
		d.write("Person0")
		d.press("Enter")
		d.see("1 item")
		d.clickText("Person0", 2)
		d.write("Found0")
		d.press("Control+Enter")
		return d.until(d.isNamed(0, "Found0"))
	}, nil},
	{"send a transaction over two tables", func(d *person) string {
		d.click("link", "Transaction")
		for i, table := range []string{"shop", "exact"} {
			d.click("button", "Add an action")
			d.choose(fmt.Sprintf("Table of action %d", i+1), table)
			d.clicks += 2
			d.click("textbox", fmt.Sprintf("Item of action %d", i+1))
			d.write(`{"pk": "t", "sk": "1"}`)
		}
		d.press("Control+Enter")
		return d.until(func() bool { return d.server.item(d.t, "exact", "t", "1") != nil })
	}, nil},
	{"read the settings of a table", func(d *person) string {
		d.settings()
		d.see("Deletion protection")
		return "done"
	}, func(d *person) string {
		d.click("link", "shop")
		d.click("link", "Meta")
		d.see("KeySchema")
		return "done"
	}},
	{"create a table", func(d *person) string {
		d.click("button", "Create table")
		d.await("textbox", "Name")
		d.write("users")
		for range 3 {
			d.press("Tab")
		}
		d.write("sk")
		d.press("Enter")
		d.see("There are no items") // the page goes to the table
		return d.until(func() bool { return d.server.has("users") })
	}, func(d *person) string {
		d.click("link", "Create table")
		d.await("textbox", "Table Name")
		d.write("users")
		d.press("Tab")
		d.write("pk")
		d.press("Tab")
		d.press("Tab")
		d.write("sk")
		d.pick("select[name=RangeAttributeType]", "S")
		d.click("button", "Submit")
		return d.until(func() bool { return d.server.has("users") })
	}},
	{"delete a table", func(d *person) string {
		d.click("button", "Delete gone")
		d.await("textbox", "Type gone to confirm")
		d.press("Shift+Delete")
		return d.until(func() bool { return !d.server.has("gone") })
	}, func(d *person) string {
		d.inRow("gone", "Delete")
		return d.until(func() bool { return !d.server.has("gone") })
	}},
	{"create an item", func(d *person) string {
		d.click("link", "shop")
		d.click("button", "New item")
		d.await("textbox", "Value of pk")
		d.write("new")
		d.press("Tab")
		d.write("1")
		d.click("button", "Send now")
		return d.until(func() bool { return d.server.item(d.t, "shop", "new", "1") != nil })
	}, nil},
	{"undo a change", func(d *person) string {
		d.click("link", "shop")
		d.clickText("Person2", 2)
		d.write("x")
		d.press("Control+Enter")
		d.until(d.isNamed(2, "x"))
		d.clicks, d.keys = 0, 0
		d.click("button", "Changes")
		d.click("button", "Undo")
		return d.until(d.isNamed(2, "Person2"))
	}, nil},
	{"delete four items", func(d *person) string {
		before := len(d.server.items(d.t, "shop"))
		d.selectOrders()
		d.click("button", "Delete")
		d.click("button", "Send 4 changes")
		return d.until(func() bool { return len(d.server.items(d.t, "shop")) == before-4 })
	}, nil},
	{"give four items an attribute", func(d *person) string {
		d.selectOrders()
		d.click("button", "Edit an attribute")
		d.await("combobox", "Attribute")
		d.write("state")
		d.click("textbox", "Value")
		d.write("sent")
		d.press("Enter")
		d.click("button", "Send 4 changes")
		return d.until(func() bool {
			n := 0
			for _, item := range d.server.items(d.t, "shop") {
				if item["state"] != nil {
					n++
				}
			}
			return n == 4
		})
	}, nil},
	{"move four items to another table", func(d *person) string {
		d.selectOrders()
		d.click("button", "Move")
		d.await("combobox", "To the table")
		d.clickOn("dialog footer .primary")
		return d.until(func() bool { return len(d.server.items(d.t, "archive")) == 4 })
	}, nil},
	{"import a file", func(d *person) string {
		d.click("link", "archive")
		d.click("button", "Import items")
		d.see("Drop a file here")
		d.clicks++ // the file
		d.giveFile("input[type=file]",
			writeFile(d.t, "a.jsonl", `{"pk": {"S": "i"}, "sk": {"S": "1"}}`, false))
		d.click("button", "Import")
		return d.until(func() bool { return d.server.item(d.t, "archive", "i", "1") != nil })
	}, nil},
	{"run a statement of PartiQL", func(d *person) string {
		d.click("link", "PartiQL")
		d.click("textbox", "Statements")
		d.write(`SELECT * FROM "shop" WHERE pk = 'CUSTOMER#3'`)
		d.press("Control+Enter")
		d.see("5 items")
		return "done"
	}, nil},
	{"see what a query will cost", func(d *person) string {
		d.click("link", "shop")
		d.click("link", "Query")
		d.click("textbox", "Partition key pk")
		d.write("CUSTOMER#3")
		d.see("reads 5, returns 5")
		return "done"
	}, nil},
	{"get the code of a query in Python", func(d *person) string {
		d.click("link", "shop")
		d.click("link", "Query")
		d.click("textbox", "Partition key pk")
		d.write("CUSTOMER#3")
		d.click("button", "Code")
		d.click("button", "Python")
		d.see("boto3")
		return "done"
	}, nil},
	{"save a query under a name", func(d *person) string {
		d.click("link", "shop")
		d.click("link", "Query")
		d.click("textbox", "Partition key pk")
		d.write("CUSTOMER#3")
		d.click("button", "History")
		d.click("textbox", "Name for this query")
		d.write("three")
		d.press("Enter")
		d.await("link", "three")
		return "done"
	}, nil},
	{"open a saved query", func(d *person) string {
		d.click("link", "shop")
		d.click("link", "Query")
		d.click("button", "History")
		d.click("link", "three")
		d.see("Query of shop by pk = ?")
		return "done"
	}, nil},
	{"watch the stream of a table", func(d *person) string {
		d.click("link", "shop")
		d.click("link", "Stream")
		d.click("button", "Switch the stream on")
		return d.until(func() bool {
			return d.server.described(d.t, "shop").StreamSpecification != nil
		})
	}, nil},
	{"turn time to live on", func(d *person) string {
		d.settings()
		d.click("button", "Change Time to live")
		d.click("checkbox", "On")
		d.click("textbox", "Attribute of time to live")
		d.write("expires")
		d.press("Control+Enter")
		return d.until(func() bool {
			out, err := d.server.db.DescribeTimeToLive(d.t.Context(),
				&dynamodb.DescribeTimeToLiveInput{TableName: aws.String("shop")})
			return err == nil && out.TimeToLiveDescription.AttributeName != nil
		})
	}, nil},
	{"add an index", func(d *person) string {
		d.settings()
		d.click("button", "Add an index")
		d.click("textbox", "Name of the index")
		d.write("by-name")
		d.click("combobox", "Partition key of the index")
		d.write("name")
		d.press("Control+Enter")
		return d.until(func() bool {
			return len(d.server.described(d.t, "shop").GlobalSecondaryIndexes) == 1
		})
	}, nil},
	{"go from a table to another", func(d *person) string {
		d.page.click("link", "shop")
		d.see("items")
		d.click("link", "archive")
		d.await("heading", "archive")
		return "done"
	}, func(d *person) string {
		d.page.click("link", "shop")
		d.click("link", "Tables")
		d.click("link", "archive")
		d.await("link", "Meta")
		return "done"
	}},
	{"find the items beside an item", func(d *person) string {
		d.click("link", "shop")
		d.clickText("Person3", 1)
		d.press("Enter")
		d.clickOn(".follow a")
		d.see("5 items")
		return "done"
	}, nil},
	{"change what somebody has changed meanwhile", func(d *person) string {
		d.click("link", "shop")
		d.clickText("Person5", 2)
		d.write("Renamed")
		d.server.set(d.t, "CUSTOMER#5", "PROFILE", "name", str("Faster"))
		d.press("Control+Enter")
		d.see("Somebody was faster")
		assert.True(d.t, d.isNamed(5, "Faster")())
		return "it shows both, and asks"
	}, func(d *person) string {
		d.click("link", "shop")
		d.view("Person5")
		d.clickText("Person5", 2)
		d.write("Renamed")
		d.server.set(d.t, "CUSTOMER#5", "PROFILE", "name", str("Faster"))
		d.click("button", "Save")
		d.until(d.isNamed(5, "Renamed"))
		return "it overwrites the other change, and says nothing"
	}},
}

// has reports whether there is a table.
func (s *server) has(table string) bool {
	text, err := s.send("ListTables", strings.NewReader("{}"))
	return err == nil && strings.Contains(string(text), `"`+table+`"`)
}
