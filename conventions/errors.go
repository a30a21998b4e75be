package conventions

import (
	"errors"
	"fmt"
)

// The faults of a key or of a part of one. The errors of this package wrap them.
var (
	ErrEmpty         = errors.New("is empty")
	ErrNotUTF8       = errors.New("is not UTF-8")
	ErrSeparator     = errors.New(`contains "#", which separates segments`)
	ErrTooLong       = errors.New("is longer than DynamoDB allows")
	ErrNoTenant      = errors.New("has no tenant")
	ErrSegments      = errors.New("has another number of segments")
	ErrVersion       = errors.New("is not a version: versions are 0 to 9007199254740991")
	ErrVersioned     = errors.New("has a version")
	ErrUndeclared    = errors.New("is not declared")
	ErrDeclaredTwice = errors.New("is declared twice")
	ErrNotULID       = errors.New("is not a ULID in upper case")
	ErrTime          = errors.New(
		"is not a time of the years 0 to 9999 in UTC, as 2024-01-15T10:30:00Z or 2024-01-15T10:30:00.000Z")
	ErrMonth         = errors.New("is not in the month of its partition key")
	ErrReadAsVersion = errors.New(
		`ends in "@" and a number or nothing, which may be read as a version`)
)

// keyError names the part of a key that is wrong. It cuts long values.
func keyError(part, value string, err error) error {
	return fmt.Errorf("conventions: %s %.100q %w", part, value, err)
}

// Must returns a key. It panics if the key could not be built. Use it for keys that are constant in
// the program.
func Must(key string, err error) string {
	if err != nil {
		panic(err)
	}
	return key
}
