package policy

import (
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/conventions"
)

// isNewer reports whether one version of a document is newer than another, as far as their names
// tell: by time for times and ULIDs, and by number where names differ in their numbers only (v9 and
// v10). Other names have no order.
func isNewer(version, than string) bool {
	if conventions.IsULID(version) && conventions.IsULID(than) {
		return version > than
	}
	at, err := time.Parse(time.RFC3339Nano, version)
	before, errBefore := time.Parse(time.RFC3339Nano, than)
	if err == nil && errBefore == nil {
		return at.After(before)
	}
	return compareNumbers(version, than) > 0
}

// compareNumbers compares two names by their first number that differs. It returns 0 if the names
// differ in other text too.
func compareNumbers(a, b string) (order int) {
	for a != "" || b != "" {
		textA, numberA, restA := cutNumber(a)
		textB, numberB, restB := cutNumber(b)
		if textA != textB || (numberA == "") != (numberB == "") {
			return 0
		}
		if order == 0 {
			order = compareDigits(numberA, numberB)
		}
		a, b = restA, restB
	}
	return order
}

const digits = "0123456789"

// cutNumber splits a text around its first number. number is "" in a text without one.
func cutNumber(s string) (before, number, after string) {
	i := strings.IndexAny(s, digits)
	if i < 0 {
		return s, "", ""
	}
	after = strings.TrimLeft(s[i:], digits)
	return s[:i], s[i : len(s)-len(after)], after
}

// compareDigits compares two numbers of any length.
func compareDigits(a, b string) int {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

// lastSegment returns the last segment of a version that is named by it or by its whole key.
func lastSegment(version string) string {
	return version[strings.LastIndex(version, conventions.KeySeparator)+1:]
}
