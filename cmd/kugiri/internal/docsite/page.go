package docsite

import (
	"github.com/kugiri-db/kugiri/conventions/policy/policyfile"
	"github.com/kugiri-db/kugiri/emulator/admin"
)

// Page is a page that has been rendered: its HTML without the frame, and what other pages and the
// search need to know of it.
type Page struct {
	Path     string // the path of the Markdown in the repository
	HTML     string
	Sections []Section
	Lists    []List // lists of ContentsPath and RecipesPath only
}

// Section is a heading with the text until the next heading.
type Section struct {
	Level int
	ID    string
	Title string
	Text  string
}

// List is a list of links.
type List struct {
	Title string
	Files []string // files of the site
}

// Title returns the first heading of a page.
func (p *Page) Title() string {
	if len(p.Sections) == 0 {
		return ""
	}
	return p.Sections[0].Title
}

// Paths of pages that the site knows. ContentsPath lists the documents in the order in which the
// site shows them. No file of the repository has the others.
const (
	ContentsPath = "emulator/docs/README.md"
	RecipesPath  = "emulator/docs/recipes/README.md"
	CommandsPath = "reference/commands.md"
	AdminPath    = "reference/admin.md"
)

// Attachments returns the documents of the reference that are for programs, by their paths.
func Attachments() (map[string][]byte, error) {
	api, err := admin.OpenAPI()
	return map[string][]byte{
		"reference/openapi.json":       api,
		"reference/policy.schema.json": policyfile.Schema(),
	}, err
}
