package search

import "unicode/utf8"

// maxShownText is how many characters of a value, a key or a line are shown.
const maxShownText = 300

// shown cuts a text that is too long.
func shown(text string) string {
	if utf8.RuneCountInString(text) <= maxShownText {
		return text
	}
	return string([]rune(text)[:maxShownText-1]) + "…"
}
