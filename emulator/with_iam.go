package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/iam"
)

// WithIAM gives access keys accounts, principals and policies. Tables then belong to the account
// and the region of a request: the access keys of an account see the same tables, and ARNs have the
// account's number. The service refuses other access keys, and requests that the policies do not
// allow. By default each access key has tables of its own and may do everything, and all ARNs have
// the account of WithAccountID.
//
// The service decides after it has checked the constraints of the API model, and before it applies
// the conventions of WithPolicy, injects faults, and looks for tables.
//
// New panics if WithSharedData is given as well, because then no table has an owner.
func WithIAM(d *iam.Directory) Option { return func(s *settings) { s.IAM = d } }

// checkIAM panics if the settings contradict each other.
func (s *settings) checkIAM() {
	if s.IAM != nil && s.Shared {
		panic("emulator: with WithSharedData tables have no account, which WithIAM needs")
	}
}
