package conventions

import (
	"fmt"
	"net/url"
	"strings"
)

var escapes = strings.NewReplacer("%", "%25", KeySeparator, "%23", VersionSeparator, "%40")

// Escape encodes a value for a segment of a key: "#", "@" and "%" become %23, %40 and %25. A
// segment with an "@" of its own is cut there by the guide's helpers, which take what follows for a
// version.
func Escape(value string) string { return escapes.Replace(value) }

// Unescape decodes what Escape encoded.
func Unescape(segment string) (string, error) {
	value, err := url.PathUnescape(segment)
	if err != nil {
		return "", fmt.Errorf("conventions: segment %.100q is not escaped: %w", segment, err)
	}
	return value, nil
}
