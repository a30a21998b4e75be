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

// desk is a design with fields that no form shows. Some name models and attributes, and some have
// values that look like names.
const desk = `table: desk
models:
  - name: Customer
    key: [id]
    items: 10_000
    attributes:
      - {name: id, format: ulid}
      - {name: paid, type: number, counts: Order, where: {state: PAID, model: Order}} # one a state
      - {name: spent, type: number, sums: Order.total}
      - {name: last, type: number, numbers: Order.number}
      - {name: lastAt, format: timestamp, last: Note.sent}
      - {name: lastText, bytes: 100, last: Note.text, by: lastAt}
  - name: Order
    key: [customer, number]
    primary: (customer, number)
    items: 100_000
    puts: 1
    updates: [{of: state, rate: 2}, {of: [total, model], rate: 1}]
    unique: [[customer, code]]
    attributes:
      - {name: customer, format: ulid, of: Customer.id}
      - {name: number, type: number}
      - {name: state, values: 3, begins: NEW, stays: {NEW: 2h, state: 1d}}
      - {name: model, values: 5}
      - {name: total, type: number, negative: true}
      - {name: code, bytes: 8, optional: 1%}
  - name: Note
    key: [customer, sent]
    items: 1000
    attributes: [{name: customer, of: Customer.id}, {name: sent, format: timestamp}, text]
  - name: Follow
    key: [follower, state]
    items: 1000
    attributes: [{name: follower, of: Customer.id}, {name: state, of: Customer.id}]
patterns:
  # what is new
  - {name: new orders, model: Order, where: {state: NEW, model: state}, order: number, rate: 1}
  - {name: in states, model: Order, equal: [customer, state], in: {state: 2}, filter: [model], rate: 1}
  - {name: newest, models: [Customer, Note], equal: [id], latest: {sent: 20}, rate: 1}
  - {name: feed, model: Order, through: Follow, equal: [state], order: number, rate: 1}
transactions:
  - {name: order, puts: [Order], updates: [{model: Order, of: [state]}, {model: Customer, gives: last}], rate: 1}
`

// TestDesignFormsKeep: what forms do not show stays as it is written, whatever they change. A name
// changes where it is named, and where a value only looks like it, it stays.
func TestDesignFormsKeep(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := open(t, s, "#/design")
	p.await("region", "posts")
	p.dropFile(".design .query-result", writeFile(t, "design.yaml", desk, false))
	p.await("region", "Model Customer")
	set := func(name, text string) {
		p.fill(name, text)
		p.press("Enter")
	}
	p.see("Only in the text: counts, where")
	p.see("Only in the text: begins, stays")
	p.see("Only in the text: by, last")
	p.picture("design-in-the-text")
	set("Items of Order", "200000")
	set("Bytes of lastText", "120")
	p.choose("Format of code", "uuid")
	set("Name of Order", "Sale")
	p.await("region", "Model Sale")
	set("Name of Follow", "Fan")
	p.await("region", "Model Fan")
	set("Name of state", "phase") // the first of two models
	p.await("textbox", "Name of phase")
	set("Name of number", "nr")
	p.await("textbox", "Name of nr")
	set("Name of lastAt", "newestAt")
	p.await("textbox", "Name of newestAt")
	p.click("button", "Patterns")
	p.see("Only in the text: where")
	p.see("Only in the text: filter, in")
	set("Requests a second of new orders", "2")
	p.picture("design-patterns-in-the-text")
	text := string(p.download("design.yaml", func() { p.click("button", "Download") }))
	assert.Equal(t, strings.NewReplacer(
		"name: Order\n", "name: Sale\n", "counts: Order, where: {state: PAID, model: Order}",
		"counts: Sale, where: {model: Order, phase: PAID}", "Order.total", "Sale.total",
		"Order.number", "Sale.nr", "model: Order,", "model: Sale,", "puts: [Order]", "puts: [Sale]",
		"items: 100_000", "items: 200000", "bytes: 100", "bytes: 120",
		"bytes: 8, optional: 1%", "bytes: 8, optional: 1%, format: uuid",
		"name: Follow", "name: Fan", "through: Follow", "through: Fan",
		"where: {state: NEW, model: state}, order: number, rate: 1",
		"where: {model: state, phase: NEW}, order: nr, rate: 2",
		"in: {state: ", "in: {phase: ", "{of: state,", "{of: phase,", "of: [state]", "of: [phase]",
		"[customer, state]", "[customer, phase]", "{name: state, values", "{name: phase, values",
		"key: [customer, number]", "key: [customer, nr]",
		"primary: (customer, number)", `primary: "(customer, nr)"`,
		"name: number", "name: nr", "order: number", "order: nr",
		"name: lastAt", "name: newestAt", "by: lastAt", "by: newestAt",
	).Replace(desk), text)
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
