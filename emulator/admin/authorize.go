package admin

import (
	"net/http"

	"github.com/kugiri-db/kugiri/emulator/internal/hostcheck"
)

// Prefix begins all paths.
const Prefix = "/_kugiri/"

// Options sets who may use the API.
type Options struct {
	AllowRemote bool   // allow requests from other machines and those that a proxy forwards
	Token       string // required in requests as "Authorization: Bearer TOKEN"; "" for none
	// allows requests from other machines that have it as their token; "" for none
	RemoteToken string
	OwnPages    bool // allow the scripts of pages that the emulator's server itself serves
}

// Authorize has next answer only the requests that the API would answer: see Options. Requests of
// an HTTPClient of the emulator count as those of this machine.
func Authorize(o Options, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if status, why := hostcheck.Gate(o).Refusal("the admin API", r); why != "" {
			if status == http.StatusUnauthorized {
				w.Header().Set("WWW-Authenticate", "Bearer")
			}
			send(w, status, map[string]string{"error": why})
			return
		}
		next.ServeHTTP(w, r)
	})
}
