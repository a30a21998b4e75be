package console

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
)

// TestTransaction: a transaction over two tables with a condition is refused as a whole, says which
// action was, is sent, and is undone.
func TestTransaction(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	s.createTable(t, "stock")
	s.putItem(t, "stock", attributes{"pk": str("A-1"), "sk": str("HEAD"), "left": num("1")})
	stock := func() attributes {
		out, err := s.db.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("stock"),
			Key: attributes{"pk": str("A-1"), "sk": str("HEAD")}})
		if err != nil {
			t.Error(err)
			return nil
		}
		return out.Item
	}
	p := open(t, s, "#/transaction")
	p.see("A transaction has no actions yet")
	p.accessible()
	p.click("button", "Add an action")
	p.choose("Table of action 1", "shop")
	p.see("The key is pk, sk.")
	p.fill("Item of action 1", `{"pk": "CUSTOMER#2", "sk": "ORDER#9", "total": 5}`)
	p.click("button", "Add an action")
	p.choose("Table of action 2", "stock")
	p.clickOn(`[aria-label="Action 2"] .choice button:nth-child(2)`) // Update
	p.fill("Key of action 2", `{"pk": {"S": "A-1"}, "sk": {"S": "HEAD"}}`)
	p.press("Control+Enter")
	p.see("An Update sets or removes an attribute")
	p.fill("Set by action 2, as JSON", `{"left": 0}`)
	p.see(`"UpdateExpression": "SET #left = :left"`)
	p.clickOn(`[aria-label="Action 2"] .filters > .button`)
	p.write("Attribute of condition 1", "left")
	p.choose("Type: Value of condition 1", "N")
	p.fill("Value of condition 1", "7")
	p.see(`"ConditionExpression": "#left = :left2"`)
	p.accessible()
	p.picture("transaction")
	p.press("Control+Enter")
	p.see("ConditionalCheckFailed: The conditional request failed")
	assert.Empty(t, s.order(t, "CUSTOMER#2", "ORDER#9"), "nothing is applied")

	p.fill("Value of condition 1", "1")
	p.click("button", "Send 2 actions")
	p.see("The transaction is applied")
	assert.Equal(t, num("0"), stock()["left"])
	assert.Equal(t, num("5"), s.order(t, "CUSTOMER#2", "ORDER#9")["total"])
	p.see("shop · CUSTOMER#2 · ORDER#9")
	p.accessible()
	p.prefers("dark")
	p.accessible()
	p.picture("transaction-sent-dark")
	p.resize(390, 844)
	assert.Empty(t, p.cut())
	p.picture("transaction-390")
	p.click("button", "Undo")
	p.see("2 items are as they were")
	assert.Equal(t, num("1"), stock()["left"])
	assert.Empty(t, s.order(t, "CUSTOMER#2", "ORDER#9"))
	p.reload()
	p.await("textbox", "Item of action 1") // what was written stays
	p.click("button", "Clear")
	p.click("button", "Throw away")
	p.see("A transaction has no actions yet")
}
