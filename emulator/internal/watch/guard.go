package watch

import (
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/auth"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Guard applies a service's policy to its requests.
type Guard struct {
	engine   *policy.Engine
	header   string        // has the tenant, as a key of http.Header; "": none
	callers  map[string]As // by access key
	Findings findings
	watches  sync.Pool
}

// As is what the policy takes an access key for: a caller of the tenant, or another access key, as
// that which a fork is made from.
type As struct{ AccessKey, Tenant string }

// NewGuard returns nil if there is no policy. A nil guard allows everything.
func NewGuard(engine *policy.Engine, callers map[string]As, clock func() time.Time,
	logger *slog.Logger) *Guard {
	if engine == nil {
		return nil
	}
	return &Guard{
		engine:   engine,
		header:   http.CanonicalHeaderKey(engine.TenantHeader()),
		callers:  callers,
		Findings: findings{now: clock, logger: logger},
	}
}

// CheckTenant returns an error if the policy takes nobody for a caller of a tenant.
func (g *Guard) CheckTenant(tenant string) error {
	if g == nil {
		return errors.New("there is no policy")
	}
	return g.engine.CheckTenant(tenant)
}

// ShowsCounts reports whether everybody may learn how many items a table has.
func (g *Guard) ShowsCounts(table string) bool {
	return g.engine.ShowsCounts(request.Caller{}, table)
}

// Callers returns the access keys that the policy lists, sorted; nil if there is no policy.
func (g *Guard) Callers() []string {
	if g == nil {
		return nil
	}
	return g.engine.AccessKeys()
}

// KeepsExpired reports whether the policy keeps the expired items of a table.
func (g *Guard) KeepsExpired(table string) bool {
	return g != nil && g.engine.KeepsExpired(table)
}

// Counts reports whether a count of partition keys is by the policy's entities, or there is no
// policy.
func (g *Guard) Counts(state *policy.State) bool { return g == nil || state.IsOf(g.engine) }

// NewCount counts the partition keys of the items of all tables by the policy's entities.
func (g *Guard) NewCount(tx *storage.Tx) *policy.State {
	state := g.engine.NewState()
	for _, name := range tx.Tables().Names() {
		if !g.engine.Counts(name) {
			continue
		}
		for _, it := range tx.Page(tx.Table(name),
			storage.PageSpec{Range: storage.Range{HiOpen: true}}).Items {
			g.engine.Record(state, name, it)
		}
	}
	return state
}

// Arrived counts an item that replication brought.
func (g *Guard) Arrived(state *policy.State, table string, it item.Item) {
	if g != nil && state.IsOf(g.engine) {
		g.engine.Record(state, table, it)
	}
}

// Watch checks the reads and writes of one call against the policy. Its methods get the reads and
// writes before the call makes them, and return the error if the policy refuses. A nil watch allows
// everything. Checks of writes begin with propose, which returns the next step.
type Watch struct {
	guard      *Guard
	partitions *policy.State
	request    request.Request
	proposal   policy.Commit
	tx         *storage.Tx // the commit that is checked

	noted   []policy.Finding // findings of what succeeds; settle may drop those after settled
	settled int
	refused []policy.Finding
}

// SignedHeader returns the header that tells the tenant, or "". A signature must cover it if the
// request has it.
func (g *Guard) SignedHeader() string {
	if g == nil {
		return ""
	}
	return g.header
}

// Begin begins to watch a call of an operation. partitions counts the keys of what it sees.
// verified says whether its signature is verified. finish ends the watch.
func (g *Guard) Begin(operation, accessKey string, partitions *policy.State, r *http.Request,
	verified bool) *Watch {
	w, _ := g.watches.Get().(*Watch)
	if w == nil {
		w = &Watch{guard: g}
		w.proposal.Lookup = w.before
	}
	// only this process sends unsigned requests
	caller := request.Caller{AccessKey: accessKey, Authenticated: verified || auth.Unsigned(r)}
	as := g.callers[accessKey]
	if as.AccessKey != "" {
		caller.AccessKey = as.AccessKey
	}
	if g.header != "" {
		caller.Header = request.TenantIn(r.Header[g.header])
	}
	caller.Tenant = as.Tenant
	if caller.Header != "" && g.engine.IsPrivileged(as.Tenant) {
		caller.Tenant = caller.Header // as of a privileged access key that the policy lists
	}
	w.request.Operation, w.request.Caller, w.request.Images = operation, caller, true
	w.proposal.Caller = caller
	w.Visit(partitions)
	return w
}

// Visit lets the call see what partitions counts.
func (w *Watch) Visit(partitions *policy.State) {
	if w != nil {
		w.partitions, w.proposal.State = partitions, partitions
	}
}

// Caller returns who sends the request. w may be nil.
func (w *Watch) Caller() request.Caller {
	if w == nil {
		return request.Caller{}
	}
	return w.request.Caller
}

// BeginJob begins to watch the writes of a job as puts of the caller who began it. The partition
// keys of its account are counted. The job loads items in any order: JudgeSet judges what they need
// of each other. g may be nil.
func (g *Guard) BeginJob(partitions *policy.State, caller request.Caller) *Watch {
	if g == nil {
		return nil
	}
	w := &Watch{guard: g}
	w.proposal.Lookup = w.before
	w.request.Operation, w.request.Caller, w.request.Images = "PutItem", caller, true
	w.proposal.Caller, w.proposal.Load = caller, true
	w.Visit(partitions)
	return w
}

// Finish records the findings of a call that ended with err, and resets the watch.
func (w *Watch) Finish(err error) {
	w.Settle(err)
	for i := range w.refused {
		w.guard.Findings.add(&w.refused[i], w.request.Operation)
	}
	for i := range w.noted {
		w.guard.Findings.add(&w.noted[i], w.request.Operation)
	}
	w.reset()
	clear(w.noted)
	clear(w.refused)
	w.noted, w.refused, w.settled = w.noted[:0], w.refused[:0], 0
	w.request.Caller, w.proposal.Caller = request.Caller{}, request.Caller{}
	w.partitions, w.proposal.State = nil, nil
	w.guard.watches.Put(w)
}

// reset clears the reads and writes of earlier checks.
func (w *Watch) reset() {
	clear(w.request.Reads)
	clear(w.request.Writes)
	clear(w.proposal.Writes)
	w.request.Reads, w.request.Writes, w.proposal.Writes =
		w.request.Reads[:0], w.request.Writes[:0], w.proposal.Writes[:0]
	w.request.Transaction, w.proposal.Transaction = false, false
}

// Settle ends a part of the call. If err is nil, the findings noted in it stay; otherwise settle
// drops them.
func (w *Watch) Settle(err error) {
	if w == nil {
		return
	}
	if err != nil {
		w.noted = w.noted[:w.settled]
	}
	w.settled = len(w.noted)
}

// ask checks the reads of a request and returns an error if the policy refuses them.
func (w *Watch) ask() error {
	if f := w.judge(w.guard.engine.CheckRequest(&w.request, w.partitions)); f != nil {
		return refusal(f, "")
	}
	return nil
}

// judge returns the worst finding if its severity is Enforce. Otherwise it notes the findings and
// returns nil.
func (w *Watch) judge(found []policy.Finding) *policy.Finding {
	if len(found) == 0 {
		return nil
	}
	worst := policy.Worst(found)
	if worst.Severity != policy.Enforce {
		w.noted = append(w.noted, found...)
		return nil
	}
	w.refused = append(w.refused, policy.Enforced(found)...)
	return worst
}

// refusal returns the error for a finding. returned is the item that the error of a failed
// condition includes, if any.
func refusal(f *policy.Finding, returned item.JSON) error {
	if f.Conflict {
		return &apierr.Error{
			Type: apierr.ConditionFailed, Message: apierr.ConditionFailedMessage + ": " + f.Error(),
			Item: returned,
		}
	}
	return invalidity(f)
}

// invalidity returns the error for a finding in a request that has no condition to fail.
func invalidity(f *policy.Finding) error {
	return &apierr.Error{Type: apierr.Validation, Message: f.Error(), Policy: true}
}

// cancel adds findings to the reasons of a transaction: for each action without another reason the
// worst one that the policy enforces. It notes the others.
func (w *Watch) cancel(found []policy.Finding, set writes) error {
	for _, conflict := range [...]bool{false, true} {
		for i := range found {
			f := &found[i]
			switch {
			case f.Conflict != conflict:
			case f.Severity != policy.Enforce:
				w.noted = append(w.noted, *f)
			default:
				w.refused = append(w.refused, *f)
				if set.Failed(f.Action) {
					continue
				}
				if err := set.Cancellation().Add(f.Action,
					refusal(f, set.FailedItem(f.Action))); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
