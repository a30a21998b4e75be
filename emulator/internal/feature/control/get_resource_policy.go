package control

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
	"github.com/kugiri-db/kugiri/storage"
)

// GetResourcePolicy answers with the policy in effect, which may be the one from before a change.
func GetResourcePolicy(c *serve.Call, in *api.GetResourcePolicyInput) (*api.GetResourcePolicyOutput,
	error) {
	p, err := newPolicyPlace(c, *in.ResourceArn)
	if err != nil {
		return nil, err
	}
	out := new(api.GetResourcePolicyOutput)
	return out, c.Store.View(func(tx *storage.Tx) error {
		_, s, err := settingsWithPolicy(c, tx, p, states.GetPolicy)
		if err != nil {
			return err
		}
		policy := s.PolicyOf(p.stream)
		version := policy.At(c.Now())
		if version.Policy == nil {
			return errNoPolicy(p.arn)
		}
		out.Policy = api.Ref(version.Text)
		out.RevisionId = api.Ref(api.PolicyRevisionId(version.Revision))
		return nil
	})
}

func GetResourcePolicyTargets(in *api.GetResourcePolicyInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.ResourceArn)})
}
