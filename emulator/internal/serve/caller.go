package serve

import (
	"net/http"
	"strings"

	"github.com/kugiri-db/kugiri/emulator/iam"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
)

// caller is who makes a call, and what WithIAM knows about the call.
type caller struct {
	*iam.Principal
	Request *http.Request
	Visited *Account      // another account, which the call works with; nil: none
	denied  map[int]error // statements of a batch that the caller may not execute
}

// Leave ends the call's work in another account.
func (w *caller) Leave() {
	if w.Visited != nil {
		w.Visited.GiveBack()
	}
}

// Denial returns the error of a statement that the caller may not execute, or nil.
func (w *caller) Denial(part int) error {
	if w == nil {
		return nil
	}
	return w.denied[part]
}

// Deny notes that a statement of a BatchExecuteStatement is refused.
func (w *caller) Deny(part int, err error) {
	if w.denied == nil {
		w.denied = map[int]error{}
	}
	if w.denied[part] == nil {
		w.denied[part] = err
	}
}

// CallerARN returns the ARN of who makes the call. Without WithIAM it is a user with the name of
// the access key.
func (c *Call) CallerARN() string {
	if c.Caller != nil {
		return c.Caller.ARN(c.Partition())
	}
	return "arn:" + c.Partition() + ":iam::" + c.Account + ":user/" + c.AccessKey
}

// Identify returns the account of an access key, and who makes the request. Without WithIAM there
// is no caller.
func (s *ServiceSettings) Identify(accessKey string, r *http.Request) (account string, who *caller,
	err error) {
	if s.IAM == nil {
		return s.Account, nil, nil
	}
	p := s.IAM.Principal(accessKey)
	if p == nil {
		return "", nil, apierr.ErrUnknownClient
	}
	return p.Account, &caller{Principal: p, Request: r}, nil
}

// Owner returns who owns the tables of an access key, as namespaces know it: with WithIAM the
// account, and otherwise the access key itself.
func (s *ServiceSettings) Owner(accessKey string) string {
	if s.IAM != nil {
		if p := s.IAM.Principal(accessKey); p != nil {
			return p.Account
		}
	}
	return accessKey
}

// KeysOf returns the set of the access keys of accounts.
func (s *ServiceSettings) KeysOf(accounts map[string]bool) map[string]bool {
	keys := map[string]bool{}
	for key, p := range s.IAM.AccessKeys() {
		if accounts[p.Account] {
			keys[key] = true
		}
	}
	return keys
}

// Shows reports whether there are requests that see the data with a key of namespaces.stores.
func (s *ServiceSettings) Shows(key string) bool {
	owner, _, owned := strings.Cut(key, "/")
	if s.IAM == nil || !owned {
		return owned != s.Shared
	}
	return len(s.KeysOf(map[string]bool{owner: true})) > 0
}
