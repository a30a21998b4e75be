package item

import "strings"

// skipString returns the offset behind the string in canonical text whose opening quote is at i.
func skipString(s string, i int) int {
	i++
	for {
		i += strings.IndexByte(s[i:], '"')
		backslashes := 0
		for s[i-1-backslashes] == '\\' {
			backslashes++
		}
		i++
		if backslashes%2 == 0 {
			return i
		}
	}
}

// skipValue returns the offset behind the attribute value in canonical text that begins at i.
func skipValue(s string, i int) int {
	switch Value(s[i:]).Type() {
	case S, N, B:
		return skipString(s, i+5) + 1
	case SS, NS, BS:
		for i += 6; s[i] != ']'; {
			i = skipString(s, i+1)
		}
		return i + 2
	case L:
		i += 5
		if s[i+1] == ']' {
			return i + 3
		}
		for s[i] != ']' {
			i = skipValue(s, i+1)
		}
		return i + 2
	case M:
		i += 5
		if s[i+1] == '}' {
			return i + 3
		}
		for s[i] != '}' {
			i = skipValue(s, skipString(s, i+1)+1)
		}
		return i + 2
	case NULL:
		return i + len(`{"NULL":true}`)
	}
	return i + strings.IndexByte(s[i:], '}') + 1 // BOOL
}
