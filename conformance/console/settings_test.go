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

// described returns the description of a table.
func (s *server) described(t *testing.T, table string) *types.TableDescription {
	out, err := s.db.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: &table})
	require.NoError(t, err)
	return out.Table
}

// change opens the form of a change, checks that it shows the request, and sends it.
func (p *page) change(button, request string, fill func()) {
	p.t.Helper()
	p.click("button", button)
	p.await("region", "What is sent")
	if fill != nil {
		fill()
	}
	p.see(request)
	p.accessible()
	p.click("button", "Send")
	p.eventually(func() bool { return p.count("dialog") == 0 }, "%s is sent", button)
}

// TestNothingToChange: a form in which nothing is different sends nothing, and says so, and one
// with a fault says once what to do. An editor has a label that is seen.
func TestNothingToChange(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "orders")
	p := open(t, s, "#/tables/orders/info")
	p.await("article", "Time to live")
	for _, c := range []struct{ button, says string }{
		{"Change Billing and throughput", "Nothing is different."},
		{"Change Warm throughput", "Nothing is different."},
		{"Change Stream", "Nothing is different."},
		{"Change Deletion protection", "Nothing is different."},
		{"Change Table class", "Nothing is different."},
		{"Change Tags", "Nothing is different."},
		{"Change Contributor insights", "Nothing is different."},
		{"Change Point-in-time recovery", "Nothing is different."},
		{"Change Time to live", "Name the attribute that has the time."},
	} {
		p.click("button", c.button)
		p.await("region", "What is sent")
		p.see(c.says)
		if c.button == "Change Tags" {
			p.see("Tags as JSON: keys with their values")
		}
		p.press("Control+Enter")
		if c.button == "Change Time to live" { // it is said at the field
			p.hasFocus("Attribute of time to live")
		} else {
			p.await("alert", "")
		}
		var text string
		p.eval(`document.querySelector("dialog").innerText`, &text)
		assert.Equal(t, 1, strings.Count(text, c.says), "%s: %s", c.button, text)
		p.press("Escape")
		p.eventually(func() bool { return p.count("dialog") == 0 }, "the form is closed")
	}
	p.click("button", "Change Time to live")
	p.fill("Attribute of time to live", "expires")
	p.see("It is off: choose On.")
	p.click("checkbox", "On")
	p.see(`"AttributeName": "expires"`)
	p.press("Control+Enter")
	p.see("Sent: Time to live")
}

// TestChangeSettings: each setting of a table is changed by a form that shows the request.
func TestChangeSettings(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "orders")
	p := open(t, s, "#/tables/orders/info")
	p.await("article", "Time to live")
	p.accessible()
	p.picture("settings")
	p.change("Change Time to live", "UpdateTimeToLive", func() {
		p.click("checkbox", "On")
		p.fill("Attribute of time to live", "expires")
		p.see(`"AttributeName": "expires"`)
		p.picture("settings-form")
	})
	p.see("expires")
	p.change("Change Deletion protection", `"DeletionProtectionEnabled": true`, func() {
		p.click("checkbox", "On")
	})
	p.change("Change Table class", "STANDARD_INFREQUENT_ACCESS", func() {
		p.choose("Table class", "STANDARD_INFREQUENT_ACCESS")
	})
	p.see("STANDARD_INFREQUENT_ACCESS")
	p.change("Change Stream", `"StreamViewType": "NEW_IMAGE"`, func() {
		p.choose("What records show", "NEW_IMAGE")
	})
	p.see("NEW_IMAGE")
	p.change("Change Tags", "TagResource", func() {
		p.await("textbox", "Tags as JSON: keys with their values")
		p.clickOn("dialog .editor")
		p.press("Control+a")
		p.typed(`{"team": "shop"}`)
	})
	p.see("team=shop")
	p.change("Change Contributor insights", `"ContributorInsightsAction": "ENABLE"`, func() {
		p.click("checkbox", "On")
	})
	p.change("Change Resource policy", "PutResourcePolicy", nil)
	p.change("Delete the resource policy", "DeleteResourcePolicy", nil)
	p.change("Change Billing and throughput", `"ReadCapacityUnits": 7`, func() {
		p.choose("Billing", "PROVISIONED")
		p.fill("Read capacity units", "7")
	})
	p.see("Provisioned: 7 / 5")
	table := s.described(t, "orders")
	assert.True(t, aws.ToBool(table.DeletionProtectionEnabled))
	assert.Equal(t, types.TableClassStandardInfrequentAccess, table.TableClassSummary.TableClass)
	assert.Equal(t, int64(7), *table.ProvisionedThroughput.ReadCapacityUnits)

	p.click("button", "Change Billing and throughput")
	p.fill("Read capacity units", "many")
	p.see("This is no number above 0: many")
	p.click("button", "Send")
	p.accessible()
	p.press("Escape")
	p.see("Provisioned: 7 / 5")
}

// TestIndexesOfATable: indexes are added and deleted, and the page follows how they are filled.
func TestIndexesOfATable(t *testing.T) {
	t.Parallel()
	s := serve(t, "--clock", "held", "--table-delay", "1m")
	s.createTable(t, "orders")
	s.admin(t, "POST", "clock/advance", `{"by": "2m"}`)
	s.put(t, "orders", 5)
	p := open(t, s, "#/tables/orders/info")
	p.change("Add an index", `"IndexName": "by-name"`, func() {
		p.fill("Name of the index", "by-name")
		p.write("Partition key of the index", "name")
		p.choose("Projection", "INCLUDE")
		p.fill("Attributes to project, with commas between", "a, b")
		p.see(`"KeyType": "HASH"`)
	})
	p.see("CREATING")
	p.await("progressbar", "The index is on its way: 5 items will be read")
	p.accessible()
	p.picture("index-creating")
	s.admin(t, "POST", "clock/advance", `{"by": "10m"}`)
	p.miss("CREATING")
	p.see("5 items")
	p.change("Add a vector index", `"DistanceFunction": "EUCLIDEAN"`, func() {
		p.fill("Name of the index", "near")
		p.fill("Attribute of the vector", "embedding")
		p.fill("Dimensions", "4")
		p.choose("Distance function", "EUCLIDEAN")
	})
	s.admin(t, "POST", "clock/advance", `{"by": "10m"}`)
	p.see("embedding · 4 · EUCLIDEAN")
	p.miss("CREATING")
	p.change("Remove the index by-name", `"Delete"`, nil)
	s.admin(t, "POST", "clock/advance", `{"by": "10m"}`)
	p.miss("by-name")
	assert.Empty(t, s.described(t, "orders").GlobalSecondaryIndexes)
}

// TestCopiesOfATable: backups, and a restore to a second that a slider chooses.
func TestCopiesOfATable(t *testing.T) {
	t.Parallel()
	s := serve(t, "--clock", "2026-01-01T00:00:00Z")
	s.createTable(t, "orders")
	p := open(t, s, "#/tables/orders/info")
	p.change("Change Point-in-time recovery", "PointInTimeRecoveryEnabled", func() {
		p.click("checkbox", "On")
	})
	s.admin(t, "POST", "clock/advance", `{"by": "1h"}`)
	s.put(t, "orders", 3)
	s.admin(t, "POST", "clock/advance", `{"by": "1h"}`)
	p.click("button", "Refresh")
	p.change("Restore to a second", "RestoreTableToPointInTime", func() {
		p.focus("slider", "State of the table at")
		p.press("Home")
		p.see("2026-01-01 00:00:0")
		p.press("ArrowRight")
		p.fill("New table", "before")
		p.picture("restore")
	})
	assert.Equal(t, int64(0), *s.described(t, "before").ItemCount)
	p.change("Back up", "CreateBackup", func() { p.fill("Name of the backup", "first") })
	p.see("AVAILABLE")
	p.change("Restore first", "RestoreTableFromBackup", func() { p.fill("New table", "again") })
	assert.Equal(t, int64(3), *s.described(t, "again").ItemCount)
	p.accessible()
	p.picture("copies")
	p.change("Delete the backup first", "DeleteBackup", nil)
	p.see("There are no backups.")
	p.change("Add a replica", `"RegionName": "eu-west-1"`, func() { p.fill("Region", "eu-west-1") })
	p.see("eu-west-1")
	p.change("Remove the replica in eu-west-1", `"Delete"`, nil)
	p.see("The table is in one region.")
}

// TestNewIndexKnowsTheItems: the form of an index proposes the attributes that items have with
// their types, warns of another type, says how many items the index will hold, and takes keys of
// several attributes. What is missing is said at its field.
func TestNewIndexKnowsTheItems(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "orders")
	for i := range 40 {
		item := attributes{"pk": str(fmt.Sprint("o", i)), "sk": str("HEAD"), "version": num("7"),
			"region": str("eu")}
		if i%4 == 0 {
			item["tenant"] = str("t")
		}
		s.putItem(t, "orders", item)
	}
	p := open(t, s, "#/tables/orders/info")
	p.click("button", "Add an index")
	p.await("combobox", "Partition key of the index")
	p.press("Control+Enter")
	p.see("Name the index and its partition key.")
	p.hasFocus("Name of the index")
	p.accessible()
	p.fill("Name of the index", "by-version")
	p.write("Partition key of the index", "version")
	p.see("The index will hold 40 of 40 items")
	p.see(`"AttributeType": "N"`)
	p.choose("Type of the partition key", "S")
	p.see("version has other types than String in the 40 items that were looked at (Number: 40)")
	p.see("The index will hold 0 of 40 items")
	p.accessible()
	p.picture("new-index-type")
	p.write("Partition key of the index", "tenant")
	p.see("The index will hold 10 of 40 items")
	p.write("Partition key of the index, attribute 2", "region")
	p.write("Sort key of the index", "version")
	p.see("The index will hold 10 of 40 items")
	p.prefers("dark")
	p.accessible()
	p.picture("new-index-dark")
	p.click("button", "Send")
	p.miss("Name of the index")
	index := s.described(t, "orders").GlobalSecondaryIndexes[0]
	var keys []string
	for _, k := range index.KeySchema {
		keys = append(keys, fmt.Sprint(*k.AttributeName, " ", k.KeyType))
	}
	assert.Equal(t, []string{"tenant HASH", "region HASH", "version RANGE"}, keys)
}
