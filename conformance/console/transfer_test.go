package console

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// items returns all items of a small table.
func (s *server) items(t *testing.T, table string) []attributes {
	out, err := s.db.Scan(t.Context(), &dynamodb.ScanInput{TableName: &table})
	require.NoError(t, err)
	return out.Items
}

// odd puts items that formats of files can get wrong.
func (s *server) odd(t *testing.T, table string) {
	s.putItem(t, table,
		attributes{
			"pk": str(" a,b "), "sk": str(`"quoted"`), "text": str("two\nlines, and a 界"),
			"number": num(digits38), "mixed": str("7"),
		})
	s.putItem(t, table,
		attributes{
			"pk": str("b"), "sk": str("return\r\n"), "mixed": num("-7E-100"), "empty": str(""),
			"none": &types.AttributeValueMemberNULL{Value: true},
		})
	s.putItem(t,
		table, attributes{"pk": str("__proto__"), "sk": str("c"), "__proto__": str("x"),
			"a:N": str("named as a type"), "yes": &types.AttributeValueMemberBOOL{Value: true},
			"sets":  &types.AttributeValueMemberNS{Value: []string{"1", "2"}},
			"bytes": &types.AttributeValueMemberB{Value: []byte{0, 255, 10}},
			"deep": &types.AttributeValueMemberM{
				Value: attributes{
					"list": &types.AttributeValueMemberL{
						Value: []types.AttributeValue{num("1"), str("<script>")},
					},
				},
			}})
}

// export exports the items of the view as DynamoDB JSON.
func (p *page) export(file string) []byte {
	p.t.Helper()
	p.click("button", "Export items")
	return p.download(file, func() { p.click("button", "Export") })
}

// TestExportAndImport: a table goes into a file of each format and comes back as it was.
func TestExportAndImport(t *testing.T) {
	t.Parallel()
	tests := []struct {
		format, file string
		compress     bool
	}{
		{"DynamoDB JSON", "odd.jsonl", false},
		{"DynamoDB JSON", "odd.jsonl.gz", true},
		{"CSV", "odd.csv", false},
	}
	s := serve(t)
	s.createTable(t, "odd")
	s.odd(t, "odd")
	want := s.items(t, "odd")
	for i, test := range tests {
		t.Run(test.file, func(t *testing.T) {
			sample(t, i, 2)
			p := open(t, s, "#/tables/odd/items")
			p.see("3 items")
			p.click("button", "Export items")
			p.click("button", test.format)
			if test.compress {
				p.click("checkbox", "Compress (gzip)")
			}
			p.accessible()
			p.picture("export")
			text := p.download(test.file, func() { p.click("button", "Export") })
			p.see("3 items are exported")

			table := strings.ReplaceAll(test.file, ".", "-")
			s.createTable(t, table)
			file := filepath.Join(t.TempDir(), test.file)
			require.NoError(t, os.WriteFile(file, text, 0o600))
			p = open(t, s, "#/tables/"+table+"/items")
			p.see("There are no items")
			p.click("button", "Import items")
			p.see("Drop a file here")
			p.accessible()
			p.giveFile("input[type=file]", file)
			p.see(digits38)
			p.accessible()
			p.picture("import")
			p.click("button", "Import")
			p.see("3 items are put")
			p.see("3 items")
			assert.ElementsMatch(t, want, s.items(t, table))
		})
	}
}

// TestExportOfAView: a query goes into a file with the columns that are shown.
func TestExportOfAView(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/tables/shop/items?p0=CUSTOMER%232&op=begins_with&s=ORDER%231")
	p.see("2 items")
	p.click("button", "Columns")
	for _, column := range []string{"address 1", "gift 1", "key 1", "placed 1", "state 1"} {
		p.click("checkbox", column)
	}
	p.press("Escape")
	p.click("button", "Export items")
	p.click("button", "5 columns of the view")
	p.click("button", "JSON")
	text := p.download("shop.json", func() { p.click("button", "Export") })
	assert.Equal(t, `[
{"pk":"CUSTOMER#2","sk":"ORDER#1","total":19.99},
{"pk":"CUSTOMER#2","quantity":2,"sk":"ORDER#1#LINE#1","sku":"A-1"}
]
`, sortedMembers(t, text))

	p.click("button", "Export items")
	p.click("button", "Whole table")
	p.click("button", "CSV")
	p.click("checkbox", "Types in the header, such as total:N")
	text = p.download("shop.csv", func() { p.click("button", "Export") })
	header, rest, _ := strings.Cut(string(text), "\r\n")
	assert.Equal(t, "pk,sk,quantity,sku,total", header[:len("pk,sk,quantity,sku,total")],
		"the columns of the view come first")
	assert.Equal(t, 54, strings.Count(rest, "\r\n"))
}

// TestExportOfAQuery: the export reads on over the pages of a request, and applies its filter.
func TestExportOfAQuery(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	filter := `[{"path":"state","op":"=","type":"S","value":"paid"}]`
	p := open(t, s,
		"#/tables/shop/query?"+
			url.Values{"limit": {"5"}, "filter": {filter}, "run": {"1"}}.Encode())
	p.see("Next page")
	text := p.export("shop.jsonl")
	assert.Equal(t, 6, strings.Count(string(text), `"paid"`), "the second order of each customer")
	assert.Equal(t, 6, strings.Count(string(text), "\n"))
}

// TestTransferInJapanese: the editor, the changes and the dialogs speak Japanese.
func TestTransferInJapanese(t *testing.T) {
	onlyInFull(t)
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/tables/shop/items?p0=CUSTOMER%232&item="+customer2Order1)
	p.see("Kyoto")
	p.choose("Language", "ja")
	p.click("button", "項目を編集")
	p.fill("total の値", "25")
	p.accessible()
	p.picture("edit-ja")
	p.click("button", "変更に追加")
	p.click("button", "変更 1 件")
	p.see("1 件のトランザクション")
	p.accessible()
	p.picture("changes-ja")
	p.click("button", "項目のエクスポート")
	p.see("このビュー")
	p.accessible()
	p.picture("export-ja")
	p.press("Escape")
	p.click("button", "項目のインポート")
	p.see("同じキーの項目は置き換えられます")
	p.accessible()
	p.picture("import-ja")
}

// sortedMembers returns a list of objects, an object each line, with their members in order: a page
// of items has them in none. It checks that numbers are as they were written.
func sortedMembers(t *testing.T, text []byte) string {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var items []map[string]any
	require.NoError(t, d.Decode(&items))
	lines := make([]string, len(items))
	for i, item := range items {
		line, err := json.Marshal(item)
		require.NoError(t, err)
		lines[i] = string(line)
	}
	return "[\n" + strings.Join(lines, ",\n") + "\n]\n"
}

// TestImportForms: files of other programs are recognized.
func TestImportForms(t *testing.T) {
	t.Parallel()
	item := attributes{"pk": str("a"), "sk": str("b"), "n": num(digits38)}
	tests := []struct {
		name, file, text string
		zip              bool
		item             attributes
	}{
		{"an export to S3", "data.json.gz",
			`{"Item":{"pk":{"S":"a"},"sk":{"S":"b"},"n":{"N":"` + digits38 + `"}}}` + "\n", true,
			item},
		{"the output of a scan", "scan.json", `{
    "Items": [
        {
            "pk": {"S": "a"}, "sk": {"S": "b"},
            "n": {"N": "` + digits38 + `"}
        }
    ],
    "Count": 1,
    "ConsumedCapacity": {"Table": {"CapacityUnits": 1}}
}`, false, item},
		{"a list without types", "list.json", `[{"pk": "a", "sk": "b", "n": ` + digits38 + `}]`,
			false, item},
		{"lines without types", "lines.ndjson", `{"pk": "a", "sk": "b", "n": ` + digits38 + `}`,
			false, item},
		{"CSV without types", "sheet.csv",
			"\ufeffpk,sk,n,zip,paid\r\na,b," + digits38 + ",01234,TRUE\r\n", false,
			attributes{"pk": str("a"), "sk": str("b"), "n": num(digits38), "zip": str("01234"),
				"paid": &types.AttributeValueMemberBOOL{Value: true}}},
	}
	s := serve(t)
	for i, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			sample(t, i, 3)
			table := fmt.Sprintf("table-%d", i)
			s.createTable(t, table)
			p := open(t, s, "#/tables/"+table+"/items")
			p.see("There are no items")
			p.dropFile(".empty", writeFile(t, test.file, test.text, test.zip))
			p.await("region", "The first items")
			p.click("button", "Import")
			p.see("1 item is put")
			assert.Equal(t, []attributes{test.item}, s.items(t, table))
		})
	}
}

func writeFile(t *testing.T, name, text string, zip bool) string {
	file := filepath.Join(t.TempDir(), name)
	var b bytes.Buffer
	b.WriteString(text)
	if zip {
		b.Reset()
		w := gzip.NewWriter(&b)
		io.WriteString(w, text) // a Buffer has no errors
		w.Close()
	}
	require.NoError(t, os.WriteFile(file, b.Bytes(), 0o600))
	return file
}

// TestImportErrors: what is wrong is listed by line, and the rest is put. Types of columns can be
// chosen.
func TestImportErrors(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "orders")
	p := open(t, s, "#/tables/orders/items")
	p.see("There are no items")
	p.click("button", "Import items")
	p.see("Drop a file here")
	p.giveFile("input[type=file]",
		writeFile(t, "orders.csv",
			"pk,sk,total:N,code\na,1,10,7\nb,2,ten,8\n,3,10,9\nd,4,10,\"two\nlines\"\ne,5,1,2,3\n",
			false))
	p.see("It has 5 cells, and the header has 4")
	p.choose("Type of column code", "S")
	p.accessible()
	p.picture("import-csv")
	p.click("button", "Import")
	p.see("3 errors")
	p.see("2 items are put")
	p.see("Line 3")
	p.see("cannot be converted to a numeric value: ten")
	p.see("Line 4")
	p.see("Line 7")
	p.accessible()
	p.picture("import-errors")
	p.prefers("dark")
	p.accessible()
	p.picture("import-errors-dark")
	assert.ElementsMatch(t, []attributes{
		{"pk": str("a"), "sk": str("1"), "total": num("10"), "code": str("7")},
		{"pk": str("d"), "sk": str("4"), "total": num("10"), "code": str("two\nlines")},
	}, s.items(t, "orders"))

	p.click("button", "Close")
	p.click("button", "Import items")
	p.see("Drop a file here")
	p.giveFile("input[type=file]", writeFile(t, "notes.txt", "no items", false))
	p.see("The file is neither JSON nor named .csv")
	p.accessible()
}

// TestImportTwice: of an item that is in a file twice, the last one stays.
func TestImportTwice(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "orders")
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, `{"pk":{"S":"a"},"sk":{"S":"%d"},"n":{"N":"%d"}}`+"\n", i%7, i)
	}
	p := open(t, s, "#/tables/orders/items")
	p.see("There are no items")
	p.dropFile(".empty", writeFile(t, "twice.jsonl", b.String(), false))
	p.click("button", "Import")
	p.see("300 items are put")
	items := s.items(t, "orders")
	require.Len(t, items, 7)
	for _, item := range items {
		assert.Contains(t,
			[]types.AttributeValue{num("293"), num("294"), num("295"), num("296"), num("297"),
				num("298"), num("299")}, item["n"])
	}
}

// TestTransferOfMany: a file of a million items is imported until somebody cancels, and many items
// are exported, while the page answers.
func TestTransferOfMany(t *testing.T) {
	onlyInFull(t)
	t.Parallel()
	const n = 1_000_000
	file := filepath.Join(t.TempDir(), "many.jsonl")
	f, err := os.Create(file)
	require.NoError(t, err)
	w := bufio.NewWriter(f)
	for i := range n {
		fmt.Fprintf(w, `{"pk":{"S":"DEVICE#%d"},"sk":{"S":"EVENT#%07d"},"value":{"N":"%d"}}`+"\n",
			i%10_000, i, i)
	}
	require.NoError(t, w.Flush())
	require.NoError(t, f.Close())

	s := serve(t)
	s.createTable(t, "events")
	p := open(t, s, "#/tables/events/items")
	p.see("There are no items")
	p.dropFile(".empty", file)
	p.see("EVENT#0000019")
	p.eval(`(() => { let last = performance.now(); window.longest = 0;
		requestAnimationFrame(function frame(now) { window.longest = Math.max(window.longest, now - last); last = now; requestAnimationFrame(frame) }) })()`, nil)
	p.click("button", "Import")
	p.eventually(func() (some bool) {
		return p.tryEval(`/[1-9][\d,]* items are put/.test(document.body.innerText)`,
			&some) == nil && some
	}, "items are put")
	p.click("button", "Cancel")
	p.see("What was put stays")
	var put int
	p.eval(`Number(/([\d,]+) items are put/.exec(document.body.innerText)[1].replaceAll(",", ""))`,
		&put)
	p.click("button", "Close")
	p.miss("What was put stays")
	p.click("button", "Export items")
	p.click("button", "CSV")
	text := p.download("events.csv", func() { p.click("button", "Export") })
	assert.GreaterOrEqual(t, bytes.Count(text, []byte("\n"))-1, put,
		"a batch on its way may come after the cancellation")
	var longest float64
	p.eval("window.longest", &longest)
	t.Logf("the longest time without a frame was %.0f ms", longest)
}
