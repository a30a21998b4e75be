package docsite

import (
	"path"
	"strings"
)

// repository is where links lead whose destinations are no pages.
const repository = "https://github.com/kugiri-db/kugiri/blob/main/"

// fileOf returns the path of a page's HTML on the site.
func fileOf(page string) string {
	dir, name := path.Split(page)
	if name == "README.md" {
		return dir + "index.html"
	}
	return dir + strings.TrimSuffix(name, ".md") + ".html"
}

// relative returns the URL of a file of the site in another one.
func relative(from, to string) string {
	return strings.Repeat("../", strings.Count(from, "/")) + to
}

// linker returns a function that returns the URLs of the destinations of a page's links.
func linker(page string, known map[string]bool) func(string) string {
	return func(destination string) string {
		if destination == "" || destination[0] == '#' || strings.Contains(destination, ":") {
			return destination
		}
		name, fragment, ok := strings.Cut(destination, "#")
		if ok {
			fragment = "#" + fragment
		}
		target := path.Join(path.Dir(page), name)
		for _, candidate := range []string{target, path.Join(target, "README.md")} {
			if known[candidate] {
				return relative(fileOf(page), fileOf(candidate)) + fragment
			}
		}
		return repository + target + fragment
	}
}
