package emulator

import (
	"fmt"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
)

// Developer Guide, "Quotas in Amazon DynamoDB", "Read/write capacity mode and throughput": the quotas of a new account.
const (
	accountMaxUnits = 80000
	tableMaxUnits   = 40000
)

// maxGivenUnits is the largest number of units that makes sense to the service at all.
const maxGivenUnits = 1_000_000_000_000

// warmOnDemand is the warm throughput of every PAY_PER_REQUEST table and index
// (Developer Guide, "Understanding DynamoDB warm throughput").
var warmOnDemand = units{12000, 4000}

// checkUnits checks provisioned throughput by itself; of is "" for a table and " for index x" for an index.
func checkUnits(p *api.ProvisionedThroughput, of string) error {
	if p == nil {
		return nil
	}
	for _, u := range [...]struct {
		name  string
		value api.PositiveLongObject
	}{{"ReadCapacityUnits", *p.ReadCapacityUnits}, {"WriteCapacityUnits", *p.WriteCapacityUnits}} {
		if u.value > maxGivenUnits {
			return apierr.Invalid("Given value %d for %s is out of bounds%s", u.value, u.name, of)
		}
	}
	return nil
}

// checkTotal checks the provisioned throughput of a table and its indexes together.
func checkTotal(all ...units) error {
	var total units
	for _, u := range all {
		total.read += u.read
		total.write += u.write
	}
	for _, u := range [...]struct {
		name  string
		value int64
	}{{"ReadCapacityUnits", total.read}, {"WriteCapacityUnits", total.write}} {
		if u.value > tableMaxUnits {
			return limitExceeded("The requested %s, %d, exceed the per-table limit of %d", u.name, u.value, tableMaxUnits)
		}
	}
	return nil
}

var (
	errBothUnits    = apierr.BadParameter("ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED")
	errNeitherUnits = apierr.BadParameter("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST")
)

// checkIndexThroughput checks a global index against the table's billing mode.
func checkIndexThroughput(ix *indexSpec, mode api.BillingMode) error {
	switch {
	case mode == payPerRequest && ix.provisioned != nil:
		return errIndexUnits(ix.name)
	case mode != payPerRequest && ix.provisioned == nil:
		return apierr.BadParameter("ProvisionedThroughput is not specified for index: %s", ix.name)
	}
	if err := checkUnits(ix.provisioned, " for index "+ix.name); err != nil {
		return err
	}
	if err := checkNewOnDemand(ix.onDemand, mode, "index : "+ix.name); err != nil {
		return err
	}
	return checkNewWarm(ix.warm, mode, provisionedUnits(ix.provisioned), "index "+ix.name)
}

func errIndexUnits(index string) error {
	return apierr.BadParameter("ProvisionedThroughput should not be specified for index: %s when BillingMode is PAY_PER_REQUEST", index)
}

// checkNewOnDemand checks maximum throughput at creation; of is "table" or "index x".
func checkNewOnDemand(o *api.OnDemandThroughput, mode api.BillingMode, of string) error {
	return checkOnDemand(o, mode, 1, of, "cannot be specified when table BillingMode is PROVISIONED.")
}

// checkOtherOnDemand checks maximum throughput that is to take the place of
// another, which -1 takes away (API Reference, OnDemandThroughput).
func checkOtherOnDemand(o *api.OnDemandThroughput, mode api.BillingMode, of string) error {
	if o != nil && o.MaxReadRequestUnits == nil && o.MaxWriteRequestUnits == nil {
		return apierr.BadParameter("MaxReadRequestUnits, MaxWriteRequestUnits, or both must be specified for OnDemandThroughput for %s", of)
	}
	return checkOnDemand(o, mode, noMaximum, of, "cannot be specified when the table BillingMode is PROVISIONED")
}

func checkOnDemand(o *api.OnDemandThroughput, mode api.BillingMode, least int64, of, wrongMode string) error {
	if o == nil {
		return nil
	}
	for _, u := range [...]struct {
		name  string
		value *int64
	}{{"MaxReadRequestUnits", o.MaxReadRequestUnits}, {"MaxWriteRequestUnits", o.MaxWriteRequestUnits}} {
		switch {
		case u.value == nil:
		case mode != payPerRequest:
			return apierr.BadParameter("%s for OnDemandThroughput %s", u.name, wrongMode)
		case *u.value < least || *u.value == 0:
			return apierr.BadParameter("Requested %s for OnDemandThroughput for %s is outside of valid range", u.name, of)
		}
	}
	return nil
}

// What warm throughput may not be lower than, of reads and of writes.
var (
	warmOfOnDemand    = [2]string{warmInitial, warmInitial}
	warmOfProvisioned = [2]string{"ReadCapacityUnits of ProvisionedThroughput", "WriteCapacityUnits of ProvisionedThroughput"}
	warmOfBefore      = [2]string{warmCurrent, warmCurrent}
)

const (
	warmInitial = "initial throughput for OnDemand. See: " +
		"https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial"
	warmCurrent = "current WarmThroughput, decreasing WarmThroughput is not supported"
)

// checkNewWarm checks warm throughput at creation; of is "table" or "index x".
func checkNewWarm(w *api.WarmThroughput, mode api.BillingMode, p units, of string) error {
	if mode == payPerRequest {
		return checkWarm(w, warmOnDemand, warmOfOnDemand, of)
	}
	return checkWarm(w, p, warmOfProvisioned, of)
}

// checkOtherWarm checks warm throughput that is to take the place of another.
func checkOtherWarm(w *api.WarmThroughput, before units, of string) error {
	if w != nil && w.ReadUnitsPerSecond == nil && w.WriteUnitsPerSecond == nil {
		return apierr.BadParameter("ReadUnitsPerSecond, WriteUnitsPerSecond, or both must be specified for WarmThroughput for %s", of)
	}
	return checkWarm(w, before, warmOfBefore, of)
}

func checkWarm(w *api.WarmThroughput, least units, than [2]string, of string) error {
	switch {
	case w == nil:
		return nil
	case w.ReadUnitsPerSecond != nil && *w.ReadUnitsPerSecond < least.read:
		return apierr.BadParameter("Requested ReadUnitsPerSecond for WarmThroughput for %s is lower than %s", of, than[0])
	case w.WriteUnitsPerSecond != nil && *w.WriteUnitsPerSecond < least.write:
		return apierr.BadParameter("Requested WriteUnitsPerSecond for WarmThroughput for %s is lower than %s", of, than[1])
	}
	return nil
}

// leastWarm is the warm throughput that there is by itself.
func leastWarm(mode api.BillingMode, p units) units {
	if mode == payPerRequest {
		return warmOnDemand
	}
	return p
}

// warmUnits is the warm throughput there is.
func (c *capacity) warmUnits(mode api.BillingMode) units {
	least := leastWarm(mode, c.provisioned.units)
	return units{max(least.read, c.warm.units.read), max(least.write, c.warm.units.write)}
}

func provisionedUnits(p *api.ProvisionedThroughput) units {
	if p == nil {
		return units{}
	}
	return units{int64(*p.ReadCapacityUnits), int64(*p.WriteCapacityUnits)}
}

// set takes over the maximums that are given, the others stay.
func (o *onDemand) set(given *api.OnDemandThroughput) {
	if given == nil || given.MaxReadRequestUnits == nil && given.MaxWriteRequestUnits == nil {
		return
	}
	u := units{noMaximum, noMaximum}
	if o.units != nil {
		u = *o.units
	}
	if given.MaxReadRequestUnits != nil {
		u.read = *given.MaxReadRequestUnits
	}
	if given.MaxWriteRequestUnits != nil {
		u.write = *given.MaxWriteRequestUnits
	}
	o.units = &u
	if u == (units{noMaximum, noMaximum}) {
		o.units = nil
	}
}

// set takes over the warm throughput that is given.
func (w *warm) set(given *api.WarmThroughput) {
	if given == nil {
		return
	}
	w.units.read = max(w.units.read, api.Deref(given.ReadUnitsPerSecond))
	w.units.write = max(w.units.write, api.Deref(given.WriteUnitsPerSecond))
}

// newCapacity is the throughput of a new table or index.
func newCapacity(p *api.ProvisionedThroughput, o *api.OnDemandThroughput, w *api.WarmThroughput) capacity {
	var c capacity
	c.provisioned.units = provisionedUnits(p)
	c.onDemand.set(o)
	c.warm.set(w)
	return c
}

// Developer Guide, "Quotas in Amazon DynamoDB", "Decreasing provisioned throughput".
const (
	freeDecreases    = 4
	decreaseInterval = time.Hour
)

func (p *provisioned) change(to units, now time.Time, what string) error {
	if to == p.units {
		return apierr.Invalid("The provisioned throughput for the %s will not change. The requested value equals the current value. "+
			"Current ReadCapacityUnits provisioned for the %s: %d. Requested ReadCapacityUnits: %d. "+
			"Current WriteCapacityUnits provisioned for the %s: %d. Requested WriteCapacityUnits: %d. "+
			"Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.",
			what, what, p.units.read, to.read, what, p.units.write, to.write)
	}
	if to.read < p.units.read || to.write < p.units.write {
		if err := p.decrease(now); err != nil {
			return err
		}
	}
	if to.read > p.units.read || to.write > p.units.write {
		p.lastIncrease = now
	}
	if p.units != (units{}) { // not when coming from PAY_PER_REQUEST
		p.before = new(p.units)
	}
	p.units = to
	return nil
}

// release gives all units up, with the switch to PAY_PER_REQUEST: a decrease that does not count as one.
func (c *capacity) release() {
	c.provisioned.units, c.provisioned.before = units{}, nil
	c.keepWarm(warmOnDemand)
}

// change sets other units; what is "table" or "index x".
func (c *capacity) change(to units, now time.Time, what string) error {
	had := c.provisioned.units
	if err := c.provisioned.change(to, now, what); err != nil {
		return err
	}
	c.keepWarm(had)
	return nil
}

// keepWarm: warm throughput never decreases, whatever it comes from (ack-api-quirks,
// DDB-TABLE-061, a probe of the service).
func (c *capacity) keepWarm(had units) {
	c.warm.units.read = max(c.warm.units.read, had.read)
	c.warm.units.write = max(c.warm.units.write, had.write)
}

// decrease counts one decrease, if another may be made today.
func (p *provisioned) decrease(now time.Time) error {
	made := p.decreasesOn(now)
	next := p.lastDecrease.Add(decreaseInterval)
	if made >= freeDecreases && now.Before(next) {
		const layout = "Monday, January 2, 2006 3:04:05 PM UTC"
		return limitExceeded("Provisioned throughput decreases are limited within a given UTC day. "+
			"After the first %d decreases, each subsequent decrease in the same UTC day can be performed at most once every %d seconds. "+
			"Number of decreases today: %d. Last decrease at %s. Next decrease can be made at %s",
			freeDecreases, int(decreaseInterval.Seconds()), made, p.lastDecrease.UTC().Format(layout), next.UTC().Format(layout))
	}
	p.decreases, p.lastDecrease = made+1, now
	return nil
}

// decreasesOn is the number of decreases on the UTC day of a point in time.
func (p *provisioned) decreasesOn(now time.Time) int64 {
	const day = 24 * time.Hour
	if p.decreases > 0 && now.UTC().Truncate(day).Equal(p.lastDecrease.UTC().Truncate(day)) {
		return p.decreases
	}
	return 0
}

// limitExceeded is a LimitExceededException, all of which begin alike.
func limitExceeded(format string, args ...any) error {
	return &apierr.Error{Type: apierr.LimitExceeded, Message: "Subscriber limit exceeded: " + fmt.Sprintf(format, args...)}
}
