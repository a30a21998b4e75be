// Package explored explores libraries that others wrote.
package explored

import (
	"context"
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/guregu/dynamo/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/explore"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

var newShop = emulatortest.Template(func(t testing.TB, server *emulatortest.Server) {
	server.SeedTables(t, seed.Table{Name: "orders", PartitionKey: seed.Attribute{Name: "ID", Type: "S"},
		Items: []seed.Item{{"ID": "1", "Left": 10, "Version": 1}}})
})

type order struct {
	ID      string `dynamo:",hash"`
	Left    int
	Version int
}

func orders(db *dynamodb.Client) dynamo.Table { return dynamo.NewFromIface(db).Table("orders") }

func read(ctx context.Context, db *dynamodb.Client, id string) (o order, err error) {
	return o, orders(db).Get("ID", id).Consistent(true).One(ctx, &o)
}

// subtract takes one of what is left, by what was read.
func subtract(write func(ctx context.Context, table dynamo.Table, read order) error) explore.Work {
	return func(ctx context.Context, db *dynamodb.Client) error {
		o, err := read(ctx, db, "1")
		if err != nil {
			return err
		}
		o.Left--
		return write(ctx, orders(db), o)
	}
}

func put(ctx context.Context, table dynamo.Table, o order) error { return table.Put(o).Run(ctx) }

func putIf(ctx context.Context, table dynamo.Table, o order) error {
	was := o.Version
	o.Version++
	return table.Put(o).If("Version = ?", was).Run(ctx)
}

func updateIf(ctx context.Context, table dynamo.Table, o order) error {
	return table.Update("ID", o.ID).Set("Left", o.Left).Add("Version", 1).
		If("Version = ?", o.Version).Run(ctx)
}

func add(ctx context.Context, db *dynamodb.Client) error {
	return orders(db).Update("ID", "1").Add("Left", -1).Run(ctx)
}

// transact sends a transaction until it succeeds.
func transact(make func(tx *dynamo.WriteTx) *dynamo.WriteTx) explore.Work {
	return func(ctx context.Context, db *dynamodb.Client) error {
		tx := make(dynamo.NewFromIface(db).WriteTx()).
			Update(orders(db).Update("ID", "1").Add("Left", -1))
		err := tx.Run(ctx)
		if err != nil && !dynamo.IsCondCheckFailed(err) {
			err = tx.Run(ctx)
		}
		return err
	}
}

// persist saves by the version, and begins anew if it was refused.
func persist(ctx context.Context, db *dynamodb.Client) error {
	for {
		err := subtract(putIf)(ctx, db)
		if !dynamo.IsCondCheckFailed(err) {
			return err
		}
	}
}

func leftIs(want int) explore.Check {
	return func(ctx context.Context, db *dynamodb.Client) error {
		o, err := read(ctx, db, "1")
		if err == nil && o.Left != want {
			err = fmt.Errorf("%d are left", o.Left)
		}
		return err
	}
}

// putTwo puts two items by BatchWriteItem.
func putTwo(ctx context.Context, db *dynamodb.Client) error {
	n, err := orders(db).Batch("ID").Write().Put(order{ID: "3"}, order{ID: "4"}).Run(ctx)
	explore.Result(ctx, n)
	if err == nil && n != 2 {
		err = fmt.Errorf("it says that it wrote %d items", n)
	}
	return err
}

func both(work explore.Work, checks ...explore.Check) func(*explore.X) {
	return func(x *explore.X) {
		x.Go("alice", work)
		x.Go("bob", work)
		for _, c := range checks {
			x.Check(c)
		}
	}
}

func one(work explore.Work, checks ...explore.Check) func(*explore.X) {
	return func(x *explore.X) {
		x.Go("alice", work)
		for _, c := range checks {
			x.Check(c)
		}
	}
}

// must makes the error of a worker one of its check.
func must(work explore.Work) func(*explore.X) {
	return func(x *explore.X) {
		var failed error
		x.Go("alice", func(ctx context.Context, db *dynamodb.Client) error {
			failed = work(ctx, db)
			return failed
		})
		x.Check(func(context.Context, *dynamodb.Client) error { return failed })
	}
}

func TestGuregu(t *testing.T) {
	lost := explore.Faults(1, explore.LostAnswer)
	for _, c := range []struct {
		name    string
		program func(*explore.X)
		options []explore.Option
		finds   string
	}{
		{"put", both(subtract(put)), nil, explore.LostUpdate},
		{"put where the version is as read", both(subtract(putIf)),
			[]explore.Option{explore.Serializable(), explore.Aborts(dynamo.IsCondCheckFailed)}, ""},
		{"update where the version is as read", both(subtract(updateIf)),
			[]explore.Option{explore.Serializable(), explore.Aborts(dynamo.IsCondCheckFailed)}, ""},
		{"put by the version until it succeeds", both(persist, leftIs(8)), nil, ""},
		{"put by the version until it succeeds, one answer lost", one(persist, leftIs(9)),
			[]explore.Option{lost}, explore.Checked},
		{"add", both(add, leftIs(8)), nil, ""},
		{"add, one answer lost", both(add, leftIs(8)), []explore.Option{lost}, explore.Checked},
		{"a batch, unprocessed items", must(putTwo),
			[]explore.Option{explore.Faults(2, explore.Unprocessed)}, ""},
		{"a transaction that is run again, no token",
			one(transact(func(tx *dynamo.WriteTx) *dynamo.WriteTx { return tx }), leftIs(9)),
			[]explore.Option{explore.Faults(3, explore.LostAnswer)}, explore.Checked},
		{"a transaction that is run again, Idempotent",
			one(transact(func(tx *dynamo.WriteTx) *dynamo.WriteTx { return tx.Idempotent(true) }), leftIs(9)),
			[]explore.Option{explore.Faults(3, explore.LostAnswer)}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			report := explore.Search(t, newShop, c.program, c.options...)
			if c.finds == "" {
				for _, f := range report.Failures {
					t.Error(f)
				}
				assert.True(t, report.Complete)
				t.Log(report)
				return
			}
			require.Len(t, report.Failures, 1)
			f := report.Failures[0]
			assert.Equal(t, c.finds, f.Kind)
			t.Logf("%s: %s\n%s", f.Kind, f.Schedule, f.Page())
		})
	}
}
