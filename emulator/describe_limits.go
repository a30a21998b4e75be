package emulator

import "github.com/kugiri-db/kugiri/emulator/internal/api"

func describeLimits(*call, *api.DescribeLimitsInput) (*api.DescribeLimitsOutput, error) {
	return &api.DescribeLimitsOutput{
		AccountMaxReadCapacityUnits:  new(api.PositiveLongObject(accountMaxUnits)),
		AccountMaxWriteCapacityUnits: new(api.PositiveLongObject(accountMaxUnits)),
		TableMaxReadCapacityUnits:    new(api.PositiveLongObject(tableMaxUnits)),
		TableMaxWriteCapacityUnits:   new(api.PositiveLongObject(tableMaxUnits)),
	}, nil
}
