package repository

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// riddle matches words that leave the reader to find out what a sentence is about. A plain sentence
// has the word of the field in their place: what the thing is, holds or does.
var riddle = regexp.MustCompile(`\b(is|are)\s+(what|none)\b|\b[Oo]f\s+which\b`)

// goesOn matches a comment behind code that goes on where the code or another line ended. A comment
// behind a field can be read alone: "the trigger's token", not "of the trigger".
var goesOn = regexp.MustCompile(`^(and|are|as|at|before|behind|by|for|from|has|have|in|into|is|of|` +
	`on|or|so|than|that|to|whose|with|without)\b`)

// TestComments holds comments to plain sentences, as far as a pattern can tell.
func TestComments(t *testing.T) {
	root := filepath.Join("..", "..")
	for _, file := range sourceFiles(t, root) {
		src, err := os.ReadFile(filepath.Join(root, file))
		require.NoError(t, err)
		for line, words := range riddlesIn(t, src) {
			assert.Fail(t, "a riddle", "%s:%d: %q: name the thing that it stands for", file, line,
				words)
		}
		for line, words := range fragmentsIn(t, src) {
			assert.Fail(t, "a fragment", "%s:%d: %q: begin with the thing", file, line, words)
		}
	}
}

// TestCommentsOfTheConsole: comments of TypeScript are plain sentences, too.
func TestCommentsOfTheConsole(t *testing.T) {
	root := filepath.Join("..", "..", "cmd", "kugiri", "internal", "console", "web", "src")
	checked := 0
	require.NoError(t, filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		for i, line := range strings.Split(string(src), "\n") {
			_, comment, _ := strings.Cut(line, "//")
			assert.Empty(t, riddle.FindString(comment), "%s:%d", name, i+1)
		}
		checked++
		return nil
	}))
	assert.Greater(t, checked, 100, "files were found")
}

// fragmentsIn returns the comments of a Go file that stand behind code and go on from it, by their
// lines.
func fragmentsIn(t *testing.T, src []byte) map[int]string {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", src, parser.ParseComments)
	require.NoError(t, err)
	lines := strings.Split(string(src), "\n")
	found := map[int]string{}
	for _, group := range file.Comments {
		at := files.Position(group.Pos())
		text := strings.TrimSpace(strings.TrimPrefix(group.List[0].Text, "//"))
		behind := strings.TrimSpace(lines[at.Line-1][:at.Column-1]) != ""
		if word := goesOn.FindString(text); behind && word != "" {
			found[at.Line] = word
		}
	}
	return found
}

func TestFragmentsIn(t *testing.T) {
	for _, c := range []struct {
		name, src string
		want      map[int]string
	}{
		{"a noun", "var token string // the trigger's token", map[int]string{}},
		{"what continues the name", "var token string // of the trigger", map[int]string{2: "of"}},
		{"a verb", "var token string // is the trigger's", map[int]string{2: "is"}},
		{"a word that only begins so", "var token string // offered by a trigger", map[int]string{}},
		{"a question that the name answers", "var n int // how many there are", map[int]string{}},
		{"behind a statement", "func f() {\n\tf() // and again\n}", map[int]string{3: "and"}},
		{"above", "// of the trigger\nvar token string", map[int]string{}},
		{"a later line", "var n int // the number\n// of triggers", map[int]string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, fragmentsIn(t, []byte("package p\n"+c.src+"\n")))
		})
	}
}

// riddlesIn returns the riddles in the comments of a Go file by their lines. A riddle may go on
// over the end of a line.
func riddlesIn(t *testing.T, src []byte) map[int]string {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", src, parser.ParseComments)
	require.NoError(t, err)
	found := map[int]string{}
	for _, group := range file.Comments {
		var lines []string
		for _, c := range group.List {
			lines = append(lines, strings.TrimPrefix(c.Text, "//"))
		}
		text, first := strings.Join(lines, "\n"), files.Position(group.Pos()).Line
		for _, at := range riddle.FindAllStringIndex(text, -1) {
			line := first + strings.Count(text[:at[0]], "\n")
			found[line] = strings.Join(strings.Fields(text[at[0]:at[1]]), " ")
		}
	}
	return found
}

func TestRiddlesIn(t *testing.T) {
	for _, c := range []struct {
		name, src string
		want      map[int]string
	}{
		{"a plain sentence", "// left holds the records that remain.\nvar left int",
			map[int]string{}},
		{"is what", "// left is what remains.\nvar left int", map[int]string{2: "is what"}},
		{"are what", "// left are what remain.\nvar left int", map[int]string{2: "are what"}},
		{"is none", "var left int // 0 if there is none", map[int]string{2: "is none"}},
		{"are none", "var left int // 0 if there are none", map[int]string{2: "are none"}},
		{"of which", "// left counts records, of which one is read.\nvar left int",
			map[int]string{2: "of which"}},
		{"a capital", "// Of which one is left.\nvar left int", map[int]string{2: "Of which"}},
		{"a value", "var left string // it is NONE", map[int]string{}},
		{"a part of a word", "// This whatever of whichever.\nvar left int", map[int]string{}},
		{"over two lines", "// a\n// left is\n// what remains.\nvar left int",
			map[int]string{3: "is what"}},
		{"within a function", "func f() {\n\tf() // is none\n}", map[int]string{3: "is none"}},
		{"of one line each", "var (\n\ta int // there is\n\tb int // none\n)", map[int]string{}},
		{"between asterisks", "/* a\nis none */\nvar left int", map[int]string{3: "is none"}},
		{"a text of the program", "const left = \"there is none\"", map[int]string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, riddlesIn(t, []byte("package p\n"+c.src+"\n")))
		})
	}
}
