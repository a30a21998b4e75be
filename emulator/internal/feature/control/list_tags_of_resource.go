package control

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage"
)

// ListTagsOfResource answers with all tags at once, as the service does, so that
// there is no NextToken that one could have got from it.
func ListTagsOfResource(c *serve.Call,
	in *api.ListTagsOfResourceInput) (*api.ListTagsOfResourceOutput, error) {
	name, err := taggedTable(c, *in.ResourceArn)
	if err != nil {
		return nil, err
	}
	if in.NextToken != nil {
		return nil, apierr.BadParameter("NextToken is not valid")
	}
	out := new(api.ListTagsOfResourceOutput)
	return out, c.Store.View(func(tx *storage.Tx) error {
		_, s, err := taggable(c, tx, name, errNoResource(in.ResourceArn))
		if err != nil {
			return err
		}
		out.Tags = append([]api.Tag{}, s.Tags...)
		return nil
	})
}

func ListTagsOfResourceTargets(in *api.ListTagsOfResourceInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.ResourceArn)})
}
