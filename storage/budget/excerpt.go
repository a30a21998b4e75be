package budget

import (
	"fmt"
	"strings"
)

// An error may quote what a file holds, and that may be long. Of a text of more than maxText bytes
// Excerpt leaves shownText at each end.
const (
	maxText   = 800
	shownText = 300
)

// Excerpt returns a text for an error or a log, without the middle of a long one.
func Excerpt(text string) string {
	if len(text) <= maxText {
		return text
	}
	begin := strings.ToValidUTF8(text[:shownText], "")
	end := strings.ToValidUTF8(text[len(text)-shownText:], "")
	return fmt.Sprintf("%s ... (%d bytes) ... %s", begin, len(text)-len(begin)-len(end), end)
}

// Brief returns an error with the Excerpt of its text, or nil for nil.
func Brief(err error) error {
	if err == nil || len(err.Error()) <= maxText {
		return err
	}
	return &brief{err}
}

type brief struct{ err error }

func (b *brief) Error() string { return Excerpt(b.err.Error()) }

func (b *brief) Unwrap() error { return b.err }
