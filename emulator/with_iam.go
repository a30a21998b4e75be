package emulator

import (
	"net/http"
	"strings"

	"github.com/kugiri-db/kugiri/emulator/iam"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
)

// WithIAM gives access keys accounts, principals and policies. Tables then belong to the account and
// the region of a request: the access keys of an account see the same tables, and ARNs have the
// account's number. The service refuses other access keys, and requests that the policies do not
// allow. By default each access key has tables of its own and may do everything, and all ARNs have
// the account of WithAccountID.
//
// The service decides after it has checked the constraints of the API model, and before it applies
// the conventions of WithPolicy, injects faults, and looks for tables.
//
// New panics if WithSharedData is given as well, because then no table has an owner.
func WithIAM(d *iam.Directory) Option { return func(s *settings) { s.iam = d } }

// checkIAM panics if the settings contradict each other.
func (s *settings) checkIAM() {
	if s.iam != nil && s.shared {
		panic("emulator: with WithSharedData tables have no account, which WithIAM needs")
	}
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

// callerARN returns the ARN of who makes the call. Without WithIAM it is a user with the name of
// the access key.
func (c *call) callerARN() string {
	if c.caller != nil {
		return c.caller.ARN(c.Partition())
	}
	return "arn:" + c.Partition() + ":iam::" + c.Account + ":user/" + c.accessKey
}

// inheritingPrincipal makes an access key that has no principal one of the principal of another.
func inheritingPrincipal(from, as string) Option {
	return func(s *settings) {
		if s.iam == nil || s.iam.Principal(as) != nil {
			return
		}
		if p := s.iam.Principal(from); p != nil {
			s.iam = s.iam.With(as, p)
		}
	}
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

// HasIAM reports whether tables belong to accounts: see WithIAM.
func (e *Emulator) HasIAM() bool { return e.service.iam != nil }
