package emulator

import (
	"net/http"
	"slices"
)

// WithCORSOrigins allows only the scripts of these origins ("http://localhost:3000")
// to call the service from a browser. The default, like "*", allows all.
func WithCORSOrigins(origins ...string) Option {
	return func(s *settings) {
		s.origins = slices.Clone(origins)
		if slices.Contains(origins, "*") {
			s.origins = nil
		}
	}
}

// Values of headers that all answers share.
var (
	anyOrigin   = []string{"*"}
	varyOrigin  = []string{"Origin"}
	cacheTwoDay = []string{"172800"} // seconds
)

// allowOrigin sets the headers that let a browser's script read the answer to r,
// if its origin may (Fetch standard, "CORS check"). It reports whether it may.
func (e *Emulator) allowOrigin(h http.Header, r *http.Request) bool {
	if e.origins == nil {
		h["Access-Control-Allow-Origin"] = anyOrigin
		return true
	}
	h["Vary"] = varyOrigin // a cache must not give the answer to one origin to another
	origin := r.Header["Origin"]
	if len(origin) != 1 || !slices.Contains(e.origins, origin[0]) {
		return false
	}
	h["Access-Control-Allow-Origin"] = origin
	return true
}

// servePreflight allows a browser's script whatever it asks for (Fetch standard, "CORS-preflight fetch").
func (e *Emulator) servePreflight(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	if e.allowOrigin(h, r) {
		h["Access-Control-Max-Age"] = cacheTwoDay
		if asked := r.Header["Access-Control-Request-Headers"]; asked != nil {
			h["Access-Control-Allow-Headers"] = asked
		}
		if asked := r.Header["Access-Control-Request-Method"]; asked != nil {
			h["Access-Control-Allow-Methods"] = asked
		}
	}
	e.sendText(w, http.StatusOK, "")
}
