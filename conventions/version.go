package conventions

import (
	"strconv"
	"strings"
)

// AddVersion adds a version to a sort key ("Version management"). A key that has one is an error (ErrVersioned): to
// replace it, remove it first. So is VersionLatest, which no stored key has.
func AddVersion(sk string, v int) (string, error) {
	parts, err := ParseSortKey(sk)
	switch {
	case err != nil:
		return "", err
	case parts.Version != VersionLatest:
		return "", keyError("sort key", sk, ErrVersioned)
	case v < 0 || int64(v) > VersionMax:
		return "", keyError("version", strconv.Itoa(v), ErrVersion)
	}
	key := sk + VersionSeparator + strconv.Itoa(v)
	return fit("sort key", key, MaxSortKeyBytes)
}

// RemoveVersion returns a sort key without its version, or as it is if it has none.
func RemoveVersion(sk string) string {
	base, _ := splitVersion(sk)
	return base
}

// Version returns the version of a sort key, VersionLatest if it has none.
func Version(sk string) int {
	_, version := splitVersion(sk)
	return version
}

// HasVersion tells whether a sort key has a version.
func HasVersion(sk string) bool { return Version(sk) != VersionLatest }

// splitVersion cuts the version off a sort key. The version is VersionLatest, and base all of the key, if it has none;
// a version alone, as in "@3" and "ORDER#@3", is one of nothing and therefore none.
func splitVersion(sk string) (base string, version int) {
	i := strings.LastIndex(sk, VersionSeparator)
	if i <= 0 || strings.HasSuffix(sk[:i], KeySeparator) {
		return sk, VersionLatest
	}
	digits := sk[i+1:]
	if !isNumber(digits) || len(digits) > 1 && digits[0] == '0' {
		return sk, VersionLatest
	}
	n, err := strconv.Atoi(digits)
	if err != nil || int64(n) > VersionMax {
		return sk, VersionLatest
	}
	return sk[:i], n
}

// endsLikeVersion tells whether a key ends in "@" and something that this or another program may take for a version:
// nothing, or digits with or without a sign.
func endsLikeVersion(key string) bool {
	i := strings.LastIndex(key, VersionSeparator)
	if i < 0 {
		return false
	}
	tail := key[i+1:]
	if tail != "" && (tail[0] == '-' || tail[0] == '+') {
		tail = tail[1:]
	}
	return tail == "" || isNumber(tail)
}

// isNumber tells whether text is decimal digits, at least one.
func isNumber(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != ""
}
