package emulator

import (
	"net/http"
	"strings"

	"github.com/kugiri-db/kugiri/emulator/iam"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
)

// caller is who makes a call, and what WithIAM knows about the call.
type caller struct {
	*iam.Principal
	request *http.Request
	visited *accountData  // of another account, that the call works with; nil: none
	denied  map[int]error // statements of a batch that the caller may not execute
}

// leave ends the call's work in another account. The caller may be nil.
func (w *caller) leave() {
	if w != nil && w.visited != nil {
		w.visited.giveBack()
	}
}

// denial returns the error of a statement that the caller may not execute, or nil.
func (w *caller) denial(part int) error {
	if w == nil {
		return nil
	}
	return w.denied[part]
}

// deny notes that a statement of a BatchExecuteStatement is refused.
func (w *caller) deny(part int, err error) {
	if w.denied == nil {
		w.denied = map[int]error{}
	}
	if w.denied[part] == nil {
		w.denied[part] = err
	}
}

// callerARN returns the ARN of who makes the call. Without WithIAM it is a user with the name of
// the access key.
func (c *call) callerARN() string {
	if c.caller != nil {
		return c.caller.ARN(c.Partition())
	}
	return "arn:" + c.Partition() + ":iam::" + c.Account + ":user/" + c.accessKey
}

// identify returns the account of an access key, and who makes the request. Without WithIAM there is
// no caller.
func (s *serviceSettings) identify(accessKey string, r *http.Request) (account string, who *caller, err error) {
	if s.iam == nil {
		return s.account, nil, nil
	}
	p := s.iam.Principal(accessKey)
	if p == nil {
		return "", nil, apierr.ErrUnknownClient
	}
	return p.Account, &caller{Principal: p, request: r}, nil
}

// owner returns who owns the tables of an access key, as namespaces know it: with WithIAM the
// account, and otherwise the access key itself.
func (s *serviceSettings) owner(accessKey string) string {
	if s.iam != nil {
		if p := s.iam.Principal(accessKey); p != nil {
			return p.Account
		}
	}
	return accessKey
}

// keysOf returns the set of the access keys of accounts.
func (s *serviceSettings) keysOf(accounts map[string]bool) map[string]bool {
	keys := map[string]bool{}
	for key, p := range s.iam.AccessKeys() {
		if accounts[p.Account] {
			keys[key] = true
		}
	}
	return keys
}

// shows reports whether there are requests that see the data with a key of namespaces.stores.
func (s *serviceSettings) shows(key string) bool {
	owner, _, owned := strings.Cut(key, "/")
	if s.iam == nil || !owned {
		return owned != s.shared
	}
	return len(s.keysOf(map[string]bool{owner: true})) > 0
}
