package explore_test

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/explore"
)

// TestEndsOfWorkers: however a worker ends, the search goes on and says how.
func TestEndsOfWorkers(t *testing.T) {
	for _, c := range []struct {
		name string
		work explore.Work
		want string
	}{
		{"a panic", func(context.Context, *dynamodb.Client) error { panic("at the disco") },
			"alice: panic: at the disco"},
		{"the end of its goroutine", func(context.Context, *dynamodb.Client) error {
			runtime.Goexit()
			return nil
		}, "alice: it left its goroutine, as t.FailNow does"},
		{"a panic after a request", func(ctx context.Context, db *dynamodb.Client) error {
			if err := reserve(ctx, db, "sku1"); err != nil {
				return err
			}
			panic("at the disco")
		}, "alice: panic: at the disco"},
	} {
		t.Run(c.name, func(t *testing.T) {
			report := explore.Search(t, newShop, func(x *explore.X) {
				x.Go("alice", c.work)
				x.Go("bob", func(ctx context.Context, db *dynamodb.Client) error {
					return reserve(ctx, db, "sku2")
				})
			})
			require.Len(t, report.Failures, 1)
			assert.Equal(t, explore.Broken, report.Failures[0].Kind)
			assert.Contains(t, report.Failures[0].Text, c.want)
		})
	}
}

// TestErrorsAreResults: the error of a worker is no failure.
func TestErrorsAreResults(t *testing.T) {
	report := explore.Run(t, newShop, func(x *explore.X) {
		x.Go("alice", func(ctx context.Context, db *dynamodb.Client) error {
			return errors.Join(reserve(ctx, db, "sku1"), errors.New("sold out"))
		})
	}, explore.Serializable())
	assert.True(t, report.Complete)
}

// TestNames: a name can be that of one worker only, and Restart needs one.
func TestNames(t *testing.T) {
	work := func(context.Context, *dynamodb.Client) error { return nil }
	x := &explore.X{}
	x.Go("alice", work)
	assert.PanicsWithValue(t, `explore: there are two workers "alice"`,
		func() { x.Go("alice", work) })
	assert.PanicsWithValue(t, `explore: Restart of "bob", which is no worker`,
		func() { x.Restart("bob", work) })
}
