package emulator

import (
	"net/http"
	"slices"

	"github.com/kugiri-db/kugiri/emulator/internal/hostcheck"
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

// WithAllowedHosts has the service refuse requests that name it, in the header Host, by anything
// but an IP address, a name without dots, a name of a private network ("host.docker.internal"),
// or one of names; "*" allows any. A web page whose own name was made to lead to this machine (DNS
// rebinding) is known by that name. WithCORSOrigins implies the check, and so does admin.Enable;
// by default the service checks nothing, as scripts of all origins may call it anyhow.
func WithAllowedHosts(names ...string) Option {
	return func(s *settings) {
		s.allowedHosts = append(append(hostcheck.Hosts{}, s.allowedHosts...), names...)
	}
}

// AllowHosts has next answer only the requests that a service with WithAllowedHosts answers.
func AllowHosts(next http.Handler, names ...string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !hostcheck.Hosts(names).Allows(r.Host) {
			http.Error(w, hostcheck.Foreign(r.Host), http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}
