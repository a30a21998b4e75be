package admin

import "strings"

// maxName is how long the names of snapshots and the access keys of forks may be.
const maxName = 128

func checkName(what, name string) error {
	if name == "" || len(name) > maxName ||
		strings.ContainsFunc(name, func(c rune) bool { return !inName(c) }) {
		return badRequest("%s %q: 1 to 128 letters, digits and ._:@+=~- make a name", what, name)
	}
	return nil
}

func inName(c rune) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
		strings.ContainsRune("._:@+=~-", c)
}
