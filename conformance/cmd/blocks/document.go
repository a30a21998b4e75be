package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
)

// document is a Markdown file with its blocks, in order.
type document struct {
	path   string
	blocks []block
}

// block is a code block of a document.
type block struct {
	path string
	line int    // its first line of code
	lang string // the language of the fence; sh for indented commands
	file string // the name under which the session has it; "" for none
	text string
}

func (b block) String() string { return fmt.Sprintf("%s:%d (%s)", b.path, b.line, b.lang) }

var (
	fence    = regexp.MustCompile("^```(.*)$")
	indented = regexp.MustCompile(`^    (?:aws|curl|docker|go|kugiri) `)
	named    = regexp.MustCompile("`([\\w./-]+\\.\\w+)`:$")
)

// scripts has the names of scripts that the text does not name.
var scripts = map[string]string{"python": "script.py", "js": "script.mjs"}

func readDocument(path string) (document, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return document{}, err
	}
	d := document{path: path}
	d.blocks, err = parse(path, string(text))
	return d, err
}

// parse returns the blocks of a document's text.
func parse(path, text string) (blocks []block, err error) {
	var open *block
	before := "" // the last line that is not empty
	for i, line := range strings.Split(text, "\n") {
		mark := fence.FindStringSubmatch(line)
		switch {
		case open != nil && mark != nil:
			blocks, open, before = append(blocks, *open), nil, ""
		case open != nil:
			open.text += line + "\n"
		case mark != nil && mark[1] == "":
			return nil, fmt.Errorf("%s:%d: the block names no language", path, i+1)
		case mark != nil:
			open = &block{path: path, line: i + 2, lang: mark[1]}
			open.file = scripts[open.lang]
			if name := named.FindStringSubmatch(before); name != nil {
				open.file = name[1]
			}
		case indented.MatchString(line):
			blocks = append(blocks,
				block{path: path, line: i + 1, lang: "sh", text: line[4:] + "\n"})
		case line != "":
			before = line
		}
	}
	if open != nil {
		return nil, fmt.Errorf("%v: the block does not end", open)
	}
	return blocks, nil
}
