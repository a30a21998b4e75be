//go:build go1.25

package zoo

import (
	"context"
	"fmt"

	"github.com/kugiri-db/kugiri/emulator/explore"
)

// visits is the counter of a page.
var visits = key("COUNTER", "visits")

// counts checks a number once all workers have ended.
func counts(k item, name string, want int) func(*explore.X) {
	return func(x *explore.X) {
		x.Check(func(ctx context.Context, db client) error {
			it, err := get(ctx, db, k)
			if err == nil && it.number(name) != want {
				err = fmt.Errorf("%s is %d, not %d", name, it.number(name), want)
			}
			return err
		})
	}
}

// two has two workers do the same, and then checks.
func two(work func(ctx context.Context, db client, who string) error,
	checks ...func(*explore.X)) func(*explore.X) {
	return func(x *explore.X) {
		for _, who := range []string{"alice", "bob"} {
			x.Go(who, func(ctx context.Context, db client) error { return work(ctx, db, who) })
		}
		for _, check := range checks {
			check(x)
		}
	}
}

// one has one worker do something, and then checks.
func one(work explore.Work, checks ...func(*explore.X)) func(*explore.X) {
	return func(x *explore.X) {
		x.Go("alice", work)
		for _, check := range checks {
			check(x)
		}
	}
}

var counters = []specimen{
	{
		name: "a counter is read and put", kind: explore.LostUpdate, switches: 2,
		broken: two(func(ctx context.Context, db client, _ string) error {
			it, err := get(ctx, db, visits)
			if err != nil {
				return err
			}
			return put(ctx, db, visits.with(item{"n": it.number("n") + 1}))
		}),
		mended: two(func(ctx context.Context, db client, _ string) error {
			_, err := update(ctx, db, visits, "ADD n :one", item{":one": 1})
			return err
		}, counts(visits, "n", 2)),
	},
	{
		name: "a counter is read and set", kind: explore.LostUpdate, switches: 2,
		broken: two(func(ctx context.Context, db client, _ string) error {
			it, err := get(ctx, db, visits)
			if err != nil {
				return err
			}
			_, err = update(ctx, db, visits, "SET n = :n", item{":n": it.number("n") + 1})
			return err
		}),
		mended: two(func(ctx context.Context, db client, _ string) error {
			return untilAccepted(func() error {
				it, err := get(ctx, db, visits)
				if err != nil {
					return err
				}
				n := it.number("n")
				_, err = updateIf(ctx, db, visits, "SET n = :n", "n = :read",
					item{":n": n + 1, ":read": n})
				return err
			})
		}, counts(visits, "n", 2)),
	},
	{
		name: "a sequence gives a number twice", kind: explore.LostUpdate, switches: 2,
		broken: two(func(ctx context.Context, db client, _ string) error {
			it, err := get(ctx, db, visits)
			if err != nil {
				return err
			}
			next := it.number("n") + 1
			explore.Result(ctx, next)
			return put(ctx, db, visits.with(item{"n": next}))
		}),
		mended: two(func(ctx context.Context, db client, _ string) error {
			it, err := update(ctx, db, visits, "ADD n :one", item{":one": 1})
			explore.Result(ctx, it.number("n"))
			return err
		}, counts(visits, "n", 2)),
	},
	{
		name: "ADD is sent again after its answer was lost", kind: explore.Checked, faults: 1,
		broken: one(func(ctx context.Context, db client) error {
			_, err := update(ctx, db, visits, "ADD n :one", item{":one": 1})
			return err
		}, counts(visits, "n", 1)),
		mended: one(func(ctx context.Context, db client) error {
			return transact(ctx, db, updates(visits, "ADD n :one", "", item{":one": 1}))
		}, counts(visits, "n", 1)),
		options: []explore.Option{explore.Faults(1, explore.LostAnswer)},
	},
	{
		name: "an increment remembers no request", kind: explore.Checked, faults: 1,
		broken: one(func(ctx context.Context, db client) error {
			_, err := update(ctx, db, visits, "SET n = n + :one", item{":one": 1})
			return err
		}, counts(visits, "n", 1)),
		mended: one(func(ctx context.Context, db client) error {
			_, err := updateIf(ctx, db, visits, "SET n = n + :one, lastly = :id",
				"attribute_not_exists(lastly) OR lastly <> :id", item{":one": 1, ":id": "r1"})
			if refused(err) {
				return nil // the request was carried out before
			}
			return err
		}, counts(visits, "n", 1)),
		options: []explore.Option{explore.Faults(1, explore.LostAnswer)},
	},
	{
		name: "the best score is overwritten", kind: explore.LostUpdate, switches: 2,
		broken: two(func(ctx context.Context, db client, who string) error {
			score := map[string]int{"alice": 30, "bob": 20}[who]
			it, err := get(ctx, db, key("SCORE", "game"))
			if err != nil || it.number("best") >= score {
				return err
			}
			return put(ctx, db, key("SCORE", "game").with(item{"best": score}))
		}),
		mended: two(func(ctx context.Context, db client, who string) error {
			score := map[string]int{"alice": 30, "bob": 20}[who]
			_, err := updateIf(ctx, db, key("SCORE", "game"), "SET best = :score",
				"best < :score", item{":score": score})
			if refused(err) {
				return nil // there is a better one
			}
			return err
		}, counts(key("SCORE", "game"), "best", 30)),
	},
	{
		name: "a like is counted twice", kind: explore.LostUpdate, switches: 2,
		broken: two(func(ctx context.Context, db client, _ string) error {
			like := key("LIKE#1", "carol")
			if it, err := get(ctx, db, like); err != nil || it != nil {
				return err
			}
			if err := put(ctx, db, like); err != nil {
				return err
			}
			_, err := update(ctx, db, key("POST", "1"), "ADD likes :one", item{":one": 1})
			return err
		}, counts(key("POST", "1"), "likes", 1)),
		mended: two(func(ctx context.Context, db client, _ string) error {
			err := transact(ctx, db, puts(key("LIKE#1", "carol"), absent, nil),
				updates(key("POST", "1"), "ADD likes :one", "", item{":one": 1}))
			if refused(err) {
				return nil // she likes it already
			}
			return err
		}, counts(key("POST", "1"), "likes", 1)),
	},
	{
		name: "a total is counted and put", kind: explore.Checked, switches: 2,
		broken: two(func(ctx context.Context, db client, who string) error {
			if err := put(ctx, db, key("COMMENTS", who)); err != nil {
				return err
			}
			all, err := list(ctx, db, "COMMENTS")
			if err != nil {
				return err
			}
			return put(ctx, db, key("POST", "2").with(item{"comments": len(all)}))
		}, counts(key("POST", "2"), "comments", 2)),
		mended: two(func(ctx context.Context, db client, who string) error {
			return transact(ctx, db, puts(key("COMMENTS", who), absent, nil),
				updates(key("POST", "2"), "ADD comments :one", "", item{":one": 1}))
		}, counts(key("POST", "2"), "comments", 2)),
	},
	{
		name: "a limit of requests is read before it is counted", kind: explore.LostUpdate,
		switches: 2,
		broken: two(func(ctx context.Context, db client, _ string) error {
			it, err := get(ctx, db, visits)
			if err != nil || it.number("n") >= 1 {
				return err
			}
			explore.Result(ctx, "goes on")
			return put(ctx, db, visits.with(item{"n": it.number("n") + 1}))
		}),
		mended: two(func(ctx context.Context, db client, _ string) error {
			_, err := updateIf(ctx, db, visits, "ADD n :one", "n < :most",
				item{":one": 1, ":most": 1})
			if refused(err) {
				return nil // too many requests
			}
			explore.Result(ctx, "goes on")
			return err
		}, counts(visits, "n", 1)),
	},
}
