package control

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
)

func DescribeLimits(*serve.Call, *api.DescribeLimitsInput) (*api.DescribeLimitsOutput, error) {
	return &api.DescribeLimitsOutput{
		AccountMaxReadCapacityUnits:  api.Ref(api.PositiveLongObject(tables.AccountMaxUnits)),
		AccountMaxWriteCapacityUnits: api.Ref(api.PositiveLongObject(tables.AccountMaxUnits)),
		TableMaxReadCapacityUnits:    api.Ref(api.PositiveLongObject(tables.TableMaxUnits)),
		TableMaxWriteCapacityUnits:   api.Ref(api.PositiveLongObject(tables.TableMaxUnits)),
	}, nil
}
