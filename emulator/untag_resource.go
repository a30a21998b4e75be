package emulator

import (
	"slices"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
)

func untagResource(c *call, in *api.UntagResourceInput) (*struct{}, error) {
	name, err := c.taggedTable(*in.ResourceArn)
	if err != nil {
		return nil, err
	}
	if len(in.TagKeys) == 0 {
		return nil, apierr.Invalid("Atleast one Tag Key needs to be provided as Input.")
	}
	for i := range in.TagKeys {
		if err := tables.CheckTagKey(&in.TagKeys[i]); err != nil {
			return nil, err
		}
	}
	return nil, c.retag(name, errNotFound, func(tags []api.Tag) ([]api.Tag, error) {
		return slices.DeleteFunc(tags, func(t api.Tag) bool { return slices.Contains(in.TagKeys, *t.Key) }), nil
	})
}

func untagResourceTargets(in *api.UntagResourceInput, ts *targets) {
	ts.add(target{table: arn.TableCalled(in.ResourceArn)})
}
