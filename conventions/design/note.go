package design

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Note is a decision with its reason, or a warning.
type Note struct {
	// 1 to 6, 7 for what the steps do not cover, 8 for what was rejected, 9 for whoever owns the
	// table
	Step    int
	About   string // a pattern, a model, an index or ""
	Text    string
	Warning bool

	names  string // the indexes and the attributes of keys that Text or About names, each in a line
	counts bool   // it says how many global indexes there are
	parts  int    // it warns of a pattern that names so many attributes
	again  bool   // it follows from the plan alone, so that it can be made again
}

func (n Note) String() string {
	text := n.Text
	if n.About != "" {
		text = n.About + ": " + text
	}
	if n.Warning {
		text = "warning: " + text
	}
	return fmt.Sprintf("%d. %s", n.Step, text)
}

// says reports whether a note names an index, or an attribute of a key.
func (n Note) says(name string) bool {
	return slices.Contains(strings.Split(n.names, "\n"), name)
}

// renamed returns a note with other names of indexes and of attributes of keys.
func (n Note) renamed(names map[string]string) Note {
	to := func(name string) string {
		if as := names[name]; as != "" && n.says(name) {
			return as
		}
		return name
	}
	var text strings.Builder
	rest := n.Text
	for rest != "" {
		end := strings.IndexFunc(rest, func(r rune) bool { return !isNameRune(r) })
		if end < 0 {
			end = len(rest)
		}
		text.WriteString(to(rest[:end]))
		next := strings.IndexFunc(rest[end:], isNameRune)
		if next < 0 {
			next = len(rest) - end
		}
		text.WriteString(rest[end : end+next])
		rest = rest[end+next:]
	}
	all := strings.Split(n.names, "\n")
	for i, name := range all {
		all[i] = to(name)
	}
	n.Text, n.About = text.String(), to(n.About)
	n.names = strings.Join(all, "\n")
	return n
}

// isNameRune reports whether a character can be in the name of an index or of an attribute of a key
// that a note has among its words.
func isNameRune(r rune) bool {
	return r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// notes collects notes.
type notes []Note

// note adds a decision with its reason.
func (n *notes) note(step int, about, format string, args ...any) {
	*n = append(*n, Note{Step: step, About: about, Text: fmt.Sprintf(format, args...)})
}

// warn adds a warning.
func (n *notes) warn(step int, about, format string, args ...any) {
	*n = append(*n,
		Note{Step: step, About: about, Text: fmt.Sprintf(format, args...), Warning: true})
}

// naming says which names the last note has that a migration may change.
func (n *notes) naming(names ...string) { (*n)[len(*n)-1].names = strings.Join(names, "\n") }
