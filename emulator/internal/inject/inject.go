package inject

import (
	"math"
	"slices"

	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/faults"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// Faults applies the faults that match a request.
func Faults(c *serve.Call, in any) error {
	active := c.Service.Faults.Active.Load()
	if active == nil {
		return nil
	}
	err := applyFaults(c, active, in)
	if err == nil && c.Faults != nil && c.Faults.Lost {
		c.AtEnd = append(c.AtEnd, func(_, _ any, _ error) error { return serve.ErrNoAnswer })
	}
	return err
}

// applyFaults applies the faults that match a decoded request. On an error the caller must not run
// the request.
func applyFaults(c *serve.Call, active *faults.ActiveFaults, in any) error {
	if active.Remember > 0 && !c.Store.Remembers(active.Remember) {
		c.Service.Faults.Remember(c.Store)
	}
	targets := c.Targets(in)
	if len(targets) == 0 {
		return nil
	}
	r := &fault.Request{Operation: c.Operation.Name, Targets: make([]fault.Target, len(targets))}
	for i, t := range targets {
		r.Targets[i] = fault.Target{Table: t.Table, Index: t.Index, Write: t.Write, Item: t.Known}
	}
	for _, injector := range active.Injectors {
		if !canHave(c.Operation, injector.Fault.Do.Kind, targets) {
			continue
		}
		chosen := injector.Match(r)
		if chosen == nil {
			continue
		}
		if err := applyFault(c, injector, r, chosen); err != nil {
			return err
		}
	}
	return nil
}

// canHave reports whether a kind of effect is possible for a request with the targets.
func canHave(o *serve.Operation, kind fault.Kind, targets []serve.Target) bool {
	if !kind.PossibleFor(o.Operation) {
		return false
	}
	writes := slices.ContainsFunc(targets, func(t serve.Target) bool { return t.Write })
	eventual := slices.ContainsFunc(targets, func(t serve.Target) bool { return t.Eventual })
	switch kind {
	case fault.KindReplicatedWriteConflict, fault.KindTransactionInProgress:
		return writes
	case fault.KindTransactionConflict:
		return writes || o.Parts == catalog.Together && o.Access != catalog.Writes
	case fault.KindStaleReads:
		return eventual
	case fault.KindLaggingIndexes:
		return eventual &&
			slices.ContainsFunc(targets, func(t serve.Target) bool { return t.Index != "" })
	}
	return true
}

// applyFault applies a fault to a request or to its chosen targets. It returns the error of an
// effect that refuses the request at once. Other effects apply while the operation runs. Reads of
// the past count their hits themselves.
func applyFault(c *serve.Call, in *fault.Injector, r *fault.Request, chosen []bool) error {
	do := &in.Fault.Do
	switch do.Kind {
	case fault.KindStaleReads:
		if f := ensureFaults(c); f.Stale == nil {
			f.Stale = &faults.PastReads{Injector: in, Chosen: chosen}
		}
		return nil
	case fault.KindLaggingIndexes:
		if f := ensureFaults(c); f.Lagging == nil {
			f.Lagging = &faults.PastReads{Injector: in, Chosen: chosen}
		}
		return nil
	}
	in.Hit(r.Operation, r.Targets[slices.Index(chosen, true)].Table)
	switch do.Kind {
	case fault.KindThrottle:
		return refuse(c, chosen, func(i int) error { return throttledBy(c, do, &r.Targets[i]) })
	case fault.KindUnprocessed:
		share := math.Ceil(do.Share * float64(countTrue(chosen)))
		return refuse(c, in.Sample(chosen, int(share)),
			func(i int) error { return throttledBy(c, do, &r.Targets[i]) })
	case fault.KindTransactionConflict:
		return refuse(c, chosen, func(int) error { return serve.ErrConflict })
	case fault.KindReplicatedWriteConflict:
		return refuse(c, chosen, func(int) error { return errReplicatedConflict })
	case fault.KindLatency:
		if c.Service.Sleep(c.Ctx, do.Delay) != nil {
			return serve.ErrNoAnswer
		}
	case fault.KindLoseResponse:
		ensureFaults(c).Lost = true
	case fault.KindRecall:
		ensureFaults(c).Recall = in
	case fault.KindShortPages:
		f := ensureFaults(c)
		f.Records = min(f.Records, do.Records)
	default:
		return settledErrors[do.Kind]
	}
	return nil
}

// settledErrors maps kinds of effects to their errors, for kinds that always have the same error.
var settledErrors = map[fault.Kind]error{
	fault.KindInternalServerError:   serve.ErrOurFault,
	fault.KindServiceUnavailable:    errServiceUnavailable,
	fault.KindDropConnection:        serve.ErrNoAnswer,
	fault.KindTransactionInProgress: serve.ErrTokenOpen,
	fault.KindExpiredIterator:       serve.ErrExpired,
	fault.KindLimitExceeded:         errTooManyReaders,
	fault.KindRateExceeded:          serve.ErrRate,
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
func refuse(c *serve.Call, chosen []bool, why func(i int) error) error {
	switch c.Operation.Parts {
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
	f := ensureFaults(c)
	if f.Refused == nil {
		f.Refused = make([]error, len(chosen))
	}
	for i, yes := range chosen {
		if yes && f.Refused[i] == nil {
			f.Refused[i] = why(i)
		}
	}
	if c.Operation.Parts == catalog.Answered || slices.Contains(f.Refused, nil) {
		return nil
	}
	return firstThrottled(f.Refused)
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
func throttledBy(c *serve.Call, do *fault.Effect, t *fault.Target) error {
	x := apierr.Exceeded{
		Table: t.Table, Index: t.Index, Write: t.Write, OnDemand: isOnDemand(c, t.Table),
	}
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
	return c.Throttled(x)
}

// isOnDemand reports whether a table exists and is PAY_PER_REQUEST.
func isOnDemand(c *serve.Call, table string) (yes bool) {
	c.Store.View(func(tx *storage.Tx) error {
		if t := tx.Table(table); t != nil {
			yes = tables.SettingsOf(tx, t).Billing.OnDemandMode()
		}
		return nil
	})
	return yes
}

// ensureFaults returns the applied faults of the call, and creates them if necessary.
func ensureFaults(c *serve.Call) *faults.AppliedFaults {
	if c.Faults == nil {
		c.Faults = &faults.AppliedFaults{Records: math.MaxInt}
	}
	return c.Faults
}

// Errors that only faults cause.
var (
	errServiceUnavailable = &apierr.Error{
		Type: apierr.ServiceUnavailable, Message: "DynamoDB is currently unavailable.",
	}
	errReplicatedConflict = &apierr.Error{
		Type:    apierr.ReplicatedWriteConflict,
		Message: "One or more items in this request are being modified by a request in another Region.",
	}
	errTooManyReaders = &apierr.Error{
		Type: apierr.LimitExceeded, Message: "Too many operations for a given subscriber.",
	}
)
