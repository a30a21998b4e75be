package control

import (
	"slices"

	"github.com/kugiri-db/kugiri/conventions/api"
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
	if err := orderOfTagKeys.Judge(in.TagKeys); err != nil {
		return nil, err
	}
	return nil, retag(c, of,
		states.Untag, nil, func(tags []api.Tag) ([]api.Tag, error) {
			return slices.DeleteFunc(tags,
				func(t api.Tag) bool { return slices.Contains(in.TagKeys, *t.Key) }), nil
		})
}

// orderOfTagKeys orders the checks of UntagResource on its keys, after the ARN and before the
// table.
var orderOfTagKeys = serve.Order[[]string]{
	serve.Step("that there are keys", "DDB-TABLE-107", func(keys []string) error {
		if len(keys) == 0 {
			return apierr.Invalid("Atleast one Tag Key needs to be provided as Input.")
		}
		return nil
	}),
	serve.Step("how many there are, and each key", "T.18, DDB-TABLE-107",
		func(keys []string) error { return tables.CheckTagKeys(keys) }),
}

func UntagResourceTargets(in *api.UntagResourceInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.ResourceArn)})
}
