package httpd

import (
	"net/http"
	"slices"
)

// Values of headers that all answers share.
var (
	anyOrigin      = []string{"*"}
	varyOrigin     = []string{"Origin"}
	cacheTwoDay    = []string{"172800"} // seconds
	exposedHeaders = []string{"x-amzn-RequestId,x-amzn-ErrorType,x-amz-crc32,Date"}
)

// Origins lists the origins whose scripts may call a service. nil allows all.
type Origins []string

// Allow sets the headers that let a browser's script read the answer to r, if r comes from a script
// whose origin may call (Fetch standard, "CORS check"; service facts 9.5). It reports whether it
// set them.
func (o Origins) Allow(h http.Header, r *http.Request) bool {
	origin := r.Header["Origin"]
	if o != nil && (origin != nil || r.Method != http.MethodPost) {
		// A cache must not give the answer to one origin to another. It keeps no answer to a POST
		// that does not say for how long (RFC 9110, 9.3.3).
		h["Vary"] = varyOrigin
	}
	if !o.MayCall(origin) {
		return false
	}
	h["Access-Control-Allow-Origin"] = anyOrigin
	if o != nil {
		h["Access-Control-Allow-Origin"] = origin
	}
	h["Access-Control-Expose-Headers"] = exposedHeaders
	return true
}

// MayCall reports whether scripts of a request's origin may call the service.
func (o Origins) MayCall(origin []string) bool {
	return origin != nil && (o == nil || len(origin) == 1 && slices.Contains(o, origin[0]))
}

// AllowPreflight sets the headers that allow every request of a browser's script, if its origin may
// call (Fetch standard, "CORS-preflight fetch").
func (o Origins) AllowPreflight(h http.Header, r *http.Request) {
	if o.MayCall(r.Header["Origin"]) {
		h["Access-Control-Max-Age"] = cacheTwoDay
		if asked := r.Header["Access-Control-Request-Headers"]; asked != nil {
			h["Access-Control-Allow-Headers"] = asked
		}
		if asked := r.Header["Access-Control-Request-Method"]; asked != nil {
			h["Access-Control-Allow-Methods"] = asked
		}
	}
}
