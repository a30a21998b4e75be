package iam

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Principal is who makes a request.
type Principal struct {
	Account string // 12 digits
	User    string // the name with its path, as in "dev/alice"; "" for others than users
	Role    string // the name with its path; "" for others than role sessions
	Session string // the name of the session of Role
	ID      string // the unique ID of the user or the role, "" if it does not matter
	Tags    map[string]string
	// a service of AWS, such as "replication.dynamodb.amazonaws.com", which has nothing else
	Service string

	policies []*Policy // identity-based
	boundary *Policy   // nil: none
	session  []*Policy // the session's policies, nil: none
}

// principalRecord is a principal in the document of a Directory.
type principalRecord struct {
	Account string            `json:"account"`
	User    string            `json:"user"`
	Role    string            `json:"role"`
	Session string            `json:"session"`
	ID      string            `json:"id"`
	Tags    map[string]string `json:"tags"`

	Policies        []policyRecord `json:"policies"`
	Boundary        *policyRecord  `json:"boundary"`
	SessionPolicies []policyRecord `json:"sessionPolicies"`
}

// policyRecord is a policy of a principal: the name of one of the document's policies, or a policy.
type policyRecord struct {
	name   string
	policy json.RawMessage
}

func (r *policyRecord) UnmarshalJSON(text []byte) error {
	if text[0] == '"' {
		return json.Unmarshal(text, &r.name)
	}
	r.policy = bytes.Clone(text)
	return nil
}

// parse returns the policy. named are the document's policies, and name is its name if it has none
// of its own.
func (r *policyRecord) parse(named map[string]*Policy, name string) (*Policy, error) {
	if r.policy == nil {
		if p := named[r.name]; p != nil {
			return p, nil
		}
		return nil, fmt.Errorf("no policy has the name %q", r.name)
	}
	return ParseIdentityPolicy(name, r.policy)
}

// memberError is an error in a member of a principal.
type memberError struct {
	member string
	error
}

// parseAll parses a list of policies of a principal.
func parseAll(records []policyRecord, named map[string]*Policy, kind string) (all []*Policy,
	err error) {
	for i := range records {
		p, err := records[i].parse(named, fmt.Sprintf("%s[%d]", kind, i))
		if err != nil {
			return nil, &memberError{fmt.Sprintf("%s[%d]", kind, i), err}
		}
		all = append(all, p)
	}
	return all, nil
}

// principal checks a record (IAM User Guide, "IAM and AWS STS quotas", name requirements).
func (r *principalRecord) principal(named map[string]*Policy) (*Principal, error) {
	switch {
	case !validAccount(r.Account):
		return nil, fmt.Errorf("account %q: an account has 12 digits", r.Account)
	case r.User != "" && r.Role != "":
		return nil, errors.New("a principal is a user or a role session, not both")
	case (r.Role == "") != (r.Session == ""):
		return nil, errors.New("role and session go together")
	case r.User != "" && !validPathAndName(r.User):
		return nil, fmt.Errorf(
			"user %q: want a name of 1 to 64 characters of letters, digits and +=,.@_-", r.User)
	case r.Role != "" && !validPathAndName(r.Role):
		return nil, fmt.Errorf(
			"role %q: want a name of 1 to 64 characters of letters, digits and +=,.@_-", r.Role)
	case r.Session != "" && (len(r.Session) < 2 || !validName(r.Session)):
		return nil, fmt.Errorf(
			"session %q: want a name of 2 to 64 characters of letters, digits and +=,.@_-",
			r.Session)
	case r.User == "" && r.Role == "" &&
		(r.Policies != nil || r.Boundary != nil || r.SessionPolicies != nil):
		return nil, errors.New("a root user has no policies")
	case r.Role == "" && r.SessionPolicies != nil:
		return nil, errors.New("only a role session has session policies")
	}
	p := &Principal{
		Account: r.Account, User: r.User, Role: r.Role, Session: r.Session, ID: r.ID, Tags: r.Tags,
	}
	return p, r.addPolicies(p, named)
}

// addPolicies parses the policies of a principal.
func (r *principalRecord) addPolicies(p *Principal, named map[string]*Policy) (err error) {
	if p.policies, err = parseAll(r.Policies, named, "policies"); err != nil {
		return err
	}
	if p.session, err = parseAll(r.SessionPolicies, named, "sessionPolicies"); err != nil {
		return err
	}
	if r.Boundary != nil {
		if p.boundary, err = r.Boundary.parse(named, "boundary"); err != nil {
			return &memberError{"boundary", err}
		}
	}
	return nil
}

// layers returns the policies that all must allow what the principal does. A root user and a
// service have none.
func (p *Principal) layers() (all []layer) {
	if p.Root() || p.Service != "" {
		return nil
	}
	all = append(all, layer{Identity, p.policies})
	if p.boundary != nil {
		all = append(all, layer{Boundary, []*Policy{p.boundary}})
	}
	if p.session != nil {
		all = append(all, layer{Session, p.session})
	}
	return all
}

// Root reports whether the principal is the root user of its account.
func (p *Principal) Root() bool { return p.User == "" && p.Role == "" && p.Service == "" }

// ARN returns the principal's ARN in a partition such as "aws". That of a role session does not
// have the path of the role.
func (p *Principal) ARN(partition string) string {
	switch {
	case p.User != "":
		return "arn:" + partition + ":iam::" + p.Account + ":user/" + p.User
	case p.Role != "":
		return "arn:" + partition + ":sts::" + p.Account + ":assumed-role/" + lastPart(
			p.Role) + "/" + p.Session
	}
	return "arn:" + partition + ":iam::" + p.Account + ":root"
}

// sourceARN returns the ARN of the role of a session, and that of any other principal.
func (p *Principal) sourceARN(partition string) string {
	if p.Role == "" {
		return p.ARN(partition)
	}
	return "arn:" + partition + ":iam::" + p.Account + ":role/" + p.Role
}

// lookup returns the value of a context key, in lower case, about the principal (IAM User Guide,
// "AWS global condition context keys", "Properties of the principal").
func (p *Principal) lookup(key, partition string) []string {
	if p.Service != "" {
		return p.lookupService(key)
	}
	switch key {
	case "aws:principalarn":
		return []string{p.sourceARN(partition)}
	case "aws:principalaccount":
		return []string{p.Account}
	case "aws:principaltype":
		return []string{p.kind()}
	case "aws:principalisawsservice":
		return []string{"false"}
	case "aws:username":
		if p.User != "" {
			return []string{lastPart(p.User)}
		}
	case "aws:userid":
		return p.userID()
	}
	if name, ok := strings.CutPrefix(key, "aws:principaltag/"); ok {
		for k, v := range p.Tags {
			if strings.EqualFold(k, name) {
				return []string{v}
			}
		}
	}
	return nil
}

// lookupService returns the value of a context key about a service.
func (p *Principal) lookupService(key string) []string {
	switch key {
	case "aws:principalisawsservice":
		return []string{"true"}
	case "aws:principalservicename", "aws:principalservicenameslist":
		return []string{p.Service}
	}
	return nil
}

func (p *Principal) kind() string {
	switch {
	case p.Root():
		return "Account"
	case p.User != "":
		return "User"
	}
	return "AssumedRole"
}

// userID returns aws:userid (IAM User Guide, "IAM policy elements: Variables and tags", "Principal
// key values").
func (p *Principal) userID() []string {
	switch {
	case p.Root():
		return []string{p.Account}
	case p.ID == "":
		return nil
	case p.User != "":
		return []string{p.ID}
	}
	return []string{p.ID + ":" + p.Session}
}

// lastPart returns a name without its path.
func lastPart(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

func validAccount(number string) bool {
	return len(number) == 12 && strings.Trim(number, "0123456789") == ""
}

// validPathAndName reports whether a text is a name, with or without a path before it.
func validPathAndName(text string) bool {
	return len(text) <= 512 && !strings.HasPrefix(text, "/") && !strings.Contains(text, "//") &&
		validName(lastPart(text))
}

func validName(name string) bool {
	if len(name) == 0 || len(name) > 64 {
		return false
	}
	for i := range len(name) {
		switch b := name[i]; {
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', '0' <= b &&
			b <= '9', strings.IndexByte("+=,.@_-", b) >= 0:
		default:
			return false
		}
	}
	return true
}
