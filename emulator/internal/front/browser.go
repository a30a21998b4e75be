package front

import (
	"fmt"
	"net/http"

	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/auth"
	"github.com/kugiri-db/kugiri/emulator/internal/hostcheck"
)

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
		hostcheck.Hosts{}.Allows(host)
}

// refuse answers a request that must not reach the service, and reports whether it did.
func (f *Front) refuse(w http.ResponseWriter, r *http.Request) bool {
	origin := r.Header["Origin"]
	if known := f.known.Load(); origin == nil && known != nil && *known == r.Host {
		return false
	}
	answer := &apierr.Error{Type: errRefused}
	switch {
	case auth.CallerOf(r) != nil: // the caller is this process
		return false
	case origin != nil && !f.Origins.MayCall(origin) && !isOwnPage(origin, r.Host):
		answer.Message = fmt.Sprintf(
			"this server does not answer scripts of the origin %q: --cors, in Go WithCORSOrigins, allows them",
			origin[0])
	case !f.Hosts.Allows(r.Host):
		answer.Message = hostcheck.Foreign(r.Host)
	default:
		f.known.Store(&r.Host)
		return false
	}
	f.send(w, r, errRefused.Status, jsonTypes["application/x-amz-json-1.0"], answer.Append(nil),
		nil)
	return true
}

// Preflight allows a browser's script whatever it asks for (Fetch standard, "CORS-preflight
// fetch"). OPTIONS without an origin is no such question, and not found (service facts 9.5).
func (f *Front) Preflight(w http.ResponseWriter, r *http.Request) {
	if r.Header["Origin"] == nil {
		f.NotFound(w, r)
		return
	}
	f.Origins.AllowPreflight(w.Header(), r)
	f.sendText(w, r, http.StatusOK, "")
}
