//go:build go1.25

package zoo

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/kugiri-db/kugiri/emulator/explore"
)

// oldAnswers has one answer of the cache of some workers be old.
func oldAnswers(workers ...string) []explore.Option {
	return []explore.Option{explore.CachedReads(workers...), explore.Faults(1, explore.Cached)}
}

// Programs that read through an accelerator.
var caches = []specimen{
	{
		name: "a cached item is counted up under a lock", kind: explore.LostUpdate, faults: 1,
		switches: 1,
		broken:   two(underLock(getSoon), countsLocked),
		mended:   two(underLock(get), countsLocked),
		options:  oldAnswers("alice"), // bob is a job that writes past the cache
	},
	{
		name: "a cache shows as missing what a message is about", kind: explore.LostUpdate,
		faults: 1, switches: 1,
		broken:  messages(getSoon),
		mended:  messages(get),
		options: oldAnswers("alice"),
	},
	{
		name: "a cached list does not show what was added", kind: explore.Checked, faults: 1,
		broken: one(func(ctx context.Context, db client) error {
			return addToList(ctx, db, func() (int, error) {
				out, err := db.Query(ctx, &dynamodb.QueryInput{TableName: aws.String(table),
					KeyConditionExpression:    aws.String("pk = :pk"),
					ExpressionAttributeValues: item{":pk": "NOTES"}.values()})
				if err != nil {
					return 0, err
				}
				return len(out.Items), nil
			})
		}, counts(key("POST", "5"), "notes", 1)),
		mended: one(func(ctx context.Context, db client) error {
			return addToList(ctx, db, func() (int, error) {
				all, err := list(ctx, db, "NOTES")
				return len(all), err
			})
		}, counts(key("POST", "5"), "notes", 1)),
		options: oldAnswers(),
	},
}

// underLock has a worker read a counter and put it, with a lock that it does not wait for.
func underLock(read func(context.Context, client, item) (item, error),
) func(ctx context.Context, db client, who string) error {
	lock := key("LOCK", "visits")
	return func(ctx context.Context, db client, who string) error {
		err := putIf(ctx, db, lock, absent, nil)
		if refused(err) {
			return nil // another one counts
		}
		if err != nil {
			return err
		}
		it, err := read(ctx, db, visits)
		if err != nil {
			return err
		}
		if err := put(ctx, db, it.with(item{"n": it.number("n") + 1, who: 1})); err != nil {
			return err
		}
		return remove(ctx, db, lock)
	}
}

// countsLocked checks that the counter has what each worker added.
func countsLocked(x *explore.X) {
	x.Check(func(ctx context.Context, db client) error {
		it, err := get(ctx, db, visits)
		if sum := it.number("alice") + it.number("bob"); err == nil && it.number("n") != sum {
			err = fmt.Errorf("the counter is %d, not %d", it.number("n"), sum)
		}
		return err
	})
}

// messages has bob make a profile and then a message about it. Alice makes the profile if it is
// missing, once she has the message.
func messages(read func(context.Context, client, item) (item, error)) func(*explore.X) {
	made, message := key("USER#2", "profile"), key("MESSAGE", "1")
	return func(x *explore.X) {
		x.Go("bob", func(ctx context.Context, db client) error {
			if err := put(ctx, db, made.with(item{"by": "bob"})); err != nil {
				return err
			}
			return put(ctx, db, message)
		})
		x.Go("alice", func(ctx context.Context, db client) error {
			if it, err := get(ctx, db, message); err != nil || it == nil {
				return err // not yet
			}
			it, err := read(ctx, db, made)
			if err != nil || it != nil {
				return err
			}
			return put(ctx, db, made.with(item{"by": "alice"}))
		})
		x.Check(func(ctx context.Context, db client) error {
			it, err := get(ctx, db, made)
			if err == nil && it["by"] != "bob" {
				err = fmt.Errorf("the profile is %v", it)
			}
			return err
		})
	}
}

// addToList adds a note, and notes how many there are then.
func addToList(ctx context.Context, db client, length func() (int, error)) error {
	if err := put(ctx, db, key("NOTES", "1")); err != nil {
		return err
	}
	n, err := length()
	if err != nil {
		return err
	}
	return put(ctx, db, key("POST", "5").with(item{"notes": n}))
}
