package control

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// DeleteResourcePolicy answers with the revision of the deleted policy. Without a policy it answers
// with the revision of the deletion, if there was one.
func DeleteResourcePolicy(c *serve.Call,
	in *api.DeleteResourcePolicyInput) (*api.DeleteResourcePolicyOutput, error) {
	p, err := newPolicyPlace(c, *in.ResourceArn)
	if err != nil {
		return nil, err
	}
	out := new(api.DeleteResourcePolicyOutput)
	return out, changePolicies(c, p, func(tx *storage.Tx) error {
		t, s, err := settingsWithPolicy(c, tx, p, states.DeletePolicy)
		if err != nil {
			return err
		}
		policy := s.PolicyOf(p.stream)
		if err := orderOfPolicies.Judge(&policyChange{
			call: c, place: p, last: &policy, expected: in.ExpectedRevisionId,
		}); err != nil {
			return err
		}
		if policy.Now.Revision != "" {
			out.RevisionId = api.Ref(api.PolicyRevisionId(policy.Now.Revision))
		}
		if policy.Now.Policy == nil {
			return nil
		}
		changePolicy(c, tx, t, p, policy, tables.PolicyVersion{})
		return nil
	})
}

func DeleteResourcePolicyTargets(in *api.DeleteResourcePolicyInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.ResourceArn)})
}
