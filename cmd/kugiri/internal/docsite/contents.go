package docsite

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// group is a part of the table of contents.
type group struct {
	title  string
	pages  []*rendered
	folded bool // on pages of other groups
}

func (g *group) has(r *rendered) bool { return slices.Contains(g.pages, r) }

// unlisted is the title of the group of pages that are in no other.
const unlisted = "Others"

// contentsOf returns all pages in groups: those that the page of contents lists, as it lists them,
// the recipes and the reference.
func contentsOf(pages map[string]*rendered) []group {
	left := map[string]*rendered{}
	for name, r := range pages {
		left[fileOf(name)] = r
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
	recipes := fileOf(recipesPath)
	groups := []group{take("Begin", "index.html", fileOf(contentsPath), recipes)}
	reference := take("Reference", fileOf(CommandsPath), fileOf(adminPath))
	for _, l := range listed(pages[contentsPath]) {
		groups = append(groups, take(l.title, l.files...))
	}
	for _, topic := range listed(pages[recipesPath]) {
		g := take("Recipes: "+topic.title, topic.files...)
		g.folded = true
		groups = append(groups, g)
	}
	groups = append(groups, reference, take(unlisted, slices.Sorted(maps.Keys(left))...))
	return slices.DeleteFunc(groups, func(g group) bool { return len(g.pages) == 0 })
}

type listing struct {
	title string
	files []string
}

// listed returns the lists of a page: for each the text before it, and the pages that it links.
func listed(r *rendered) []listing {
	if r == nil {
		return nil
	}
	var lists []listing
	source, before := []byte(r.page.Text), ""
	for n := r.doc.FirstChild(); n != nil; n = n.NextSibling() {
		if n.Kind() != ast.KindList {
			before = strings.TrimSuffix(strings.TrimSpace(plain(n, source)), ":")
			continue
		}
		l := listing{title: before}
		_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if link, ok := n.(*ast.Link); ok && entering {
				l.files = append(l.files, path.Join(path.Dir(fileOf(r.page.Path)), string(link.Destination)))
			}
			return ast.WalkContinue, nil
		})
		lists = append(lists, l)
	}
	return lists
}
