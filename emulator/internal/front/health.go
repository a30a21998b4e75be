package front

import (
	"net/http"
	"sync/atomic"
)

// StoppingKey is the context key, in the requests that a server gets, of an *atomic.Bool that says
// whether the server shuts down.
type StoppingKey struct{}

// Health answers that the service runs. The space at the end of the text is the service's.
func (f *Front) Health(w http.ResponseWriter, r *http.Request) {
	f.sendText(w, r, http.StatusOK, "healthy: dynamodb.us-east-1.amazonaws.com ")
}

// Empty answers 200 without a body, as the service does to a GET of any path that begins with
// /health (service facts H.8).
func (f *Front) Empty(w http.ResponseWriter, r *http.Request) {
	f.sendText(w, r, http.StatusOK, "")
}

// OK answers that the server is alive.
func (f *Front) OK(w http.ResponseWriter, r *http.Request) {
	f.sendText(w, r, http.StatusOK, "ok\n")
}

// Ready answers whether the server accepts requests. It does from its start, because a service
// has all its data before it is served, until it shuts down. During shutdown it still answers on
// open connections. It does not accept requests while the journal fails, because writes fail then.
func (f *Front) Ready(w http.ResponseWriter, r *http.Request) {
	if s, ok := r.Context().Value(StoppingKey{}).(*atomic.Bool); ok && s.Load() {
		f.sendText(w, r, http.StatusServiceUnavailable, "stopping\n")
		return
	}
	if f.Service.Journal != nil && f.Service.Journal.Err() != nil {
		f.sendText(w, r, http.StatusServiceUnavailable, "data cannot be written\n")
		return
	}
	f.OK(w, r)
}
