package emulator

import (
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/auth"
	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// policyGuard applies a service's policy to its requests.
type policyGuard struct {
	engine   *policy.Engine
	header   string            // has the tenant, as a key of http.Header; "": none
	made     map[string]string // a fork's access key to that of its original: see ForkAs
	findings findings
	watches  sync.Pool
}

// newGuard returns nil if there is no policy. A nil guard allows everything.
func newGuard(engine *policy.Engine, made map[string]string, clock func() time.Time, logger *slog.Logger) *policyGuard {
	if engine == nil {
		return nil
	}
	return &policyGuard{
		engine:   engine,
		header:   http.CanonicalHeaderKey(engine.TenantHeader()),
		made:     made,
		findings: findings{now: clock, logger: logger},
	}
}

// keepsExpired reports whether the policy keeps the expired items of a table.
func (g *policyGuard) keepsExpired(table string) bool {
	return g != nil && g.engine.KeepsExpired(table)
}

// counts reports whether a count of partition keys is by the policy's entities, or there is no policy.
func (g *policyGuard) counts(state *policy.State) bool { return g == nil || state.IsOf(g.engine) }

// newCount counts the partition keys of the items of all tables by the policy's entities.
func (g *policyGuard) newCount(tx *storage.Tx) *policy.State {
	state := g.engine.NewState()
	for _, name := range tx.TableNames() {
		if !g.engine.Counts(name) {
			continue
		}
		for _, it := range tx.Page(tx.Table(name), storage.PageSpec{Range: storage.Range{HiOpen: true}}).Items {
			g.engine.Record(state, name, it)
		}
	}
	return state
}

// arrived counts an item that replication brought.
func (g *policyGuard) arrived(state *policy.State, table string, it item.Item) {
	if g != nil && state.IsOf(g.engine) {
		g.engine.Record(state, table, it)
	}
}

// watch checks the reads and writes of one call against the policy. Its methods get the reads and
// writes before the call makes them, and return the error if the policy refuses. A nil watch allows
// everything. Checks of writes begin with propose, which returns the next step.
type watch struct {
	guard      *policyGuard
	partitions *policy.State
	request    request.Request
	proposal   policy.Commit
	tx         *storage.Tx // the commit that is checked

	noted   []policy.Finding // findings of what succeeds; settle may drop those after settled
	settled int
	refused []policy.Finding
}

// signedHeader returns the header that tells the tenant, or "". A signature must cover it if the
// request has it.
func (g *policyGuard) signedHeader() string {
	if g == nil {
		return ""
	}
	return g.header
}

// begin begins to watch a call of an operation. partitions counts the keys of what it sees. verified
// says whether its signature is verified. finish ends the watch.
func (g *policyGuard) begin(operation, accessKey string, partitions *policy.State, r *http.Request, verified bool) *watch {
	w, _ := g.watches.Get().(*watch)
	if w == nil {
		w = &watch{guard: g}
		w.proposal.Lookup = w.before
	}
	caller := request.Caller{AccessKey: accessKey, Authenticated: verified || auth.Unsigned(r)} // only this process sends unsigned requests
	if from := g.made[accessKey]; from != "" {
		caller.AccessKey = from
	}
	if g.header != "" {
		caller.Header = httpd.First(r.Header[g.header])
	}
	w.request.Operation, w.request.Caller, w.request.Images = operation, caller, true
	w.proposal.Caller = caller
	w.visit(partitions)
	return w
}

// visit lets the call see what partitions counts.
func (w *watch) visit(partitions *policy.State) {
	if w != nil {
		w.partitions, w.proposal.State = partitions, partitions
	}
}

// caller returns who sends the request. w may be nil.
func (w *watch) caller() request.Caller {
	if w == nil {
		return request.Caller{}
	}
	return w.request.Caller
}

// beginJob begins to watch the writes of a job as puts of the caller who began it. The partition
// keys of its account are counted. g may be nil.
func (g *policyGuard) beginJob(partitions *policy.State, caller request.Caller) *watch {
	if g == nil {
		return nil
	}
	w := &watch{guard: g}
	w.proposal.Lookup = w.before
	w.request.Operation, w.request.Caller, w.request.Images = "PutItem", caller, true
	w.proposal.Caller = caller
	w.visit(partitions)
	return w
}

// finish records the findings of a call that ended with err, and resets the watch.
func (w *watch) finish(err error) {
	w.settle(err)
	for i := range w.refused {
		w.guard.findings.add(&w.refused[i], w.request.Operation)
	}
	for i := range w.noted {
		w.guard.findings.add(&w.noted[i], w.request.Operation)
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
func (w *watch) reset() {
	clear(w.request.Reads)
	clear(w.request.Writes)
	clear(w.proposal.Writes)
	w.request.Reads, w.request.Writes, w.proposal.Writes = w.request.Reads[:0], w.request.Writes[:0], w.proposal.Writes[:0]
	w.request.Transaction, w.proposal.Transaction = false, false
}

// settle ends a part of the call. If err is nil, the findings noted in it stay; otherwise settle
// drops them.
func (w *watch) settle(err error) {
	if w == nil {
		return
	}
	if err != nil {
		w.noted = w.noted[:w.settled]
	}
	w.settled = len(w.noted)
}

// ask checks the reads of a request and returns an error if the policy refuses them.
func (w *watch) ask() error {
	if f := w.judge(w.guard.engine.CheckRequest(&w.request, w.partitions)); f != nil {
		return refusal(f, "")
	}
	return nil
}

// judge returns the worst finding if its severity is Enforce. Otherwise it notes the findings and
// returns nil.
func (w *watch) judge(found []policy.Finding) *policy.Finding {
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
		return &apierr.Error{Type: apierr.ConditionFailed, Message: apierr.ConditionFailedMessage + ": " + f.Error(), Item: returned}
	}
	return invalidity(f)
}

// invalidity returns the error for a finding in a request that has no condition to fail.
func invalidity(f *policy.Finding) error {
	return &apierr.Error{Type: apierr.Validation, Message: f.Error(), Policy: true}
}

// cancel adds findings to the reasons of a transaction: for each action without another reason the
// worst one that the policy enforces. It notes the others.
func (w *watch) cancel(found []policy.Finding, set writes) error {
	for _, conflict := range [...]bool{false, true} {
		for i := range found {
			f := &found[i]
			switch {
			case f.Conflict != conflict:
			case f.Severity != policy.Enforce:
				w.noted = append(w.noted, *f)
			default:
				w.refused = append(w.refused, *f)
				if set.failed(f.Action) {
					continue
				}
				if err := set.cancellation().Add(f.Action, refusal(f, set.failedItem(f.Action))); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
