//go:build go1.25

package explore_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/explore"
)

// TestDeadlock: two workers wait for each other.
func TestDeadlock(t *testing.T) {
	report := explore.Search(t, newShop, func(x *explore.X) {
		a, b := make(chan int), make(chan int)
		wait := func(mine, other chan int) explore.Work {
			return func(ctx context.Context, db *dynamodb.Client) error {
				if err := reserve(ctx, db, "sku1"); err != nil {
					return err
				}
				<-other
				close(mine)
				return nil
			}
		}
		x.Go("alice", wait(a, b))
		x.Go("bob", wait(b, a))
	})
	require.Len(t, report.Failures, 1)
	f := report.Failures[0]
	assert.Equal(t, explore.Deadlock, f.Kind)
	assert.Contains(t, f.Text, "alice and bob wait forever")
	assert.Contains(t, f.Text, "bubble_test.go")
}

// TestWaitOutside: a worker waits for something that is not part of the run. The test fails, and
// says where, in a process of its own.
func TestWaitOutside(t *testing.T) {
	if os.Getenv("EXPLORE_WAITS") != "" {
		outside := make(chan int)
		explore.Run(t, newShop, func(x *explore.X) {
			x.Go("alice", func(context.Context, *dynamodb.Client) error {
				<-outside
				return nil
			})
		}, explore.Patience(50*time.Millisecond))
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestWaitOutside$")
	cmd.Env = append(os.Environ(), "EXPLORE_WAITS=1")
	out, err := cmd.CombinedOutput()
	assert.Error(t, err)
	assert.Contains(t, string(out), "a worker waits for something that is not part of the run")
	assert.Contains(t, string(out), "TestWaitOutside.func")
}

// TestTime: sleeps, timeouts and time.Now are part of a run and cost no time.
func TestTime(t *testing.T) {
	began := time.Now()
	report := explore.Run(t, newShop, func(x *explore.X) {
		x.Go("sleeper", func(ctx context.Context, db *dynamodb.Client) error {
			before := time.Now()
			time.Sleep(24 * time.Hour)
			if d := time.Since(before); d != 24*time.Hour {
				return fmt.Errorf("a day took %s", d)
			}
			return reserve(ctx, db, "sku1")
		})
		x.Go("patient", func(ctx context.Context, db *dynamodb.Client) error {
			ctx, cancel := context.WithTimeout(ctx, time.Hour)
			defer cancel()
			<-ctx.Done()
			explore.Result(ctx, ctx.Err())
			return nil
		})
		x.Check(func(ctx context.Context, db *dynamodb.Client) error {
			if n, err := left(ctx, db, "sku1"); n != 9 {
				return errors.Join(err, fmt.Errorf("%d are left", n))
			}
			return nil
		})
	})
	assert.True(t, report.Complete)
	assert.Less(t, time.Since(began), time.Hour)
}

// TestGoroutinesOfWorkers: a worker may send several requests at a time, and each order of them is
// tried.
func TestGoroutinesOfWorkers(t *testing.T) {
	report := explore.Search(t, newShop, func(x *explore.X) {
		x.Go("alice", func(ctx context.Context, db *dynamodb.Client) error {
			errs := make([]error, 2)
			var wg sync.WaitGroup
			for i := range errs {
				wg.Add(1)
				go func() {
					defer wg.Done()
					errs[i] = reserveBroken(ctx, db, "sku1")
				}()
			}
			wg.Wait()
			return errors.Join(errs...)
		})
		x.Check(func(ctx context.Context, db *dynamodb.Client) error {
			if n, err := left(ctx, db, "sku1"); n != 8 {
				return errors.Join(err, errors.New("lost"))
			}
			return nil
		})
	})
	require.Len(t, report.Failures, 1)
	assert.Equal(t, explore.Checked, report.Failures[0].Kind)
	assert.Contains(t, report.Failures[0].Schedule, "alice~1")
}
