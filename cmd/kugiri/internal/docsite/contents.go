package docsite

import (
	"maps"
	"slices"
)

// group is a part of the table of contents.
type group struct {
	title  string
	pages  []*Page
	folded bool // it is folded on pages of other groups
}

func (g *group) has(r *Page) bool { return slices.Contains(g.pages, r) }

// Unlisted is the title of the group of pages that are in no other.
const Unlisted = "Others"

// contentsOf returns all pages in groups: those that the page of contents lists, as it lists them,
// the recipes and the reference.
func contentsOf(pages map[string]*Page) []group {
	left := map[string]*Page{}
	for name, r := range pages {
		left[FileOf(name)] = r
	}
	take := func(title string, files ...string) group {
		g := group{title: title}
		for _, file := range files {
			if r := left[file]; r != nil {
				g.pages = append(g.pages, r)
				delete(left, file)
			}
		}
		return g
	}
	recipes := FileOf(RecipesPath)
	groups := []group{take("Begin", "index.html", FileOf(ContentsPath), recipes)}
	reference := take("Reference", FileOf(CommandsPath), FileOf(AdminPath))
	for _, l := range listsOf(pages[ContentsPath]) {
		groups = append(groups, take(l.Title, l.Files...))
	}
	for _, topic := range listsOf(pages[RecipesPath]) {
		g := take("Recipes: "+topic.Title, topic.Files...)
		g.folded = true
		groups = append(groups, g)
	}
	groups = append(groups, reference, take(Unlisted, slices.Sorted(maps.Keys(left))...))
	return slices.DeleteFunc(groups, func(g group) bool { return len(g.pages) == 0 })
}

// listsOf returns the lists of a page, none of a page that is missing.
func listsOf(p *Page) []List {
	if p == nil {
		return nil
	}
	return p.Lists
}
