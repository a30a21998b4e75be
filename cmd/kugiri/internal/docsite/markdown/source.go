package markdown

import (
	_ "embed" // holds the README
	"io/fs"
	"path"

	"github.com/kugiri-db/kugiri/conventions/docs"
	"github.com/kugiri-db/kugiri/emulator/admin"
	emulatordocs "github.com/kugiri-db/kugiri/emulator/docs"
)

// Page is a page in Markdown.
type Page struct {
	Path string // the path in the repository, with the extension .md
	Text string
}

// readme is a copy of the README, which no package but one at the root could embed. A test says
// when they differ.
//
//go:embed README.md
var readme string

// Pages returns all pages of this version but that of the commands.
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
