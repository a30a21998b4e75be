package control

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
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
		_, changing := of.changing(c, tx)
		if err := changing.RefusePhase(states.ListTags); err != nil {
			return err
		}
		if of.stale(changing) {
			return changing.Error(states.Missing, states.ListTags)
		}
		out.Tags = append([]api.Tag{}, of.shown(changing)...)
		return nil
	})
}

func ListTagsOfResourceTargets(in *api.ListTagsOfResourceInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.ResourceArn)})
}

// shown returns the tags that can be read: none before the end of a creation (ack-api-quirks,
// DDB-TABLE-101), and with quotas those of before until a change ends (DDB-TABLE-102).
func (of tagged) shown(x *states.Changing) []api.Tag {
	switch {
	case x.Phase() == states.CreatesTagged:
		return nil
	case x.Quotas && of.stream == "" && x.Settings.Past.Tagging(x.Now):
		return x.Settings.Past.Untagged
	}
	return *of.tags(x.Settings)
}
