//go:build go1.25

package zoo

import (
	"context"
	"fmt"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/conventions/dynamo"
	"github.com/kugiri-db/kugiri/emulator/explore"
)

// The guide's versions: a command has the version after that of the data, a handler of the stream
// copies it to the data, and what the data were before to the history. The latest pointer is among
// the protocols.
var versions = []specimen{
	{
		name: "two commands have the same version", kind: explore.Checked, switches: 1,
		broken: commands(""),
		mended: commands(absent),
	},
	{
		name: "a late handler copies an old command over a new one", kind: explore.Checked,
		switches: 1,
		broken: handlers(func(ctx context.Context, db client, command item) error {
			data := command.with(item{"sk": conventions.RemoveVersion(command["sk"].(string)),
				"version": conventions.Version(command["sk"].(string))})
			return put(ctx, db, data)
		}),
		mended: handlers(syncs),
	},
	{
		name: "a handler dies before it writes the history", kind: explore.Checked, faults: 1,
		switches: 1,
		broken: published(func(ctx context.Context, db client, command item) error {
			before, err := get(ctx, db, document)
			if err != nil {
				return err
			}
			if err := syncs(ctx, db, command); err != nil {
				return err
			}
			return remember(ctx, db, before, command)
		}),
		mended: published(func(ctx context.Context, db client, command item) error {
			before, err := get(ctx, db, document)
			if err != nil {
				return err
			}
			if err := remember(ctx, db, before, command); err != nil {
				return err
			}
			return syncs(ctx, db, command)
		}),
		options: []explore.Option{explore.Faults(1, explore.Redelivered, explore.DiesAfter)},
	},
}

// document is in the data table, which is the same table here.
var document, dataTable = key("DOC#2", "doc"), dynamo.DataTable{Name: table}

// command is the command that makes a version of the document.
func command(version int) item {
	sk, err := conventions.AddVersion("doc", version)
	if err != nil {
		panic(err)
	}
	return key("DOC#2", sk)
}

// commands has two workers make a command each, and checks that each that was made is there.
func commands(condition string) func(*explore.X) {
	return func(x *explore.X) {
		made := make([]int, 2)
		for i, who := range []string{"alice", "bob"} {
			x.Go(who, func(ctx context.Context, db client) error {
				it, err := get(ctx, db, document)
				if err != nil {
					return err
				}
				next := command(it.number("version") + 1).with(item{"by": who})
				err = putIf(ctx, db, next, condition, nil)
				if err == nil {
					made[i] = 1
				}
				return err
			})
		}
		x.Check(func(ctx context.Context, db client) error {
			all, err := list(ctx, db, "DOC#2")
			if want := made[0] + made[1]; err == nil && len(all) != want {
				err = fmt.Errorf("%d commands are there, not %d", len(all), want)
			}
			return err
		})
	}
}

// syncs copies a command to the data with the repository's helper.
func syncs(ctx context.Context, db client, command item) error {
	in, err := dataTable.Sync(command.values())
	if err != nil {
		return err
	}
	if _, err = db.PutItem(ctx, in); dataTable.Synced(command.values(), err) {
		return nil
	}
	return err
}

// handlers has a handler of the stream that was thought to be dead go on with the first command,
// while another one has got it and the next.
func handlers(handle func(ctx context.Context, db client, command item) error) func(*explore.X) {
	return func(x *explore.X) {
		x.Go("late", func(ctx context.Context, db client) error {
			return handle(ctx, db, command(1))
		})
		x.Go("retry", func(ctx context.Context, db client) error {
			if err := handle(ctx, db, command(1)); err != nil {
				return err
			}
			return handle(ctx, db, command(2))
		})
		counts(document, "version", 2)(x)
	}
}

// remember writes what the data were before a command to the history.
func remember(ctx context.Context, db client, before, command item) error {
	version := conventions.Version(command["sk"].(string))
	if before == nil || before.number("version") != version-1 {
		return nil // the first version, or it is done
	}
	sk, err := conventions.AddVersion("doc", before.number("version"))
	if err != nil {
		return err
	}
	return put(ctx, db, before.with(key("HISTORY#2", sk)))
}

// published has a worker make two commands, which a consumer of the stream handles.
func published(handle func(ctx context.Context, db client, command item) error) func(*explore.X) {
	return func(x *explore.X) {
		x.Go("shop", func(ctx context.Context, db client) error {
			for version := 1; version <= 2; version++ {
				if err := put(ctx, db, command(version)); err != nil {
					return err
				}
			}
			return nil
		})
		consumer(x, func(ctx context.Context, db client, r record) error {
			sk := r.Dynamodb.Keys["sk"].S
			if !conventions.HasVersion(sk) {
				return nil // the data
			}
			return handle(ctx, db, command(conventions.Version(sk)))
		}, "DOC#2")
		counts(document, "version", 2)(x)
		counts(key("HISTORY#2", command(1)["sk"].(string)), "version", 1)(x)
	}
}
