package repository

import (
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mostColumns is max_line_length of .editorconfig. A tab counts as four columns.
const mostColumns = 100

// TestLines holds the length of lines of Go code. A line may be longer if a formatter cannot break
// it: it has a literal or a name of 32 columns or more, a part of a literal of several lines, a
// comment that is an address, JSON or a table, the output of an example, or a directive.
func TestLines(t *testing.T) {
	root := filepath.Join("..", "..")
	for _, file := range sourceFiles(t, root) {
		src, err := os.ReadFile(filepath.Join(root, file))
		require.NoError(t, err)
		if isGenerated(string(src)) {
			continue
		}
		unbreakable := unbreakableLines(src)
		assert.NotContains(t, string(src), "append("+"\n",
			"%s: keep append( and its first argument in one line", file)
		for i, line := range strings.Split(string(src), "\n") {
			columns := utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    "))
			assert.True(t, columns <= mostColumns || unbreakable[i+1],
				"%s:%d has %d columns, and may have %d", file, i+1, columns, mostColumns)
		}
	}
}

func isGenerated(src string) bool {
	head, _, _ := strings.Cut(src, "package ")
	return strings.Contains(head, "// Code generated ")
}

// preformatted matches comments that are no text: tables, JSON, directives.
var preformatted = regexp.MustCompile(`^//(\t|   [^ -]|     [^ ]|[a-z]+:| [{\[]\S*$)`)

// outputs matches the comment before the output of an example.
var outputs = regexp.MustCompile(`^// (Unordered o|O)utput:`)

// unbreakableLines returns the numbers of the lines that may be longer.
func unbreakableLines(src []byte) map[int]bool {
	const long = 32
	lines := map[int]bool{}
	files := token.NewFileSet()
	file := files.AddFile("", -1, len(src))
	isOutput := false // the comments are the output of an example
	var s scanner.Scanner
	s.Init(file, src, nil, scanner.ScanComments)
	for {
		pos, tok, text := s.Scan()
		breaks := strings.Count(text, "\n")
		isOutput = tok == token.COMMENT && (isOutput || outputs.MatchString(text))
		switch {
		case tok == token.EOF:
			return lines
		case tok == token.STRING && (len(text) >= long || breaks > 0):
		case tok == token.IDENT && len(text) >= long:
		case tok == token.COMMENT && (breaks > 0 || strings.Contains(text, "://") ||
			isOutput || preformatted.MatchString(text)):
		default:
			continue
		}
		for i := range breaks + 1 {
			lines[files.Position(pos).Line+i] = true
		}
	}
}

func TestUnbreakableLines(t *testing.T) {
	long := strings.Repeat("x", 32)
	for _, c := range []struct {
		name, src string
		want      map[int]bool
	}{
		{"code", "package p\nvar a = 1\n", map[int]bool{}},
		{"a short text", "package p\nvar a = \"x\"\n", map[int]bool{}},
		{"a long text", "package p\nvar a = \"" + long + "\"\n", map[int]bool{2: true}},
		{"a text of two lines", "package p\nvar a = `x\ny`\n", map[int]bool{2: true, 3: true}},
		{"a long name", "package p\nvar " + long + " = 1\n", map[int]bool{2: true}},
		{"a comment", "package p\n// x y\n//   - x y\n", map[int]bool{}},
		{"an address", "package p\n// http://a.example\n", map[int]bool{2: true}},
		{"a table in a comment", "package p\n//\ta   b\n//   a   b\n", map[int]bool{2: true, 3: true}},
		{"JSON in a comment", "package p\n// {\"a\":1}\n", map[int]bool{2: true}},
		{"the output of an example", "package p\n// x\n// Output:\n// x y\n",
			map[int]bool{3: true, 4: true}},
		{"a directive", "package p\n//go:generate x\n", map[int]bool{2: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, unbreakableLines([]byte(c.src)))
		})
	}
}
