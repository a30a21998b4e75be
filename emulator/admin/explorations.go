package admin

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/gorilla/mux"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/explore/remote"
	"github.com/kugiri-db/kugiri/emulator/explore/search"
	"github.com/kugiri-db/kugiri/emulator/trigger"
)

// Limits of explorations.
const (
	maxExplorations  = 16
	maxWorkers       = 64 // workers of a run
	maxSerialWorkers = 7  // seven workers have 5,040 serial orders
	maxFaultsOfRun   = 10
	maxBudget        = 10_000_000
	maxLongest       = 10_000
	maxResult        = 16 << 10 // bytes of the error of a worker, and of its values
)

// An exploration is removed after a time without any request. That of one schedule may be debugged
// meanwhile.
const (
	explorationIdle = 2 * time.Minute
	replayIdle      = time.Hour
)

// nextWait is how long a request waits for the next step.
const nextWait = 20 * time.Second

// explorations are those of a server.
type explorations struct {
	idle  time.Duration // explorationIdle, or less in tests of many of them
	mu    sync.Mutex
	byID  map[string]*exploration
	past  []shownExploration // explorations that have ended, the latest last
	begun int
}

type exploration struct {
	*remote.Exploration
	id, name string
	began    time.Time
	number   int // its number, from 1
}

// newExploration is a request to begin an exploration.
type newExploration struct {
	Name     string       `json:"name"`
	Command  string       `json:"command,omitempty"` // the command that runs the test
	From     string       `json:"from,omitempty"`
	Region   string       `json:"region,omitempty"`
	Workers  []workerInfo `json:"workers"`
	Checks   bool         `json:"checks,omitempty"`
	Always   bool         `json:"always,omitempty"`
	Patience string       `json:"patience,omitempty"`
	explorationOptions
}

// explorationOptions are those of search.Options.
type explorationOptions struct {
	All          bool     `json:"all,omitempty"`
	Budget       int      `json:"budget,omitempty"`
	Longest      int      `json:"longest,omitempty"`
	Schedule     string   `json:"schedule,omitempty"`
	Seed         uint64   `json:"seed,omitempty"`
	Faults       int      `json:"faults,omitempty"`
	Kinds        []string `json:"kinds,omitempty"`
	ClockMoves   string   `json:"clockMoves,omitempty"`
	Serializable bool     `json:"serializable,omitempty"`
	Ignore       []string `json:"ignore,omitempty"`
	Within       string   `json:"within,omitempty"`
	Part         string   `json:"part,omitempty"` // 3/8: the third of eight

	Allow []allowedLoss `json:"allow,omitempty"`

	CachedReads *cachedReads `json:"cachedReads,omitempty"`
}

// allowedLoss says that the lost updates of a table are no failures, and why.
type allowedLoss struct {
	Kind   string `json:"kind"`
	Table  string `json:"table"`
	Reason string `json:"reason"`
}

// cachedReads is search.Cache.
type cachedReads struct {
	Workers  []string `json:"workers,omitempty"`
	ItemTTL  string   `json:"itemTTL,omitempty"`
	QueryTTL string   `json:"queryTTL,omitempty"`
	Lag      string   `json:"lag,omitempty"`
}

type workerInfo struct {
	Name     string `json:"name"`
	Mortal   bool   `json:"mortal,omitempty"`
	Restarts bool   `json:"restarts,omitempty"`
	// the table whose stream the worker consumes, and how
	Consumes string          `json:"consumes,omitempty"`
	Mapping  json.RawMessage `json:"mapping,omitempty"`
}

type newID struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// stepInfo says what a program has to do next.
type stepInfo struct {
	Do        string             `json:"do"`
	Run       int                `json:"run,omitempty"`
	Workers   []seatInfo         `json:"workers,omitempty"`
	AccessKey string             `json:"accessKey,omitempty"`
	Delivery  int                `json:"delivery,omitempty"`
	Event     json.RawMessage    `json:"event,omitempty"`
	Report    *explorationReport `json:"report,omitempty"`
}

type seatInfo struct {
	Name      string `json:"name"`
	AccessKey string `json:"accessKey"`
}

// workerEnd says how a worker has ended.
type workerEnd struct {
	Run     int      `json:"run"`
	Worker  string   `json:"worker"`
	Error   *string  `json:"error,omitempty"`
	Aborted bool     `json:"aborted,omitempty"`
	Broken  bool     `json:"broken,omitempty"`
	Values  []string `json:"values,omitempty"`

	Delivery int    `json:"delivery,omitempty"`
	Response string `json:"response,omitempty"`
}

type workerEnded struct {
	Again bool `json:"again"`
}

// checksEnd says what the checks of a run have found.
type checksEnd struct {
	Run   int     `json:"run"`
	Error *string `json:"error,omitempty"`
}

// addExploration begins an exploration of what an access key sees.
func (a *admin) addExploration(r *http.Request) (int, any, error) {
	var in newExploration
	if err := decode(r, &in); err != nil {
		return failed(err)
	}
	program, err := in.program(a.explorations.idle)
	if err != nil {
		return failed(err)
	}
	options, err := in.options(len(in.Workers))
	if err == nil {
		err = in.checkCached()
	}
	if err != nil {
		return failed(err)
	}
	if a.base.emulator.Inspect().VerifiesSignatures() {
		return failed(conflict("a server that verifies signatures has no explorations"))
	}
	accessKey := "explored-" + rand.Text()
	origin, err := a.origin(in.From, accessKey)
	if err != nil {
		return failed(err)
	}
	s := &search.Search{Options: options, Name: in.Name, Command: in.Command, Emulator: origin,
		AccessKey: accessKey, Region: in.Region}
	info := newID{ID: rand.Text(), Name: in.Name}
	list := &a.explorations
	list.mu.Lock()
	defer list.mu.Unlock()
	if len(list.byID) >= maxExplorations {
		return failed(conflict("there are %d explorations already, delete some", maxExplorations))
	}
	x := remote.Explore(a.base.emulator, s, program, func() { list.take(info.ID) })
	list.begun++
	list.byID[info.ID] = &exploration{x, info.ID, info.Name, time.Now(), list.begun}
	return http.StatusCreated, info, nil
}

// checkCached refuses cached reads of workers that do not exist.
func (in *newExploration) checkCached() error {
	if in.CachedReads == nil {
		return nil
	}
	for _, name := range in.CachedReads.Workers {
		if !slices.ContainsFunc(in.Workers, func(w workerInfo) bool { return w.Name == name }) {
			return badRequest("cachedReads: there is no worker %q", name)
		}
	}
	return nil
}

// origin returns what the runs of an exploration are forks of.
func (a *admin) origin(from, as string) (*emulator.Emulator, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.make(newFork{AccessKey: as, From: from}, nil)
}

// program reads who takes part. idle is for programs that run no schedule.
func (in *newExploration) program(idle time.Duration) (p remote.Program, err error) {
	if in.Name == "" || len(in.Name) > 1000 || len(in.Command) > 2000 {
		return p, badRequest("name: 1 to 1000 bytes, and at most 2000 of a command")
	}
	if in.Region == "" {
		in.Region = "us-east-1"
	}
	if err := checkName("region", in.Region); err != nil {
		return p, err
	}
	if len(in.Workers) == 0 || len(in.Workers) > maxWorkers {
		return p, badRequest("workers: there are 1 to %d of them", maxWorkers)
	}
	known := map[string]bool{}
	for _, w := range in.Workers {
		if w.Name == "" || len(w.Name) > maxName || !utf8.ValidString(w.Name) {
			return p, badRequest("workers: the name of a worker has 1 to %d bytes", maxName)
		}
		if known[w.Name] {
			return p, badRequest("workers: there are two workers %q", w.Name)
		}
		known[w.Name] = true
		consumes, err := w.mapping()
		if err != nil {
			return p, err
		}
		p.Workers = append(p.Workers, remote.Worker{Name: w.Name, Mortal: w.Mortal || w.Restarts,
			Restarts: w.Restarts, Consumes: consumes})
	}
	p.Checks, p.Always, p.Idle = in.Checks, in.Always, idle
	if in.Schedule != "" {
		p.Idle = replayIdle
	}
	p.Patience, err = duration("patience", in.Patience, 10*time.Second, time.Minute)
	return p, err
}

// mapping reads how a worker consumes a stream. It is nil if the worker does not.
func (w *workerInfo) mapping() (*trigger.Mapping, error) {
	switch {
	case w.Consumes == "" && len(w.Mapping) > 0:
		return nil, badRequest("workers: mapping: %q consumes no stream", w.Name)
	case w.Consumes == "":
		return nil, nil
	case w.Restarts || w.Mortal:
		return nil, badRequest("workers: %q consumes a stream: if it dies, its batch comes again", w.Name)
	}
	m, err := trigger.ParseMapping(w.Consumes, string(w.Mapping))
	if err != nil {
		return nil, badRequest("workers: %s", err)
	}
	return &m, nil
}

// duration reads a duration that is positive and not above a limit.
func duration(name, text string, without, most time.Duration) (time.Duration, error) {
	if text == "" {
		return without, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 || d > most {
		return 0, badRequest("%s: %q is no duration such as 10s, above 0 and at most %v", name, text,
			most)
	}
	return d, nil
}

// options reads the options of the search.
func (in *explorationOptions) options(workers int) (o search.Options, err error) {
	o = search.DefaultOptions()
	o.All, o.Seed, o.Schedule = in.All, in.Seed, in.Schedule
	o.Faults, o.Serial, o.Ignored = in.Faults, in.Serializable, in.Ignore
	for _, n := range []struct {
		name     string
		value    int
		most     int
		into     *int
		zeroIsNo bool
	}{
		{"budget", in.Budget, maxBudget, &o.Budget, true},
		{"longest", in.Longest, maxLongest, &o.Longest, true},
		{"faults", in.Faults, maxFaultsOfRun, &o.Faults, false},
	} {
		if n.value < 0 || n.value > n.most {
			return o, badRequest("%s: 0 to %d, not %d", n.name, n.most, n.value)
		}
		if n.value > 0 || !n.zeroIsNo {
			*n.into = n.value
		}
	}
	if in.Serializable && workers > maxSerialWorkers {
		return o, badRequest("serializable: for at most %d workers, whose serial orders are all run",
			maxSerialWorkers)
	}
	o.Kinds = search.AllFaults
	if len(in.Kinds) > 0 {
		o.Kinds = nil
	}
	for _, kind := range in.Kinds {
		if !slices.Contains(search.AllFaults, search.Fault(kind)) {
			return o, badRequest("kinds: there is no fault %q; there are %s", kind, faultNames())
		}
		if search.Fault(kind) == search.Skewed {
			return o, badRequest("kinds: skewed is for workers whose clocks are part of a run, as in Go")
		}
		o.Kinds = append(o.Kinds, search.Fault(kind))
	}
	if in.ClockMoves != "" {
		o.Moves, err = duration("clockMoves", in.ClockMoves, 0, 10*365*24*time.Hour)
	}
	if err == nil {
		o.Cache, err = in.CachedReads.cache()
	}
	if err == nil {
		err = in.checkCache(&o)
	}
	if err == nil {
		err = in.bounds(&o)
	}
	return o, err
}

// bounds reads which part of a search is run, for how long, and what is allowed in it.
func (in *explorationOptions) bounds(o *search.Options) (err error) {
	if in.Within != "" {
		if o.Within, err = duration("within", in.Within, 0, 24*time.Hour); err != nil {
			return err
		}
	}
	if in.Part != "" {
		if o.Part, err = search.ParsePart(in.Part); err != nil {
			return badRequest("part: %s", err)
		}
		if in.Schedule != "" {
			return badRequest("part: a schedule is run whole")
		}
	}
	for _, x := range in.Allow {
		switch {
		case x.Kind != search.LostUpdate:
			return badRequest("allow: kind: only %q can be allowed", search.LostUpdate)
		case x.Table == "" || strings.TrimSpace(x.Reason) == "":
			return badRequest("allow: it wants the name of a table, and a reason")
		case o.Allowed == nil:
			o.Allowed = map[string]string{}
		}
		o.Allowed[x.Table] = x.Reason
	}
	return nil
}

// cache reads who reads through a cache. It is nil if nobody does.
func (in *cachedReads) cache() (*search.Cache, error) {
	if in == nil {
		return nil, nil
	}
	c := &search.Cache{Workers: in.Workers, ItemTTL: search.DefaultTTL, QueryTTL: search.DefaultTTL}
	for _, d := range []struct {
		name, text string
		into       *time.Duration
	}{
		{"itemTTL", in.ItemTTL, &c.ItemTTL},
		{"queryTTL", in.QueryTTL, &c.QueryTTL},
		{"lag", in.Lag, &c.Lag},
	} {
		if d.text == "" {
			continue
		}
		n, err := time.ParseDuration(d.text)
		if err != nil || n < 0 {
			return nil, badRequest("cachedReads: %s: %q is no duration such as 5m, or 0", d.name,
				d.text)
		}
		*d.into = n
	}
	return c, nil
}

// checkCache refuses what makes no difference.
func (in *explorationOptions) checkCache(o *search.Options) error {
	wanted := o.Faults > 0 && slices.Contains(o.Kinds, search.Cached)
	switch {
	case o.Cache != nil && !wanted && in.Schedule == "":
		return badRequest("cachedReads: without faults, or without cached among their kinds, " +
			"they make no difference")
	case o.Cache == nil && slices.Contains(in.Kinds, string(search.Cached)):
		return badRequest("kinds: cached is for workers of cachedReads")
	}
	return nil
}

// faultNames lists the faults as text.
func faultNames() string {
	var names []string
	for _, f := range search.AllFaults {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}

// exploration returns the exploration whose id is in a request's path.
func (a *admin) exploration(r *http.Request) (*exploration, error) {
	id := mux.Vars(r)["id"]
	a.explorations.mu.Lock()
	defer a.explorations.mu.Unlock()
	if x := a.explorations.byID[id]; x != nil {
		return x, nil
	}
	return nil, noExploration()
}

// nextStep waits for what the program has to do next.
func (a *admin) nextStep(r *http.Request) (int, any, error) {
	if err := nothing(r); err != nil {
		return failed(err)
	}
	x, err := a.exploration(r)
	if err != nil {
		return failed(err)
	}
	ctx, cancel := context.WithTimeout(r.Context(), nextWait)
	defer cancel()
	step, err := x.Next(ctx)
	if err == nil {
		err = step.Err
	}
	if err != nil {
		return failed(conflict("%s", err.Error()))
	}
	return http.StatusOK, stepInfoOf(step), nil
}

// endWorker is told that a worker has ended, and says whether it begins anew.
func (a *admin) endWorker(r *http.Request) (int, any, error) {
	var in workerEnd
	if err := decode(r, &in); err != nil {
		return failed(err)
	}
	x, err := a.exploration(r)
	if err != nil {
		return failed(err)
	}
	end := remote.Result{Failed: in.Error != nil, Aborted: in.Aborted,
		Broken: in.Broken, Values: in.Values, Delivery: in.Delivery, Response: in.Response}
	if in.Delivery > 0 && len(in.Values) > 0 {
		return failed(badRequest("values: the call of a consumer has none"))
	}
	if in.Delivery == 0 && in.Response != "" {
		return failed(badRequest("response: it is the call of a consumer that has one: delivery"))
	}
	size := len(strings.Join(in.Values, "")) + len(in.Response)
	if in.Error != nil {
		end.Error = *in.Error
		size += len(end.Error)
	}
	if size > maxResult {
		return failed(badRequest("what a worker returns has at most %d bytes",
			maxResult))
	}
	again, err := x.Ended(in.Run, in.Worker, end)
	if err != nil {
		return failed(conflict("%s", err.Error()))
	}
	return http.StatusOK, workerEnded{again}, nil
}

// endChecks is told what the checks of a run have found.
func (a *admin) endChecks(r *http.Request) (int, any, error) {
	var in checksEnd
	if err := decode(r, &in); err != nil {
		return failed(err)
	}
	x, err := a.exploration(r)
	if err != nil {
		return failed(err)
	}
	var found error
	if in.Error != nil {
		found = errors.New(*in.Error)
	}
	if err := x.Checked(in.Run, found); err != nil {
		return failed(conflict("%s", err.Error()))
	}
	return done()
}

// removeExploration ends an exploration.
func (a *admin) removeExploration(r *http.Request) (int, any, error) {
	if err := nothing(r); err != nil {
		return failed(err)
	}
	x, err := a.exploration(r)
	if err != nil {
		return failed(err)
	}
	a.explorations.take(x.id)
	return done()
}
