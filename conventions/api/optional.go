package api

import "strings"

// Ref returns a pointer to a value, as optional members have it.
func Ref[T any](v T) *T { return &v }

// Deref returns the value of an optional member, or the zero value if it is absent.
func Deref[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

// Clone returns a copy of an optional string member. The copy shares no memory with the request.
func Clone[T ~string](p *T) *T {
	if p == nil {
		return nil
	}
	return Ref(T(strings.Clone(string(*p))))
}

// IsTrue reports whether an optional member is present and true.
func IsTrue(b *bool) bool { return b != nil && *b }
