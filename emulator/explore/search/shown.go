package search

import (
	"fmt"
	"unicode/utf8"
)

// maxShownText is how many characters of a value, a key or a line are shown.
const maxShownText = 300

// shown cuts a text that is too long.
func shown(text string) string {
	if utf8.RuneCountInString(text) <= maxShownText {
		return text
	}
	return string([]rune(text)[:maxShownText-1]) + "…"
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprint(n, " ", what, "s")
}

func preemptions(n int) string {
	if n == 0 {
		return "no preemption"
	}
	return "up to " + count(n, "preemption")
}
