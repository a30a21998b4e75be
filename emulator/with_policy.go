package emulator

import (
	"maps"
	"time"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/emulator/internal/enforce"
)

// WithPolicy checks all requests for items against the conventions of engine. The service refuses a
// request that breaks a rule of the severity policy.Enforce, and changes nothing:
//
//   - A request fails with ValidationException. The message has the rule's ID and says what to do
//     instead. A write whose version does not follow the stored one has lost a race and fails with
//     ConditionalCheckFailedException, except in a BatchWriteItem, which has no such error.
//   - A transaction is cancelled. Each action that breaks a rule has the reason ValidationError or
//     ConditionalCheckFailed.
//   - In BatchExecuteStatement the error is that of the statement. Other batches fail as a whole.
//
// A request that breaks only rules of the severity policy.Warn succeeds. Findings reports both
// kinds.
//
// Requests that the service itself refuses without reading data fail with its own errors. The rules
// come next, before the service evaluates conditions and before it reads or writes anything. Rules
// on new versions of items are checked at the commit, with all of its writes; the error of a failed
// condition comes before theirs. Expired items that the policy keeps are not deleted. The policy
// does not check items that are already stored.
//
// A stream shows a tenant the records of its own items and of shared ones, and skips the others.
// ListTables and ListStreams list what the caller may use. Only privileged callers may use the
// operations on tables.
//
// A caller's tenant comes from its access key or a header, as the policy says. Without
// WithSharedData callers with different access keys have different tables, and a policy with
// tenants is of little use.
//
// Limits on the number of an entity's partition keys count the items that are stored when the
// service first sees an access key and region, and those written since. Forks and snapshots include
// the count.
func WithPolicy(engine *policy.Engine) Option { return func(s *settings) { s.policy = engine } }

// WithTenant makes the policy take an access key for a caller of a tenant, whatever the policy says
// of the key. It is for the access keys of forks, which no policy lists: e.ForkAs("", "test-17",
// WithTenant("test-17", "tenant001")). Forks that are made from that key are of the same tenant.
// New and Fork panic if no caller can be of the tenant (see policy.Engine.CheckTenant). Without a
// policy it has no effect.
func WithTenant(accessKey, tenant string) Option {
	return func(s *settings) { s.takeFor(accessKey, enforce.As{Tenant: tenant}) }
}

// takeFor makes the policy take an access key for another caller.
func (s *settings) takeFor(accessKey string, as enforce.As) {
	callers := maps.Clone(s.callers)
	if callers == nil {
		callers = map[string]enforce.As{}
	}
	callers[accessKey] = as
	s.callers = callers
}

// checkTenants panics if the policy does not know a tenant that WithTenant names.
func (s *settings) checkTenants() {
	if s.policy == nil {
		return
	}
	for key, as := range s.callers {
		if as.AccessKey != "" {
			continue
		}
		if err := s.policy.CheckTenant(as.Tenant); err != nil {
			panic("emulator: WithTenant of the access key " + key + ": " + err.Error())
		}
	}
}

// WithQuotas refuses changes of tables that DynamoDB refuses for a while after others, measured on
// the clock: a third change of the class within 30 days, more than four changes of the encryption
// within 24 hours, a change of the deletion protection within 15 seconds of another one, and a
// change of tags, or DeleteTable, within 1.8 seconds of another change of tags. In a second it
// takes 50 CreateBackup, 5 ListBackups and 10 RestoreTableFromBackup. Decreases of throughput are
// counted in any case.
func WithQuotas() Option { return func(s *settings) { s.Quotas = true } }

// WithPolicyInterval sets how long after a change of a resource-based policy another one is
// refused, measured on the clock. The service refuses it for 15 seconds. The default is 0.
func WithPolicyInterval(d time.Duration) Option {
	return func(s *settings) { s.PolicyInterval = d }
}
