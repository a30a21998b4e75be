package console

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// query reads the orders of a customer of the table shop. It filters by their state.
func (s *server) query(t *testing.T, customer, state string) {
	_, err := s.db.Query(t.Context(), &dynamodb.QueryInput{
		TableName:                aws.String("shop"),
		KeyConditionExpression:   aws.String("pk = :p AND begins_with(sk, :s)"),
		FilterExpression:         aws.String("#s = :state"),
		ExpressionAttributeNames: map[string]string{"#s": "state"},
		ExpressionAttributeValues: attributes{":p": str(customer), ":s": str("ORDER"),
			":state": str(state)},
	})
	require.NoError(t, err)
}

func (s *server) scan(t *testing.T, table string) {
	_, err := s.db.Scan(t.Context(), &dynamodb.ScanInput{TableName: &table})
	require.NoError(t, err)
}

// TestTraffic: requests appear as they happen, and lead to what they are about.
func TestTraffic(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/tables")
	p.see("shop")
	p.click("link", "Traffic")
	p.see("No requests yet")
	p.see("recorded since")
	p.accessible()
	p.picture("traffic-none")

	s.putItem(t, "shop",
		attributes{
			"pk": str("CUSTOMER#1"), "sk": str("ORDER#9"), "state": str("open"),
			"placed": str("2026-02-01"),
		})
	s.query(t, "CUSTOMER#3", "paid")
	s.scan(t, "shop")
	_, err := s.db.GetItem(t.Context(),
		&dynamodb.GetItemInput{TableName: aws.String("missing"), Key: attributes{"pk": str("1")}})
	require.Error(t, err)
	p.see("CUSTOMER#1 · ORDER#9")
	p.see(`pk = "CUSTOMER#3" AND begins_with(sk, "ORDER") (filter: state)`)
	p.see("ResourceNotFound")
	p.see("4 requests")
	p.accessible()
	p.picture("traffic-live")

	p.click("link", `pk = "CUSTOMER#3" AND begins_with(sk, "ORDER") (filter: state)`)
	p.see("8 items")
	p.see("ORDER#0#LINE#1")
	p.eval("history.back()", nil)
	p.click("link", "CUSTOMER#1 · ORDER#9")
	p.see("2026-02-01")
	p.see("10 items")
}

// TestTrafficByKeyboard: a request is opened and left by keys, and stays while others come.
func TestTrafficByKeyboard(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/traffic")
	p.see("No requests yet")
	s.scan(t, "shop")
	p.see("1 request")
	p.focus("grid", "Requests")
	p.press("ArrowDown")
	p.see("54 returned of 54 evaluated")
	p.see("Request ID")
	p.accessible()
	p.prefers("dark")
	p.accessible()
	p.picture("traffic-operation-dark")
	s.query(t, "CUSTOMER#3", "paid")
	p.see("2 requests")
	p.see("54 returned of 54 evaluated")
	p.press("ArrowUp")
	p.see("1 returned of 8 evaluated")
	p.focus("button", "Close")
	p.press("Escape")
	p.miss("Request ID")
	p.press("ArrowDown") // the grid has the focus
	p.see("1 returned of 8 evaluated")
}

func TestTrafficFiltersAndPause(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	s.createTable(t, "users")
	p := open(t, s, "#/traffic")
	p.see("No requests yet")
	s.scan(t, "shop")
	s.scan(t, "users")
	s.query(t, "CUSTOMER#1", "paid")
	_, err := s.db.GetItem(t.Context(),
		&dynamodb.GetItemInput{TableName: aws.String("users"), Key: attributes{}})
	require.Error(t, err)
	p.see("4 requests")
	p.choose("Table", "users")
	p.see("2 requests")
	p.click("checkbox", "Errors only")
	p.see("1 request")
	p.see("Validation")
	p.choose("Operation", "Scan")
	p.see("No request fits the filter")
	p.choose("Table", "")
	p.click("checkbox", "Errors only")
	p.see("2 requests")
	var hash string
	p.eval("location.hash", &hash)
	assert.Equal(t, "#/traffic?operation=Scan", hash)

	p.click("button", "Pause")
	s.scan(t, "users")
	p.see("Paused")
	p.press("Enter") // the key goes to the button, which is now Resume
	p.see("3 requests")
	p.click("button", "Clear")
	p.see("No requests yet")
	s.scan(t, "users")
	p.see("1 request")
	p.click("button", "Stop recording")
	p.see("not recorded")
	p.see("1 request")
	p.click("button", "Record")
	p.see("recorded since")
}

// TestTrafficSums: latency, errors and capacity, hot keys, scans and what filters drop.
func TestTrafficSums(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	_, err := s.db.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("small"),
		ProvisionedThroughput: &types.ProvisionedThroughput{ReadCapacityUnits: aws.Int64(7),
			WriteCapacityUnits: aws.Int64(3)},
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash},
		},
	})
	require.NoError(t, err)
	p := open(t, s, "#/traffic?show=operations")
	p.see("recorded since")
	for range 3 {
		s.query(t, "CUSTOMER#3", "paid")
	}
	s.query(t, "CUSTOMER#4", "paid")
	s.scan(t, "shop")
	s.putItem(t, "small", attributes{"pk": str("a")})
	_, err = s.db.GetItem(t.Context(),
		&dynamodb.GetItemInput{TableName: aws.String("shop"), Key: attributes{}})
	require.Error(t, err)
	p.see("p99")
	p.see("ValidationException")
	p.see("7 / 3")
	p.accessible()
	p.picture("traffic-operations")
	p.click("button", "Reads")
	p.see("88 %")
	p.see("pk = ? AND begins_with(sk, ?)")
	p.accessible()
	p.picture("traffic-reads")
	p.click("button", "Hot keys")
	p.see("38 %")
	p.accessible()
	p.picture("traffic-keys")
	p.click("link", `"CUSTOMER#3"`)
	p.see("9 items")
}

func TestTrafficBudgets(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "users")
	p := open(t, s, "#/traffic")
	p.see("No requests yet")
	p.click("button", "Budgets")
	p.await("textbox", "Requests")
	p.accessible()
	p.fill("Requests", "many")
	p.press("Enter")
	p.see("A number above 0, or nothing")
	p.fill("Requests", "2")
	p.fill("Write units", "10")
	p.press("Enter")
	p.miss("An empty field is no budget.")
	for _, pk := range []string{"a", "b", "c"} {
		s.putItem(t, "users", attributes{"pk": str(pk), "sk": str(pk)})
	}
	p.see("3 of 2")
	p.see("3 of 10")
	p.accessible()
	p.prefers("dark")
	p.accessible()
	p.picture("traffic-budgets-dark")
}

// TestTrafficRules: the findings of the policy by rule, with the remedy.
func TestTrafficRules(t *testing.T) {
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
	p := open(t, s, "#/traffic?show=rules")
	p.see("No request has broken a rule of the policy")
	s.scan(t, "shop")
	p.see("read-scan")
	p.see("query a partition, or an index made for the access pattern")
	p.accessible()
	p.picture("traffic-rules")
}

// TestTrafficOfHostileTable: what requests name is shown, and never run.
func TestTrafficOfHostileTable(t *testing.T) {
	onlyInFull(t)
	t.Parallel()
	const script = `<img src=x onerror="window.hurt=1">`
	s := serve(t)
	_, err := s.db.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("hostile"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("__proto__"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("1 = ?"), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("__proto__"), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String("1 = ?"), KeyType: types.KeyTypeRange},
		},
	})
	require.NoError(t, err)
	p := open(t, s, "#/traffic")
	p.see("No requests yet")
	s.putItem(t, "hostile",
		attributes{
			"__proto__": str(script), "1 = ?": str("javascript:window.hurt=1"), "seen": str("yes"),
		})
	_, err = s.db.Query(t.Context(), &dynamodb.QueryInput{
		TableName:                 aws.String("hostile"),
		KeyConditionExpression:    aws.String("#p = :p AND begins_with(#s, :s)"),
		ExpressionAttributeNames:  map[string]string{"#p": "__proto__", "#s": "1 = ?"},
		ExpressionAttributeValues: attributes{":p": str(script), ":s": str("java")},
	})
	require.NoError(t, err)
	p.see("onerror")
	p.see("2 requests")
	p.click("link", script+" · javascript:window.hurt=1")
	p.see("seen")
	p.see("1 item")
	p.eval("history.back()", nil)
	p.see("2 requests")
	p.click("button", "Hot keys")
	p.see("onerror")
	var hurt bool
	p.eval("window.hurt === 1", &hurt)
	assert.False(t, hurt)
}

// TestBodiesOfATraffic: a request that was refused shows what was sent and what was answered. At
// 1440 pixels nothing of a row is cut that has room.
func TestBodiesOfATraffic(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/traffic")
	p.see("recorded since")
	p.resize(1440, 900)
	_, err := s.db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("shop"),
		Item:                attributes{"pk": str("CUSTOMER#1"), "sk": str("PROFILE")},
		ConditionExpression: aws.String("attribute_not_exists(pk)")})
	require.Error(t, err)
	p.see("ConditionalCheckFailed")
	p.focus("grid", "Requests")
	p.press("ArrowDown")
	p.see(`"ConditionExpression": "attribute_not_exists(pk)"`)
	p.see(`"message": "The conditional request failed"`)
	p.accessible()
	p.picture("traffic-bodies")
	p.press("Escape")
	cut := func() (texts []string) {
		p.eval(`[...document.querySelectorAll(".row [role=gridcell] > :is(span, .time)")]
			.filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.innerText)`, &texts)
		return texts
	}
	assert.Empty(t, cut())

	_, err = s.db.UpdateTable(t.Context(), &dynamodb.UpdateTableInput{TableName: aws.String("shop"),
		StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(true),
			StreamViewType: types.StreamViewTypeNewAndOldImages}})
	require.NoError(t, err)
	p.eval(`void (location.hash = "#/tables")`, nil)
	p.click("button", "Refresh")
	p.see("NEW_AND_OLD_IMAGES")
	assert.Empty(t, cut())
	p.picture("tables-1440")
}

// TestToolbarsStayWhereTheyAre: what is selected, changed or shown moves no row and no button.
func TestToolbarsStayWhereTheyAre(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.shop(t)
	p := open(t, s, "#/tables/shop/items")
	p.see("54 items")
	places := func() (at []int) {
		p.eval(`[".grid", ".reading .actions", ".reading .actions button:last-child"]
			.flatMap((s) => { const box = document.querySelector(s).getBoundingClientRect();
				return [Math.round(box.x), Math.round(box.y)] })`, &at)
		return at
	}
	before := places()
	p.clickOn(".row input")
	p.see("1 item selected")
	assert.Equal(t, before, places(), "a row is selected")
	p.click("button", "Select nothing")
	p.focus("textbox", "Partition key pk")
	p.typed("CUSTOMER#2")
	p.press("Enter")
	p.see("9 items")
	assert.Equal(t, before, places(), "a partition is shown")
}

// TestFaultsAtTheirFields: what a form lacks is said at its field, which has the focus.
func TestFaultsAtTheirFields(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := open(t, s, "#/tables?create=form")
	p.await("textbox", "Name")
	p.press("Enter")
	p.see("It needs a name")
	p.hasFocus("Name")
	p.accessible()
	assert.Equal(t, 0, p.count("dialog .problem"))
}
