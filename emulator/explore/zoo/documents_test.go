//go:build go1.25

package zoo

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/emulator/explore"
)

// latest points at the newest version of a document.
var latest = key("DOC#1", "latest")

var profile = key("USER#1", "profile")

var documents = []specimen{
	{
		name: "a document is edited by two", kind: explore.LostUpdate, switches: 2,
		broken: two(func(ctx context.Context, db client, who string) error {
			it, err := get(ctx, db, latest)
			if err != nil {
				return err
			}
			return put(ctx, db, it.with(item{"body": fmt.Sprint(it["body"], " ", who)}))
		}),
		mended: two(func(ctx context.Context, db client, who string) error {
			return untilAccepted(func() error {
				it, err := get(ctx, db, latest)
				if err != nil {
					return err
				}
				rev := it.number("rev")
				return putIf(ctx, db,
					it.with(item{"body": fmt.Sprint(it["body"], " ", who), "rev": rev + 1}),
					"rev = :read", item{":read": rev})
			})
		}, counts(latest, "rev", 3)),
	},
	{
		name: "a refused write counts as done", kind: explore.Checked, switches: 2,
		broken: edits(func(ctx context.Context, db client) error {
			err := edit(ctx, db)
			if refused(err) {
				return nil // it is there already, somebody thought
			}
			return err
		}),
		mended: edits(func(ctx context.Context, db client) error {
			return untilAccepted(func() error { return edit(ctx, db) })
		}),
	},
	{
		name: "latest stays behind its version", kind: explore.LostUpdate, switches: 2,
		broken: two(func(ctx context.Context, db client, who string) error {
			it, err := get(ctx, db, latest)
			if err != nil {
				return err
			}
			rev := it.number("rev") + 1
			version := key("DOC#1", fmt.Sprint("v", rev)).with(item{"body": who})
			if err := put(ctx, db, version); err != nil {
				return err
			}
			return put(ctx, db, latest.with(item{"rev": rev, "body": who}))
		}),
		mended: two(func(ctx context.Context, db client, who string) error {
			return untilAccepted(func() error {
				it, err := get(ctx, db, latest)
				if err != nil {
					return err
				}
				rev := it.number("rev") + 1
				return transact(ctx, db,
					puts(key("DOC#1", fmt.Sprint("v", rev)).with(item{"body": who}), absent, nil),
					updates(latest, "SET rev = :rev, body = :body", "rev = :read",
						item{":rev": rev, ":body": who, ":read": rev - 1}))
			})
		}, counts(latest, "rev", 3), agree("DOC#1", "versions",
			func(all []item) bool { return len(all) == 4 })),
	},
	{
		name: "a list is read and put", kind: explore.LostUpdate, switches: 2,
		broken: two(func(ctx context.Context, db client, who string) error {
			it, err := get(ctx, db, key("POST", "1"))
			if err != nil {
				return err
			}
			tags, _ := it["tags"].([]any)
			return put(ctx, db, it.with(item{"tags": append(slices.Clone(tags), who)}))
		}),
		mended: two(func(ctx context.Context, db client, who string) error {
			_, err := update(ctx, db, key("POST", "1"), "SET tags = list_append(tags, :tag)",
				item{":tag": []any{who}})
			return err
		}, agree("POST", "tags", func(all []item) bool {
			tags, _ := all[0]["tags"].([]any)
			return len(tags) == 2
		})),
	},
	{
		name: "a set is read and put", kind: explore.LostUpdate, switches: 2,
		broken: two(func(ctx context.Context, db client, who string) error {
			it, err := get(ctx, db, key("TEAM", "1"))
			if err != nil {
				return err
			}
			members, _ := it["members"].([]string)
			return put(ctx, db,
				key("TEAM", "1").with(item{"members": append(slices.Clone(members), who)}))
		}),
		mended: two(func(ctx context.Context, db client, who string) error {
			_, err := update(ctx, db, key("TEAM", "1"), "ADD members :who",
				item{":who": []string{who}})
			return err
		}, agree("TEAM", "members", func(all []item) bool {
			members, _ := all[0]["members"].([]string)
			return len(members) == 2
		})),
	},
	{
		name: "a map is replaced as a whole", kind: explore.LostUpdate, switches: 2,
		broken: twoSettings(func(ctx context.Context, db client, name string, v any) error {
			it, err := get(ctx, db, profile)
			if err != nil {
				return err
			}
			settings := it["settings"].(item).with(item{name: v})
			_, err = update(ctx, db, profile, "SET settings = :all", item{":all": settings})
			return err
		}),
		mended: twoSettings(func(ctx context.Context, db client, name string, v any) error {
			_, err := update(ctx, db, profile, "SET settings."+name+" = :v", item{":v": v})
			return err
		}),
	},
	{
		name: "an old writer does not know a new attribute", kind: explore.LostUpdate, switches: 2,
		broken: migration("", nil),
		mended: migration("surname = :read", item{":read": "Ann"}),
	},
	{
		name: "an event overwrites another", kind: explore.LostUpdate, switches: 2,
		broken: two(func(ctx context.Context, db client, who string) error {
			all, err := list(ctx, db, "EVENTS")
			if err != nil {
				return err
			}
			k := key("EVENTS", fmt.Sprintf("%03d", len(all)+1))
			return put(ctx, db, k.with(item{"by": who}))
		}),
		mended: two(func(ctx context.Context, db client, who string) error {
			return untilAccepted(func() error {
				all, err := list(ctx, db, "EVENTS")
				if err != nil {
					return err
				}
				k := key("EVENTS", fmt.Sprintf("%03d", len(all)+1))
				return putIf(ctx, db, k.with(item{"by": who}), absent, nil)
			})
		}, agree("EVENTS", "events", func(all []item) bool { return len(all) == 2 })),
	},
	{
		name: "a cart is merged while it grows", kind: explore.Checked, switches: 2,
		broken: carts(func(ctx context.Context, db client, pens int) error {
			_, err := update(ctx, db, memberCart, "ADD pens :n", item{":n": pens})
			if err != nil {
				return err
			}
			return remove(ctx, db, guestCart)
		}),
		mended: carts(func(ctx context.Context, db client, pens int) error {
			return transact(ctx, db, updates(memberCart, "ADD pens :n", "", item{":n": pens}),
				removes(guestCart, "pens = :n", item{":n": pens}))
		}),
	},
	{
		name: "accounts are summed up while money moves", kind: explore.NotSerial, switches: 2,
		broken: audit(func(ctx context.Context, db client) (sum int, err error) {
			for _, k := range accounts {
				it, err := get(ctx, db, k)
				if err != nil {
					return 0, err
				}
				sum += it.number("cents")
			}
			return sum, nil
		}, move),
		mended:  audit(total, move),
		options: []explore.Option{explore.Serializable()},
	},
	{
		name: "the sides of a transfer are written one by one", kind: explore.NotSerial,
		switches: 2,
		broken: audit(total, func(ctx context.Context, db client) error {
			if _, err := update(ctx, db, accounts[0], "ADD cents :n",
				item{":n": -50}); err != nil {
				return err
			}
			_, err := update(ctx, db, accounts[1], "ADD cents :n", item{":n": 50})
			return err
		}),
		mended:  audit(total, move),
		options: []explore.Option{explore.Serializable()},
	},
}

// edit adds a revision to a document, if nobody else has.
func edit(ctx context.Context, db client) error {
	it, err := get(ctx, db, latest)
	if err != nil {
		return err
	}
	rev := it.number("rev")
	_, err = updateIf(ctx, db, latest, "SET rev = :next", "rev = :read",
		item{":next": rev + 1, ":read": rev})
	return err
}

// edits has two workers edit a document, and checks that each edit that was done is there.
func edits(work explore.Work) func(*explore.X) {
	return func(x *explore.X) {
		done := make([]int, 2)
		for i, who := range []string{"alice", "bob"} {
			x.Go(who, func(ctx context.Context, db client) error {
				err := work(ctx, db)
				if err == nil {
					done[i] = 1
				}
				return err
			})
		}
		x.Check(func(ctx context.Context, db client) error {
			it, err := get(ctx, db, latest)
			if want := 1 + done[0] + done[1]; err == nil && it.number("rev") != want {
				err = fmt.Errorf("the revision is %d, not %d", it.number("rev"), want)
			}
			return err
		})
	}
}

// twoSettings has two workers change a setting each.
func twoSettings(
	set func(ctx context.Context, db client, name string, v any) error) func(*explore.X) {
	return func(x *explore.X) {
		x.Go("color", func(ctx context.Context, db client) error {
			return set(ctx, db, "color", "blue")
		})
		x.Go("width", func(ctx context.Context, db client) error {
			return set(ctx, db, "width", 2)
		})
		x.Check(func(ctx context.Context, db client) error {
			it, err := get(ctx, db, profile)
			settings, _ := it["settings"].(item)
			if err == nil && (settings["color"] != "blue" || settings.number("width") != 2) {
				err = fmt.Errorf("a setting is lost: %v", settings)
			}
			return err
		})
	}
}

// migration has a program copy an attribute to its new name, while another one that knows the old
// name only changes it.
func migration(condition string, values item) func(*explore.X) {
	person := key("PERSON", "1")
	return func(x *explore.X) {
		x.Go("migration", func(ctx context.Context, db client) error {
			it, err := get(ctx, db, person)
			if err != nil || it["surname"] != "Ann" {
				return err
			}
			err = putIf(ctx, db, it.with(item{"fullName": it["surname"]}), condition, values)
			if refused(err) {
				return nil // the next round takes it
			}
			return err
		})
		x.Go("old writer", func(ctx context.Context, db client) error {
			_, err := update(ctx, db, person, "SET surname = :new", item{":new": "Ann Smith"})
			return err
		})
		x.Check(func(ctx context.Context, db client) error {
			it, err := get(ctx, db, person)
			if err == nil && it["surname"] != "Ann Smith" {
				err = errors.New("the change of name is lost")
			}
			return err
		})
	}
}

var guestCart, memberCart = key("CART#guest", "cart"), key("CART#member", "cart")

// carts has a guest's cart merged into a member's, while the guest adds a pen.
func carts(merge func(ctx context.Context, db client, pens int) error) func(*explore.X) {
	return func(x *explore.X) {
		x.Go("login", func(ctx context.Context, db client) error {
			return untilAccepted(func() error {
				it, err := get(ctx, db, guestCart)
				if err != nil {
					return err
				}
				return merge(ctx, db, it.number("pens"))
			})
		})
		added := 0
		x.Go("guest", func(ctx context.Context, db client) error {
			_, err := updateIf(ctx, db, guestCart, "ADD pens :one", present, item{":one": 1})
			if err == nil {
				added = 1
			}
			return nil
		})
		x.Check(func(ctx context.Context, db client) error {
			it, err := get(ctx, db, memberCart)
			if err == nil && it.number("pens") != 1+added {
				err = fmt.Errorf("%d pens are in the cart, not %d", it.number("pens"), 1+added)
			}
			return err
		})
	}
}

var accounts = []item{key("ACCOUNT#a", "balance"), key("ACCOUNT#b", "balance")}

// move moves money from one account to another one.
func move(ctx context.Context, db client) error {
	return transact(ctx, db, updates(accounts[0], "ADD cents :n", "", item{":n": -50}),
		updates(accounts[1], "ADD cents :n", "", item{":n": 50}))
}

// total sums up the accounts as they are at one moment.
func total(ctx context.Context, db client) (sum int, err error) {
	in := &dynamodb.TransactGetItemsInput{}
	for _, k := range accounts {
		in.TransactItems = append(in.TransactItems, types.TransactGetItem{
			Get: &types.Get{TableName: aws.String(table), Key: k.values()}})
	}
	out, err := db.TransactGetItems(ctx, in)
	if err != nil {
		return 0, err
	}
	for _, r := range out.Responses {
		sum += itemOf(r.Item).number("cents")
	}
	return sum, nil
}

// audit has somebody sum up the accounts while money moves.
func audit(sums func(ctx context.Context, db client) (int, error),
	moves explore.Work) func(*explore.X) {
	return func(x *explore.X) {
		x.Go("auditor", func(ctx context.Context, db client) error {
			sum, err := sums(ctx, db)
			explore.Result(ctx, sum)
			return err
		})
		x.Go("transfer", moves)
	}
}
