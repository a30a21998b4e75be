package emulator

import (
	"time"

	"github.com/kugiri-db/kugiri/conventions/policy"
)

// partitionCount counts the partition keys of each entity of a policy in an account. State is
// nil without a policy. The journal keeps nothing of it: the guard counts the stored items anew.
type partitionCount struct{ *policy.State }

// partitionCount returns the account's.
func (a *accountData) partitionCount() *partitionCount {
	return a.states[partitionCountState].(*partitionCount)
}

func (p *partitionCount) fork() accountState              { return &partitionCount{p.State.Fork()} }
func (p *partitionCount) load(map[string]string) error    { return nil }
func (p *partitionCount) keepAll(func(key, value string)) {}
func (p *partitionCount) disposable(time.Time) bool       { return true }
