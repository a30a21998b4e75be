package emulator

import (
	"strings"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/storage"
)

// getResourcePolicy answers what is true of a table or stream that was given no policy (API
// Reference, GetResourcePolicy).
func getResourcePolicy(c *call, in *api.GetResourcePolicyInput) (*api.GetResourcePolicyOutput, error) {
	arn := string(*in.ResourceArn)
	err := c.store.View(func(tx *storage.Tx) error {
		if strings.Contains(arn, "/stream/") {
			_, err := c.stream(tx, arn)
			return err
		}
		name, err := c.taggedTable(*in.ResourceArn)
		if err != nil {
			return err
		}
		_, _, err = c.taggable(tx, name, errNoResource(in.ResourceArn))
		return err
	})
	if err != nil {
		return nil, err
	}
	return nil, &apierr.Error{Type: apierr.PolicyNotFound, Message: "Resource-based policy not found for the provided ResourceArn: " + arn}
}

func getResourcePolicyTargets(in *api.GetResourcePolicyInput, ts *targets) {
	ts.add(target{table: tableCalled(in.ResourceArn)})
}
