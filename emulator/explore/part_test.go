package explore

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/explore/search"
)

// ordersOf returns how often each order with its end was run, in all of the search or in a part.
func ordersOf(t *testing.T, server *emulatortest.Server, p program, part search.Part, naive bool,
	opts ...Option) (orders map[string]int, ends map[string]bool) {
	s := newSearch(t, server, p.define, optionsOf(append(opts, Budget(1_000_000))))
	s.Naive, s.Unjudged, s.Part = naive, true, part
	orders, ends = map[string]int{}, map[string]bool{}
	s.Seen = func(o *search.Outcome) {
		if end, ok := s.End(o); ok {
			orders[search.ScheduleOf(o)]++
			ends[end] = true
		}
	}
	report := s.Explore()
	require.True(t, report.Complete, "%v of %v: %s", part, p, report)
	if part.Of > 1 {
		require.Contains(t, report.String(), part.String()+": ")
		require.Contains(t, report.String(), "all its orders were tried")
	}
	return orders, ends
}

// TestPartsAreTheWhole: for random programs, the parts of a search without reduction have each
// order once, and those of a reduced search have as many orders as the whole, each once, and the
// same ends. With TEST_FULL=true it is tried with more programs.
func TestPartsAreTheWhole(t *testing.T) {
	server, left := newSmall(t), 10
	if os.Getenv("TEST_FULL") != "" {
		left = 1 << 30
	}
	rapid.Check(t, func(rt *rapid.T) {
		if left--; left < 0 {
			return
		}
		p := drawProgram(rt, [][]int{{1, 1}, {2, 2}, {3, 2}, {1, 1, 1}, {2, 1, 1}, {2, 2, 1}})
		of := rapid.IntRange(2, 3).Draw(rt, "parts")
		naive := rapid.Bool().Draw(rt, "naive")
		whole, ends := ordersOf(t, server, p, search.Part{}, naive)
		together, ends2 := map[string]int{}, map[string]bool{}
		for n := 1; n <= of; n++ {
			orders, more := ordersOf(t, server, p, search.Part{Number: n, Of: of}, naive)
			for order, times := range orders {
				together[order] += times
			}
			for end := range more {
				ends2[end] = true
			}
		}
		require.Equal(rt, ends, ends2, "%v", p)
		if naive {
			require.Equal(rt, whole, together, "%v", p)
			return
		}
		require.Len(rt, together, len(whole), "%v", p)
		for order, times := range together {
			require.Equal(rt, 1, times, "%s of %v", order, p)
		}
	})
}

// TestPartsHaveAllFaults: with faults an order may be in several parts, and none is in no part.
func TestPartsHaveAllFaults(t *testing.T) {
	server, left := newSmall(t), 4
	if os.Getenv("TEST_FULL") != "" {
		left = 1 << 30
	}
	rapid.Check(t, func(rt *rapid.T) {
		if left--; left < 0 {
			return
		}
		p := drawProgram(rt, [][]int{{1, 1}, {2, 1}, {2, 2}, {1, 1, 1}})
		p.mortal = rapid.Bool().Draw(rt, "mortal")
		kind := rapid.SampledFrom(slices.DeleteFunc(slices.Clone(search.AllFaults),
			func(f Fault) bool { return f == Cached })).Draw(rt, "fault")
		most := rapid.IntRange(1, 2).Draw(rt, "faults")
		opts := []Option{Faults(most, kind), ClockMoves(time.Hour)}
		of := rapid.IntRange(2, 4).Draw(rt, "parts")
		_, ends := ordersOf(t, server, p, search.Part{}, false, opts...)
		together := map[string]bool{}
		for n := 1; n <= of; n++ {
			_, more := ordersOf(t, server, p, search.Part{Number: n, Of: of}, false, opts...)
			for end := range more {
				together[end] = true
			}
		}
		require.Equal(rt, ends, together, "%v %v", p, kind)
	})
}

// TestPartsShare: a part has its share of a large search, and random orders of its own.
func TestPartsShare(t *testing.T) {
	add := slices.Repeat([]action{{kind: "add", n: 1}}, 3)
	program := actions(add, add, add[1:])
	whole := Search(t, newSmall, program).Runs
	total := 0
	for n := 1; n <= 2; n++ {
		t.Setenv(PartEnvironment, fmt.Sprintf("%d/2", n))
		report := Search(t, newSmall, program)
		assert.True(t, report.Complete, "%s", report)
		assert.Less(t, report.Runs, whole*2/3, "%s", report)
		assert.Less(t, report.Dividing, whole/4, "%s", report)
		total += report.Runs
	}
	assert.Equal(t, whole, total)
}

// TestPartOfBudget: what a part says if it has too many orders for its budget.
func TestPartOfBudget(t *testing.T) {
	t.Setenv(PartEnvironment, "2/3")
	report := Search(t, newSmall, crowd, Budget(200))
	assert.False(t, report.Complete)
	assert.Equal(t, 200, report.Runs)
	assert.Contains(t, report.String(), "explore: part 2 of 3: 200 runs, of 63063000 orders: "+
		"not all its orders were tried, but all with no preemption; beyond them")
}

// TestSeed: the random orders are those of the seed.
func TestSeed(t *testing.T) {
	server := newSmall(t)
	of := func(seed uint64) (orders []string) {
		s := newSearch(t, server, crowd, optionsOf([]Option{Seed(seed), Budget(300)}))
		s.Unjudged = true
		s.Seen = func(o *search.Outcome) { orders = append(orders, search.ScheduleOf(o)) }
		s.Explore()
		return orders
	}
	seven := of(7)
	assert.NotEmpty(t, seven)
	assert.Equal(t, seven, of(7))
	assert.NotEqual(t, seven, of(8))
}

// TestDividingIsBounded: how many runs it takes at most to divide a search. Steps in which nobody
// has a choice take none of their own, and others no more than a quarter of the budget and a level.
func TestDividingIsBounded(t *testing.T) {
	steps := func(key, n int) []action {
		return slices.Repeat([]action{{kind: "put", key: key, n: 1}}, n)
	}
	for _, c := range []struct {
		name    string
		program func(*X)
		part    string
		most    int
	}{
		{"one long worker", actions(steps(0, 100)), "2/8", 2},
		{"a long worker and a short one", actions(steps(0, 100), steps(1, 1)), "2/256", 70},
		{"two long workers", actions(steps(0, 90), steps(1, 90)), "2/256", 70},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv(PartEnvironment, c.part)
			report := Search(t, newSmall, c.program, Budget(200))
			assert.Positive(t, report.Dividing)
			assert.LessOrEqual(t, report.Dividing, c.most, "%s", report)
		})
	}
}

// TestMerge: what the parts of a search say together.
func TestMerge(t *testing.T) {
	write := []action{{kind: "add", n: 1}, {kind: "add", n: 1}}
	lost := []action{{kind: "get"}, {kind: "put", n: 1}}
	part := func(name string, p program, opts ...Option) search.PartReport {
		file := filepath.Join(t.TempDir(), "report")
		t.Setenv(PartEnvironment, name)
		t.Setenv(ReportEnvironment, file)
		Search(t, newSmall, p.define, opts...)
		f, err := os.Open(file)
		require.NoError(t, err)
		defer f.Close()
		list, err := search.ReadReports(f)
		require.NoError(t, err)
		require.Len(t, list, 1)
		assert.Contains(t, list[0].Name, "explore.TestMerge")
		list[0].Name = "test"
		return list[0]
	}
	adds := program{workers: [][]action{write, write}}
	loses := program{workers: [][]action{lost, lost}}
	other := program{workers: [][]action{write, write, write}}
	one, two, three := part("1/3", adds), part("2/3", adds), part("3/3", adds)
	for _, c := range []struct {
		name     string
		parts    []search.PartReport
		complete bool
		says     string
		err      string
	}{
		{"all", []search.PartReport{three, one, two}, true,
			"test: 3 parts, 6 runs of 6 orders: all orders were tried", ""},
		{"one is missing", []search.PartReport{one, three}, false,
			"not all orders were tried: part 2 of 3 is missing", ""},
		{"two are missing", []search.PartReport{two}, false,
			"not all orders were tried: parts 1, 3 of 3 are missing", ""},
		{"one has too small a budget", []search.PartReport{part("1/2", adds, Budget(1)),
			part("2/2", adds, Budget(1))}, false, "not all its orders were tried", ""},
		{"one fails", []search.PartReport{part("1/2", loses), part("2/2", loses)}, false,
			"1 failure, at which parts of the search have ended", ""},
		{"the whole", []search.PartReport{part("1/1", adds)}, true,
			"test: 1 part, 6 runs of 6 orders: all orders were tried", ""},
		{"twice", []search.PartReport{one, one, two}, false, "", "part 1 of 3 is there twice"},
		{"other parts", []search.PartReport{one, part("2/2", adds)}, false, "",
			"there is part 2 of 2, and part 1 of 3"},
		{"another budget", []search.PartReport{one, part("2/3", adds, Budget(500))}, false, "",
			"are of different options"},
		{"another program", []search.PartReport{one, part("2/3", other)}, false, "",
			"are of different programs"},
	} {
		t.Run(c.name, func(t *testing.T) {
			list, err := search.Merge(c.parts)
			if c.err != "" {
				require.ErrorContains(t, err, c.err)
				return
			}
			require.NoError(t, err)
			require.Len(t, list, 1)
			assert.Equal(t, c.complete, list[0].Complete)
			assert.Contains(t, list[0].Text, c.says)
		})
	}
}

// TestPartNames: a text that names no part is an error.
func TestPartNames(t *testing.T) {
	for _, text := range []string{"3", "0/8", "9/8", "3/8/2", "a/b", "1/1000", "-1/2"} {
		_, err := search.ParsePart(text)
		assert.ErrorContains(t, err, "is no part of a search", text)
	}
	o := optionsOf([]Option{Schedule("w0")})
	o.Part = search.Part{Number: 1, Of: 2}
	assert.ErrorContains(t, o.check(), "a schedule is run whole")
	_, err := search.ReadReports(strings.NewReader("{}\n"))
	assert.ErrorContains(t, err, "line 1 is no report")
}
