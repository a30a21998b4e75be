package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/storage"
)

func putResourcePolicy(c *call, in *api.PutResourcePolicyInput) (*api.PutResourcePolicyOutput, error) {
	p, err := c.policyPlace(*in.ResourceArn)
	if err != nil {
		return nil, err
	}
	version, err := c.newPolicy(*in.Policy, p.stream != "")
	if err != nil {
		return nil, err
	}
	if !api.IsTrue(in.ConfirmRemoveSelfResourceAccess) {
		if err := c.checkLockout(p.arn, version.Policy, in); err != nil {
			return nil, err
		}
	}
	out := new(api.PutResourcePolicyOutput)
	return out, c.changePolicies(p, func(tx *storage.Tx) error {
		t, s, err := c.settingsWithPolicy(tx, p, true)
		if err != nil {
			return err
		}
		policy := s.PolicyOf(p.stream)
		if err := p.checkRevision(policy.Now, in.ExpectedRevisionId); err != nil {
			return err
		}
		if !version.Same(policy.Now) {
			if policy, err = c.changePolicy(tx, t, p, policy, version); err != nil {
				return err
			}
		}
		out.RevisionId = api.Ref(api.PolicyRevisionId(policy.Now.Revision))
		return nil
	})
}

func putResourcePolicyTargets(in *api.PutResourcePolicyInput, ts *targets) {
	ts.add(target{table: arn.TableCalled(in.ResourceArn)})
}
