package admin

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gorilla/mux"

	"github.com/kugiri-db/kugiri/emulator"
)

// Enable makes an emulator serve the API, and check the Host of requests (see
// emulator.WithAllowedHosts). The emulator's list of policy findings then has the same access rules
// as the API.
func Enable(o Options) emulator.Option { return enable(o, explorationIdle) }

// enable is Enable with the time after which an idle exploration is removed.
func enable(o Options, idle time.Duration) emulator.Option {
	return emulator.Options(emulator.WithAllowedHosts(),
		emulator.WithRoute(Prefix,
			func(e *emulator.Emulator) http.Handler { return newAdmin(e, o, idle) }),
		emulator.WithRoute(emulator.FindingsPath,
			func(e *emulator.Emulator) http.Handler { return Authorize(o, findings(e)) }))
}

func newAdmin(e *emulator.Emulator, o Options, idle time.Duration) http.Handler {
	a := &admin{base: newScope(e), forks: map[string]*fork{},
		explorations: explorations{idle: idle, byID: map[string]*exploration{}}}
	r := mux.NewRouter().SkipClean(true)
	a.routes(r)
	r.NotFoundHandler = answer(func(*http.Request) (int, any, error) {
		return fail(http.StatusNotFound, "there is nothing at this path; there is "+allPaths())
	})
	r.MethodNotAllowedHandler = answer(func(r *http.Request) (int, any, error) {
		return fail(http.StatusMethodNotAllowed, "not by the method "+r.Method)
	})
	return Authorize(o, r)
}

// allPaths lists the paths of the API with their methods.
func allPaths() string {
	var list []string
	for _, x := range append(serverRoutes(), explorationRoutes()...) {
		list = append(list, x.method+" /_kugiri"+x.path)
	}
	for _, x := range scopeRoutes {
		list = append(list, x.method+" /_kugiri"+x.path)
	}
	slices.Sort(list)
	return strings.Join(list, ", ") + ", and those of a fork below /_kugiri/forks/{key}/"
}

// routes adds all paths.
func (a *admin) routes(r *mux.Router) {
	handle := func(x route, f handler) {
		r.Path("/_kugiri" + x.path).Methods(x.method).Handler(answer(f))
	}
	for _, x := range append(serverRoutes(), explorationRoutes()...) {
		handle(x.route, func(r *http.Request) (int, any, error) { return x.serve(a, r) })
	}
	for _, x := range scopeRoutes {
		handle(x.route, func(r *http.Request) (int, any, error) { return x.serve(a.base, r) })
	}
	for _, x := range forkRoutes() {
		handle(x.route, func(r *http.Request) (int, any, error) {
			f, err := a.fork(r)
			if err != nil {
				return failed(err)
			}
			return x.serve(f.scope, r)
		})
	}
}
