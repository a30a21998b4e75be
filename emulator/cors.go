package emulator

import (
	"net/http"
	"slices"
)

// WithCORSOrigins allows only the scripts of these origins ("http://localhost:3000") to call the
// service from a browser. Those of others are refused, and so are requests by names that
// WithAllowedHosts would not allow. The default, like "*", allows all origins; without any origin
// none is allowed.
func WithCORSOrigins(origins ...string) Option {
	return func(s *settings) {
		s.origins = append([]string{}, origins...)
		if slices.Contains(origins, "*") {
			s.origins = nil
		}
	}
}

// Values of headers that all answers share.
var (
	anyOrigin      = []string{"*"}
	varyOrigin     = []string{"Origin"}
	cacheTwoDay    = []string{"172800"} // seconds
	exposedHeaders = []string{"x-amzn-RequestId,x-amzn-ErrorType,x-amz-crc32,Date"}
)

// allowOrigin sets the headers that let a browser's script read the answer to r, if it is a
// script's and its origin may (Fetch standard, "CORS check"; service facts 9.5). It reports whether
// it set them.
func (e *Emulator) allowOrigin(h http.Header, r *http.Request) bool {
	origin := r.Header["Origin"]
	if e.origins != nil {
		h["Vary"] = varyOrigin // a cache must not give the answer to one origin to another
	}
	if !e.mayCall(origin) {
		return false
	}
	h["Access-Control-Allow-Origin"] = anyOrigin
	if e.origins != nil {
		h["Access-Control-Allow-Origin"] = origin
	}
	h["Access-Control-Expose-Headers"] = exposedHeaders
	return true
}

// mayCall reports whether scripts of the origin that a request names may call the service.
func (e *Emulator) mayCall(origin []string) bool {
	return origin != nil && (e.origins == nil || len(origin) == 1 && slices.Contains(e.origins, origin[0]))
}

// servePreflight allows a browser's script whatever it asks for (Fetch standard, "CORS-preflight
// fetch"). OPTIONS without an origin is no such question, and not found (service facts 9.5).
func (e *Emulator) servePreflight(w http.ResponseWriter, r *http.Request) {
	if r.Header["Origin"] == nil {
		e.serveNotFound(w, r)
		return
	}
	h := w.Header()
	if e.mayCall(r.Header["Origin"]) {
		h["Access-Control-Max-Age"] = cacheTwoDay
		if asked := r.Header["Access-Control-Request-Headers"]; asked != nil {
			h["Access-Control-Allow-Headers"] = asked
		}
		if asked := r.Header["Access-Control-Request-Method"]; asked != nil {
			h["Access-Control-Allow-Methods"] = asked
		}
	}
	e.sendText(w, r, http.StatusOK, "")
}
