package markdown

import (
	"path"
	"strings"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/docsite"
)

// repository is where links lead whose destinations are no pages.
const repository = "https://github.com/kugiri-db/kugiri/blob/main/"

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
				return docsite.Relative(docsite.FileOf(page), docsite.FileOf(candidate)) + fragment
			}
		}
		return repository + target + fragment
	}
}
