//go:build go1.25

package explore_test

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

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
	of      func(t *testing.T) func(*explore.X) // makes a program that takes the place of program
	says    string                              // all that the test says; … stands for any text
	passes  bool                                // the test does, and the report makes no claim
}

func reserves(x *explore.X) {
	x.Go("alice", func(ctx context.Context, db *dynamodb.Client) error {
		return reserve(ctx, db, "sku1")
	})
}

// differs is the report on workers who do not do the same in each run.
const differs = "explore: …not all orders were tried; … in both orders;\n… is not the same in each " +
	"run: after the same answers, its request 1 is\n  …\nin one run, and\n  …\nin another\nso it is " +
	"not known which orders were tried. What a worker asks for may depend only on the answers that " +
	"it gets, and on the time. Take ids and random numbers from a source that begins anew in each " +
	"run (in Go: X.Rand), sort the keys of a map before you send requests, and keep what a run " +
	"leaves in memory out of the next one"

const allFaults = "the faults are [lost error throttled unprocessed conflict stale1 stale2 stale3 " +
	"cached dies-before dies-after later later-kept expired redelivered skewed]"

var (
	shared *dynamodb.Client // a client of the package
	asked  int              // counts the questions of all runs together
)

// misuses are wrong set-ups: those that look at nothing, those of whose orders nothing can be
// claimed, and those that would end the test's program.
var misuses = []misuse{
	{name: "no workers", program: func(*explore.X) {},
		says: "explore: the program has no workers: x.Go adds one"},
	{name: "a worker in a worker", program: func(x *explore.X) {
		x.Go("alice", func(context.Context, *dynamodb.Client) error {
			reserves(x)
			return nil
		})
	}, says: "worker: alice: panic: explore: a worker is added while the workers run: do that in the " +
		"function that Run gets, before it returns\n…"},
	{name: "a client of the package", program: func(x *explore.X) {
		x.Go("alice", func(ctx context.Context, _ *dynamodb.Client) error {
			return reserve(ctx, shared, "sku1")
		})
	}, says: "explore: no worker has sent a request through the client that it gets, so there is " +
		"nothing to order. Pass that client on, in place of one of the module or the package:\n" +
		"  alice returns nil"},
	{name: "a table that is not there", program: func(x *explore.X) {
		x.Go("alice", func(ctx context.Context, db *dynamodb.Client) error {
			_, err := db.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String("stok")})
			return err
		})
	}, says: "explore: no request of a worker has succeeded, so nothing was tried. Look at what the " +
		"workers say, and at the tables of the template:\n  alice returns operation error DynamoDB: " +
		"Scan, https response error StatusCode: 400, ResourceNotFoundException: Requested resource " +
		"not found"},
	{name: "no budget", program: reserves, options: []explore.Option{explore.Budget(0)},
		says: "explore: Budget(0) runs nothing: give it 1 run at least"},
	{name: "no requests", program: reserves, options: []explore.Option{explore.Longest(0)},
		says: "explore: Longest(0) lets no request go: give it 1 at least"},
	{name: "a clock that does not move", program: reserves,
		options: []explore.Option{explore.Faults(1, explore.Later)},
		says: "explore: Later moves the clock, and nothing says by how much: add ClockMoves, with a " +
			"time such as 5*time.Minute"},
	{name: "a clock that goes back", program: reserves,
		options: []explore.Option{explore.Faults(1), explore.ClockMoves(-time.Hour)},
		says:    "explore: ClockMoves(-1h0m0s) goes back: time does not"},
	{name: "a clock that is not ahead", program: reserves,
		options: []explore.Option{explore.Faults(1, explore.Skewed)},
		says: "explore: Skewed has the clock of a worker be ahead, and nothing says by how much: add " +
			"ClockSkew, with a time such as 2*time.Second"},
	{name: "nobody may die", program: reserves,
		options: []explore.Option{explore.Faults(1, explore.DiesAfter)},
		says: "explore: the fault dies-after hits only a worker that may die, and none may: " +
			"x.Restart(name, work) says what it does when it is started again, or nil"},
	{name: "another worker is restarted", program: func(x *explore.X) {
		reserves(x)
		x.Restart("bob", nil)
	}, says: `explore: explore: Restart of "bob", which is no worker`},
	{name: "two workers of one name", program: func(x *explore.X) {
		reserves(x)
		reserves(x)
	}, says: `explore: explore: there are two workers "alice"`},
	{name: "an unknown fault", program: reserves,
		options: []explore.Option{explore.Faults(1, "boom")},
		says:    `explore: there is no fault "boom": ` + allFaults},
	{name: "no faults", program: reserves,
		options: []explore.Option{explore.Faults(0, explore.LostAnswer)},
		says:    "explore: Faults(0) tries no faults: leave it out, or write Faults(1)"},
	{name: "a batch again without a consumer", program: reserves,
		options: []explore.Option{explore.Faults(1, explore.Redelivered)},
		says: "explore: the fault redelivered hits only a consumer, and there is none: x.Consume " +
			"adds one"},
	{name: "an unknown fault in a schedule", program: reserves,
		options: []explore.Option{explore.Schedule("alice:losst,bob")},
		says: `explore: the schedule of KUGIRI_EXPLORE has a fault "losst", which there is not: ` +
			allFaults},
	{name: "cached reads without faults", program: reserves,
		options: []explore.Option{explore.CachedReads()},
		says: "explore: CachedReads makes no difference without Cached among the Faults: write " +
			"Faults(1, Cached)"},
	{name: "cached reads with other faults", program: reserves,
		options: []explore.Option{explore.CachedReads(), explore.Faults(1, explore.LostAnswer)},
		says: "explore: CachedReads makes no difference without Cached among the Faults: write " +
			"Faults(1, Cached)"},
	{name: "old answers without a cache", program: reserves,
		options: []explore.Option{explore.Faults(1, explore.Cached)},
		says:    "explore: the fault Cached is for workers of CachedReads: add that"},
	{name: "no patience", program: reserves, options: []explore.Option{explore.Patience(0)},
		says: "explore: Patience(0s) is no time: the default is 10 s"},
	{name: "a time before now", program: reserves, options: []explore.Option{explore.Within(-1)},
		says: "explore: Within(-1ns) is no time"},
	{name: "a check is allowed", program: reserves,
		options: []explore.Option{explore.Allow(explore.Checked, "stock", "why not")},
		says:    `explore: Allow("check", …) allows nothing: only "lost update" can be allowed`},
	{name: "allowed without a reason", program: reserves,
		options: []explore.Option{explore.Allow(explore.LostUpdate, "stock", " ")},
		says:    "explore: Allow wants the name of a table, and a reason"},

	{name: "a random id", passes: true, says: differs, program: two(
		func(ctx context.Context, db *dynamodb.Client, _ string) error {
			return putKey(ctx, db, "sku"+random())
		})},
	{name: "an extra request by chance", passes: true, says: differs, program: two(
		func(ctx context.Context, db *dynamodb.Client, _ string) error {
			if rand.IntN(2) == 0 {
				_, _ = left(ctx, db, "sku2")
			}
			return reserve(ctx, db, "sku1")
		})},
	{name: "keys in the order of a map", passes: true, says: differs, program: two(
		func(ctx context.Context, db *dynamodb.Client, _ string) error {
			for sku := range map[string]bool{"a": true, "b": true, "c": true, "d": true} {
				if err := putKey(ctx, db, sku); err != nil {
					return err
				}
			}
			return nil
		})},
	{name: "memory of an earlier run", passes: true, says: differs, program: two(
		func(ctx context.Context, db *dynamodb.Client, name string) error {
			if name == "alice" {
				if asked++; asked > 1 {
					return nil
				}
			}
			return reserve(ctx, db, "sku1")
		})},
	{name: "a sleep of 40 days", passes: true, program: two(
		func(ctx context.Context, db *dynamodb.Client, name string) error {
			if name == "bob" {
				time.Sleep(40 * 24 * time.Hour)
			}
			return reserve(ctx, db, "sku1")
		}), says: "explore: 1 run, of 2 orders: not all orders were tried; 1 pair of requests whose " +
		"order matters, 0 seen in both orders; in 1 run requests waited for 30 days of the run's " +
		"clock for a worker that sleeps, or waits in a select: orders in which it comes first were " +
		"not tried"},
	{name: "nothing in common", passes: true, program: two(
		func(ctx context.Context, db *dynamodb.Client, name string) error {
			return putKey(ctx, db, name)
		}), says: "explore: no two workers touched the same item, so no order makes a difference: 1 " +
		"run, of 2 orders: all orders were tried; 0 pairs of requests whose order matters, 0 seen in " +
		"both orders; 7 more runs repeated them, and did the same"},
	{name: "the context of the test", passes: true,
		of: func(t *testing.T) func(*explore.X) {
			return two(func(_ context.Context, db *dynamodb.Client, _ string) error {
				return reserve(t.Context(), db, "sku1")
			})
		}, says: "explore: 2 runs, of 2 orders: all orders were tried; …"},
	{name: "a deadline from outside", passes: true,
		of: func(t *testing.T) func(*explore.X) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			t.Cleanup(cancel)
			return two(func(_ context.Context, db *dynamodb.Client, _ string) error {
				return reserve(ctx, db, "sku1")
			})
		}, says: "explore: 2 runs, of 2 orders: all orders were tried; …"},
	{name: "t.Error in a worker", of: func(t *testing.T) func(*explore.X) {
		return two(func(ctx context.Context, db *dynamodb.Client, _ string) error {
			t.Error("somebody was here")
			return reserve(ctx, db, "sku1")
		})
	}, says: "somebody was here\nsomebody was here\n…check: the test has failed: a worker, or the " +
		"function that Run gets, has called t.Error or t.Fail in this run\n…"},
	{name: "t.FailNow in a worker", of: func(t *testing.T) func(*explore.X) {
		return two(func(ctx context.Context, db *dynamodb.Client, _ string) error {
			if err := reserve(ctx, db, "sku1"); err != nil {
				return err
			}
			t.FailNow()
			return nil
		})
	}, says: "worker: alice: it left its goroutine, as t.FailNow does\n…"},
	{name: "two searches in one test", of: func(t *testing.T) func(*explore.X) {
		explore.Run(t, newShop, func(x *explore.X) {
			x.Go("carol", func(ctx context.Context, db *dynamodb.Client) error {
				return reserve(ctx, db, "sku2")
			})
		})
		return two(func(ctx context.Context, db *dynamodb.Client, _ string) error {
			return reserveBroken(ctx, db, "sku1")
		})
	}, says: "explore: …\nlost update: …\nRun it again:\n  KUGIRI_EXPLORE='2#alice,bob,bob,alice' go " +
		"test -run '^TestMisuse$/^two_searches_in_one_test$'\n…"},
	{name: "it's an apostrophe", program: two(
		func(ctx context.Context, db *dynamodb.Client, _ string) error {
			return reserveBroken(ctx, db, "sku1")
		}), says: "lost update: …\nRun it again:\n  KUGIRI_EXPLORE='alice,bob,bob,alice' go test -run " +
		`'^TestMisuse$/^it'\''s_an_apostrophe$'` + "\n…"},
}

// TestMisuse: what finds nothing because it looks at nothing is an error that says what to write,
// and of what cannot be compared nothing is claimed. The tests run in a process of their own.
func TestMisuse(t *testing.T) {
	if os.Getenv("EXPLORE_MISUSE") != "" {
		server := newShop(t)
		shared = server.Client()
		for _, m := range misuses {
			t.Run(m.name, func(t *testing.T) {
				if m.of != nil {
					m.program = m.of(t)
				}
				explore.Run(t, newShop, m.program, m.options...)
			})
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
			said, _, _ = strings.Cut(said, "\n=== RUN")
			said, _, _ = strings.Cut(said, "\n---")
			said = logged.ReplaceAllString(said, "")
			pattern := strings.ReplaceAll(regexp.QuoteMeta(m.says), "…", "(?s:.*)")
			assert.Regexp(t, "^"+pattern+"$", said)
			how := "--- FAIL: "
			if m.passes {
				how = "--- PASS: "
			}
			assert.Contains(t, text, how+name+" ")
			assert.Less(t, strings.Count(said, "\n"), 40, "%s", said)
		})
	}
}

// logged matches the texts that package testing writes before lines.
var logged = regexp.MustCompile(`(?m)^    (    |[a-z_]+\.go:[0-9]+: )`)

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
