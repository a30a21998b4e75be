package facts

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const root = "../.."

// walk calls f for each Go and Markdown file of the repository.
func walk(t *testing.T, f func(file, text string)) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(root), ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			hidden := strings.HasPrefix(d.Name(), ".") && p != "." && p != ".github"
			if hidden || d.Name() == "testdata" || d.Name() == "node_modules" {
				return fs.SkipDir
			}
			return nil
		case path.Ext(p) != ".go" && path.Ext(p) != ".md":
			return nil
		}
		text, err := os.ReadFile(filepath.Join(root, p))
		f(p, string(text))
		return err
	})
	require.NoError(t, err)
}

// all returns the facts of this directory by number.
func all(t *testing.T) map[string]Fact {
	t.Helper()
	files, err := filepath.Glob("*.md")
	require.NoError(t, err)
	numbered := map[string]Fact{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		list, err := Parse(file, string(text))
		require.NoError(t, err)
		for _, f := range list {
			other, ok := numbered[f.Number]
			assert.False(t, ok, "%s: %s is also at %s", f.Place, f.Number, other.Place)
			numbered[f.Number] = f
		}
	}
	require.Greater(t, len(numbered), 300)
	return numbered
}

// TestFacts: the tests that hold the facts exist.
func TestFacts(t *testing.T) {
	var index Index
	walk(t, func(file, text string) {
		if strings.HasSuffix(file, "_test.go") {
			require.NoError(t, index.Add(file, []byte(text)))
		}
	})
	for _, f := range all(t) {
		for _, name := range f.HeldBy {
			assert.True(t, index.Has(name), "%s: no test %s", f.Place, name)
		}
	}
}

// TestCitations: the facts that code, tests and documents cite are in this directory, and those
// that tests cite do not say that no test holds them.
func TestCitations(t *testing.T) {
	numbered, listed, count := all(t), map[string]bool{}, 0
	for _, p := range probes(t) {
		listed[p.Number] = true
	}
	walk(t, func(file, text string) {
		if path.Dir(file) == "conformance/facts" && path.Ext(file) == ".go" { // these have bad ones
			return
		}
		numbers, malformed := citedIn(text)
		assert.Empty(t, malformed, file)
		for _, n := range numbers {
			f, ok := numbered[n]
			ok = ok || listed[n]
			assert.True(t, ok, "%s cites %s, which is no fact", file, n)
			assert.False(t, f.Excuse != "" && strings.HasSuffix(file, "_test.go"),
				"%s cites %s, which says that no test holds it", file, n)
		}
		count += len(numbers)
	})
	assert.Greater(t, count, 600, "citations were found")
}

// probes returns the findings of probes.md.
func probes(t *testing.T) []Probe {
	t.Helper()
	text, err := os.ReadFile("probes.md")
	require.NoError(t, err)
	list, err := parseProbes("probes.md", string(text))
	require.NoError(t, err)
	return list
}

// TestProbes: each finding is listed once, and the cases that it names exist.
func TestProbes(t *testing.T) {
	var index Index
	walk(t, func(file, text string) {
		if strings.HasSuffix(file, "_test.go") {
			require.NoError(t, index.Add(file, []byte(text)))
		}
	})
	seen := map[string]string{}
	for _, p := range probes(t) {
		assert.Empty(t, seen[p.Number], "%s: %s is there already", p.Place, p.Number)
		seen[p.Number] = p.Place
		for _, name := range p.HeldBy {
			assert.True(t, index.Has(name), "%s: no test %s", p.Place, name)
		}
	}
	assert.NotEmpty(t, seen)
}

func TestParseProbes(t *testing.T) {
	const row = "| DDB-TABLE-001 | a request → an answer | same | `TestA/one`, `TestB` |"
	list, err := parseProbes("p.md", "# Probes\n\n## table.md\n\n"+row+"\n")
	require.NoError(t, err)
	assert.Equal(t, []Probe{{
		Number: "DDB-TABLE-001", Page: "table.md", Place: "p.md:5", Text: "a request → an answer",
		Verdict: Same, HeldBy: []string{"TestA/one", "TestB"},
	}}, list)
	for _, c := range []struct{ name, old, new, fault string }{
		{"a reason", "same | `TestA/one`, `TestB`", "differs | of `x`, as it is", ""},
		{"no last cell", " | `TestA/one`, `TestB`", "", "3 cells"},
		{"no page", "## table.md", "## table", "no page above"},
		{"no number", "-001", "-1", "no number"},
		{"no text", "a request → an answer", "", "DDB-TABLE-001 has no text"},
		{"another verdict", "same", "good", `has the verdict "good"`},
		{"mended without a case", "same | `TestA/one`, `TestB`", "mended | so",
			"but no case holds it"},
		{"no reason", "same", "differs", "differs without a reason"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace("## table.md\n\n"+row, c.old, c.new, 1)
			_, err := parseProbes("p.md", text)
			if c.fault == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.fault)
		})
	}
}

// TestPages: README.md links all pages, and all links between files lead to one.
func TestPages(t *testing.T) {
	files, err := filepath.Glob("*.md")
	require.NoError(t, err)
	link := regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
	linked := map[string]bool{"README.md": true}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			_, err := os.Stat(m[1])
			assert.NoError(t, err, file)
			linked[m[1]] = linked[m[1]] || file == "README.md"
		}
	}
	for _, file := range files {
		assert.True(t, linked[file], "README.md does not link %s", file)
	}
}

// good is the text of a fact.
const good = "# Page\n\n### 1.2 A title\n\nA request →\n`an answer`.\n\nMore.\n\n" +
	"Known: Recorded.\n\nSource: API\nReference.\n\nHeld by: `TestA/one, two`,\n`TestB`.\n"

func TestParse(t *testing.T) {
	list, err := Parse("page.md", good)
	require.NoError(t, err)
	assert.Equal(t, []Fact{{
		Number: "1.2", Title: "A title", Place: "page.md:3",
		Text:  "A request → `an answer`.\nMore.",
		Known: "Recorded.", Source: "API Reference.", HeldBy: []string{"TestA/one, two", "TestB"},
	}}, list)
	for _, c := range []struct{ name, old, new, fault string }{
		{"an excuse", "`TestA/one, two`,\n`TestB`.", "none, because it is not built.", ""},
		{"what Kugiri answers", "Known:", "Kugiri: other.\n\nKnown:", ""},
		{"no number", "1.2 ", "", `page.md:3: no number in "### A title"`},
		{"no title", " A title", "", "page.md:3: no number"},
		{"half a number", "1.2", "1.", "page.md:3: no number"},
		{"no text", "A request →\n`an answer`.\n\nMore.", "", "1.2 has no text"},
		{"no knowledge", "Known: Recorded.", "", "1.2 has no Known"},
		{"a word misspelled", "Source:", "Sources:", "stands after what is known"},
		{"no source", "Source: API\nReference.\n", "", "1.2 has no Source"},
		{"no tests", "Held by: `TestA/one, two`,\n`TestB`.", "", "1.2 has no Held by"},
		{"no reason", "`TestA/one, two`,\n`TestB`.", "none.",
			"want tests in backquotes, or none, because"},
		{"a test without backquotes", "`TestB`", "TestB", "want tests in backquotes"},
		{"no comma", "two`,", "two`", "want tests in backquotes"},
		{"two sources", "Known:", "Source: b.\n\nKnown:", "a second paragraph"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(good, c.old, c.new, 1)
			require.NotEqual(t, good, text)
			_, err := Parse("page.md", text)
			if c.fault == "" {
				assert.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, c.fault)
		})
	}
}

func TestCited(t *testing.T) {
	for _, c := range []struct{ name, text, numbers, malformed string }{
		{"one", "x (service facts 0.12).", "0.12", ""},
		{"several", "service facts 1.2, 3.4 and A.5", "1.2 3.4 A.5", ""},
		{"a range", "service facts 2.8 to 2.11, B.1", "2.8 2.9 2.10 2.11 B.1", ""},
		{"three parts", "service facts V.1.2.", "V.1.2", ""},
		{"over the lines of a comment", "\t// as it does (service\n\t// facts 5.1,\n\t// 5.2)",
			"5.1 5.2", ""},
		{"in a string", `src: "service facts 9.1", other`, "9.1", ""},
		{"two in a line", "service facts 1.1; service facts 1.2", "1.1 1.2", ""},
		{"of ack-api-quirks", "ack-api-quirks, DDB-TABLE-442, -223 and DDB-BACKUP-001",
			"DDB-TABLE-442 DDB-TABLE-223 DDB-BACKUP-001", ""},
		{"a range of ack-api-quirks", "DDB-TABLE-099 to 101, 20 probes",
			"DDB-TABLE-099 DDB-TABLE-100 DDB-TABLE-101", ""},
		{"a step of an order", `serve.Step("the class", "T.4, DDB-TABLE-05", f)`, "T.4 DDB-TABLE-05",
			`serve.Step("the class", "T.4, DDB-TABLE-05"`},
		{"a step without a fact", `serve.Step("the class", "", f)`, "", ""},
		{"the words alone", `return "service facts"`, "", ""},
		{"other facts", "the facts of 2026", "", ""},
		{"without its service", "see facts 10.3", "", "facts 10.3"},
		{"in the singular", "as fact A.3 says", "", "fact A.3 says"},
		{"a section alone", `"service facts 13", x`, "", `service facts 13", x`},
		{"a number that is made", `"service facts " + n`, "", `service facts " + n`},
		{"a range that goes back", "service facts 2.8 to 2.3", "2.8",
			"no numbers lead from 2.8 to 2.3"},
		{"a range over sections", "service facts 2.8 to 3.9", "2.8",
			"no numbers lead from 2.8 to 3.9"},
	} {
		t.Run(c.name, func(t *testing.T) {
			numbers, malformed := citedIn(c.text)
			assert.Equal(t, c.numbers, strings.Join(numbers, " "))
			assert.Equal(t, c.malformed, strings.Join(malformed, "; "))
		})
	}
}

func TestIndex(t *testing.T) {
	var index Index
	require.NoError(t, index.Add("a/a_test.go", []byte(`package a

func TestKeys(t *testing.T) { run(t, cases(), kase{name: "one, two"}, kase{name: "pk/sk"}, "group", "in it") }

func cases() []kase { return []kase{{name: "of a function"}} }

func TestOthers(t *testing.T) { run(t, "of others"); TestKeys(t) }

func helper() { _ = "unused" }
`)))
	require.NoError(t, index.Add("a/b_test.go", []byte(`package a

var table = []string{"of a variable"}

func TestTable(t *testing.T) { run(table) }
`)))
	require.Error(t, index.Add("a/c_test.go", []byte("no Go")))
	for _, name := range []string{
		"TestKeys", "TestKeys/one, two", "TestKeys/pk/sk", "TestKeys/group/in it",
		"TestKeys/of a function",
		"TestTable/of a variable", "TestOthers/of others",
	} {
		assert.True(t, index.Has(name), name)
	}
	for _, name := range []string{
		"", "TestKey", "TestKeys/", "TestKeys/one", "TestKeys/One, two", "TestKeys/group/none",
		"TestKeys/of others",
		"TestKeys/unused", "TestOthers/one, two", "TestTable/one, two", "helper", "cases", "table",
	} {
		assert.False(t, index.Has(name), name)
	}
}
