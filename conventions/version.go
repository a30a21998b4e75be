package conventions

import (
	"strconv"
	"strings"
)

// AddVersion adds a version to a sort key, in place of the one that it may have ("Version
// management"). It returns an error for VersionLatest, because stored keys have a version of their
// own.
func AddVersion(sk string, v int) (string, error) {
	_, err := ParseSortKey(sk)
	switch {
	case err != nil:
		return "", err
	case v < 0 || int64(v) > VersionMax:
		return "", keyError("version", strconv.Itoa(v), ErrVersion)
	}
	key := RemoveVersion(sk) + VersionSeparator + strconv.Itoa(v)
	return fit("sort key", key, MaxSortKeyBytes)
}

// RemoveVersion returns a sort key without its version. It returns a key without a version
// unchanged.
func RemoveVersion(sk string) string {
	base, _ := splitVersion(sk)
	return base
}

// Version returns the version of a sort key, or VersionLatest if it has none.
func Version(sk string) int {
	_, version := splitVersion(sk)
	return version
}

// HasVersion tells whether a sort key has a version.
func HasVersion(sk string) bool { return Version(sk) != VersionLatest }

// splitVersion cuts the version off a sort key. If the key has none, base is the whole key and the
// version is VersionLatest. A version after nothing, as in "@3" and "ORDER#@3", does not count as
// one.
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

// endsLikeVersion tells whether a key ends in "@" and text that this or another program may take
// for a version: nothing, or digits with or without a sign.
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

// isNumber tells whether text consists of one or more decimal digits.
func isNumber(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != ""
}
