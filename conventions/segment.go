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

// checkSegment returns an error for a value that cannot be a segment of a key.
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

// checkLength returns an error for a key that is too long for DynamoDB.
func checkLength(part, key string, limit int) error {
	if len(key) > limit {
		return keyError(part, key, ErrTooLong)
	}
	return nil
}

// fit returns the key, or an error if it is too long for DynamoDB.
func fit(part, key string, limit int) (string, error) {
	if err := checkLength(part, key, limit); err != nil {
		return "", err
	}
	return key, nil
}
