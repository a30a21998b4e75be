package console

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestDesign: a design is planned as it is written, shown as a picture, compared with what it was,
// proved, saved, and created.
func TestDesign(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := open(t, s, "#/design")
	p.await("region", "posts") // the example
	p.await("columnheader", "partition PK")
	p.accessible()
	p.picture("design")
	p.prefers("dark")
	p.accessible()
	p.prefers("light")
	p.click("button", "Patterns")
	p.see("posts of an author")
	p.see("Why")
	p.accessible()
	p.picture("design-patterns")
	p.click("button", "Changes")
	p.see("The plan is as it was when you began.")

	design := `table: notes
models:
  - name: Note
    key: [id]
    items: 100
    attributes:
      - {name: id, format: uuid}
      - author
      - {name: written, format: timestamp}
patterns:
  - {name: note, model: Note, equal: [id], one: true, rate: 10}
`
	p.clickOn(".design-text .editor")
	p.press("Control+a")
	p.typed(design + "  - {name: notes of an author, model: Writer, equal: [author]}\n")
	p.see("Writer") // is no model
	p.press("Control+a")
	p.typed(design + "  - {name: notes of an author, model: Note, equal: [author], order: written, rate: 5}\n")
	p.see("notes of an author")
	p.accessible()
	p.picture("design-changes")
	p.click("button", "Proof")
	p.click("button", "Verify")
	p.see("undone decisions are noticed")
	p.see("holds")
	p.click("button", "Send the load")
	p.see("not throttled")
	p.accessible()
	p.picture("design-proof")
	text := string(p.download("design.yaml", func() { p.click("button", "Download") }))
	assert.Contains(t, text, "notes of an author")
	p.reload()
	p.await("region", "notes") // the browser keeps it
	p.click("button", "Create this table")
	p.see("There are no items")
	out, err := s.db.DescribeTable(t.Context(),
		&dynamodb.DescribeTableInput{TableName: aws.String("notes")})
	require.NoError(t, err)
	assert.NotEmpty(t, out.Table.KeySchema)
}

// TestDesignFromWorkbench: a model of NoSQL Workbench that is dropped becomes a design with its
// plan.
func TestDesignFromWorkbench(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := open(t, s, "#/design")
	p.await("region", "posts")
	model, err := filepath.Abs("../../conventions/design/source/testdata/workbench.json")
	require.NoError(t, err)
	p.dropFile(".design .query-result", model)
	p.await("region", "OnlineShop")
	p.accessible()
	p.picture("design-workbench")
	p.resize(390, 844)
	assert.Empty(t, p.cut())
	p.accessible()
	p.picture("design-390")
	p.dropFile(".design .query-result", writeFile(t, "model.json", strings.Repeat("{", 3), false))
	p.eventually(func() bool { return p.count(".design > .problem") == 1 }, "it says what is wrong")
}
