package design

import "fmt"

// Note is a decision with its reason, or a warning.
type Note struct {
	// 1 to 6, 7 for what the steps do not cover, 8 for what was rejected, 9 for whoever owns the
	// table
	Step    int
	About   string // a pattern, a model, an index or ""
	Text    string
	Warning bool
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
