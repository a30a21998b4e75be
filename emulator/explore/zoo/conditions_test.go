//go:build go1.25

package zoo

import (
	"context"
	"errors"
	"fmt"

	"github.com/kugiri-db/kugiri/emulator/explore"
)

// agree checks something about an item collection once all workers have ended.
func agree(pk, what string, holds func(all []item) bool) func(*explore.X) {
	return func(x *explore.X) {
		x.Check(func(ctx context.Context, db client) error {
			all, err := list(ctx, db, pk)
			if err == nil && !holds(all) {
				err = fmt.Errorf("%s: %v", what, all)
			}
			return err
		})
	}
}

var balance = key("ACCOUNT#a", "balance")

func solvent(x *explore.X) {
	agree("ACCOUNT#a", "the account is overdrawn",
		func(all []item) bool { return all[0].number("cents") >= 0 })(x)
}

var conditions = []specimen{
	{
		name: "a balance is checked before it is spent", kind: explore.Checked, switches: 2,
		broken: two(func(ctx context.Context, db client, _ string) error {
			it, err := get(ctx, db, balance)
			if err != nil || it.number("cents") < 70 {
				return err
			}
			_, err = update(ctx, db, balance, "SET cents = cents - :price", item{":price": 70})
			return err
		}, solvent),
		mended: two(func(ctx context.Context, db client, _ string) error {
			_, err := updateIf(ctx, db, balance, "SET cents = cents - :price", "cents >= :price",
				item{":price": 70})
			if refused(err) {
				return nil // too little money
			}
			return err
		}, solvent),
	},
	{
		name: "a name is taken twice", kind: explore.LostUpdate, switches: 2,
		broken: two(func(ctx context.Context, db client, who string) error {
			if it, err := get(ctx, db, key("NAME#neko", "-")); err != nil || it != nil {
				return err
			}
			return put(ctx, db, key("NAME#neko", "-").with(item{"holder": who}))
		}),
		mended: two(func(ctx context.Context, db client, who string) error {
			err := putIf(ctx, db, key("NAME#neko", "-").with(item{"holder": who}), absent, nil)
			if refused(err) {
				return nil // the name is taken
			}
			return err
		}, agree("NAME#neko", "nobody has the name",
			func(all []item) bool { return len(all) == 1 })),
	},
	{
		name: "an e-mail address has two users", kind: explore.LostUpdate, switches: 2,
		broken: two(func(ctx context.Context, db client, who string) error {
			mail := key("MAIL#x@example.com", "-")
			if it, err := get(ctx, db, mail); err != nil || it != nil {
				return err
			}
			if err := put(ctx, db, mail); err != nil {
				return err
			}
			return put(ctx, db, key("USERS", who))
		}),
		mended: two(func(ctx context.Context, db client, who string) error {
			err := transact(ctx, db, puts(key("MAIL#x@example.com", "-"), absent, nil),
				puts(key("USERS", who), absent, nil))
			if refused(err) {
				return nil // the address is taken
			}
			return err
		}, agree("USERS", "users", func(all []item) bool { return len(all) == 1 })),
	},
	{
		name: "a coupon is redeemed twice", kind: explore.LostUpdate, switches: 2,
		broken: two(func(ctx context.Context, db client, _ string) error {
			it, err := get(ctx, db, key("COUPON", "SALE"))
			if err != nil || it.number("uses") > 0 {
				return err
			}
			_, err = update(ctx, db, key("COUPON", "SALE"), "ADD uses :one", item{":one": 1})
			return err
		}, counts(key("COUPON", "SALE"), "uses", 1)),
		mended: two(func(ctx context.Context, db client, _ string) error {
			_, err := updateIf(ctx, db, key("COUPON", "SALE"), "ADD uses :one", "uses = :none",
				item{":one": 1, ":none": 0})
			if refused(err) {
				return nil // it is used
			}
			return err
		}, counts(key("COUPON", "SALE"), "uses", 1)),
	},
	{
		name: "a job is claimed by two workers", kind: explore.LostUpdate, switches: 2,
		broken: two(func(ctx context.Context, db client, who string) error {
			all, err := list(ctx, db, "JOB")
			if err != nil || all[0]["phase"] != "pending" {
				return err
			}
			_, err = update(ctx, db, key("JOB", "1"), "SET phase = :claimed, worker = :who",
				item{":claimed": "claimed", ":who": who})
			return err
		}),
		mended: two(func(ctx context.Context, db client, who string) error {
			all, err := list(ctx, db, "JOB")
			if err != nil || all[0]["phase"] != "pending" {
				return err
			}
			_, err = updateIf(ctx, db, key("JOB", "1"), "SET phase = :claimed, worker = :who",
				"phase = :pending",
				item{":claimed": "claimed", ":who": who, ":pending": "pending"})
			if refused(err) {
				return nil // somebody else has it
			}
			return err
		}),
	},
	{
		name: "the last seat is held twice", kind: explore.Checked, switches: 2,
		broken: two(func(ctx context.Context, db client, who string) error {
			all, err := list(ctx, db, "SEATS")
			if err != nil || len(all) >= 1 {
				return err
			}
			return put(ctx, db, key("SEATS", who))
		}, agree("SEATS", "holds", func(all []item) bool { return len(all) == 1 })),
		mended: two(func(ctx context.Context, db client, who string) error {
			err := transact(ctx, db, puts(key("SEATS", who), absent, nil),
				updates(key("STOCK", "sku1"), "ADD units :minus", "units > :none",
					item{":minus": -1, ":none": 0}))
			if refused(err) {
				return nil // none is left
			}
			return err
		}, agree("SEATS", "holds", func(all []item) bool { return len(all) == 1 })),
	},
	{
		name: "a semaphore lets too many in", kind: explore.LostUpdate, switches: 2,
		broken: two(func(ctx context.Context, db client, who string) error {
			it, err := get(ctx, db, key("SEMAPHORE", "-"))
			if err != nil {
				return err
			}
			if holders, _ := it["holders"].([]string); len(holders) >= 1 {
				return nil
			}
			_, err = update(ctx, db, key("SEMAPHORE", "-"), "ADD holders :who",
				item{":who": []string{who}})
			return err
		}, oneHolder),
		mended: two(func(ctx context.Context, db client, who string) error {
			_, err := updateIf(ctx, db, key("SEMAPHORE", "-"), "ADD holders :who",
				"attribute_not_exists(holders) OR size(holders) < :most",
				item{":who": []string{who}, ":most": 1})
			if refused(err) {
				return nil // it is full
			}
			return err
		}, oneHolder),
	},
	{
		name: "two doctors leave at once", kind: explore.Checked, switches: 2,
		broken: two(func(ctx context.Context, db client, who string) error {
			me, other := doctors(who)
			it, err := get(ctx, db, other)
			if err != nil || it["duty"] != "yes" {
				return err
			}
			_, err = update(ctx, db, me, "SET duty = :no", item{":no": "no"})
			return err
		}, onDuty),
		mended: two(func(ctx context.Context, db client, who string) error {
			me, other := doctors(who)
			err := transact(ctx, db, checks(other, "duty = :yes", item{":yes": "yes"}),
				updates(me, "SET duty = :no", "", item{":no": "no"}))
			if refused(err) {
				return nil // the other has left
			}
			return err
		}, onDuty),
	},
	{
		name: "a folder is deleted while it gets a file", kind: explore.Checked, switches: 2,
		broken: func(x *explore.X) {
			x.Go("cleaner", func(ctx context.Context, db client) error {
				all, err := list(ctx, db, "FILES#inbox")
				if err != nil || len(all) > 0 {
					return err
				}
				return remove(ctx, db, key("FOLDER", "inbox"))
			})
			x.Go("writer", func(ctx context.Context, db client) error {
				if it, err := get(ctx, db, key("FOLDER", "inbox")); err != nil || it == nil {
					return err
				}
				return put(ctx, db, key("FILES#inbox", "1"))
			})
			noOrphans(x)
		},
		mended: func(x *explore.X) {
			x.Go("cleaner", func(ctx context.Context, db client) error {
				err := removeIf(ctx, db, key("FOLDER", "inbox"), "children = :none",
					item{":none": 0})
				if refused(err) {
					return nil // it has files
				}
				return err
			})
			x.Go("writer", func(ctx context.Context, db client) error {
				err := transact(ctx, db, puts(key("FILES#inbox", "1"), "", nil),
					updates(key("FOLDER", "inbox"), "ADD children :one", present,
						item{":one": 1}))
				if refused(err) {
					return nil // the folder is gone
				}
				return err
			})
			noOrphans(x)
		},
	},
	{
		name: "an old item is deleted after it was renewed", kind: explore.LostUpdate, switches: 2,
		broken: renewed(func(ctx context.Context, db client, k item) error {
			return remove(ctx, db, k)
		}),
		mended: renewed(func(ctx context.Context, db client, k item) error {
			err := removeIf(ctx, db, k, "seen < :old", item{":old": 5})
			if refused(err) {
				return nil // it was renewed
			}
			return err
		}),
	},
	{
		name: "an old connection removes the new one", kind: explore.Checked, switches: 1,
		broken: connections(func(ctx context.Context, db client, id string) error {
			return remove(ctx, db, key("ONLINE", "carol"))
		}),
		mended: connections(func(ctx context.Context, db client, id string) error {
			err := removeIf(ctx, db, key("ONLINE", "carol"), "connection = :id", item{":id": id})
			if refused(err) {
				return nil // there is a newer one
			}
			return err
		}),
	},
}

func oneHolder(x *explore.X) {
	agree("SEMAPHORE", "holders", func(all []item) bool {
		holders, _ := all[0]["holders"].([]string)
		return len(holders) == 1
	})(x)
}

func doctors(who string) (me, other item) {
	ann, ben := key("DOCTORS", "ann"), key("DOCTORS", "ben")
	if who == "alice" {
		return ann, ben
	}
	return ben, ann
}

func onDuty(x *explore.X) {
	agree("DOCTORS", "nobody is on duty", func(all []item) bool {
		return all[0]["duty"] == "yes" || all[1]["duty"] == "yes"
	})(x)
}

func noOrphans(x *explore.X) {
	x.Check(func(ctx context.Context, db client) error {
		folder, err := get(ctx, db, key("FOLDER", "inbox"))
		if err != nil || folder != nil {
			return err
		}
		return noItems(ctx, db, "FILES#inbox", "files of a folder that is gone")
	})
}

func noItems(ctx context.Context, db client, pk, what string) error {
	all, err := list(ctx, db, pk)
	if err == nil && len(all) > 0 {
		err = fmt.Errorf("%s: %v", what, all)
	}
	return err
}

// renewed has a cleaner remove what nobody has seen for long, while a user comes back. If the user
// was let in, the session is there.
func renewed(removes func(ctx context.Context, db client, k item) error) func(*explore.X) {
	return func(x *explore.X) {
		x.Go("cleaner", func(ctx context.Context, db client) error {
			all, err := list(ctx, db, "SESSION")
			for _, it := range all {
				if err == nil && it.number("seen") < 5 {
					err = removes(ctx, db, key("SESSION", it["sk"].(string)))
				}
			}
			return err
		})
		in := false
		x.Go("user", func(ctx context.Context, db client) error {
			_, err := updateIf(ctx, db, key("SESSION", "s1"), "SET seen = :now", present,
				item{":now": 9})
			in = err == nil
			return nil
		})
		x.Check(func(ctx context.Context, db client) error {
			it, err := get(ctx, db, key("SESSION", "s1"))
			if err == nil && it == nil && in {
				err = errors.New("the session that was renewed is gone")
			}
			return err
		})
	}
}

// connections has a new connection open while the old one closes.
func connections(closes func(ctx context.Context, db client, id string) error) func(*explore.X) {
	return func(x *explore.X) {
		x.Go("old", func(ctx context.Context, db client) error {
			return closes(ctx, db, "1")
		})
		x.Go("new", func(ctx context.Context, db client) error {
			return put(ctx, db, key("ONLINE", "carol").with(item{"connection": "2"}))
		})
		agree("ONLINE", "connections", func(all []item) bool { return len(all) == 1 })(x)
	}
}
