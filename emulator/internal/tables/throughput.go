package tables

import (
	"fmt"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
)

// Developer Guide, "Quotas in Amazon DynamoDB", "Read/write capacity mode and throughput": the
// quotas of a new account.
const (
	AccountMaxUnits = 80000
	TableMaxUnits   = 40000
)

// maxGivenUnits is the largest number of units that the service accepts in a request, before it
// compares them with quotas.
const maxGivenUnits = 1_000_000_000_000

// warmOnDemand is the warm throughput of every PAY_PER_REQUEST table and index
// (Developer Guide, "Understanding DynamoDB warm throughput").
var warmOnDemand = Units{12000, 4000}

// CheckUnits checks provisioned throughput by itself. of is "" for a table and " for index x" for
// an index.
func CheckUnits(p *api.ProvisionedThroughput, of string) error {
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

// IndexUnits are the provisioned units of a global index.
type IndexUnits struct {
	Name string
	Units
}

// CheckQuota checks the provisioned throughput of a table, and of each of its indexes by itself, in
// a region (service facts T.9; ack-api-quirks, DDB-TABLE-170).
func CheckQuota(region string, table Units, indexes []IndexUnits) error {
	if err := checkQuota(region, table, "", "table"); err != nil {
		return err
	}
	for _, ix := range indexes {
		if err := checkQuota(region, ix.Units, " for index "+ix.Name, "index"); err != nil {
			return err
		}
	}
	return nil
}

func checkQuota(region string, given Units, of, per string) error {
	for _, u := range [...]struct {
		name  string
		value int64
	}{{"ReadCapacityUnits", given.Read}, {"WriteCapacityUnits", given.Write}} {
		if u.value > TableMaxUnits {
			return &apierr.Error{Type: apierr.LimitExceeded, Message: fmt.Sprintf(
				"The requested %s%s, %d, is above the per %s maximum for the account in %s. Per table maximum: %d. "+
					"Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.",
				u.name, of, u.value, per, region, TableMaxUnits)}
		}
	}
	return nil
}

var (
	ErrBothUnits = apierr.BadParameter(
		"ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED")
	// the error of a request that itself names the mode (ack-api-quirks, DDB-TABLE-056)
	ErrUnitsWithMode = apierr.BadParameter(
		"ProvisionedThroughput cannot be specified when BillingMode is PAY_PER_REQUEST")
	ErrNeitherUnits = apierr.BadParameter(
		"Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST")
)

// checkIndexThroughput checks a global index against the table's billing mode.
func checkIndexThroughput(ix *IndexSpec, mode api.BillingMode) error {
	switch {
	case mode == PayPerRequest && ix.Provisioned != nil:
		return errIndexUnits(ix.Name)
	case mode != PayPerRequest && ix.Provisioned == nil:
		return apierr.BadParameter("ProvisionedThroughput is not specified for index: %s", ix.Name)
	}
	if err := CheckUnits(ix.Provisioned, " for index "+ix.Name); err != nil {
		return err
	}
	if err := CheckNewOnDemand(ix.OnDemand, mode, "index : "+ix.Name); err != nil {
		return err
	}
	return CheckNewWarm(ix.Warm, mode, ProvisionedUnits(ix.Provisioned), "index "+ix.Name)
}

func errIndexUnits(index string) error {
	return apierr.BadParameter(
		"ProvisionedThroughput should not be specified for index: %s when BillingMode is PAY_PER_REQUEST", index)
}

// CheckNewOnDemand checks maximum throughput at creation; of is "table" or "index : x".
func CheckNewOnDemand(o *api.OnDemandThroughput, mode api.BillingMode, of string) error {
	return checkOnDemand(o, mode, 1, of, forIndex(strings.Replace(of, " : ", ": ", 1))+
		"cannot be specified when table BillingMode is PROVISIONED.")
}

// CheckOtherOnDemand checks maximum throughput that replaces an old one. -1 removes the maximum
// (API Reference, OnDemandThroughput).
func CheckOtherOnDemand(o *api.OnDemandThroughput, mode api.BillingMode, of string) error {
	if o != nil && o.MaxReadRequestUnits == nil && o.MaxWriteRequestUnits == nil {
		return apierr.BadParameter(
			"MaxReadRequestUnits, MaxWriteRequestUnits, or both must be specified for OnDemandThroughput for %s", of)
	}
	return checkOnDemand(o, mode, noMaximum, of,
		forIndex(of)+"cannot be specified when the table BillingMode is PROVISIONED")
}

// forIndex names the index of maximum throughput, but not the table (ack-api-quirks, DDB-TABLE-128
// and -153).
func forIndex(of string) string {
	if of == "table" {
		return ""
	}
	return "for " + of + " "
}

func checkOnDemand(o *api.OnDemandThroughput, mode api.BillingMode, least int64, of,
	wrongMode string) error {
	if o == nil {
		return nil
	}
	for _, u := range [...]struct {
		name  string
		value *int64
	}{{"MaxReadRequestUnits", o.MaxReadRequestUnits},
		{"MaxWriteRequestUnits", o.MaxWriteRequestUnits}} {
		switch {
		case u.value == nil:
		case mode != PayPerRequest:
			return apierr.BadParameter("%s for OnDemandThroughput %s", u.name, wrongMode)
		case *u.value < least || *u.value == 0:
			return apierr.BadParameter(
				"Requested %s for OnDemandThroughput for %s is outside of valid range", u.name, of)
		}
	}
	return nil
}

// CheckMaxima checks maximum and warm throughput that a request gives against the quotas of the
// account (ack-api-quirks, DDB-TABLE-154 and -171). index is "" for the table.
func CheckMaxima(region string, o *api.OnDemandThroughput, w *api.WarmThroughput,
	index string) error {
	onDemand, warm := "OnDemandThroughput for table", "WarmThroughput for table"
	if index != "" {
		onDemand, warm = "OnDemandThroughput for index : "+index, "WarmThroughput for index "+index
	}
	o, w = orZero(o), orZero(w)
	for _, u := range [...]struct {
		name, of, quota string
		value           *int64
	}{
		{"MaxReadRequestUnits", onDemand, "Read", o.MaxReadRequestUnits},
		{"MaxWriteRequestUnits", onDemand, "Write", o.MaxWriteRequestUnits},
		{"ReadUnitsPerSecond", warm, "Read", w.ReadUnitsPerSecond},
		{"WriteUnitsPerSecond", warm, "Write", w.WriteUnitsPerSecond},
	} {
		if u.value != nil && *u.value > TableMaxUnits {
			return ErrLimit(
				"Requested %s for %s exceeds TableMax%sCapacityUnits of the account in region %s",
				u.name, u.of, u.quota, region)
		}
	}
	return nil
}

func orZero[T any](p *T) *T {
	if p == nil {
		return new(T)
	}
	return p
}

// The names, in messages, of the throughput that warm throughput may not be lower than, for reads
// and for writes.
var (
	warmOfOnDemand    = [2]string{warmInitial, warmInitial}
	warmOfProvisioned = [2]string{"ReadCapacityUnits of ProvisionedThroughput",
		"WriteCapacityUnits of ProvisionedThroughput"}
	warmOfBefore = [2]string{warmCurrent, warmCurrent}
)

const (
	warmInitial = "initial throughput for OnDemand. See: " +
		"https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial"
	warmCurrent = "current WarmThroughput, decreasing WarmThroughput is not supported"
)

// CheckNewWarm checks warm throughput at creation; of is "table" or "index x".
func CheckNewWarm(w *api.WarmThroughput, mode api.BillingMode, p Units, of string) error {
	if mode == PayPerRequest {
		return checkWarm(w, warmOnDemand, warmOfOnDemand, of)
	}
	return checkWarm(w, p, warmOfProvisioned, of)
}

// CheckOtherWarm checks warm throughput that replaces an old one.
func CheckOtherWarm(w *api.WarmThroughput, before Units, of string) error {
	if w != nil && w.ReadUnitsPerSecond == nil && w.WriteUnitsPerSecond == nil {
		return apierr.BadParameter(
			"ReadUnitsPerSecond, WriteUnitsPerSecond, or both must be specified for WarmThroughput for %s", of)
	}
	return checkWarm(w, before, warmOfBefore, of)
}

func checkWarm(w *api.WarmThroughput, least Units, than [2]string, of string) error {
	switch {
	case w == nil:
		return nil
	case w.ReadUnitsPerSecond != nil && *w.ReadUnitsPerSecond < least.Read:
		return apierr.BadParameter(
			"Requested ReadUnitsPerSecond for WarmThroughput for %s is lower than %s", of, than[0])
	case w.WriteUnitsPerSecond != nil && *w.WriteUnitsPerSecond < least.Write:
		return apierr.BadParameter(
			"Requested WriteUnitsPerSecond for WarmThroughput for %s is lower than %s", of, than[1])
	}
	return nil
}

// leastWarm returns the warm throughput of a table or index without a request for more.
func leastWarm(mode api.BillingMode, p Units) Units {
	if mode == PayPerRequest {
		return warmOnDemand
	}
	return p
}

// WarmUnits returns the current warm throughput.
func (c *Capacity) WarmUnits(mode api.BillingMode) Units {
	least := leastWarm(mode, c.Provisioned.Units)
	return Units{max(least.Read, c.Warm.units.Read), max(least.Write, c.Warm.units.Write)}
}

// What a partition gives in a second (Developer Guide, "Best practices for designing and using
// partition keys effectively").
const (
	partitionReads  = 3000
	partitionWrites = 1000
)

// Partitions returns how many partitions a table needs for what it gives at once. A table that is
// created on demand has four (service facts 10.1, M.13).
func (s *Settings) Partitions() int {
	u := s.Capacity.WarmUnits(s.Billing.Mode)
	reads := (u.Read + partitionReads - 1) / partitionReads
	writes := (u.Write + partitionWrites - 1) / partitionWrites
	return int(max(reads, writes, 1))
}

func ProvisionedUnits(p *api.ProvisionedThroughput) Units {
	if p == nil {
		return Units{}
	}
	return Units{int64(*p.ReadCapacityUnits), int64(*p.WriteCapacityUnits)}
}

// Set sets the given maximums and keeps the others.
func (o *OnDemand) Set(given *api.OnDemandThroughput) {
	if given == nil || given.MaxReadRequestUnits == nil && given.MaxWriteRequestUnits == nil {
		return
	}
	u := Units{noMaximum, noMaximum}
	if o.Units != nil {
		u = *o.Units
	}
	if given.MaxReadRequestUnits != nil {
		u.Read = *given.MaxReadRequestUnits
	}
	if given.MaxWriteRequestUnits != nil {
		u.Write = *given.MaxWriteRequestUnits
	}
	o.Units = &u
	if u == (Units{noMaximum, noMaximum}) {
		o.Units = nil
	}
}

// Set sets the given warm throughput.
func (w *warm) Set(given *api.WarmThroughput) {
	if given == nil {
		return
	}
	w.units.Read = max(w.units.Read, api.Deref(given.ReadUnitsPerSecond))
	w.units.Write = max(w.units.Write, api.Deref(given.WriteUnitsPerSecond))
}

// NewCapacity returns the throughput of a new table or index.
func NewCapacity(p *api.ProvisionedThroughput, o *api.OnDemandThroughput,
	w *api.WarmThroughput) Capacity {
	var c Capacity
	c.Provisioned.Units = ProvisionedUnits(p)
	c.OnDemand.Set(o)
	c.Warm.Set(w)
	return c
}

// Developer Guide, "Quotas in Amazon DynamoDB", "Decreasing provisioned throughput".
const (
	freeDecreases    = 4
	decreaseInterval = time.Hour
	day              = 24 * time.Hour
)

func (p *provisioned) change(to Units, now time.Time, what string) error {
	if to == p.Units {
		current := what
		if what == "table" {
			current = "the table"
		}
		return apierr.Invalid(
			"The provisioned throughput for the %s will not change. The requested value equals the current value. "+
				"Current ReadCapacityUnits provisioned for %s: %d. Requested ReadCapacityUnits: %d. "+
				"Current WriteCapacityUnits provisioned for %s: %d. Requested WriteCapacityUnits: %d. "+
				"Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.",
			what, current, p.Units.Read, to.Read, current, p.Units.Write, to.Write)
	}
	if to.Read < p.Units.Read || to.Write < p.Units.Write {
		if err := p.decrease(now); err != nil {
			return err
		}
	}
	// A switch from PAY_PER_REQUEST is no increase, and shows at once (ack-api-quirks,
	// DDB-TABLE-055).
	if p.Units != (Units{}) {
		if to.Read > p.Units.Read || to.Write > p.Units.Write {
			p.lastIncrease = now
		}
		before := p.Units
		p.Before = &before
	}
	p.Units = to
	return nil
}

// Release removes all provisioned units at the switch to PAY_PER_REQUEST. This does not count as a
// decrease. Until the switch is over, the table is as warm as before (ack-api-quirks,
// DDB-TABLE-064).
func (c *Capacity) Release() {
	c.Warm.Before = c.WarmUnits(ProvisionedMode)
	c.Provisioned.Units, c.Provisioned.Before = Units{}, nil
	c.keepWarm(warmOnDemand)
}

// ReleaseIndex does so for an index, whose count of decreases it raises (ack-api-quirks,
// DDB-TABLE-153).
func (c *Capacity) ReleaseIndex(now time.Time) {
	c.Provisioned.decreases, c.Provisioned.lastDecrease = c.Provisioned.decreasesOn(now)+1, now
	c.Release()
}

// Provision prepares the switch to PROVISIONED: the table stays as warm as it is.
func (c *Capacity) Provision() {
	c.OnDemand = OnDemand{}
	c.keepWarm(warmOnDemand)
}

// Change sets other units; what is "table" or "index x".
func (c *Capacity) Change(to Units, now time.Time, what string) error {
	had := c.Provisioned.Units
	if err := c.Provisioned.change(to, now, what); err != nil {
		return err
	}
	c.keepWarm(had)
	return nil
}

// keepWarm keeps at least the old warm throughput, which never decreases (ack-api-quirks,
// DDB-TABLE-061, a probe of the service).
func (c *Capacity) keepWarm(had Units) {
	c.Warm.units.Read = max(c.Warm.units.Read, had.Read)
	c.Warm.units.Write = max(c.Warm.units.Write, had.Write)
}

// decrease counts a decrease. It returns an error if no more are allowed today.
func (p *provisioned) decrease(now time.Time) error {
	made := p.decreasesOn(now)
	next := p.lastDecrease.Add(decreaseInterval)
	if made >= freeDecreases && now.Before(next) {
		// the form of ack-api-quirks, DDB-TABLE-184 and -326
		const layout = "Monday, January 2, 2006 at 3:04:05 PM Coordinated Universal Time"
		if midnight := now.UTC().Truncate(day).Add(day); next.After(midnight) {
			next = midnight
		}
		return ErrLimit("Provisioned throughput decreases are limited within a given UTC day. "+
			"After the first %d decreases, each subsequent decrease in the same UTC day can be performed at most once every %d seconds. "+
			"Number of decreases today: %d. Last decrease at %s. Next decrease can be made at %s",
			freeDecreases, int(decreaseInterval.Seconds()), made,
			p.lastDecrease.UTC().Format(layout), next.UTC().Format(layout))
	}
	p.decreases, p.lastDecrease = made+1, now
	return nil
}

// decreasesOn returns the number of decreases on the UTC day of a point in time.
func (p *provisioned) decreasesOn(now time.Time) int64 {
	if p.decreases > 0 && now.UTC().Truncate(day).Equal(p.lastDecrease.UTC().Truncate(day)) {
		return p.decreases
	}
	return 0
}

// ErrLimit returns a LimitExceededException. All their messages begin alike.
func ErrLimit(format string, args ...any) error {
	return &apierr.Error{
		Type:    apierr.LimitExceeded,
		Message: "Subscriber limit exceeded: " + fmt.Sprintf(format, args...),
	}
}
