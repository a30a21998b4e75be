package emulator

import "net/http"

// serveHealth answers that the service is up. The space at the end is the service's.
func (e *Emulator) serveHealth(w http.ResponseWriter, r *http.Request) {
	e.sendText(w, r, http.StatusOK, "healthy: dynamodb.us-east-1.amazonaws.com ")
}

// serveOK answers that the service is alive.
func (e *Emulator) serveOK(w http.ResponseWriter, r *http.Request) {
	e.sendText(w, r, http.StatusOK, "ok\n")
}

// serveReady answers whether requests are welcome: they are as soon as there is a
// server, for a service has all its data before it is served, until the server is
// told to stop, after which it still answers on connections that it has. They are not
// while the journal fails, for then writes fail.
func (e *Emulator) serveReady(w http.ResponseWriter, r *http.Request) {
	if s, ok := r.Context().Value(serverKey{}).(*Server); ok && s.stopping.Load() {
		e.sendText(w, r, http.StatusServiceUnavailable, "stopping\n")
		return
	}
	if e.journal != nil && e.journal.Err() != nil {
		e.sendText(w, r, http.StatusServiceUnavailable, "data cannot be written\n")
		return
	}
	e.serveOK(w, r)
}
