package search

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

const (
	accessKey = "test"
	region    = "us-east-1"
)

// crowd is a host whose workers add to one number, some times each.
type crowd struct {
	workers, requests int
	fickle            bool // w0 sends nothing in each second run
	runs              int
	list              []*Worker
}

func (c *crowd) Workers() []*Worker {
	c.list = nil
	c.runs++
	for i := range c.workers {
		c.list = append(c.list, &Worker{Name: fmt.Sprint("w", i)})
	}
	return c.list
}

func (c *crowd) Run(_ time.Time, f func()) { f() }

func (c *crowd) Deliver(*Run, *Delivery) {}

func (c *crowd) Begin(r *Run) {
	for _, w := range c.list {
		if r.Starts(w) {
			go c.work(r, w)
		}
	}
}

func (c *crowd) work(r *Run, w *Worker) {
	client := r.Client(w)
	client.Next = r.Fork().HTTPClient(accessKey, region)
	for range c.requests {
		if c.fickle && w.Name == "w0" && c.runs%2 == 0 {
			break
		}
		response, err := client.Do(post("UpdateItem", `{"TableName": "counters", "Key": {"k": {"S": "a"}},
			"UpdateExpression": "ADD n :one", "ExpressionAttributeValues": {":one": {"N": "1"}}}`))
		if err != nil {
			r.Gate().End(w, err, "")
			return
		}
		response.Body.Close()
	}
	r.Gate().End(w, nil, "")
}

func (c *crowd) Settle(g *Gate) bool {
	g.Wait()
	return true
}

func (c *crowd) Check(*Run) error           { return nil }
func (c *crowd) Watches() bool              { return false }
func (c *crowd) Holds(*Run) error           { return nil }
func (c *crowd) Now(at time.Time) time.Time { return at }
func (c *crowd) Pass(time.Duration)         {}
func (c *crowd) Stacks() string             { return "" }

func post(operation, body string) *http.Request {
	r, err := http.NewRequest(http.MethodPost, "http://explore/", strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	return r
}

// searchOf returns the search for a crowd.
func searchOf(t *testing.T, c *crowd) *Search {
	e := emulator.New()
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	response, err := e.HTTPClient(accessKey, region).Do(post("CreateTable", `{"TableName": "counters",
		"AttributeDefinitions": [{"AttributeName": "k", "AttributeType": "S"}],
		"KeySchema": [{"AttributeName": "k", "KeyType": "HASH"}], "BillingMode": "PAY_PER_REQUEST"}`))
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode)
	response.Body.Close()
	return &Search{Options: DefaultOptions(), Host: c, Name: "crowd", Emulator: e,
		AccessKey: accessKey, Region: region, Unjudged: true}
}

// TestRandomOrder: of the orders that PCT draws, the first step is that of the worker with the
// highest priority, and all workers have it at times.
func TestRandomOrder(t *testing.T) {
	seen := map[string]bool{}
	s := searchOf(t, &crowd{workers: 4, requests: 4})
	s.Seen = func(o *Outcome) {
		if o.whole() {
			seen[scheduleText(o)] = true
		}
	}
	s.prepare()
	s.plans = newPlans(0)
	s.account(s.run((&bounded{}).next(), nil))
	s.random(nil, 60)
	for i := range 4 {
		begins := 0
		for schedule := range seen {
			if strings.HasPrefix(schedule, fmt.Sprint("w", i)) {
				begins++
			}
		}
		assert.Positive(t, begins, "w%d", i)
	}
}

// TestHosts: a search needs no SDK and no bubble.
func TestHosts(t *testing.T) {
	report := searchOf(t, &crowd{workers: 3, requests: 2}).Explore()
	assert.True(t, report.Complete)
	assert.Equal(t, "90", report.Orders.String())
	assert.Equal(t, 90, report.Runs, "no two updates of one item commute")
}

// TestAstray: workers that do not do the same in each run cost no more than a run each, and the
// report does not say that all orders were tried.
func TestAstray(t *testing.T) {
	for _, budget := range []int{200, 40} { // also with few preemptions only
		s := searchOf(t, &crowd{workers: 3, requests: 2, fickle: true})
		s.Budget = budget
		report := s.Explore()
		assert.False(t, report.Complete)
		assert.Positive(t, report.Astray)
		assert.LessOrEqual(t, report.Runs, budget)
		assert.Contains(t, report.String(), "went astray: a worker did not send the request")
	}
}

// TestSearchEnds: a search that is ended runs no further order.
func TestSearchEnds(t *testing.T) {
	for _, ends := range []int{0, 1, 3} {
		t.Run(fmt.Sprint(ends), func(t *testing.T) {
			s, runs := searchOf(t, &crowd{workers: 3, requests: 2}), 0
			s.All, s.Seen = true, func(*Outcome) { runs++ }
			s.Ended = func() bool { return runs >= ends }
			report := s.Explore()
			assert.Equal(t, ends, report.Runs)
			assert.False(t, report.Complete)
		})
	}
}
