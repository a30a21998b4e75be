package iam

import "strings"

// glob is a pattern in which * stands for any characters and ? for one. escape makes the next
// character stand for itself.
type glob struct{ text string }

// escape begins a character that is not a wildcard. It is not used in policies.
const escape = '\x00'

func newGlob(pattern string) glob { return glob{strings.ReplaceAll(pattern, "\x00", "\x00\x00")} }

// literal returns the pattern that only a text itself matches.
func literal(text string) string {
	if !strings.ContainsAny(text, "*?\x00") {
		return text
	}
	return strings.NewReplacer("*", "\x00*", "?", "\x00?", "\x00", "\x00\x00").Replace(text)
}

// matches reports whether a whole text matches the pattern.
func (g glob) matches(text string) bool { return g.match(text, false) }

// matchesARN is matches for an ARN. A * stands for characters of one part between colons, unless it
// is the last character of its part (IAM User Guide, "IAM JSON policy elements: Resource").
func (g glob) matchesARN(text string) bool { return g.match(text, true) }

// match keeps the set of lengths of prefixes of the text that a prefix of the pattern matches.
func (g glob) match(text string, inParts bool) bool {
	runes, pattern := []rune(text), []rune(g.text)
	reached := make([]bool, len(runes)+1)
	reached[0] = true
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '*':
			stops := inParts && i+1 < len(pattern) && pattern[i+1] != ':'
			spread(reached, runes, stops)
		case c == '?':
			advance(reached, runes, func(r rune) bool { return !inParts || r != ':' })
		default:
			if c == escape && i+1 < len(pattern) {
				i++
				c = pattern[i]
			}
			advance(reached, runes, func(r rune) bool { return r == c })
		}
	}
	return reached[len(runes)]
}

// spread adds all longer prefixes, but none beyond a colon if stops.
func spread(reached []bool, runes []rune, stops bool) {
	for n, r := range runes {
		if reached[n] && !(stops && r == ':') {
			reached[n+1] = true
		}
	}
}

// advance replaces each prefix by the one that has one more character, if that is accepted.
func advance(reached []bool, runes []rune, accepts func(rune) bool) {
	for n := len(runes); n > 0; n-- {
		reached[n] = reached[n-1] && accepts(runes[n-1])
	}
	reached[0] = false
}
