package emulator

import "net/http"

// prefixRoute is a part of the paths that a handler of its own answers.
type prefixRoute struct {
	prefix string
	make   func(*Emulator) http.Handler
}

// WithRoute has a handler answer the requests whose paths begin with prefix, which
// is not "/". make is called once for the service, and for each fork of it, when
// the first request comes that is no call of an operation.
func WithRoute(prefix string, make func(*Emulator) http.Handler) Option {
	return func(s *settings) {
		s.prefixes = append(s.prefixes[:len(s.prefixes):len(s.prefixes)], prefixRoute{prefix, make})
	}
}

// WithHealth has a handler answer GET and HEAD of the path "/", as load balancers ask, in place of
// the text that DynamoDB answers.
func WithHealth(h http.Handler) Option {
	return func(s *settings) { s.health = h }
}
