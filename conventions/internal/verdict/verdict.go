// Package verdict checks requests in their JSON form against a policy, without access to stored
// items. Package guard and the gateway share it.
package verdict

import (
	"fmt"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
)

// Judge checks requests against a policy. It is safe for concurrent use.
type Judge struct {
	Engine *policy.Engine
	State  *policy.State // nil: partition keys are not counted
	// put the conditions of the rules on versions and latest items on requests that lack them
	Amend bool
	Tell  bool // refuse and change nothing: what would be refused is told
}

// Verdict is the result of checking a request.
type Verdict struct {
	Findings []policy.Finding // all findings, including those that do not refuse the request
	Refusal  *Refusal         // nil: the request may be sent
	// the body to send: the original one unless conditions or a tenant's token were added
	Body    []byte
	Amended bool

	request *request.Request
}

// Judge checks a request. It refuses a request that it does not understand, because it cannot tell
// what a database would do with it. The verdict may share memory with body.
func (j *Judge) Judge(operation string, body []byte, caller request.Caller) *Verdict {
	v := &Verdict{Body: body}
	r, err := request.FromJSON(operation, body)
	if err != nil {
		if !j.Tell {
			v.Refusal = unreadable(err)
		}
		return v
	}
	r.Caller, r.Amends = caller, j.Amend
	v.request = r
	v.Findings = j.Engine.CheckRequest(r, j.State)
	if j.Tell {
		return v
	}
	if v.Refusal = refuse(r, v.Findings); v.Refusal != nil {
		return v
	}
	if r.Amends {
		v.change(amend(j.Engine, r, body))
	}
	if v.Refusal == nil {
		v.change(ownToken(operation, j.Engine.Tenant(caller), v.Body))
	}
	return v
}

// change replaces the body to send, unless body is nil.
func (v *Verdict) change(body []byte, err error) {
	switch {
	case err != nil:
		v.Refusal = unreadable(err)
	case body != nil:
		v.Body, v.Amended = body, true
	}
}

// Sent counts the partition keys of a request that the database carried out.
func (j *Judge) Sent(v *Verdict) {
	if j.State != nil && v.request != nil {
		j.Engine.RecordRequest(j.State, v.request)
	}
}

func unreadable(err error) *Refusal {
	return &Refusal{
		Type:    ValidationException,
		Message: fmt.Sprintf("The request cannot be held to the conventions: %v", err),
	}
}
