// Package verdict holds requests to a policy as they are on the wire, in JSON, where nothing is known of what is stored: it is
// what SDK middleware and the gateway have in common.
package verdict

import (
	"fmt"

	"github.com/kugiri-db/kugiri/conventions/policy"
)

// Judge holds requests to a policy. It is safe for concurrent use.
type Judge struct {
	Engine *policy.Engine
	State  *policy.State // nil: partition keys are not counted
	Amend  bool          // put the conditions of the rules on versions on writes that have none
	Tell   bool          // refuse nothing: what would be refused is told
}

// Verdict is what a Judge says of a request.
type Verdict struct {
	Findings []policy.Finding // all there are, also those that are not refused
	Refusal  *Refusal         // nil: the request is to be sent
	Body     []byte           // what is to be sent: the request's own unless conditions or a tenant's token were put into it
	Amended  bool

	request *policy.Request
}

// Judge checks a request. What cannot be understood is refused, as nobody knows what a database would do with it. The verdict holds
// parts of body.
func (j *Judge) Judge(operation string, body []byte, caller policy.Caller) *Verdict {
	v := &Verdict{Body: body}
	r, err := policy.FromJSON(operation, body)
	if err != nil {
		if !j.Tell {
			v.Refusal = unreadable(err)
		}
		return v
	}
	r.Caller, r.Amends = caller, j.Amend && !j.Tell
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

// change has another body sent, unless that is nil.
func (v *Verdict) change(body []byte, err error) {
	switch {
	case err != nil:
		v.Refusal = unreadable(err)
	case body != nil:
		v.Body, v.Amended = body, true
	}
}

// Sent counts the partition keys of a request that was carried out.
func (j *Judge) Sent(v *Verdict) {
	if j.State != nil && v.request != nil {
		j.Engine.RecordRequest(j.State, v.request)
	}
}

func unreadable(err error) *Refusal {
	return &Refusal{Type: ValidationException, Message: fmt.Sprintf("The request cannot be held to the conventions: %v", err)}
}
