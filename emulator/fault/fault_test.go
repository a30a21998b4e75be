package fault

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage/item"
)

// request makes a request with targets in the form "table", "table/index" or "table:pk". A target
// that ends in "!" is written.
func request(operation string, targets ...string) *Request {
	r := &Request{Operation: operation}
	for _, text := range targets {
		var t Target
		text, t.Write = strings.CutSuffix(text, "!")
		text, key, keyed := strings.Cut(text, ":")
		t.Table, t.Index, _ = strings.Cut(text, "/")
		if keyed {
			t.Item = item.New(item.Attribute{Name: "pk", Value: item.String(key)})
		}
		r.Targets = append(r.Targets, t)
	}
	return r
}

// shown prints the chosen targets: "x" for a chosen target and "." for another, "" if chosen is
// nil.
func shown(chosen []bool) string {
	var b strings.Builder
	for _, yes := range chosen {
		if yes {
			b.WriteByte('x')
		} else {
			b.WriteByte('.')
		}
	}
	return b.String()
}

func TestMatchers(t *testing.T) {
	put, get := request("PutItem", "a:1!"), request("GetItem", "a:1")
	batch := request("BatchWriteItem", "a:1!", "a:2!", "b:1!")
	for _, tc := range []struct {
		name     string
		when     Matcher
		requests []*Request
		want     []string
	}{
		{"none", nil, []*Request{put, batch}, []string{"x", "xxx"}},
		{"operation", Operation("PutItem"), []*Request{put, get, batch}, []string{"x", "", ""}},
		{"several operations", Operation("PutItem", "GetItem"), []*Request{put, get, batch},
			[]string{"x", "x", ""}},
		{"table", Table("a"), []*Request{put, batch, request("Query", "b")},
			[]string{"x", "xx.", ""}},
		{"index", Index("i"),
			[]*Request{request("Query", "a/i"), request("Query", "a/j"), request("Query", "a")},
			[]string{"x", "", ""}},
		{"key", Key("pk", "1"), []*Request{put, batch, request("Query", "a")},
			[]string{"x", "x.x", ""}},
		{"key of another name", Key("id", "1"), []*Request{put}, []string{""}},
		{"reads", Reads(), []*Request{put, get, request("TransactWriteItems", "a", "a!")},
			[]string{"", "x", "x."}},
		{"writes", Writes(), []*Request{put, get, request("TransactWriteItems", "a", "a!")},
			[]string{"x", "", ".x"}},
		{"function",
			Func(func(operation string, t *Target) bool {
				return operation != "GetItem" && t.Table == "b"
			}),
			[]*Request{put, get, batch}, []string{"", "", "..x"}},
		{"nth", Nth(2), []*Request{put, put, put}, []string{"", "x", ""}},
		{"every", Every(2), []*Request{put, put, put, put}, []string{"", "x", "", "x"}},
		{"first", First(2), []*Request{put, batch, put}, []string{"x", "xxx", ""}},
		{"never", Probability(0), []*Request{put, put}, []string{"", ""}},
		{"always", Probability(1), []*Request{put, put}, []string{"x", "x"}},
		{"and is of one target", And(Table("b"), Key("pk", "2")), []*Request{batch}, []string{""}},
		{"and", And(Table("b"), Key("pk", "1")), []*Request{batch}, []string{"..x"}},
		{"and counts what is left", And(Operation("GetItem"), First(1)), []*Request{put, get, get},
			[]string{"", "x", ""}},
		{"or", Or(Table("b"), Key("pk", "2")), []*Request{batch, put}, []string{".xx", ""}},
		{"or asks all", Or(First(1), Nth(2)), []*Request{put, put, put}, []string{"x", "x", ""}},
		{"not", Not(Table("a")), []*Request{batch, put}, []string{"..x", ""}},
		{"not of nothing", Not(Table("c")), []*Request{batch}, []string{"xxx"}},
		{"times", Times(2, Table("b")), []*Request{batch, put, batch, batch},
			[]string{"..x", "", "..x", ""}},
		{"after", After(1, Table("b")), []*Request{batch, put, batch, batch},
			[]string{"", "", "..x", "..x"}},
		{"after none", After(0, Table("b")), []*Request{batch}, []string{"..x"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := Fault{When: tc.when, Do: DropConnection()}
			require.NoError(t, f.Validate())
			for range 2 { // installations are independent of each other
				in := NewInjector(f)
				for i, r := range tc.requests {
					assert.Equal(t, tc.want[i], shown(in.Match(r)), "request %d", i)
				}
			}
		})
	}
}

func TestKeyTakesTheTextOfAValue(t *testing.T) {
	d, err := item.ParseDecimal("1.50")
	require.NoError(t, err)
	for value, v := range map[string]item.Value{
		"a\"b": item.String("a\"b"), "1.5": item.Number(d), "\x00\xff": item.Binary("\x00\xff"),
	} {
		r := &Request{Targets: []Target{{Item: item.New(item.Attribute{Name: "pk", Value: v})}}}
		assert.Equal(t, "x", shown(NewInjector(Fault{When: Key("pk", value)}).Match(r)), value)
	}
}

func TestChanceFollowsTheSeed(t *testing.T) {
	draw := func(seed uint64) (drawn string) {
		in := NewInjector(Fault{When: Probability(0.5), Seed: seed})
		for range 64 {
			drawn += shown(in.Match(request("PutItem", "a"))) + ","
		}
		return drawn + shown(in.Sample([]bool{true, true, false, true, true, true, true}, 3))
	}
	assert.Equal(t, draw(1), draw(1))
	assert.NotEqual(t, draw(1), draw(2))
	assert.InDelta(t, 32, strings.Count(draw(3), "x"), 16)
}

func TestSample(t *testing.T) {
	in := NewInjector(Fault{})
	for k := range 5 {
		kept := in.Sample([]bool{true, false, true, true}, k)
		assert.Equal(t, min(k, 3), strings.Count(shown(kept), "x"))
		assert.False(t, kept[1])
	}
}

func TestValidate(t *testing.T) {
	deep := Table("a")
	for range maxDepth + 1 {
		deep = Not(deep)
	}
	ok := DropConnection()
	for _, tc := range []struct {
		name  string
		fault Fault
		want  string
	}{
		{"no effect", Fault{}, "fault: do: no effect is given"},
		{"unknown effect", Fault{Do: Effect{Kind: "boom"}}, `fault: do: there is no effect "boom"`},
		{"reason", Fault{Do: Throttle("TooHot")},
			`fault: do: throttle: "TooHot" is no reason for throttling, such as TableWriteProvisionedThroughputExceeded`},
		{"half a reason", Fault{Do: Throttle("TableWrite")},
			`fault: do: throttle: "TableWrite" is no reason for throttling, such as TableWriteProvisionedThroughputExceeded`},
		{"reason of a table with an index",
			Fault{Do: ThrottleIndex("TableWriteKeyRangeThroughputExceeded", "i")},
			`fault: do: throttle: the reason TableWriteKeyRangeThroughputExceeded is none of an index`},
		{"latency", Fault{Do: Latency(0)}, `fault: do: latency: the duration must be positive`},
		{"share", Fault{Do: Unprocessed(0)},
			`fault: do: unprocessed: the share must be above 0 and at most 1`},
		{"large share", Fault{Do: Unprocessed(1.5)},
			`fault: do: unprocessed: the share must be above 0 and at most 1`},
		{"no bound", Fault{Do: StaleReads(Bound{})},
			`fault: do: staleReads: without a bound, of writes, time or both`},
		{"negative bound", Fault{Do: LaggingIndexes(Bound{Writes: -1})},
			`fault: do: laggingIndexes: a bound cannot be negative`},
		{"records", Fault{Do: ShortPages(-1)},
			`fault: do: shortPages: the number of records cannot be negative`},
		{"names", Fault{When: Operation(), Do: ok}, `fault: when: operation: names are missing`},
		{"an operation that there is not", Fault{When: Operation("PutItem", "PutItems"), Do: ok},
			`fault: when: operation: there is no operation "PutItems": did you mean PutItem?`},
		{"an effect that the operations cannot have",
			Fault{When: And(Table("a"), Operation("GetItem", "Query")), Do: Unprocessed(0.5)},
			`fault: unprocessed: no request of GetItem, Query can have it`},
		{"a name", Fault{When: Table("a", ""), Do: ok}, `fault: when: table: names are missing`},
		{"key", Fault{When: Key("", "x"), Do: ok},
			`fault: when: key: the name of the attribute is missing`},
		{"count", Fault{When: Every(0), Do: ok}, `fault: when: every: must be at least 1`},
		{"probability", Fault{When: Probability(1.1), Do: ok},
			`fault: when: probability: must be from 0 to 1`},
		{"function", Fault{When: Func(nil), Do: ok}, `fault: when: func: there is none`},
		{"times", Fault{When: Times(0, Writes()), Do: ok},
			`fault: when: times: the count must be at least 1`},
		{"after", Fault{When: After(-1, Writes()), Do: ok},
			`fault: when: after: the count must be at least 0`},
		{"nothing to join", Fault{When: And(), Do: ok}, `fault: when: and: matchers are missing`},
		{"nil to join", Fault{When: Or(Writes(), nil), Do: ok},
			`fault: when: or: matchers are missing`},
		{"inside", Fault{When: And(Writes(), Not(First(0))), Do: ok},
			`fault: when: and: not: first: must be at least 1`},
	} {
		t.Run(tc.name, func(t *testing.T) { assert.EqualError(t, tc.fault.Validate(), tc.want) })
	}
	assert.ErrorContains(t, Fault{When: deep, Do: ok}.Validate(),
		"nested too deep, the limit is 32")
}
