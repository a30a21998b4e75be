package docsite

import (
	"path"
	"strings"
)

// FileOf returns the path of a page's HTML on the site.
func FileOf(page string) string {
	dir, name := path.Split(page)
	if name == "README.md" {
		return dir + "index.html"
	}
	return dir + strings.TrimSuffix(name, ".md") + ".html"
}

// Relative returns the URL of a file of the site in another one.
func Relative(from, to string) string {
	return strings.Repeat("../", strings.Count(from, "/")) + to
}
