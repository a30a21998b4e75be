//go:build go1.25

package zoo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/emulator/explore"
)

var failures = []specimen{
	{
		name: "the outbox is not part of the transaction", kind: explore.Checked, faults: 1,
		broken: mortal(func(ctx context.Context, db client) error {
			if err := put(ctx, db, key("ORDERS", "1")); err != nil {
				return err
			}
			return put(ctx, db, key("OUTBOX", "1"))
		}, nil, bothOrNone),
		mended: mortal(func(ctx context.Context, db client) error {
			return transact(ctx, db, puts(key("ORDERS", "1"), "", nil),
				puts(key("OUTBOX", "1"), "", nil))
		}, nil, bothOrNone),
		options: []explore.Option{explore.Faults(1, explore.DiesBefore, explore.DiesAfter)},
	},
	{
		name: "a worker begins again after it has died", kind: explore.Checked, faults: 1,
		broken: again(func(ctx context.Context, db client) error {
			_, err := update(ctx, db, visits, "ADD n :one", item{":one": 1})
			if err != nil {
				return err
			}
			return put(ctx, db, key("DONE", "message 1"))
		}),
		mended: again(func(ctx context.Context, db client) error {
			err := transact(ctx, db, updates(visits, "ADD n :one", "", item{":one": 1}),
				puts(key("DONE", "message 1"), absent, nil))
			if refused(err) {
				return nil // it is done
			}
			return err
		}),
		options: []explore.Option{explore.Faults(1, explore.DiesBefore, explore.DiesAfter)},
	},
	{
		name: "a name is changed in two steps", kind: explore.Checked, faults: 1,
		broken: mortal(func(ctx context.Context, db client) error {
			if err := remove(ctx, db, key("PERSON", "1")); err != nil {
				return err
			}
			return put(ctx, db, key("PERSON", "2").with(item{"surname": "Ann"}))
		}, nil, onePerson),
		mended: mortal(func(ctx context.Context, db client) error {
			return transact(ctx, db, removes(key("PERSON", "1"), present, nil),
				puts(key("PERSON", "2").with(item{"surname": "Ann"}), absent, nil))
		}, nil, onePerson),
		options: []explore.Option{explore.Faults(1, explore.DiesBefore, explore.DiesAfter)},
	},
	{
		name: "a saga dies in the middle", kind: explore.Checked, faults: 1,
		broken: mortal(book, nil, paidSeats),
		mended: mortal(book, func(ctx context.Context, db client) error {
			it, err := get(ctx, db, key("BOOKING", "1"))
			if err != nil || it == nil || it["phase"] == "paid" {
				return err // nothing was begun, or all is done
			}
			_, err = update(ctx, db, key("BOOKING", "1"), "SET phase = :paid",
				item{":paid": "paid"})
			return err
		}, paidSeats),
		options: []explore.Option{explore.Faults(1, explore.DiesBefore, explore.DiesAfter)},
	},
	{
		name: "a read after a write is stale", kind: explore.Checked, faults: 1,
		broken: one(func(ctx context.Context, db client) error {
			return ownWrite(ctx, db, getSoon)
		}, counts(key("POST", "3"), "seen", 1)),
		mended: one(func(ctx context.Context, db client) error {
			return ownWrite(ctx, db, get)
		}, counts(key("POST", "3"), "seen", 1)),
		options: []explore.Option{explore.Faults(1, explore.Stale1)},
	},
	{
		name: "an index is behind its table", kind: explore.Checked, faults: 1,
		broken: one(func(ctx context.Context, db client) error {
			return signUp(ctx, db, func() (bool, error) {
				all, err := byEmail(ctx, db, "x@example.com")
				return len(all) > 0, err
			})
		}, counts(key("POST", "4"), "people", 1)),
		mended: one(func(ctx context.Context, db client) error {
			return signUp(ctx, db, func() (bool, error) {
				it, err := get(ctx, db, key("USERS", "x@example.com"))
				return it != nil, err
			})
		}, counts(key("POST", "4"), "people", 1)),
		options: []explore.Option{explore.Faults(1, explore.Stale1)},
	},
	{
		name: "unprocessed items are forgotten", kind: explore.Checked, faults: 1,
		broken: one(func(ctx context.Context, db client) error {
			_, err := db.BatchWriteItem(ctx, twoOrders())
			return err
		}, twoItems),
		mended: one(func(ctx context.Context, db client) error {
			for in := twoOrders(); len(in.RequestItems) > 0; {
				out, err := db.BatchWriteItem(ctx, in)
				if err != nil {
					return err
				}
				in.RequestItems = out.UnprocessedItems
			}
			return nil
		}, twoItems),
		options: []explore.Option{explore.Faults(1, explore.Unprocessed)},
	},
	{
		name: "unprocessed keys are forgotten", kind: explore.Checked, faults: 1,
		broken: sumOf(func(ctx context.Context, db client, in *dynamodb.BatchGetItemInput) (
			[]map[string]types.AttributeValue, error) {
			out, err := db.BatchGetItem(ctx, in)
			if err != nil {
				return nil, err
			}
			return out.Responses[table], nil
		}),
		mended: sumOf(func(ctx context.Context, db client, in *dynamodb.BatchGetItemInput) (
			all []map[string]types.AttributeValue, err error) {
			for len(in.RequestItems) > 0 {
				out, err := db.BatchGetItem(ctx, in)
				if err != nil {
					return nil, err
				}
				all = append(all, out.Responses[table]...)
				in.RequestItems = out.UnprocessedKeys
			}
			return all, nil
		}),
		options: []explore.Option{explore.Faults(1, explore.Unprocessed)},
	},
	{
		name: "a conflict of transactions counts as no change", kind: explore.Checked, faults: 1,
		broken: one(func(ctx context.Context, db client) error {
			err := move(ctx, db)
			if refused(err) {
				return nil // somebody thought that only conditions cancel
			}
			return err
		}, counts(accounts[1], "cents", 150)),
		mended: one(func(ctx context.Context, db client) error {
			return untilAccepted(func() error { return move(ctx, db) })
		}, counts(accounts[1], "cents", 150)),
		options: []explore.Option{explore.Faults(1, explore.Conflict)},
	},
	{
		name: "a conditional put is sent again after its answer was lost", kind: explore.Checked,
		faults: 1,
		broken: created(func(ctx context.Context, db client) error {
			return putIf(ctx, db, key("ORDERS", "7").with(item{"by": "alice"}), absent, nil)
		}),
		mended: created(func(ctx context.Context, db client) error {
			order := key("ORDERS", "7")
			err := putIf(ctx, db, order.with(item{"by": "alice"}), absent, nil)
			if !refused(err) {
				return err
			}
			it, readErr := get(ctx, db, order)
			if readErr == nil && it["by"] == "alice" {
				return nil // the first try did it
			}
			return errors.Join(err, readErr)
		}),
		options: []explore.Option{explore.Faults(1, explore.LostAnswer)},
	},
	{
		name: "a lease without fencing", kind: explore.Checked, switches: 2,
		broken: two(func(ctx context.Context, db client, who string) error {
			fence, err := acquire(ctx, db, who)
			if err != nil {
				return err
			}
			_, err = update(ctx, db, key("RESOURCE", "-"), "SET writer = :fence",
				item{":fence": fence})
			return err
		}, newestWriter),
		mended: two(func(ctx context.Context, db client, who string) error {
			fence, err := acquire(ctx, db, who)
			if err != nil {
				return err
			}
			_, err = updateIf(ctx, db, key("RESOURCE", "-"), "SET writer = :fence",
				"attribute_not_exists(writer) OR writer < :fence", item{":fence": fence})
			if refused(err) {
				return nil // the lease has a newer owner
			}
			return err
		}, newestWriter),
	},
	{
		name: "a session outlives its time until TTL deletes it", kind: explore.Checked, faults: 1,
		broken: one(func(ctx context.Context, db client) error {
			return enter(ctx, db, func(item) bool { return true })
		}, noIntruder),
		mended: one(func(ctx context.Context, db client) error {
			return enter(ctx, db, func(it item) bool {
				return int(time.Now().Unix()) < it.number("expires")
			})
		}, noIntruder),
		options: []explore.Option{explore.Faults(1, explore.Later),
			explore.ClockMoves(time.Hour)},
	},
}

// mortal has a worker that may die. When it is started again it does again.
func mortal(work, again explore.Work, check func(*explore.X)) func(*explore.X) {
	return func(x *explore.X) {
		x.Go("worker", work)
		x.Restart("worker", again)
		check(x)
	}
}

// again has a worker that does its work anew after it has died.
func again(work explore.Work) func(*explore.X) {
	return mortal(work, work, counts(visits, "n", 1))
}

func bothOrNone(x *explore.X) {
	x.Check(func(ctx context.Context, db client) error {
		orders, err := list(ctx, db, "ORDERS")
		events, more := list(ctx, db, "OUTBOX")
		if len(orders) != len(events) {
			err = fmt.Errorf("%d orders, %d events", len(orders), len(events))
		}
		return errors.Join(err, more)
	})
}

func onePerson(x *explore.X) {
	agree("PERSON", "nobody is left", func(all []item) bool { return len(all) == 1 })(x)
}

// book takes a seat and then pays for it.
func book(ctx context.Context, db client) error {
	booking := key("BOOKING", "1")
	if err := put(ctx, db, booking.with(item{"phase": "taken"})); err != nil {
		return err
	}
	_, err := update(ctx, db, booking, "SET phase = :paid", item{":paid": "paid"})
	return err
}

func paidSeats(x *explore.X) {
	agree("BOOKING", "a seat is taken and not paid", func(all []item) bool {
		return len(all) == 0 || all[0]["phase"] == "paid"
	})(x)
}

// ownWrite writes an item, and counts what it then reads.
func ownWrite(ctx context.Context, db client,
	reads func(context.Context, client, item) (item, error)) error {
	post := key("POST", "3")
	if err := put(ctx, db, post.with(item{"seen": 0})); err != nil {
		return err
	}
	it, err := reads(ctx, db, post)
	if err != nil || it == nil {
		return err
	}
	_, err = update(ctx, db, post, "SET seen = :one", item{":one": 1})
	return err
}

// signUp puts a user and counts it if it is found.
func signUp(ctx context.Context, db client, found func() (bool, error)) error {
	user := key("USERS", "x@example.com").with(item{"email": "x@example.com"})
	if err := put(ctx, db, user); err != nil {
		return err
	}
	if ok, err := found(); err != nil || !ok {
		return err
	}
	_, err := update(ctx, db, key("POST", "4"), "SET people = :one", item{":one": 1})
	return err
}

func twoOrders() *dynamodb.BatchWriteItemInput {
	var writes []types.WriteRequest
	for _, id := range []string{"1", "2"} {
		writes = append(writes, types.WriteRequest{
			PutRequest: &types.PutRequest{Item: key("BATCH", id).values()}})
	}
	return &dynamodb.BatchWriteItemInput{
		RequestItems: map[string][]types.WriteRequest{table: writes}}
}

func twoItems(x *explore.X) {
	agree("BATCH", "items", func(all []item) bool { return len(all) == 2 })(x)
}

// sumOf sums up two accounts and checks the sum.
func sumOf(reads func(context.Context, client, *dynamodb.BatchGetItemInput) (
	[]map[string]types.AttributeValue, error)) func(*explore.X) {
	return func(x *explore.X) {
		sum := 0
		x.Go("reader", func(ctx context.Context, db client) error {
			keys := types.KeysAndAttributes{}
			for _, k := range accounts {
				keys.Keys = append(keys.Keys, k.values())
			}
			all, err := reads(ctx, db, &dynamodb.BatchGetItemInput{
				RequestItems: map[string]types.KeysAndAttributes{table: keys}})
			for _, values := range all {
				sum += itemOf(values).number("cents")
			}
			return err
		})
		x.Check(func(context.Context, client) error {
			if sum != 200 {
				return fmt.Errorf("the sum is %d, not 200", sum)
			}
			return nil
		})
	}
}

// created has a worker make an order, which must not believe that it failed.
func created(work explore.Work) func(*explore.X) {
	return func(x *explore.X) {
		var result error
		x.Go("alice", func(ctx context.Context, db client) error {
			result = work(ctx, db)
			return result
		})
		x.Check(func(ctx context.Context, db client) error {
			it, err := get(ctx, db, key("ORDERS", "7"))
			if err == nil && it != nil && result != nil {
				err = errors.New("the order is there, and alice believes that it is not")
			}
			return err
		})
	}
}

// acquire takes the lease, which may last 30 seconds, once it is free. It returns the number of the
// owner.
func acquire(ctx context.Context, db client, who string) (fence int, err error) {
	for {
		now := int(time.Now().Unix())
		it, err := updateIf(ctx, db, key("LEASE", "-"),
			"SET holder = :who, ends = :ends ADD fence :one",
			"attribute_not_exists(ends) OR ends < :now",
			item{":who": who, ":ends": now + 30, ":now": now, ":one": 1})
		if !refused(err) {
			return it.number("fence"), err
		}
		time.Sleep(31 * time.Second)
	}
}

func newestWriter(x *explore.X) {
	x.Check(func(ctx context.Context, db client) error {
		lease, err := get(ctx, db, key("LEASE", "-"))
		resource, more := get(ctx, db, key("RESOURCE", "-"))
		if lease.number("fence") != resource.number("writer") {
			err = fmt.Errorf("owner %d has written last, not %d", resource.number("writer"),
				lease.number("fence"))
		}
		return errors.Join(err, more)
	})
}

// enter opens a session of ten minutes, and later comes back. It must not get in when the time of
// the session is over.
func enter(ctx context.Context, db client, valid func(item) bool) error {
	session := key("SESSION", "s2")
	expires := int(time.Now().Unix()) + 600
	if err := put(ctx, db, session.with(item{"expires": expires})); err != nil {
		return err
	}
	it, err := get(ctx, db, session)
	if err != nil || it == nil || !valid(it) {
		return err
	}
	if int(time.Now().Unix()) >= expires {
		return put(ctx, db, key("INTRUDER", "-"))
	}
	return nil
}

func noIntruder(x *explore.X) {
	x.Check(func(ctx context.Context, db client) error {
		return noItems(ctx, db, "INTRUDER", "somebody got in with an old session")
	})
}
