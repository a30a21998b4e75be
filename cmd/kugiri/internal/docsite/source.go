package docsite

import (
	_ "embed" // for the README
	"io/fs"
	"path"

	"github.com/kugiri-db/kugiri/conventions/docs"
	"github.com/kugiri-db/kugiri/conventions/policy/policyfile"
	"github.com/kugiri-db/kugiri/emulator/admin"
	emulatordocs "github.com/kugiri-db/kugiri/emulator/docs"
)

// readme is a copy of the repository's README.md, which go:embed does not reach. A test compares
// the two.
//
//go:embed readme.md
var readme string

// Page is a page in Markdown.
type Page struct {
	Path string // in the repository, with the extension .md
	Text string
}

// Paths of pages that no file of the repository has.
const (
	CommandsPath = "reference/commands.md"
	adminPath    = "reference/admin.md"
	recipesPath  = "emulator/docs/recipes/README.md"
)

// Attachments returns the documents of the reference that are for programs, by their paths.
func Attachments() (map[string][]byte, error) {
	api, err := admin.OpenAPI()
	return map[string][]byte{
		"reference/openapi.json":       api,
		"reference/policy.schema.json": policyfile.Schema(),
	}, err
}

// contentsPath is the page that lists the documents in the order in which the site shows them.
const contentsPath = "emulator/docs/README.md"

// Pages returns all pages but that of the commands.
func Pages() ([]Page, error) {
	list := []Page{{"README.md", readme}}
	for _, from := range []struct {
		dir   string
		files fs.FS
	}{{"emulator/docs", emulatordocs.Files}, {"conventions/docs", docs.Files}} {
		own, err := markdownFiles(from.dir, from.files)
		if err != nil {
			return nil, err
		}
		list = append(list, own...)
	}
	recipes, err := recipePages(emulatordocs.Files)
	if err != nil {
		return nil, err
	}
	api, err := admin.OpenAPI()
	if err != nil {
		return nil, err
	}
	reference, err := adminPage(api)
	if err != nil {
		return nil, err
	}
	return append(append(list, recipes...), reference), nil
}

// markdownFiles returns the pages of a directory of the repository.
func markdownFiles(dir string, files fs.FS) ([]Page, error) {
	names, err := fs.Glob(files, "*.md")
	if err != nil {
		return nil, err
	}
	list := make([]Page, len(names))
	for i, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		list[i] = Page{path.Join(dir, name), string(text)}
	}
	return list, nil
}
