package proof

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
)

// designs are the guide's example, three that the maker of DynamoDB published, with the number of
// indexes that they have there, and one for each kind of pattern that those lack.
var designs = []struct {
	name, file string
	indexes    int
	mutations  int
}{
	{"the guide's posts", "../../conventions/design/designfile/testdata/design.yaml", 3, 9},
	{"an online shop", "testdata/shop.yaml", 2, 3},
	{"a game", "testdata/game.yaml", 2, 4},
	{"profiles of players", "testdata/profiles.yaml", 0, 2},
	{"orders with their lines", "testdata/together.yaml", 1, 6},
	{"orders of tenants, in versions", "testdata/tenants.yaml", 2, 6},
	{"products that are similar", "testdata/similar.yaml", 1, 4},
	{"tickets of a state, logs by month, and events in shards", "testdata/spread.yaml", 3, 8},
	{"jobs that stay in states for a time", "testdata/stays.yaml", 1, 2},
	{"books by the beginning of their titles", "testdata/begins.yaml", 3, 8},
	{"baskets that are read with strong consistency", "testdata/local.yaml", 3, 8},
	{"follows, in an index with the table's keys the other way round", "testdata/inverted.yaml", 1,
		3},
	{"large articles, which BatchGetItem reads", "testdata/fetched.yaml", 2, 5},
	{"sessions that expire", "testdata/sessions.yaml", 1, 4},
	{"users with e-mail addresses of their own, likes that are counted, and orders that take stock",
		"testdata/invariants.yaml", 2, 30},
	{"users whom a transaction puts with their guards", "testdata/blog.yaml", 1, 30},
	{"users with two guards that overlap", "testdata/overlap.yaml", 0, 10},
	{"places in a hierarchy, in cells of a map and by two filters", "testdata/places.yaml", 4, 8},
	{"orders with lines that have two attributes of theirs", "testdata/pairs.yaml", 0, 2},
	{"readings below 0 and with decimals, in keys beside other parts", "testdata/scaled.yaml", 2, 6},
	{"shows whose seats are taken without a read before", "testdata/takes.yaml", 2, 10},
	{"tickets by several ids and states, and filtered", "testdata/several.yaml", 2, 6},
	{"complaints, few of which are escalated", "testdata/optional.yaml", 4, 5},
	{"a fleet of devices, with counters that the stream keeps", "testdata/fleet.yaml", 4, 30},
	{"a chat, whose members have copies of names", "testdata/chat.yaml", 3, 30},
	{"a social network, with feeds", "testdata/network.yaml", 3, 40},
	{"teams of tenants, with feeds that deletes reach", "testdata/feeds.yaml", 1, 6},
	{"seats of events, with holds that expire, and transactions of several puts",
		"testdata/seats.yaml", 2, 28},
	{"a marketplace, with a transaction of puts and a counter that ADD keeps after it",
		"testdata/market.yaml", 3, 40},
	{"parcels in indexes whose keys are attributes", "testdata/attributes.yaml", 6, 20},
	{"conversations with the text and the time of their last message", "testdata/lasts.yaml", 2, 3},
	{"channels with their last messages", "testdata/latest.yaml", 0, 6},
	{"orders, which move counters of their states and sums", "testdata/moves.yaml", 1, 26},
	{"invoices, bills and tickets with numbers in a sequence", "testdata/numbers.yaml", 1, 30},
	{"tickets with numbers, whose last one a customer has", "testdata/desk.yaml", 2, 20},
}

// notAllOrders has the writes that the budget does not suffice for: two writers that send two
// requests each, beside the batches of a stream that come twice.
var notAllOrders = map[string][]string{"testdata/network.yaml": {"put Follow", "delete Follow"}}

// TestDesigns checks that plans have no more indexes than the published designs, and hold.
func TestDesigns(t *testing.T) {
	for _, d := range designs {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			plan, err := designfile.PlanFile(d.file)
			require.NoError(t, err)
			assert.LessOrEqual(t, len(plan.Indexes), d.indexes)
			report, err := Verify(plan, Options{Rows: rows()})
			require.NoError(t, err)
			for _, p := range report.Patterns {
				assert.Empty(t, p.Failures, p.Name)
				assert.Positive(t, p.Items, p.Name)
			}
			var untried []string
			for _, w := range report.Writes {
				assert.Empty(t, w.Failures, w.Name)
				assert.Positive(t, w.Orders, w.Name)
				t.Logf("%s: %d orders", w.Name, w.Orders)
				if len(w.Untried) > 0 {
					untried = append(untried, w.Name)
				}
			}
			assert.Equal(t, notAllOrders[d.file], untried, "writes of which not all orders were run")
		})
	}
}

// TestCoolPartitions: a key that saves an attribute is not taken if its partitions get more than a
// partition serves, and another one does not.
func TestCoolPartitions(t *testing.T) {
	text, err := os.ReadFile("testdata/seats.yaml")
	require.NoError(t, err)
	const reads, writes = "where: {state: free}, rate: ", "count: 2}], rate: "
	for _, c := range []struct{ name, old, rate, want string }{
		{"as it is", "", "", "GSI1PK = free"},
		{"ten times the reads", reads + "300", reads + "3_000", "= {event}"},
		{"ten times the writes", writes + "200", writes + "2_000", "= {event}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Contains(t, string(text), c.old)
			plan, err := designfile.Plan(
				[]byte(strings.Replace(string(text), c.old, c.rate, 1)))
			require.NoError(t, err)
			i := slices.IndexFunc(plan.Queries, func(q design.Query) bool {
				return q.Pattern == "free seats of an event"
			})
			assert.Contains(t, plan.Queries[i].String(), c.want)
			for _, n := range plan.Notes {
				assert.False(t, n.Warning && strings.Contains(n.Text, "partition serves"), n.Text)
			}
		})
	}
}

// rows is how many items a proof makes. More find no other mistakes, and take longer.
func rows() int64 {
	if os.Getenv("TEST_FULL") != "" {
		return 5000
	}
	return 500
}

// drawn is how many designs a test draws: a few, and all of them with TEST_FULL=true. TestMutations
// has each kind of mistake in any case.
func drawn(few, all int) int {
	if os.Getenv("TEST_FULL") != "" {
		return all
	}
	return few
}

// notUnderRace skips a test of what mistakes a proof notices: the race detector, which takes ten
// times as long, has seen the same code in TestDesigns.
func notUnderRace(t *testing.T) {
	if httpd.RaceDetector {
		t.Skip("slow under the race detector")
	}
}

// TestMutations checks that a verification notices each decision that is undone.
func TestMutations(t *testing.T) {
	notUnderRace(t)
	for _, d := range designs {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			if d.mutations >= 40 && os.Getenv("TEST_FULL") == "" {
				t.Skip("it is slow: run it with TEST_FULL=true")
			}
			plan, err := designfile.PlanFile(d.file)
			require.NoError(t, err)
			all, err := Mutate(plan, Options{Rows: rows()})
			require.NoError(t, err)
			assert.GreaterOrEqual(t, len(all), d.mutations)
			for _, m := range all {
				assert.NotEmpty(t, m.Found, m.Name)
			}
		})
	}
}

// TestNumbersInStrings checks that a verification notices numbers that sort as text, also if its
// items have only small ones.
func TestNumbersInStrings(t *testing.T) {
	plan, err := designfile.Plan([]byte(`table: orders
models:
  - {name: Order, key: [id], attributes: [{name: id, format: ulid}]}
  - name: Line
    key: [order, n]
    attributes: [{name: order, format: ulid, of: Order.id}, {name: n, type: number, values: 5}]
patterns:
  - {name: order, model: Order, equal: [id], one: true}
  - {name: lines, model: Line, equal: [order], order: n}
  - {name: lines from to, model: Line, equal: [order], range: n}
`))
	require.NoError(t, err)
	for _, rows := range []int64{20, 2000} {
		report, err := Verify(plan, Options{Rows: rows})
		require.NoError(t, err)
		assert.True(t, report.OK())
		all, err := Mutate(plan, Options{Rows: rows})
		require.NoError(t, err)
		names := map[string]bool{}
		for _, m := range all {
			names[m.Name] = true
			assert.NotEmpty(t, m.Found, m.Name)
		}
		assert.True(t, names["n of Line has no zeros in front in SK"])
	}
}
