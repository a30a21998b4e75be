package emulator

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kugiri-db/kugiri/emulator/internal/feature/statements"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestPlanLosesNothing: a SELECT finds in the partitions that its WHERE clause names all that a
// scan finds with the same condition: nothing is planned by what stands under NOT. Clauses whose
// parts overlap are refused (service facts A.1).
func TestPlanLosesNothing(t *testing.T) {
	x := newItemTest(t)
	for i := range 60 {
		x.do("PutItem", fmt.Sprintf(
			`{"TableName":"indexed","Item":{"pk":{"S":"p%d"},"sk":{"S":"s%d"},"gh":{"S":"p%d"},"gr":{"N":"%d"},"a":{"N":"%d"}}}`,
			i%4, i/4, i%3, i%7, i%5))
	}
	for _, source := range []struct{ from, hash, sort, quote string }{
		{`"indexed"`, "pk", "sk", "'s"}, {`"indexed"."gsi1"`, "gh", "gr", ""},
	} {
		rapid.Check(t, func(rt *rapid.T) {
			condition := drawWhere(rt, source.hash, source.sort, source.quote, 3)
			limit := rapid.IntRange(1, 20).Draw(rt, "limit")
			text := "SELECT * FROM " + source.from + " WHERE " + condition
			if answer := x.do("ExecuteStatement",
				selectRequest(rt, text, limit, "")); answer == "ValidationException: "+string(
				statements.ErrOverlappingReads) {
				return
			}
			planned := selectAll(rt, x, text, limit)
			scanned := selectAll(rt, x,
				"SELECT * FROM "+source.from+" WHERE NOT (NOT ("+condition+"))", 1000)
			require.Equal(rt, scanned, planned, condition)
		})
	}
}

// drawWhere draws a condition on the key attributes and on a.
func drawWhere(t *rapid.T, hash, sort, quote string, depth int) string {
	shut := strings.Trim(quote, "s")
	sortValue := func() string {
		return fmt.Sprint(quote, rapid.IntRange(0, 9).Draw(t, "sort"), shut)
	}
	hashValue := func() string { return fmt.Sprintf("'p%d'", rapid.IntRange(0, 4).Draw(t, "hash")) }
	kind := rapid.IntRange(0, 9).Draw(t, "kind")
	if depth == 0 {
		kind = min(kind, 5)
	}
	switch kind {
	case 0:
		return hash + " = " + hashValue()
	case 1:
		return hash + " IN [" + hashValue() + ", " + hashValue() + "]"
	case 2:
		return sort + rapid.SampledFrom([]string{" = ", " < ", " <= ", " > ", " >= ", " <> "}).Draw(
			t, "op") + sortValue()
	case 3:
		return sortValue() + rapid.SampledFrom([]string{" = ", " < ", " <= ", " > ", " >= "}).Draw(
			t, "op") + sort
	case 4: // two parts of one partition
		partition := hash + " = " + hashValue() + " AND " + sort
		part := func() string {
			return "(" + partition + rapid.SampledFrom([]string{" < ", " >= ", " = "}).Draw(t,
				"op") + sortValue() + ")"
		}
		return "(" + part() + " OR " + part() + ")"
	case 5:
		return fmt.Sprintf("a = %d", rapid.IntRange(0, 4).Draw(t, "a"))
	}
	left := drawWhere(t, hash, sort, quote, depth-1)
	right := drawWhere(t, hash, sort, quote, depth-1)
	switch kind {
	case 6, 7:
		return "(" + left + " OR " + right + ")"
	case 8:
		return "NOT (" + left + " OR " + right + ")"
	}
	return "(" + left + " AND " + right + ")"
}

// selectRequest is one of ExecuteStatement; more members follow.
func selectRequest(t *rapid.T, text string, limit int, more string) string {
	statement, err := json.Marshal(text)
	require.NoError(t, err)
	return fmt.Sprintf(`{"Statement":%s,"Limit":%d%s}`, statement, limit, more)
}

// selectAll reads all pages and returns the items, sorted.
func selectAll(t *rapid.T, x *requestTest, text string, limit int) []string {
	var all []string
	token := ""
	for range 200 {
		body := selectRequest(t, text, limit, token)
		var page struct {
			Items     []json.RawMessage
			NextToken string
		}
		answer := x.do("ExecuteStatement", body)
		require.NoError(t, json.Unmarshal([]byte(answer), &page), "%s: %s", body, answer)
		for _, it := range page.Items {
			all = append(all, string(it))
		}
		if page.NextToken == "" {
			slices.Sort(all)
			return all
		}
		token = fmt.Sprintf(`,"NextToken":%q`, page.NextToken)
	}
	t.Fatal("no end of pages")
	return nil
}
