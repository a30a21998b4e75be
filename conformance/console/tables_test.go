package console

import (
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
)

// createTable creates a table with the key pk, sk.
func (s *server) createTable(t *testing.T, name string) {
	_, err := s.db.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: &name, BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("sk"), AttributeType: types.ScalarAttributeTypeS}},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String("sk"), KeyType: types.KeyTypeRange},
		},
	})
	require.NoError(t, err)
}

// put puts items that have a key pk, sk and a name.
func (s *server) put(t *testing.T, table string, n int) {
	for i := range n {
		_, err := s.db.PutItem(
			t.Context(),
			&dynamodb.PutItemInput{TableName: &table, Item: map[string]types.AttributeValue{
				"pk":   &types.AttributeValueMemberS{Value: fmt.Sprintf("ORDER#%03d", i)},
				"sk":   &types.AttributeValueMemberS{Value: "HEAD"},
				"name": &types.AttributeValueMemberS{Value: fmt.Sprintf("name %d", i)}}})
		require.NoError(t, err)
	}
}

func TestTablesList(t *testing.T) {
	t.Parallel()
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
	t.Parallel()
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
	p.click("button", "Create")
	p.see("There are no items")
	out, err := s.db.DescribeTable(t.Context(),
		&dynamodb.DescribeTableInput{TableName: aws.String("users")})
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
	t.Parallel()
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

// TestPurgeByKey: Shift Delete stands for the name of the table. Enter and Delete alone do nothing,
// and at an endpoint of others only the name counts.
func TestPurgeByKey(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "orders")
	s.put(t, "orders", 60)
	remote := start(t, "console", "--endpoint", s.url, "--port", "0")
	p := open(t, remote, remote.fragment)
	p.click("switch", "Allow writing")
	p.click("button", "Purge orders")
	p.hasFocus("Type orders to confirm")
	p.press("Shift+Delete")
	p.press("Enter")
	p.miss("Or press Shift Delete.")
	p.typed("orders")
	p.await("dialog", "Purge orders?")
	require.Len(t, s.items(t, "orders"), 60)

	p = open(t, s, "")
	p.see("60")
	p.focus("button", "Purge orders")
	p.press("Enter")
	p.see("all items of the table, 60 when they were last counted")
	p.hasFocus("Type orders to confirm")
	p.press("Enter")
	p.press("Delete")
	p.accessible()
	require.Len(t, s.items(t, "orders"), 60)
	p.press("Shift+Delete")
	p.see("60 items of orders are deleted")
	require.Empty(t, s.items(t, "orders"))
	p.eventually(func() bool { return p.focused() == "button Purge orders" }, "the focus is at the button, not at %s", p.focused())
}

func TestPalette(t *testing.T) {
	t.Parallel()
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

func TestCreateFromJSON(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := open(t, s, "#/tables?create=form")
	p.fill("Name", "users")
	p.click("button", "JSON")
	p.await("textbox", "JSON")
	p.accessible()
	p.picture("create-json")
	p.click("textbox", "JSON")
	p.press("Control+a")
	p.typed(`{"TableName": "made", "BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}]`)
	p.press("Control+Enter")
	p.see("JSON at position")
	p.press("Control+End")
	p.typed(`, "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "N"}]}`)
	p.press("Control+Enter")
	p.see("Created: made")
	p.see("There are no items")
}

func TestCreateFromFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "template.yaml")
	require.NoError(t, os.WriteFile(file, []byte(`
Resources:
  Orders:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: orders
      BillingMode: PAY_PER_REQUEST
      AttributeDefinitions: [{AttributeName: id, AttributeType: S}]
      KeySchema: [{AttributeName: id, KeyType: HASH}]
  Simple: {Type: AWS::Serverless::SimpleTable}
`), 0o600))
	s := serve(t)
	p := open(t, s, "#/tables?create=file")
	p.see("Drop a file here")
	p.accessible()
	p.picture("create-file")
	p.giveFile("input[type=file]", file)
	p.see("template.yaml")
	p.click("button", "Create")
	p.see("orders")
	p.see("Simple")
}

// TestReadOnlyConsole: the console of another endpoint does not write before its switch is turned.
func TestReadOnlyConsole(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "orders")
	s.put(t, "orders", 3)
	of := start(t, "console", "--endpoint", s.url, "--port", "0")
	p := open(t, of, "")
	p.see("This server wants a token")
	p.accessible()
	p.hold(`path === "session"`)
	p.fill("Token", "wrong")
	p.click("button", "Enter")
	p.see("does not accept this token")
	p.fill("Token", strings.TrimPrefix(of.fragment, "#token="))
	p.click("button", "Enter")
	p.see("Read only")
	p.release()
	assert.True(t, p.shows("Read only"), "the refusal of the token before is late")
	p = open(t, of, of.fragment)
	p.see("Read only")
	p.see("orders")
	assert.False(t, p.tryClick(p.await("button", "Create table")))
	p.accessible()
	p.click("switch", "Allow writing")
	p.see("Writing is on")
	p.click("button", "Purge orders")
	p.fill("Type orders to confirm", "orders")
	p.click("button", "Purge")
	p.see("3 items of orders are deleted")
}

// TestJapanese: the page speaks Japanese, and remembers that.
func TestJapanese(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "orders")
	p := open(t, s, "")
	p.choose("Language", "ja")
	p.see("テーブルを作成")
	p.accessible()
	p.picture("tables-ja")
	p.reload()
	p.see("テーブルを作成")
	p.click("button", "ダーク")
	p.accessible()
	p.choose("言語", "en")
	p.see("Create table")
}

// TestOthersTables: the tables of another access key are shown on demand, and a link leads to them.
func TestOthersTables(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "orders")
	other := &server{url: s.url, db: client(s.url, "other")}
	other.createTable(t, "invoices")
	p := open(t, s, "")
	p.see("invoices") // the first access key that has tables
	p.clickOn(".identity")
	p.see("us-east-1")
	p.accessible()
	p.click("button", "test us-east-1 1 table")
	p.see("orders")
	p.miss("invoices")
	var hash string
	p.eval("location.hash", &hash)
	q := open(t, s, hash)
	q.see("orders")
}

func TestManyTables(t *testing.T) {
	t.Parallel()
	tables, shown := 1000, "1,000"
	if isFull() {
		tables, shown = 5000, "5,000"
	}
	s := serve(t)
	for i := range tables {
		s.createTable(t, fmt.Sprintf("table-%04d", i))
	}
	p := open(t, s, "")
	p.see(shown + " tables")
	p.see("On demand")
	p.focus("grid", "Tables")
	p.press("End")
	last := fmt.Sprintf("table-%04d", tables-1)
	p.see(last)
	assert.Less(t, p.count("[role=row]"), 100, "rows out of sight are not in the page")
	p.press("/")
	p.typed("0042")
	p.see("table-0042")
	p.miss(last)
	p.press("Control+k")
	p.focus("combobox", "Go to…")
	p.typed("table-0123")
	p.press("Enter")
	p.see("There are no items")
}

// TestOtherService: an endpoint without the admin API shows its tables, and nothing that it lacks.
func TestOtherService(t *testing.T) {
	t.Parallel()
	s := start(t, "serve", "--port", "0")
	s.createTable(t, "orders")
	of := start(t, "console", "--endpoint", s.url, "--port", "0")
	p := open(t, of, of.fragment)
	p.see("orders")
	p.see("On demand")
	p.clickOn(".identity")
	p.see("Whose tables")
	assert.Zero(t, p.count("dialog .list li"), "only Kugiri lists who has tables")
	p.fill("Region", "eu-central-1")
	p.click("button", "Show")
	p.see("There are no tables yet")
	p.click("link", "Tables")
	p.see("There are no tables yet")
	p.accessible()
}

// TestFirstScreen: where there are no tables, the page says where programs send their requests and
// how, makes a table to try things with, and takes a file.
func TestFirstScreen(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := open(t, s, "#/tables")
	p.see("There are no tables yet")
	p.see(strings.Replace(s.url, "127.0.0.1", "localhost", 1))
	p.click("button", "Copy the endpoint")
	p.see("Copied")
	for _, one := range programs {
		t.Run(one.language, func(t *testing.T) {
			one.begin(t)
			one.output(t, p)
		})
	}
	p.accessible()
	p.picture("first-screen")
	p.prefers("dark")
	p.accessible()
	p.picture("first-screen-dark")
	p.resize(390, 844)
	assert.Empty(t, p.cut())
	p.picture("first-screen-390")
	p.resize(1280, 800)
	p.dropFile(".empty", writeFile(t, "seed.json", `{"tables": [{"TableName": "dropped",
		"AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
		"KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}]}]}`, false))
	p.see("seed.json")
	p.press("Escape")
	p.click("button", "Make a sample table")
	p.see("14 items")
	p.see("ORDER_ITEM#o-1#1")
	assert.Len(t, s.items(t, "sample"), 14)
}
