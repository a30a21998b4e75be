package emulator

import (
	"math"
	"slices"

	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// injectFaults applies the faults that match a request.
func injectFaults(c *call, in any) error {
	active := c.service.faults.active.Load()
	if active == nil {
		return nil
	}
	err := c.applyFaults(active, in)
	if err == nil && c.faults != nil && c.faults.lost {
		c.atEnd = append(c.atEnd, func(_, _ any, _ error) error { return errNoAnswer })
	}
	return err
}

// applyFaults applies the faults that match a decoded request. On an error the caller must not run
// the request.
func (c *call) applyFaults(active *activeFaults, in any) error {
	if active.remember > 0 && !c.store.Remembers(active.remember) {
		c.service.faults.remember(c.store)
	}
	targets := c.targets(in)
	if len(targets) == 0 {
		return nil
	}
	r := &fault.Request{Operation: c.operation.Name, Targets: make([]fault.Target, len(targets))}
	for i, t := range targets {
		r.Targets[i] = fault.Target{Table: t.table, Index: t.index, Write: t.write, Item: t.known}
	}
	for _, injector := range active.injectors {
		if !c.operation.canHave(injector.Fault.Do.Kind, targets) {
			continue
		}
		chosen := injector.Match(r)
		if chosen == nil {
			continue
		}
		if err := c.applyFault(injector, r, chosen); err != nil {
			return err
		}
	}
	return nil
}

// canHave reports whether a kind of effect is possible for a request with the targets.
func (o *operation) canHave(kind fault.Kind, targets []target) bool {
	if !kind.PossibleFor(o.Operation) {
		return false
	}
	writes := slices.ContainsFunc(targets, func(t target) bool { return t.write })
	eventual := slices.ContainsFunc(targets, func(t target) bool { return t.eventual })
	switch kind {
	case fault.KindReplicatedWriteConflict, fault.KindTransactionInProgress:
		return writes
	case fault.KindTransactionConflict:
		return writes || o.Parts == catalog.Together && o.Access != catalog.Writes
	case fault.KindStaleReads:
		return eventual
	case fault.KindLaggingIndexes:
		return eventual && slices.ContainsFunc(targets, func(t target) bool { return t.index != "" })
	}
	return true
}

// applyFault applies a fault to a request or to its chosen targets. It returns the error of an
// effect that refuses the request at once. Other effects apply while the operation runs. Reads of
// the past count their hits themselves.
func (c *call) applyFault(in *fault.Injector, r *fault.Request, chosen []bool) error {
	do := &in.Fault.Do
	switch do.Kind {
	case fault.KindStaleReads:
		if f := c.ensureFaults(); f.stale == nil {
			f.stale = &pastReads{injector: in, chosen: chosen}
		}
		return nil
	case fault.KindLaggingIndexes:
		if f := c.ensureFaults(); f.lagging == nil {
			f.lagging = &pastReads{injector: in, chosen: chosen}
		}
		return nil
	}
	in.Hit(r.Operation, r.Targets[slices.Index(chosen, true)].Table)
	switch do.Kind {
	case fault.KindThrottle:
		return c.refuse(chosen, func(i int) error { return c.throttledBy(do, &r.Targets[i]) })
	case fault.KindUnprocessed:
		share := math.Ceil(do.Share * float64(countTrue(chosen)))
		return c.refuse(in.Sample(chosen, int(share)), func(i int) error { return c.throttledBy(do, &r.Targets[i]) })
	case fault.KindTransactionConflict:
		return c.refuse(chosen, func(int) error { return errConflict })
	case fault.KindReplicatedWriteConflict:
		return c.refuse(chosen, func(int) error { return errReplicatedConflict })
	case fault.KindLatency:
		if c.service.sleep(c.ctx, do.Delay) != nil {
			return errNoAnswer
		}
	case fault.KindLoseResponse:
		c.ensureFaults().lost = true
	case fault.KindRecall:
		c.ensureFaults().recall = in
	case fault.KindShortPages:
		f := c.ensureFaults()
		f.records = min(f.records, do.Records)
	default:
		return settledErrors[do.Kind]
	}
	return nil
}

// settledErrors maps kinds of effects to their errors, for kinds that always have the same error.
var settledErrors = map[fault.Kind]error{
	fault.KindInternalServerError:   errOurFault,
	fault.KindServiceUnavailable:    errServiceUnavailable,
	fault.KindDropConnection:        errNoAnswer,
	fault.KindTransactionInProgress: errTokenOpen,
	fault.KindExpiredIterator:       errExpired,
	fault.KindLimitExceeded:         errTooManyReaders,
}

func countTrue(list []bool) (n int) {
	for _, yes := range list {
		if yes {
			n++
		}
	}
	return n
}

// refuse refuses the chosen actions of a request. why returns the reason of each. A request with a
// single action fails, and a transaction is cancelled. In a batch only the chosen entries fail,
// unless all entries are throttled (API Reference, BatchGetItem and BatchWriteItem: "if none of the
// items can be processed").
func (c *call) refuse(chosen []bool, why func(i int) error) error {
	switch c.operation.Parts {
	case catalog.Single:
		return why(0)
	case catalog.Together:
		reasons := &apierr.Cancellation{Actions: len(chosen)}
		for i, yes := range chosen {
			if !yes {
				continue
			}
			if err := reasons.Add(i, why(i)); err != nil {
				return err
			}
		}
		return reasons.Canceled()
	}
	f := c.ensureFaults()
	if f.refused == nil {
		f.refused = make([]error, len(chosen))
	}
	for i, yes := range chosen {
		if yes && f.refused[i] == nil {
			f.refused[i] = why(i)
		}
	}
	if c.operation.Parts == catalog.Answered || slices.Contains(f.refused, nil) {
		return nil
	}
	return firstThrottled(f.refused)
}

// firstThrottled returns the first throttling error of the list, or nil.
func firstThrottled(list []error) error {
	for _, err := range list {
		if e := apierr.As(err); e != nil && e.Throttled != nil {
			return err
		}
	}
	return nil
}

// throttledBy returns the error of an effect that throttles an access to a target.
func (c *call) throttledBy(do *fault.Effect, t *fault.Target) error {
	x := apierr.Exceeded{Table: t.Table, Index: t.Index, Write: t.Write, OnDemand: c.isOnDemand(t.Table)}
	if do.Index != "" {
		x.Index = do.Index
	}
	resource, access, limit, _ := fault.SplitReason(do.Reason)
	if limit == "" {
		limit = fault.ProvisionedLimit
		if x.OnDemand {
			limit = fault.KeyRangeLimit
		}
	}
	x.Limit = limit
	if resource == "Table" {
		x.Index = ""
	}
	if access != "" {
		x.Write = access == "Write"
	}
	return c.throttled(x)
}

// isOnDemand reports whether a table exists and is PAY_PER_REQUEST.
func (c *call) isOnDemand(table string) (yes bool) {
	c.store.View(func(tx *storage.Tx) error {
		if t := tx.Table(table); t != nil {
			yes = tables.SettingsOf(tx, t).Billing.OnDemandMode()
		}
		return nil
	})
	return yes
}

// ensureFaults returns the applied faults of the call, and creates them if necessary.
func (c *call) ensureFaults() *appliedFaults {
	if c.faults == nil {
		c.faults = &appliedFaults{records: math.MaxInt}
	}
	return c.faults
}

// Errors that only faults cause.
var (
	errServiceUnavailable = &apierr.Error{Type: apierr.ServiceUnavailable, Message: "DynamoDB is currently unavailable."}
	errReplicatedConflict = &apierr.Error{Type: apierr.ReplicatedWriteConflict, Message: "One or more items in this request are being modified by a request in another Region."}
	errTooManyReaders     = &apierr.Error{Type: apierr.LimitExceeded, Message: "Too many operations for a given subscriber."}
)
