package search

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/kugiri-db/kugiri/storage/item"
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

// itemText returns an item as {name: value, ...}.
func itemText(it item.Item) string {
	if it == "" {
		return "nothing"
	}
	b := []byte{'{'}
	for name, v := range it.All() {
		if len(b) > 1 {
			b = append(b, ", "...)
		}
		b = append(append(b, name...), ": "...)
		b = append(b, valueText(v)...)
	}
	return string(append(b, '}'))
}

// valueText returns a value: strings quoted, numbers as they are, and others in DynamoDB's JSON.
func valueText(v item.Value) string {
	switch v.Type() {
	case item.S:
		return strconv.Quote(v.Str())
	case item.N:
		return v.Num()
	case item.NoType:
		return "nothing"
	}
	return string(v)
}
