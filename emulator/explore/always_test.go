//go:build go1.25

package explore

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// valuesOf returns the numbers of the items, by their places in the table.
func valuesOf(ctx context.Context, db *dynamodb.Client) (list []string, err error) {
	out, err := db.Scan(ctx, &dynamodb.ScanInput{TableName: table})
	if err != nil {
		return nil, err
	}
	for _, it := range out.Items {
		if v, ok := it["v"].(*types.AttributeValueMemberN); ok {
			list = append(list, v.Value)
		}
	}
	return list, nil
}

// TestAlways: what does not hold between two requests is a failure that names the first of them.
func TestAlways(t *testing.T) {
	program := func(holds Check) func(x *X) {
		return func(x *X) {
			actions([]action{{kind: "put", key: 0, n: 2}, {kind: "put", key: 0, n: 1}},
				[]action{{kind: "get", key: 1}})(x)
			x.Always(holds)
		}
	}
	report := Search(t, newSmall, program(func(ctx context.Context, db *dynamodb.Client) error {
		if v, err := valuesOf(ctx, db); err != nil || v[0] == "2" {
			return errors.Join(err, errors.New("there is a 2"))
		}
		return nil
	}))
	require.Len(t, report.Failures, 1)
	f := report.Failures[0]
	assert.Equal(t, Invariant, f.Kind)
	assert.Equal(t, "after request 1 of w0 (PutItem): there is a 2", f.Text)
	assert.Contains(t, f.Page(), "← after this it does not hold")

	calls := 0
	report = Search(t, newSmall, program(func(context.Context, *dynamodb.Client) error {
		calls++
		return nil
	}))
	assert.Empty(t, report.Failures)
	assert.True(t, report.Complete)
	assert.Equal(t, 3*(report.Runs+report.Repeats), calls, "before each run, and after each put")

	report = Search(t, newSmall, program(func(context.Context, *dynamodb.Client) error {
		return errors.New("no")
	}))
	require.Len(t, report.Failures, 1)
	assert.Equal(t, "before the first request: no", report.Failures[0].Text)
}

// TestAlwaysReads: what Always gets writes nothing.
func TestAlwaysReads(t *testing.T) {
	report := Search(t, newSmall, func(x *X) {
		actions([]action{{kind: "get"}})(x)
		x.Always(func(ctx context.Context, db *dynamodb.Client) error {
			return (&machine{db: db}).do(ctx, action{kind: "put"})
		})
	})
	require.Len(t, report.Failures, 1)
	assert.Contains(t, report.Failures[0].Text, "what Always gets only reads: PutItem is refused")
}

// TestAlwaysSeesAllStates: two changes of different items commute, and what is there between them
// does not.
func TestAlwaysSeesAllStates(t *testing.T) {
	states := map[string]bool{}
	report := Run(t, newSmall, func(x *X) {
		actions([]action{{kind: "add", key: 0, n: 1}}, []action{{kind: "add", key: 1, n: 1}})(x)
		x.Always(func(ctx context.Context, db *dynamodb.Client) error {
			v, err := valuesOf(ctx, db)
			states[fmt.Sprint(v)] = true
			return err
		})
	})
	assert.Equal(t, 2, report.Runs)
	assert.Len(t, states, 4, "%v", states)
}

// rounds has a worker send a request until it is told that it may end.
func rounds(until func(round int) bool) func(x *X) {
	return func(x *X) {
		x.Go("alice", func(ctx context.Context, db *dynamodb.Client) error {
			for n := 1; !until(n); n++ {
				if err := (&machine{db: db}).do(ctx, action{kind: "get"}); err != nil {
					return err
				}
				if err := ctx.Err(); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

// TestLivelock: a worker that goes round is a livelock, and one that has a deadline, or counts, is
// not.
func TestLivelock(t *testing.T) {
	never := func(int) bool { return false }
	report := Search(t, newSmall, rounds(never))
	require.Len(t, report.Failures, 1)
	f := report.Failures[0]
	assert.Equal(t, Livelock, f.Kind)
	assert.Contains(t, f.Text, "alice goes round the same state: the last 1 request, with the same")
	assert.Contains(t, f.Text, "after 230 requests")
	assert.NotContains(t, f.Page(), "  5  ", "a page shows one round")

	for name, until := range map[string]func() func(int) bool{
		"a deadline": func() func(int) bool {
			begin := time.Now()
			return func(int) bool { return time.Since(begin) > time.Hour }
		},
		"a count": func() func(int) bool {
			return func(n int) bool { return n > 215 }
		},
	} {
		t.Run(name, func(t *testing.T) {
			report := Search(t, newSmall, func(x *X) { rounds(until())(x) })
			assert.Empty(t, report.Failures)
		})
	}

	n := 0
	report = Search(t, newSmall, func(x *X) {
		x.Go("alice", func(ctx context.Context, db *dynamodb.Client) error {
			for m := (&machine{db: db}); ; n++ {
				if err := m.do(ctx, action{kind: "add", n: 1}); err != nil {
					return err
				}
			}
		})
	}, Budget(1))
	assert.Empty(t, report.Failures, "the table is another one each time")
	assert.Equal(t, 1, report.Cut)
}

// TestSkew: the clock of a worker that asks for it may be ahead.
func TestSkew(t *testing.T) {
	ahead := map[time.Duration]bool{}
	program := func(now func(ctx context.Context) time.Time) func(x *X) {
		return func(x *X) {
			begin := time.Now()
			x.Go("alice", func(ctx context.Context, db *dynamodb.Client) error {
				ahead[now(ctx).Sub(begin)] = true
				return (&machine{db: db}).do(ctx, action{kind: "get"})
			})
		}
	}
	report := Run(t, newSmall, program(Now), Faults(1, Skewed), ClockSkew(time.Minute))
	assert.True(t, report.Complete)
	assert.Equal(t, 2, report.Runs)
	assert.Equal(t, map[time.Duration]bool{0: true, time.Minute: true}, ahead)

	report = Run(t, newSmall, program(func(context.Context) time.Time { return time.Now() }),
		Faults(1, Skewed), ClockSkew(time.Minute))
	assert.Contains(t, report.String(),
		"no request could have the fault skewed (no worker asks for its clock: explore.Now)")

	report = Search(t, newSmall, func(x *X) {
		begin := time.Now()
		program(Now)(x)
		x.Check(func(context.Context, *dynamodb.Client) error {
			if ahead[time.Minute] {
				delete(ahead, time.Minute)
				return fmt.Errorf("a clock is ahead of %v", begin.IsZero())
			}
			return nil
		})
	}, Faults(1, Skewed), ClockSkew(time.Minute), Schedule("alice:skewed,alice"))
	require.Len(t, report.Failures, 1)
	assert.Equal(t, "3#alice:skewed,alice", report.Failures[0].Schedule)
	assert.Contains(t, report.Failures[0].Page(), "alice (clock 1m0s ahead)")
	now := time.Now()
	assert.False(t, Now(t.Context()).Before(now))
}
