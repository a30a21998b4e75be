package console

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// order returns an item of the table shop, nil if it is not there.
func (s *server) order(t *testing.T, pk, sk string) attributes {
	out, err := s.db.GetItem(t.Context(),
		&dynamodb.GetItemInput{
			TableName: aws.String("shop"), Key: attributes{"pk": str(pk), "sk": str(sk)},
			ConsistentRead: aws.Bool(true),
		})
	require.NoError(t, err)
	return out.Item
}

// set changes an attribute of an item of the table shop, as another program does.
func (s *server) set(t *testing.T, pk, sk, name string, value types.AttributeValue) {
	_, err := s.db.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
		TableName: aws.String("shop"), Key: attributes{"pk": str(pk), "sk": str(sk)},
		UpdateExpression:          aws.String("SET #n = :v"),
		ExpressionAttributeNames:  map[string]string{"#n": name},
		ExpressionAttributeValues: attributes{":v": value}})
	require.NoError(t, err)
}

const customer2Order1 = `%7B"pk":%7B"S":"CUSTOMER%232"%7D,"sk":%7B"S":"ORDER%231"%7D%7D`

// TestEditItem: an edit of a number, of a set and of a nested value waits over a reload, is sent in
// one transaction, and is undone.
func TestEditItem(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	before := s.order(t, "CUSTOMER#2", "ORDER#1")
	p := open(t, s, "#/tables/shop/items?p0=CUSTOMER%232&item="+customer2Order1)
	p.click("button", "Edit the item")
	p.fill("Value of total", digits38[1:]+".12")
	p.click("button", "Add to the changes")
	p.see("A number has 38 digits at most")
	p.accessible()
	p.picture("edit-fault")
	p.fill("Value of total", "-0.00000000000000000000000000000000000001234")
	p.fill("Value of city", "大阪")
	p.accessible()
	p.picture("edit")
	p.prefers("dark")
	p.accessible()
	p.picture("edit-dark")
	p.click("button", "Add to the changes")
	p.see("Changed, but not sent yet")
	p.see("大阪")
	assert.Equal(t, before, s.order(t, "CUSTOMER#2", "ORDER#1"), "nothing is sent yet")

	p.reload()
	p.click("button", "1 change")
	p.see("address.city")
	p.see("Kyoto")
	p.see("One transaction")
	p.accessible()
	p.picture("changes-dark")
	p.prefers("light")
	p.accessible()
	p.picture("changes")
	p.press("Control+Enter")
	p.see("1 change is applied")
	p.see("There are no changes to send")
	after := s.order(t, "CUSTOMER#2", "ORDER#1")
	assert.Equal(t, num("-0.00000000000000000000000000000000000001234"), after["total"])
	assert.Equal(t, str("大阪"), after["address"].(*types.AttributeValueMemberM).Value["city"])

	p.accessible()
	p.click("button", "Undo")
	p.see("1 item is as it was")
	assert.Equal(t, before, s.order(t, "CUSTOMER#2", "ORDER#1"))
}

// TestCreateDuplicateAndDelete: items come and go in the same transaction.
func TestCreateDuplicateAndDelete(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/tables/shop/items?p0=CUSTOMER%232")
	p.click("button", "New item")
	p.see("Add an attribute")
	p.fill("Value of pk", "CUSTOMER#2")
	p.fill("Value of sk", "NOTE#1")
	p.click("button", "Add an attribute")
	p.fill("Name of attribute 3", "tags")
	p.choose("Type of tags", "NS")
	p.click("button", "Add a member to tags")
	p.fill("Value of tags[0]", digits38)
	p.click("button", "Add a member to tags")
	p.fill("Value of tags[1]", "0.5")
	p.click("button", "Add an attribute")
	p.fill("Name of attribute 4", "seal")
	p.choose("Type of seal", "B")
	p.click("button", "Hex")
	p.fill("Value of seal", "ff 00 7f")
	p.accessible()
	p.picture("create")
	p.press("Control+Enter")
	p.miss("Add an attribute")

	p.focus("grid", "Items")
	p.press("End") // the last line of the last order
	p.press("Enter")
	p.click("button", "Duplicate the item")
	p.fill("Value of sk", "ORDER#9")
	p.click("button", "Add to the changes")
	p.click("button", "Delete the item")
	p.see("3 changes")
	p.see("Deleted")
	p.see(digits38)
	p.accessible()
	p.picture("changes-three")
	p.click("button", "Send 3 changes")
	p.see("3 changes are applied")
	note := s.order(t, "CUSTOMER#2", "NOTE#1")
	assert.ElementsMatch(t, []string{digits38, "0.5"},
		note["tags"].(*types.AttributeValueMemberNS).Value)
	assert.Equal(t, &types.AttributeValueMemberB{Value: []byte{0xff, 0, 0x7f}}, note["seal"])
	assert.NotEmpty(t, s.order(t, "CUSTOMER#2", "ORDER#9"))
	assert.Empty(t, s.order(t, "CUSTOMER#2", "PROFILE"),
		"the last item of the partition is deleted")
	p.click("button", "Undo")
	p.see("3 items are as they were")
	assert.Empty(t, s.order(t, "CUSTOMER#2", "NOTE#1"))
	assert.NotEmpty(t, s.order(t, "CUSTOMER#2", "PROFILE"))
}

// TestEditCells: values are changed in their cells by the keyboard alone.
func TestEditCells(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/tables/shop/items?p0=CUSTOMER%232&op=begins_with&s=ORDER%231%23LINE")
	p.see("A-1")
	p.focus("grid", "Items")
	for range 4 { // gift, quantity and sku follow the key
		p.press("ArrowRight")
	}
	p.press("F2")
	p.typed("seven") // the keys come at once
	p.press("Enter")
	p.accessible()
	p.press("Control+a")
	p.typed("7.50")
	p.press("Enter")
	p.see("1 change")
	p.see("7.50")
	p.press("ArrowLeft")
	p.press("F2")
	p.choose("Value of gift", "false")
	p.press("Enter")
	p.accessible()
	p.picture("cells")
	p.click("button", "1 change")
	p.click("button", "Send 1 change")
	p.see("1 change is applied")
	line := s.order(t, "CUSTOMER#2", "ORDER#1#LINE#1")
	assert.Equal(t, num("7.5"), line["quantity"])
	assert.Equal(t, &types.AttributeValueMemberBOOL{Value: false}, line["gift"])

	p.focus("grid", "Items")
	p.press("Delete")
	p.click("button", "Send 1 change")
	p.see("There are no items")
	assert.Empty(t, s.order(t, "CUSTOMER#2", "ORDER#1#LINE#1"))
}

// stageTotal stages an edit of the attributes total and placed of an order.
func stageTotal(p *page) {
	p.click("button", "Edit the item")
	p.fill("Value of total", "25")
	p.fill("Value of placed", "2026-02-02")
	p.click("button", "Add to the changes")
	p.click("button", "1 change")
	p.await("button", "Send 1 change")
}

// TestConflict: somebody else changes an item after it was read.
func TestConflict(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		decide func(p *page)
		total  types.AttributeValue
		placed types.AttributeValue
		seen   types.AttributeValue // the attribute that another has added
	}{
		{"take theirs", func(p *page) {
			p.click("button", "Take theirs")
			p.see("There are no changes to send")
		}, num("30"), str("2026-01-02"), str("by another")},
		{"keep mine", func(p *page) {
			p.click("button", "Keep mine")
			p.see("by another") // the edit removes it now
			p.click("button", "Send 1 change")
			p.see("1 change is applied")
		}, num("25"), str("2026-02-02"), nil},
		{"merge", func(p *page) {
			p.click("radio", "Take theirs for total")
			p.click("button", "Merge")
			p.click("button", "Send 1 change")
			p.see("1 change is applied")
		}, num("30"), str("2026-02-02"), str("by another")},
	}
	s := serve(t)
	s.shop(t)
	for i, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			sample(t, i, 2)
			pk := fmt.Sprintf("CUSTOMER#%d", i+2)
			item := strings.ReplaceAll(customer2Order1, "CUSTOMER%232",
				fmt.Sprintf("CUSTOMER%%23%d", i+2))
			p := open(t, s,
				"#/tables/shop/items?p0="+strings.ReplaceAll(pk, "#", "%23")+"&item="+item)
			stageTotal(p)
			s.set(t, pk, "ORDER#1", "total", num("30"))
			s.set(t, pk, "ORDER#1", "seen", str("by another"))
			p.click("button", "Send 1 change")
			p.see("Somebody was faster")
			p.see("by another")
			p.accessible()
			p.picture("conflict")
			test.decide(p)
			after := s.order(t, pk, "ORDER#1")
			assert.Equal(t, test.total, after["total"])
			assert.Equal(t, test.placed, after["placed"])
			assert.Equal(t, test.seen, after["seen"])
		})
	}
}

// TestOtherConflicts: somebody deletes the item, creates it, or makes the same of it.
func TestOtherConflicts(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	t.Run("deleted", func(t *testing.T) {
		p := open(t, s, "#/tables/shop/items?p0=CUSTOMER%232&item="+customer2Order1)
		stageTotal(p)
		_, err := s.db.DeleteItem(t.Context(),
			&dynamodb.DeleteItemInput{
				TableName: aws.String("shop"),
				Key:       attributes{"pk": str("CUSTOMER#2"), "sk": str("ORDER#1")},
			})
		require.NoError(t, err)
		p.click("button", "Send 1 change")
		p.see("Somebody has deleted the item")
		p.accessible()
		p.click("button", "Keep mine")
		p.click("button", "Send 1 change")
		p.see("1 change is applied")
		assert.Equal(t, num("25"), s.order(t, "CUSTOMER#2", "ORDER#1")["total"])
	})
	t.Run("created", func(t *testing.T) {
		p := open(t, s, "#/tables/shop/items?p0=CUSTOMER%233")
		p.click("button", "New item")
		p.fill("Value of pk", "CUSTOMER#3")
		p.fill("Value of sk", "NOTE")
		p.press("Control+Enter")
		p.click("button", "1 change")
		s.putItem(t, "shop",
			attributes{"pk": str("CUSTOMER#3"), "sk": str("NOTE"), "by": str("another")})
		p.click("button", "Send 1 change")
		p.see("Somebody has created an item with this key")
		p.accessible()
		p.click("button", "Merge")
		p.see("There are no changes to send") // the merged item is theirs
	})
	t.Run("the same", func(t *testing.T) {
		onlyInFull(t)
		p := open(t, s,
			"#/tables/shop/items?p0=CUSTOMER%234&item="+
				strings.ReplaceAll(customer2Order1, "232", "234"))
		stageTotal(p)
		s.set(t, "CUSTOMER#4", "ORDER#1", "total", num("25"))
		s.set(t, "CUSTOMER#4", "ORDER#1", "placed", str("2026-02-02"))
		p.click("button", "Send 1 change")
		p.see("There are no changes to send")
		p.eventually(func() bool { return len(p.find("button", "Undo")) == 0 },
			"what another has made cannot be undone")
	})
}

// TestMergeMaps: members of maps are merged one by one.
func TestMergeMaps(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/tables/shop/items?p0=CUSTOMER%232&item="+customer2Order1)
	p.click("button", "Edit the item")
	p.fill("Value of city", "Osaka")
	p.click("button", "Add to the changes")
	p.click("button", "1 change")
	p.await("button", "Send 1 change")
	s.set(t, "CUSTOMER#2", "ORDER#1", "address",
		&types.AttributeValueMemberM{
			Value: attributes{"city": str("Kyoto"), "zip": str("600-8216")},
		})
	p.click("button", "Send 1 change")
	p.see("address.zip")
	p.click("button", "Merge")
	p.click("button", "Send 1 change")
	p.see("1 change is applied")
	assert.Equal(t, attributes{"city": str("Osaka"), "zip": str("600-8216")},
		s.order(t, "CUSTOMER#2", "ORDER#1")["address"].(*types.AttributeValueMemberM).Value)
}

// TestRefusedEdit: the service refuses an edit, which says why, and the others of its transaction
// wait.
func TestRefusedEdit(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/tables/shop/items?p0=CUSTOMER%232&item="+customer2Order1)
	p.click("button", "Edit the item")
	p.choose("Type of state", "BOOL")
	p.click("button", "Add to the changes")
	p.click("button", "1 change")
	p.click("button", "Send 1 change")
	p.see("Type mismatch for Index Key state")
	p.accessible()
	p.click("button", "Edit the change of CUSTOMER#2 · ORDER#1")
	p.choose("Type of state", "S")
	p.fill("Value of state", "lost")
	p.click("button", "Add to the changes")
	p.miss("Type mismatch")
	p.click("button", "Send 1 change")
	p.see("1 change is applied")
	assert.Equal(t, str("lost"), s.order(t, "CUSTOMER#2", "ORDER#1")["state"])
}

// TestEditAsJSON: an item is edited as DynamoDB's JSON, whose faults are named.
func TestEditAsJSON(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/tables/shop/items?p0=CUSTOMER%232&item="+customer2Order1)
	p.click("button", "Edit the item")
	p.see("Add to the changes")
	// the panel behind the dialog has such a choice, too
	p.clickOn("dialog .choice button:nth-child(2)")
	p.writeJSON(`{"pk": {"S": "CUSTOMER#2"}, "sk": {"S": "ORDER#2"}, "n": {"N": 5}}`)
	p.press("Control+Enter")
	p.see("n: 5 is no value of the type N")
	p.accessible()
	p.press("Control+a")
	p.typed(`{"pk": {"S": "CUSTOMER#2"}, "sk": {"S": "ORDER#2"}, "n": {"N": "5"}}`)
	p.press("Control+Enter")
	p.see("An item keeps its key: duplicate it to have another one")
	p.press("Control+a")
	p.typed(`{"pk": {"S": "CUSTOMER#2"}, "sk": {"S": "ORDER#1"}, "n": {"N": "` + digits38 + `"}}`)
	p.press("Control+Enter")
	p.click("button", "1 change")
	p.click("button", "Send 1 change")
	p.see("1 change is applied")
	assert.Equal(t, attributes{"pk": str("CUSTOMER#2"), "sk": str("ORDER#1"), "n": num(digits38)},
		s.order(t, "CUSTOMER#2", "ORDER#1"))
}

// TestLongDifference: texts that differ far behind are shown from there.
func TestLongDifference(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "shop")
	s.putItem(t, "shop",
		attributes{
			"pk": str("a"), "sk": str("b"), "text": str(strings.Repeat("same ", 1000) + "before"),
		})
	p := open(t, s, `#/tables/shop/items?item=%7B"pk":%7B"S":"a"%7D,"sk":%7B"S":"b"%7D%7D`)
	p.click("button", "Edit the item")
	p.fill("Value of text", strings.Repeat("same ", 1000)+"after")
	p.click("button", "Add to the changes")
	p.click("button", "1 change")
	p.see("same before")
	p.see("same after")
}

// TestHostileEdits: names and values that try to script are edited, merged, imported and exported
// as what they are.
func TestHostileEdits(t *testing.T) {
	t.Parallel()
	const script = `<img src=x onerror="window.hurt=1">`
	s := serve(t)
	s.createTable(t, "shop")
	item := attributes{"pk": str(script), "sk": str("javascript:window.hurt=1"),
		script: str(script), "__proto__": str("polluted"),
		"constructor": &types.AttributeValueMemberM{Value: attributes{"__proto__": num("1")}}}
	s.putItem(t, "shop", item)
	p := open(t, s, "#/tables/shop/items")
	p.see("onerror")
	text := p.export("shop.jsonl")
	p.focus("grid", "Items")
	p.press("Enter")
	p.click("button", "Edit the item")
	p.fill("Value of __proto__", "changed")
	p.accessible()
	p.picture("hostile-edit")
	p.click("button", "Add to the changes")
	p.click("button", "1 change")
	s.set(t, script, "javascript:window.hurt=1", script, str(script+script))
	p.click("button", "Send 1 change")
	p.see("Somebody was faster")
	p.accessible()
	p.click("button", "Merge")
	p.click("button", "Send 1 change")
	p.see("1 change is applied")
	after := s.order(t, script, "javascript:window.hurt=1")
	assert.Equal(t, str("changed"), after["__proto__"])
	assert.Equal(t, str(script+script), after[script])

	p.dropFile(".grid", writeFile(t, "hostile.jsonl", string(text), false))
	p.click("button", "Import")
	p.see("1 item is put")
	assert.Equal(t, item, s.order(t, script, "javascript:window.hurt=1"))
	var hurt bool
	p.eval("window.hurt === 1 || ({}).polluted !== undefined", &hurt)
	assert.False(t, hurt)
}

// TestLargeChanges: edits of more than 4 MB are sent in parts.
func TestLargeChanges(t *testing.T) {
	onlyInFull(t)
	t.Parallel()
	s := serve(t)
	s.createTable(t, "shop")
	p := open(t, s, "#/tables/shop/items")
	p.see("There are no items")
	p.eval(`localStorage.setItem("kugiri.edits." + JSON.stringify(["", "test", "us-east-1", "shop"]),
		JSON.stringify(Array.from({length: 12}, (_, i) => ({mine: {pk: {S: "LARGE"}, sk: {S: String(i)}, text: {S: "界".repeat(126000)}}}))))`, nil)
	p.reload()
	p.click("button", "12 changes")
	p.see("2 transactions")
	p.click("button", "Send 12 changes")
	p.see("12 changes are applied")
	p.see("12 items")
}

// TestManyChanges: more than a transaction takes is sent in parts, and said before.
func TestManyChanges(t *testing.T) {
	onlyInFull(t)
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/tables/shop/items")
	p.see("54 items")
	p.eval(stageMany, nil)
	p.reload()
	p.click("button", "230 changes")
	p.see("3 transactions")
	p.accessible()
	p.click("button", "Send 230 changes")
	p.see("230 changes are applied")
	out, err := s.db.Scan(t.Context(),
		&dynamodb.ScanInput{TableName: aws.String("shop"), Select: types.SelectCount})
	require.NoError(t, err)
	assert.EqualValues(t, 54+230, out.Count)
	p.click("button", "Undo")
	p.see("230 items are as they were")
	out, err = s.db.Scan(t.Context(),
		&dynamodb.ScanInput{TableName: aws.String("shop"), Select: types.SelectCount})
	require.NoError(t, err)
	assert.EqualValues(t, 54, out.Count)
}

// stageMany has the browser keep a list as somebody makes it who works for an hour.
const stageMany = `localStorage.setItem("kugiri.edits." + JSON.stringify(["", "test", "us-east-1", "shop"]),
	JSON.stringify(Array.from({length: 230}, (_, i) => ({mine: {pk: {S: "MANY"}, sk: {S: String(i)}}}))))`

// TestLargeItem: an item has more attributes than a condition has room for.
func TestLargeItem(t *testing.T) {
	onlyInFull(t)
	t.Parallel()
	s := serve(t)
	s.createTable(t, "shop")
	item := attributes{"pk": str("a"), "sk": str("b")}
	for i := range 400 {
		item[fmt.Sprintf("attribute-%03d", i)] = str(strings.Repeat("x", 900))
	}
	s.putItem(t, "shop", item)
	p := open(t, s, `#/tables/shop/items?item=%7B"pk":%7B"S":"a"%7D,"sk":%7B"S":"b"%7D%7D`)
	p.click("button", "Edit the item")
	p.fill("Value of attribute-050", "changed")
	p.click("button", "Add to the changes")
	p.click("button", "1 change")
	p.see("of 402 attributes are compared")
	p.accessible()
	p.click("button", "Send 1 change")
	p.see("1 change is applied")
	assert.Equal(t, str("changed"), s.order(t, "a", "b")["attribute-050"])
}

// TestEditsWithoutKugiri: another service has no forks. Edits are undone by what they were made
// from.
func TestEditsWithoutKugiri(t *testing.T) {
	t.Parallel()
	s := start(t, "serve", "--port", "0")
	s.shop(t)
	before := s.order(t, "CUSTOMER#2", "ORDER#1")
	of := start(t, "console", "--endpoint", s.url, "--port", "0")
	p := open(t, of, of.fragment)
	p.see("shop")
	p.click("switch", "Allow writing")
	p.click("link", "shop")
	p.see("CUSTOMER#2")
	p.fill("Partition key pk", "CUSTOMER#2")
	p.press("Enter")
	p.eval(`location.hash += "&item=`+strings.ReplaceAll(customer2Order1, `"`, `\"`)+`"`, nil)
	stageTotal(p)
	p.click("button", "Send 1 change")
	p.see("1 change is applied")
	assert.Equal(t, num("25"), s.order(t, "CUSTOMER#2", "ORDER#1")["total"])
	p.click("button", "Undo")
	p.see("1 item is as it was")
	assert.Equal(t, before, s.order(t, "CUSTOMER#2", "ORDER#1"))
}
