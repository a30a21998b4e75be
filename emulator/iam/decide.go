package iam

import "strings"

// Request asks whether a principal may do something with a resource.
type Request struct {
	Principal *Principal
	Partition string  // "aws"
	Action    string  // "dynamodb:GetItem"
	Resource  string  // ARN, or "*"
	Owner     string  // account of the resource
	Attached  *Policy // resource-based policy, or nil
	// Context returns the values of a context key in lower case, besides the principal's. It may be
	// nil.
	Context func(key string) []string
}

// Kind is the kind of a policy.
type Kind string

// The kinds of policies.
const (
	Identity Kind = "identity-based policy"
	Resource Kind = "resource-based policy"
	Boundary Kind = "permissions boundary"
	Session  Kind = "session policy"
)

// Decision is the answer to a Request.
type Decision struct {
	Allowed   bool
	Kind      Kind   // the kind of the policy that decided; "" if a root user needed none
	Explicit  bool   // a statement decided, not the lack of one
	Policy    string // name of that policy
	Statement int    // number of that statement in the policy, from 0
	Sid       string // the Sid of that statement
}

// Reason says why a request is denied, as the service words it (IAM User Guide, "Troubleshoot
// access denied error messages").
func (d Decision) Reason(action string) string {
	if !d.Explicit {
		return "because no " + string(d.Kind) + " allows the " + action + " action"
	}
	article := "a "
	if d.Kind == Identity {
		article = "an "
	}
	return "with an explicit deny in " + article + string(d.Kind)
}

// layer is the policies of one kind that apply to a principal.
type layer struct {
	kind     Kind
	policies []*Policy
}

// Decide evaluates the policies (IAM User Guide, "Policy evaluation logic"):
//
//  1. An explicit deny in any policy denies.
//  2. In another account than the principal's, both the resource-based policy and the policies of
//     the principal must allow.
//  3. In the principal's account a resource-based policy that names the user or the session allows.
//     One that names the role counts as an identity-based policy of the role. One that names the
//     account gives nobody but its root user anything.
//  4. Otherwise an identity-based policy must allow. The root user needs none.
//  5. The permissions boundary and the session policies, if there are any, must allow as well.
func Decide(r *Request) Decision {
	layers := r.Principal.layers()
	if d := r.denied(append(layers, layer{Resource, attached(r.Attached)})); d.Explicit {
		return d
	}
	given, byResource := r.granted()
	abroad := r.Owner != r.Principal.Account
	if given == directGrant && !abroad {
		return byResource
	}
	d := Decision{Allowed: true}
	for _, l := range layers {
		of := r.allowed(l)
		if l.kind == Identity && given == roleGrant && !abroad && !of.Allowed {
			of = byResource
		}
		if !of.Allowed {
			return of
		}
		if l.kind == Identity {
			d = of
		}
	}
	if abroad && given == noGrant {
		return Decision{Kind: Resource}
	}
	return d
}

func attached(p *Policy) []*Policy {
	if p == nil {
		return nil
	}
	return []*Policy{p}
}

// denied returns the decision of the first statement that denies.
func (r *Request) denied(layers []layer) Decision {
	for _, l := range layers {
		for _, p := range l.policies {
			for i := range p.statements {
				if s := &p.statements[i]; !s.allow && s.applies(r, p.variables) {
					return decisionOf(l.kind, p, i)
				}
			}
		}
	}
	return Decision{}
}

// allowed returns the decision of the policies of one kind, without explicit denies.
func (r *Request) allowed(l layer) Decision {
	for _, p := range l.policies {
		for i := range p.statements {
			if s := &p.statements[i]; s.allow && s.applies(r, p.variables) {
				return decisionOf(l.kind, p, i)
			}
		}
	}
	return Decision{Kind: l.kind}
}

// granted returns the largest grant of the resource-based policy.
func (r *Request) granted() (most grant, d Decision) {
	if r.Attached == nil {
		return noGrant, d
	}
	for i := range r.Attached.statements {
		s := &r.Attached.statements[i]
		if g := s.grantTo(r); s.allow && g > most && s.applies(r, r.Attached.variables) {
			most, d = g, decisionOf(Resource, r.Attached, i)
		}
	}
	return most, d
}

func decisionOf(k Kind, p *Policy, statement int) Decision {
	s := &p.statements[statement]
	return Decision{
		Allowed: s.allow, Kind: k, Explicit: true, Policy: p.Name, Statement: statement, Sid: s.sid,
	}
}

// applies reports whether a statement is about a request.
func (s *statement) applies(r *Request, variables bool) bool {
	if s.principals != nil && s.grantTo(r) == noGrant {
		return false
	}
	if s.namesAction(r.Action) == s.notActions || s.namesResource(r, variables) == s.notResources {
		return false
	}
	for i := range s.conditions {
		if !s.conditions[i].holds(r, variables) {
			return false
		}
	}
	return true
}

// grantTo returns what a statement of a resource-based policy gives to the principal if it applies.
func (s *statement) grantTo(r *Request) (most grant) {
	if s.notPrincipals {
		if exempts(s.principals, r.Principal, r.Partition) {
			return noGrant
		}
		return directGrant
	}
	for _, p := range s.principals {
		most = max(most, p.grantTo(r.Principal, r.Partition))
	}
	return most
}

func (s *statement) namesAction(action string) bool {
	action = strings.ToLower(action)
	for _, a := range s.actions {
		if a.matches(action) {
			return true
		}
	}
	return false
}

// namesResource reports whether a statement names the resource. A resource with a variable that has
// no value names none.
func (s *statement) namesResource(r *Request, variables bool) bool {
	for _, resource := range s.resources {
		pattern, ok := r.expand(newGlob(resource).text, variables, literal)
		if ok && (glob{pattern}).matchesARN(r.Resource) {
			return true
		}
	}
	return false
}

// lookup returns the values of a context key in lower case.
func (r *Request) lookup(key string) []string {
	if values := r.Principal.lookup(key, r.Partition); values != nil {
		return values
	}
	if r.Context == nil {
		return nil
	}
	return r.Context(key)
}
