package markdown

import (
	"encoding/json"
	"html"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/docsite"
)

// root is the repository's, relative to this directory.
const root = "../../../../.."

// built is the site with a page of commands.
func built(t *testing.T) map[string][]byte {
	t.Helper()
	pages, err := Pages()
	require.NoError(t, err)
	return build(t, append(pages, Page{docsite.CommandsPath, "# Commands\n"}), "v1")
}

// build is the site of pages.
func build(t *testing.T, pages []Page, version string) map[string][]byte {
	t.Helper()
	rendered, err := Render(pages)
	require.NoError(t, err)
	files, err := docsite.Build(rendered, version)
	require.NoError(t, err)
	return files
}

var (
	reference = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	id        = regexp.MustCompile(` id="([^"]*)"`)
)

// idsOf returns the ids of an HTML file, which must differ.
func idsOf(t *testing.T, name string, text []byte) map[string]bool {
	ids := map[string]bool{}
	for _, m := range id.FindAllSubmatch(text, -1) {
		assert.False(t, ids[string(m[1])], "%s has the id %s twice", name, m[1])
		ids[string(m[1])] = true
	}
	return ids
}

// TestLinksResolve follows all links: to pages and their sections, and to files of the repository.
func TestLinksResolve(t *testing.T) {
	files := built(t)
	ids := map[string]map[string]bool{}
	for name, text := range files {
		if path.Ext(name) == ".html" {
			ids[name] = idsOf(t, name, text)
		}
	}
	links := 0
	for name := range ids {
		for _, m := range reference.FindAllStringSubmatch(string(files[name]), -1) {
			links++
			checkLink(t, files, ids, name, html.UnescapeString(m[1]))
		}
	}
	assert.Greater(t, links, 500)
}

func checkLink(t *testing.T, files map[string][]byte, ids map[string]map[string]bool, from,
	link string) {
	u, err := url.Parse(link)
	if !assert.NoError(t, err, "%s links %s", from, link) {
		return
	}
	if file, ok := strings.CutPrefix(link, repository); ok {
		file, _, _ = strings.Cut(file, "#")
		_, err := os.Stat(filepath.Join(root, file))
		assert.NoError(t, err, "%s links %s", from, link)
		return
	}
	if u.Scheme != "" {
		assert.Contains(t, []string{"https", "http", "data"}, u.Scheme, "%s links %s", from, link)
		return
	}
	target := from
	if u.Path != "" {
		target = path.Join(path.Dir(from), u.Path)
	}
	assert.Contains(t, files, target, "%s links %s", from, link)
	if u.Fragment != "" {
		assert.True(t, ids[target][u.Fragment], "%s links %s: no such section", from, link)
	}
}

// TestNothingFromElsewhere requires that pages load only files of the site.
func TestNothingFromElsewhere(t *testing.T) {
	loaded := regexp.MustCompile(`<(?:script|link|img)[^>]* (?:src|href)="([^"]*)"`)
	for name, text := range built(t) {
		for _, m := range loaded.FindAllStringSubmatch(string(text), -1) {
			assert.NotContains(t, m[1], "//", name)
		}
		if path.Ext(name) == ".html" {
			assert.Contains(t, string(text),
				`<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;;`,
				name)
			assert.NotContains(t, string(text), " style=", name)
		}
	}
}

func TestSearchIndex(t *testing.T) {
	files := built(t)
	text, ok := strings.CutPrefix(string(files["search.js"]), "kugiriIndex = ")
	require.True(t, ok)
	var index []struct {
		Page string `json:"p"`
		URL  string `json:"u"`
		Text string `json:"t"`
	}
	require.NoError(t, json.Unmarshal([]byte(strings.TrimSuffix(text, ";\n")), &index))
	found := false
	for _, e := range index {
		file, fragment, _ := strings.Cut(e.URL, "#")
		assert.Contains(t, string(files[file]), ` id="`+fragment+`"`, e.URL)
		found = found || e.Page == "Go tests" && strings.Contains(e.Text, "Template")
	}
	assert.True(t, found, "no section of Go tests has the word Template")
}

func TestRender(t *testing.T) {
	files := build(t, []Page{
		{"README.md",
			"# Top & more\n\n[guide](emulator/docs/README.md#one), [code](expr/doc.go), [away](https://example.org)\n\n" +
				"```go\nfunc f() { g(\"<\") } // note\n```\n\n| a | b |\n|---|---|\n| 1 | `2` |\n\n<script>alert(1)</script>\n"},
		{"emulator/docs/README.md",
			"# Documents\n\n## One\n\nFor all:\n\n- [Top](../../README.md)\n- [Recipes](recipes)\n"},
		{"emulator/docs/recipes/README.md", "# Recipes\n\n## Reading\n\n- [Pages](pages.md)\n"},
		{"emulator/docs/recipes/pages.md", "# Pages\n"},
	}, "v1<2")
	home := string(files["index.html"])
	for _, want := range []string{
		"<title>Top &amp; more</title>",
		`<a href="emulator/docs/index.html#one">guide</a>`,
		`<a href="` + repository + `expr/doc.go">code</a>`,
		`<a href="https://example.org">away</a>`,
		`<pre><code><span class="k">func</span> f() { g(<span class="s">&#34;&lt;&#34;</span>) } <span class="c">// note</span>`,
		"<td><code>2</code></td>",
		"<footer>Kugiri v1&lt;2</footer>",
		`<details><summary>Recipes: Reading</summary>`,
	} {
		assert.Contains(t, home, want)
	}
	assert.NotContains(t, home, "alert(1)")
	documents := string(files["emulator/docs/index.html"])
	assert.Contains(t, documents, `<a href="../../index.html">Top</a>`)
	assert.Contains(t, documents, `<a href="../../emulator/docs/recipes/index.html">Recipes</a>`)
	assert.Contains(t, string(files["emulator/docs/recipes/pages.html"]),
		`<details open><summary>Recipes: Reading</summary>`)
}

func TestPageOutsideOfTheContents(t *testing.T) {
	files := build(t,
		[]Page{{docsite.ContentsPath, "# Documents\n"}, {"emulator/docs/lost.md", "# Lost\n"}}, "")
	assert.Contains(t, string(files["emulator/docs/index.html"]),
		"<summary>"+docsite.Unlisted+"</summary>")
	assert.NotContains(t, string(built(t)["index.html"]), "<summary>"+docsite.Unlisted+"</summary>",
		"emulator/docs/README.md does not list all documents")
}

func TestRecipes(t *testing.T) {
	const good = "// Reading / All pages\n//\n// The *text*.\n\npackage recipes\n\nfunc TestPages(t *testing.T) {}\n"
	for _, c := range []struct{ name, text, err string }{
		{"good", good, ""},
		{"no comment", "package recipes\n",
			"pages_test.go: want a comment, an empty line, and the package clause"},
		{"no topic", "// All pages\n\npackage recipes\n",
			`pages_test.go: the first line is "All pages", want TOPIC / TITLE`},
		{"unknown topic", "// Cooking / Soup\n\npackage recipes\n",
			`pages_test.go: the first line is "Cooking / Soup", want TOPIC / TITLE`},
		{"code before", "import\n// Reading / A\n\npackage recipes\n",
			"pages_test.go: the text has a line without //"},
	} {
		t.Run(c.name, func(t *testing.T) {
			pages, err := recipePages(fstest.MapFS{"recipes/pages_test.go": {Data: []byte(c.text)}})
			if c.err != "" {
				assert.ErrorContains(t, err, c.err)
				return
			}
			require.NoError(t, err)
			require.Len(t, pages, 2)
			assert.Equal(t, "emulator/docs/recipes/pages.md", pages[0].Path)
			assert.Contains(t, pages[0].Text,
				"# All pages\n\nThe *text*.\n\n```go\npackage recipes\n")
			assert.Contains(t, pages[0].Text, "-run TestPages`")
			assert.Contains(t, pages[1].Text, "## Reading\n\n- [All pages](pages.md)\n")
		})
	}
}

// TestRecipesOfTheRepository requires that each recipe has a test that runs, and each topic a
// recipe.
func TestRecipesOfTheRepository(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(root, "emulator/docs/recipes/*_test.go"))
	require.NoError(t, err)
	count := map[string]int{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		r, err := parseRecipe(filepath.Base(name), string(text))
		require.NoError(t, err)
		count[r.topic]++
		assert.True(t, r.test != "" || filepath.Base(name) == sharedFile, "%s has no test", name)
	}
	assert.GreaterOrEqual(t, len(names), 26)
	for _, topic := range topics {
		assert.Positive(t, count[topic], topic)
	}
}

// TestReadme: the README that the program embeds is the one of the repository.
func TestReadme(t *testing.T) {
	want, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	if os.Getenv("KUGIRI_UPDATE") == "1" {
		require.NoError(t, os.WriteFile("README.md", want, 0o644))
		return
	}
	require.Equal(t, string(want), readme, "copy README.md to cmd/kugiri/internal/docsite/markdown, "+
		"or run this test with KUGIRI_UPDATE=1")
}
