//go:build go1.25

package zoo

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/emulator/explore"
)

// clocks are programs whose workers compute a time and send it.
var clocks = []specimen{
	{
		name: "a lock ends while its holder works", kind: explore.LostUpdate, switches: 2, faults: 1,
		broken: two(underTimedLock(func(ctx context.Context, db client, it item, n int) error {
			return put(ctx, db, it)
		}), countsLocked),
		mended: two(underTimedLock(func(ctx context.Context, db client, it item, n int) error {
			return putIf(ctx, db, it, "n = :read", item{":read": n})
		}), countsLocked),
		options: clockMoves,
	},
	{
		name: "a seat is paid for after its hold has ended", kind: explore.LostUpdate, switches: 2,
		faults: 1,
		broken: two(holdAndPay(func(int) (string, item) { return "", nil }), paidByHolder),
		mended: two(holdAndPay(func(now int) (string, item) {
			return "holder = :me AND ends >= :now", item{":now": now}
		}), paidByHolder),
		options: clockMoves,
	},
	{
		name: "an event is stamped before it is written", kind: explore.Checked, switches: 2,
		faults: 1,
		broken: appends(func(ctx context.Context, db client, who string) error {
			at := strconv.FormatInt(time.Now().Unix(), 10)
			return put(ctx, db, key("EVENTS", at+"#"+who))
		}),
		mended: appends(func(ctx context.Context, db client, who string) error {
			return untilAccepted(func() error {
				all, err := list(ctx, db, "EVENTS")
				if err != nil {
					return err
				}
				return putIf(ctx, db, key("EVENTS", fmt.Sprintf("%010d", len(all)+1)), absent, nil)
			})
		}),
		options: clockMoves,
	},
}

var clockMoves = []explore.Option{explore.Faults(1, explore.Later),
	explore.ClockMoves(5 * time.Minute)}

// underTimedLock has a worker count under a lock of a minute, whose end it computes from its clock.
func underTimedLock(write func(ctx context.Context, db client, it item, n int) error,
) func(ctx context.Context, db client, who string) error {
	return underTimedLockBy(func(context.Context) time.Time { return time.Now() }, write)
}

func underTimedLockBy(clock func(context.Context) time.Time,
	write func(ctx context.Context, db client, it item, n int) error,
) func(ctx context.Context, db client, who string) error {
	return func(ctx context.Context, db client, who string) error {
		now := int(clock(ctx).Unix())
		lock := key("LOCK", "clock").with(item{"holder": who, "ends": now + 60})
		if err := putIf(ctx, db, lock, absent+" OR ends < :now", item{":now": now}); err != nil {
			return err // another one counts
		}
		it, err := get(ctx, db, visits)
		if err != nil {
			return err
		}
		n := it.number("n")
		return write(ctx, db, it.with(item{"n": n + 1, who: 1}), n)
	}
}

// holdAndPay has a worker hold a seat for a minute, and then pay for it under a condition.
func holdAndPay(condition func(now int) (string, item),
) func(ctx context.Context, db client, who string) error {
	seat := key("SEAT", "1")
	return func(ctx context.Context, db client, who string) error {
		now := int(time.Now().Unix())
		_, err := updateIf(ctx, db, seat, "SET holder = :me, ends = :ends",
			"attribute_not_exists(paid) AND (attribute_not_exists(holder) OR ends < :now)",
			item{":me": who, ":ends": now + 60, ":now": now})
		if err != nil {
			return err // another one holds it
		}
		only, values := condition(int(time.Now().Unix()))
		if values == nil {
			values = item{}
		}
		values[":me"] = who
		_, err = updateIf(ctx, db, seat, "SET paid = :me", only, values)
		return err
	}
}

func paidByHolder(x *explore.X) {
	agree("SEAT", "who has paid does not hold the seat", func(all []item) bool {
		return len(all) == 1 && (all[0]["paid"] == nil || all[0]["paid"] == all[0]["holder"])
	})(x)
}

// appends has two workers append an event each, and one read them. An event that is written later
// must not have an earlier stamp than one that was read.
func appends(event func(ctx context.Context, db client, who string) error) func(*explore.X) {
	stamp := func(it item) string {
		at, _, _ := strings.Cut(it["sk"].(string), "#")
		return at
	}
	return func(x *explore.X) {
		seen, last := map[any]bool{}, ""
		for _, who := range []string{"alice", "bob"} {
			x.Go(who, func(ctx context.Context, db client) error { return event(ctx, db, who) })
		}
		x.Go("reader", func(ctx context.Context, db client) error {
			all, err := list(ctx, db, "EVENTS")
			for _, it := range all {
				seen[it["sk"]], last = true, stamp(it)
			}
			return err
		})
		x.Check(func(ctx context.Context, db client) error {
			all, err := list(ctx, db, "EVENTS")
			for _, it := range all {
				if stamp(it) < last && !seen[it["sk"]] {
					err = fmt.Errorf("%v was written after a later one was read", it["sk"])
				}
			}
			return err
		})
	}
}
