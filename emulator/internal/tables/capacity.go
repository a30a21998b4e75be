package tables

import (
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
)

// The capacity modes (API Reference, BillingMode).
const (
	PayPerRequest   = "PAY_PER_REQUEST"
	ProvisionedMode = "PROVISIONED"
)

// Billing is a table's capacity mode.
type Billing struct {
	Mode     api.BillingMode
	OnDemand time.Time // the last time that PAY_PER_REQUEST was set; zero: never
	Pending  bool      // it is being set
}

// OnDemandMode reports whether the table is PAY_PER_REQUEST.
func (b Billing) OnDemandMode() bool { return b.Mode == PayPerRequest }

// Capacity is the throughput of a table or global index.
type Capacity struct {
	Provisioned provisioned
	OnDemand    OnDemand
	Warm        warm
}

// provisioned is the provisioned throughput; zero with PAY_PER_REQUEST.
type provisioned struct {
	Units        Units
	Before       *Units // the units before the update that is going on
	lastIncrease time.Time
	lastDecrease time.Time
	decreases    int64 // how many decreases the UTC day of the last one had
}

// given returns the provisioned throughput in the form of a request.
func (p *provisioned) given() *api.ProvisionedThroughput {
	return &api.ProvisionedThroughput{
		ReadCapacityUnits:  api.Ref(api.PositiveLongObject(p.Units.Read)),
		WriteCapacityUnits: api.Ref(api.PositiveLongObject(p.Units.Write))}
}

// Units are read and write units, per second.
type Units struct{ Read, Write int64 }

// OnDemand is the maximum throughput of a PAY_PER_REQUEST table; nil if it was never given.
type OnDemand struct{ *Units }

// reads reports whether a number is the maximum of read units.
func (o OnDemand) reads(n int64) bool { return o.Units != nil && o.Read == n }

// noMaximum means no maximum in an OnDemand (API Reference, OnDemandThroughput).
const noMaximum = -1

// warm is the requested warm throughput. Zero means the default of the table or index.
type warm struct {
	units  Units
	Before Units // shown until the state passes
	State  Transition
}
