package search

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/kugiri-db/kugiri/storage/item"
)

// TestErrorsOfRequests: how the page words the error of a request, in the width of its column.
func TestErrorsOfRequests(t *testing.T) {
	for _, c := range []struct{ name, answer, want string }{
		{"a condition", `{"__type":"x#ConditionalCheckFailedException",
			"message":"The conditional request failed"}`, "  fails: ConditionalCheckFailedException"},
		{"a message", `{"__type":"x#ValidationException",
			"message":"The provided key element does not match the schema"}`,
			"  fails: ValidationException\n  The provided key element does not match the\n  schema"},
		{"a capital", `{"__type":"x#TransactionCanceledException","Message":"[None]"}`,
			"  fails: TransactionCanceledException\n  [None]"},
		{"no message", `{"__type":"InternalServerError"}`, "  fails: InternalServerError"},
		{"no JSON", `<html>`, "  fails: status 400"},
		{"a long message", `{"__type":"E","message":"` + strings.Repeat("word ", 1000) + `"}`,
			"  fails: E\n" + strings.Repeat("  word word word word word word word word word\n", 8) +
				"  …"},
		{"a long word", `{"__type":"E","message":"` + strings.Repeat("x", 60) + `"}`,
			"  fails: E\n  " + strings.Repeat("x", 60)},
	} {
		t.Run(c.name, func(t *testing.T) {
			lines := errorLines(&step{status: 400, answer: []byte(c.answer)})
			assert.Equal(t, c.want, strings.Join(lines, "\n"))
		})
	}
}

// TestDiagramOfHostileTexts: what a page has of a program ends no element of the page, and is
// bounded.
func TestDiagramOfHostileTexts(t *testing.T) {
	const hostile = `</script><script>alert(1)</script>`
	f := &Failure{Kind: Checked, Text: hostile, test: hostile, command: hostile, page: &page{
		workers: []string{hostile}, results: []string{strings.Repeat("x", 2*maxShownText)},
		rows: []row{{0, []string{"GetItem", "  " + hostile}, hostile,
			[]DiagramItem{{Table: hostile}}}},
	}}
	assert.Equal(t, 1, strings.Count(f.HTML(), "</script>"))
	assert.NotContains(t, f.HTML(), "<script>")
	d := f.Diagram()
	assert.Equal(t, hostile, d.Steps[0].Lines[0])
	assert.Len(t, []rune(d.Workers[0].Result), maxShownText)

	var attributes []item.Attribute
	for i := range 2 * maxShownAttributes {
		attributes = append(attributes, item.Attribute{Name: fmt.Sprintf("a%03d", i),
			Value: item.String(strings.Repeat("x", 2*maxShownText))})
	}
	all := attributesOf(item.New(attributes...))
	assert.Len(t, all, maxShownAttributes+1)
	assert.Equal(t, "and more", all["…"])
	assert.Len(t, []rune(all["a000"]), maxShownText)
}
