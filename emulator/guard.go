package emulator

import (
	"net/http"
	"sync"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/auth"
	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// WithPolicy holds all requests for items to the conventions that engine checks.
// What breaks a rule of the severity policy.Enforce is refused, and changes nothing:
//
//   - with ValidationException, whose message has the rule's id and what to do instead; a write whose version does not
//     follow the stored one has lost a race, and gets ConditionalCheckFailedException, but in a BatchWriteItem, which
//     never answers that;
//   - as a reason for the cancellation of a transaction, ValidationError or ConditionalCheckFailed, of each action that
//     breaks a rule;
//   - as the error of its statement in BatchExecuteStatement. Other batches are refused as a whole.
//
// What breaks one of policy.Warn happens. Findings tells of both.
//
// What the service itself refuses because of the request alone is refused as ever, by its own
// errors; the rules come next, before conditions are looked at and before anything is read or
// written. Rules on what items become are checked at the commit, with all writes that it has; a
// failed condition goes before those. Expired items that the policy keeps for good stay. What is in
// tables already is not looked at.
//
// A stream shows a tenant the records of its own items and of shared ones; the others are passed
// over. ListTables and ListStreams list what the caller may use. Operations on tables are for
// privileged callers.
//
// A caller's tenant comes from its access key or a header, as the policy says. Callers with
// different access keys have different tables unless there is WithSharedData, without which such a
// policy is of little use.
//
// Bounds on how many partition keys an entity has count those of the items that are stored when the
// service first sees an access key and region, and of those written since; forks and snapshots take
// the count along.
func WithPolicy(engine *policy.Engine) Option { return func(s *settings) { s.policy = engine } }

// policyGuard is a service's policy at work.
type policyGuard struct {
	engine   *policy.Engine
	header   string            // that tells the tenant, as a key of http.Header; "": none
	made     map[string]string // access keys by those of forks that were made of theirs: see ForkAs
	findings findings
	watches  sync.Pool
}

// newGuard returns nil, which guards nothing, without a policy.
func newGuard(s *settings) *policyGuard {
	if s.policy == nil {
		return nil
	}
	return &policyGuard{
		engine:   s.policy,
		header:   http.CanonicalHeaderKey(s.policy.TenantHeader()),
		made:     s.made,
		findings: findings{now: s.clock, logger: s.logger},
	}
}

// keepsExpired reports whether items of a table stay although they have expired.
func (g *policyGuard) keepsExpired(table string) bool {
	return g != nil && g.engine.KeepsExpired(table)
}

// count has a namespace count its partition keys by the policy's entities, beginning with what is
// stored already: in a journal, as initial data, or by a fork's original that had another policy.
// Nothing else looks at a meanwhile.
func (g *policyGuard) count(a *accountData) {
	if g == nil || a.partitionCount().IsOf(g.engine) {
		return
	}
	counts := a.partitionCount()
	counts.State = g.engine.NewState()
	a.store.View(func(tx *storage.Tx) error { // which cannot fail
		for _, name := range tx.TableNames() {
			if !g.engine.Counts(name) {
				continue
			}
			for _, it := range tx.Page(tx.Table(name), storage.PageSpec{Range: storage.Range{HiOpen: true}}).Items {
				g.engine.Record(counts.State, name, it)
			}
		}
		return nil
	})
}

// counted returns initial data, which may be nil, with its partition keys counted. Others may share
// a, which is not changed.
func (g *policyGuard) counted(a *accountData) *accountData {
	if g == nil || a == nil {
		return a
	}
	own := &accountData{store: a.store, states: a.states}
	own.states[partitionCountState] = &partitionCount{a.partitionCount().State}
	g.count(own)
	return own
}

// watch looks over one call's shoulder. Its methods are given what the call reads
// and writes before that happens, and return the error of what is refused. A nil
// watch lets everything pass. Writes begin with propose; what it returns has the next step.
type watch struct {
	guard      *policyGuard
	partitions *policy.State
	request    policy.Request
	proposal   policy.Commit
	tx         *storage.Tx // of the commit that is looked at

	noted   []policy.Finding // in what happens; those after settled may yet not
	settled int
	refused []policy.Finding
}

// signedHeader is the header that has to be signed if a request has it, because it tells the
// tenant; "" if there is none.
func (g *policyGuard) signedHeader() string {
	if g == nil {
		return ""
	}
	return g.header
}

// watch begins to watch a call, whose signature is verified or not. finish ends it.
func (g *policyGuard) watch(c *call, ns *namespace, r *http.Request, verified bool) *watch {
	w, _ := g.watches.Get().(*watch)
	if w == nil {
		w = &watch{guard: g}
		w.proposal.Lookup = w.before
	}
	caller := policy.Caller{AccessKey: ns.accessKey, Authenticated: verified || auth.Unsigned(r)} // as only those of this process are
	if from := g.made[ns.accessKey]; from != "" {
		caller.AccessKey = from
	}
	if g.header != "" {
		caller.Header = httpd.First(r.Header[g.header])
	}
	w.partitions = ns.partitionCount().State
	w.request.Operation, w.request.Caller, w.request.Images = c.operation.Name, caller, true
	w.proposal.Caller, w.proposal.State = caller, ns.partitionCount().State
	return w
}

// finish notes what was found in a call that ended with err, and forgets the call.
func (w *watch) finish(err error) {
	w.settle(err)
	for i := range w.refused {
		w.guard.findings.add(&w.refused[i], w.request.Operation)
	}
	for i := range w.noted {
		w.guard.findings.add(&w.noted[i], w.request.Operation)
	}
	w.begin()
	clear(w.noted)
	clear(w.refused)
	w.noted, w.refused, w.settled = w.noted[:0], w.refused[:0], 0
	w.request.Caller, w.proposal.Caller = policy.Caller{}, policy.Caller{}
	w.partitions, w.proposal.State = nil, nil
	w.guard.watches.Put(w)
}

// begin forgets what was asked for before.
func (w *watch) begin() {
	clear(w.request.Reads)
	clear(w.request.Writes)
	clear(w.proposal.Writes)
	w.request.Reads, w.request.Writes, w.proposal.Writes = w.request.Reads[:0], w.request.Writes[:0], w.proposal.Writes[:0]
	w.request.Transaction, w.proposal.Transaction = false, false
}

// settle says that a part of the call has ended with err: without one, what was noted in it has
// happened.
func (w *watch) settle(err error) {
	if w == nil {
		return
	}
	if err != nil {
		w.noted = w.noted[:w.settled]
	}
	w.settled = len(w.noted)
}

// ask returns the error of a request that reads, as far as it says what is wrong with it.
func (w *watch) ask() error {
	if f := w.judge(w.guard.engine.CheckRequest(&w.request, w.partitions)); f != nil {
		return refusal(f, "")
	}
	return nil
}

// judge returns the worst finding if that is to be refused, and else notes them.
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

// refusal is the error of what is refused. returned is the item that a failed condition is to
// answer with, if any.
func refusal(f *policy.Finding, returned item.JSON) error {
	if f.Conflict {
		return &apierr.Error{Type: apierr.ConditionFailed, Message: conditionFailed + ": " + f.Error(), Item: returned}
	}
	return invalidity(f)
}

// invalidity is the error of a request that can be wrong, but not fail a condition.
func invalidity(f *policy.Finding) error {
	return &apierr.Error{Type: apierr.Validation, Message: f.Error(), Policy: true}
}

// cancel adds the findings that are refused to the reasons of a transaction, the
// worst of each action that has no other reason, and notes the others.
func (w *watch) cancel(found []policy.Finding, set *writeSet) error {
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
				if err := set.reasons.Add(f.Action, refusal(f, set.writes[f.Action].failedItem())); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
