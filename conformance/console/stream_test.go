package console

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// stream switches the stream of a table on.
func (s *server) stream(t *testing.T, table string, view types.StreamViewType) {
	_, err := s.db.UpdateTable(t.Context(), &dynamodb.UpdateTableInput{TableName: &table,
		StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(true),
			StreamViewType: view}})
	require.NoError(t, err)
	require.NoError(t,
		dynamodb.NewTableExistsWaiter(s.db).Wait(t.Context(),
			&dynamodb.DescribeTableInput{TableName: &table}, patience()))
}

func order(id string, more attributes) attributes {
	item := attributes{"pk": str(id), "sk": str("HEAD")}
	for name, value := range more {
		item[name] = value
	}
	return item
}

// admin sends a request to the admin API, and returns the answer.
func (s *server) admin(t *testing.T, method, path, body string) (answer map[string]any) {
	r, err := http.NewRequest(method, s.url+"/_kugiri/"+path, strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	got, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer got.Body.Close()
	require.NoError(t, json.NewDecoder(got.Body).Decode(&answer))
	require.Less(t, got.StatusCode, 300, answer)
	return answer
}

// TestStreamIsSwitchedOn: a table without a stream gets one, whose records show as they come.
func TestStreamIsSwitchedOn(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "orders")
	p := open(t, s, "#/tables/orders/stream")
	p.see("The table has no stream")
	p.accessible()
	p.picture("stream-none")
	p.click("button", "Switch the stream on")
	p.see("Nothing has changed")
	p.accessible()
	s.putItem(t, "orders", order("ORDER#1", attributes{"total": num(digits38)}))
	p.see("ORDER#1")
	p.see("1 record")
}

// TestStreamRecords: old and new images of a change, and what differs between them.
func TestStreamRecords(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "orders")
	s.stream(t, "orders", types.StreamViewTypeNewAndOldImages)
	set := func(names ...string) types.AttributeValue {
		return &types.AttributeValueMemberSS{Value: names}
	}
	address := func(city string) types.AttributeValue {
		return &types.AttributeValueMemberM{
			Value: attributes{"city": str(city),
				"lines": &types.AttributeValueMemberL{Value: []types.AttributeValue{str("1-2-3")}}},
		}
	}
	s.putItem(t, "orders",
		order("ORDER#1",
			attributes{
				"state": str("open"), "total": num("1"), "tags": set("new", "gift"),
				"address": address("Osaka"),
			}))
	s.putItem(t, "orders", order("ORDER#2", nil))
	s.putItem(t, "orders",
		order("ORDER#1",
			attributes{
				"state": str("paid"), "total": num(digits38), "tags": set("gift", "loyal"),
				"address": address("Kyoto"), "paid": str("2026-01-01"),
			}))
	_, err := s.db.DeleteItem(t.Context(),
		&dynamodb.DeleteItemInput{TableName: aws.String("orders"), Key: order("ORDER#2", nil)})
	require.NoError(t, err)

	p := open(t, s, "#/tables/orders/stream")
	p.see("4 records")
	p.see("address.city, paid, state, tags, total")
	p.choose("Event", "MODIFY")
	p.see("1 record\nof 4")
	p.focus("grid", "Records of the stream")
	p.press("Enter")
	p.await("complementary", "Record")
	for _, text := range []string{"Osaka", "Kyoto", "{new}", "{loyal}", digits38, "2026-01-01"} {
		p.see(text)
	}
	p.accessible()
	p.picture("stream")
	p.prefers("dark")
	p.accessible()
	p.picture("stream-dark")
	p.click("button", "Old image")
	p.miss("Kyoto")
	p.see("Osaka")
	p.click("button", "New image")
	p.see("Kyoto")
	p.click("button", "JSON")
	p.see(`"S": "Osaka"`)
	p.press("Escape")
	p.choose("Event", "")
	p.see("4 records")
	p.fill("Key contains", "order#2")
	p.see("2 records\nof 4")
	p.fill("Key contains", "nobody")
	p.see("No record is like that")
}

// TestStreamPauses: what comes while the page pauses is there when it resumes, also in a link that
// begins at a sequence number.
func TestStreamPauses(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "orders")
	s.stream(t, "orders", types.StreamViewTypeKeysOnly)
	s.put(t, "orders", 3)
	p := open(t, s, "#/tables/orders/stream")
	p.see("3 records")
	p.click("button", "Pause")
	p.see("Paused")
	s.putItem(t, "orders", order("LATER", nil))
	other := open(t, s, "#/tables/orders/stream")
	other.see("LATER") // it is in the stream
	assert.False(t, p.shows("LATER"), "nothing is read in a pause")
	p.click("button", "Resume")
	p.see("LATER")

	p.focus("grid", "Records of the stream")
	p.press("Home")
	p.press("ArrowDown")
	p.press("Enter")
	p.see("The record has not both images")
	p.click("link", "Read from here")
	p.see("3 records")
	p.miss("ORDER#000")
	p.click("button", "New only")
	p.see("Nothing has changed")
	s.putItem(t, "orders", order("NEWEST", nil))
	p.see("NEWEST")
	p.see("1 record")
	p.click("button", "Oldest")
	p.see("5 records")
	p.click("button", "Number…")
	p.fill("Sequence number", "99999999999999999999999")
	p.press("Enter")
	p.see("Invalid SequenceNumber")
	p.accessible()
}

// TestStreamShards: the records of a shard that was closed come before those of the next one.
func TestStreamShards(t *testing.T) {
	t.Parallel()
	s := serve(t, "--clock", "held")
	s.createTable(t, "orders")
	s.admin(t, "POST", "clock/advance", `{"by": "1h"}`)
	s.stream(t, "orders", types.StreamViewTypeNewImage)
	s.put(t, "orders", 2)
	p := open(t, s, "#/tables/orders/stream")
	p.see("2 records")
	p.see("1 shard, 1 open")
	for hours := 0; hours < 12; hours += 4 {
		s.admin(t, "POST", "clock/advance", `{"by": "4h"}`)
		s.putItem(t, "orders", order(fmt.Sprintf("AFTER#%d", hours), nil))
	}
	p.see("5 records")
	p.see("4 shards, 1 open")
	q := open(t, s, "#/tables/orders/stream")
	q.see("5 records")
	var keys []string
	q.eval(`[...document.querySelectorAll("[role=row] > :nth-child(3)")].map((e) => e.textContent)`,
		&keys)
	assert.Equal(t, []string{"pk", "ORDER#000", "ORDER#001", "AFTER#0", "AFTER#4", "AFTER#8"}, keys)
}

// TestSeveralOpenShards: the records of all shards are there, those of a partition in order.
func TestSeveralOpenShards(t *testing.T) {
	t.Parallel()
	s := serve(t, "--clock", "held", "--stream-shards", "3")
	s.createTable(t, "orders")
	s.stream(t, "orders", types.StreamViewTypeNewImage)
	p := open(t, s, "#/tables/orders/stream")
	p.see("3 shards, 3 open")
	for hours := range 3 {
		for i := range 10 { // ten items fall into all shards
			s.putItem(t, "orders",
				order(fmt.Sprintf("ORDER#%d", i), attributes{"hours": num(fmt.Sprint(hours))}))
		}
		s.putItem(t, "orders", order(fmt.Sprintf("LAST#%d", hours), nil))
		p.see(fmt.Sprintf("LAST#%d", hours))
		s.admin(t, "POST", "clock/advance", `{"by": "4h"}`)
	}
	p.see("33 records")
	q := open(t, s, "#/tables/orders/stream")
	q.see("33 records")
	q.see("12 shards, 3 open")
	var numbers []string
	q.eval(`[...document.querySelectorAll("[role=row] > :last-child")].map((e) => e.textContent).slice(1)`, &numbers)
	assert.NotEmpty(t, numbers)
	assert.True(t, slices.IsSorted(numbers), "%v", numbers)
}

// TestLongStream: the page keeps the last records, and rows out of sight are not in it.
func TestLongStream(t *testing.T) {
	onlyInFull(t)
	t.Parallel()
	s := serve(t)
	s.createTable(t, "orders")
	s.stream(t, "orders", types.StreamViewTypeNewImage)
	s.put(t, "orders", 12_000)
	p := open(t, s, "#/tables/orders/stream")
	p.see("10,000 records")
	p.see("2,000 older ones are no longer kept")
	p.see("ORDER#11999") // the newest is in sight
	assert.Less(t, p.count("[role=row]"), 100)
	p.focus("grid", "Records of the stream")
	p.press("Home")
	p.see("ORDER#2000")
	s.putItem(t, "orders", order("LAST", nil))
	p.see("2,001 older ones")
	p.miss("LAST")
	p.press("End")
	p.see("LAST")
}

// TestHostileStream: what is in a record is shown, and never run.
func TestHostileStream(t *testing.T) {
	onlyInFull(t)
	t.Parallel()
	s := serve(t)
	s.createTable(t, "hostile")
	s.stream(t, "hostile", types.StreamViewTypeNewAndOldImages)
	s.putItem(t, "hostile", hostile())
	p := open(t, s, "#/tables/hostile/stream")
	p.see("onerror")
	p.focus("grid", "Records of the stream")
	p.press("Home")
	p.press("Enter")
	p.see("polluted")
	p.accessible()
	p.unhurt()
	p.picture("stream-hostile")
}

// TestStreamSwitchedOff: a stream that was switched off still shows its records.
func TestStreamSwitchedOff(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "orders")
	s.stream(t, "orders", types.StreamViewTypeNewImage)
	s.put(t, "orders", 2)
	_, err := s.db.UpdateTable(t.Context(),
		&dynamodb.UpdateTableInput{
			TableName:           aws.String("orders"),
			StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(false)},
		})
	require.NoError(t, err)
	p := open(t, s, "#/tables/orders/stream")
	p.see("The stream is switched off")
	p.see("2 records")
	p.accessible()
	p.click("button", "Switch the stream on")
	p.see("Nothing has changed")
}

// TestStreamIteratorsExpire: a pause may be longer than iterators are valid, and than records are
// kept.
func TestStreamIteratorsExpire(t *testing.T) {
	t.Parallel()
	s := serve(t, "--clock", "held")
	s.createTable(t, "orders")
	s.stream(t, "orders", types.StreamViewTypeKeysOnly)
	s.put(t, "orders", 2)
	p := open(t, s, "#/tables/orders/stream")
	p.see("2 records")
	p.click("button", "Pause")
	p.see("Paused")
	s.admin(t, "POST", "clock/advance", `{"by": "20m"}`)
	s.putItem(t, "orders", order("LATER", nil))
	p.click("button", "Resume")
	p.see("LATER")
	p.see("3 records")
	p.click("button", "Pause")
	p.see("Paused")
	s.putItem(t, "orders", order("LOST", nil))
	s.admin(t, "POST", "clock/advance", `{"by": "25h"}`)
	s.putItem(t, "orders", order("AFTER", nil))
	p.click("button", "Resume")
	p.see("AFTER")
	p.see("4 records")
	p.miss("LOST")
}
