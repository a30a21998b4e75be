package docsite

import (
	_ "embed" // holds the style and the script
	"encoding/json"
)

//go:embed site.css
var style []byte

//go:embed site.js
var script []byte

// library searches the index. conformance/cmd/console makes it, with MiniSearch and a stemmer.
//
//go:embed library.js
var library []byte

// Build returns the files of the site of pages, by their paths.
func Build(pages []*Page, version string) (map[string][]byte, error) {
	byPath := map[string]*Page{}
	for _, p := range pages {
		byPath[p.Path] = p
	}
	contents := contentsOf(byPath)
	files := map[string][]byte{"site.css": style, "site.js": script, "library.js": library}
	var index []indexEntry
	for _, g := range contents {
		for _, r := range g.pages {
			file := FileOf(r.Path)
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

func indexEntries(file string, r *Page) []indexEntry {
	list := make([]indexEntry, len(r.Sections))
	for i, s := range r.Sections {
		list[i] = indexEntry{
			Page: r.Title(), Heading: s.Title, URL: file + "#" + s.ID, Text: s.Text,
		}
	}
	return list
}
