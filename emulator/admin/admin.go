package admin

import (
	"net/http"
	"strings"
	"sync"

	"github.com/gorilla/mux"

	"github.com/kugiri-db/kugiri/emulator"
)

// Prefix begins all paths.
const Prefix = "/_kugiri/"

// Limits of what clients can create.
const (
	maxBody      = 1 << 20 // bytes
	maxForks     = 4096
	maxSnapshots = 256 // of the server, and of each fork
	maxFaults    = 1000
)

// Options sets who may use the API.
type Options struct {
	AllowRemote bool   // allow requests from other machines and those that a proxy forwards
	Token       string // required in requests as "Authorization: Bearer TOKEN"; "" for none
	RemoteToken string // allows requests from other machines that have it as their token; "" for none
	OwnPages    bool   // allow the scripts of pages that the emulator's server itself serves
}

// Enable makes an emulator serve the API, and check the Host of requests (see
// emulator.WithAllowedHosts). The emulator's list of policy findings then has the same access rules
// as the API.
func Enable(o Options) emulator.Option {
	return emulator.Options(emulator.WithAllowedHosts(),
		emulator.WithRoute(Prefix, func(e *emulator.Emulator) http.Handler { return newAdmin(e, o) }),
		emulator.WithRoute(emulator.FindingsPath, func(e *emulator.Emulator) http.Handler { return Guard(o, findings(e)) }))
}

// admin is the API of an emulator.
type admin struct {
	base *scope

	mu    sync.Mutex // protects forks, and the order in which they become delegates
	forks map[string]*fork
}

func newAdmin(e *emulator.Emulator, o Options) http.Handler {
	a := &admin{base: newScope(e), forks: map[string]*fork{}}
	r := mux.NewRouter().SkipClean(true)
	a.routes(r)
	r.NotFoundHandler = answer(func(*http.Request) (int, any, error) {
		return fail(http.StatusNotFound, "there is nothing at this path")
	})
	r.MethodNotAllowedHandler = answer(func(r *http.Request) (int, any, error) {
		return fail(http.StatusMethodNotAllowed, "not by the method "+r.Method)
	})
	return Guard(o, r)
}

// routes adds all paths.
func (a *admin) routes(r *mux.Router) {
	handle := func(x route, f handler) { r.Path("/_kugiri" + x.path).Methods(x.method).Handler(answer(f)) }
	for _, x := range serverRoutes() {
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

// scope is an emulator, the server's or a fork, with its snapshots, faults and recorded
// requests.
type scope struct {
	emulator *emulator.Emulator

	mu        sync.Mutex
	snapshots map[string]*emulator.Snapshot
	faultIDs  map[emulator.InjectedFault]string
	lastFault int
	recording *recording // nil for none
}

func newScope(e *emulator.Emulator) *scope {
	return &scope{emulator: e, snapshots: map[string]*emulator.Snapshot{}, faultIDs: map[emulator.InjectedFault]string{}}
}

// maxName is how long the names of snapshots and the access keys of forks may be.
const maxName = 128

func checkName(what, name string) error {
	if name == "" || len(name) > maxName || strings.ContainsFunc(name, func(c rune) bool { return !inName(c) }) {
		return badRequest("%s %q: 1 to 128 letters, digits and ._:@+=~- make a name", what, name)
	}
	return nil
}

func inName(c rune) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.ContainsRune("._:@+=~-", c)
}
