package isolation

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/emulator"
)

// Caller is the kind of an actor.
type Caller string

// The kinds of actors.
const (
	AsTenant      Caller = "a tenant"
	AsForger      Caller = "a tenant with another's header"
	AsNobody      Caller = "nobody"
	WithoutHeader Caller = "without a header"
)

// Proof holds what Prove found.
type Proof struct {
	Tables     int         `json:"tables"`
	Alike      int         `json:"alike"` // further tables, each declared as one of these
	Items      int         `json:"items"`
	Requests   int         `json:"requests"`
	Callers    []Caller    `json:"callers"`
	Operations []Operation `json:"operations"` // sorted by name
	Leaks      []Leak      `json:"leaks"`      // never nil
}

// Operation is a line of a proof.
type Operation struct {
	Name   string         `json:"operation"`
	Tried  map[Caller]int `json:"tried"`
	Passed map[Caller]int `json:"passed"` // requests that got through

	// requests of the tenant for its own items, and those that were answered: if none is, the
	// policy keeps everybody out
	OwnTried  int `json:"ownTried"`
	OwnPassed int `json:"ownPassed"`
}

// Leak is a request that got through.
type Leak struct {
	Caller    Caller `json:"caller"`
	Operation string `json:"operation"`
	Request   string `json:"request"`
	What      string `json:"what"`
}

func (l *Leak) Error() string {
	return fmt.Sprintf("as %s, %s %s: %s", l.Caller, l.Operation, l.Request, l.What)
}

// Holds reports whether nothing got through.
func (p *Proof) Holds() bool { return len(p.Leaks) == 0 }

// Options say how much Prove plays. The zero Options play all.
type Options struct {
	// Brief leaves out the tenant's requests for its own items and those with another's header.
	// Nobody, and a caller without a header, ask for one key of each table and index. Of a key that
	// is not as the policy declares it only its item, its partition and one write are played. The
	// operations on tables and streams are played on one table.
	Brief bool
}

// Prove plays the operations of the catalog under a policy. An error is one of the policy itself.
func Prove(p policy.Policy, o Options) (*Proof, error) {
	if err := policy.Possible(p); err != nil {
		return nil, err
	}
	engine, err := policy.Compile(onTenantsOnly(p))
	if err != nil {
		return nil, err
	}
	all, b := actors(&p.Tenants)
	if o.Brief {
		all = slices.DeleteFunc(all, func(a actor) bool { return a.caller == AsForger })
	}
	w, err := newWorld(&p, all[0].tenant, b)
	if err != nil {
		return nil, err
	}
	r := &prover{Options: o, world: w, engine: engine, proof: &Proof{Leaks: []Leak{}},
		lines: map[string]*Operation{}}
	for _, a := range all {
		r.proof.Callers = append(r.proof.Callers, a.caller)
	}
	if err := r.run(all); err != nil {
		return nil, err
	}
	return r.finish(), nil
}

// onTenantsOnly is a policy without all other rules.
func onTenantsOnly(p policy.Policy) policy.Policy {
	others := func(id string, _ policy.Severity) bool { return !isOnTenants(id) }
	p.Severities, p.Tables = maps.Clone(p.Severities), slices.Clone(p.Tables)
	if p.Severities == nil {
		p.Severities = map[string]policy.Severity{}
	}
	for _, rule := range policy.Rules() {
		if !isOnTenants(rule.ID) {
			p.Severities[rule.ID] = policy.Off
		}
	}
	for i := range p.Tables {
		p.Tables[i].Severities = maps.Clone(p.Tables[i].Severities)
		maps.DeleteFunc(p.Tables[i].Severities, others)
	}
	return p
}

// isOnTenants reports whether a rule keeps tenants apart.
func isOnTenants(id string) bool { return strings.HasPrefix(id, "tenant-") }

// prover runs a proof.
type prover struct {
	Options
	world  *world
	engine *policy.Engine
	proof  *Proof
	lines  map[string]*Operation

	guarded, censored *emulator.Emulator
}

// restore makes the emulators as they were.
func (r *prover) restore() {
	r.guarded = r.world.pristine.Fork(emulator.WithPolicy(r.engine))
	r.censored = r.world.without.Fork(emulator.WithPolicy(r.engine))
}

func (r *prover) run(all []actor) error {
	r.restore()
	seen := map[*place]bool{}
	for i := range r.world.targets {
		t := &r.world.targets[i]
		by := all
		if r.Brief && seen[t.place] {
			by = slices.DeleteFunc(slices.Clone(all), func(a actor) bool { return a.tenant == "" })
		}
		seen[t.place] = true
		if r.Brief && t.owner == r.world.a {
			continue
		}
		requests := plays(t, r.own(t))
		if t.odd {
			by = by[:1] // others are kept from all keys alike
			if r.Brief {
				requests = few(requests)
			}
		}
		if err := r.ask(by, t, requests); err != nil {
			return err
		}
	}
	controlled := false
	for _, at := range r.world.places {
		if !at.isOpen {
			if err := r.ask(all, &target{place: at, owner: r.world.b}, scans(at)); err != nil {
				return err
			}
		}
		if at.index == "" && !at.isOpen && !(r.Brief && controlled) {
			controlled = true
			if err := r.control(all, at); err != nil {
				return err
			}
		}
	}
	return nil
}

// own returns a target of A in the table of another target, or nil.
func (r *prover) own(of *target) *target {
	table := cmp.Or(of.place.shown, of.place)
	for i := range r.world.targets {
		t := &r.world.targets[i]
		if t.place == table && t.owner == r.world.a && t.stored && !t.odd {
			return t
		}
	}
	return nil
}

// ask plays requests for a target, as all for whom it is another's.
func (r *prover) ask(all []actor, t *target, plays []play) error {
	for _, p := range plays {
		body, err := json.Marshal(p.body)
		if err != nil {
			return err
		}
		for i := range all {
			a := &all[i]
			switch {
			case a.tenant == t.owner && t.owner != "":
				if r.Brief || a.caller == AsForger {
					continue
				}
				err = r.askOwn(a, &p, body)
			case t.place.isOpen, a.tenant != "" && t.owner != r.world.b &&
				!(p.writes && t.isShared()):
			default:
				err = r.play(a, &p, body, p.writes || a.tenant == "")
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// askOwn plays a request for what is the caller's.
func (r *prover) askOwn(a *actor, p *play, body []byte) error {
	line := r.line(p.operation)
	out, err := a.call(r.guarded, p.operation, body)
	line.OwnTried++
	r.proof.Requests++
	if out.passed() {
		line.OwnPassed++
		if p.writes {
			r.guarded = r.world.pristine.Fork(emulator.WithPolicy(r.engine))
		}
	}
	return err
}

// play plays a request. refused says that no answer but a refusal is right.
func (r *prover) play(a *actor, p *play, body []byte, refused bool) error {
	operation := p.operation
	line := r.line(operation)
	line.Tried[a.caller]++
	r.proof.Requests++
	out, err := a.call(r.guarded, operation, body)
	if err != nil {
		return err
	}
	other := out
	if a.tenant != "" {
		if other, err = a.call(r.censored, operation, body); err != nil {
			return err
		}
	}
	what := ""
	switch { // iterators of streams differ from call to call
	case refused && out.passed():
		what = "it is carried out"
	case out.status == http.StatusOK && strings.Contains(out.body, r.world.mark()):
		what = "the answer has items of another tenant"
	case out.status == http.StatusOK && strings.HasPrefix(operation, "List") &&
		strings.Contains(out.body, undeclaredTable):
		what = "the answer names a table that the policy does not declare"
	case out != other && operation != "GetRecords" && operation != "GetShardIterator":
		what = "the answer tells what is another tenant's: where that is not, it is another one"
	case a.tenant == "" && out.status == http.StatusOK && r.world.names(out.body):
		what = "the answer tells what is the tenants'"
	}
	if what != "" {
		line.Passed[a.caller]++
		r.proof.Leaks = append(r.proof.Leaks, Leak{a.caller, operation, string(body), what})
	}
	if p.writes && (out.passed() || other.passed()) {
		r.restore()
	}
	return nil
}

// control plays the operations on a table and its stream.
func (r *prover) control(all []actor, at *place) error {
	arn, iterators, err := r.stream(at)
	if err != nil {
		return err
	}
	plays := onTable(at.table, arn)
	for _, it := range iterators {
		plays = append(plays, it...)
	}
	for _, p := range plays {
		body, err := json.Marshal(p.body)
		if err != nil {
			return err
		}
		o, _ := catalog.Named(p.operation)
		for i := range all {
			// an account's endpoints and limits are nobody's secret
			refused := o.Subject == catalog.Control && o.Service == catalog.DynamoDB
			if err := r.play(&all[i], &p, body, refused); err != nil {
				return err
			}
		}
	}
	return nil
}

// stream returns the ARN of a table's stream, and requests for each of its shards.
func (r *prover) stream(at *place) (arn string, plays [][]play, err error) {
	past := actor{accessKey: author}
	ask := func(operation string, in object, out any) error {
		body, err := json.Marshal(in)
		if err != nil {
			return err
		}
		answer, err := past.call(r.world.pristine, operation, body)
		if err != nil {
			return err
		}
		return json.Unmarshal([]byte(answer.body), out)
	}
	var listed struct{ Streams []struct{ StreamArn string } }
	if err := ask("ListStreams", object{"TableName": at.table}, &listed); err != nil ||
		len(listed.Streams) == 0 {
		return "", nil, err
	}
	arn = listed.Streams[0].StreamArn
	var described struct {
		StreamDescription struct{ Shards []struct{ ShardId string } }
	}
	if err := ask("DescribeStream", object{"StreamArn": arn}, &described); err != nil {
		return "", nil, err
	}
	for _, shard := range described.StreamDescription.Shards {
		in := object{"StreamArn": arn, "ShardId": shard.ShardId,
			"ShardIteratorType": "TRIM_HORIZON"}
		var it object
		if err := ask("GetShardIterator", in, &it); err != nil {
			return "", nil, err
		}
		plays = append(plays, []play{{operation: "GetShardIterator", body: in},
			{operation: "GetRecords", body: it}})
	}
	return arn, plays, nil
}

func (r *prover) line(operation string) *Operation {
	l := r.lines[operation]
	if l == nil {
		l = &Operation{Name: operation, Tried: map[Caller]int{}, Passed: map[Caller]int{}}
		r.lines[operation] = l
	}
	return l
}

func (r *prover) finish() *Proof {
	r.proof.Alike = r.world.alike
	for _, name := range slices.Sorted(maps.Keys(r.lines)) {
		r.proof.Operations = append(r.proof.Operations, *r.lines[name])
	}
	for _, at := range r.world.places {
		if at.index == "" {
			r.proof.Tables++
		}
	}
	for i := range r.world.targets {
		if r.world.targets[i].stored {
			r.proof.Items++
		}
	}
	return r.proof
}
