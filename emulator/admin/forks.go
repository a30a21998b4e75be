package admin

import (
	"maps"
	"net/http"
	"slices"
	"sync"

	"github.com/gorilla/mux"

	"github.com/kugiri-db/kugiri/emulator"
)

// admin is the API of an emulator.
type admin struct {
	base *scope

	mu    sync.Mutex // protects forks, and the order in which they become delegates
	forks map[string]*fork

	explorations explorations
}

// fork is a fork that one access key sees.
type fork struct {
	*scope
	info forkInfo
}

// maxForks is how many forks there may be.
const maxForks = 4096

// newFork is a request to make a fork.
type newFork struct {
	AccessKey string `json:"accessKey"`
	From      string `json:"from,omitempty"`
	Snapshot  string `json:"snapshot,omitempty"`
	Clock     string `json:"clock,omitempty"`  // "held", or the time that the clock was to show
	Policy    string `json:"policy,omitempty"` // "off", or that of the origin
	Tenant    string `json:"tenant,omitempty"` // the tenant that the policy takes AccessKey for
}

type forkInfo struct {
	newFork
	OfFork bool `json:"ofFork,omitempty"` // From had a fork, whose state this one began with
}

// fork returns the fork of the access key in a request's path.
func (a *admin) fork(r *http.Request) (*fork, error) {
	key := mux.Vars(r)["key"]
	a.mu.Lock()
	defer a.mu.Unlock()
	if f := a.forks[key]; f != nil {
		return f, nil
	}
	return nil, notFound("there is no fork for the access key %q", key)
}

func (a *admin) listForks(*http.Request) (int, any, error) {
	return http.StatusOK, map[string]any{"forks": a.forkInfos()}, nil
}

func (a *admin) forkInfos() []forkInfo {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := make([]forkInfo, 0, len(a.forks))
	for _, key := range slices.Sorted(maps.Keys(a.forks)) {
		list = append(list, a.forks[key].info)
	}
	return list
}

func (a *admin) addFork(r *http.Request) (int, any, error) {
	var in newFork
	if err := decode(r, &in); err != nil {
		return failed(err)
	}
	if err := checkName("accessKey", in.AccessKey); err != nil {
		return failed(err)
	}
	opts, err := clockOptions(a.base.emulator, in.Clock)
	if err != nil {
		return failed(err)
	}
	switch in.Policy {
	case "":
	case "off":
		opts = append(opts, emulator.WithPolicy(nil))
	default:
		return failed(badRequest("a fork has the policy of its origin, or \"off\", not %q", in.Policy))
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.forks[in.AccessKey] != nil:
		return failed(conflict("there is a fork for the access key %s already", in.AccessKey))
	case len(a.forks) >= maxForks:
		return failed(conflict("there are %d forks already, delete some", maxForks))
	}
	made, err := a.make(in, opts)
	if err != nil {
		return failed(err)
	}
	info := forkInfo{in, a.forks[in.From] != nil}
	a.forks[in.AccessKey] = &fork{newScope(made), info}
	a.base.emulator.Delegate(in.AccessKey, made)
	return http.StatusCreated, info, nil
}

// make makes a fork from its description, of the service or of the fork that "from" sees.
func (a *admin) make(in newFork, opts []emulator.Option) (*emulator.Emulator, error) {
	origin := a.base
	seen := a.forks[in.From]
	if seen != nil {
		origin = seen.scope
	}
	source := origin.emulator
	if in.Snapshot != "" {
		taken, err := origin.snapshots.named(in.Snapshot)
		if err != nil {
			return nil, err
		}
		source = source.Fork()
		source.Restore(taken)
	}
	if in.Tenant != "" {
		if in.Policy == "off" {
			return nil, badRequest("a fork without a policy has no tenant")
		}
		if err := source.Inspect().CheckTenant(in.Tenant); err != nil {
			return nil, badRequest("tenant: %v", err)
		}
		opts = append(opts, emulator.WithTenant(in.AccessKey, in.Tenant))
	}
	if in.From == "" && source.Inspect().HasIAM() {
		return nil, badRequest(
			"with --iam a fork has the tables of all accounts: say with \"from\" which access key the new one acts as")
	}
	if in.From == "" {
		return source.ForkAs("", in.AccessKey, opts...), nil
	}
	keys := source.Inspect().AccessKeys()
	switch {
	case seen != nil || source.Inspect().SharesData() && source.Inspect().HasPolicy():
	case source.Inspect().SharesData():
		return nil, badRequest("all access keys have the same tables here: there is no \"from\"")
	case !slices.Contains(keys, in.From):
		return nil, notFound(
			"there is nothing of the access key %q to fork: it was never used; without \"from\", a fork begins as a new access key does", in.From)
	}
	return source.ForkAs(in.From, in.AccessKey, opts...), nil
}

// clockOptions returns the options for the clock of a fork of e: "" for the same kind of clock as
// e, "held" for a held clock that shows the time of e, or the time that a held clock shows.
func clockOptions(e *emulator.Emulator, clock string) ([]emulator.Option, error) {
	switch clock {
	case "":
		return nil, nil
	case "held":
		return []emulator.Option{emulator.WithHeldClock(emulator.NewClock(e.Now()))}, nil
	}
	at, err := parseTime(clock)
	return []emulator.Option{emulator.WithHeldClock(emulator.NewClock(at))}, err
}

func (a *admin) removeFork(r *http.Request) (int, any, error) {
	if err := nothing(r); err != nil {
		return failed(err)
	}
	f, err := a.fork(r)
	if err != nil {
		return failed(err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.forks[f.info.AccessKey] == f {
		delete(a.forks, f.info.AccessKey)
		a.base.emulator.Delegate(f.info.AccessKey, nil)
	}
	return done()
}
