package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/storage"
)

// getResourcePolicy answers with the policy in effect, which may be the one from before a change.
func getResourcePolicy(c *call, in *api.GetResourcePolicyInput) (*api.GetResourcePolicyOutput, error) {
	p, err := c.policyPlace(*in.ResourceArn)
	if err != nil {
		return nil, err
	}
	out := new(api.GetResourcePolicyOutput)
	return out, c.store.View(func(tx *storage.Tx) error {
		_, s, err := c.settingsWithPolicy(tx, p, false)
		if err != nil {
			return err
		}
		policy := s.PolicyOf(p.stream)
		version := policy.At(c.now())
		if version.Policy == nil {
			return errNoPolicy(p.arn)
		}
		out.Policy = api.Ref(version.Text)
		out.RevisionId = api.Ref(api.PolicyRevisionId(version.Revision))
		return nil
	})
}

func getResourcePolicyTargets(in *api.GetResourcePolicyInput, ts *targets) {
	ts.add(target{table: arn.TableCalled(in.ResourceArn)})
}
