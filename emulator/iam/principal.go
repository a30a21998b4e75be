package iam

import (
	"errors"
	"fmt"
	"strings"
)

// Principal is who makes a request.
type Principal struct {
	Account string // 12 digits
	User    string // with its path, as in "dev/alice"; "" for others than users
	Role    string // with its path; "" for others than role sessions
	Session string // the name of the session of Role
}

// principalRecord is a principal in the document of a Directory.
type principalRecord struct {
	Account string `json:"account"`
	User    string `json:"user"`
	Role    string `json:"role"`
	Session string `json:"session"`
}

// principal checks a record (IAM User Guide, "IAM and AWS STS quotas", name requirements).
func (r principalRecord) principal() (*Principal, error) {
	switch {
	case !validAccount(r.Account):
		return nil, fmt.Errorf("account %q: an account has 12 digits", r.Account)
	case r.User != "" && r.Role != "":
		return nil, errors.New("a principal is a user or a role session, not both")
	case (r.Role == "") != (r.Session == ""):
		return nil, errors.New("role and session go together")
	case r.User != "" && !validPathAndName(r.User):
		return nil, fmt.Errorf("user %q: want a name of 1 to 64 characters of letters, digits and +=,.@_-", r.User)
	case r.Role != "" && !validPathAndName(r.Role):
		return nil, fmt.Errorf("role %q: want a name of 1 to 64 characters of letters, digits and +=,.@_-", r.Role)
	case r.Session != "" && (len(r.Session) < 2 || !validName(r.Session)):
		return nil, fmt.Errorf("session %q: want a name of 2 to 64 characters of letters, digits and +=,.@_-", r.Session)
	}
	return &Principal{Account: r.Account, User: r.User, Role: r.Role, Session: r.Session}, nil
}

// ARN returns the principal's ARN in a partition such as "aws". That of a role session does not
// have the path of the role.
func (p *Principal) ARN(partition string) string {
	switch {
	case p.User != "":
		return "arn:" + partition + ":iam::" + p.Account + ":user/" + p.User
	case p.Role != "":
		return "arn:" + partition + ":sts::" + p.Account + ":assumed-role/" + lastPart(p.Role) + "/" + p.Session
	}
	return "arn:" + partition + ":iam::" + p.Account + ":root"
}

// lastPart returns a name without its path.
func lastPart(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

func validAccount(number string) bool {
	return len(number) == 12 && strings.Trim(number, "0123456789") == ""
}

// validPathAndName reports whether a text is a name, with or without a path before it.
func validPathAndName(text string) bool {
	return len(text) <= 512 && !strings.HasPrefix(text, "/") && !strings.Contains(text, "//") && validName(lastPart(text))
}

func validName(name string) bool {
	if len(name) == 0 || len(name) > 64 {
		return false
	}
	for i := range len(name) {
		switch b := name[i]; {
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', '0' <= b && b <= '9', strings.IndexByte("+=,.@_-", b) >= 0:
		default:
			return false
		}
	}
	return true
}
