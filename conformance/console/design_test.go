package console

import (
	"fmt"
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
	p.await("region", "Models")
	p.accessible()
	p.picture("design")
	p.prefers("dark")
	p.accessible()
	p.prefers("light")
	p.click("button", "Queries")
	p.see("posts of an author")
	p.see("Why")
	p.click("button", "Patterns")
	p.await("textbox", "Requests a second of posts of an author")
	p.accessible()
	p.picture("design-patterns")
	p.click("button", "Changes")
	p.see("The plan is the same.")
	p.click("button", "YAML")
	p.eventually(func() bool { return p.count(".design-text .editor") == 1 }, "there is the text")

	design := `table: notes
models:
  - name: Note
    key: [id]
    items: 100
    unique: [author]
    attributes:
      - {name: id, format: uuid}
      - author
      - {name: written, format: timestamp}
patterns:
  - {name: note, model: Note, equal: [id], one: true, rate: 10}
`
	p.focus("textbox", "Design in YAML")
	p.press("Control+a")
	p.typed(design + "  - {name: notes of an author, model: Writer, equal: [author]}\n")
	p.see("Writer") // Writer is no model
	p.press("Control+a")
	p.typed(design + "  - {name: notes of an author, model: Note, equal: [author], order: written, rate: 5}\n")
	p.see("notes of an author")
	p.picture("design-changes")
	p.click("button", "Proof")
	p.eval(`void (window.whole = window.fetch, window.fetch = (to, init) => !String(to).includes("do=verify")
		? whole(to, init) : new Promise((_, no) => init.signal.addEventListener("abort", () => no(init.signal.reason))))`, nil)
	p.click("button", "Verify") // the verification has no end
	p.click("button", "Stop")
	p.eval("void (window.fetch = whole)", nil)
	p.click("button", "Verify")
	p.see("undone decisions are noticed")
	p.see("holds")
	p.see("put Note")
	p.see("orders: TransactWriteItems: Put Note unless it exists; Put NoteAuthor unless it exists")
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

// written is a design with comments, and with what no form shows.
const written = `# notes
table: notes
models:
  - name: Note # a page
    key: [id]
    items: 1_000
    attributes:
      - {name: id, format: uuid}
      - author   # who
      - state
patterns:
  # by its id
  - {name: note, model: Note, equal: [id], one: true, rate: 10}
  - {name: open notes, model: Note, where: {state: open}, equal: [author], rate: 1}
`

// TestDesignForms: forms change what they show of a design, and nothing else of its text. What a
// change does to the plan is said, it can be undone, and the file is saved where it was.
func TestDesignForms(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := open(t, s, "#/design")
	p.await("region", "posts")
	p.dropFile(".design .query-result", writeFile(t, "design.yaml", written, false))
	p.await("region", "notes")
	set := func(name, text string) {
		p.fill(name, text)
		p.press("Enter")
	}
	set("Name of Note", "Page")
	p.await("region", "Model Page")
	set("Items of Page", "5000000")
	set("Puts a second of Page", "2")
	p.see("The last change: +") // dollars a month
	p.click("button", "Add an attribute")
	p.await("textbox", "Name of attribute")
	set("Name of attribute", "at")
	p.choose("Format of at", "timestamp")
	p.eventually(func() bool { return p.count(".attribute-form tbody tr") == 4 }, "four attributes")
	set("Name of author", "writer")
	p.await("textbox", "Name of writer")
	set("Name of state", "phase")
	p.await("textbox", "Name of phase")
	p.picture("design-models")
	p.click("button", "Patterns")
	p.see("Only in the text: where")
	p.choose("In the order of of note", "")
	p.click("button", "Add a pattern")
	p.await("textbox", "Name of pattern")
	set("Name of pattern", "pages of a writer")
	p.write("Equal of pages of a writer", "writer")
	p.press("Enter")
	p.choose("In the order of of pages of a writer", "at")
	p.click("checkbox", "At most one item of pages of a writer")
	p.see("The last change: ")
	p.click("button", "Remove open notes")
	p.miss("Only in the text: where")
	p.click("button", "Undo")
	p.see("Only in the text: where")
	p.click("button", "Remove note")
	p.eventually(func() bool { return p.count("section.form") == 2 }, "the pattern has gone")
	p.click("button", "Changes")
	p.await("button", "when you began")
	p.see("pages of a writer")
	text := string(p.download("design.yaml", func() { p.click("button", "Download") }))
	assert.Equal(t, `# notes
table: notes
models:
  - name: Page # a page
    key: [id]
    items: 5000000
    puts: 2
    attributes:
      - {name: id, format: uuid}
      - writer   # who
      - phase
      - {name: at, format: timestamp}
patterns:
  - {name: open notes, model: Page, where: {phase: open}, equal: [writer], rate: 1}
  - {name: pages of a writer, model: Page, equal: [writer], rate: 1, order: at}
`, text)

	// A file of the browser's own takes the place of one that a person would choose.
	p.eval(`void (window.showSaveFilePicker = async (o) => (await navigator.storage.getDirectory())
		.getFileHandle(o.suggestedName, {create: true}))`, nil)
	p.click("button", "YAML")
	p.click("button", "Save")
	p.see("The permission to write design.yaml is missing.")
	p.accessible()
	p.picture("design-permission")
	p.click("button", "Save as…")
	p.await("button", "Saved")
	p.miss("Save as…")
	var file string
	p.eval(`navigator.storage.getDirectory().then((d) => d.getFileHandle("design.yaml"))
		.then((h) => h.getFile()).then((f) => f.text())`, &file)
	assert.Equal(t, text, file)
}

// TestDesignProofOfALaterPlan: a verification that was asked for before the last change was planned
// is that of the plan with the change.
func TestDesignProofOfALaterPlan(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := open(t, s, "#/design")
	p.await("region", "posts")
	p.dropFile(".design .query-result", writeFile(t, "design.yaml", written, false))
	p.await("region", "notes")
	p.click("button", "Proof")
	p.click("button", "Patterns")
	p.await("textbox", "Name of open notes")
	p.hold(`String(path).includes("do=plan")`)
	p.fill("Name of open notes", "notes in progress")
	p.press("Enter")
	p.held()
	p.click("button", "Verify")
	p.release()
	p.await("region", "Verification")
	p.eventually(func() bool {
		var text string
		const shown = `document.querySelector(".query-result").innerText`
		return p.tryEval(shown, &text) == nil && strings.Contains(text, "notes in progress") &&
			strings.Contains(text, "undone decisions are noticed")
	}, "the renamed pattern is verified")
}

// TestDesignFormsOnAnyScreen: no part of the forms of a design scrolls sideways, and each field is
// as wide as what it has to show.
func TestDesignFormsOnAnyScreen(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := open(t, s, "#/design")
	p.await("region", "posts")
	for i, size := range [][2]int{{390, 844}, {768, 1024}, {1024, 768}, {1440, 900}} {
		width := size[0]
		t.Run(fmt.Sprint(width, " pixels"), func(t *testing.T) {
			sample(t, i, 4)
			for _, form := range []string{"Models", "Patterns"} {
				p.click("button", form)
				p.await("group", form)
				p.resize(width, size[1])
				var wide []string
				p.eval(`[document.querySelector(".forms"), ...document.querySelectorAll(".forms *")]
					.filter((e) => e.scrollWidth > e.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(e).overflowX) && e.localName !== "input")
					.map((e) => e.className)`, &wide)
				assert.Empty(t, wide, "what scrolls sideways in %s at %d pixels", form, width)
				var narrow []string
				p.eval(`[...document.querySelectorAll(".forms .field")].filter((e) => e.clientWidth < 45).map((e) => e.innerText)`, &narrow)
				assert.Empty(t, narrow, "fields that are too narrow in %s at %d pixels", form, width)
				p.accessible()
				for _, scheme := range []string{"dark", "light"} {
					p.prefers(scheme)
					p.picture(fmt.Sprintf("design-%s-%d-%s", strings.ToLower(form), width, scheme))
				}
			}
		})
	}
}

// feeding is a design with a feed.
const feeding = `table: feeding
models:
  - name: Follow
    key: [follower, followee]
    items: 1000
    attributes:
      - {name: follower, format: uuid, of: User.id}
      - {name: followee, format: uuid, of: User.id}
  - name: User
    key: [id]
    items: 100
    attributes: [{name: id, format: uuid}]
  - name: Post
    key: [id]
    items: 1000
    puts: 1
    deletes: 0.1
    attributes: [{name: id, format: ulid}, {name: author, format: uuid, of: User.id}]
patterns:
  - {name: feed, model: Post, through: Follow, equal: [follower], order: id, rate: 5}
`

// TestDesignFeed: the form of a feed says when it is put together and what deletes do to it. What
// depends on a value goes with it.
func TestDesignFeed(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := open(t, s, "#/design")
	p.await("region", "posts")
	p.dropFile(".design .query-result", writeFile(t, "design.yaml", feeding, false))
	p.await("region", "feeding")
	p.click("button", "Patterns")
	p.miss("Items of what was deleted")
	last := func(want string) {
		t.Helper()
		text := string(p.download("design.yaml", func() { p.click("button", "Download") }))
		assert.Contains(t, text,
			"{name: feed, model: Post, through: Follow, equal: [follower], order: id, rate: 5"+want+"}")
	}
	p.choose("Put together on of feed", "write")
	p.choose("Items of what was deleted of feed", "cleaned")
	p.accessible()
	p.see("The last change: ")
	last(", fanout: write, deletes: cleaned")
	p.choose("Put together on of feed", "read")
	p.miss("Items of what was deleted")
	last(", fanout: read")
	p.choose("Put together on of feed", "write")
	p.await("combobox", "Items of what was deleted of feed")
	p.eval(`for (const [name, value] of [["Items of what was deleted", "cleaned"], ["Put together on", "read"]]) {
		const field = document.querySelector('select[aria-label="' + name + ' of feed"]');
		field.value = value;
		field.dispatchEvent(new Event("change", { bubbles: true }));
	}`, nil) // the form has not shown the first of the two yet
	p.miss("Items of what was deleted")
	last(", fanout: read")
	p.choose("Put together on of feed", "write")
	p.choose("Items of what was deleted of feed", "kept")
	open := func() bool { return p.count("section.form details[open]") == 1 }
	p.eventually(open, "a feed is open")
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
	p.see("Taken: 5 models and 13 patterns. 8 fields have comments that say what to check.")
	p.see("the partition key PK and the sort key SK are not taken")
	p.see("the names GSI1 and GSI2 are not taken")
	p.see("the sample data have 11 items")
	p.accessible()
	p.picture("design-workbench")
	p.resize(390, 844)
	assert.Empty(t, p.cut())
	p.accessible()
	p.picture("design-390")
	p.click("button", "I have seen what was taken")
	p.miss("are not taken")
	p.dropFile(".design .query-result", writeFile(t, "model.json", strings.Repeat("{", 3), false))
	p.eventually(func() bool { return p.count(".design > .problem") == 1 }, "it says what is wrong")
}
