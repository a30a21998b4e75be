package control

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/permit"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
	"github.com/kugiri-db/kugiri/storage"
)

func PutResourcePolicy(c *serve.Call, in *api.PutResourcePolicyInput) (*api.PutResourcePolicyOutput,
	error) {
	p, err := newPolicyPlace(c, *in.ResourceArn)
	if err != nil {
		return nil, err
	}
	version, err := newPolicy(c, *in.Policy, p.stream != "")
	if err != nil {
		return nil, err
	}
	if !api.IsTrue(in.ConfirmRemoveSelfResourceAccess) {
		if err := permit.CheckLockout(c, p.arn, version.Policy, in); err != nil {
			return nil, err
		}
	}
	out := new(api.PutResourcePolicyOutput)
	return out, changePolicies(c, p, func(tx *storage.Tx) error {
		asked := states.PutPolicy
		if _, s, err := c.KnownTable(tx, p.table); err == nil &&
			version.Same(s.PolicyOf(p.stream).Now) {
			asked = states.SamePolicy
		}
		t, s, err := settingsWithPolicy(c, tx, p, asked)
		if err != nil {
			return err
		}
		policy := s.PolicyOf(p.stream)
		if err := orderOfPolicies.Judge(&policyChange{
			call: c, place: p, last: &policy, to: version, expected: in.ExpectedRevisionId,
		}); err != nil {
			return err
		}
		if !version.Same(policy.Now) {
			policy = changePolicy(c, tx, t, p, policy, version)
		}
		out.RevisionId = api.Ref(api.PolicyRevisionId(policy.Now.Revision))
		return nil
	})
}

func PutResourcePolicyTargets(in *api.PutResourcePolicyInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.ResourceArn)})
}
