package conventions

import (
	"strings"

	"github.com/oklog/ulid/v2"
)

// IsULID tells whether s is a ULID in its canonical form: 26 characters of Crockford's base32 in upper case. ULIDs in
// lower case would not sort among the others.
func IsULID(s string) bool {
	if len(s) != ulid.EncodedSize || strings.ToUpper(s) != s {
		return false
	}
	_, err := ulid.ParseStrict(s)
	return err == nil
}
