//go:build go1.25

package explore_test

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/explore"
)

// misuse is a test as somebody writes it who does not know the package yet.
type misuse struct {
	name    string
	program func(*explore.X)
	options []explore.Option
	says    string // what the test that fails says
}

func reserves(x *explore.X) {
	x.Go("alice", func(ctx context.Context, db *dynamodb.Client) error {
		return reserve(ctx, db, "sku1")
	})
}

var shared *dynamodb.Client // a client of the package

var misuses = []misuse{
	{"no workers", func(*explore.X) {}, nil, "the program has no workers: x.Go adds one"},
	{"a worker in a worker", func(x *explore.X) {
		x.Go("alice", func(context.Context, *dynamodb.Client) error {
			reserves(x)
			return nil
		})
	}, nil, "a worker is added while the workers run: do that in the function that Run gets"},
	{"a client of the package", func(x *explore.X) {
		x.Go("alice", func(ctx context.Context, _ *dynamodb.Client) error {
			return reserve(ctx, shared, "sku1")
		})
	}, nil, "no worker has sent a request through the client that it gets"},
	{"a table that is not there", func(x *explore.X) {
		x.Go("alice", func(ctx context.Context, db *dynamodb.Client) error {
			_, err := db.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String("stok")})
			return err
		})
	}, nil, "no request of a worker has succeeded"},
	{"no budget", reserves, []explore.Option{explore.Budget(0)},
		"Budget(0) runs nothing: give it 1 run at least"},
	{"a clock that does not move", reserves,
		[]explore.Option{explore.Faults(1, explore.Later)}, "add ClockMoves"},
	{"nobody may die", reserves, []explore.Option{explore.Faults(1, explore.DiesAfter)},
		"x.Restart(name, work) says what it does when it is started again"},
	{"an unknown fault", reserves, []explore.Option{explore.Faults(1, "boom")},
		`there is no fault "boom": the faults are [lost error`},
	{"no faults", reserves, []explore.Option{explore.Faults(0, explore.LostAnswer)},
		"Faults(0) tries no faults: leave it out, or write Faults(1)"},
	{"a batch again without a consumer", reserves,
		[]explore.Option{explore.Faults(1, explore.Redelivered)}, "x.Consume adds one"},
	{"an unknown fault in a schedule", reserves,
		[]explore.Option{explore.Schedule("alice:losst")},
		`has a fault "losst", which there is not: the faults are [lost error`},
	{"cached reads without faults", reserves, []explore.Option{explore.CachedReads()},
		"CachedReads makes no difference without Cached among the Faults"},
	{"cached reads with other faults", reserves,
		[]explore.Option{explore.CachedReads(), explore.Faults(1, explore.LostAnswer)},
		"CachedReads makes no difference without Cached among the Faults"},
	{"old answers without a cache", reserves,
		[]explore.Option{explore.Faults(1, explore.Cached)},
		"the fault Cached is for workers of CachedReads: add that"},
	{"no time", reserves, []explore.Option{explore.Patience(0)}, "Patience(0s) is no time"},
	{"a time before now", reserves, []explore.Option{explore.Within(-1)},
		"Within(-1ns) is no time"},
	{"a check is allowed", reserves,
		[]explore.Option{explore.Allow(explore.Checked, "stock", "why not")},
		`only "lost update" can be allowed`},
	{"allowed without a reason", reserves,
		[]explore.Option{explore.Allow(explore.LostUpdate, "stock", " ")},
		"Allow wants the name of a table, and a reason"},
}

// TestMisuse: what finds nothing because it looks at nothing is an error that says what to write.
// The tests that fail run in a process of their own.
func TestMisuse(t *testing.T) {
	if os.Getenv("EXPLORE_MISUSE") != "" {
		server := newShop(t)
		shared = server.Client()
		for _, m := range misuses {
			t.Run(m.name, func(t *testing.T) { explore.Run(t, newShop, m.program, m.options...) })
		}
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestMisuse$", "-test.v")
	cmd.Env = append(os.Environ(), "EXPLORE_MISUSE=1")
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	text := string(out)
	for _, m := range misuses {
		t.Run(m.name, func(t *testing.T) {
			name := "TestMisuse/" + strings.ReplaceAll(m.name, " ", "_")
			_, said, _ := strings.Cut(text, "=== RUN   "+name+"\n")
			said, _, _ = strings.Cut(said, "=== RUN")
			assert.Contains(t, said, m.says)
			assert.Contains(t, text, "--- FAIL: "+name+" ")
			assert.Less(t, strings.Count(said, "\n"), 40, "%s", said)
		})
	}
}

// TestContextOfTheTest: a worker may use the context of the test.
func TestContextOfTheTest(t *testing.T) {
	report := explore.Run(t, newShop, func(x *explore.X) {
		for _, name := range []string{"alice", "bob"} {
			x.Go(name, func(_ context.Context, db *dynamodb.Client) error {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				return reserve(ctx, db, "sku1")
			})
		}
	})
	assert.True(t, report.Complete)
}

// TestNothingInCommon: if no two workers touch the same item, the report begins with that.
func TestNothingInCommon(t *testing.T) {
	report := explore.Run(t, newShop, two(
		func(ctx context.Context, db *dynamodb.Client, name string) error {
			return putKey(ctx, db, name)
		}))
	assert.Contains(t, report.String(), "explore: no two workers touched the same item")
}

// TestFaultsThatHitNothing: the report names faults that no request can have.
func TestFaultsThatHitNothing(t *testing.T) {
	report := explore.Run(t, newShop, reserves,
		explore.Faults(1, explore.LostAnswer, explore.Unprocessed))
	assert.Contains(t, report.String(), "; no request could have the fault unprocessed;")
}

// TestErrorInAWorker: t.Error in a worker fails the test with a page.
func TestErrorInAWorker(t *testing.T) {
	if os.Getenv("EXPLORE_ERROR") != "" {
		explore.Run(t, newShop, two(
			func(ctx context.Context, db *dynamodb.Client, name string) error {
				if err := reserve(ctx, db, "sku1"); err != nil {
					return err
				}
				if n, _ := left(ctx, db, "sku1"); n != 9 {
					t.Error("somebody else was here")
				}
				return nil
			}))
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestErrorInAWorker$")
	cmd.Env = append(os.Environ(), "EXPLORE_ERROR=1")
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(out), "has called t.Error or t.Fail in this run")
	assert.Contains(t, string(out), "Run it again:")
}
