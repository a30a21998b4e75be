package terminal

import (
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// Style is the style of text for one output.
type Style struct{ colors bool }

// Is reports whether out is a terminal.
func Is(out io.Writer) bool {
	file, ok := out.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// StyleOf returns the style of out. It has colors on a terminal, unless NO_COLOR (no-color.org) or
// a TERM of "dumb" says otherwise.
func StyleOf(out io.Writer) Style {
	return Style{Is(out) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}

// Bold returns text in bold.
func (s Style) Bold(text string) string { return s.in("1", text) }

// Red returns text in red, for errors.
func (s Style) Red(text string) string { return s.in("31", text) }

// Yellow returns text in yellow, for warnings.
func (s Style) Yellow(text string) string { return s.in("33", text) }

// Green returns text in green, for success.
func (s Style) Green(text string) string { return s.in("32", text) }

// in returns text with a parameter of the control sequence SGR (ECMA-48, 8.3.117).
func (s Style) in(parameter, text string) string {
	if !s.colors {
		return text
	}
	return "\x1b[" + parameter + "m" + text + "\x1b[0m"
}

// Table is rows under a header. Each row has as many cells as the header.
type Table struct {
	Header []string
	Rows   [][]string
}

// Add adds a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// Write prints the table with aligned columns: numbers to the right, all else to the left.
func (t *Table) Write(out io.Writer) error {
	_, err := io.WriteString(out, t.Text(StyleOf(out)))
	return err
}

// Text returns the table with aligned columns.
func (t *Table) Text(s Style) string {
	widths, numbers := make([]int, len(t.Header)), make([]bool, len(t.Header))
	for i, name := range t.Header {
		widths[i], numbers[i] = utf8.RuneCountInString(name), len(t.Rows) > 0
		for _, row := range t.Rows {
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
			numbers[i] = numbers[i] && strings.Trim(row[i], "0123456789.") == ""
		}
	}
	line := func(cells []string) string {
		padded := make([]string, len(cells))
		for i, cell := range cells {
			room := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if padded[i] = cell + room; numbers[i] {
				padded[i] = room + cell
			}
		}
		return strings.TrimRight(strings.Join(padded, "  "), " ")
	}
	var b strings.Builder
	b.WriteString(s.Bold(line(t.Header)) + "\n")
	for _, row := range t.Rows {
		b.WriteString(line(row) + "\n")
	}
	return b.String()
}

// Count returns a number of things as text: "1 item", "2 items".
func Count(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.FormatInt(n, 10) + " " + thing + "s"
}
