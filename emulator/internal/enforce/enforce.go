package enforce

import (
	"cmp"
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

// Policy applies the policy of a service to its requests.
type Policy struct {
	engine   *policy.Engine
	header   string        // the tenant's header, as a key of http.Header; "": none
	callers  map[string]As // callers by access key
	Findings findings
	calls    sync.Pool
}

// As says as whom the policy sees an access key: as a caller of a tenant, or as another access key,
// such as the one that a fork was made from.
type As struct{ AccessKey, Tenant string }

// New returns nil if there is no policy. A nil Policy allows everything.
func New(engine *policy.Engine, callers map[string]As, clock func() time.Time,
	logger *slog.Logger) *Policy {
	if engine == nil {
		return nil
	}
	return &Policy{
		engine:   engine,
		header:   http.CanonicalHeaderKey(engine.TenantHeader()),
		callers:  callers,
		Findings: findings{now: clock, logger: logger},
	}
}

// CheckTenant returns an error if the policy takes nobody for a caller of a tenant.
func (p *Policy) CheckTenant(tenant string) error {
	if p == nil {
		return errors.New("there is no policy")
	}
	return p.engine.CheckTenant(tenant)
}

// ShowsCounts reports whether everybody may learn how many items a table has.
func (p *Policy) ShowsCounts(table string) bool {
	return p.engine.ShowsCounts(request.Caller{}, table)
}

// Callers returns the access keys that the policy lists, sorted; nil if there is no policy.
func (p *Policy) Callers() []string {
	if p == nil {
		return nil
	}
	return p.engine.AccessKeys()
}

// KeepsExpired reports whether the policy keeps the expired items of a table.
func (p *Policy) KeepsExpired(table string) bool {
	return p != nil && p.engine.KeepsExpired(table)
}

// Counts reports whether a count of partition keys is by the policy's entities, or there is no
// policy.
func (p *Policy) Counts(state *policy.State) bool { return p == nil || state.IsOf(p.engine) }

// NewCount counts the partition keys of the items of all tables by the policy's entities.
func (p *Policy) NewCount(tx *storage.Tx) *policy.State {
	state := p.engine.NewState()
	for _, name := range tx.Tables().Names() {
		if !p.engine.Counts(name) {
			continue
		}
		for _, it := range tx.Page(tx.Table(name),
			storage.PageSpec{Range: storage.Range{HiOpen: true}}).Items {
			p.engine.Record(state, name, it)
		}
	}
	return state
}

// Arrived counts an item that replication brought.
func (p *Policy) Arrived(state *policy.State, table string, it item.Item) {
	if p != nil && state.IsOf(p.engine) {
		p.engine.Record(state, table, it)
	}
}

// Call checks the reads and writes of one call against the policy. Its methods get the reads and
// writes before the call makes them, and return the error if the policy refuses. A nil Call allows
// everything. Checks of writes begin with Propose, which returns the next step.
type Call struct {
	policy     *Policy
	partitions *policy.State
	request    request.Request
	proposal   policy.Commit
	tx         *storage.Tx // the commit that is checked
	shown      bool        // see HasShown

	noted   []policy.Finding // findings of what succeeds; settle may drop those after settled
	settled int
	refused []policy.Finding
}

// SignedHeader returns the header that tells the tenant, or "". A signature must cover it if the
// request has it.
func (p *Policy) SignedHeader() string {
	if p == nil {
		return ""
	}
	return p.header
}

// Begin begins the checks of a call of an operation. partitions counts the keys of what it sees.
// verified says whether its signature is verified. finish ends them.
func (p *Policy) Begin(operation, accessKey string, partitions *policy.State, r *http.Request,
	verified bool) *Call {
	c, _ := p.calls.Get().(*Call)
	if c == nil {
		c = &Call{policy: p}
		c.proposal.Lookup = c.before
	}
	caller := p.callerOf(accessKey)
	// only this process sends unsigned requests
	caller.Authenticated = verified || auth.Unsigned(r)
	if p.header != "" {
		caller.Header = request.TenantIn(r.Header[p.header])
	}
	if caller.Header != "" && p.engine.IsPrivileged(caller.Tenant) {
		caller.Tenant = caller.Header // privileged access keys of the policy may do so, too
	}
	c.request.Operation, c.request.Caller, c.request.Images = operation, caller, true
	c.proposal.Caller = caller
	c.Visit(partitions)
	return c
}

// callerOf returns whom the policy takes an access key for.
func (p *Policy) callerOf(accessKey string) request.Caller {
	as := p.callers[accessKey]
	return request.Caller{AccessKey: cmp.Or(as.AccessKey, accessKey), Tenant: as.Tenant}
}

// CheckTable returns the error of a caller, of whom no more than the access key is known, whom the
// policy tells nothing of a table. p may be nil.
func (p *Policy) CheckTable(accessKey, table string) error {
	if p == nil {
		return nil
	}
	found := policy.Enforced(p.engine.CheckTable(p.callerOf(accessKey), table))
	if len(found) == 0 {
		return nil
	}
	return refusal(policy.Worst(found), "")
}

// Visit lets the call see what partitions counts.
func (c *Call) Visit(partitions *policy.State) {
	if c != nil {
		c.partitions, c.proposal.State = partitions, partitions
	}
}

// Caller returns who sends the request. c may be nil.
func (c *Call) Caller() request.Caller {
	if c == nil {
		return request.Caller{}
	}
	return c.request.Caller
}

// BeginJob begins the checks of the writes of a job as puts of the caller who began it. The
// partition keys of its account are counted. The job loads items in any order: JudgeSet judges what
// they need of each other. p may be nil.
func (p *Policy) BeginJob(partitions *policy.State, caller request.Caller) *Call {
	if p == nil {
		return nil
	}
	c := &Call{policy: p}
	c.proposal.Lookup = c.before
	c.request.Operation, c.request.Caller, c.request.Images = "PutItem", caller, true
	c.proposal.Caller, c.proposal.Load = caller, true
	c.Visit(partitions)
	return c
}

// Finish records the findings of a call that ended with err, and resets the Call.
func (c *Call) Finish(err error) {
	c.Settle(err)
	for i := range c.refused {
		c.policy.Findings.add(&c.refused[i], c.request.Operation)
	}
	for i := range c.noted {
		c.policy.Findings.add(&c.noted[i], c.request.Operation)
	}
	c.reset()
	clear(c.noted)
	clear(c.refused)
	c.noted, c.refused, c.settled = c.noted[:0], c.refused[:0], 0
	c.request.Caller, c.proposal.Caller = request.Caller{}, request.Caller{}
	c.partitions, c.proposal.State, c.shown = nil, nil, false
	c.policy.calls.Put(c)
}

// reset clears the reads and writes of earlier checks.
func (c *Call) reset() {
	clear(c.request.Reads)
	clear(c.request.Writes)
	clear(c.proposal.Writes)
	c.request.Reads, c.request.Writes, c.proposal.Writes =
		c.request.Reads[:0], c.request.Writes[:0], c.proposal.Writes[:0]
	c.request.Transaction, c.proposal.Transaction = false, false
}

// Settle ends a part of the call. If err is nil, the findings noted in it stay; otherwise settle
// drops them.
func (c *Call) Settle(err error) {
	if c == nil {
		return
	}
	if err != nil {
		c.noted = c.noted[:c.settled]
	}
	c.settled = len(c.noted)
}

// Operate asks for a request for no items, by the table that it is about; "" for none.
func (c *Call) Operate(table string) error {
	if c == nil {
		return nil
	}
	c.reset()
	c.request.Table = table
	return c.ask()
}

// Own returns a token that equals none of another tenant, whose name has no "#".
func (c *Call) Own(token string) string {
	if c == nil {
		return token
	}
	if tenant := c.policy.engine.Tenant(c.request.Caller); tenant != "" {
		return tenant + "#" + token
	}
	return token
}

// ask checks a request and returns an error if the policy refuses them.
func (c *Call) ask() error {
	if f := c.judge(c.policy.engine.CheckRequest(&c.request, c.partitions)); f != nil {
		return refusal(f, "")
	}
	return nil
}

// judge returns the worst finding if its severity is Enforce. Otherwise it notes the findings and
// returns nil.
func (c *Call) judge(found []policy.Finding) *policy.Finding {
	if len(found) == 0 {
		return nil
	}
	worst := policy.Worst(found)
	if worst.Severity != policy.Enforce {
		c.noted = append(c.noted, found...)
		return nil
	}
	c.refused = append(c.refused, policy.Enforced(found)...)
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
func (c *Call) cancel(found []policy.Finding, set writes) error {
	for _, conflict := range [...]bool{false, true} {
		for i := range found {
			f := &found[i]
			switch {
			case f.Conflict != conflict:
			case f.Severity != policy.Enforce:
				c.noted = append(c.noted, *f)
			default:
				c.refused = append(c.refused, *f)
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
