package console

import (
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// createTable creates a table with the key pk, sk.
func (s *server) createTable(t *testing.T, name string) {
	_, err := s.db.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: &name, BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS}, {AttributeName: aws.String("sk"), AttributeType: types.ScalarAttributeTypeS}},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash}, {AttributeName: aws.String("sk"), KeyType: types.KeyTypeRange}},
	})
	require.NoError(t, err)
}

// put puts items that have a key pk, sk and a name.
func (s *server) put(t *testing.T, table string, n int) {
	for i := range n {
		_, err := s.db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: map[string]types.AttributeValue{
			"pk": &types.AttributeValueMemberS{Value: fmt.Sprintf("ORDER#%03d", i)}, "sk": &types.AttributeValueMemberS{Value: "HEAD"},
			"name": &types.AttributeValueMemberS{Value: fmt.Sprintf("name %d", i)}}})
		require.NoError(t, err)
	}
}

func TestTablesList(t *testing.T) {
	s := serve(t)
	s.createTable(t, "orders")
	s.put(t, "orders", 3)
	p := open(t, s, "")
	p.see("orders")
	p.see("pk · sk")
	p.see("On demand")
	p.accessible()
	p.picture("tables")
	p.prefers("dark")
	p.accessible()
	p.picture("tables-dark")
	p.click("link", "orders")
	p.see("ORDER#002")
	p.accessible()
	p.picture("items")
}

func TestCreateAndDeleteTable(t *testing.T) {
	s := serve(t)
	p := open(t, s, "")
	p.see("There are no tables yet")
	p.click("button", "Create table")
	p.fill("Name", "users")
	p.fill("Sort key", "sk")
	p.click("button", "Add an index")
	p.fill("Name of the index", "by-mail")
	p.fill("Partition key of the index", "mail")
	p.choose("Stream", "NEW_IMAGE")
	p.fill("Attribute of time to live", "expires")
	p.accessible()
	create := p.find("button", "Create table")
	require.True(t, p.tryClick(create[len(create)-1]), "the button of the dialog is in front")
	p.see("There are no items")
	out, err := s.db.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("users")})
	require.NoError(t, err)
	assert.Len(t, out.Table.KeySchema, 2)
	assert.Equal(t, "by-mail", *out.Table.GlobalSecondaryIndexes[0].IndexName)
	assert.Equal(t, types.StreamViewTypeNewImage, out.Table.StreamSpecification.StreamViewType)

	p.click("link", "Tables")
	p.see("expires")
	p.click("button", "Delete users")
	p.fill("Type users to confirm", "user")
	assert.False(t, p.tryClick(p.await("button", "Delete")), "the word is not complete")
	p.fill("Type users to confirm", "users")
	p.click("button", "Delete")
	p.see("There are no tables yet")
}

func TestPurge(t *testing.T) {
	s := serve(t)
	s.createTable(t, "orders")
	s.put(t, "orders", 60)
	p := open(t, s, "")
	p.click("button", "Purge orders")
	p.fill("Type orders to confirm", "orders")
	p.click("button", "Purge")
	p.see("60 items of orders are deleted")
	out, err := s.db.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("orders")})
	require.NoError(t, err)
	assert.Zero(t, out.Count)
}

func TestPalette(t *testing.T) {
	s := serve(t)
	s.createTable(t, "orders")
	s.createTable(t, "users")
	p := open(t, s, "")
	p.see("users")
	p.press("Control+k")
	p.focus("combobox", "Go to…")
	p.accessible()
	p.typed("use")
	p.press("Enter")
	p.see("There are no items")
	var hash string
	p.eval("location.hash", &hash)
	assert.Equal(t, "#/tables/users", hash)
}
