package control

import (
	"slices"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
)

func UntagResource(c *serve.Call, in *api.UntagResourceInput) (*struct{}, error) {
	of, err := taggedResource(c, *in.ResourceArn)
	if err != nil {
		return nil, err
	}
	if len(in.TagKeys) == 0 {
		return nil, apierr.Invalid("Atleast one Tag Key needs to be provided as Input.")
	}
	if err := tables.CheckTagKeys(in.TagKeys); err != nil {
		return nil, err
	}
	return nil, retag(c, of,
		states.Untag, nil, func(tags []api.Tag) ([]api.Tag, error) {
			return slices.DeleteFunc(tags,
				func(t api.Tag) bool { return slices.Contains(in.TagKeys, *t.Key) }), nil
		})
}

func UntagResourceTargets(in *api.UntagResourceInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.ResourceArn)})
}
