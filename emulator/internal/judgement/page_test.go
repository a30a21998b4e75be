package judgement

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
)

const pageFile = "../../../conformance/facts/order.md"

// TestPage: the page of facts has the table.
func TestPage(t *testing.T) {
	const begin, end = "<!-- table -->\n", "<!-- end of table -->"
	text, err := os.ReadFile(pageFile)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(text), begin)
	require.True(t, found)
	_, after, found := strings.Cut(rest, end)
	require.True(t, found)
	want := before + begin + rendered() + end + after
	if os.Getenv("KUGIRI_UPDATE") != "" {
		require.NoError(t, os.WriteFile(pageFile, []byte(want), 0o644))
		return
	}
	assert.Equal(t, want, string(text), "KUGIRI_UPDATE=1 go test ./emulator/internal/judgement")
}

// rendered is the table in words.
func rendered() string {
	var b strings.Builder
	b.WriteString("| Operation | Generation |")
	for _, l := range Layers {
		fmt.Fprintf(&b, " %s |", l)
	}
	b.WriteString(" Facts |\n|---|---|" + strings.Repeat("---|", len(Layers)) + "---|\n")
	for i := range rows {
		r := &rows[i]
		fmt.Fprintf(&b, "| %s | %s |", r.Operation, r.Generation)
		for _, l := range Layers {
			if at, ok := r.Place(l); ok {
				fmt.Fprintf(&b, " %d: %s |", at+1, words(r, l))
			} else {
				b.WriteString(" |")
			}
		}
		fmt.Fprintf(&b, " %s |\n", r.Facts)
	}
	return b.String()
}

// words says in what form an operation words the faults of a layer.
func words(r *Row, l Layer) string {
	switch {
	case l == Reader:
		return "SerializationException"
	case l == Tables:
		return "ResourceNotFoundException"
	case l == Members && r.Generation != Strict, r.Form() == apierr.EnvelopedForm:
		return "in the envelope"
	}
	return "bare"
}

// TestRows: each operation has one row, with each layer at most once, from the reader to the table.
func TestRows(t *testing.T) {
	seen := map[string]bool{}
	for i := range rows {
		r := &rows[i]
		assert.False(t, seen[r.Operation], r.Operation)
		seen[r.Operation] = true
		assert.Contains(t, forms, r.Generation, r.Operation)
		assert.Equal(t, Reader, r.Order[0], r.Operation)
		assert.Equal(t, Members, r.Order[1], r.Operation)
		assert.Equal(t, Tables, r.Order[len(r.Order)-1], r.Operation)
		for at, l := range r.Order {
			assert.Contains(t, Layers, l, r.Operation)
			assert.Equal(t, at, slices.Index(r.Order, l), r.Operation)
		}
	}
	for _, names := range reports {
		for _, name := range names {
			assert.False(t, seen[name], name)
			seen[name] = true
		}
	}
}

// TestOf: what has no row is of the old generation, and lists all faults of members unless the
// table says otherwise.
func TestOf(t *testing.T) {
	for _, c := range []struct {
		operation  string
		generation Generation
		form       apierr.Form
		members    apierr.Report
	}{
		{"PutItem", Enveloped, apierr.EnvelopedForm, apierr.ReportAll},
		{"UpdateItem", Enveloped, apierr.EnvelopedForm, apierr.ReportUpdate},
		{"SearchVectors", Strict, apierr.BareForm, apierr.ReportSearch},
		{"UpdateTable", Old, apierr.OldForm, apierr.ReportTable},
		{"CreateGlobalTable", Old, apierr.OldForm, apierr.ReportLengths},
		{"ListTables", Old, apierr.OldForm, apierr.ReportAll},
	} {
		row := Of(c.operation)
		assert.Equal(t, c.generation, row.Generation, c.operation)
		assert.Equal(t, c.form, row.Form(), c.operation)
		assert.Equal(t, c.members, row.Members, c.operation)
	}
	row := Of("ListTables")
	_, ok := row.Place(Joins)
	assert.False(t, ok)
}
