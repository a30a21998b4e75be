package emulator

import "net/http"

// serveHealth answers that the service is up. The space at the end is the service's.
func (e *Emulator) serveHealth(w http.ResponseWriter, r *http.Request) {
	e.sendText(w, http.StatusOK, "healthy: dynamodb.us-east-1.amazonaws.com ")
}

// serveOK answers probes. What is served is ready: a service has all its data before it is served, and takes no more
// requests once it is told to stop.
func (e *Emulator) serveOK(w http.ResponseWriter, r *http.Request) {
	e.sendText(w, http.StatusOK, "ok\n")
}
