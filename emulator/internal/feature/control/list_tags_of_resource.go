package control

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage"
)

// ListTagsOfResource answers with all tags at once, as the service does. It ignores a NextToken,
// which nobody can have got from it (ack-api-quirks, DDB-TABLE-073).
func ListTagsOfResource(c *serve.Call,
	in *api.ListTagsOfResourceInput) (*api.ListTagsOfResourceOutput, error) {
	of, err := taggedResource(c, *in.ResourceArn)
	if err != nil {
		return nil, err
	}
	out := new(api.ListTagsOfResourceOutput)
	return out, c.Store.View(func(tx *storage.Tx) error {
		_, s, err := taggable(c, tx, of, errNoResource(in.ResourceArn))
		if err != nil {
			return err
		}
		out.Tags = append([]api.Tag{}, *of.tags(s)...)
		return nil
	})
}

func ListTagsOfResourceTargets(in *api.ListTagsOfResourceInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.ResourceArn)})
}
