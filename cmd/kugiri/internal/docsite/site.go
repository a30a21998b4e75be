package docsite

import (
	_ "embed" // for the style and the script
	"encoding/json"
	"fmt"
)

//go:embed site.css
var style []byte

//go:embed site.js
var script []byte

// Build renders pages. It returns the files of the site by their paths.
func Build(pages []Page, version string) (map[string][]byte, error) {
	known := map[string]bool{}
	for _, p := range pages {
		known[p.Path] = true
	}
	byPath := map[string]*rendered{}
	for _, p := range pages {
		r, err := render(p, linker(p.Path, known))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Path, err)
		}
		byPath[p.Path] = r
	}
	contents := contentsOf(byPath)
	files := map[string][]byte{"site.css": style, "site.js": script}
	var index []indexEntry
	for _, g := range contents {
		for _, r := range g.pages {
			file := fileOf(r.page.Path)
			files[file] = frame(r, contents, version)
			index = append(index, indexEntries(file, r)...)
		}
	}
	text, err := json.Marshal(index)
	if err != nil {
		return nil, err
	}
	files["search.js"] = append(append([]byte("kugiriIndex = "), text...), ";\n"...)
	return files, nil
}

// indexEntry is a section in the index that the script searches.
type indexEntry struct {
	Page    string `json:"p"`
	Heading string `json:"h"`
	URL     string `json:"u"`
	Text    string `json:"t"`
}

func indexEntries(file string, r *rendered) []indexEntry {
	list := make([]indexEntry, len(r.sections))
	for i, s := range r.sections {
		list[i] = indexEntry{Page: r.title, Heading: s.title, URL: file + "#" + s.id, Text: s.text}
	}
	return list
}
