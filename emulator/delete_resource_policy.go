package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// deleteResourcePolicy answers with the revision of the deleted policy. Without a policy it answers
// with the revision of the deletion, if there was one.
func deleteResourcePolicy(c *call, in *api.DeleteResourcePolicyInput) (*api.DeleteResourcePolicyOutput, error) {
	p, err := c.policyPlace(*in.ResourceArn)
	if err != nil {
		return nil, err
	}
	out := new(api.DeleteResourcePolicyOutput)
	return out, c.changePolicies(p, func(tx *storage.Tx) error {
		t, s, err := c.settingsWithPolicy(tx, p, true)
		if err != nil {
			return err
		}
		policy := s.PolicyOf(p.stream)
		if err := p.checkRevision(policy.Now, in.ExpectedRevisionId); err != nil {
			return err
		}
		if policy.Now.Revision != "" {
			out.RevisionId = api.Ref(api.PolicyRevisionId(policy.Now.Revision))
		}
		if policy.Now.Policy == nil {
			return nil
		}
		_, err = c.changePolicy(tx, t, p, policy, tables.PolicyVersion{})
		return err
	})
}

func deleteResourcePolicyTargets(in *api.DeleteResourcePolicyInput, ts *targets) {
	ts.add(target{table: arn.TableCalled(in.ResourceArn)})
}
