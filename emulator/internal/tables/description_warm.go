package tables

import (
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
)

// describeWarm leaves warm throughput out of the answer of CreateTable unless the request has it.
// In that case its state is UPDATING (ack-api-quirks, DDB-TABLE-032 and -033, probes of the
// service).
func describeWarm(s *Settings, now time.Time) *api.TableWarmThroughputDescription {
	table := Active
	if s.State.At(now) == Creating {
		if s.Capacity.Warm.units == (Units{}) {
			return nil
		}
		table = Updating
	}
	status, u := s.Capacity.describeWarm(s.Billing.Mode, table, now)
	if s.Billing.Pending && s.State.At(now) == Updating {
		u = s.Capacity.Warm.Before
	}
	return &api.TableWarmThroughputDescription{
		ReadUnitsPerSecond:  api.Ref(api.PositiveLongObject(u.Read)),
		WriteUnitsPerSecond: api.Ref(api.PositiveLongObject(u.Write)),
		Status:              api.Ref(api.TableStatus(status)),
	}
}

func describeIndexWarm(s *Settings, is *IndexSettings, index string,
	now time.Time) *api.GlobalSecondaryIndexWarmThroughputDescription {
	if s.State.At(now) == Creating {
		if is.Capacity.Warm.units == (Units{}) {
			return nil
		}
		index = Updating
	}
	status, u := is.Capacity.describeWarm(s.Billing.Mode, index, now)
	if s.Billing.Pending && s.State.At(now) == Updating {
		u = is.Capacity.Warm.Before
	}
	return &api.GlobalSecondaryIndexWarmThroughputDescription{
		ReadUnitsPerSecond:  api.Ref(api.PositiveLongObject(u.Read)),
		WriteUnitsPerSecond: api.Ref(api.PositiveLongObject(u.Write)),
		Status:              api.Ref(api.IndexStatus(status)),
	}
}

// describeWarm returns the warm throughput of a table or index, and its state. of is the state of
// the table or index. Until an update ends, it returns the old warm throughput (Developer Guide,
// "Increase your existing DynamoDB table's warm throughput").
func (c *Capacity) describeWarm(mode api.BillingMode, of string, now time.Time) (string, Units) {
	switch {
	case c.Warm.State.At(now) == Updating:
		return Updating, c.Warm.Before
	}
	return of, c.WarmUnits(mode)
}
