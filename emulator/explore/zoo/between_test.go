//go:build go1.25

package zoo

import (
	"context"
	"fmt"
	"time"

	"github.com/kugiri-db/kugiri/emulator/explore"
)

// between are programs that go wrong between two requests, or that never end.
var between = []specimen{
	{
		name: "an amount is nowhere between two requests", kind: explore.Invariant, switches: 0,
		broken: transfers(func(ctx context.Context, db client) error {
			_, err := updateIf(ctx, db, key("ACCOUNT", "a"), "ADD n :d", "", item{":d": -1})
			if err != nil {
				return err
			}
			_, err = updateIf(ctx, db, key("ACCOUNT", "b"), "ADD n :d", "", item{":d": 1})
			return err
		}),
		mended: transfers(func(ctx context.Context, db client) error {
			return transact(ctx, db,
				updates(key("ACCOUNT", "a"), "ADD n :d", "", item{":d": -1}),
				updates(key("ACCOUNT", "b"), "ADD n :d", "", item{":d": 1}))
		}),
	},
	{
		name: "a refused write is tried again with what was read before", kind: explore.Livelock,
		switches: 2,
		broken: two(func(ctx context.Context, db client, who string) error {
			it, err := get(ctx, db, visits)
			if err != nil {
				return err
			}
			return untilAccepted(func() error { return countsRead(ctx, db, it) })
		}),
		mended: two(func(ctx context.Context, db client, who string) error {
			return untilAccepted(func() error {
				it, err := get(ctx, db, visits)
				if err != nil {
					return err
				}
				return countsRead(ctx, db, it)
			})
		}),
	},
	{
		name: "a lock is taken over by the clock of another machine", kind: explore.LostUpdate,
		switches: 2, faults: 1,
		broken: two(underLockOf(func(ctx context.Context, db client, it item, n int) error {
			return put(ctx, db, it)
		}), countsLocked),
		mended: two(underLockOf(func(ctx context.Context, db client, it item, n int) error {
			return putIf(ctx, db, it, "n = :read", item{":read": n})
		}), countsLocked),
		options: []explore.Option{explore.Faults(1, explore.Skewed),
			explore.ClockSkew(5 * time.Minute)},
	},
}

// countsRead counts up what was read, if it is still the same.
func countsRead(ctx context.Context, db client, it item) error {
	n := it.number("n")
	return putIf(ctx, db, visits.with(item{"n": n + 1}), "attribute_not_exists(n) OR n = :read",
		item{":read": n})
}

// transfers has one worker move an amount, and another one look at an account.
func transfers(moves func(ctx context.Context, db client) error) func(*explore.X) {
	return func(x *explore.X) {
		x.Go("alice", moves)
		x.Go("bob", func(ctx context.Context, db client) error {
			_, err := get(ctx, db, key("ACCOUNT", "a"))
			return err
		})
		x.Always(func(ctx context.Context, db client) error {
			all, err := list(ctx, db, "ACCOUNT")
			sum := 0
			for _, it := range all {
				sum += it.number("n")
			}
			if err == nil && sum != 0 {
				err = fmt.Errorf("the accounts have %d together", sum)
			}
			return err
		})
	}
}

// underLockOf is underTimedLock by the clocks of two machines.
func underLockOf(write func(ctx context.Context, db client, it item, n int) error,
) func(ctx context.Context, db client, who string) error {
	return underTimedLockBy(explore.Now, write)
}
