package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/storage"
)

// listTagsOfResource answers with all tags at once, as the service does, so that
// there is no NextToken that one could have got from it.
func listTagsOfResource(c *call, in *api.ListTagsOfResourceInput) (*api.ListTagsOfResourceOutput, error) {
	name, err := c.taggedTable(*in.ResourceArn)
	if err != nil {
		return nil, err
	}
	if in.NextToken != nil {
		return nil, apierr.BadParameter("NextToken is not valid")
	}
	out := new(api.ListTagsOfResourceOutput)
	return out, c.store.View(func(tx *storage.Tx) error {
		_, s, err := c.taggable(tx, name, errNoResource(in.ResourceArn))
		if err != nil {
			return err
		}
		out.Tags = append([]api.Tag{}, s.Tags...)
		return nil
	})
}

func listTagsOfResourceTargets(in *api.ListTagsOfResourceInput, ts *targets) {
	ts.add(target{table: arn.TableCalled(in.ResourceArn)})
}
