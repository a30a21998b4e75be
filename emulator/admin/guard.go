package admin

import (
	"net/http"

	"github.com/kugiri-db/kugiri/emulator/internal/peer"
)

// Guard has next answer only the requests that the API would answer: see Options. Requests of an
// HTTPClient of the emulator count as those of this machine.
func Guard(o Options, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if status, why := peer.Gate(o).Refusal("the admin API", r); why != "" {
			if status == http.StatusUnauthorized {
				w.Header().Set("WWW-Authenticate", "Bearer")
			}
			send(w, status, map[string]string{"error": why})
			return
		}
		next.ServeHTTP(w, r)
	})
}
