package console

import (
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// of returns the server as an access key sees it.
func (s *server) of(accessKey string) *server {
	return &server{url: s.url, db: client(s.url, accessKey)}
}

func (s *server) remove(t *testing.T, table, id string) {
	_, err := s.db.DeleteItem(t.Context(),
		&dynamodb.DeleteItemInput{TableName: &table, Key: order(id, nil)})
	require.NoError(t, err)
}

// TestForks: a fork is made, changed, compared with what it came from, and thrown away.
func TestForks(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "orders")
	s.put(t, "orders", 5)
	p := open(t, s, "#/forks")
	p.see("There are no forks")
	p.accessible()
	p.picture("forks-none")
	p.click("button", "Fork")
	p.fill("Access key", "try")
	p.accessible()
	p.picture("forks-make")
	p.click("button", "Make the fork")
	p.see("of test")
	p.click("link", "Show its tables")
	p.see("orders")
	p.click("link", "orders")
	p.see("5 items")

	fork := s.of("try")
	fork.putItem(t, "orders", order("ORDER#001", attributes{"name": str("another")}))
	fork.putItem(t, "orders", order("ORDER#900", nil))
	fork.remove(t, "orders", "ORDER#002")
	fork.createTable(t, "invoices")
	fork.admin(t, "POST", "forks", `{"accessKey": "of-try", "from": "try"}`)

	p.click("link", "Time and forks")
	p.await("link", "of-try")
	p.see("shown")
	p.accessible()
	p.picture("forks")
	p.click("link", "Compare")
	p.see("invoices")
	p.see("new table")
	p.focus("grid", "Tables that differ")
	p.press("Home")
	p.press("ArrowDown")
	p.press("Enter")
	p.await("complementary", "Items that differ")
	for _, text := range []string{"ORDER#001 · HEAD", "ORDER#002 · HEAD", "ORDER#900 · HEAD",
		"another", "name 1"} {
		p.see(text)
	}
	p.accessible()
	p.picture("compare")
	p.prefers("dark")
	p.accessible()
	p.picture("compare-dark")
	p.click("button", "Swap the two")
	p.see("table is gone")

	p.click("link", "Time and forks")
	p.click("button", "Throw try away")
	p.fill("Type try to confirm", "try")
	p.click("button", "Throw away")
	p.see("The fork try is gone")
	p.click("link", "Tables")
	p.see("orders")
	p.miss("invoices")
}

// TestSnapshots: the way back to a snapshot, and a fork of it.
func TestSnapshots(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "orders")
	s.put(t, "orders", 2)
	p := open(t, s, "#/forks")
	p.fill("Name of a snapshot", "before the change")
	p.press("Enter")
	p.see("make a name")
	p.fill("Name of a snapshot", "start")
	p.press("Enter")
	p.await("button", "Go back to start")
	s.put(t, "orders", 4)
	p.click("link", "Compare with now")
	p.see("orders")
	p.eventually(func() bool { return p.count(".is-good") == 1 && p.shows("2") },
		"two items were added")
	p.accessible()
	p.click("link", "Time and forks")
	p.click("button", "Fork start")
	p.fill("Access key", "then")
	p.click("button", "Make the fork")
	p.see("of test @ start")
	out, err := s.of("then").db.Scan(t.Context(),
		&dynamodb.ScanInput{TableName: aws.String("orders")})
	require.NoError(t, err)
	assert.EqualValues(t, 2, out.Count)

	p.clickOn(`.forks a[href*="scope=server"]`)
	p.click("button", "Go back to start")
	p.accessible()
	p.fill("Type start to confirm", "start")
	p.click("button", "Go back")
	p.see("All is as in start")
	out, err = s.db.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("orders")})
	require.NoError(t, err)
	assert.EqualValues(t, 2, out.Count)
	p.click("button", "Throw start away")
	p.fill("Type start to confirm", "start")
	p.click("button", "Throw away")
	p.see("A snapshot keeps all tables")
}

// TestClock: a held clock is stepped, set, run, and moved to what expires next.
func TestClock(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s := serve(t, "--clock", start.Format(time.RFC3339))
	s.createTable(t, "sessions")
	_, err := s.db.UpdateTimeToLive(
		t.Context(), &dynamodb.UpdateTimeToLiveInput{TableName: aws.String("sessions"),
			TimeToLiveSpecification: &types.TimeToLiveSpecification{
				AttributeName: aws.String("expires"), Enabled: aws.Bool(true),
			}})
	require.NoError(t, err)
	for i := range 12 {
		expires := start.Add(time.Duration(2*i+2) * time.Hour).Unix()
		s.putItem(t, "sessions",
			order(fmt.Sprintf("SESSION#%02d", i), attributes{"expires": num(fmt.Sprint(expires))}))
	}
	p := open(t, s, "#/forks")
	p.see("2026-01-01 00:00:00 UTC")
	p.see("in 2 hours")
	p.see("SESSION#00")
	p.miss("SESSION#11")
	p.click("button", "2 more")
	p.see("SESSION#11")
	p.accessible()
	p.picture("clock")
	p.prefers("dark")
	p.accessible()
	p.picture("clock-dark")
	p.prefers("light")
	p.click("button", "+1 h")
	p.see("2026-01-01 01:00:00 UTC")
	p.see("0 items have expired by that")
	p.fill("Duration", "90m")
	p.press("Enter")
	p.see("2026-01-01 02:30:00 UTC")
	p.see("1 item has expired by that")
	p.miss("SESSION#00")
	p.fill("Duration", "a while")
	p.press("Enter")
	p.see(`"a while" is no duration`)
	p.fill("Time", "2026-01-01T05:00:00Z")
	p.press("Enter")
	p.see("2026-01-01 05:00:00 UTC")
	p.miss("SESSION#01")
	p.click("button", "Jump there")
	p.see("2026-01-01 06:00:01 UTC")
	p.miss("SESSION#02")
	out, err := s.db.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("sessions")})
	require.NoError(t, err)
	assert.EqualValues(t, 9, out.Count)
	p.click("button", "3600×")
	p.see("2026-01-01 08:00:01 UTC")
	p.click("button", "Hold")
	p.miss("SESSION#03")
}

// TestForkWithHeldClock: a clock that runs cannot be moved, that of a fork can.
func TestForkWithHeldClock(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "orders")
	p := open(t, s, "#/forks")
	p.see("This clock runs by itself")
	p.click("button", "Fork with a held clock")
	p.fill("Access key", "later")
	p.click("button", "Make the fork")
	p.click("button", "+30 d")
	p.see("0 items have expired by that")
	now, err := time.Parse(time.RFC3339, s.admin(t, "GET", "forks/later/clock", "")["now"].(string))
	require.NoError(t, err)
	assert.Greater(t, time.Until(now), 29*24*time.Hour)
}

// TestForksOfSharedData: a fork is shown also where all callers see the same tables.
func TestForksOfSharedData(t *testing.T) {
	t.Parallel()
	s := serve(t, "--shared")
	s.createTable(t, "orders")
	p := open(t, s, "#/forks")
	p.click("button", "Fork")
	p.fill("Access key", "try")
	p.click("button", "Make the fork")
	p.click("link", "Show its tables")
	p.see("orders")
	s.of("try").createTable(t, "invoices")
	p.click("button", "Refresh")
	p.see("invoices")
	p.click("link", "Time and forks")
	p.clickOn(`.forks a[href*="scope=server"]`)
	p.click("link", "Show its tables")
	p.see("orders")
	p.miss("invoices")
}

// TestHostileForks: names and values of forks are shown, and never run.
func TestHostileForks(t *testing.T) {
	onlyInFull(t)
	t.Parallel()
	s := serve(t)
	s.createTable(t, "hostile")
	s.admin(t, "POST", "snapshots", `{"name": "start"}`)
	s.putItem(t, "hostile", hostile())
	p := open(t, s,
		"#/forks?compare=1&before=test&beforeAt=start&after=test&table=hostile&region=us-east-1")
	p.see("onerror")
	p.see("polluted")
	p.accessible()
	p.unhurt()
	p = open(t, s,
		`#/forks?compare=1&before=%3Cimg%20src%3Dx%20onerror%3D%22window.hurt%3D1%22%3E&after=test`)
	p.see("it was never used")
	p.unhurt()
}

// TestTreeOfForks: a fork is below what it was made of, also if forks have the names of others.
func TestTreeOfForks(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.createTable(t, "orders")
	for _, body := range []string{`{"accessKey": "a", "from": "test"}`,
		`{"accessKey": "test", "from": "test"}`, `{"accessKey": "b", "from": "a"}`,
		`{"accessKey": "c", "from": "test"}`} {
		s.admin(t, "POST", "forks", body)
	}
	p := open(t, s, "#/forks")
	p.see("of test")
	var tree []string
	p.eval(`[...document.querySelectorAll(".forks li")].map((e) => e.style.paddingLeft + " " + e.querySelector("a > span").textContent)`, &tree)
	assert.Equal(t, []string{"0px Server", "16px a", "32px b", "16px test", "32px c"}, tree)
}

// TestManyForks: a fork is found among many by its name.
func TestManyForks(t *testing.T) {
	onlyInFull(t)
	t.Parallel()
	s := serve(t)
	s.createTable(t, "orders")
	for i := range 600 {
		s.admin(t, "POST", "forks", fmt.Sprintf(`{"accessKey": "test-%03d", "from": "test"}`, i))
	}
	p := open(t, s, "#/forks")
	p.see("test-000")
	p.see("101 more")
	p.fill("Filter by name", "599")
	p.see("test-599")
	p.miss("test-000")
	p.click("link", "test-599")
	p.see("of test · 1 table")
	p.accessible()
}
