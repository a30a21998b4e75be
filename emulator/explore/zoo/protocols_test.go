//go:build go1.25

package zoo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/kugiri-db/kugiri/conventions/dynamo"
	"github.com/kugiri-db/kugiri/emulator/explore"
)

// Programs whose requests belong together: by a token, a lease, a place in a result or a version.
var protocols = []specimen{
	{
		name: "a token is sent again with another body", kind: explore.Checked, faults: 1,
		broken:  payments(func(try int) item { return item{"try": try} }),
		mended:  payments(func(int) item { return item{"of": "order 7"} }),
		options: []explore.Option{explore.Faults(1, explore.DiesBefore, explore.DiesAfter)},
	},
	{
		name: "a heartbeat takes a lease back that another one holds", kind: explore.Checked,
		switches: 2,
		broken: leases(func(ctx context.Context, db client, lease item) error {
			return put(ctx, db, lease)
		}),
		mended: leases(func(ctx context.Context, db client, lease item) error {
			return putIf(ctx, db, lease, "holder = :me", item{":me": lease["holder"]})
		}),
	},
	{
		name: "TTL deletes a lock while its holder works", kind: explore.LostUpdate, switches: 2,
		faults: 1,
		broken: two(lockedByTTL(func(ctx context.Context, db client, _ item, it item) error {
			return put(ctx, db, it)
		}), countsLocked),
		mended: two(lockedByTTL(func(ctx context.Context, db client, lock item, it item) error {
			err := transact(ctx, db, puts(it, "", nil),
				checks(key("LOCK", "ttl"), "holder = :me", item{":me": lock["holder"]}))
			if refused(err) {
				return errors.New("the lock is gone")
			}
			return err
		}), countsLocked),
		options: []explore.Option{explore.Faults(1, explore.Later), explore.ClockMoves(time.Hour)},
	},
	{
		name: "an item moves while pages are read", kind: explore.NotSerial, switches: 2,
		broken: pages(func(ctx context.Context, db client) error {
			return transact(ctx, db, removes(key("DOCTORS", "ben"), "", nil),
				puts(key("DOCTORS", "a. ben"), "", nil))
		}),
		mended: pages(func(ctx context.Context, db client) error {
			_, err := update(ctx, db, key("DOCTORS", "ben"), "SET place = :first",
				item{":first": 1})
			return err
		}),
		options: []explore.Option{explore.Serializable()},
	},
	{
		name: "a version is published over another one", kind: explore.LostUpdate, switches: 2,
		broken: two(func(ctx context.Context, db client, who string) error {
			_, next, err := nextVersion(ctx, db)
			if err != nil {
				return err
			}
			content := item{"documentVersion": next, "by": who}
			latest := content.with(item{"documentVersion": dynamo.LatestKey, "actualVersion": next})
			for _, it := range []item{content, latest} {
				if _, err := db.PutItem(ctx, &dynamodb.PutItemInput{
					TableName: &documentTable.Name, Item: it.values()}); err != nil {
					return err
				}
			}
			return nil
		}),
		mended: two(publish, func(x *explore.X) {
			x.Check(func(ctx context.Context, db client) error {
				version, _, err := nextVersion(ctx, db)
				if err == nil && version != "v3" {
					err = fmt.Errorf("the latest version is %s", version)
				}
				return err
			})
		}),
	},
}

// payments has a worker that may die pay an order with a token of the order. what describes the
// payment in one of its tries. A payment that was made must not count as failed.
func payments(what func(try int) item) func(*explore.X) {
	pay := func(try int) explore.Work {
		return func(ctx context.Context, db client) error {
			_, err := db.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
				ClientRequestToken: aws.String("order-7"), TransactItems: []write{
					updates(accounts[0], "ADD cents :n", "", item{":n": -50}),
					puts(key("PAYMENTS", "7").with(what(try)), "", nil)}})
			if err != nil {
				return errors.Join(err, put(ctx, db, key("FAILED", "7")))
			}
			return nil
		}
	}
	return mortal(pay(1), pay(2), func(x *explore.X) {
		x.Check(func(ctx context.Context, db client) error {
			return noItems(ctx, db, "FAILED", "payments")
		})
	})
}

// leaseTime is how long a lease is valid without a heartbeat.
const leaseTime = 10 * time.Second

// leases has alice hold a lease and pause for longer than it is valid, before her heartbeat. Bob
// takes it meanwhile. Then only one of them may hold it.
func leases(heartbeat func(ctx context.Context, db client, lease item) error) func(*explore.X) {
	lease := func(who string) item {
		ends := time.Now().Add(leaseTime).Unix()
		return key("LEASE", "-").with(item{"holder": who, "ends": int(ends)})
	}
	take := func(ctx context.Context, db client, who string) error {
		return putIf(ctx, db, lease(who), absent+" OR ends < :now",
			item{":now": int(time.Now().Unix())})
	}
	return func(x *explore.X) {
		var alice, bob bool // hold it
		hold := func(holds *bool, err error) error {
			*holds = err == nil
			if refused(err) {
				return nil // another one holds it
			}
			return err
		}
		x.Go("alice", func(ctx context.Context, db client) error {
			if err := take(ctx, db, "alice"); err != nil {
				return hold(&alice, err)
			}
			time.Sleep(2 * leaseTime)
			return hold(&alice, heartbeat(ctx, db, lease("alice")))
		})
		x.Go("bob", func(ctx context.Context, db client) error {
			err := take(ctx, db, "bob")
			if refused(err) { // once more, when the lease has ended
				time.Sleep(leaseTime)
				err = take(ctx, db, "bob")
			}
			return hold(&bob, err)
		})
		x.Check(func(context.Context, client) error {
			if alice && bob {
				return errors.New("both hold the lease")
			}
			return nil
		})
	}
}

// lockedByTTL has a worker read a counter and write it, with a lock of a minute that TTL takes away
// if nobody else does.
func lockedByTTL(write func(ctx context.Context, db client, lock, it item) error,
) func(ctx context.Context, db client, who string) error {
	return func(ctx context.Context, db client, who string) error {
		lock := key("LOCK", "ttl").with(
			item{"holder": who, "until": int(time.Now().Add(time.Minute).Unix())})
		if err := putIf(ctx, db, lock, absent, nil); err != nil {
			return err // another one counts
		}
		it, err := get(ctx, db, visits)
		if err != nil {
			return err
		}
		if err := write(ctx, db, lock, it.with(item{"n": it.number("n") + 1, who: 1})); err != nil {
			return err
		}
		return removeIf(ctx, db, key("LOCK", "ttl"), "holder = :me", item{":me": who})
	}
}

// pages has a reader count the doctors, one in a page, while a mover changes one.
func pages(moves explore.Work) func(*explore.X) {
	return func(x *explore.X) {
		x.Go("mover", moves)
		x.Go("reader", func(ctx context.Context, db client) error {
			all, count := dynamodb.NewQueryPaginator(db, &dynamodb.QueryInput{
				TableName: aws.String(table), KeyConditionExpression: aws.String("pk = :pk"),
				ExpressionAttributeValues: item{":pk": "DOCTORS"}.values(), Limit: aws.Int32(1),
				ConsistentRead: aws.Bool(true)}), 0
			for all.HasMorePages() {
				page, err := all.NextPage(ctx)
				if err != nil {
					return err
				}
				count += len(page.Items)
			}
			explore.Result(ctx, count)
			return nil
		})
	}
}

// documentTable has versions, and a copy of the latest one.
var documentTable = dynamo.LatestTable{Name: "documents"}

// nextVersion reads the latest version, and returns the one after it as well.
func nextVersion(ctx context.Context, db client) (latest, next string, err error) {
	in, err := documentTable.GetLatest()
	if err != nil {
		return "", "", err
	}
	out, err := db.GetItem(ctx, in)
	if err != nil {
		return "", "", err
	}
	if latest, err = documentTable.ActualVersion(out.Item); err != nil {
		return "", "", err
	}
	var n int
	_, err = fmt.Sscanf(latest, "v%d", &n)
	return latest, fmt.Sprint("v", n+1), err
}

// publish publishes a version, and begins anew if another one was first.
func publish(ctx context.Context, db client, who string) error {
	for {
		previous, next, err := nextVersion(ctx, db)
		if err != nil {
			return err
		}
		in, err := dynamo.LatestTransaction(documentTable, dynamo.Publication{Version: next,
			Previous: previous, Content: item{"by": who}.values()})
		if err != nil {
			return err
		}
		if _, err = db.TransactWriteItems(ctx, in); !dynamo.Overtaken(err) {
			return err
		}
	}
}
