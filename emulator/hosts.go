package emulator

import (
	"fmt"
	"net/http"

	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/auth"
	"github.com/kugiri-db/kugiri/emulator/internal/peer"
)

// WithAllowedHosts has the service refuse requests that name it, in the header Host, by anything
// but an IP address, a name without dots, a name of a private network ("host.docker.internal"),
// or one of names; "*" allows any. A web page whose own name was made to lead to this machine (DNS
// rebinding) is known by that name. WithCORSOrigins implies the check, and so does admin.Enable;
// by default there is none, as scripts of all origins may call the service anyhow.
func WithAllowedHosts(names ...string) Option {
	return func(s *settings) {
		s.allowedHosts = append(append(peer.Hosts{}, s.allowedHosts...), names...)
	}
}

// AllowHosts has next answer only the requests that a service with WithAllowedHosts answers.
func AllowHosts(next http.Handler, names ...string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !peer.Hosts(names).Allows(r.Host) {
			http.Error(w, foreignHost(r), http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func foreignHost(r *http.Request) string {
	return fmt.Sprintf(
		"this server does not answer by the name %q, which is not among its allowed hosts", r.Host)
}

// errRefused is the error of requests that a page in a browser makes and must not. Nobody but the
// service's own clients gets its errors with their statuses.
var errRefused = &apierr.Type{
	Name: "AccessDeniedException", Namespace: apierr.CoralService, Status: http.StatusForbidden,
	Member: "Message",
}

// isOwnPage reports whether a page that the service serves itself, such as the console, sends a
// request. A name that somebody could register is not enough: DNS rebinding gives a foreign page
// that name, too.
func isOwnPage(origin []string, host string) bool {
	return len(origin) == 1 && (origin[0] == "http://"+host || origin[0] == "https://"+host) &&
		peer.Hosts{}.Allows(host)
}

// refuse answers a request that must not reach the service, and reports whether it did.
func (e *Emulator) refuse(w http.ResponseWriter, r *http.Request) bool {
	answer := &apierr.Error{Type: errRefused}
	switch origin := r.Header["Origin"]; {
	case auth.CallerOf(r) != nil: // of this process
		return false
	case origin != nil && !e.settings.origins.MayCall(origin) && !isOwnPage(origin, r.Host):
		answer.Message = fmt.Sprintf(
			"this server does not answer scripts of the origin %q, which is not among its CORS origins", origin[0])
	case !e.hosts.Allows(r.Host):
		answer.Message = foreignHost(r)
	default:
		return false
	}
	e.send(w, r, errRefused.Status, jsonTypes["application/x-amz-json-1.0"], answer.Append(nil),
		nil)
	return true
}
