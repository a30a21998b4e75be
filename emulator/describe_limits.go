package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
)

func describeLimits(*call, *api.DescribeLimitsInput) (*api.DescribeLimitsOutput, error) {
	return &api.DescribeLimitsOutput{
		AccountMaxReadCapacityUnits:  new(api.PositiveLongObject(tables.AccountMaxUnits)),
		AccountMaxWriteCapacityUnits: new(api.PositiveLongObject(tables.AccountMaxUnits)),
		TableMaxReadCapacityUnits:    new(api.PositiveLongObject(tables.TableMaxUnits)),
		TableMaxWriteCapacityUnits:   new(api.PositiveLongObject(tables.TableMaxUnits)),
	}, nil
}
