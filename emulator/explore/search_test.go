package explore

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/explore/search"
)

// actions returns a program of one worker for each list of actions.
func actions(lists ...[]action) func(x *X) { return program{workers: lists}.define }

// TestReduction: how many orders are run of how many there are.
func TestReduction(t *testing.T) {
	for _, c := range []struct {
		name    string
		program func(x *X)
		orders  string
		runs    int
	}{
		{"different items", actions([]action{{kind: "put", key: 0}, {kind: "put", key: 0}},
			[]action{{kind: "put", key: 1}, {kind: "put", key: 1}},
			[]action{{kind: "put", key: 2}, {kind: "put", key: 2}}), "90", 1},
		{"reads of one item", actions([]action{{kind: "get"}, {kind: "get"}},
			[]action{{kind: "get"}, {kind: "get"}}), "6", 1},
		{"a read and a write of one item", actions([]action{{kind: "get"}},
			[]action{{kind: "put"}}), "2", 2},
		{"a write between two reads", actions([]action{{kind: "get"}, {kind: "get"}},
			[]action{{kind: "put"}}), "3", 3},
		{"a query of another partition", actions([]action{{kind: "query", key: 2}},
			[]action{{kind: "put", key: 0}}), "2", 1},
		{"a range without the item", actions([]action{{kind: "range", n: 1}},
			[]action{{kind: "put", key: 0}}), "2", 1},
		{"a scan", actions([]action{{kind: "scan"}}, []action{{kind: "put", key: 0}}), "2", 2},
		{"an index without the item", actions([]action{{kind: "index"}},
			[]action{{kind: "put", key: 1, n: 2}}), "2", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			report := Search(t, newSmall, c.program)
			assert.Empty(t, report.Failures)
			assert.True(t, report.Complete)
			assert.Equal(t, c.orders, report.Orders.String())
			assert.Equal(t, c.runs, report.Runs)
			assert.Equal(t, report.Pairs, report.BothOrders)
		})
	}
}

// crowd is a program with too many orders.
func crowd(x *X) {
	for i := range 4 {
		x.Go(fmt.Sprint("w", i), func(ctx context.Context, db *dynamodb.Client) error {
			for range 4 {
				if err := (&machine{db: db}).do(ctx, action{kind: "add", n: 1}); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

// TestBounds: what the search does when there are too many orders, and what it says of it.
func TestBounds(t *testing.T) {
	report := Search(t, newSmall, crowd, Budget(400))
	assert.False(t, report.Complete)
	assert.Equal(t, 400, report.Runs)
	assert.Equal(t, "63063000", report.Orders.String())
	assert.Positive(t, report.Random)
	assert.Equal(t, 0, report.Preemptions)
	assert.Contains(t, report.String(), "not all orders were tried")
	assert.Contains(t, report.String(), "not all orders were tried, but all with no preemption; beyond them")
	assert.Contains(t, report.String(), "find a bug of 3 ordering constraints with a probability of")
	again := Search(t, newSmall, crowd, Budget(400))
	assert.Equal(t, report.String(), again.String(), "a search is deterministic")
}

// TestBudgetOfOneRun: the only run is no random order of requests that nobody has counted.
func TestBudgetOfOneRun(t *testing.T) {
	write := []action{{kind: "put", n: 1}}
	report := Search(t, newSmall, actions(write, write), Budget(1))
	assert.Equal(t, 1, report.Runs)
	assert.Zero(t, report.Random)
	assert.Zero(t, report.Probability, "%s", report)
}

// TestLongest: a run without an end is cut off.
func TestLongest(t *testing.T) {
	report := Search(t, newSmall, func(x *X) {
		x.Go("endless", func(ctx context.Context, db *dynamodb.Client) error {
			for {
				if err := (&machine{db: db}).do(ctx, action{kind: "get"}); err != nil {
					return err
				}
			}
		})
	}, Longest(5))
	assert.False(t, report.Complete)
	assert.Equal(t, 1, report.Cut)
	assert.Contains(t, report.String(), "1 run was cut off")
}

// TestSeveralSearches: a schedule in the environment is for one of the searches of a test, which
// have workers of other names.
func TestSeveralSearches(t *testing.T) {
	write := []action{{kind: "get"}, {kind: "put", n: 1}}
	carol := func(x *X) {
		x.Go("carol", func(ctx context.Context, db *dynamodb.Client) error {
			return (&machine{db: db}).run(ctx, write)
		})
	}
	for _, c := range []struct {
		name, schedule string
		first, second  string // what the reports say
	}{
		{"of the second", "2#w0,w1,w1,w0", "nothing was run: the schedule of KUGIRI_EXPLORE is for " +
			"another search", "one schedule was run again"},
		{"of the first", "carol,carol", "one schedule was run again", "nothing was run"},
		{"of none", "3#w0", "nothing was run", "nothing was run"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv(Environment, c.schedule)
			first := Search(t, newSmall, carol)
			assert.Contains(t, first.String(), c.first)
			second := Search(t, newSmall, actions(write, write))
			assert.Contains(t, second.String(), c.second)
			if c.name == "of the second" {
				require.Len(t, second.Failures, 1)
				assert.Equal(t, c.schedule, second.Failures[0].Schedule)
			}
		})
	}
}

// TestPages: a search writes the pages of its failures.
func TestPages(t *testing.T) {
	write := []action{{kind: "get"}, {kind: "put", n: 1}}
	report := Search(t, newSmall, actions(write, write), Pages(t.TempDir()))
	require.Len(t, report.Failures, 1)
	assert.FileExists(t, report.Failures[0].File)
}

// TestEnvironment: a schedule in the environment is run in place of a search, and pages are
// written.
func TestEnvironment(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(PagesEnvironment, dir)
	t.Setenv(Environment, "w0,w1,w1,w0")
	write := []action{{kind: "get"}, {kind: "put", n: 1}}
	report := Search(t, newSmall, actions(write, write))
	assert.True(t, report.Replayed)
	assert.Equal(t, 1, report.Runs)
	require.Len(t, report.Failures, 1)
	f := report.Failures[0]
	assert.Equal(t, "w0,w1,w1,w0", f.Schedule)
	assert.Equal(t, filepath.Join(dir, "TestEnvironment-1.html"), f.File)
	page, err := os.ReadFile(f.File)
	require.NoError(t, err)
	assert.Contains(t, string(page), "overwrites the change")
	assert.Contains(t, string(page), "KUGIRI_EXPLORE=&#39;w0,w1,w1,w0&#39; go test")
	assert.NotContains(t, string(page), "src=")

	// programs that show the page read the data in it
	_, data, _ := strings.Cut(string(page), `<script type="application/json" id="`+search.DataID+`">`)
	data, _, _ = strings.Cut(data, "</script>")
	var d search.Diagram
	require.NoError(t, json.Unmarshal([]byte(data), &d), data)
	assert.Equal(t, f.Diagram(), &d)
	assert.Len(t, d.Steps, 4)
}
