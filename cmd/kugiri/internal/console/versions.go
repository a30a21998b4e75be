package console

import (
	"cmp"
	"encoding/json"
	"net/http"
)

// serveVersions answers with the tables of a caller, each with a text that changes with its items.
// A page asks for it again and again, to notice what programs write.
func serveVersions(l *local) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		as, ok := callerOf(w, r)
		if !ok {
			return
		}
		s := l.Session()
		versions := l.emulator.Inspect().TableVersions(
			cmp.Or(as.AccessKey, s.AccessKey), cmp.Or(as.Region, s.Region))
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		json.NewEncoder(w).Encode(versions) // an error means that the client is gone
	})
}
