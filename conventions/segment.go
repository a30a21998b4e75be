package conventions

import (
	"strings"
	"unicode/utf8"
)

// Segments returns the segments of a key. The version of a sort key stays in the last one.
func Segments(key string) []string { return strings.Split(key, KeySeparator) }

// Prefix returns the first segment of a key, which names the kind of entity.
func Prefix(key string) string {
	prefix, _, _ := strings.Cut(key, KeySeparator)
	return prefix
}

// checkSegment says what keeps a value from being a segment of a key.
func checkSegment(part, value string) error {
	switch {
	case value == "":
		return keyError(part, value, ErrEmpty)
	case strings.Contains(value, KeySeparator):
		return keyError(part, value, ErrSeparator)
	case !utf8.ValidString(value):
		return keyError(part, value, ErrNotUTF8)
	}
	return nil
}

// checkLength says whether a key is too long to be stored.
func checkLength(part, key string, limit int) error {
	if len(key) > limit {
		return keyError(part, key, ErrTooLong)
	}
	return nil
}

// fit returns a key that is not too long to be stored.
func fit(part, key string, limit int) (string, error) {
	if err := checkLength(part, key, limit); err != nil {
		return "", err
	}
	return key, nil
}
