package emulator

import (
	"net/http"
	"slices"
)

// WithCORSOrigins allows only the scripts of these origins ("http://localhost:3000") to call the
// service from a browser. Those of others are refused, and so are requests by names that
// WithAllowedHosts would not allow. Pages that the service serves itself are always allowed. The
// default, like "*", allows all origins; without any origin no other page is allowed.
func WithCORSOrigins(origins ...string) Option {
	return func(s *settings) {
		s.origins = append([]string{}, origins...)
		if slices.Contains(origins, "*") {
			s.origins = nil
		}
	}
}

// servePreflight allows a browser's script whatever it asks for (Fetch standard, "CORS-preflight
// fetch"). OPTIONS without an origin is no such question, and not found (service facts 9.5).
func (e *Emulator) servePreflight(w http.ResponseWriter, r *http.Request) {
	if r.Header["Origin"] == nil {
		e.serveNotFound(w, r)
		return
	}
	e.settings.origins.AllowPreflight(w.Header(), r)
	e.sendText(w, r, http.StatusOK, "")
}
