package emulator

import "net/http"

// serveHealth answers that the service runs. The space at the end of the text is the service's.
func (e *Emulator) serveHealth(w http.ResponseWriter, r *http.Request) {
	e.sendText(w, r, http.StatusOK, "healthy: dynamodb.us-east-1.amazonaws.com ")
}

// serveOK answers that the server is alive.
func (e *Emulator) serveOK(w http.ResponseWriter, r *http.Request) {
	e.sendText(w, r, http.StatusOK, "ok\n")
}

// serveReady answers whether the server accepts requests. It does from its start, because a service
// has all its data before it is served, until it shuts down. During shutdown it still answers on
// open connections. It does not accept requests while the journal fails, because writes fail then.
func (e *Emulator) serveReady(w http.ResponseWriter, r *http.Request) {
	if s, ok := r.Context().Value(serverKey{}).(*Server); ok && s.stopping.Load() {
		e.sendText(w, r, http.StatusServiceUnavailable, "stopping\n")
		return
	}
	if e.service.Journal != nil && e.service.Journal.Err() != nil {
		e.sendText(w, r, http.StatusServiceUnavailable, "data cannot be written\n")
		return
	}
	e.serveOK(w, r)
}
