package codelint

import (
	"bytes"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
)

// join is an expression that builds a string from several parts.
type join struct {
	File   string   `json:"file"`
	Line   int      `json:"line"`   // the line, from 1
	Column int      `json:"column"` // the column, from 1; bytes in Go, UTF-16 units in TypeScript
	Code   string   `json:"code"`   // the expression
	Names  []string `json:"names"`  // what gets the string: variables, fields, a function
	Parts  []Part   `json:"parts"`
	Cut    bool     `json:"cut"` // the first part is taken apart at the second one

	goCode bool
}

// Part is text, or a value with the last part of its name, if it has one.
type Part struct {
	Text  string `json:"text,omitempty"`
	Value bool   `json:"value,omitempty"`
	Name  string `json:"name,omitempty"`
}

// hasSeparator reports whether an expression puts a separator that is text beside a value.
func (j *join) hasSeparator() bool {
	value, separator := false, false
	for _, p := range j.Parts {
		value = value || p.Value
		separator = separator || strings.Contains(p.Text, conventions.KeySeparator) ||
			strings.Contains(p.Text, conventions.VersionSeparator)
	}
	return value && separator
}

// otherSeparators part the segments of keys where the guide has "#" only.
const otherSeparators = "-_:/|."

// mixesSeparators reports whether an expression parts a word and values by different separators
// (guide, Anti-patterns 3): ORDER-1_item:2.
func (j *join) mixesSeparators() bool {
	if len(j.Parts) < 4 || j.Parts[0].Text == "" {
		return false
	}
	lead := j.Parts[0].Text
	last := lead[len(lead)-1:]
	if !strings.Contains(otherSeparators, last) ||
		strings.ContainsAny(lead[:len(lead)-1], otherSeparators+" ") {
		return false
	}
	other := false
	for _, p := range j.Parts[1:] {
		if strings.ContainsAny(p.Text, " \t\n") {
			return false
		}
		other = other || strings.ContainsAny(strings.ReplaceAll(p.Text, last, ""), otherSeparators)
	}
	return other
}

// joined returns parts with neighboring texts put together.
func joined(parts []Part) (all []Part) {
	for len(parts) > 0 {
		n := slices.IndexFunc(parts, func(p Part) bool { return p.Value })
		switch n {
		case 0:
			all, parts = append(all, parts[0]), parts[1:]
			continue
		case -1:
			n = len(parts)
		}
		var text strings.Builder
		for i := range n {
			text.WriteString(parts[i].Text)
		}
		all, parts = append(all, Part{Text: text.String()}), parts[n:]
	}
	return all
}

const longestCode = 100 // bytes of Join.Code

// excerpt returns source code on one line. It reads no more of it than it returns.
func excerpt(code []byte) string {
	var line []byte
	for word := range bytes.FieldsSeq(code) {
		if len(line) > 0 {
			line = append(line, ' ')
		}
		if line = append(line, word[:min(len(word), longestCode+1)]...); len(line) > longestCode {
			return strings.ToValidUTF8(string(line[:longestCode]), "") + "…"
		}
	}
	return string(line)
}
