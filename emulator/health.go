package emulator

import "net/http"

// serveHealth answers that the service is up. The space at the end is the service's.
func (e *Emulator) serveHealth(w http.ResponseWriter, r *http.Request) {
	e.sendText(w, http.StatusOK, "healthy: dynamodb.us-east-1.amazonaws.com ")
}

// servePreflight allows a browser's script whatever it asks for (Fetch standard, "CORS-preflight fetch").
func (e *Emulator) servePreflight(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h["Access-Control-Allow-Origin"] = anyOrigin
	h["Access-Control-Max-Age"] = []string{"172800"}
	if asked := r.Header["Access-Control-Request-Headers"]; asked != nil {
		h["Access-Control-Allow-Headers"] = asked
	}
	if asked := r.Header["Access-Control-Request-Method"]; asked != nil {
		h["Access-Control-Allow-Methods"] = asked
	}
	e.sendText(w, http.StatusOK, "")
}
