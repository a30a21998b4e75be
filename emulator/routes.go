package emulator

import (
	"encoding/json"
	"net/http"

	"github.com/gorilla/mux"

	"github.com/kugiri-db/kugiri/emulator/internal/front"
	"github.com/kugiri-db/kugiri/emulator/internal/hostcheck"
)

// prefixRoute is a part of the paths that a handler of its own answers.
type prefixRoute struct {
	prefix string
	make   func(*Emulator) http.Handler
}

// WithRoute has a handler answer the requests whose paths begin with prefix, which
// is not "/". make is called once for the service, and for each fork of it, when
// the first request comes that is no call of an operation.
func WithRoute(prefix string, make func(*Emulator) http.Handler) Option {
	return func(s *settings) {
		s.prefixes = append(s.prefixes[:len(s.prefixes):len(s.prefixes)], prefixRoute{prefix, make})
	}
}

// WithHealth has a handler answer GET and HEAD of the path "/", as load balancers ask, in place of
// the text that DynamoDB answers.
func WithHealth(h http.Handler) Option {
	return func(s *settings) { s.health = h }
}

// newRouter makes the router of the requests that are no calls of operations. It answers 404 to a
// request that no route fits.
func newRouter(e *Emulator, f *front.Front) http.Handler {
	r := mux.NewRouter().SkipClean(true)
	health := http.Handler(http.HandlerFunc(f.Health))
	if e.settings.health != nil {
		health = e.settings.health
	}
	r.Path("/").Methods(http.MethodGet, http.MethodHead).Handler(health)
	r.Path("/").Methods(http.MethodOptions).HandlerFunc(f.Preflight)
	r.Path("/healthz").Methods(http.MethodGet, http.MethodHead).HandlerFunc(f.OK)
	r.Path("/readyz").Methods(http.MethodGet, http.MethodHead).HandlerFunc(f.Ready)
	r.PathPrefix("/health").Methods(http.MethodGet).HandlerFunc(f.Empty)
	for _, more := range e.settings.prefixes {
		r.PathPrefix(more.prefix).Handler(more.make(e))
	}
	// behind a route of the admin API for the same path, which goes before
	if e.service.Policy != nil {
		r.Path(FindingsPath).Methods(http.MethodGet).Handler(findingsHandler{e})
	}
	notFound := http.HandlerFunc(f.NotFound)
	r.NotFoundHandler, r.MethodNotAllowedHandler = notFound, notFound
	return r
}

// FindingsPath is the path at which a server serves Findings as JSON: {"findings": [...]}. They
// contain keys of all tenants, so only this machine may read them, and nobody if the server
// verifies signatures (see WithCredentials), unless package admin serves them instead. Parameters
// select findings as with FindingsOf: ?tenant=tenant001&severity=warn.
const FindingsPath = "/conventions/findings"

// findingsHandler answers with the findings of the policy.
type findingsHandler struct{ *Emulator }

func (e findingsHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if status, why := e.Inspect().refusal("the list of findings", r); why != "" {
		http.Error(w, why, status)
		return
	}
	list, err := e.Inspect().FindingsOf(r.URL.Query())
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	// an error means that the client is gone
	json.NewEncoder(w).Encode(map[string][]Finding{"findings": list})
}

// refusal returns why a request outside of DynamoDB's API does not get what is of all tenants, and
// its status; why is "" if it does. A server that verifies signatures has clients that it does not
// trust, and has no way to find out here who sends a request.
func (i Inspector) refusal(what string, r *http.Request) (status int, why string) {
	if i.verifies {
		return http.StatusForbidden, what +
			" is served with the admin API only, where signatures are verified"
	}
	return (hostcheck.Gate{}).Refusal(what, r)
}
