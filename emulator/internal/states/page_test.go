package states

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/internal/tables"
)

const pageFile = "../../../conformance/facts/states.md"

const pageHead = `# States of tables, and what requests answer in them

While a table is created, changed or deleted, the service refuses some requests and takes others.
Each section is a change in progress, or a phase of it. The sources are in
[Tables that are changing](changing.md) and [Findings of ack-api-quirks](ack-api-quirks.md). Names
in braces stand for those of the table and of the request.

Kugiri has these states with "--table-delay" only: without it all changes are done at once. How
long the phases last is Kugiri's: on the service a creation takes about six seconds and a deletion
five.

This page is made from Kugiri's table, the package emulator/internal/states, by its test with
KUGIRI_UPDATE=1. "TestStates" has a case for each request of each line.
`

// TestPage: the page of facts is the table in words.
func TestPage(t *testing.T) {
	page := pageHead
	for _, group := range [][]Row{tablesThatPass, tablesThatUpdate, tablesThatAreActive} {
		for i := range group {
			page += section(&group[i], all)
		}
	}
	for i := range indexesThatChange {
		page += section(&indexesThatChange[i], onIndexes)
	}
	for i := range destinations {
		page += section(&destinations[i],
			[]Request{EnableStreaming, DisableStreaming, UpdateStreaming})
	}
	if os.Getenv("KUGIRI_UPDATE") != "" {
		require.NoError(t, os.WriteFile(pageFile, []byte(page), 0o644))
	}
	kept, err := os.ReadFile(pageFile)
	require.NoError(t, err)
	assert.Equal(t, page, string(kept), "KUGIRI_UPDATE=1 go test ./emulator/internal/states")
}

// section is the part of the page for a row, whose table has a line for each request that the row
// says something of.
func section(row *Row, requests []Request) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## While %s\n", row.While)
	if row.Status != "" {
		fmt.Fprintf(&b, "\nStatus: %s.\n", row.Status)
	}
	if len(row.Shows) > 0 {
		fmt.Fprintf(&b, "\n| Description | Shows |\n|---|---|\n")
		for _, r := range slices.Sorted(maps.Keys(row.Shows)) {
			fmt.Fprintf(&b, "| %s | `%s` |\n", r, row.Shows[r])
		}
	}
	var answers []string // sorted as the requests have them
	of := map[string][]string{}
	for _, r := range requests {
		text := words(row.Change, r)
		if of[text] == nil {
			answers = append(answers, text)
		}
		of[text] = append(of[text], string(r))
	}
	fmt.Fprintf(&b, "\n| Requests | Answer |\n|---|---|\n")
	for _, text := range answers {
		fmt.Fprintf(&b, "| %s | %s |\n", strings.Join(of[text], "; "), text)
	}
	return b.String()
}

// words says what a request answers.
func words(change tables.Change, r Request) string {
	a := answer(change, r)
	if a == admitted && change != Missing {
		a = always[r]
	}
	switch {
	case a == admitted:
		return "taken"
	case a.Type == nil:
		return a.Text
	}
	return a.Type.Name + ": `" + a.Text + "`"
}

// TestRows: each change has one row, and each row has answers for requests that there are.
func TestRows(t *testing.T) {
	count := 0
	for _, group := range [][]Row{
		tablesThatPass, tablesThatUpdate, tablesThatAreActive, indexesThatChange, destinations,
	} {
		count += len(group)
		for _, row := range group {
			assert.NotEmpty(t, row.While, row.Change)
			for asked, a := range row.Answers {
				known := slices.Contains(all, asked) || slices.Contains(onIndexes, asked) ||
					asked == Update || asked == Describe
				assert.True(t, known, "%s: %s", row.Change, asked)
				assert.True(t, a == admitted || a == missing || a.Type != nil && a.Text != "",
					"%s: %s", row.Change, asked)
			}
		}
	}
	assert.Len(t, rows, count, "a change has two rows")
}
