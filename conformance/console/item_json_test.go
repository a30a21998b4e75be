package console

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// things creates a table whose key is a number.
func (s *server) things(t *testing.T) {
	_, err := s.db.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("things"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeN}},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
	})
	require.NoError(t, err)
}

// writeJSON replaces the text of the editor of an item that is open.
func (p *page) writeJSON(text string) {
	p.t.Helper()
	p.await("textbox", "JSON")
	p.clickOn("dialog .editor")
	p.press("Control+a")
	p.typed(text)
}

// TestNewItemByJSON: JSON of either form makes an item, with or without a key in the form, and what
// can be read in two ways is asked.
func TestNewItemByJSON(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.things(t)
	texts := func(all ...types.AttributeValue) types.AttributeValue {
		return &types.AttributeValueMemberL{Value: all}
	}
	set := &types.AttributeValueMemberSS{Value: []string{"a"}}
	asMap := &types.AttributeValueMemberM{Value: attributes{"SS": texts(str("a"))}}
	for i, c := range []struct {
		name, text string
		reads      string // what the page says of the text
		answer     string // the button that says how to read it
		want       attributes
	}{
		{"plain", `{"id": 1002, "price": 19.99000000000000000000000000000000001, "on": true,
			"tags": ["a", 1], "none": null, "at": {"city": "Kyoto"}}`, "Read as plain JSON", "",
			attributes{"id": num("1002"), "price": num("19.99000000000000000000000000000000001"),
				"on":   &types.AttributeValueMemberBOOL{Value: true},
				"tags": texts(str("a"), num("1")),
				"none": &types.AttributeValueMemberNULL{Value: true},
				"at":   &types.AttributeValueMemberM{Value: attributes{"city": str("Kyoto")}}}},
		{"a key as text", `{"id": "1003"}`, "Read as plain JSON", "",
			attributes{"id": num("1003")}},
		{"DynamoDB's", `{"id": {"N": "1004"}, "tags": {"SS": ["a"]}}`, "Read as DynamoDB's JSON",
			"", attributes{"id": num("1004"), "tags": set}},
		{"plain with a type within", `{"id": 1005, "tags": {"SS": ["a"]}}`,
			"This can be read in two ways", "With types",
			attributes{"id": num("1005"), "tags": set}},
		{"plain with a map that looks like a type", `{"id": 1006, "tags": {"SS": ["a"]}}`,
			"This can be read in two ways", "As maps",
			attributes{"id": num("1006"), "tags": asMap}},
	} {
		t.Run(c.name, func(t *testing.T) {
			sample(t, i, 3)
			p := open(t, s, "#/tables/things/items")
			p.click("button", "New item")
			p.click("button", "JSON")
			p.writeJSON(c.text)
			p.see(c.reads)
			if c.answer != "" {
				p.press("Control+Enter")
				p.see("Say first how to read what can be read in two ways")
				p.accessible()
				p.picture("json-asks")
				p.click("button", c.answer)
			}
			p.accessible()
			p.picture("json-read")
			p.click("button", "Add to the changes")
			p.click("button", "1 change")
			p.click("button", "Send 1 change")
			p.see("1 change is applied")
			out, err := s.db.GetItem(t.Context(), &dynamodb.GetItemInput{
				TableName: aws.String("things"), Key: attributes{"id": c.want["id"]}})
			require.NoError(t, err)
			assert.Equal(t, c.want, out.Item)
		})
	}
}

// TestItemBetweenForms: what was written stays when somebody goes from one form to the other, and a
// key that is missing can be written there.
func TestItemBetweenForms(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.things(t)
	p := open(t, s, "#/tables/things/items")
	p.click("button", "New item")
	p.fill("Value of id", "7")
	p.click("button", "JSON")
	p.see("Read as DynamoDB's JSON")
	p.writeJSON(`{"name": "a"}`)
	p.see("Read as plain JSON")
	p.click("button", "Add to the changes")
	p.see("The item lacks the key attribute id")
	p.click("button", "Attributes")
	p.fill("Value of id", "8")
	p.fill("Value of name", "b")
	p.click("button", "JSON")
	p.writeJSON(`{"id": "x", "name": "b"}`)
	p.press("Control+Enter")
	p.see("The key id is a number, and this is none: x")
	p.writeJSON(`{"id": 8, "name": "b"}`)
	p.press("Control+Enter")
	p.click("button", "1 change")
	p.click("button", "Send 1 change")
	p.see("1 change is applied")
}
