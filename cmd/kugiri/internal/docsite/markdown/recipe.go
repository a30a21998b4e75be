package markdown

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/docsite"
)

// topics are those of recipes, in the order of the site.
var topics = []string{"Reading", "Writing", "Transactions", "Indexes", "Streams and time",
	"Capacity", "Values", "Design", "Testing"}

// recipe is a Go test whose leading comment is a text in Markdown. The comment's first line is
// "TOPIC / TITLE".
type recipe struct {
	topic, title string
	name         string // the name of the file, without _test.go
	text         string // the text after the title
	test         string // name of the first test
	code         string
}

// sharedFile has what the recipes share. It has a text, too.
const sharedFile = "shared_test.go"

// recipePages returns the pages of the recipes in a directory, and their index.
func recipePages(files fs.FS) ([]Page, error) {
	names, err := fs.Glob(files, "recipes/*_test.go")
	if err != nil {
		return nil, err
	}
	var recipes []*recipe
	var pages []Page
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		r, err := parseRecipe(path.Base(name), string(text))
		if err != nil {
			return nil, err
		}
		recipes = append(recipes, r)
		pages = append(pages,
			Page{path.Join(path.Dir(docsite.RecipesPath), r.name+".md"), r.markdown()})
	}
	return append(pages, Page{docsite.RecipesPath, recipeIndex(recipes)}), nil
}

func parseRecipe(file, text string) (*recipe, error) {
	comment, code, ok := strings.Cut(text, "\n\n")
	if !ok || !strings.HasPrefix(code, "package ") {
		return nil, fmt.Errorf("%s: want a comment, an empty line, and the package clause", file)
	}
	var lines []string
	for line := range strings.SplitSeq(comment, "\n") {
		if !strings.HasPrefix(line, "//") {
			return nil, fmt.Errorf("%s: the text has a line without //", file)
		}
		lines = append(lines, strings.TrimPrefix(strings.TrimPrefix(line, "//"), " "))
	}
	topic, title, ok := strings.Cut(lines[0], " / ")
	if !ok || !slices.Contains(topics, topic) {
		return nil, fmt.Errorf("%s: the first line is %q, want TOPIC / TITLE, with a topic of %q",
			file, lines[0], topics)
	}
	r := &recipe{topic: topic, title: title, name: strings.TrimSuffix(file, "_test.go"), code: code}
	r.text = strings.TrimSpace(strings.Join(lines[1:], "\n"))
	if _, rest, ok := strings.Cut(code, "\nfunc Test"); ok {
		name, _, _ := strings.Cut(rest, "(")
		r.test = "Test" + name
	}
	return r, nil
}

// markdown returns the page of a recipe.
func (r *recipe) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n\n```go\n%s```\n\n", r.title, r.text, r.code)
	dir := path.Dir(docsite.RecipesPath)
	if r.test != "" {
		fmt.Fprintf(&b, "Run it in a clone of the repository: `go test ./%s -run %s`.\n", dir,
			r.test)
	}
	fmt.Fprintf(&b, "The file is [%s](%s_test.go).", path.Join(dir, r.name+"_test.go"), r.name)
	if r.name+"_test.go" != sharedFile {
		b.WriteString(" All recipes [share](shared.md) a few short names.")
	}
	return b.String() + "\n"
}

// recipeIndex returns the page that lists recipes by topic.
func recipeIndex(recipes []*recipe) string {
	var b strings.Builder
	b.WriteString(
		"# Recipes\n\nEach recipe is a Go test that runs with the tests of Kugiri. Its code works in the same way on\nDynamoDB, except for what it does to the server: faults, the clock, limits.\n")
	for _, topic := range topics {
		fmt.Fprintf(&b, "\n## %s\n\n", topic)
		for _, r := range recipes {
			if r.topic == topic {
				fmt.Fprintf(&b, "- [%s](%s.md)\n", r.title, r.name)
			}
		}
	}
	return b.String()
}
