package console

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
)

type attributes = map[string]types.AttributeValue

func str(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
func num(n string) types.AttributeValue { return &types.AttributeValueMemberN{Value: n} }

const digits38 = "12345678901234567890123456789012345678"

// shop creates the table shop, with an index by state, and fills it with customers and their
// orders.
func (s *server) shop(t *testing.T) {
	key := func(name string, kind types.KeyType) types.KeySchemaElement {
		return types.KeySchemaElement{AttributeName: &name, KeyType: kind}
	}
	text := func(name string) types.AttributeDefinition {
		return types.AttributeDefinition{
			AttributeName: &name, AttributeType: types.ScalarAttributeTypeS,
		}
	}
	_, err := s.db.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("shop"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{text("pk"), text("sk"), text("state"),
			text("placed")},
		KeySchema: []types.KeySchemaElement{key("pk", types.KeyTypeHash),
			key("sk", types.KeyTypeRange)},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
			IndexName:  aws.String("by-state"),
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly},
			KeySchema: []types.KeySchemaElement{key("state", types.KeyTypeHash),
				key("placed", types.KeyTypeRange)},
		}},
	})
	require.NoError(t, err)
	for c := range 6 {
		pk := fmt.Sprintf("CUSTOMER#%d", c)
		s.putItem(t,
			"shop", attributes{"pk": str(pk), "sk": str("PROFILE"),
				"name": str(fmt.Sprintf("Customer %d", c)), "mail": str("c@example.com"),
				"credit": num(digits38),
				"tags":   &types.AttributeValueMemberSS{Value: []string{"loyal", "newsletter"}}})
		for o := range 4 {
			sk := fmt.Sprintf("ORDER#%d", o)
			s.putItem(t,
				"shop", attributes{"pk": str(pk), "sk": str(sk),
					"state":  str([]string{"open", "paid", "sent"}[o%3]),
					"placed": str(fmt.Sprintf("2026-01-%02d", o+1)),
					"total":  num("19.990"),
					"key":    &types.AttributeValueMemberB{Value: []byte("kugiri")},
					"address": &types.AttributeValueMemberM{
						Value: attributes{"city": str("Kyoto"),
							"lines": &types.AttributeValueMemberL{
								Value: []types.AttributeValue{str("1-2-3"), num("4")},
							}},
					}})
			s.putItem(t, "shop",
				attributes{
					"pk": str(pk), "sk": str(sk + "#LINE#1"), "sku": str("A-1"),
					"quantity": num("2"), "gift": &types.AttributeValueMemberBOOL{Value: true},
				})
		}
	}
}

func (s *server) putItem(t *testing.T, table string, item attributes) {
	_, err := s.db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: item})
	require.NoError(t, err)
}

func TestItemsOfATable(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/tables/shop/items")
	p.see("54 items")
	p.see("CUSTOMER#1")
	p.see(digits38)
	p.accessible()
	p.picture("items")
	p.prefers("dark")
	p.accessible()
	p.picture("items-dark")
}

func TestItemCollection(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/tables/shop/items")
	p.see("54 items")
	p.fill("Partition key pk", "CUSTOMER#3")
	p.choose("Comparison of the sort key", "begins_with")
	p.fill("Sort key sk", "ORDER#1")
	p.press("Enter")
	p.see("2 items")
	p.see("ORDER#1#LINE#1")
	p.click("button", "Descending")
	p.see("2 items")
	var hash string
	p.eval("location.hash", &hash)
	assert.Equal(t, "#/tables/shop/items?p0=CUSTOMER%233&op=begins_with&s=ORDER%231&desc=1", hash)

	q := open(t, s, hash) // somebody else follows the link
	q.see("2 items")
	q.see("ORDER#1#LINE#1")
	q.click("button", "Clear")
	q.see("54 items")
}

func TestGroupsOfItems(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/tables/shop/items")
	p.click("button", "Group by item collection")
	p.see("9 items")
	p.accessible()
	p.picture("items-grouped")
	p.clickOn(".collection-head")
	p.eventually(func() bool { return p.count(".collection-head[aria-expanded=false]") == 1 },
		"the collection is closed")
}

// TestItem: one item with its nested values, its JSON, and the way to an index and to a parent.
func TestItem(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/tables/shop/items?p0=CUSTOMER%232&op=begins_with&s=ORDER%231")
	p.see("2 items")
	p.press("Tab")
	p.focus("grid", "Items")
	p.press("Enter")
	p.see("Kyoto")
	p.see("19.99")
	p.accessible()
	p.picture("item")
	p.click("button", "Hex")
	p.see("6b 75 67 69 72 69")
	p.click("button", "Text")
	p.see("kugiri")
	p.click("button", "JSON")
	p.see(`"N": "19.99"`)

	p.clickOn(`.follow a[href*="index=by-state"]`)
	p.see("6 items")
	p.see("by-state")
	p.miss("ORDER#0")

	p = open(t, s,
		"#/tables/shop/items?item="+
			`%7B"pk":%7B"S":"CUSTOMER%232"%7D,"sk":%7B"S":"ORDER%231%23LINE%231"%7D%7D`)
	p.see("A-1")
	p.click("button", "Look for parents")
	p.clickOn(`.follow a:last-child`)
	p.see("Kyoto")
}

// requests counts the requests of a page to the tables.
func (p *page) requests() (n int) {
	p.t.Helper()
	p.eval(`performance.getEntriesByType("resource")
		.filter((e) => e.name.endsWith("/dynamodb")).length`, &n)
	return n
}

// TestOpeningAnItemCostsOneGetItem: what is beside an item is read once somebody asks for it, and
// the page says what it costs.
func TestOpeningAnItemCostsOneGetItem(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/tables/shop/items?p0=CUSTOMER%232")
	p.see("9 items")
	p.settle()
	before := p.requests()
	p.focus("grid", "Items")
	p.press("ArrowDown")
	p.press("Enter")
	p.see("Opened by one GetItem: 0.5 RCU on DynamoDB.")
	p.settle()
	assert.Equal(t, before+1, p.requests())
	p.click("button", "Look for parents")
	p.see("CUSTOMER#2 · ORDER#0")
	p.accessible()
	p.picture("parents")
	p.settle() // a browser counts a request a moment after its answer
	assert.Equal(t, before+2, p.requests())
}

// TestCostsAreSaid: each view says what it costs on DynamoDB.
func TestCostsAreSaid(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/tables/shop/items?p0=CUSTOMER%232")
	p.see("0.5 RCU")
	p.eval(`void (location.hash = "#/tables/shop/query?p0=CUSTOMER%232")`, nil)
	p.see("reads 9, returns 9, 0.5 RCU")
	p.eval(`void (location.hash = "#/tables/shop/info")`, nil)
	p.see("To describe tables costs nothing on DynamoDB.")
	p.eval(`void (location.hash = "#/tables/shop/stream")`, nil)
	p.click("button", "Switch the stream on")
	p.see("Each look costs a read request unit of streams on DynamoDB.")
	p.accessible()
}

// TestCompareItems: what differs between two items that are selected, and plain JSON beside that of
// DynamoDB.
func TestCompareItems(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/tables/shop/items?p0=CUSTOMER%232&item="+customer2Order1)
	p.click("button", "Plain JSON")
	p.see(`"total": 19.99`)
	p.see(`"city": "Kyoto"`)
	p.accessible()
	p.click("checkbox", "Select CUSTOMER#2 · ORDER#1")
	p.click("checkbox", "Select CUSTOMER#2 · ORDER#2")
	p.click("button", "Compare")
	p.see("What differs between the two")
	p.see("2026-01-03")
	p.see("sent")
	p.accessible()
	p.picture("compare-items")
}

func TestColumns(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/tables/shop/items")
	p.see("54 items")
	p.await("columnheader", "mail")
	p.click("button", "Columns")
	p.accessible()
	p.clickOn(`dialog label:nth-of-type(4)`)
	p.press("Escape")
	p.eventually(func() bool { return p.count("[role=columnheader]:not(.select)") == 13 },
		"one of 14 columns is gone")

	p.focusOn("[role=separator]")
	width := p.width("[role=columnheader]:not(.select)")
	p.press("ArrowRight")
	p.eventually(func() bool { return p.width("[role=columnheader]:not(.select)") == width+16 },
		"the column is wider")
	p.reload()
	p.see("54 items")
	p.eventually(func() bool { return p.width("[role=columnheader]:not(.select)") == width+16 },
		"the width is kept")
}

// TestItemsBeforeAllAreRead: a table shows its first items, and reads on when somebody scrolls.
func TestItemsBeforeAllAreRead(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "orders")
	s.put(t, "orders", 450)
	p := open(t, s, "#/tables/orders/items")
	p.see("100 of about 450 items") // the grid has no row to go to before them
	p.focus("grid", "Items")
	p.press("End")
	p.miss("of about")
	p.press("End")
	p.eventually(func() bool { return p.count(`[aria-rowindex="451"]`) == 1 },
		"the last row is in sight")
	assert.Less(t, p.count("[role=row]"), 100, "rows out of sight are not in the page")
}

// hostile is an item whose names and values try to run, and that is as deep and as long as it can
// be.
func hostile() attributes {
	const script = `<img src=x onerror="window.hurt=1"><script>window.hurt=1</script>`
	deep := str("the bottom")
	for range 31 {
		deep = &types.AttributeValueMemberM{Value: attributes{"d": deep}}
	}
	return attributes{"pk": str(script), "sk": str("javascript:window.hurt=1"), script: str(script),
		"__proto__": str("polluted"), "constructor": str("x"),
		"toString": num("1"), "deep": deep, "long": str(strings.Repeat("界", 120_000))}
}

// unhurt checks that nothing of a hostile item has run.
func (p *page) unhurt() {
	p.t.Helper()
	var hurt bool
	p.eval("window.hurt === 1 || ({}).polluted !== undefined", &hurt)
	assert.False(p.t, hurt)
}

// TestHostileItems: what is in a table is shown, and never run.
func TestHostileItems(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "hostile")
	s.putItem(t, "hostile", hostile())
	p := open(t, s, "#/tables/hostile/items")
	p.see("1 item")
	p.see("onerror")
	p.focus("grid", "Items")
	p.press("Home")
	p.press("Enter")
	p.see("polluted")
	p.accessible()
	p.see("Show all")
	p.click("button", "JSON")
	p.see("polluted")
	p.unhurt()
	p.picture("hostile")
}

// TestEntitiesOfThePolicy: items have the color and the name of their entity in the policy.
func TestEntitiesOfThePolicy(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "policy.yaml")
	require.NoError(t, os.WriteFile(file, []byte(`
tables:
  - name: shop
    role: data
    entities: [{name: patron, prefix: CUSTOMER, sort: "PROFILE"}]
`), 0o600))
	s := serve(t, "--policy", file)
	s.createTable(t, "shop")
	s.putItem(t, "shop",
		attributes{"pk": str("CUSTOMER#t1"), "sk": str("PROFILE"), "version": num("0")})
	p := open(t, s, "#/tables/shop/items")
	p.see("CUSTOMER#t1")
	p.see("patron")
}

// TestManyItems: a table of 100,000 items, or in full of a million, is there at once, and reads on
// from where one is.
func TestManyItems(t *testing.T) {
	t.Parallel()
	items, shown := 100_000, "100,000"
	if isFull() {
		items, shown = 1_000_000, "1,000,000"
	}
	s := serve(t)
	s.createTable(t, "events")
	s.putMany(t, "events", items)
	p := open(t, s, "#/tables")
	p.see(shown)
	p.call("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": `
		(function look() { if (document.querySelector(".row .value")) setTimeout(() => { window.firstRow = performance.now() }); else requestAnimationFrame(look); })()`}, nil)
	for range 3 {
		p.call("Page.navigate", map[string]any{"url": "about:blank"}, nil)
		p.call("Page.navigate",
			map[string]any{"url": s.url + "/_kugiri/console/#/tables/events/items"}, nil)
		p.see("of about " + shown + " items")
		var first float64
		p.eventually(
			func() bool { return p.tryEval("window.firstRow ?? 0", &first) == nil && first > 0 },
			"there is a row")
		t.Logf("the first item was shown after %.0f ms", first)
	}
	p.focus("grid", "Items")
	p.eventually(func() bool {
		p.press("End")
		return p.shows("3,100 of about " + shown + " items")
	}, "it reads on")
	p.eventually(func() bool { return p.count(`.row.active`) == 1 },
		"the row of the keyboard is in sight")
	assert.Less(t, p.count("[role=row]"), 100, "rows out of sight are not in the page")
	p.accessible()
	p.picture("many-items")
	heap, nodes := p.memory()
	assert.Less(t, nodes, 10_000.0)
	assert.Less(t, heap, 25e6, "the items of a page of 3,100")
}

// TestManyItemsToTheEnd: 100,000 items that are scrolled to the end fit in the memory of a page.
func TestManyItemsToTheEnd(t *testing.T) {
	onlyInFull(t)
	t.Parallel()
	const items, shown, most = 100_000, "100,000", 60e6
	s := serve(t)
	s.createTable(t, "events")
	s.putMany(t, "events", items)
	p := open(t, s, "#/tables/events/items")
	p.see("of about " + shown + " items")
	p.focus("grid", "Items")
	p.eventually(func() bool {
		p.press("End")
		return p.count(".row") > 0 && p.shows(shown+" items") && !p.shows("of about")
	}, "it reads to the end")
	heap, nodes := p.memory()
	t.Logf("%s items: %.0f MB of objects, %.0f nodes; %s", shown, heap/1e6, nodes, p.renderers())
	assert.Less(t, nodes, 10_000.0)
	assert.Less(t, heap, most)
}

// renderers says what memory the processes of pages have.
func (p *page) renderers() string {
	var out struct {
		ProcessInfo []struct {
			Type string
			ID   int
		}
	}
	p.browserCall("SystemInfo.getProcessInfo", nil, &out)
	text := ""
	for _, one := range out.ProcessInfo {
		if one.Type != "renderer" {
			continue
		}
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", one.ID))
		for line := range strings.Lines(string(status)) {
			if strings.HasPrefix(line, "RssAnon") || strings.HasPrefix(line, "VmRSS") {
				text += fmt.Sprintf("%d %s ", one.ID, strings.Join(strings.Fields(line), " "))
			}
		}
	}
	return text
}

// memory returns the bytes of JavaScript objects in use, and how many nodes the page has.
func (p *page) memory() (heap, nodes float64) {
	p.t.Helper()
	p.call("Performance.enable", nil, nil)
	p.call("HeapProfiler.collectGarbage", nil, nil)
	var out struct {
		Metrics []struct {
			Name  string
			Value float64
		}
	}
	p.call("Performance.getMetrics", nil, &out)
	for _, m := range out.Metrics {
		switch m.Name {
		case "JSHeapUsedSize":
			heap = m.Value
		case "Nodes":
			nodes = m.Value
		}
	}
	return heap, nodes
}

// putMany puts small items, in requests that are made without the SDK, as that takes much longer.
func (s *server) putMany(t *testing.T, table string, items int) {
	const size = 25
	var group errgroup.Group
	group.SetLimit(4)
	for from := 0; from < items; from += size {
		group.Go(func() error {
			var b bytes.Buffer
			fmt.Fprintf(&b, `{"RequestItems":{%q:[`, table)
			for i := from; i < from+size; i++ {
				if i > from {
					b.WriteByte(',')
				}
				fmt.Fprintf(&b,
					`{"PutRequest":{"Item":{"pk":{"S":"DEVICE#%d"},"sk":{"S":"EVENT#%07d"},"value":{"N":"%d"}}}}`, i%10_000, i, i)
			}
			b.WriteString(`]}}`)
			_, err := s.send("BatchWriteItem", &b)
			return err
		})
	}
	require.NoError(t, group.Wait())
}
